//! What refers to a skill.

use crate::edit::Reader;
use crate::edit::ops::{self, Reference, Target};
use crate::project::{Deck, Project};

/// What refers to a skill's folder and would have to change with its name: the
/// filters of agents, and the texts of other skills. A file that is a link, or
/// cannot be read, is not changed, and so is not told.
pub fn references(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    target: &Target,
    new: &str,
) -> Vec<Reference> {
    let old = target.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let old = old.unwrap_or_default();
    let mut found = in_agents(project, reader, &old, new);
    for other in &deck.skills {
        let other = project.target(reader.site(), other);
        let Some(file) = other.file.filter(|file| Some(file) != target.file.as_ref()) else {
            continue;
        };
        if let Ok(Some(content)) = reader.content(&file) {
            found.extend(ops::mentions(file, &content, &old, new));
        }
    }
    found
}

/// The filters of agents that name a folder.
pub fn in_agents(project: &Project, reader: &Reader, old: &str, new: &str) -> Vec<Reference> {
    let boundary = &reader.site().boundary;
    let files = project.agent_files();
    let at = files.iter().filter_map(|file| file.strip_prefix(boundary).ok());
    at.filter_map(|at| {
        let content = reader.content(at).ok()??;
        ops::in_filters(at.to_owned(), &content, old, new)
    })
    .collect()
}
