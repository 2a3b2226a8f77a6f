//! The agents of a project: what each is told, and what none gets.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use super::agents::{Agent, Agents};
use super::deck::{Deck, Skill, View};
use super::facts::Facts;
use super::json;
use super::locate::Project;
use super::report::BudgetReport;
use super::section::{Line, Mood, Section};
use crate::prompt::catalog::State;
use crate::skill::text::{counted, thousands};

/// The number of skills that the ADR allowed an agent before its amendment.
const MANY: usize = 16;

/// The agents in figures, for scripts.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct Roster {
    pub agents: Vec<AgentReport>,
    /// Folders of loadable skills that no agent gets.
    pub nobody: Vec<String>,
    /// Patterns that match no folder.
    pub nothing: Vec<PatternReport>,
}

/// An agent in figures.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct AgentReport {
    pub agent: String,
    pub budget: BudgetReport,
    pub tool_chars: usize,
    /// Folders of the skills that it may use, in the order of the list.
    pub skills: Vec<String>,
}

/// A pattern that matches nothing.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct PatternReport {
    pub agent: String,
    pub pattern: String,
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
}

impl Roster {
    /// The agents of a project.
    pub fn of(project: &Project, facts: &Facts, agents: &Arc<Agents>, view: &View) -> Self {
        let agents_of_client = agents.iter().filter(|_| view.profile.has_agents());
        let decks = agents_of_client.filter_map(|agent| {
            let view = View { agent: Some(agent.address().to_owned()), ..view.clone() };
            Some((agent, Deck::new(project, facts, agents, &view).ok()?))
        });
        let report = |(agent, deck): (&Agent, Deck)| AgentReport {
            agent: agent.address().to_owned(),
            budget: BudgetReport::of(&deck),
            tool_chars: tool_chars(&deck),
            skills: deck
                .skills
                .iter()
                .filter(|s| s.is_usable())
                .map(|s| s.folder().to_owned())
                .collect(),
        };
        let everyone = View { agent: None, ..view.clone() };
        let all = Deck::new(project, facts, agents, &everyone).ok();
        let alone = all.as_ref().map(alone).unwrap_or_default();
        let folders: HashSet<_> = facts.entries.iter().map(|e| e.folder.as_str()).collect();
        let patterns = agents.patterns_of_nothing(&folders);
        let nothing =
            patterns.filter(|_| view.profile.has_agents()).map(|(agent, text, file, place)| {
                PatternReport {
                    agent: agent.to_owned(),
                    pattern: text.to_owned(),
                    file,
                    line: place.line,
                    column: place.column,
                }
            });
        Self {
            agents: decks.map(report).collect(),
            nobody: alone.iter().map(|s| s.folder().to_owned()).collect(),
            nothing: nothing.collect(),
        }
    }
}

/// Characters of a deck's tool definition; zero where there is no tool.
pub fn tool_chars(deck: &Deck) -> usize {
    let tool = deck.tool().and_then(|tool| json::to_string(&tool).ok());
    tool.map_or(0, |text| text.chars().count())
}

/// The loadable skills that no agent gets.
fn alone(deck: &Deck) -> Vec<&Skill> {
    let is_alone = |s: &&Skill| s.loads() && deck.agents.users_of(s.folder()).next().is_none();
    let has_agents = deck.profile.has_agents() && deck.agents.iter().next().is_some();
    deck.skills.iter().filter(|s| has_agents && is_alone(s)).collect()
}

/// What is wrong with the files, a section for each agent, then what no agent gets
/// and which patterns match nothing.
pub fn roster(project: &Project, facts: &Facts, agents: &Arc<Agents>, view: &View) -> Vec<Section> {
    if !view.profile.has_agents() {
        let line = Line::new(Mood::Plain, "whoever runs it gets every skill that it loads");
        return vec![Section::new(format!("{} knows no agents", view.profile), "", vec![line])];
    }
    let mut sections: Vec<_> = broken(agents).into_iter().collect();
    for agent in agents.iter() {
        let view = View { agent: Some(agent.address().to_owned()), ..view.clone() };
        if let Ok(deck) = Deck::new(project, facts, agents, &view) {
            sections.push(of_agent(&deck, agent));
        }
    }
    let Ok(deck) = Deck::new(project, facts, agents, &View { agent: None, ..view.clone() }) else {
        return sections;
    };
    if agents.iter().next().is_none() && !agents.is_broken() {
        let line = Line::new(
            Mood::Plain,
            ".kaged/project.yaml names no agent, so whoever runs here gets every skill",
        );
        sections.push(Section::new("No agents", "", vec![line]));
    }
    sections.extend(nobodys(&deck));
    sections.extend(nothings(agents, facts));
    sections
}

