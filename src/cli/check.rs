//! `skilldeck check`

use clap::{Args, ValueEnum};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::profile::Profile;
use crate::project::file::Readable;
use crate::project::report::{FindingReport, NotLoadedReport, SCHEMA};
use crate::project::{Deck, Project, Skill, View};
use crate::skill::place::{Place, lines};
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
    let mut excerpts = Excerpts { project, last: None };
    let mut findings = Vec::new();
    for skill in skills {
        for finding in sorted(&skill.findings) {
            let file = deck.file(skill, finding);
            findings.push(excerpts.item(Some(skill.folder()), finding, Some(file)));
        }
    }
    if whole {
        for finding in sorted(&deck.findings) {
            findings.push(excerpts.item(None, finding, finding.file.clone()));
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

fn sorted(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<_> = findings.iter().collect();
    sorted.sort_by_key(|f| (std::cmp::Reverse(f.level), f.place));
    sorted
}

/// Lines of files. Findings come file by file, so only the last one is kept.
struct Excerpts<'a> {
    project: &'a Project,
    last: Option<(String, Vec<String>)>,
}

impl Excerpts<'_> {
    fn item(&mut self, skill: Option<&str>, finding: &Finding, file: Option<String>) -> Item {
        let excerpt = finding.place.zip(file.as_deref()).and_then(|(p, f)| self.excerpt(f, p));
        let (excerpt, caret) = excerpt.unzip();
        Item {
            skill: skill.map(str::to_owned),
            finding: FindingReport { file, ..FindingReport::of_project(finding) },
            excerpt,
            caret: caret.unwrap_or(0),
        }
    }

    fn excerpt(&mut self, file: &str, place: Place) -> Option<(String, usize)> {
        if self.last.as_ref().is_none_or(|(name, _)| name != file) {
            let path = self.project.dir().join(file);
            let readable = Readable::find(&path, self.project.boundary()).ok()?;
            let (_, bytes) = readable.read().ok()?;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let text = lines(text).map(|line| line.text.to_owned()).collect();
            self.last = Some((file.to_owned(), text));
        }
        let (_, text) = self.last.as_ref()?;
        Some(excerpt(text.get(place.line as usize - 1)?, place.column as usize))
    }
}

/// The part of a line around a column, safe to show, and where in it the
/// column begins, in cells.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const AFTER: usize = 60;
    let at = column - 1;
    let from = at.saturating_sub(BEFORE);
    let chars: Vec<char> = line.chars().collect();
    let part = |range: std::ops::Range<usize>| {
        let range = range.start.min(chars.len())..range.end.min(chars.len());
        shown(&chars[range].iter().collect::<String>()).into_string()
    };
    let mut before = part(from..at);
    if from > 0 {
        before.insert(0, '…');
    }
    let mut after = part(at..at + AFTER);
    if at + AFTER < chars.len() {
        after.push('…');
    }
    let caret = before.width();
    (before + &after, caret)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_points_at_its_column() {
        assert_eq!(excerpt("description: a: b", 15), ("description: a: b".into(), 14));
        assert_eq!(excerpt("审查 x", 4), ("审查 x".into(), 5));
        assert_eq!(excerpt("a\u{1b}b", 3), ("a\\x1Bb".into(), 5));
        assert_eq!(excerpt("short", 40), ("short".into(), 5));
        let long = "x".repeat(200);
        let (text, caret) = excerpt(&long, 100);
        assert_eq!(caret, 61);
        assert!(text.starts_with('…') && text.ends_with('…'));
    }
}
