//! What a check found, before it is written in some form.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::profile::Profile;
use crate::project::counsel::Notes;
use crate::project::excerpt::Excerpts;
use crate::project::matrix::{Concern, Voices};
use crate::project::report::{FindingReport, NotLoadedReport, SCHEMA};
use crate::project::{Deck, Project, Skill};
use crate::prompt::catalog::State;
use crate::skill::text::{counted, thousands};
use crate::skill::{Code, Finding, Level};

/// `check --format json`, and what the other forms are made from.
#[derive(Serialize)]
pub struct Report {
    pub schema: u32,
    pub project: String,
    pub root: String,
    pub profile: Profile,
    pub agent: Option<String>,
    pub skills: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    pub findings: Vec<Item>,
    pub not_loaded: Vec<NotLoadedReport>,
    /// The folders of the skills that were checked.
    #[serde(skip)]
    pub folders: Vec<String>,
}

/// A finding with the skill it belongs to and the line it stands on.
#[derive(Serialize)]
pub struct Item {
    pub skill: Option<String>,
    #[serde(flatten)]
    pub finding: FindingReport,
    pub excerpt: Option<String>,
    /// The clients that the finding concerns; of a finding of the project, none.
    pub clients: Option<Concern>,
    /// Where in the excerpt the finding's column begins, in cells.
    #[serde(skip)]
    pub caret: usize,
}

/// The findings on some skills; of the whole project, also what is to be said of that.
pub fn report(
    project: &Project,
    deck: &Deck,
    (skills, notes): (&[&Skill], &Notes),
    whole: bool,
) -> Report {
    let mut excerpts = Excerpts::new(project);
    let mut findings = Vec::new();
    for skill in skills {
        let file = skill.entry.file.as_ref().ok().filter(|_| !skill.findings.is_empty());
        let voices = file.map(|file| Voices::of(&skill.entry.folder, &file.reading));
        for finding in Finding::by_weight(&skill.findings) {
            let file = deck.file(skill, finding);
            let mut item = item(&mut excerpts, Some(skill.folder()), finding, Some(file));
            item.clients = voices.as_ref().map(|voices| voices.concern(finding));
            findings.push(item);
        }
        for finding in notes.get(skill.folder()).into_iter().flatten() {
            let file = deck.file(skill, finding);
            findings.push(item(&mut excerpts, Some(skill.folder()), finding, Some(file)));
        }
    }
    if whole {
        for finding in Finding::by_weight(&deck.findings) {
            findings.push(item(&mut excerpts, None, finding, finding.file.clone()));
        }
    }
    let count = |level| findings.iter().filter(|i| i.finding.level == level).count();
    Report {
        schema: SCHEMA,
        project: deck.project.clone(),
        root: deck.root.clone(),
        profile: deck.profile,
        agent: deck.agent.clone(),
        skills: skills.len(),
        errors: count(Level::Error),
        warnings: count(Level::Warning),
        notes: count(Level::Note),
        not_loaded: if whole { NotLoadedReport::all(deck) } else { Vec::new() },
        findings,
        folders: skills.iter().map(|skill| skill.folder().to_owned()).collect(),
    }
}

/// That the budget cuts skills, where it does.
pub fn budget_exceeded(deck: &Deck, level: Level) -> Option<Finding> {
    let cut: Vec<_> = deck.skills.iter().filter(|s| s.place.state == State::Cut).collect();
    let first = cut.first()?;
    let message = format!(
        "the budget of {} {} cuts {}, from `{}` on; `skilldeck catalog --explain` says what to \
         shorten",
        deck.budget.limit.map_or_else(String::new, thousands),
        deck.budget.unit.word(),
        counted(cut.len(), "skill", "skills"),
        first.title()
    );
    Some(Finding::new(Code::BudgetExceeded, message).level(level))
}

fn item(
    excerpts: &mut Excerpts<'_>,
    skill: Option<&str>,
    finding: &Finding,
    file: Option<String>,
) -> Item {
    let excerpt = finding.place.zip(file.as_deref()).and_then(|(p, f)| excerpts.at(f, p));
    Item {
        skill: skill.map(str::to_owned),
        clients: None,
        caret: excerpt.as_ref().map_or(0, |e| e.before.as_str().width()),
        excerpt: excerpt.map(|e| format!("{}{}", e.before, e.after)),
        finding: FindingReport { file, ..FindingReport::of_project(finding) },
    }
}
