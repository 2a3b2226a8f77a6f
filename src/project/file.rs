//! Reading a `SKILL.md` without being hung, led away or flooded (CONTRACT §2).

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, OFlags};

use crate::skill::document::MAX_BYTES;
use crate::skill::text::shown_name;
use crate::skill::{Code, Finding};

/// What tells that a file may have changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    names: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        Self {
            device: meta.dev(),
            inode: meta.ino(),
            names: meta.nlink(),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }

    /// Device and inode of a file that has several names (hard links).
    pub fn shared_file(&self) -> Option<(u64, u64)> {
        (self.names > 1).then_some((self.device, self.inode))
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When the content was last changed: seconds and nanoseconds since 1970.
    pub fn modified(&self) -> (i64, i64) {
        self.modified
    }

    /// Whether a change could still follow within the same tick of the clock,
    /// and so leave the same stamp.
    pub fn is_settled(&self, read_at: SystemTime) -> bool {
        let Ok(now) = read_at.duration_since(SystemTime::UNIX_EPOCH) else { return false };
        let (seconds, nanos) = self.changed;
        let changed =
            Duration::new(u64::try_from(seconds).unwrap_or(0), u32::try_from(nanos).unwrap_or(0));
        now.saturating_sub(changed) > Duration::from_millis(50)
    }
}

/// A regular file that may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable {
    path: PathBuf,
    stamp: Stamp,
}

impl Readable {
    /// Looks at a file without opening it; a link is followed inside `boundary`.
    ///
    /// # Errors
    /// The finding that says why it is not read.
    pub fn find(path: &Path, boundary: &Path) -> Result<Self, Finding> {
        let mut real = path.to_owned();
        let mut meta = fs::symlink_metadata(path).map_err(|error| trouble(path, &error))?;
        if meta.is_symlink() {
            real = follow(path, boundary)?;
            meta = fs::symlink_metadata(&real).map_err(|error| trouble(path, &error))?;
        }
        if !meta.is_file() {
            return Err(not_regular(path, &meta));
        }
        let stamp = Stamp::of(&meta);
        if stamp.size > MAX_BYTES {
            return Err(too_large(stamp.size));
        }
        Ok(Self { path: real, stamp })
    }

    /// Its stamp.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Its real path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads it, with the stamp of what was read.
    ///
    /// # Errors
    /// The finding that says why it could not be read.
    pub fn read(&self) -> Result<(Stamp, Vec<u8>), Finding> {
        // What was a file a moment ago may be a FIFO now: never wait for one.
        let flags =
            OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let handle = rustix::fs::open(&self.path, flags, Mode::empty())
            .map_err(|error| trouble(&self.path, &error.into()))?;
        let file = File::from(handle);
        let meta = file.metadata().map_err(|error| trouble(&self.path, &error))?;
        if !meta.is_file() {
            return Err(not_regular(&self.path, &meta));
        }
        let mut bytes = Vec::with_capacity(meta.len().min(MAX_BYTES) as usize + 1);
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| trouble(&self.path, &error))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(too_large(bytes.len() as u64));
        }
        Ok((Stamp::of(&meta), bytes))
    }
}

/// The real path of a link, which must stay inside `boundary`.
///
/// # Errors
/// `broken-link` or `outside-project`.
pub fn follow(link: &Path, boundary: &Path) -> Result<PathBuf, Finding> {
    let target = || {
        fs::read_link(link)
            .map(|t| format!(" to `{}`", shown_name(t.as_os_str())))
            .unwrap_or_default()
    };
    let real = link.canonicalize().map_err(|error| {
        if error.kind() == io::ErrorKind::PermissionDenied {
            return trouble(link, &error);
        }
        let is_loop = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
        let why = if is_loop { "leads round in a circle" } else { "leads to nothing" };
        Finding::new(Code::BrokenLink, format!("the link{} {why}; mend or remove it", target()))
    })?;
    if !real.starts_with(boundary) {
        return Err(Finding::new(
            Code::OutsideProject,
            format!(
                "the link leads to `{}`, out of the project, and is not read; skills stay within \
                 the project, so put the files themselves there",
                shown_name(real.as_os_str())
            ),
        ));
    }
    Ok(real)
}

/// An error of the system as a finding.
pub fn trouble(path: &Path, error: &io::Error) -> Finding {
    let name = name(path);
    match error.kind() {
        io::ErrorKind::PermissionDenied => Finding::new(
            Code::PermissionDenied,
            format!("no permission to read `{name}`; change its mode or owner"),
        ),
        io::ErrorKind::NotFound => Finding::new(
            Code::MissingSkillMd,
            format!("`{name}` went away while it was read; rescan"),
        ),
        _ => Finding::new(
            Code::ReadFailed,
            format!("`{name}` could not be read: {error}; check the disk, then rescan"),
        ),
    }
}

/// The last part of a path, for a message.
fn name(path: &Path) -> String {
    path.file_name().map(|n| shown_name(n).into_string()).unwrap_or_default()
}

fn not_regular(path: &Path, meta: &Metadata) -> Finding {
    use std::os::unix::fs::FileTypeExt;
    let kind = meta.file_type();
    let what = if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    };
    Finding::new(
        Code::NotARegularFile,
        format!("`{}` is {what}, not a file, and is not opened; put a text file there", name(path)),
    )
}

fn too_large(size: u64) -> Finding {
    Finding::new(
        Code::FileTooLarge,
        format!(
            "the file has {} bytes or more, over the limit of {} (1 MiB), and is not read; move \
             parts of it to resource files",
            crate::skill::text::thousands(size),
            crate::skill::text::thousands(MAX_BYTES)
        ),
    )
}
