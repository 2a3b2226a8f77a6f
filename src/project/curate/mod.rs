//! What an operator does with the skills of a project, each as a proposal that
//! can be looked at first. Only looks; `edit` writes.

mod allow;
mod bring;
mod fix;
mod references;
mod remove;
mod take;

pub use fix::{fix, fix_text, loose_file};
pub use references::references;

use super::deck::NoSuchSkill;
use super::{Deck, LocateError, Project};
use crate::config::templates::{self, TemplateError};
use crate::edit::disk::Disk;
use crate::edit::ops::{self, Target};
use crate::edit::patch::FieldValue;
use crate::edit::{Deed, EditError, Part, Proposal, Reader};
use crate::skill::text::shown;

/// Something to be done with skills, which are told by their folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// A new skill from the files of a template.
    Create {
        /// Its name.
        name: String,
        /// Its description.
        description: String,
        /// The name of the template.
        template: String,
    },
    /// Another name.
    Rename {
        /// The folder.
        folder: String,
        /// The name.
        new: String,
    },
    /// A copy under another name.
    Copy {
        /// The folder.
        folder: String,
        /// The name of the copy.
        new: String,
    },
    /// To the trash.
    Delete(Vec<String>),
    /// The safe fixes.
    Fix(Vec<String>),
    /// A loose Markdown file becomes a skill of its own; its path below the root.
    FixLoose(String),
    /// Whether an agent may use a skill turns round.
    Toggle {
        /// The agent's address.
        agent: String,
        /// The folder of the skill.
        folder: String,
    },
    /// Another description.
    Describe {
        /// The folder.
        folder: String,
        /// The description.
        text: String,
    },
    /// An empty file of a skill, or a folder when the path ends with `/`.
    NewFile {
        /// The folder of the skill.
        folder: String,
        /// The path below it.
        below: String,
    },
    /// Skills are brought in from a folder or an archive; a path that is not absolute
    /// is relative to the project, `~/` is the home directory.
    Import(String),
    /// The skills of some folders are written into an archive in the project.
    Export {
        /// The folders.
        folders: Vec<String>,
        /// The archive, relative to the project.
        file: String,
    },
    /// Another name for a file or folder of a skill.
    RenameFile {
        /// The folder of the skill.
        folder: String,
        /// The path below it.
        old: String,
        /// The new path below it.
        new: String,
    },
    /// A file or folder of a skill goes to the trash.
    DeleteFile {
        /// The folder of the skill.
        folder: String,
        /// The path below it.
        below: String,
    },
}

/// Something cannot be proposed.
#[derive(Debug, thiserror::Error)]
pub enum CurateError {
    /// The root cannot be found.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// It cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// There is no such template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// There is no such skill.
    #[error(transparent)]
    NoSuchSkill(#[from] NoSuchSkill),
    /// An archive cannot be read or made.
    #[cfg(feature = "cli")]
    #[error(transparent)]
    Archive(#[from] crate::edit::archive::ArchiveError),
}

/// What an operation would do.
///
/// # Errors
/// When a name is refused, something is not there, or it cannot be read.
pub fn propose(
    project: &Project,
    deck: &Deck,
    operation: Operation,
) -> Result<Proposal, CurateError> {
    let reader = Reader::open(Disk::default(), project.site()?)?;
    let target = |folder: &str| -> Result<Target, CurateError> {
        Ok(project.target(reader.site(), deck.in_folder(folder)?))
    };
    Ok(match operation {
        Operation::Create { name, description, template } => {
            let files = templates::find(&template)?;
            Proposal::whole(ops::create(&reader, &name, &description, &files)?)
        }
        Operation::Rename { folder, new } => {
            let target = target(&folder)?;
            let found = references(project, deck, &reader, &target, &new);
            ops::rename(&reader, &target, &new, found)?
        }
        Operation::Copy { folder, new } => {
            let (plan, left) = ops::copy(&reader, &target(&folder)?, &new)?;
            let mut proposal = Proposal::whole(plan);
            if !left.is_empty() {
                let left = left.join(", ");
                proposal.notes.push(format!(
                    "links, special files and names that are not UTF-8 are not copied: {left}"
                ));
            }
            proposal
        }
        Operation::Delete(folders) => remove::remove(project, deck, &reader, &folders)?,
        Operation::Fix(folders) => fix_all(project, deck, &reader, &folders)?,
        Operation::FixLoose(path) => {
            let plan = loose_file(&reader, &path);
            if plan.steps.is_empty() {
                let why = "no skill can be called so, or there is one already";
                return Err(EditError::Refused(format!("`{}`: {why}", shown(&path))).into());
            }
            Proposal::whole(plan)
        }
        Operation::Toggle { agent, folder } => {
            allow::toggle(project, deck, &reader, &agent, &folder)?
        }
        Operation::Describe { folder, text } => {
            let value = FieldValue::Text(text);
            Proposal::whole(ops::set(&reader, &target(&folder)?, "description", &value)?)
        }
        Operation::Import(from) => bring::bring(project, deck, &from)?,
        Operation::Export { folders, file } => take::take(project, deck, &reader, &folders, &file)?,
        Operation::NewFile { folder, below } => {
            let target = target(&folder)?;
            Proposal::whole(ops::new_file(&reader, &target, &below)?)
        }
        Operation::RenameFile { folder, old, new } => {
            Proposal::whole(ops::rename_file(&reader, &target(&folder)?, &old, &new)?)
        }
        Operation::DeleteFile { folder, below } => {
            let at = ops::existing(&reader, &target(&folder)?, &below)?;
            let title = format!("delete `{}` of `{}`", shown(&below), shown(&folder));
            let part = Part { about: title.clone(), deed: Deed::Delete(at) };
            Proposal { title, parts: vec![part], notes: Vec::new() }
        }
    })
}

fn fix_all(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    folders: &[String],
) -> Result<Proposal, CurateError> {
    let mut skills = Vec::new();
    for folder in folders {
        skills.push(deck.in_folder(folder)?);
    }
    let mut proposal = Proposal::default();
    for skill in skills {
        match fix(project, deck, reader, skill, false) {
            Ok(plan) if plan.steps.is_empty() => {}
            Ok(plan) => {
                proposal.parts.push(Part { about: plan.title, deed: Deed::Steps(plan.steps) });
            }
            // One that cannot be mended does not keep the others from it.
            Err(error) => {
                proposal.notes.push(format!("`{}` is left alone: {error}", shown(skill.folder())));
            }
        }
    }
    proposal.title = match proposal.parts.as_slice() {
        [part] => part.about.clone(),
        parts => format!("fix {} skills", parts.len()),
    };
    Ok(proposal)
}
