//! `skilldeck catalog`

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::profile::{Profile, Unit};
use crate::project::lab::Lab;
use crate::project::report::{BudgetReport, SCHEMA};
use crate::project::roster::tool_chars;
use crate::project::section::Section;
use crate::project::{Deck, Skill, View};
use crate::prompt::catalog::{SLOT, State, fill};
use crate::skill::text::{Shown, counted, shown, shown_name, thousands};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck catalog --budget 8000 --explain       what would be cut, and what brings it back
  skilldeck catalog --profile codex               as another client has it
  skilldeck catalog --fill prompt.md              a prompt with its slot filled")]
pub struct Catalog {
    /// As JSON: the text, and each skill's cost and place
    #[arg(long, conflicts_with = "fill")]
    json: bool,
    /// Say for each skill what it costs, whether it is listed, and why not; then where the list is
    /// cut, what would bring back what is cut, and what other budgets would list
    #[arg(long, conflicts_with = "fill")]
    explain: bool,
    /// Print FILE with `{{available_skills}}` replaced by the list
    #[arg(long, value_name = "FILE")]
    fill: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    profile: Profile,
    agent: Option<String>,
    budget: BudgetReport,
    text: String,
    text_chars: usize,
    tool_chars: usize,
    skills: Vec<Row>,
    /// With `--explain`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    lab: Option<Lab>,
}

#[derive(Serialize)]
struct Row {
    folder: String,
    name: Option<String>,
    state: State,
    cost: Option<u64>,
    total: Option<u64>,
    past: Option<u64>,
    /// Characters of the description that are listed.
    kept: Option<u64>,
    /// Why it is not listed whole; with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Folders of skills whose description, shortened by `past`, brings this one back.
    back: Vec<String>,
}

impl Catalog {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let (_, deck) = target.deck(view)?;
        if self.json {
            out::json(&report(&deck, self.explain))?;
        } else if self.explain {
            out::lines(explain(&deck))?;
        } else if let Some(file) = &self.fill {
            let name = shown_name(file.as_os_str());
            let prompt = fs::read_to_string(file)
                .with_context(|| format!("the prompt file {name} cannot be read"))?;
            if !prompt.contains(SLOT) {
                out::note(&shown(&format!("{name} holds no {SLOT}; it is printed unchanged")));
            }
            out::exact(&fill(&prompt, &deck.catalog()))?;
        } else {
            out::exact(&deck.catalog())?;
        }
        out::notes(deck.budget.findings.iter().map(|f| f.message.clone()));
        if !self.json && !self.explain {
            out::notes(lost(&deck));
        }
        Ok(Outcome::Done)
    }
}

fn report(deck: &Deck, explain: bool) -> Report {
    let text = deck.catalog();
    Report {
        schema: SCHEMA,
        profile: deck.profile,
        agent: deck.agent.clone(),
        budget: BudgetReport::of(deck),
        text_chars: text.chars().count(),
        tool_chars: tool_chars(deck),
        text,
        skills: deck
            .skills
            .iter()
            .map(|s| Row {
                folder: s.folder().to_owned(),
                name: s.name.clone(),
                state: s.place.state,
                cost: s.place.cost,
                total: s.place.total,
                past: s.place.past,
                kept: s.place.kept,
                why: explain.then(|| why(deck, s)),
                back: deck.ways_back(s).take(10).map(|s| s.folder().to_owned()).collect(),
            })
            .collect(),
        lab: explain.then(|| Lab::of(deck)),
    }
}

/// What the model is not told of.
fn lost(deck: &Deck) -> Option<Shown> {
    let lost: Vec<_> = deck.skills.iter().filter(|s| s.place.state == State::Cut).collect();
    let reach = deck.count(State::Listed) + lost.len();
    let first = lost.first()?;
    Some(shown(&format!(
        "cut: {} of {} do not reach the model, from `{}` on ({} past the cut)",
        lost.len(),
        counted(reach, "skill", "skills"),
        first.title(),
        counted(first.place.past.unwrap_or(0) as usize, "character", "characters"),
    )))
}

fn explain(deck: &Deck) -> Vec<Shown> {
    let mut lines = Vec::new();
    let number = |n: Option<u64>| n.map_or("–".to_owned(), thousands);
    for skill in &deck.skills {
        lines.push(shown(&format!(
            "{:>7} {:>9}  {}  {}",
            number(skill.place.cost),
            number(skill.place.total),
            skill.title(),
            why(deck, skill)
        )));
    }
    let limit = deck.budget.limit.map_or("no limit".to_owned(), thousands);
    lines.push(shown(&format!(
        "{} of {limit} {} used; the tool definition has {}",
        thousands(deck.used),
        deck.budget.unit.word(),
        counted(tool_chars(deck), "character", "characters"),
    )));
    lines.push(shown(""));
    lines.extend(Section::text(&Lab::of(deck).sections(deck)));
    lines
}

fn why(deck: &Deck, skill: &Skill) -> String {
    match skill.place.state {
        State::Listed => match (skill.place.kept, skill.lost_chars()) {
            (Some(0), Some(_)) => "listed, its name only".into(),
            (Some(kept), Some(lost)) => format!(
                "listed with {} of {} of its description",
                thousands(kept),
                counted((kept + lost) as usize, "character", "characters")
            ),
            _ => "listed".into(),
        },
        State::Cut => format!(
            "cut: {} past the cut",
            match deck.budget.unit {
                Unit::Characters => {
                    counted(skill.place.past.unwrap_or(0) as usize, "character", "characters")
                }
                Unit::Tokens => counted(skill.place.past.unwrap_or(0) as usize, "token", "tokens"),
            }
        ),
        State::Hidden if !deck.profile.has_agents() => {
            "hidden: `disable-model-invocation: true`; only a person can activate it".into()
        }
        State::Hidden => "hidden: `hide: true`; the model can still activate it by name".into(),
        State::Filtered => "filtered: the agent's `skills` leave it out".into(),
        State::Error | State::Duplicate => {
            let cause = skill.findings.iter().max_by_key(|f| f.level);
            let cause = cause.map_or(String::new(), |f| format!(": {}", f.message));
            format!("{}{cause}", skill.place.state.word())
        }
    }
}
