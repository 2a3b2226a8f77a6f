//! The calls that change a disk, each beneath a folder that is held open.
//!
//! A path is walked part by part from a folder's handle, and no part may be a
//! link: what was checked is what is used, whatever others rename meanwhile.
//! Every call first asks the hook, so that tests can let any of them fail.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags, RenameFlags};

/// A call to the disk, for the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named after what is done
pub enum Call {
    Open,
    Stat,
    Read,
    Create,
    Write,
    Sync,
    Rename,
    RemoveFile,
    MakeFolder,
    RemoveFolder,
    List,
    Lock,
}

/// What the hook lets a call do.
#[derive(Debug)]
pub enum Verdict {
    /// What it is to do.
    Go,
    /// Nothing: it fails.
    Fail(io::Error),
    /// A write writes half of its bytes, then it fails.
    Tear(io::Error),
}

/// Asked before each call.
pub type Hook = Arc<dyn Fn(Call) -> Verdict + Send + Sync>;

/// The disk.
#[derive(Clone, Default)]
pub struct Disk {
    hook: Option<Hook>,
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disk").field("has_hook", &self.hook.is_some()).finish()
    }
}

/// A folder that is held open.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// Its path when it was opened, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What a name in a folder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// A file, a folder, a link or something else.
    pub kind: Kind,
    /// Permission bits.
    pub mode: u32,
    /// Bytes.
    pub size: u64,
}

/// What a thing on disk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A FIFO, socket or device.
    Other,
}

/// A lock that is held until it is dropped, or its process ends.
#[derive(Debug)]
pub struct Lock {
    _handle: OwnedFd,
}

