//! `skilldeck copy`

use clap::Args;

use super::{Desk, quoted, refuse};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::ops;
use crate::project::View;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck copy code-review code-review-strict")]
pub struct Copy {
    /// The skill's name, or its folder's
    #[arg(add = crate::cli::complete::skills())]
    name: String,
    /// The name of the copy
    new: String,
}

impl Copy {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        refuse(target, &self.new, false)?;
        let desk = Desk::open(target, view)?;
        let skill = desk.target(&self.name)?;
        let (plan, left) = ops::copy(&desk.writer, &skill, &self.new)?;
        desk.apply(plan, &format!("skilldeck rm {}", quoted(&self.new)))?;
        if !left.is_empty() {
            out::note(&shown(&format!(
                "skilldeck: links, special files and names that are not UTF-8 are not copied: {}",
                left.join(", ")
            )));
        }
        Ok(Outcome::Done)
    }
}
