//! Skills go to the trash.

use super::CurateError;
use super::references::in_agents;
use crate::edit::{Deed, Part, Proposal, Reader};
use crate::project::{Deck, Project, Skill};
use crate::skill::text::{counted, shown};

/// Moves skills to the trash, as one change.
pub fn remove(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    folders: &[String],
) -> Result<Proposal, CurateError> {
    let mut proposal = Proposal::default();
    for folder in folders {
        let skill = deck.in_folder(folder)?;
        let target = project.target(reader.site(), skill);
        proposal.parts.push(Part { about: about(skill), deed: Deed::Delete(target.folder) });
        let named = in_agents(project, reader, folder, folder);
        for reference in named {
            let places = reference.places.join(", ");
            proposal.notes.push(format!("`{}` is still named in {places}", shown(folder)));
        }
    }
    proposal.title = match folders {
        [folder] => format!("delete `{}`", shown(folder)),
        folders => format!("delete {} skills", folders.len()),
    };
    Ok(proposal)
}

/// What goes: of a link the link, never what it leads to.
fn about(skill: &Skill) -> String {
    let folder = shown(skill.folder());
    if skill.entry.link.is_some() {
        return format!("`{folder}`, a link; what it leads to stays");
    }
    let resources = skill.entry.resources.files.len();
    let own = usize::from(skill.entry.file.is_ok());
    format!("`{folder}` with {}", counted(own + resources, "file", "files"))
}
