//! `skilldeck watch`

use std::sync::{Arc, mpsc};

use clap::Args;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::project::difference::Difference;
use crate::project::watch::{Mode, Notice, Watcher};
use crate::project::{Agents, Deck, Facts, Scanner, Scope, View};
use crate::skill::text::{Shown, counted, shown};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck watch
  skilldeck watch --json | jq -c '.changed[].folder'")]
pub struct Watch {
    /// One JSON object on a line for each reload
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub fn run(&self, target: &Target, view: &View, poll: bool) -> anyhow::Result<Outcome> {
        let project = target.project()?;
        let mut scanner = Scanner::new(project.clone(), view.profile.discovery());
        let mut agents = Arc::new(Agents::load(&project));
        let facts = scanner.refresh(&Scope::All, None)?;
        let mut deck = Deck::new(&project, &facts, &agents, view)?;
        let (sender, notices) = mpsc::channel();
        let watcher = Watcher::start(project.clone(), poll, move |n| sender.send(n).is_ok())?;
        watcher.follow(&facts);
        let mut trouble: Option<String> = None;
        for notice in notices {
            let change = match notice {
                Notice::Mode(mode) => {
                    out::note(&said(&mode, &deck));
                    continue;
                }
                Notice::Changed(change) => change,
            };
            if change.agents {
                agents = Arc::new(Agents::load(&project));
            }
            // A root that cannot be read now may be readable in a moment.
            // Until then there are no skills.
            let (facts, failed) = match scanner.refresh(&change.scope, None) {
                Ok(facts) => (facts, None),
                Err(error) => (Facts::default(), Some(anyhow::Error::from(error))),
            };
            watcher.follow(&facts);
            let after = Deck::new(&project, &facts, &agents, view);
            let (after, failed) = match after {
                Ok(after) => (Some(after), failed),
                Err(error) => (None, Some(error.into())),
            };
            // Each trouble is said once, until it is over.
            let said = failed.as_ref().map(ToString::to_string);
            if let Some(error) = failed.filter(|_| said != trouble) {
                out::error(&error);
            }
            trouble = said;
            let Some(after) = after else { continue };
            if let Some(difference) = Difference::between(&deck, &after) {
                if self.json {
                    out::json(&difference)?;
                } else {
                    out::lines(text(&difference))?;
                }
            }
            deck = after;
        }
        Ok(Outcome::Done)
    }
}

fn said(mode: &Mode, deck: &Deck) -> Shown {
    let how = match mode {
        Mode::Live => "live".to_owned(),
        Mode::Polling(reason) => format!("looking every 2 s: {reason}"),
    };
    let skills = counted(deck.skills.len(), "skill", "skills");
    shown(&format!("watching {} ({how}), {skills}", deck.root_label))
}

fn text(difference: &Difference) -> Vec<Shown> {
    let row = |sign: &str, skill: &crate::project::report::SkillReport| {
        shown(&format!(
            "{sign} {}  {}, {}",
            skill.folder,
            skill.status.word(),
            skill.catalog.state.word()
        ))
    };
    let mut lines: Vec<_> = difference.added.iter().map(|s| row("+", s)).collect();
    lines.extend(difference.changed.iter().map(|s| row("~", s)));
    lines.extend(difference.removed.iter().map(|folder| shown(&format!("- {folder}"))));
    if lines.is_empty() {
        lines.push(Shown::fixed("~ the project"));
    }
    lines
}
