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
    let above = Path::new(below).parent().unwrap_or(Path::new(""));
    let mut steps = folders(reader, &target.real, above)?;
    let mode = before.as_ref().map_or(0o644, |content| content.mode);
    let title = format!("{} `{}`", if before.is_some() { "write" } else { "create" }, shown(below));
    let after = Some(Content::new(bytes, mode));
    if after != before {
        steps.push(Step::Write { at, before, after });
    }
    Ok(Plan { title, steps })
}

/// The steps that make the folders on a path which are not there yet.
fn folders(reader: &Reader, dir: &Path, below: &Path) -> Result<Vec<Step>, EditError> {
    let mut steps = Vec::new();
    let mut parts: Vec<_> = below.ancestors().filter(|p| *p != Path::new("")).collect();
    parts.reverse();
    for part in parts {
        let folder = dir.join(part);
        match reader.kind(&folder)? {
            None => steps.push(Step::MakeFolder(folder)),
            Some(Kind::Folder) => {}
            Some(_) => {
                let path = shown_name(folder.as_os_str()).into_string();
                return Err(EditError::Exists { path });
            }
        }
    }
    Ok(steps)
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
    keeps_skill(target, &from)?;
    if reader.kind(&to)?.is_some() {
        return Err(EditError::Exists { path: shown_name(to.as_os_str()).into_string() });
    }
    Ok(Plan { title, steps: vec![Step::Move { from, to }] })
}

/// A new empty file of a skill, or a folder when the path ends with `/`. Missing
/// folders are made.
///
/// # Errors
/// When the path is refused or taken, or a folder of it is a file.
pub fn new_file(reader: &Reader, target: &Target, below: &str) -> Result<Plan, EditError> {
    let folder = below.strip_suffix('/');
    let at = path(target, folder.unwrap_or(below))?;
    if reader.kind(&at)?.is_some() {
        return Err(EditError::Exists { path: shown_name(at.as_os_str()).into_string() });
    }
    let Some(folder) = folder else { return write(reader, target, below, None, Vec::new()) };
    let title = format!("create folder `{}`", shown(folder));
    Ok(Plan { title, steps: folders(reader, &target.real, Path::new(folder))? })
}

/// Another content of a file whose path is relative to the boundary. Folders on
/// the way that are gone are made again.
///
/// # Errors
/// When a folder of it is something else.
pub fn save(
    reader: &Reader,
    at: &Path,
    before: Option<Content>,
    bytes: Vec<u8>,
) -> Result<Plan, EditError> {
    let above = at.parent().unwrap_or(Path::new(""));
    let mut steps = folders(reader, Path::new(""), above)?;
    let mode = before.as_ref().map_or(0o644, |content| content.mode);
    let title = format!("save `{}`", shown_name(at.as_os_str()));
    let after = Some(Content::new(bytes, mode));
    if after != before {
        steps.push(Step::Write { at: at.to_owned(), before, after });
    }
    Ok(Plan { title, steps })
}

/// The path of what is there, to delete it; what makes the skill one stays.
///
/// # Errors
/// When the path is refused or nothing is there.
pub fn existing(reader: &Reader, target: &Target, below: &str) -> Result<PathBuf, EditError> {
    let at = path(target, below)?;
    keeps_skill(target, &at)?;
    match reader.kind(&at)? {
        Some(_) => Ok(at),
        None => Err(EditError::Gone { path: shown_name(at.as_os_str()).into_string() }),
    }
}

fn keeps_skill(target: &Target, at: &Path) -> Result<(), EditError> {
    if *at == target.real.join("SKILL.md") {
        return Err(EditError::Refused(
            "without its SKILL.md it would be no skill; delete the skill in the list".to_owned(),
        ));
    }
    Ok(())
}