fn of_agent(deck: &Deck, agent: &Agent) -> Section {
    let loading = deck.skills.iter().filter(|s| s.loads()).count();
    let usable: Vec<_> = deck.skills.iter().filter(|s| s.is_usable()).collect();
    let tool = tool_chars(deck);
    let title = format!(
        "{}  may use {} of {}  {} listed  {} cut",
        agent.address(),
        thousands(usable.len() as u64),
        thousands(loading as u64),
        thousands(deck.count(State::Listed) as u64),
        thousands(deck.count(State::Cut) as u64)
    );
    let limit = deck.budget.limit.map_or("no limit".to_owned(), thousands);
    let mut lines = vec![Line::new(
        Mood::Plain,
        format!(
            "{} of {limit} {} used; the tool definition has {}",
            thousands(deck.used),
            deck.budget.unit.word(),
            counted(tool, "character", "characters")
        ),
    )];
    if usable.is_empty() {
        lines.push(Line::new(Mood::Bad, "it may use none, so it has no `skill.use` tool"));
    }
    if usable.len() > MANY {
        lines.push(Line::new(
            Mood::Quiet,
            format!(
                "more than the {MANY} that kaged once allowed an agent; a model overlooks some"
            ),
        ));
    }
    let form = deck.profile.catalog();
    let mut not = Vec::new();
    for skill in deck.skills.iter().filter(|s| s.loads()) {
        let name = skill.title();
        match skill.place.state {
            State::Listed => {
                let text = skill.item(form).lines(form, skill.place.kept.unwrap_or(0));
                lines.push(Line::new(Mood::Good, text));
            }
            State::Cut => lines.push(Line::new(Mood::Bad, format!("cut: {name}"))),
            State::Hidden => {
                lines.push(Line::new(Mood::Quiet, format!("hidden, usable by name: {name}")));
            }
            _ => not.push(name),
        }
    }
    if !not.is_empty() {
        lines.push(Line::new(Mood::Quiet, format!("may not use: {}", not.join(", "))));
    }
    Section::new(title, agent.address(), lines)
}

fn nobodys(deck: &Deck) -> Option<Section> {
    let alone = alone(deck);
    let line = |s: &&Skill| Line::new(Mood::Plain, s.folder());
    let title = format!("No agent gets {}", counted(alone.len(), "skill", "skills"));
    (!alone.is_empty()).then(|| Section::new(title, "", alone.iter().map(line).collect()))
}

fn nothings(agents: &Agents, facts: &Facts) -> Option<Section> {
    let folders: HashSet<_> = facts.entries.iter().map(|e| e.folder.as_str()).collect();
    let lines: Vec<_> = agents
        .patterns_of_nothing(&folders)
        .map(|(agent, text, file, place)| {
            let text = format!("`{text}` of {}, {file}:{}:{}", agent, place.line, place.column);
            Line::new(Mood::Plain, text)
        })
        .collect();
    let title = format!("{} nothing", counted(lines.len(), "pattern matches", "patterns match"));
    (!lines.is_empty()).then(|| Section::new(title, "", lines))
}

/// Where the files break.
fn broken(agents: &Agents) -> Option<Section> {
    let lines: Vec<_> = agents
        .findings
        .iter()
        .map(|finding| {
            let place =
                finding.place.map_or(String::new(), |p| format!(":{}:{}", p.line, p.column));
            let file = finding.file.as_deref().unwrap_or(".kaged/project.yaml");
            Line::new(Mood::Bad, format!("{file}{place}: {}", finding.message))
        })
        .collect();
    (!lines.is_empty()).then(|| Section::new("What is wrong with the files", "", lines))
}
