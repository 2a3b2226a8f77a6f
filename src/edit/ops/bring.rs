//! A skill that lies outside of the project is brought in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::check_name;
use super::copy::{Tree, tree};
use crate::edit::{EditError, Reader, Step};
use crate::skill::text::shown_name;

/// What bringing a skill in would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// The steps, as if there were none of its name; the root is to be there.
    pub steps: Vec<Step>,
    /// What stays where it is. Safe to show.
    pub left: Vec<String>,
    /// How many files are brought.
    pub files: usize,
    /// What is there of its name.
    pub stands: Stands,
}

/// What is there of the name of a skill that is brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// Nothing.
    Free,
    /// The same files with the same bytes.
    Same,
    /// Something else.
    Differs,
}

/// Brings in the skill in `from`, a folder and who reads it, as `name`; with `listed`, only
/// those of its files. Links and special files stay.
///
/// # Errors
/// When the name is refused, another is called so but for the case of letters, or
/// something cannot be read.
pub fn bring(
    reader: &Reader,
    from: (&Reader, &Path),
    name: &str,
    listed: Option<&BTreeSet<PathBuf>>,
) -> Result<Brought, EditError> {
    check_name(name)?;
    let root = reader.site().root.clone();
    let names = match reader.names(&root) {
        Err(EditError::Gone { .. }) => Vec::new(),
        other => other?,
    };
    let alike = |other: &&std::ffi::OsString| other.to_string_lossy().to_lowercase() == name;
    let there = names.iter().find(alike);
    if let Some(other) = there.filter(|other| other.as_os_str() != name) {
        let path = shown_name(root.join(other).as_os_str()).into_string();
        return Err(EditError::Exists { path });
    }
    let to = root.join(name);
    let mut found = Tree { steps: vec![Step::MakeFolder(to.clone())], left: Vec::new() };
    tree(from.0, from.1, Path::new(""), &to, &mut found)?;
    let Tree { mut steps, mut left } = found;
    if let Some(listed) = listed {
        steps.retain(|step| {
            let Step::Write { at, .. } = step else { return true };
            let below = at.strip_prefix(&to).unwrap_or(at);
            let is_listed = listed.contains(below);
            if !is_listed {
                left.push(shown_name(below.as_os_str()).into_string());
            }
            is_listed
        });
        drop_empty_folders(&mut steps, &to);
    }
    let brought = files(&steps);
    let stands = if there.is_some() {
        let mut own = Tree { steps: Vec::new(), left: Vec::new() };
        tree(reader, &to, Path::new(""), &to, &mut own)?;
        let is_same = own.left.is_empty() && files(&own.steps) == brought;
        if is_same { Stands::Same } else { Stands::Differs }
    } else {
        Stands::Free
    };
    let count = brought.len();
    Ok(Brought { steps, left, files: count, stands })
}

/// The files that steps write.
fn files(steps: &[Step]) -> BTreeMap<&Path, &[u8]> {
    let written = steps.iter().filter_map(|step| match step {
        Step::Write { at, after: Some(after), .. } => Some((at.as_path(), after.as_bytes())),
        _ => None,
    });
    written.collect()
}

/// Leaves out folders in which nothing is written.
fn drop_empty_folders(steps: &mut Vec<Step>, skill: &Path) {
    let written: Vec<PathBuf> = files(steps).keys().map(|at| at.to_path_buf()).collect();
    steps.retain(|step| match step {
        Step::MakeFolder(at) => at == skill || written.iter().any(|file| file.starts_with(at)),
        _ => true,
    });
}
