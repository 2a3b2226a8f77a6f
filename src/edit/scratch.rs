//! A folder that is thrown away.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::atomic::{WriteError, create};
use super::disk::Disk;

/// A file to begin with: its path, its bytes, and whether it can be run.
pub type ScratchFile = (&'static str, &'static [u8], bool);

/// A folder that goes when this does.
#[derive(Debug)]
pub struct Scratch {
    _dir: TempDir,
    path: PathBuf,
}

impl Scratch {
    /// Makes a folder `name` with some files, in a folder of its own among the
    /// system's temporary files.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn new(name: &str, files: &[ScratchFile]) -> Result<Self, WriteError> {
        let temporary = std::env::temp_dir();
        let fail = |error: io::Error| WriteError::of(&temporary, error);
        let dir = tempfile::Builder::new().prefix("skilldeck-").tempdir().map_err(fail)?;
        let path = dir.path().canonicalize().map_err(fail)?.join(name);
        for (below, bytes, can_run) in files {
            let file = path.join(below);
            create(&file, bytes)?;
            if *can_run {
                Disk::default().make_runnable(&file).map_err(fail)?;
            }
        }
        Ok(Self { _dir: dir, path })
    }

    /// Makes a folder within.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn folder(&self, below: &Path) -> Result<(), WriteError> {
        let path = self.path.join(below);
        std::fs::create_dir_all(&path).map_err(|error| WriteError::of(&path, error))
    }

    /// Writes a file within, which must not be there yet.
    ///
    /// # Errors
    /// When it is there, or cannot be written.
    pub fn file(&self, below: &Path, bytes: &[u8], can_run: bool) -> Result<(), WriteError> {
        let path = self.path.join(below);
        create(&path, bytes)?;
        if can_run {
            let made = Disk::default().make_runnable(&path);
            made.map_err(|error| WriteError::of(&path, error))?;
        }
        Ok(())
    }

    /// The folder, by its real path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn it_goes_with_all_that_was_put_in() {
        let scratch = Scratch::new("demo", &[("a/b.sh", b"x", true), ("c", b"y", false)]).unwrap();
        let path = scratch.path().to_owned();
        let mode =
            |file: &str| std::fs::metadata(path.join(file)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a/b.sh"), mode("c")), (0o700, 0o600));
        std::fs::write(path.join("more"), "z").unwrap();
        drop(scratch);
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }
}
