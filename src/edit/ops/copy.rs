//! A copy of a skill under another name.

use std::path::{Path, PathBuf};

use super::rename::name_step;
use super::{Target, check_new};
use crate::edit::disk::Kind;
use crate::edit::{EditError, Plan, Reader, Step};
use crate::skill::text::shown_name;

/// More files than this are copied by other means.
const MAX_FILES: usize = 10_000;

/// Copies a skill with its files; `name` becomes the new one when there is one.
/// With the plan come the links and special files that are not copied, safe to
/// show.
///
/// # Errors
/// When the name is refused or taken, or something cannot be read.
pub fn copy(reader: &Reader, target: &Target, new: &str) -> Result<(Plan, Vec<String>), EditError> {
    check_new(reader, new, None)?;
    let to = reader.site().root.join(new);
    let mut found = Tree { steps: vec![Step::MakeFolder(to.clone())], left: Vec::new() };
    tree(reader, &target.real, Path::new(""), &to, &mut found)?;
    let Tree { mut steps, left } = found;
    if let Some(file) = &target.file
        && let Some(Step::Write { after: Some(named), .. }) = name_step(reader, file, new)?
    {
        let at = to.join("SKILL.md");
        let written = steps.iter_mut().find_map(|step| match step {
            Step::Write { at: path, after, .. } if *path == at => Some(after),
            _ => None,
        });
        if let Some(after) = written {
            *after = Some(named);
        }
    }
    let old = target.folder.file_name().map(|name| shown_name(name).into_string());
    Ok((Plan { title: format!("copy `{}` to `{new}`", old.unwrap_or_default()), steps }, left))
}

/// The steps that write all files of a folder below `to`, and the links and special files
/// that they leave out, safe to show.
///
/// # Errors
/// When something cannot be read.
pub fn tree_of(
    reader: &Reader,
    dir: &Path,
    to: &Path,
) -> Result<(Vec<Step>, Vec<String>), EditError> {
    let mut found = Tree { steps: Vec::new(), left: Vec::new() };
    tree(reader, dir, Path::new(""), to, &mut found)?;
    Ok((found.steps, found.left))
}

/// What a copy of a folder consists of.
pub(super) struct Tree {
    /// What is made and written.
    pub(super) steps: Vec<Step>,
    /// Links, special files and names that are not UTF-8, which are not copied. Safe to show.
    pub(super) left: Vec<String>,
}

/// Copies what lies in `dir`, from `below` on, to `to`.
pub(super) fn tree(
    reader: &Reader,
    dir: &Path,
    below: &Path,
    to: &Path,
    found: &mut Tree,
) -> Result<(), EditError> {
    for name in reader.names(&dir.join(below))? {
        let below: PathBuf = below.join(&name);
        let from = dir.join(&below);
        // A record of the change could not name it.
        if name.to_str().is_none() {
            found.left.push(shown_name(below.as_os_str()).into_string());
            continue;
        }
        match reader.kind(&from)? {
            Some(Kind::Folder) => {
                found.steps.push(Step::MakeFolder(to.join(&below)));
                tree(reader, dir, &below, to, found)?;
            }
            Some(Kind::File) => {
                let Some(content) = reader.content(&from)? else { continue };
                let at = to.join(&below);
                found.steps.push(Step::Write { at, before: None, after: Some(content) });
            }
            Some(Kind::Link | Kind::Other) => {
                found.left.push(shown_name(below.as_os_str()).into_string());
            }
            None => {}
        }
        if found.steps.len() > MAX_FILES {
            return Err(EditError::Refused(format!(
                "the skill has more than {MAX_FILES} files; copy its folder by other means"
            )));
        }
    }
    Ok(())
}