/// Numbers the temporary names of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Disk {
    /// A disk whose calls a test may let fail.
    pub fn with_hook(hook: Hook) -> Self {
        Self { hook: Some(hook) }
    }

    fn ask(&self, call: Call) -> io::Result<()> {
        match self.hook.as_ref().map(|hook| hook(call)) {
            None | Some(Verdict::Go) => Ok(()),
            Some(Verdict::Fail(error) | Verdict::Tear(error)) => Err(error),
        }
    }

    /// Opens the folder at a real path.
    ///
    /// # Errors
    /// When it is not there, no folder, or may not be opened.
    pub fn open(&self, path: &Path) -> io::Result<Folder> {
        self.ask(Call::Open)?;
        let handle = fs::open(path, FOLDER, Mode::empty())?;
        Ok(Folder { handle, path: path.to_owned() })
    }

    /// Opens a folder below another, no part of the way being a link.
    ///
    /// # Errors
    /// As [`Disk::open`]; `InvalidInput` when the path leads out of the folder.
    pub fn below(&self, folder: &Folder, path: &Path) -> io::Result<Folder> {
        self.ask(Call::Open)?;
        let mut at = fs::openat(&folder.handle, ".", FOLDER, Mode::empty())?;
        for part in path.components() {
            match part {
                Component::Normal(name) => at = fs::openat(&at, name, FOLDER, Mode::empty())?,
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
            }
        }
        Ok(Folder { handle: at, path: folder.path.join(path) })
    }

    /// What a name stands for, a link for itself; `None` when it is not there.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn stat(&self, folder: &Folder, name: &OsStr) -> io::Result<Option<Meta>> {
        self.ask(Call::Stat)?;
        match fs::statat(&folder.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Meta {
                kind: match FileType::from_raw_mode(stat.st_mode) {
                    FileType::RegularFile => Kind::File,
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    _ => Kind::Other,
                },
                mode: Mode::from_raw_mode(stat.st_mode).bits(),
                size: stat.st_size as u64,
            })),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a regular file of at most `max` bytes, without waiting for a FIFO.
    ///
    /// # Errors
    /// When it is no such file, is larger, or cannot be read.
    pub fn read(&self, folder: &Folder, name: &OsStr, max: u64) -> io::Result<Vec<u8>> {
        self.ask(Call::Read)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(&folder.handle, name, flags, Mode::empty())?);
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut bytes = Vec::new();
        file.take(max + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// Writes a file that is not there yet, and waits until it is safely on disk.
    ///
    /// # Errors
    /// `AlreadyExists`, or when it cannot be written; then there is no such file.
    pub fn create(&self, folder: &Folder, name: &OsStr, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.ask(Call::Create)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode & 0o7777);
        let handle = fs::openat(&folder.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        let mut file = File::from(handle);
        let written = self
            .write(&mut file, bytes)
            // Not the mode of the call, which the umask would narrow.
            .and_then(|()| Ok(fs::fchmod(&file, mode)?))
            .and_then(|()| self.ask(Call::Sync))
            .and_then(|()| file.sync_all());
        if written.is_err() && self.ask(Call::RemoveFile).is_ok() {
            let _ = fs::unlinkat(&folder.handle, name, AtFlags::empty());
        }
        written
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        match self.hook.as_ref().map(|hook| hook(Call::Write)) {
            None | Some(Verdict::Go) => file.write_all(bytes),
            Some(Verdict::Fail(error)) => Err(error),
            Some(Verdict::Tear(error)) => {
                file.write_all(&bytes[..bytes.len() / 2])?;
                Err(error)
            }
        }
    }

    /// Puts a file in place of another, or where there is none: at no moment is
    /// there half a file, and when this returns it is safely on disk.
    ///
    /// # Errors
    /// When it cannot be written; then the other is still there.
    pub fn replace(
        &self,
        folder: &Folder,
        name: &OsStr,
        bytes: &[u8],
        mode: u32,
    ) -> io::Result<()> {
        let aside = temporary_name();
        self.create(folder, &aside, bytes, mode)?;
        let renamed = self.ask(Call::Rename).and_then(|()| {
            Ok(fs::renameat(&folder.handle, aside.as_os_str(), &folder.handle, name)?)
        });
        if renamed.is_err() && self.ask(Call::RemoveFile).is_ok() {
            let _ = fs::unlinkat(&folder.handle, aside.as_os_str(), AtFlags::empty());
        }
        renamed?;
        self.sync(folder)
    }

    /// Writes a file where there is none, which at no moment is half a file.
    ///
    /// # Errors
    /// `AlreadyExists`, or when it cannot be written.
    pub fn place(&self, folder: &Folder, name: &OsStr, bytes: &[u8], mode: u32) -> io::Result<()> {
        let aside = temporary_name();
        self.create(folder, &aside, bytes, mode)?;
        let renamed = self.rename((folder, &aside), (folder, name));
        if renamed.is_err() && self.ask(Call::RemoveFile).is_ok() {
            let _ = fs::unlinkat(&folder.handle, aside.as_os_str(), AtFlags::empty());
        }
        renamed
    }

    /// Puts a file in place of one that holds `old`, and of no other: what came
    /// between the look and the change is put back and never lost.
    ///
    /// # Errors
    /// `InvalidData` when it held something else, or when it cannot be written.
    pub fn swap(
        &self,
        folder: &Folder,
        name: &OsStr,
        old: &[u8],
        new: &[u8],
        mode: u32,
    ) -> io::Result<()> {
        let aside = temporary_name();
        self.create(folder, &aside, new, mode)?;
        let give_up = |error: io::Error| {
            if self.ask(Call::RemoveFile).is_ok() {
                let _ = fs::unlinkat(&folder.handle, aside.as_os_str(), AtFlags::empty());
            }
            Err(error)
        };
        let exchange = || {
            let dir = &folder.handle;
            fs::renameat_with(dir, aside.as_os_str(), dir, name, RenameFlags::EXCHANGE)
        };
        if let Err(error) = self.ask(Call::Rename) {
            return give_up(error);
        }
        match exchange() {
            Ok(()) => {}
            // A file system that cannot exchange: the look was a moment ago.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                let renamed = fs::renameat(&folder.handle, aside.as_os_str(), &folder.handle, name);
                return match renamed {
                    Ok(()) => self.sync(folder),
                    Err(error) => give_up(error.into()),
                };
            }
            Err(error) => return give_up(error.into()),
        }
        let was = self.read(folder, &aside, old.len() as u64);
        let is_same = was.as_ref().is_ok_and(|was| was == old);
        if !is_same {
            exchange()?;
        }
        // One that stays is found and removed by the next who writes.
        let _ = self.remove_file(folder, &aside);
        match was {
            Ok(_) if is_same => self.sync(folder),
            Err(error) if error.kind() != io::ErrorKind::FileTooLarge => Err(error),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Gives a thing another name; never one that is taken.
    ///
    /// # Errors
    /// `AlreadyExists`, `CrossesDevices`, or when it cannot be done.
    pub fn rename(&self, from: (&Folder, &OsStr), to: (&Folder, &OsStr)) -> io::Result<()> {
        self.ask(Call::Rename)?;
        let (old, new) = ((&from.0.handle, from.1), (&to.0.handle, to.1));
        match fs::renameat_with(old.0, old.1, new.0, new.1, RenameFlags::NOREPLACE) {
            // A file system that cannot refuse by itself.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                if self.stat(to.0, to.1)?.is_some() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                fs::renameat(old.0, old.1, new.0, new.1)?;
            }
            other => other?,
        }
        self.sync(from.0)?;
        self.sync(to.0)
    }

    /// Removes a file or a link.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_file(&self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        self.ask(Call::RemoveFile)?;
        fs::unlinkat(&folder.handle, name, AtFlags::empty())?;
        self.sync(folder)
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// `AlreadyExists`, or when it cannot be made.
    pub fn make_folder(&self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        self.ask(Call::MakeFolder)?;
        fs::mkdirat(&folder.handle, name, Mode::from_raw_mode(0o777))?;
        self.sync(folder)
    }

    /// Removes an empty folder.
    ///
    /// # Errors
    /// When it is not empty or cannot be removed.
    pub fn remove_folder(&self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        self.ask(Call::RemoveFolder)?;
        fs::unlinkat(&folder.handle, name, AtFlags::REMOVEDIR)?;
        self.sync(folder)
    }

    /// The names in a folder, in order.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn names(&self, folder: &Folder) -> io::Result<Vec<OsString>> {
        self.ask(Call::List)?;
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&folder.handle)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Waits until the names of a folder are safely on disk.
    ///
    /// # Errors
    /// When the disk failed.
    pub fn sync(&self, folder: &Folder) -> io::Result<()> {
        self.ask(Call::Sync)?;
        match fs::fsync(&folder.handle) {
            // Some file systems do not know it for folders.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Lets the owner of a file run it.
    ///
    /// # Errors
    /// When its mode cannot be changed.
    pub fn make_runnable(&self, path: &Path) -> io::Result<()> {
        let mode = Mode::RUSR | Mode::WUSR | Mode::XUSR;
        Ok(fs::chmod(path, mode)?)
    }

    /// Takes a lock by the name of a file, which is made; `None` when another
    /// process holds it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn lock(&self, folder: &Folder, name: &OsStr) -> io::Result<Option<Lock>> {
        self.ask(Call::Lock)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = fs::openat(&folder.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        match fs::flock(&handle, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Lock { _handle: handle })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The beginning of the names of files that are being written.
pub const TEMPORARY: &str = ".skilldeck-";

/// A name that no other file of this or another process has.
fn temporary_name() -> OsString {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{TEMPORARY}{}-{number}.tmp", std::process::id()).into()
}
