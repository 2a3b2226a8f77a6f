//! Where things may be changed.

use std::path::{Path, PathBuf};

/// The places of a project; paths are real, no part of them being a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Nothing outside of this folder is ever changed.
    pub boundary: PathBuf,
    /// The skills root, relative to the boundary.
    pub root: PathBuf,
}

impl Site {
    /// The folder of deleted skills and of records, beside the root.
    pub fn trash(&self) -> PathBuf {
        self.root.parent().unwrap_or(Path::new("")).join(TRASH)
    }
}

/// Its name.
pub const TRASH: &str = ".trash";
