//! Where the skills of a project may be changed.

use std::path::{Path, PathBuf};

use super::deck::Skill;
use super::locate::{LocateError, Project, Root};
use crate::edit::Site;
use crate::edit::ops::Target;

impl Project {
    /// Where things of this project may be changed: by real paths.
    ///
    /// # Errors
    /// When the root must not or cannot be read.
    pub fn site(&self) -> Result<Site, LocateError> {
        let real = match self.find_root()? {
            Root::Present(real) => real,
            // One that is not there yet is made where it is looked for.
            Root::Absent => real_as_far(self.root()),
        };
        let boundary = self.boundary().to_owned();
        Ok(Site { root: below(&boundary, &real), boundary })
    }

    /// The paths of a skill for changing it.
    pub fn target(&self, site: &Site, skill: &Skill) -> Target {
        let entry = &skill.entry;
        let folder = match skill.folder() {
            "." => site.root.clone(),
            folder => match entry.dir.strip_prefix(self.root()) {
                Ok(below) => site.root.join(below),
                Err(_) => site.root.join(folder),
            },
        };
        let real =
            entry.link.as_deref().map_or_else(|| folder.clone(), |l| below(&site.boundary, l));
        let file = match &entry.file {
            Ok(file) => Some(match &file.real {
                Some(real) => below(&site.boundary, real),
                None => real.join("SKILL.md"),
            }),
            Err(_) => None,
        };
        Target { folder, real, file }
    }
}

fn below(boundary: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(boundary).unwrap_or(path).to_owned()
}

/// The real path of what is there of it, and the rest as it is written.
fn real_as_far(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match there {
        Some((above, real)) => real.join(path.strip_prefix(above).unwrap_or(Path::new(""))),
        None => path.to_owned(),
    }
}
