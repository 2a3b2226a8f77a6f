//! An archive is taken apart.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use tar::EntryType;
use zip::ZipArchive;

use super::{ArchiveError, MAX_BYTES, MAX_ENTRIES, MAX_FILE, safe_path};
use crate::edit::scratch::Scratch;
use crate::skill::text::{head, shown, shown_name, thousands};

/// What was in an archive, in a folder that goes when this does.
#[derive(Debug)]
pub struct Unpacked {
    scratch: Scratch,
    /// Links and special files, which were left out. Safe to show.
    pub left: Vec<String>,
}

impl Unpacked {
    /// The folder.
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }
}

/// Takes an archive apart, whatever it is called: what it begins with tells its form.
///
/// # Errors
/// When it is none, is broken, has a name that leads elsewhere, or is too large. Then
/// nothing of it is left.
pub fn unpack(path: &Path) -> Result<Unpacked, ArchiveError> {
    let shown_path = || shown_name(path.as_os_str()).into_string();
    let broken = |error: &dyn std::fmt::Display| ArchiveError::Broken {
        path: shown_path(),
        why: shown(&error.to_string()).into_string(),
    };
    let mut file = open(path).map_err(|error| broken(&error))?;
    let mut magic = [0; 4];
    let count = read_all(&mut file, &mut magic).map_err(|error| broken(&error))?;
    file.rewind().map_err(|error| broken(&error))?;
    let scratch = Scratch::new("archive", &[])?;
    scratch.folder(Path::new("")).map_err(ArchiveError::Write)?;
    let mut into = Within { scratch, left: Vec::new(), seen: HashSet::new(), bytes: 0, entries: 0 };
    let file = BufReader::new(file);
    match &magic[..count] {
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => zip(file, &mut into, &broken)?,
        [0x1f, 0x8b, ..] => tar_gz(file, &mut into, &broken)?,
        _ => return Err(ArchiveError::Unknown { path: shown_path() }),
    }
    Ok(Unpacked { scratch: into.scratch, left: into.left })
}

fn open(path: &Path) -> io::Result<File> {
    // A FIFO would be waited for.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    File::open(path)
}

fn read_all(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read(&mut buffer[count..])? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}

/// Where entries go, and how much has come.
struct Within {
    scratch: Scratch,
    left: Vec<String>,
    seen: HashSet<PathBuf>,
    bytes: u64,
    entries: usize,
}

impl Within {
    fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            let what = format!("{} entries", thousands(MAX_ENTRIES as u64));
            return Err(ArchiveError::TooMuch { what });
        }
        Ok(())
    }

    fn leave(&mut self, name: &str) {
        self.left.push(shown(&head(name, 200)).into_string());
    }

    fn folder(&mut self, name: &str) -> Result<(), ArchiveError> {
        let path = safe_path(name)?;
        Ok(self.scratch.folder(&path)?)
    }

    fn file(
        &mut self,
        name: &str,
        content: impl Read,
        mode: Option<u32>,
        broken: &dyn Fn(&dyn std::fmt::Display) -> ArchiveError,
    ) -> Result<(), ArchiveError> {
        let path = safe_path(name)?;
        if path.as_os_str().is_empty() || !self.seen.insert(path.clone()) {
            let entry = shown(&head(name, 200)).into_string();
            return Err(ArchiveError::Entry { entry, why: "is there twice, or is no name" });
        }
        let left = MAX_FILE.min(MAX_BYTES.saturating_sub(self.bytes));
        let mut bytes = Vec::new();
        // One more than may be tells that there is more.
        content.take(left + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if bytes.len() as u64 > left {
            let what =
                format!("{} MiB in one file, or {} MiB in all", MAX_FILE >> 20, MAX_BYTES >> 20);
            return Err(ArchiveError::TooMuch { what });
        }
        self.bytes += bytes.len() as u64;
        let can_run = mode.is_some_and(|mode| mode & 0o100 != 0);
        Ok(self.scratch.file(&path, &bytes, can_run)?)
    }
}

type Broken<'a> = &'a dyn Fn(&dyn std::fmt::Display) -> ArchiveError;

fn zip(file: impl Read + Seek, into: &mut Within, broken: Broken<'_>) -> Result<(), ArchiveError> {
    let mut archive = ZipArchive::new(file).map_err(|error| broken(&error))?;
    for i in 0..archive.len() {
        into.count()?;
        let mut entry = archive.by_index(i).map_err(|error| broken(&error))?;
        let Ok(name) = String::from_utf8(entry.name_raw().to_vec()) else {
            into.left.push(format!("entry {} has a name that is not UTF-8", i + 1));
            continue;
        };
        if entry.is_symlink() {
            into.leave(&name);
        } else if entry.is_dir() {
            into.folder(&name)?;
        } else {
            let mode = entry.unix_mode();
            into.file(&name, &mut entry, mode, broken)?;
        }
    }
    Ok(())
}

fn tar_gz(file: impl Read, into: &mut Within, broken: Broken<'_>) -> Result<(), ArchiveError> {
    // What the headers take counts too, lest they alone be the bomb.
    let most = MAX_BYTES + (MAX_ENTRIES as u64) * 4_096;
    let stream = MultiGzDecoder::new(file).take(most);
    let mut archive = tar::Archive::new(stream);
    for entry in archive.entries().map_err(|error| broken(&error))? {
        into.count()?;
        let mut entry = entry.map_err(|error| broken(&error))?;
        let Ok(name) = String::from_utf8(entry.path_bytes().into_owned()) else {
            into.left.push(format!("entry {} has a name that is not UTF-8", into.entries));
            continue;
        };
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {
                let mode = entry.header().mode().ok();
                into.file(&name, &mut entry, mode, broken)?;
            }
            EntryType::Directory => into.folder(&name)?,
            EntryType::XGlobalHeader => {}
            _ => into.leave(&name),
        }
    }
    Ok(())
}
