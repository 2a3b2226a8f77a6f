//! Why something could not be changed, and the way out.

use std::io;
use std::path::Path;

use crate::skill::text::shown_name;

/// Something could not be changed; what was there is still there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The name is taken, perhaps in another case.
    #[error("`{path}` exists already; choose another name, or rename or delete it first")]
    Exists {
        /// What is there, safe to show.
        path: String,
    },
    /// The file is another than the one that was looked at.
    #[error(
        "`{path}` has changed on disk since it was read, so it was left alone; look at it again"
    )]
    Changed {
        /// The file, safe to show.
        path: String,
    },
    /// It is not there any more.
    #[error("`{path}` is not there any more; look again")]
    Gone {
        /// What is gone, safe to show.
        path: String,
    },
    /// The system does not allow it.
    #[error("no permission to change `{path}`; change the mode or owner of it or of its folder")]
    Permission {
        /// What was to be changed, safe to show.
        path: String,
    },
    /// Nothing can be written there.
    #[error("`{path}` is on a file system that can only be read; work on a copy elsewhere")]
    ReadOnly {
        /// What was to be changed, safe to show.
        path: String,
    },
    /// The disk, or the user's share of it, is full.
    #[error("no space is left to change `{path}`; make room and try again")]
    NoSpace {
        /// What was to be changed, safe to show.
        path: String,
    },
    /// The way to it leads through a link or out of the folder.
    #[error(
        "the way to `{path}` leads out of the skills root, or through a link that came \
             meanwhile; nothing outside is changed"
    )]
    LeavesRoot {
        /// What was to be changed, safe to show.
        path: String,
    },
    /// A name that is not allowed, and why.
    #[error("the name `{name}` is refused: {why}")]
    Name {
        /// The name, safe to show.
        name: String,
        /// Why, with the way out.
        why: String,
    },
    /// It would have to be moved to another file system.
    #[error("`{path}` would have to be moved to another file system; do that by hand")]
    CrossDevice {
        /// What was to be moved, safe to show.
        path: String,
    },
    /// Another program is changing the project.
    #[error("another skilldeck is changing this project; try again when it is done")]
    Busy,
    /// An operation that was interrupted can be neither finished nor undone.
    #[error(
        "an interrupted change ({title}) cannot be finished, since `{path}` has changed \
             meanwhile; mend it by hand, then remove {record}"
    )]
    Stuck {
        /// What the operation was.
        title: String,
        /// What is in the way, safe to show.
        path: String,
        /// Its record, safe to show.
        record: String,
    },
    /// What is to be changed does not allow it.
    #[error("{0}")]
    Refused(String),
    /// Anything else.
    #[error("`{path}` could not be changed: {cause}")]
    Other {
        /// What was to be changed, safe to show.
        path: String,
        /// What the system said.
        cause: String,
    },
}

impl EditError {
    /// What the system said, as an error about a path.
    pub fn of(path: &Path, error: &io::Error) -> Self {
        let path = shown_name(path.as_os_str()).into_string();
        match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
                Self::Exists { path }
            }
            io::ErrorKind::NotFound => Self::Gone { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace { path },
            io::ErrorKind::CrossesDevices => Self::CrossDevice { path },
            // Opening a link that must be none, or a file where a folder was.
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => Self::LeavesRoot { path },
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                Self::LeavesRoot { path }
            }
            _ => Self::Other { path, cause: error.to_string() },
        }
    }
}
