//! A file is written whole or not at all, also when the power goes.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use super::disk::{Disk, Folder, Kind};
use crate::skill::text::shown_name;

/// A file could not be written; what was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// There is one already, and it was to be new.
    #[error("`{path}` exists already and was left as it is; remove or rename it first")]
    Exists {
        /// The file, safe to show.
        path: String,
    },
    /// The system does not allow it.
    #[error("no permission to write `{path}`; change the mode or owner of its folder")]
    Permission {
        /// The file, safe to show.
        path: String,
    },
    /// The disk, or the user's share of it, is full.
    #[error("no space is left to write `{path}`; make room and try again")]
    NoSpace {
        /// The file, safe to show.
        path: String,
    },
    /// Nothing can be written there.
    #[error("`{path}` is on a file system that can only be read; write it elsewhere")]
    ReadOnly {
        /// The file, safe to show.
        path: String,
    },
    /// Anything else.
    #[error("`{path}` could not be written: {error}")]
    Other {
        /// The file, safe to show.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

impl WriteError {
    pub(super) fn of(path: &Path, error: io::Error) -> Self {
        let path = shown_name(path.as_os_str()).into_string();
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Other { path, error },
        }
    }
}

/// Puts a file in place of the one there is, if there is one, whose mode it
/// keeps. Missing folders are made. A link is replaced, not followed.
///
/// # Errors
/// When it could not be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let written = || {
        let (disk, folder, name) = open(path)?;
        let there = disk.stat(&folder, &name)?.filter(|meta| meta.kind == Kind::File);
        disk.replace(&folder, &name, bytes, there.map_or(OWN, |meta| meta.mode))
    };
    written().map_err(|error| WriteError::of(path, error))
}

/// Writes a file that must not be there yet, not even when another program
/// makes it in the same moment. Missing folders are made.
///
/// # Errors
/// When there is one, or it could not be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let written = || {
        let (disk, folder, name) = open(path)?;
        disk.place(&folder, &name, bytes, OWN)
    };
    written().map_err(|error| WriteError::of(path, error))
}

/// The mode of a file that only its owner may read.
const OWN: u32 = 0o600;

/// The folder of a path, made where it is missing, and the name in it.
fn open(path: &Path) -> io::Result<(Disk, Folder, OsString)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."));
    match DirBuilder::new().recursive(true).mode(0o700).create(folder) {
        // A file is in the way: it, and not the file to write, exists already.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        other => other?,
    }
    let disk = Disk::default();
    let folder = disk.open(&folder.canonicalize()?)?;
    Ok((disk, folder, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::thread;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        replace(&path, b"one").unwrap();
        assert_eq!((fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"one"[..], 0o600));
        for kept in [0o644, 0o755, 0o400] {
            fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
            replace(&path, b"two").unwrap();
            assert_eq!((fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"two"[..], kept));
        }
        assert_eq!(names(dir.path()), ["file"], "nothing is left beside it");
    }

    #[test]
    fn missing_folders_are_made_for_their_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        create(&dir.path().join("a/b/file"), b"x").unwrap();
        assert_eq!(mode(&dir.path().join("a")), 0o700);
        assert_eq!(mode(&dir.path().join("a/b")), 0o700);
        assert_eq!(mode(dir.path()), 0o755, "one that was there stays as it was");
    }

    #[test]
    fn a_link_is_replaced_and_what_it_leads_to_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("target"), "old").unwrap();
        symlink("target", dir.path().join("link")).unwrap();
        replace(&dir.path().join("link"), b"new").unwrap();
        assert_eq!(fs::read(dir.path().join("target")).unwrap(), b"old");
        assert_eq!(fs::read(dir.path().join("link")).unwrap(), b"new");
    }

    #[test]
    fn what_is_there_is_never_created_over() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "old").unwrap();
        symlink("nowhere", at("link")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for name in ["file", "link", "folder"] {
            let error = create(&at(name), b"new").unwrap_err();
            assert!(
                matches!(&error, WriteError::Exists { path } if path.ends_with(name)),
                "{name}"
            );
        }
        assert_eq!(fs::read(at("file")).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["file", "folder", "link"]);
    }

    #[test]
    fn of_several_that_create_one_file_one_succeeds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let made = thread::scope(|scope| {
            let make = |n: u8| {
                let path = &path;
                scope.spawn(move || create(path, &[n; 4096]).is_ok())
            };
            let all: Vec<_> = (0..8).map(make).collect();
            all.into_iter().filter_map(|t| t.join().ok()).filter(|ok| *ok).count()
        });
        assert_eq!(made, 1);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 4096 && bytes.iter().all(|b| *b == bytes[0]), "whole");
    }

    #[test]
    fn what_fails_names_the_path_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "old").unwrap();
        fs::create_dir_all(dir.path().join("folder/in")).unwrap();
        for name in ["file/below", "file/further/below", "folder"] {
            let error = replace(&dir.path().join(name), b"new").unwrap_err();
            assert!(matches!(error, WriteError::Other { .. }), "{name}: {error:?}");
            assert!(error.to_string().contains(name), "{error}");
        }
        assert_eq!(names(dir.path()), ["file", "folder"]);
    }

    #[test]
    fn a_message_says_what_to_do_and_shows_the_path_safely() {
        for (kind, said) in [
            (io::ErrorKind::AlreadyExists, "exists already"),
            (io::ErrorKind::PermissionDenied, "no permission"),
            (io::ErrorKind::StorageFull, "no space"),
            (io::ErrorKind::QuotaExceeded, "no space"),
            (io::ErrorKind::ReadOnlyFilesystem, "only be read"),
            (io::ErrorKind::TimedOut, "could not be written"),
        ] {
            let message = WriteError::of(Path::new("a\u{1b}b"), kind.into()).to_string();
            assert!(message.contains(said) && message.contains("`a\\x1Bb`"), "{message}");
        }
    }
}
