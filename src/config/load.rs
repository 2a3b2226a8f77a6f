//! The config file on disk: read without waiting for anything, and never a reason to stop.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::{Config, Mistake, Paths, read};
use crate::skill::Place;
use crate::skill::text::thousands;

/// A config file larger than this is not read.
const MAX_BYTES: u64 = 256 * 1024;

/// What a config file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The file; `None` when the environment names no place for it.
    pub path: Option<PathBuf>,
    /// Whether there is one.
    pub exists: bool,
    /// What it sets.
    pub config: Config,
    /// What is wrong in it, by place.
    pub mistakes: Vec<Mistake>,
}

/// Reads the config file. Where there is none, all is as by default.
pub fn load(paths: &Paths) -> Loaded {
    let Some(path) = paths.config_file() else { return Loaded::default() };
    let bytes = match bytes(&path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Loaded { path: Some(path), ..Loaded::default() },
        Err(message) => return refused(path, Place::START, &message),
    };
    match std::str::from_utf8(&bytes) {
        Ok(text) => {
            let (config, mistakes) = read(text);
            Loaded { path: Some(path), exists: true, config, mistakes }
        }
        Err(error) => {
            let text = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let place = Place::of(text, text.len());
            refused(path, place, "the file is not UTF-8 here, and is not read; save it as UTF-8")
        }
    }
}

fn refused(path: PathBuf, place: Place, message: &str) -> Loaded {
    let mistakes = vec![Mistake::new(place, message)];
    Loaded { path: Some(path), exists: true, mistakes, ..Loaded::default() }
}

/// The bytes of the file; `None` when there is none.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, String> {
    // Links are followed: many keep their config files elsewhere.
    match fs::metadata(path) {
        // A link that leads nowhere was meant to be a file.
        Err(error) if is_absent(&error) && fs::symlink_metadata(path).is_err() => return Ok(None),
        Err(error) => return Err(trouble(&error)),
        Ok(meta) => check(&meta)?,
    }
    // What was a file a moment ago may be a FIFO now: never wait for one.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let handle =
        rustix::fs::open(path, flags, Mode::empty()).map_err(|error| trouble(&error.into()))?;
    let file = File::from(handle);
    check(&file.metadata().map_err(|error| trouble(&error))?)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| trouble(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(Some(bytes))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn check(meta: &Metadata) -> Result<(), String> {
    if meta.is_dir() {
        Err("this is a folder, not a file, and is not read; put a text file there".to_owned())
    } else if !meta.is_file() {
        Err("this is no regular file, and is not opened; put a text file there".to_owned())
    } else if meta.len() > MAX_BYTES {
        Err(too_large())
    } else {
        Ok(())
    }
}

fn too_large() -> String {
    format!("the file has more than {} bytes, and is not read; shorten it", thousands(MAX_BYTES))
}

fn trouble(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "no permission to read the file; change its mode or owner".to_owned()
        }
        io::ErrorKind::NotFound => "the link leads to nothing; mend or remove it".to_owned(),
        _ => format!("the file could not be read: {error}"),
    }
}
