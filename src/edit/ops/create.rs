//! A new skill.

use std::path::{Path, PathBuf};

use super::check_new;
use crate::edit::patch::{FieldValue, set};
use crate::edit::{Content, EditError, Plan, Reader, Step};

/// A file of a template: its path below the skill's folder, its bytes, and its
/// permission bits.
pub type TemplateFile = (PathBuf, Vec<u8>, u32);

/// Makes a skill from the files of a template, one of which is `SKILL.md`; its
/// name and description are set.
///
/// # Errors
/// When the name is refused or taken, or the template's `SKILL.md` cannot be
/// given a name and a description.
pub fn create(
    reader: &Reader,
    name: &str,
    description: &str,
    files: &[TemplateFile],
) -> Result<Plan, EditError> {
    check_new(reader, name, None)?;
    if description.trim().is_empty() {
        return Err(EditError::Refused(
            "a skill needs a description: without it no agent can know when to use it".to_owned(),
        ));
    }
    let root = reader.site().root.clone();
    let folder = root.join(name);
    let mut steps = Vec::new();
    if reader.kind(&root)?.is_none() {
        steps.push(Step::MakeFolder(root));
    }
    steps.push(Step::MakeFolder(folder.clone()));
    let mut made: Vec<PathBuf> = Vec::new();
    for (below, bytes, mode) in files {
        for above in ancestors(below) {
            if !made.contains(&above) {
                steps.push(Step::MakeFolder(folder.join(&above)));
                made.push(above);
            }
        }
        let bytes = if below == Path::new("SKILL.md") {
            let named = with(bytes, "name", name)?;
            with(&named, "description", description)?
        } else {
            bytes.clone()
        };
        let after = Some(Content::new(bytes, *mode));
        steps.push(Step::Write { at: folder.join(below), before: None, after });
    }
    Ok(Plan { title: format!("create `{name}`"), steps })
}

fn with(bytes: &[u8], field: &str, value: &str) -> Result<Vec<u8>, EditError> {
    set(bytes, field, &FieldValue::Text(value.to_owned()))
        .map(|patch| patch.apply(bytes))
        .map_err(|error| EditError::Refused(format!("the template: {error}")))
}

/// The folders above a path, the outermost first.
fn ancestors(path: &Path) -> Vec<PathBuf> {
    let mut above: Vec<_> =
        path.ancestors().skip(1).filter(|p| *p != Path::new("")).map(Path::to_owned).collect();
    above.reverse();
    above
}
