//! `skilldeck watch`

use std::sync::{Arc, mpsc};

use clap::Args;

use super::Outcome;
use super::out;
use super::target::{AsAgent, AsProfile, Target, WithBudget};
use crate::project::difference::Difference;
use crate::project::watch::{Mode, Notice, Watcher};
use crate::project::{Agents, Deck, Facts, Scanner, Scope, View};
use crate::skill::text::{Shown, counted, shown};

#[derive(Debug, Args)]
pub struct Watch {
    /// One JSON object on a line for each reload
    #[arg(long)]
    json: bool,
    /// Look every two seconds instead of asking the system to report changes
    #[arg(long)]
    poll: bool,
    #[command(flatten)]
    profile: AsProfile,
    #[command(flatten)]
    agent: AsAgent,
    #[command(flatten)]
    budget: WithBudget,
}

impl Watch {
    pub fn run(&self, target: &Target) -> anyhow::Result<Outcome> {
        let view = View {
            profile: self.profile.profile,
            agent: self.agent.agent.clone(),
            budget: self.budget.choose(),
        };
        let project = target.project()?;
        let mut scanner = Scanner::new(project.clone(), view.profile.discovery());
        let mut agents = Arc::new(Agents::load(&project));
        let facts = scanner.refresh(&Scope::All, &mut |_| {})?;
        let mut deck = Deck::new(&project, &facts, &agents, &view)?;
        let (sender, notices) = mpsc::channel();
        let watcher = Watcher::start(project.clone(), self.poll, move |n| sender.send(n).is_ok());
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
            let facts = scanner.refresh(&change.scope, &mut |_| {}).unwrap_or_else(|error| {
                let said = error.to_string();
                if trouble.replace(said.clone()) != Some(said) {
                    out::error(&error.into());
                }
                Facts::default()
            });
            watcher.follow(&facts);
            let after = match Deck::new(&project, &facts, &agents, &view) {
                Ok(deck) => deck,
                Err(error) => {
                    out::error(&error.into());
                    continue;
                }
            };
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
