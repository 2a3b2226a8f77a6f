//! `skilldeck hint`: the skills that touching a file suggests.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use support::{Fixture, strings, with_head};

fn project() -> Fixture {
    let project = Fixture::new();
    let skill = |name: &str, more: &str| {
        project.skill(name, with_head(&format!("description: When.\n{more}")));
    };
    skill("rust", "globs: [\"**/*.rs\", \"Cargo.toml\"]");
    skill("top", "globs: [\"*.rs\"]");
    skill("quiet", "globs: [\"*.rs\"]\nhide: true");
    skill("plain", "");
    project
}

/// The hints that are told for paths, and what is told beside them.
fn told(project: &Fixture, paths: &[&str]) -> (Vec<String>, String) {
    let run = project.run(&[&["hint"], paths].concat());
    assert_eq!(run.code, 0, "{run:?}");
    (run.stdout.lines().map(str::to_owned).collect(), run.stderr)
}

fn hint(name: &str) -> String {
    format!(
        "[The file you're working with matches the {name} skill's globs. Consider activating it \
         with skill.use if relevant.]"
    )
}

#[test]
fn a_path_suggests_the_skills_whose_globs_match_it() {
    let project = project();
    // Only `**` matches a slash.
    assert_eq!(told(&project, &["src/deep/main.rs"]).0, [hint("rust")]);
    assert_eq!(told(&project, &["Cargo.toml"]).0, [hint("rust")]);
    assert_eq!(told(&project, &["sub/Cargo.toml"]).0, [""; 0]);
    let (lines, stderr) = told(&project, &["./README.md"]);
    assert_eq!((lines.len(), stderr.contains("suggests no skill")), (0, true), "{stderr}");
}

#[test]
fn each_skill_is_told_once_in_a_session() {
    let project = project();
    let (lines, _) = told(&project, &["a.rs", "b.rs", "src/c.rs"]);
    let mut sorted = lines.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), lines.len(), "{lines:?}");
    assert!(lines.contains(&hint("rust")) && lines.contains(&hint("top")), "{lines:?}");
    let run = project.run(&["hint", "--json", "a.rs", "b.rs"]).json();
    let rows = run["paths"].as_array().unwrap();
    assert_eq!(rows[1]["path"], "b.rs");
    assert!(strings(&rows[1]["skills"]).contains(&"rust"), "each path has all of its skills");
    assert!(strings(&rows[1]["hints"]).is_empty(), "and tells only what is new");
}

#[test]
fn a_path_outside_of_the_project_matches_nothing_and_is_named() {
    let project = project();
    let (lines, stderr) = told(&project, &["../else.rs"]);
    assert!(lines.is_empty() && stderr.contains("lies outside of the project"), "{stderr}");
    let run = project.run(&["hint", "--json", "../else.rs", "a.rs"]).json();
    let rows = run["paths"].as_array().unwrap();
    assert_eq!((rows.len(), rows[0]["path"].as_str()), (2, Some("../else.rs")));
    // An absolute path inside counts like one below.
    let inside = project.project().join("src/x.rs");
    assert_eq!(told(&project, &[inside.to_str().unwrap()]).0, [hint("rust")]);
}

#[test]
fn an_agent_is_told_only_of_skills_it_may_use() {
    let project = project();
    project.file(".kaged/project.yaml", "primary:\n  subagents:\n    r:\n      skills: [top]\n");
    let run = project.run(&["hint", "a.rs", "--agent", "primary/r"]);
    assert_eq!(run.stdout.trim_end(), hint("top"));
}

#[test]
fn a_bad_glob_is_a_finding_with_its_column_and_the_others_count() {
    let project = Fixture::new();
    project.skill("odd", with_head("description: When.\nglobs: [\"*.md\", \"a[\", \"*.rs\"]"));
    let run = project.run(&["check", "--format", "json"]).json();
    let all = run["findings"].as_array().unwrap();
    let finding = all.iter().find(|f| f["code"] == "glob-invalid").expect("a finding");
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(3), Some(17)));
    assert_eq!(told(&project, &["x.rs"]).0, [hint("odd")]);
}
