//! Archives of skills: `.zip`, `.skill` (which is one) and `.tar.gz`.
//!
//! What comes from elsewhere is taken apart in a folder that is thrown away, and
//! only after every name was looked at: none leads out of that folder, no link is
//! made, and what is unpacked is counted as it comes, not as the archive says.

mod pack;
mod unpack;

use std::path::{Component, Path, PathBuf};

pub use pack::{Packed, pack, packed};
pub use unpack::{Unpacked, unpack};

use super::WriteError;
use crate::skill::text::{head, shown};

/// Bytes that all files of an archive may have together.
pub const MAX_BYTES: u64 = 256 << 20;

/// Bytes that one file may have.
const MAX_FILE: u64 = 64 << 20;

/// Entries that an archive may have.
const MAX_ENTRIES: usize = 20_000;

/// Parts that a path may have.
const MAX_DEPTH: usize = 32;

/// What kind of archive a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Also `.skill`.
    Zip,
    /// Also `.tgz`.
    TarGz,
}

/// What a name ends with, and the form that it tells.
const ENDINGS: [(&str, Form); 4] =
    [(".tar.gz", Form::TarGz), (".tgz", Form::TarGz), (".zip", Form::Zip), (".skill", Form::Zip)];

impl Form {
    /// The form that a name asks for, and the name without what tells it.
    pub fn of(path: &Path) -> Option<(Self, String)> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let lower = name.to_ascii_lowercase();
        let (ending, form) = ENDINGS.into_iter().find(|(ending, _)| lower.ends_with(ending))?;
        Some((form, name[..name.len() - ending.len()].to_owned()))
    }
}

/// An archive is not taken apart, or cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It is none, or of no form that is known.
    #[error("`{path}` is no .zip, .skill or .tar.gz; unpack it and name the folder")]
    Unknown {
        /// The file, safe to show.
        path: String,
    },
    /// A name in it leads elsewhere.
    #[error("the archive names `{entry}`, which {why}; it is not unpacked at all")]
    Entry {
        /// The name, safe to show.
        entry: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It would be too much.
    #[error("the archive holds more than {what}; it is not unpacked at all")]
    TooMuch {
        /// What there is too much of.
        what: String,
    },
    /// It is broken.
    #[error("`{path}` cannot be read as an archive: {why}")]
    Broken {
        /// The file, safe to show.
        path: String,
        /// What the reader said.
        why: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The path of an entry below the folder it is unpacked into.
fn safe_path(name: &str) -> Result<PathBuf, ArchiveError> {
    let refused = |why| {
        let entry = shown(&head(name, 200)).into_string();
        Err(ArchiveError::Entry { entry, why })
    };
    if name.contains(['\0', '\\']) {
        return refused("has a character that is no part of a path");
    }
    if name.starts_with('/') || name.get(1..2) == Some(":") {
        return refused("is absolute");
    }
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return refused("leads out of the archive"),
        }
    }
    if path.components().count() > MAX_DEPTH || name.len() > 1_024 {
        return refused("lies too deep");
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_are_safe() {
        for (name, want) in [
            ("a/b.md", Some("a/b.md")),
            ("./a//b/", Some("a/b")),
            ("", Some("")),
            ("a/../b", None),
            ("../a", None),
            ("/etc/passwd", None),
            ("c:/x", None),
            ("a\\b", None),
            ("a\0b", None),
        ] {
            assert_eq!(safe_path(name).ok(), want.map(PathBuf::from), "{name:?}");
        }
        assert!(safe_path(&"a/".repeat(40)).is_err());
        assert!(safe_path(&"a".repeat(2_000)).is_err());
    }

    #[test]
    fn the_form_is_in_the_name() {
        for (name, form, stem) in [
            ("x.zip", Some(Form::Zip), Some("x")),
            ("X.SKILL", Some(Form::Zip), Some("X")),
            ("a/x.tar.gz", Some(Form::TarGz), Some("x")),
            ("x.tgz", Some(Form::TarGz), Some("x")),
            ("x.tar", None, None),
        ] {
            let want = form.zip(stem.map(str::to_owned));
            assert_eq!(Form::of(Path::new(name)), want, "{name}");
        }
    }
}
