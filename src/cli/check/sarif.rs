//! Findings as SARIF 2.1.0 (OASIS), which code scanning reads.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::report::{Item, Report};
use crate::project::Project;
use crate::skill::{Code, Level};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The page that tells of each code.
const FINDINGS: &str = include_str!("../../../docs/findings.md");

/// What is no plain character of a path in an address.
const ODD: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The whole log: one run, with the rules that its results name.
pub fn log(report: &Report, project: &Project) -> Value {
    let named: BTreeSet<_> = report.findings.iter().map(|item| item.finding.code).collect();
    let named: Vec<_> = named.into_iter().collect();
    let results = report.findings.iter().map(|item| result(item, &named));
    let dir = format!("file://{}/", encoded(&project.dir().to_string_lossy()));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": named.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"PROJECT": {"uri": dir}},
            "invocations": [{"executionSuccessful": true}],
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ODD).to_string()
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn rule(code: Code) -> Value {
    let about = about(code);
    let first = about.split_inclusive(". ").next().unwrap_or(about.as_str()).trim();
    json!({
        "id": code.as_str(),
        "shortDescription": {"text": first},
        "fullDescription": {"text": about},
        "help": {"text": about},
        "defaultConfiguration": {"level": level(code.level())},
    })
}

/// The first paragraph on a code.
fn about(code: Code) -> String {
    let entry = FINDINGS.split_once(&format!("### `{}`\n", code.as_str()));
    let text = entry.map_or("", |(_, rest)| rest.trim_start());
    let paragraph = text.split("\n\n").next().unwrap_or("");
    paragraph.lines().collect::<Vec<_>>().join(" ")
}

fn result(item: &Item, rules: &[Code]) -> Value {
    let finding = &item.finding;
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!("\nfix: {fix}"));
    let mut result = json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": rules.iter().position(|code| *code == finding.code),
        "level": level(finding.level),
        "message": {"text": format!("{}{fix}", finding.message)},
    });
    if let Some(file) = &finding.file {
        let mut location = json!({
            "artifactLocation": {"uri": encoded(file), "uriBaseId": "PROJECT"},
        });
        if let (Some(line), Some(column)) = (finding.line, finding.column) {
            location["region"] = json!({"startLine": line, "startColumn": column});
        }
        result["locations"] = json!([{"physicalLocation": location}]);
    }
    if let Some(skill) = &item.skill {
        result["properties"] = json!({"skill": skill});
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_word_about_it() {
        for code in Code::ALL {
            assert!(about(*code).len() > 20, "{code}: {}", about(*code));
        }
    }
}
