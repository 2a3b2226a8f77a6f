//! The other files of a skill.

use std::path::{Component, Path, PathBuf};

use super::Target;
use crate::edit::disk::Kind;
use crate::edit::{Content, EditError, Plan, Reader, Step};
use crate::skill::text::{shown, shown_name};

/// Bytes of a file name that every file system takes.
const MAX_NAME: usize = 255;

/// The path of a file below a skill's real folder.
///
/// # Errors
/// When it leads out of the folder, or no file can be called so.
pub fn path(target: &Target, below: &str) -> Result<PathBuf, EditError> {
    let refused =
        |why: &str| Err(EditError::Name { name: shown(below).into_string(), why: why.to_owned() });
    if below.is_empty() || below.ends_with('/') {
        return refused("it names no file");
    }
    if below.contains(['\0', '\\', '\n', '\r']) {
        return refused("it holds a character that no name of a file should");
    }
    let path = Path::new(below);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_inside {
        return refused("it leads out of the skill's folder; name a path within it");
    }
    if path.components().any(|part| part.as_os_str().len() > MAX_NAME) {
        return refused("a part of it is longer than 255 bytes");
    }
    Ok(target.real.join(path))
}

/// Writes a file; `before` is what it held when it was looked at, `None` when
/// there was none. Missing folders are made.
///
/// # Errors
/// When the path is refused, or a folder of it is a file.
pub fn write(
    reader: &Reader,
    target: &Target,
    below: &str,
    before: Option<Content>,
    bytes: Vec<u8>,
) -> Result<Plan, EditError> {
    let at = path(target, below)?;
    let mut steps = Vec::new();
    let parents = Path::new(below).ancestors().skip(1);
    let mut parents: Vec<_> = parents.filter(|p| *p != Path::new("")).collect();
    parents.reverse();
    for parent in parents {
        let folder = target.real.join(parent);
        match reader.kind(&folder)? {
            None => steps.push(Step::MakeFolder(folder)),
            Some(Kind::Folder) => {}
            Some(_) => {
                let path = shown_name(folder.as_os_str()).into_string();
                return Err(EditError::Exists { path });
            }
        }
    }
    let mode = before.as_ref().map_or(0o644, |content| content.mode);
    let title = format!("{} `{}`", if before.is_some() { "write" } else { "create" }, shown(below));
    let after = Some(Content::new(bytes, mode));
    if after != before {
        steps.push(Step::Write { at, before, after });
    }
    Ok(Plan { title, steps })
}

/// Gives a file or folder of a skill another name.
///
/// # Errors
/// When a path is refused, the old one is not there, or the new one is taken.
pub fn rename_file(
    reader: &Reader,
    target: &Target,
    old: &str,
    new: &str,
) -> Result<Plan, EditError> {
    let (from, to) = (path(target, old)?, path(target, new)?);
    let title = format!("rename `{}` to `{}`", shown(old), shown(new));
    if from == target.real.join("SKILL.md") {
        return Err(EditError::Refused("without its SKILL.md it would be no skill".to_owned()));
    }
    if reader.kind(&to)?.is_some() {
        return Err(EditError::Exists { path: shown_name(to.as_os_str()).into_string() });
    }
    Ok(Plan { title, steps: vec![Step::Move { from, to }] })
}

/// Deletes a file; its content stays in the record, so it can be taken back.
///
/// # Errors
/// When the path is refused or the file is not there.
pub fn delete_file(reader: &Reader, target: &Target, below: &str) -> Result<Plan, EditError> {
    let at = path(target, below)?;
    let Some(before) = reader.content(&at)? else {
        return Err(EditError::Gone { path: shown_name(at.as_os_str()).into_string() });
    };
    let title = format!("delete `{}`", shown(below));
    Ok(Plan { title, steps: vec![Step::Write { at, before: Some(before), after: None }] })
}
