//! `skilldeck check`: the findings, each form of them in its file.

mod github;
mod junit;
mod matrix;
mod report;
mod sarif;
mod text;

use anyhow::bail;
use clap::{Args, ValueEnum};

use self::report::Report;
use super::Outcome;
use super::out;
use super::target::{Look, Target};
use crate::project::counsel;
use crate::project::matrix::Matrix;
use crate::project::{Deck, Skill, View};
use crate::skill::Level;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck check                                      everything, for people
  skilldeck check code-review --strict                 one skill; warnings fail too
  skilldeck check --budget-exceeded error              a skill past the cut fails too
  skilldeck check --format sarif > skilldeck.sarif     for code scanning
  skilldeck check --matrix                             what each client makes of each skill")]
pub struct Check {
    /// Only these skills [default: all, and the project]
    #[arg(add = crate::cli::complete::skills())]
    names: Vec<String>,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Exit 1 also when there are only warnings
    #[arg(long)]
    strict: bool,
    /// Say it as a finding when the budget cuts skills, and of this level
    #[arg(long, value_name = "LEVEL", value_enum)]
    budget_exceeded: Option<Severity>,
    /// Say instead what each client makes of each skill: loads, changed, untold or skipped
    #[arg(long)]
    matrix: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A test report for CI in XML: a test for each skill
    Junit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Severity {
    Error,
    Warning,
    Note,
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

impl Check {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        if self.matrix && !matches!(self.format(), Format::Text | Format::Json) {
            bail!("the matrix is written as text or json");
        }
        let Look { project, facts, agents, mut deck } = target.look(view)?;
        if let Some(level) = self.budget_exceeded {
            deck.findings.extend(report::budget_exceeded(&deck, level.into()));
        }
        let skills = self.wanted(&deck)?;
        if self.matrix {
            let known = (&facts, view.profile.discovery());
            let matrix = Matrix::look(&project, &agents, view, known);
            self.print_matrix(&matrix, &deck, &skills)?;
            return Ok(self.outcome(&skills));
        }
        let notes = counsel::notes(&deck, view);
        let report = report::report(&project, &deck, (&skills, &notes), self.names.is_empty());
        match self.format() {
            Format::Json => out::json(&report)?,
            Format::Text => out::lines(text::text(&report))?,
            Format::Github => out::lines(github::annotations(&report, &project))?,
            Format::Sarif => out::json(&sarif::log(&report, &project))?,
            Format::Junit => out::lines(junit::suite(&report, self.least()))?,
        }
        Ok(self.answer(&report))
    }

    fn answer(&self, report: &Report) -> Outcome {
        let failed = report.errors > 0 || (self.strict && report.warnings > 0);
        if failed { Outcome::No } else { Outcome::Done }
    }

    /// The least level that fails a check.
    fn least(&self) -> Level {
        if self.strict { Level::Warning } else { Level::Error }
    }

    /// What the skills alone amount to, under the profile in use.
    fn outcome(&self, skills: &[&Skill]) -> Outcome {
        let is_bad = |skill: &&Skill| skill.findings.iter().any(|f| f.level >= self.least());
        if skills.iter().any(is_bad) { Outcome::No } else { Outcome::Done }
    }

    fn print_matrix(&self, matrix: &Matrix, deck: &Deck, skills: &[&Skill]) -> anyhow::Result<()> {
        let whole = self.names.is_empty();
        let wanted: Vec<_> = if whole {
            matrix.rows.keys().map(String::as_str).collect()
        } else {
            skills.iter().map(|skill| skill.folder()).collect()
        };
        match self.format() {
            Format::Json => out::json(&matrix::report(matrix, deck, &wanted)),
            _ => out::lines(matrix::text(matrix, &wanted, whole)),
        }
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
