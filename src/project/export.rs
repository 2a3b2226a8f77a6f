//! Skills to be put into an archive.

use std::path::Path;

use super::deck::Skill;
use super::locate::Project;
use crate::edit::archive::Packed;
use crate::edit::{EditError, Reader, Step, ops};

/// The files of some skills, each below the name of its folder, and what is left out: links
/// and special files, safe to show.
///
/// # Errors
/// When something cannot be read.
pub fn files(
    project: &Project,
    reader: &Reader,
    skills: &[&Skill],
) -> Result<(Vec<Packed>, Vec<String>), EditError> {
    let (mut files, mut left) = (Vec::new(), Vec::new());
    for skill in skills {
        let target = project.target(reader.site(), skill);
        let name = Path::new(skill.folder()).file_name().unwrap_or_default();
        let (steps, others) = ops::tree_of(reader, &target.real, Path::new(name))?;
        for step in steps {
            if let Step::Write { at, after: Some(content), .. } = step {
                files.push(Packed {
                    path: at.to_string_lossy().into_owned(),
                    can_run: content.mode & 0o100 != 0,
                    bytes: content.as_bytes().to_vec(),
                });
            }
        }
        left.extend(others.iter().map(|other| format!("{}/{other}", skill.folder())));
    }
    Ok((files, left))
}
