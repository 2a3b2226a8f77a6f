//! Skills are written into an archive in the project.

use super::CurateError;
use crate::edit::{Proposal, Reader};
use crate::project::{Deck, Project};

/// The archive as one new file.
///
/// # Errors
/// When there is no such skill, something cannot be read, or the name of the file tells
/// no form.
#[cfg(feature = "cli")]
pub fn take(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    folders: &[String],
    file: &str,
) -> Result<Proposal, CurateError> {
    use std::path::{Component, Path};

    use crate::edit::archive::packed;
    use crate::edit::{Content, EditError, Plan, Step};
    use crate::project::export;
    use crate::skill::text::{counted, shown};

    let below = Path::new(file.trim());
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_below || file.trim().is_empty() {
        let why = "name a file in the project; `skilldeck export` writes elsewhere".to_owned();
        return Err(EditError::Refused(why).into());
    }
    let mut skills = Vec::new();
    for folder in folders {
        skills.push(deck.in_folder(folder)?);
    }
    let (mut files, left) = export::files(project, reader, &skills)?;
    let bytes = packed(below, &mut files)?;
    let dir = project.dir().strip_prefix(project.boundary()).unwrap_or(Path::new(""));
    let at = dir.join(below);
    if reader.kind(&at)?.is_some() {
        return Err(EditError::Exists { path: shown(file.trim()).into_string() }.into());
    }
    let title = format!(
        "export {} with {} to {}",
        counted(skills.len(), "skill", "skills"),
        counted(files.len(), "file", "files"),
        shown(file.trim())
    );
    let after = Some(Content::new(bytes, 0o644));
    let mut proposal =
        Proposal::whole(Plan { title, steps: vec![Step::Write { at, before: None, after }] });
    if !left.is_empty() {
        proposal.notes.push(format!("left out: {}", left.join(", ")));
    }
    Ok(proposal)
}

/// This build makes no archives.
///
/// # Errors
/// Always.
#[cfg(not(feature = "cli"))]
pub fn take(
    _: &Project,
    _: &Deck,
    _: &Reader,
    _: &[String],
    _: &str,
) -> Result<Proposal, CurateError> {
    Err(crate::edit::EditError::Refused("this build makes no archives".to_owned()).into())
}
