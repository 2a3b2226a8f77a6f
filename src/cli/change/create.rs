//! `skilldeck new`

use clap::Args;

use super::{Desk, quoted, refuse};
use crate::cli::Outcome;
use crate::cli::target::Target;
use crate::config::templates;
use crate::edit::ops;
use crate::project::View;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck new code-review --description \"Reviews a change. Use it when asked for a review.\"
  skilldeck new deploy --description \"…\" --template runbook")]
pub struct New {
    /// The name of the skill and of its folder
    name: String,
    /// What it is for and when to use it, in one line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: String,
    /// plain, arguments, resources, runbook, or one of your own (docs/config.md)
    #[arg(long, value_name = "TEMPLATE", default_value = "plain")]
    template: String,
}

impl New {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let files = templates::find(&self.template)?;
        refuse(target, &self.name, false)?;
        let desk = Desk::open(target, view)?;
        let plan = ops::create(&desk.writer, &self.name, &self.description, &files)?;
        desk.apply(plan, &format!("skilldeck rm {}", quoted(&self.name)))?;
        Ok(Outcome::Done)
    }
}
