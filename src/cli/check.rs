//! `skilldeck check`

use clap::{Args, ValueEnum};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::Outcome;
use super::out;
use super::target::{Look, Target};
use crate::profile::Profile;
use crate::project::counsel::{self, Notes};
use crate::project::excerpt::Excerpts;
use crate::project::matrix::{self, Concern, Matrix, Voices, Word};
use crate::project::report::{FindingReport, NotLoadedReport, SCHEMA};
use crate::project::section::Section;
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
    /// Say instead what each client makes of each skill: loads, changed or skipped
    #[arg(long)]
    matrix: bool,
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
    /// The clients that the finding concerns; of a finding of the project, none.
    clients: Option<Concern>,
    /// Where in the excerpt the finding's column begins, in cells.
    #[serde(skip)]
    caret: usize,
}

impl Check {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let Look { project, facts, agents, deck } = target.look(view)?;
        let skills = self.wanted(&deck)?;
        if self.matrix {
            let known = (&facts, view.profile.discovery());
            let matrix = Matrix::look(&project, &agents, view, known);
            self.print_matrix(&matrix, &deck, &skills)?;
            return Ok(self.outcome(&skills));
        }
        let notes = counsel::notes(&deck, view);
        let report = report(&project, &deck, (&skills, &notes), self.names.is_empty());
        match self.format {
            Format::Json => out::json(&report)?,
            Format::Text => out::lines(text(&report))?,
        }
        let failed = report.errors > 0 || (self.strict && report.warnings > 0);
        Ok(if failed { Outcome::No } else { Outcome::Done })
    }

    /// What the skills alone amount to, under the profile in use.
    fn outcome(&self, skills: &[&Skill]) -> Outcome {
        let least = if self.strict { Level::Warning } else { Level::Error };
        let is_bad = |skill: &&Skill| skill.findings.iter().any(|f| f.level >= least);
        if skills.iter().any(is_bad) { Outcome::No } else { Outcome::Done }
    }

    fn print_matrix(&self, matrix: &Matrix, deck: &Deck, skills: &[&Skill]) -> anyhow::Result<()> {
        let whole = self.names.is_empty();
        let wanted: Vec<_> = if whole {
            matrix.rows.keys().map(String::as_str).collect()
        } else {
            skills.iter().map(|skill| skill.folder()).collect()
        };
        if self.format == Format::Json {
            return out::json(&matrix_report(matrix, deck, &wanted));
        }
        let section = |folder: &&str| Section::new(folder, folder, matrix.of_skill(folder));
        let mut lines = Section::text(&wanted.iter().map(section).collect::<Vec<_>>());
        if whole {
            lines.extend(matrix.by_client().into_iter().map(|section| section.title));
        }
        out::lines(lines)
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

#[derive(Serialize)]
struct MatrixReport<'a> {
    schema: u32,
    project: &'a str,
    root: &'a str,
    agent: Option<&'a str>,
    clients: Vec<ClientReport<'a>>,
    skills: Vec<MatrixRow<'a>>,
}

#[derive(Serialize)]
struct ClientReport<'a> {
    profile: Profile,
    loads: usize,
    changed: usize,
    skipped: usize,
    trouble: Option<&'a str>,
}

#[derive(Serialize)]
struct MatrixRow<'a> {
    folder: &'a str,
    verdicts: Vec<VerdictReport<'a>>,
}

#[derive(Serialize)]
struct VerdictReport<'a> {
    profile: Profile,
    verdict: Word,
    how: Vec<&'a str>,
}

fn matrix_report<'a>(matrix: &'a Matrix, deck: &'a Deck, wanted: &[&'a str]) -> MatrixReport<'a> {
    let clients = matrix.clients.iter().map(|client| {
        let [loads, changed, skipped] = client.counts;
        let trouble = client.trouble.as_deref();
        ClientReport { profile: client.profile, loads, changed, skipped, trouble }
    });
    let verdict = |(profile, outcome): (Profile, &'a matrix::Outcome)| VerdictReport {
        profile,
        verdict: outcome.word(),
        how: outcome.how(),
    };
    let row = |folder: &&'a str| MatrixRow {
        folder,
        verdicts: matrix.row(folder).map(verdict).collect(),
    };
    MatrixReport {
        schema: SCHEMA,
        project: &deck.project,
        root: &deck.root,
        agent: deck.agent.as_deref(),
        clients: clients.collect(),
        skills: wanted.iter().map(row).collect(),
    }
}

fn report(
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
        clients: None,
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
        if let Some(clients) = item.clients.as_ref().and_then(Concern::words) {
            out.push(shown(&format!("    clients: {clients}")));
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
