//! `skilldeck check`

use clap::{Args, ValueEnum};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::profile::Profile;
use crate::project::excerpt::Excerpts;
use crate::project::report::{FindingReport, NotLoadedReport, SCHEMA};
use crate::project::{Deck, Project, Skill, View};
use crate::skill::text::{Shown, counted, shown};
use crate::skill::{Finding, Level};

#[derive(Debug, Args)]
pub struct Check {
    /// Only these skills [default: all, and the project]
    names: Vec<String>,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Exit 1 also when there are only warnings
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    project: String,
    root: String,
    profile: Profile,
    agent: Option<String>,
    skills: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    findings: Vec<Item>,
    not_loaded: Vec<NotLoadedReport>,
}

/// A finding with the skill it belongs to and the line it stands on.
#[derive(Serialize)]
struct Item {
    skill: Option<String>,
    #[serde(flatten)]
    finding: FindingReport,
    excerpt: Option<String>,
    /// Where in the excerpt the finding's column begins, in cells.
    #[serde(skip)]
    caret: usize,
}

impl Check {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let (project, deck) = target.deck(view)?;
        let skills = self.wanted(&deck)?;
        let report = report(&project, &deck, &skills, self.names.is_empty());
        match self.format {
            Format::Json => out::json(&report)?,
            Format::Text => out::lines(text(&report))?,
        }
        let failed = report.errors > 0 || (self.strict && report.warnings > 0);
        Ok(if failed { Outcome::No } else { Outcome::Done })
    }

    fn wanted<'a>(&self, deck: &'a Deck) -> anyhow::Result<Vec<&'a Skill>> {
        if self.names.is_empty() {
            return Ok(deck.skills.iter().collect());
        }
        let mut skills: Vec<&Skill> = Vec::new();
        for name in &self.names {
            let skill = deck.find(name)?;
            if !skills.iter().any(|s| std::ptr::eq(*s, skill)) {
                skills.push(skill);
            }
        }
        Ok(skills)
    }
}

fn report(project: &Project, deck: &Deck, skills: &[&Skill], whole: bool) -> Report {
    let mut excerpts = Excerpts::new(project);
    let mut findings = Vec::new();
    for skill in skills {
        for finding in Finding::by_weight(&skill.findings) {
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
    }
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
        caret: excerpt.as_ref().map_or(0, |e| e.before.as_str().width()),
        excerpt: excerpt.map(|e| format!("{}{}", e.before, e.after)),
        finding: FindingReport { file, ..FindingReport::of_project(finding) },
    }
}

fn text(report: &Report) -> Vec<Shown> {
    let mut out = Vec::new();
    for item in &report.findings {
        let finding = &item.finding;
        let place = match (&finding.file, finding.line, finding.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            (Some(file), ..) => format!("{file}: "),
            _ => String::new(),
        };
        out.push(shown(&format!(
            "{place}{}[{}]: {}",
            finding.level.word(),
            finding.code,
            finding.message
        )));
        if let Some(excerpt) = &item.excerpt {
            out.push(shown(&format!("    {excerpt}")));
            out.push(shown(&format!("    {}^", " ".repeat(item.caret))));
        }
        if let Some(fix) = &finding.fix {
            out.push(shown(&format!("    fix: {fix}")));
        }
    }
    for thing in &report.not_loaded {
        out.push(shown(&format!("{}: note[{}]: {}", thing.path, thing.code, thing.message)));
    }
    out.push(shown(&format!(
        "{} checked as {}: {}, {}, {}",
        counted(report.skills, "skill", "skills"),
        report.profile,
        counted(report.errors, "error", "errors"),
        counted(report.warnings, "warning", "warnings"),
        counted(report.notes, "note", "notes"),
    )));
    out
}
