//! `skilldeck rm`

use clap::Args;

use super::{Desk, file_name, quoted};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::project::View;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck rm code-review            to the trash; `restore` brings it back")]
pub struct Rm {
    /// The skill's name, or its folder's; of a link the link is removed, not what it leads to
    #[arg(add = crate::cli::complete::skills())]
    name: String,
    /// Remove it for good, not to the trash
    #[arg(long)]
    purge: bool,
}

impl Rm {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let desk = Desk::open(target, view)?;
        let skill = desk.target(&self.name)?;
        let folder = file_name(&skill.folder);
        let id = desk.writer.delete(&skill.folder)?;
        let said = if self.purge {
            desk.writer.purge(&id)?;
            format!("removed `{folder}` for good")
        } else {
            format!("moved `{folder}` to the trash; undo: skilldeck restore {}", quoted(&folder))
        };
        out::lines([shown(&said)])?;
        Ok(Outcome::Done)
    }
}
