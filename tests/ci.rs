//! The forms of `check` for machines: annotations, SARIF, `JUnit`.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use support::{Fixture, good, real_projects, with_head};

fn project() -> Fixture {
    let project = Fixture::new();
    project.skill("good", good("good", "Use it when all is well."));
    project.skill("other", good("another", "Use it when names differ: 50 %, a<b & \"c\"."));
    project.skill("broken", "no fence\n");
    project.skill("odd", with_head("name: odd\ndescription: Use it when\u{1b}[31m odd."));
    project
}

const BAD_PATTERN: &str = "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$";

/// The file of the schema, of which a crate that the tests build with has a copy.
fn schema() -> Value {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    // Only of this system are all crates at hand.
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    command.args(["--filter-platform", host]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|p| p["name"] == "serde-sarif").unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json"));
    let mut schema: Value = serde_json::from_str(&text.unwrap()).unwrap();
    // The one pattern of the standard's schema that is no regular expression.
    drop_bad_patterns(&mut schema);
    schema
}

fn drop_bad_patterns(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, value| key != "pattern" || value != BAD_PATTERN);
            map.values_mut().for_each(drop_bad_patterns);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_bad_patterns),
        _ => {}
    }
}

#[test]
fn the_sarif_is_valid_and_names_the_place() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let project = project();
    let run = project.run(&["check", "--format", "sarif"]);
    assert_eq!(run.code, 1);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<_> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert!(!validator.is_valid(&serde_json::json!({"version": "2.1.0"})), "it can fail");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let result = results.iter().find(|r| r["ruleId"] == "name-mismatch").unwrap();
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], ".kaged/skills/other/SKILL.md");
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["startColumn"]),
        (&2.into(), &7.into())
    );
    assert_eq!(result["level"], "warning");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    // The same findings as in the other forms.
    let json: Value =
        serde_json::from_str(&project.run(&["check", "--format", "json"]).stdout).unwrap();
    assert_eq!(results.len(), json["findings"].as_array().unwrap().len());
}

#[test]
fn the_sarif_of_real_projects_is_valid() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let (mut logs, mut results) = (0, 0);
    for dir in real_projects() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skilldeck"));
        command.args(["check", "--format", "sarif", "--project"]).arg(&dir);
        let output = command.output().unwrap();
        if output.status.code() == Some(2) {
            assert!(output.stdout.is_empty(), "{}: nothing but a whole document", dir.display());
            continue;
        }
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<_> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", dir.display());
        logs += 1;
        results += log["runs"][0]["results"].as_array().unwrap().len();
    }
    println!("{logs} logs with {results} results are valid");
}

#[test]
fn annotations_have_file_line_and_column_of_the_fault() {
    let mut project = project();
    let top = project.home();
    project.env("GITHUB_WORKSPACE", top.to_str().unwrap());
    let run = project.run(&["check", "--format", "github"]);
    assert_eq!(run.code, 1);
    let line = |start: &str| {
        let found = run.stdout.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in\n{}", run.stdout)).to_owned()
    };
    let file = "file=project/.kaged/skills";
    line(&format!("::error {file}/broken/SKILL.md,line=1,col=1,title=no-frontmatter::"));
    let other =
        line(&format!("::warning {file}/other/SKILL.md,line=2,col=7,title=name-mismatch::"));
    assert!(other.contains("%0Afix: set `name: other`"), "{other}");
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.starts_with("::")), "{}", run.stdout);
}

#[test]
fn junit_has_a_test_for_each_skill_and_fails_what_fails() {
    let project = project();
    let names = |xml: &str, what: &str| xml.lines().filter(|l| l.starts_with(what)).count();
    let run = project.run(&["check", "--format", "junit"]);
    assert_eq!(run.code, 1);
    let xml = run.stdout;
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "{xml}");
    assert_eq!((names(&xml, "<testcase "), names(&xml, "<failure ")), (5, 2));
    assert!(xml.contains("tests=\"5\" failures=\"2\""), "{xml}");
    assert!(xml.contains("name=\"good\"/>"), "{xml}");
    let strict = project.run(&["check", "--format", "junit", "--strict"]).stdout;
    assert_eq!(names(&strict, "<failure "), 3, "{strict}");
    assert!(!xml.contains('\u{1b}') && !xml.contains("a<b"), "{xml}");
    let python = Command::new("python3")
        .args(["-c", "import sys, xml.dom.minidom as m; m.parseString(sys.argv[1])", &xml])
        .status();
    if let Ok(status) = python {
        assert!(status.success(), "another reader of XML reads it");
    }
}

#[test]
fn what_is_cut_fails_when_that_is_asked_for() {
    let project = Fixture::new();
    project.skill("a", good("a", "Use it when a."));
    project.skill("b", good("b", "Use it when b."));
    let check = |args: &[&str]| project.run(&[&["check", "--budget", "25"], args].concat());
    assert_eq!(check(&[]).code, 0);
    let run = check(&["--budget-exceeded", "error"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("error[budget-exceeded]: the budget of 25 characters cuts 1 skill")
    );
    assert_eq!(check(&["--budget-exceeded=warning"]).code, 0);
    assert_eq!(check(&["--budget-exceeded=warning", "--strict"]).code, 1);
    assert_eq!(check(&["--budget-exceeded=note", "--strict"]).code, 0);
    let run = project.run(&["check", "--budget-exceeded", "error"]);
    assert_eq!(run.code, 0, "nothing is cut: {}", run.stdout);
}

#[test]
fn what_cannot_be_looked_at_is_no_document() {
    let project = Fixture::without_root();
    project.file(".kaged/skills", "no folder");
    for format in ["json", "github", "sarif", "junit", "text"] {
        let run = project.run(&["check", "--format", format]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{format}");
        assert!(!run.stderr.is_empty(), "{format}");
    }
}
