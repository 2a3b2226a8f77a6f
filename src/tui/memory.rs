//! What is remembered of a project from one start of the screen to the next.
//!
//! It lies in the state folder, one file a project, and holds nothing of the
//! skills but the names of folders; the arguments are what the user typed, so
//! only the user may read it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::{Sort, State, Tab};
use crate::edit::{WriteError, atomic};
use crate::project::Project;

/// What is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The skills root it belongs to.
    root: String,
    /// The chosen row, as [`State::selected_key`] tells it.
    selected: Option<String>,
    /// The tab in front.
    tab: Option<Tab>,
    /// The order of the list.
    sort: Sort,
    /// Sample arguments by folder name.
    arguments: BTreeMap<String, String>,
}

/// More bytes are not read; more arguments are not kept.
const MAX_BYTES: u64 = 1 << 20;
const MAX_ARGUMENTS: usize = 500;
const MAX_ARGUMENT: usize = 1_000;

/// Where a project's memory is, below the state folder.
pub fn place(state_dir: &Path, project: &Project) -> PathBuf {
    let root = project.root();
    let name = project.dir().file_name().map(|n| n.to_string_lossy().into_owned());
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.unwrap_or_default().chars().take(40).map(safe).collect();
    let hash = fnv(root.as_os_str().as_bytes());
    state_dir.join("projects").join(format!("{name}-{hash:016x}.json"))
}

/// FNV-1a: the same for a path on every machine and with every version, which
/// the hash of `std` does not promise. Two roots of one hash are told apart by
/// [`Memory::root`].
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Memory {
    /// Reads what is remembered of a project; nothing when there is no file, or
    /// it is of another project.
    ///
    /// # Errors
    /// When there is something that cannot be read.
    pub fn load(path: &Path, project: &Project) -> io::Result<Self> {
        let meta = match fs::metadata(path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        if !meta.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        let mut text = String::new();
        fs::File::open(path)?.take(MAX_BYTES).read_to_string(&mut text)?;
        let memory: Self = serde_json::from_str(&text)?;
        Ok(if memory.root == root(project) { memory } else { Self::default() })
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn save(&self, path: &Path) -> Result<(), WriteError> {
        let text = serde_json::to_string(self).unwrap_or_default();
        atomic::replace(path, text.as_bytes())
    }

    /// What is worth remembering of a state.
    pub fn of(state: &State, project: &Project) -> Self {
        let short = |(_, text): &(&String, &String)| text.len() <= MAX_ARGUMENT;
        let arguments = state.arguments.iter().filter(short).take(MAX_ARGUMENTS);
        Self {
            root: root(project),
            selected: state.selected_key().or_else(|| state.remembered.clone()),
            tab: Some(state.tab),
            sort: state.sort,
            arguments: arguments.map(|(k, v)| (k.clone(), v.clone())).collect(),
        }
    }

    /// Puts a state back to what is remembered.
    pub fn restore(&self, state: &mut State) {
        state.remembered.clone_from(&self.selected);
        state.tab = self.tab.unwrap_or(state.tab);
        state.sort = self.sort;
        state.arguments.extend(self.arguments.iter().map(|(k, v)| (k.clone(), v.clone())));
    }
}

fn root(project: &Project) -> String {
    crate::skill::text::name_text(project.root().as_os_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(dir: &Path) -> Project {
        fs::create_dir_all(dir.join(".kaged/skills")).unwrap();
        Project::find(dir, None, None, None).unwrap()
    }

    #[test]
    fn what_is_remembered_comes_back_to_its_project_only() {
        let tmp = tempfile::tempdir().unwrap();
        let (a, b) = (project(&tmp.path().join("a")), project(&tmp.path().join("b")));
        let path = place(tmp.path(), &a);
        assert_ne!(path, place(tmp.path(), &b));
        assert_eq!(Memory::load(&path, &a).unwrap(), Memory::default());
        let memory = Memory {
            root: root(&a),
            selected: Some("zeta".into()),
            tab: Some(Tab::Catalog),
            sort: Sort::Cost,
            arguments: BTreeMap::from([("zeta".into(), "x \u{1b}".into())]),
        };
        memory.save(&path).unwrap();
        assert_eq!(Memory::load(&path, &a).unwrap(), memory);
        assert_eq!(Memory::load(&path, &b).unwrap(), Memory::default());
        for junk in ["", "{", "{\"sort\":\"odd\"}"] {
            fs::write(&path, junk).unwrap();
            assert!(Memory::load(&path, &a).is_err(), "{junk:?}");
        }
    }
}
