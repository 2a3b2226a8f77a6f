//! Text that is not saved yet, kept outside of the project, so that it is still
//! there when the program or the machine goes.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::atomic::{WriteError, replace};
use super::disk::{Disk, Folder, Lock};
use super::step::Content;

/// More bytes are not read as a draft.
const MAX_BYTES: u64 = 4 << 20;

const DRAFT: &str = "draft.json";
const LOCK: &str = "lock";

/// Text that is not saved yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The boundary of the project.
    pub boundary: PathBuf,
    /// The folder of the skill.
    pub folder: String,
    /// The path of the file below it; `None` is its `SKILL.md`.
    pub below: Option<String>,
    /// The file, relative to the boundary.
    pub at: PathBuf,
    /// What it held when it was opened; `None` when it was not there.
    pub base: Option<Content>,
    /// The text.
    pub text: String,
}

/// The drafts of one session, in a folder of its own that it holds locked.
#[derive(Debug)]
pub struct Drafts {
    disk: Disk,
    dir: PathBuf,
    name: OsString,
    all: Folder,
    own: Folder,
    _lock: Lock,
}

/// A draft whose session is gone. Nobody else is offered it while this lives.
#[derive(Debug)]
pub struct Orphan {
    /// What it is.
    pub draft: Draft,
    disk: Disk,
    all: PathBuf,
    name: OsString,
    _lock: Lock,
}

impl Drafts {
    /// Makes a folder in `dir` for this session, and the folders above it.
    ///
    /// # Errors
    /// When it cannot be made or locked.
    pub fn open(dir: &Path) -> Result<Self, WriteError> {
        let opened = || -> io::Result<Self> {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let name = OsString::from(format!("{}-{}", process::id(), now.as_nanos()));
            DirBuilder::new().recursive(true).mode(0o700).create(dir.join(&name))?;
            let disk = Disk::default();
            let all = disk.open(&dir.canonicalize()?)?;
            let own = disk.below(&all, Path::new(&name))?;
            let lock = disk.lock(&own, OsStr::new(LOCK))?.ok_or(io::ErrorKind::WouldBlock)?;
            Ok(Self { disk, dir: dir.to_owned(), name, all, own, _lock: lock })
        };
        opened().map_err(|error| WriteError::of(dir, error))
    }

    /// Keeps a draft in place of the one before; only the owner may read it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, draft: &Draft) -> Result<(), WriteError> {
        let path = self.dir.join(&self.name).join(DRAFT);
        let bytes = serde_json::to_vec(draft).map_err(io::Error::from);
        let bytes = bytes.map_err(|error| WriteError::of(&path, error))?;
        replace(&path, &bytes)
    }

    /// There is none any more.
    pub fn clear(&self) {
        // One that stays is offered once more, which loses nothing.
        let _ = self.disk.remove_file(&self.own, OsStr::new(DRAFT));
    }

    /// The drafts of sessions that are gone, of one project. What cannot be read
    /// is passed over and left where it is; empty folders of sessions that are
    /// gone are removed.
    pub fn orphans(&self, boundary: &Path) -> Vec<Orphan> {
        let names = self.disk.names(&self.all).unwrap_or_default();
        let mut names: Vec<_> = names.into_iter().filter(|name| *name != self.name).collect();
        names.sort();
        names.into_iter().filter_map(|name| self.orphan(name, boundary)).collect()
    }

    fn orphan(&self, name: OsString, boundary: &Path) -> Option<Orphan> {
        let disk = Disk::default();
        let folder = disk.below(&self.all, Path::new(&name)).ok()?;
        let lock = disk.lock(&folder, OsStr::new(LOCK)).ok()??;
        if disk.stat(&folder, OsStr::new(DRAFT)).ok()?.is_none() {
            remove(&disk, &self.dir, &name);
            return None;
        }
        let bytes = disk.read(&folder, OsStr::new(DRAFT), MAX_BYTES).ok()?;
        let draft: Draft = serde_json::from_slice(&bytes).ok()?;
        (draft.boundary == boundary).then(|| Orphan {
            draft,
            disk,
            all: self.dir.clone(),
            name,
            _lock: lock,
        })
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        let has_draft = self.disk.stat(&self.own, OsStr::new(DRAFT));
        if has_draft.is_ok_and(|draft| draft.is_none()) {
            remove(&self.disk, &self.dir, &self.name);
        }
    }
}

impl Orphan {
    /// Removes it for good: it was taken up, or is not wanted.
    pub fn discard(self) {
        remove(&self.disk, &self.all, &self.name);
    }
}

/// Removes the folder of a session. What stays does no harm.
fn remove(disk: &Disk, dir: &Path, name: &OsStr) {
    let removed = || -> io::Result<()> {
        let all = disk.open(&dir.canonicalize()?)?;
        let own = disk.below(&all, Path::new(name))?;
        for file in [DRAFT, LOCK] {
            if disk.stat(&own, OsStr::new(file))?.is_some() {
                disk.remove_file(&own, OsStr::new(file))?;
            }
        }
        disk.remove_folder(&all, name)
    };
    let _ = removed();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn draft(text: &str) -> Draft {
        Draft {
            boundary: "/p".into(),
            folder: "a".into(),
            below: None,
            at: "skills/a/SKILL.md".into(),
            base: Some(Content::new(b"old\xff".to_vec(), 0o644)),
            text: text.into(),
        }
    }

    #[test]
    fn a_draft_outlives_its_session_and_is_offered_once() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("recovery");
        let first = Drafts::open(&dir).unwrap();
        first.save(&draft("one")).unwrap();
        first.save(&draft("two\u{1b}")).unwrap();
        let file = dir.join(&first.name).join(DRAFT);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let second = Drafts::open(&dir).unwrap();
        assert!(second.orphans(Path::new("/p")).is_empty(), "the first session lives");
        drop(first);
        assert!(second.orphans(Path::new("/other")).is_empty());
        let orphans = second.orphans(Path::new("/p"));
        assert_eq!(orphans.len(), 1);
        assert_eq!(orphans[0].draft, draft("two\u{1b}"));
        assert!(second.orphans(Path::new("/p")).is_empty(), "it is being offered");
        drop(orphans);
        for orphan in second.orphans(Path::new("/p")) {
            orphan.discard();
        }
        assert!(second.orphans(Path::new("/p")).is_empty());
        drop(second);
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn what_is_saved_or_broken_is_not_offered() {
        let tmp = tempfile::tempdir().unwrap();
        let first = Drafts::open(tmp.path()).unwrap();
        first.save(&draft("one")).unwrap();
        first.clear();
        drop(first);
        let broken = tmp.path().join("1-1");
        fs::create_dir(&broken).unwrap();
        fs::write(broken.join(DRAFT), "{").unwrap();
        let second = Drafts::open(tmp.path()).unwrap();
        assert!(second.orphans(Path::new("/p")).is_empty());
        assert!(broken.join(DRAFT).exists());
    }
}
