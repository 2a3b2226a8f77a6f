//! `skilldeck rename`

use clap::Args;

use super::{Desk, file_name, quoted, refuse};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::ops;
use crate::project::View;
use crate::project::curate::references;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck rename review code-review
  skilldeck rename review code-review --references    and what refers to it")]
pub struct Rename {
    /// The skill's name, or its folder's
    #[arg(add = crate::cli::complete::skills())]
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
        let found = references(&desk.project, &desk.deck, &desk.writer, &skill, &self.new);
        let places: Vec<_> = found.iter().flat_map(|r| r.places.clone()).collect();
        let also = if self.references { found } else { Vec::new() };
        let plan = ops::rename(&desk.writer, &skill, &self.new, also)?.plan();
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
