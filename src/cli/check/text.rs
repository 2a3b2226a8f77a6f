//! Findings for people.

use super::report::Report;
use crate::cli::colour::Line;
use crate::project::matrix::Concern;
use crate::skill::text::{counted, shown};

/// The lines.
pub fn text(report: &Report) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for item in &report.findings {
        let finding = &item.finding;
        let place = match (&finding.file, finding.line, finding.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            (Some(file), ..) => format!("{file}: "),
            _ => String::new(),
        };
        out.push(Line::new(
            shown(&place),
            shown(&format!("{}[{}]", finding.level.word(), finding.code)),
            finding.level.into(),
            shown(&format!(": {}", finding.message)),
        ));
        if let Some(excerpt) = &item.excerpt {
            out.push(shown(&format!("    {excerpt}")).into());
            out.push(shown(&format!("    {}^", " ".repeat(item.caret))).into());
        }
        if let Some(clients) = item.clients.as_ref().and_then(Concern::words) {
            out.push(shown(&format!("    clients: {clients}")).into());
        }
        if let Some(fix) = &finding.fix {
            out.push(shown(&format!("    fix: {fix}")).into());
        }
    }
    for thing in &report.not_loaded {
        out.push(shown(&format!("{}: note[{}]: {}", thing.path, thing.code, thing.message)).into());
    }
    let summary = format!(
        "{} checked as {}: {}, {}, {}",
        counted(report.skills, "skill", "skills"),
        report.profile,
        counted(report.errors, "error", "errors"),
        counted(report.warnings, "warning", "warnings"),
        counted(report.notes, "note", "notes"),
    );
    out.push(shown(&summary).into());
    out
}
