//! `skilldeck rename`

use clap::Args;

use super::{Desk, file_name, quoted, refuse};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::ops::{self, Reference};
use crate::project::View;
use crate::skill::text::shown;

#[derive(Debug, Args)]
pub struct Rename {
    /// The skill's name, or its folder's
    old: String,
    /// Its new name; the folder gets it, and `name:` where there is one
    new: String,
    /// Change what refers to the old name too: filters in project.yaml, paths in other skills
    #[arg(long)]
    references: bool,
}

impl Rename {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        refuse(target, &self.new, true)?;
        let desk = Desk::open(target, view)?;
        let skill = desk.target(&self.old)?;
        let old = file_name(&skill.folder);
        let found = references(&desk, &skill, &old, &self.new);
        let places: Vec<_> = found.iter().flat_map(|r| r.places.clone()).collect();
        let also = found.into_iter().filter(|_| self.references).map(|r| r.step).collect();
        let plan = ops::rename(&desk.writer, &skill, &self.new, also)?;
        let flag = if self.references { " --references" } else { "" };
        let undo = format!("skilldeck rename {} {}{flag}", quoted(&self.new), quoted(&old));
        desk.apply(plan, &undo)?;
        if !self.references && !places.is_empty() {
            out::note(&shown(&format!(
                "skilldeck: `{old}` is still named in {}; `--references` changes that too",
                places.join(", ")
            )));
        }
        Ok(Outcome::Done)
    }
}

/// What refers to a folder: the filters of agents, and the texts of other skills.
fn references(desk: &Desk, skill: &ops::Target, old: &str, new: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let boundary = &desk.writer.site().boundary;
    for file in desk.project.agent_files() {
        let Ok(at) = file.strip_prefix(boundary) else { continue };
        // One that is a link, or cannot be read, is not changed.
        if let Ok(Some(content)) = desk.writer.content(at) {
            found.extend(ops::in_filters(at.to_owned(), &content, old, new));
        }
    }
    for other in &desk.deck.skills {
        let other = desk.project.target(desk.writer.site(), other);
        let Some(file) = other.file.filter(|file| Some(file) != skill.file.as_ref()) else {
            continue;
        };
        if let Ok(Some(content)) = desk.writer.content(&file) {
            found.extend(ops::mentions(file, &content, old, new));
        }
    }
    found
}
