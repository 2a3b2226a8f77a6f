//! The JSON objects of DESIGN, which scripts rely on.

use serde::Serialize;

use super::deck::{Deck, Skill};
use crate::profile::Profile;
use crate::prompt::budget::Source;
use crate::prompt::catalog::State;
use crate::skill::{Code, Finding, Fix, Level, Status};

/// The version of these objects.
pub const SCHEMA: u32 = 1;

/// `list --json`.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct ListReport {
    pub schema: u32,
    pub project: String,
    pub root: String,
    pub profile: Profile,
    pub agent: Option<String>,
    pub budget: BudgetReport,
    pub findings: Vec<FindingReport>,
    pub skills: Vec<SkillReport>,
    pub not_loaded: Vec<NotLoadedReport>,
}

/// The budget and how it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct BudgetReport {
    pub limit: Option<u64>,
    pub used: u64,
    pub listed: usize,
    pub cut: usize,
    pub source: Source,
}

/// One skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct SkillReport {
    pub folder: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub path: String,
    pub status: Status,
    pub catalog: CatalogReport,
    pub findings: Vec<FindingReport>,
    pub body_chars: Option<u32>,
    pub body_tokens: Option<u32>,
    pub modified: Option<String>,
}

/// The place of a skill in the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct CatalogReport {
    pub state: State,
    pub cost: Option<u64>,
    pub total: Option<u64>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct FindingReport {
    pub code: Code,
    pub level: Level,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub fix: Option<Fix>,
}

/// Something that is not loaded as a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct NotLoadedReport {
    pub path: String,
    pub code: Code,
    pub message: String,
}

impl ListReport {
    /// The whole deck.
    pub fn of(deck: &Deck) -> Self {
        Self {
            schema: SCHEMA,
            project: deck.project.clone(),
            root: deck.root.clone(),
            profile: deck.profile,
            agent: deck.agent.clone(),
            budget: BudgetReport::of(deck),
            findings: deck.findings.iter().map(FindingReport::of_project).collect(),
            skills: deck.skills.iter().map(|s| SkillReport::of(deck, s)).collect(),
            not_loaded: NotLoadedReport::all(deck),
        }
    }
}

impl BudgetReport {
    /// The budget of a deck.
    pub fn of(deck: &Deck) -> Self {
        Self {
            limit: deck.budget.limit,
            used: deck.used,
            listed: deck.count(State::Listed),
            cut: deck.count(State::Cut),
            source: deck.budget.source,
        }
    }
}

impl SkillReport {
    /// A skill of a deck.
    pub fn of(deck: &Deck, skill: &Skill) -> Self {
        let file = skill.entry.file.as_ref().ok();
        let body = file.map(|f| f.reading.document.body);
        Self {
            folder: skill.folder().to_owned(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: deck.path(skill),
            status: skill.status,
            catalog: CatalogReport {
                state: skill.place.state,
                cost: skill.place.cost,
                total: skill.place.total,
            },
            findings: skill
                .findings
                .iter()
                .map(|f| FindingReport::of(f, Some(deck.file(skill, f))))
                .collect(),
            body_chars: body.map(|b| b.chars),
            body_tokens: body.map(|b| b.tokens()),
            modified: file.and_then(|f| modified(f.stamp.modified())),
        }
    }
}

/// A time as RFC 3339 in UTC, to the second.
pub fn modified((seconds, _): (i64, i64)) -> Option<String> {
    jiff::Timestamp::from_second(seconds).ok().map(|t| t.to_string())
}

impl NotLoadedReport {
    /// All of a deck.
    pub fn all(deck: &Deck) -> Vec<Self> {
        deck.not_loaded
            .iter()
            .map(|thing| Self {
                path: format!("{}/{}", deck.root_label, thing.path),
                code: thing.finding.code,
                message: thing.finding.message.as_str().to_owned(),
            })
            .collect()
    }
}

impl FindingReport {
    fn of(finding: &Finding, file: Option<String>) -> Self {
        Self {
            code: finding.code,
            level: finding.level,
            message: finding.message.as_str().to_owned(),
            file,
            line: finding.place.map(|p| p.line),
            column: finding.place.map(|p| p.column),
            fix: finding.fix.clone(),
        }
    }

    /// A finding of the project, whose file is relative to it.
    pub fn of_project(finding: &Finding) -> Self {
        Self::of(finding, finding.file.clone())
    }
}
