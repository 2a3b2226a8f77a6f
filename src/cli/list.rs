//! `skilldeck list`

use clap::Args;
use unicode_width::UnicodeWidthStr;

use super::Outcome;
use super::colour::Line;
use super::out;
use super::target::Target;
use crate::project::report::ListReport;
use crate::project::{Deck, Skill, View};
use crate::prompt::catalog::State;
use crate::skill::text::{Shown, counted, head, shown, thousands};
use crate::skill::{Level, Status};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck list
  skilldeck list --json | jq -r '.skills[] | select(.status == \"error\") | .folder'")]
pub struct List {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let (_, deck) = target.deck(view)?;
        if self.json {
            out::json(&ListReport::of(&deck))?;
        } else {
            out::lines(text(&deck))?;
        }
        Ok(Outcome::Done)
    }
}

fn text(deck: &Deck) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let width = deck
        .skills
        .iter()
        .map(|s| shown(s.title()).as_str().width())
        .max()
        .unwrap_or(0)
        .clamp(4, 40);
    for skill in &deck.skills {
        lines.push(row(skill, width));
    }
    if deck.skills.is_empty() {
        let state = if deck.root_exists { "is empty" } else { "does not exist yet" };
        lines.push(shown(&format!(
            "no skills: {root} {state}; create {root}/<name>/SKILL.md with a `description` between \
             two lines `---`",
            root = deck.root_label
        )).into());
    }
    for thing in &deck.not_loaded {
        lines.push(shown(&format!("· note    {}: {}", thing.path, thing.finding.message)).into());
    }
    for finding in &deck.findings {
        lines.push(shown(&format!("· {:<7} {}", finding.level.word(), finding.message)).into());
    }
    let alone: Vec<_> = deck
        .skills
        .iter()
        .filter(|s| s.loads() && deck.profile.has_agents() && deck.agents.iter().next().is_some())
        .filter(|s| deck.agents.users_of(s.folder()).next().is_none())
        .map(Skill::title)
        .collect();
    if !alone.is_empty() {
        lines.push(shown(&format!("· note    no agent gets {}", alone.join(", "))).into());
    }
    lines.push(shown(&summary(deck)).into());
    lines
}

fn row(skill: &Skill, width: usize) -> Line {
    let title = shown(&head(skill.title(), 40)).into_string();
    let pad = " ".repeat(width.saturating_sub(title.width()));
    let number = |n: Option<u64>| n.map_or("–".to_owned(), thousands);
    let place = match skill.place.state {
        State::Listed => number(skill.place.total),
        other => other.word().to_owned(),
    };
    // Skills of one name are told apart by their folders.
    let folder = if skill.folder() == skill.title() {
        String::new()
    } else {
        format!("[{}] ", head(skill.folder(), 40))
    };
    let about = match worst(skill) {
        Some(text) => text,
        None => head(skill.description.as_deref().unwrap_or(""), 60).into_owned(),
    };
    let glyph = glyph(skill.status);
    Line::new(
        Shown::fixed(""),
        shown(&format!("{glyph} {:<7}", skill.status.word())),
        skill.status.into(),
        shown(&format!(
            " {title}{pad} {:>7} {place:>9}  {folder}{about}",
            number(skill.place.cost)
        )),
    )
}

fn worst(skill: &Skill) -> Option<String> {
    let worst = skill.findings.iter().filter(|f| f.level > Level::Note).max_by_key(|f| f.level)?;
    Some(format!("{}: {}", worst.code, head(worst.message.as_str(), 60)))
}

fn glyph(status: Status) -> &'static str {
    match status {
        Status::Valid => "●",
        Status::Warning => "▲",
        Status::Error => "✖",
    }
}

/// One line on the whole deck.
fn summary(deck: &Deck) -> String {
    let limit = deck.budget.limit.map_or("no limit".to_owned(), thousands);
    format!(
        "{}: {} valid, {} warning, {} error · {} of {limit} characters · {} listed, {} cut",
        counted(deck.skills.len(), "skill", "skills"),
        deck.count_status(Status::Valid),
        deck.count_status(Status::Warning),
        deck.count_status(Status::Error),
        thousands(deck.used),
        deck.count(State::Listed),
        deck.count(State::Cut),
    )
}
