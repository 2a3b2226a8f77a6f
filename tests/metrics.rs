//! Activations are recorded when asked, and never their arguments.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::fs;

use serde_json::{Value, json};
use skilldeck::harness::{Call, Library};
use skilldeck::project::{Project, View};
use skilldeck::prompt::arguments::Arguments;
use support::{Fixture, good, with_head};

fn library(project: &Fixture) -> Library {
    project.skill("ask", with_head("name: ask\ndescription: Asks.") + "Ask $ARGUMENTS.\n");
    project.skill("fix", good("fix", "Fixes."));
    project.file(".kaged/project.yaml", "primary:\n  skills: [ask]\n");
    Library::open(Project::open(&project.project()).unwrap(), View::default()).unwrap()
}

fn lines(project: &Fixture) -> Vec<Value> {
    let text = fs::read_to_string(project.home().join("m.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_activation_is_a_line_without_its_arguments() {
    let project = Fixture::new();
    let mut library = library(&project);
    library.activate("ask", Arguments::NotGiven).unwrap();
    assert!(!project.home().join("m.jsonl").exists(), "not unless it is asked for");
    library.record_to(project.home().join("m.jsonl"));
    let content = library.activate(" ask", Arguments::Given("a sécret")).unwrap().content;
    library.activate("ask", Arguments::NotGiven).unwrap();
    library.activate("fix", Arguments::NotGiven).unwrap_err();
    library.activate("gone", Arguments::Given("")).unwrap_err();
    library.call(&Call::new(json!({"name": "ask", "args": "x"})), false);
    let lines = lines(&project);
    let field = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(field("skill"), ["ask", "ask", "fix", "gone", "ask"]);
    assert_eq!(field("args_chars"), [json!(8), json!(null), json!(null), json!(0), json!(1)]);
    assert_eq!(field("outcome"), ["OK", "OK", "PERMISSION_DENIED", "NOT_FOUND", "OK"]);
    assert_eq!(lines[0]["chars"], content.chars().count());
    assert_eq!((&lines[0]["agent"], &lines[2]["chars"]), (&json!("primary"), &json!(0)));
    assert_eq!(lines[0]["project"], project.project().to_str().unwrap());
    let text = fs::read_to_string(project.home().join("m.jsonl")).unwrap();
    assert!(!text.contains("cret"), "{text}");
    assert_eq!(library.record_trouble(), None);
}

#[test]
fn a_record_that_cannot_be_written_fails_no_activation() {
    let project = Fixture::new();
    let mut library = library(&project);
    library.record_to(project.home().join("no/such/dir/m.jsonl"));
    library.activate("ask", Arguments::NotGiven).unwrap();
    let trouble = library.record_trouble().unwrap();
    assert!(trouble.contains("no/such/dir"), "{trouble}");
    library.record_to(project.home().join("m.jsonl"));
    library.activate("ask", Arguments::NotGiven).unwrap();
    assert_eq!(library.record_trouble(), None, "what is over is over");
}
