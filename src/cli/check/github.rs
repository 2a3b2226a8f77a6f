//! Findings as annotations of GitHub Actions: workflow commands, a line each.

use std::env;
use std::path::{Path, PathBuf};

use super::report::{Item, Report};
use crate::project::Project;
use crate::skill::Level;
use crate::skill::text::{Shown, shown};

/// A line for each finding, errors first in GitHub's own list.
pub fn annotations(report: &Report, project: &Project) -> Vec<Shown> {
    let top = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let top = top.or_else(|| env::current_dir().ok()).unwrap_or_default();
    let place = Places { top: top.canonicalize().unwrap_or(top), dir: project.boundary() };
    let items = report.findings.iter().map(|item| annotation(item, &place));
    let beside = report.not_loaded.iter().map(|thing| {
        let file = property(&place.of(&thing.path));
        format!("::notice file={file},title={}::{}", thing.code, text(&thing.message))
    });
    items.chain(beside).map(|line| shown(&line)).collect()
}

/// Paths as GitHub knows them: relative to the checkout.
struct Places<'a> {
    top: PathBuf,
    dir: &'a Path,
}

impl Places<'_> {
    fn of(&self, file: &str) -> String {
        let whole = self.dir.join(file);
        let below = whole.strip_prefix(&self.top).unwrap_or(&whole);
        below.to_string_lossy().into_owned()
    }
}

fn annotation(item: &Item, places: &Places<'_>) -> String {
    let finding = &item.finding;
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(file) = &finding.file {
        properties.push(format!("file={}", property(&places.of(file))));
    }
    if let (Some(line), Some(column)) = (finding.line, finding.column) {
        properties.push(format!("line={line},col={column}"));
    }
    properties.push(format!("title={}", finding.code));
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!("\nfix: {fix}"));
    let message = format!("{}{fix}", finding.message);
    format!("::{command} {}::{}", properties.join(","), text(&message))
}

/// What a workflow command would obey, escaped.
fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(value: &str) -> String {
    text(value).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_command() {
        assert_eq!(text("50 %\r\nnext: a, b"), "50 %25%0D%0Anext: a, b");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
