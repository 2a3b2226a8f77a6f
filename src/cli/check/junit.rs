//! Findings as `JUnit` XML: a test for each skill, and one for the project.

use std::collections::HashMap;

use super::report::{Item, Report};
use crate::skill::Level;
use crate::skill::text::{Shown, shown};

/// The lines of the document. What is of the level `least` or above fails the test.
pub fn suite<'a>(report: &'a Report, least: Level) -> Vec<Shown> {
    let mut of_skill: HashMap<&str, Vec<&Item>> = HashMap::new();
    let mut project = Vec::new();
    for item in &report.findings {
        match item.skill.as_deref() {
            Some(skill) => of_skill.entry(skill).or_default().push(item),
            None => project.push(item),
        }
    }
    let case_of = |folder: &'a String| {
        (folder.as_str(), of_skill.remove(folder.as_str()).unwrap_or_default())
    };
    let cases: Vec<(&str, Vec<&Item>)> = report.folders.iter().map(case_of).collect();
    let is_bad = |item: &&&Item| item.finding.level >= least;
    let failures = cases.iter().filter(|(_, items)| items.iter().any(|i| is_bad(&i))).count()
        + usize::from(project.iter().any(|item| is_bad(&item)));
    let tests = cases.len() + 1;
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
        format!("<testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"),
        format!(
            "<testsuite name=\"skilldeck as {}\" tests=\"{tests}\" failures=\"{failures}\" \
             errors=\"0\" skipped=\"0\">",
            report.profile
        ),
    ];
    for (folder, items) in &cases {
        case(&mut lines, "skills", folder, items, least);
    }
    case(&mut lines, "project", "project", &project, least);
    lines.extend(["</testsuite>".to_owned(), "</testsuites>".to_owned()]);
    lines.iter().map(|line| shown(line)).collect()
}

fn case(lines: &mut Vec<String>, class: &str, name: &str, items: &[&Item], least: Level) {
    let open = format!("<testcase classname=\"{class}\" name=\"{}\"", escaped(name));
    if items.is_empty() {
        lines.push(format!("{open}/>"));
        return;
    }
    lines.push(format!("{open}>"));
    let (bad, other): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| item.finding.level >= least);
    if let Some(first) = bad.first() {
        lines.push(format!(
            "<failure type=\"{}\" message=\"{}\">",
            first.finding.code,
            escaped(&first.finding.message)
        ));
        lines.extend(bad.iter().map(|item| said(item)));
        lines.push("</failure>".to_owned());
    }
    if !other.is_empty() {
        lines.push("<system-out>".to_owned());
        lines.extend(other.iter().map(|item| said(item)));
        lines.push("</system-out>".to_owned());
    }
    lines.push("</testcase>".to_owned());
}

fn said(item: &Item) -> String {
    let finding = &item.finding;
    let place = match (&finding.file, finding.line, finding.column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        (Some(file), ..) => format!("{file}: "),
        _ => String::new(),
    };
    let text = format!("{place}{}[{}]: {}", finding.level.word(), finding.code, finding.message);
    escaped(&text)
}

/// A text in XML. What XML cannot hold is shown escaped before, on its way out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown(text).as_str().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
        assert_eq!(escaped("\u{1}\u{ffff}"), "\\x01\u{fffd}");
    }
}
