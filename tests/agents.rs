//! `skilldeck agents`: what each agent is told, and what none gets.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use serde_json::Value;
use support::{Fixture, good, strings, with_head};

fn project() -> Fixture {
    let project = Fixture::new();
    for name in ["code-review", "deploy", "docs"] {
        project.skill(name, good(name, "Use it when asked."));
    }
    project.skill("hush", with_head("description: Hush.\nhide: true"));
    project.skill("broken", "no fence");
    project.file(
        ".kaged/project.yaml",
        "primary:\n  skills: [\"code-*\", hush]\n  subagents:\n    reviewer:\n      skills: [docs, \
         gone-*]\n    idle:\n      skills: []\n",
    );
    project
}

#[test]
fn every_agent_has_its_catalog_its_tool_and_its_skills() {
    let project = project();
    let run = project.run(&["agents", "--json"]).json();
    let agents = run["agents"].as_array().unwrap();
    let rows: Vec<_> = agents
        .iter()
        .map(|agent| (agent["agent"].as_str().unwrap(), strings(&agent["skills"])))
        .collect();
    assert_eq!(
        rows,
        [
            ("primary", vec!["code-review", "hush"]),
            ("primary/reviewer", vec!["docs"]),
            ("primary/idle", vec![]),
        ]
    );
    for agent in agents {
        let address = agent["agent"].as_str().unwrap();
        let tool = project.run(&["tool", "--agent", address]).stdout;
        let want = if tool.trim() == "null" { 0 } else { tool.chars().count() };
        assert_eq!(agent["tool_chars"], want, "{address}");
        let catalog = project.run(&["catalog", "--json", "--agent", address]).json();
        assert_eq!(agent["budget"], catalog["budget"], "{address}");
    }
    assert_eq!(strings(&run["nobody"]), ["deploy"]);
    let nothing = run["nothing"].as_array().unwrap();
    assert_eq!(nothing.len(), 1);
    assert_eq!(nothing[0]["pattern"], "gone-*");
    assert_eq!((nothing[0]["line"].as_u64(), nothing[0]["column"].as_u64()), (Some(5), Some(22)));
}

#[test]
fn in_words_the_lines_are_those_of_the_catalog() {
    let project = project();
    let text = project.run(&["agents"]).stdout;
    for line in [
        "primary  may use 2 of 4  1 listed  0 cut",
        "    - code-review: Use it when asked.",
        "    hidden, usable by name: hush",
        "    may not use: deploy, docs",
        "    it may use none, so it has no `skill.use` tool",
        "No agent gets 1 skill",
        "1 pattern matches nothing",
    ] {
        assert!(text.lines().any(|l| l == line), "no {line} in\n{text}");
    }
    assert!(!text.contains("broken"), "what does not load is not the agents' doing\n{text}");
}

#[test]
fn more_than_sixteen_skills_are_noted() {
    let project = Fixture::new();
    for i in 0..17 {
        let name = format!("s{i:02}");
        project.skill(&name, good(&name, "When."));
    }
    project.file(".kaged/project.yaml", "primary: {}\n");
    assert!(project.run(&["agents"]).stdout.contains("more than the 16"));
}

#[test]
fn a_file_that_breaks_is_named_with_the_place() {
    let project = project();
    project.file(".kaged/project.yaml", "primary:\n  skills: [a\nother: }\n");
    let run = project.run(&["agents"]);
    assert!(run.stdout.contains(".kaged/project.yaml:3:"), "{run:?}");
    let json: Value = project.run(&["agents", "--json"]).json();
    assert_eq!(json["agents"].as_array().unwrap().len(), 0);
}
