//! `skilldeck agents`

use clap::Args;
use serde::Serialize;

use super::Outcome;
use super::out;
use super::target::{Look, Target};
use crate::project::View;
use crate::project::report::SCHEMA;
use crate::project::roster::{self, Roster};
use crate::project::section::Section;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck agents
  skilldeck agents --json | jq -r '.nobody[]'")]
pub struct Agents {
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    #[serde(flatten)]
    roster: Roster,
}

impl Agents {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let Look { project, facts, agents, .. } = target.look(view)?;
        if self.json {
            let roster = Roster::of(&project, &facts, &agents, view);
            out::json(&Report { schema: SCHEMA, roster })?;
        } else {
            let sections = roster::roster(&project, &facts, &agents, view);
            out::lines(Section::text(&sections))?;
        }
        Ok(Outcome::Done)
    }
}
