//! `skilldeck hint`

use std::env;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::project::View;
use crate::project::report::SCHEMA;
use crate::prompt::hints::{HintTracker, relative};
use crate::skill::text::{shown, shown_name};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck hint src/main.rs
  git diff --name-only | xargs skilldeck hint")]
pub struct Hint {
    /// Files that are touched, one after the other; they need not be there
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// As JSON: the skills that each path suggests, also those told before
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    agent: Option<String>,
    paths: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    path: String,
    skills: Vec<String>,
    hints: Vec<String>,
}

impl Hint {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let (project, deck) = target.deck(view)?;
        let here = env::current_dir().context("the current directory cannot be read")?;
        let (hints, mut session) = (deck.hints(), HintTracker::new());
        if !deck.profile.has_hints() {
            out::note(&shown(&format!("{} suggests no skills for files", deck.profile)));
        }
        let mut rows = Vec::new();
        for path in &self.paths {
            let name = shown_name(path.as_os_str());
            let Some(below) = relative(path, &here, project.dir()) else {
                out::note(&shown(&format!(
                    "{name} lies outside of the project; no glob matches it"
                )));
                rows.push(Row { path: name.to_string(), skills: Vec::new(), hints: Vec::new() });
                continue;
            };
            let skills: Vec<_> = hints.of_path(&below).map(str::to_owned).collect();
            if skills.is_empty() {
                out::note(&shown(&format!("{name} suggests no skill")));
            }
            rows.push(Row { hints: session.touch(&hints, &below), path: below, skills });
        }
        if self.json {
            let agent = deck.agent.clone();
            out::json(&Report { schema: SCHEMA, agent, paths: rows })?;
        } else {
            let lines = rows.iter().flat_map(|row| &row.hints).map(|hint| shown(hint));
            out::lines(lines.collect::<Vec<_>>())?;
        }
        Ok(Outcome::Done)
    }
}
