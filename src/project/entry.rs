//! One folder of the skills root, as found on disk.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::file::{Readable, Stamp, follow, trouble};
use super::manifest::{self, Manifest};
use super::resources::{Resources, Walk, walk};
use crate::profile::{FolderName, Reading};
use crate::skill::text::counted;
use crate::skill::{Code, Finding, Fix};

/// A folder with its `SKILL.md` and its resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name; below the root for clients that look deeper, then with `/`.
    pub folder: FolderName,
    /// Its path as found.
    pub dir: PathBuf,
    /// Its real path, if it is a link.
    pub link: Option<PathBuf>,
    /// Its `SKILL.md`, or why there is none to read.
    pub file: Result<Arc<SkillFile>, Finding>,
    /// Its other files.
    pub resources: Resources,
    /// Its `manifest.json`, if there is one.
    pub manifest: Option<Arc<Manifest>>,
}

impl Entry {
    /// Where its files lie: its real path, if it is a link.
    pub fn real_dir(&self) -> &Path {
        self.link.as_deref().unwrap_or(&self.dir)
    }

    /// Where its `SKILL.md` lies: its real path, if it or its folder is a link.
    pub fn file_path(&self) -> PathBuf {
        let real = self.file.as_ref().ok().and_then(|file| file.real.clone());
        real.unwrap_or_else(|| self.real_dir().join("SKILL.md"))
    }
}

/// A `SKILL.md` that was read.
#[derive(Debug)]
pub struct SkillFile {
    /// The file as it was when it was read.
    pub stamp: Stamp,
    /// When its real path differs from its place in the folder.
    pub real: Option<PathBuf>,
    /// Whether the stamp tells every later change.
    settled: bool,
    /// What it says.
    pub reading: Reading,
}

impl SkillFile {
    /// A file that is not on disk.
    pub fn imagined(reading: Reading) -> Arc<Self> {
        Arc::new(Self { stamp: Stamp::default(), real: None, settled: false, reading })
    }
}

/// Two readings are the same when they found the same file; when it was read
/// does not count.
impl PartialEq for SkillFile {
    fn eq(&self, other: &Self) -> bool {
        self.stamp == other.stamp && self.real == other.real && self.reading == other.reading
    }
}

impl Eq for SkillFile {}

/// Where and how a folder is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Links must stay in here.
    pub boundary: &'a Path,
    /// The same folder as last seen; its file is not read again if unchanged.
    pub before: Option<&'a Arc<Entry>>,
}

/// Looks at the folder or link `dir` of the skills root.
pub fn examine(dir: PathBuf, is_link: bool, place: Place<'_>) -> Arc<Entry> {
    let folder = FolderName::new(dir.file_name().unwrap_or(OsStr::new("")));
    let broken = |dir: PathBuf, folder, finding: Finding| {
        keep(
            place.before,
            Entry {
                folder,
                dir,
                link: None,
                file: Err(finding.file("")),
                resources: Resources::default(),
                manifest: None,
            },
        )
    };
    let link = if is_link {
        match follow(&dir, place.boundary) {
            Ok(real) => Some(real),
            Err(finding) => return broken(dir, folder, finding),
        }
    } else {
        None
    };
    let walked = walk(link.as_deref().unwrap_or(&dir));
    if let Some(error) = &walked.unreadable {
        let finding = trouble(&dir, error);
        return broken(dir, folder, finding);
    }
    let file = match absent(&walked) {
        None => read(&dir.join("SKILL.md"), place),
        Some(finding) => Err(finding),
    };
    let resources = walked.resources;
    let has_manifest = resources.files.iter().any(|name| name == manifest::NAME);
    let before = place.before.and_then(|entry| entry.manifest.as_ref());
    let manifest = has_manifest.then(|| Manifest::read(&dir, place.boundary, before));
    keep(place.before, Entry { folder, dir, link, file, resources, manifest })
}

/// A folder found by its `SKILL.md` at any depth, which has no resources to name.
pub fn examine_deep(
    dir: PathBuf,
    folder: FolderName,
    link: Option<PathBuf>,
    place: Place<'_>,
) -> Arc<Entry> {
    let file = read(&dir.join("SKILL.md"), place);
    keep(
        place.before,
        Entry { folder, dir, link, file, resources: Resources::default(), manifest: None },
    )
}

/// The finding for a folder in which no `SKILL.md` was found.
pub fn absent(walked: &Walk) -> Option<Finding> {
    if walked.has_skill_md {
        return None;
    }
    let Some(name) = &walked.wrong_case else { return Some(missing(walked.nested)) };
    let message = format!("the file is `{name}`, but must be `SKILL.md` exactly; rename it");
    let finding = Finding::new(Code::WrongCase, message);
    Some(finding.file(name.clone()).fix(Fix::RenameToSkillMd))
}

/// The finding for a folder without `SKILL.md`.
pub fn missing(nested: usize) -> Finding {
    let deeper = if nested == 0 {
        "write one, or move the folder elsewhere".to_owned()
    } else {
        format!(
            "{} deeper in it, which this client does not look for: move those folders up",
            if nested == 1 {
                "one lies".to_owned()
            } else {
                format!("{} lie", counted(nested, "", "").trim())
            }
        )
    };
    Finding::new(Code::MissingSkillMd, format!("the folder has no `SKILL.md`; {deeper}")).file("")
}

/// The same value as before where nothing changed, so that what changed can be told.
fn keep(before: Option<&Arc<Entry>>, entry: Entry) -> Arc<Entry> {
    let settled = |entry: &Entry| entry.file.as_ref().is_ok_and(|file| file.settled);
    match before {
        Some(before) if **before == entry && settled(before) == settled(&entry) => {
            Arc::clone(before)
        }
        _ => Arc::new(entry),
    }
}

fn read(path: &Path, place: Place<'_>) -> Result<Arc<SkillFile>, Finding> {
    let readable = Readable::find(path, place.boundary)?;
    if let Some(Ok(before)) = place.before.map(|entry| &entry.file)
        && before.stamp == readable.stamp()
        && before.settled
    {
        return Ok(Arc::clone(before));
    }
    let now = SystemTime::now();
    let (stamp, bytes) = readable.read()?;
    let real = (readable.path() != path).then(|| readable.path().to_owned());
    Ok(Arc::new(SkillFile {
        stamp,
        real,
        settled: stamp.is_settled(now),
        reading: Reading::of(&bytes),
    }))
}
