//! Notes that compare skills with each other, and what a manifest beside a skill says.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::fs;

use support::{Fixture, good, with_head};

/// Skill, code, line and message of every note that `check` finds of some codes.
fn notes(project: &Fixture, codes: &[&str]) -> Vec<(String, String, u64, String)> {
    let run = project.run(&["check", "--format", "json"]);
    let run: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let text = |v: &serde_json::Value| v.as_str().unwrap_or("").to_owned();
    let findings = run["findings"].as_array().unwrap().iter();
    findings
        .filter(|f| codes.iter().any(|code| f["code"] == *code))
        .map(|f| {
            assert_eq!(f["level"], "note", "{f}");
            let line = f["line"].as_u64().unwrap_or(0);
            (text(&f["skill"]), text(&f["code"]), line, text(&f["message"]))
        })
        .collect()
}

fn skills(notes: &[(String, String, u64, String)]) -> Vec<&str> {
    notes.iter().map(|(skill, ..)| skill.as_str()).collect()
}

#[test]
fn a_description_says_when_to_use_the_skill() {
    for (description, is_said) in [
        ("Reviews code. Use it when somebody asks.", false),
        ("Triggered by deploys.", false),
        ("Use for PDF files", false),
        ("Runs before every commit", false),
        ("Reviews code.", true),
        ("Reviews code, thoroughly and with style", true),
        // Words of another language are not judged.
        ("审查代码并说明问题", false),
    ] {
        let project = Fixture::new();
        project.skill("a", good("a", description));
        let got = notes(&project, &["description-no-when"]);
        assert_eq!(!got.is_empty(), is_said, "{description}: {got:?}");
        if is_said {
            assert_eq!(got[0].2, 3, "the line of the description");
        }
    }
}

#[test]
fn descriptions_that_compete_name_each_other() {
    let project = Fixture::new();
    let text = "Reviews pull requests for correctness, security and style when asked";
    project.skill("review-a", good("review-a", text));
    project.skill("review-b", good("review-b", &format!("{text} kindly")));
    project.skill("other", good("other", "Deploys the service to production when told to do so"));
    let got = notes(&project, &["description-similar"]);
    assert_eq!(skills(&got), ["review-a", "review-b"]);
    assert!(got[0].3.contains("`review-b` (90 % of the words)"), "{got:?}");
    // Skills of different agents do not compete.
    project.file(
        ".kaged/project.yaml",
        "primary:\n  skills: [review-a]\n  subagents:\n    b:\n      skills: [review-b]\n",
    );
    assert!(notes(&project, &["description-similar"]).is_empty());
}

#[test]
fn globs_that_one_file_matches_are_named() {
    let project = Fixture::new();
    let skill = |name: &str, globs: &str| {
        project.skill(name, with_head(&format!("description: When. {name}\nglobs: {globs}")));
    };
    skill("rust", "[\"**/*.rs\"]");
    skill("tests", "[\"tests/*.rs\", \"*.snap\"]");
    skill("docs", "[\"docs/**\"]");
    let got = notes(&project, &["globs-overlap"]);
    assert_eq!(skills(&got), ["rust", "tests"]);
    assert_eq!(got[0].2, 3, "the line of `globs`");
}

#[test]
fn instructions_that_contradict_have_both_places() {
    let project = Fixture::new();
    let body = |text: &str| format!("---\ndescription: Use it when asked.\n---\n\n{text}\n");
    project.skill("one", body("Always squash the commits."));
    project.skill("two", body("First.\n\nNever squash the commits."));
    project.skill("three", body("You must not push tags.\n"));
    project.skill("four", body("- You must push tags\n"));
    // Said and forbidden by the same skill, in code, and of other words: not a contradiction of two.
    project
        .skill("five", body("Never rebase. Always rebase.\n\n```\nnever squash the commits\n```"));
    let got = notes(&project, &["instructions-contradict"]);
    let mut places: Vec<_> =
        got.iter().map(|(skill, _, line, _)| (skill.as_str(), *line)).collect();
    places.sort_unstable();
    assert_eq!(places, [("four", 5), ("one", 5), ("three", 5), ("two", 7)]);
    let one = got.iter().find(|note| note.0 == "one").unwrap();
    assert!(one.3.contains(".kaged/skills/two/SKILL.md:7:"), "{one:?}");
    project.file(
        ".kaged/project.yaml",
        "primary:\n  skills: [one]\n  subagents:\n    b:\n      skills: [two, three]\n",
    );
    assert!(notes(&project, &["instructions-contradict"]).is_empty(), "no agent has both");
}

#[test]
fn notes_are_silenced_in_the_config_alone() {
    let project = Fixture::new();
    project.skill("a", good("a", "Says nothing of its time"));
    project.skill("b", good("b", "Says nothing of its place"));
    let codes = ["description-no-when"];
    assert_eq!(skills(&notes(&project, &codes)), ["a", "b"]);
    let dir = project.config_home().join("skilldeck");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("config.toml"), "[silence]\na = [\"description-no-when\"]\n").unwrap();
    assert_eq!(skills(&notes(&project, &codes)), ["b"]);
}

#[test]
fn a_manifest_is_compared_with_the_skill() {
    let codes = ["manifest-invalid", "manifest-mismatch", "manifest-files", "version-not-semver"];
    let whole = r#"{"name":"a","namespace":"@me","version":"1.0.0","description":"When.",
        "files":["SKILL.md","notes.md"]}"#;
    for (manifest, want) in [
        (whole.to_owned(), vec![]),
        (whole.replace("\"a\"", "\"b\""), vec![("manifest-mismatch", "calls the skill `b`")]),
        (whole.replace("When.", "Other."), vec![("manifest-mismatch", "another than that")]),
        (whole.replace("1.0.0", "1.2.0"), vec![("manifest-mismatch", "has the version `1.2.0`")]),
        (
            whole.replace("1.0.0", "1.0"),
            vec![("version-not-semver", "`1.0`"), ("manifest-mismatch", "`1.0`")],
        ),
        (
            whole.replace("notes.md", "gone.md"),
            vec![
                ("manifest-files", "what is not there: `gone.md`"),
                ("manifest-files", "does not list `notes.md`"),
            ],
        ),
        (whole.replace("\"@me\"", "7"), vec![("manifest-invalid", "has no `namespace`")]),
        (
            whole.replace("When.", &"x".repeat(281)),
            vec![("manifest-invalid", "281 characters"), ("manifest-mismatch", "another")],
        ),
        ("[]".to_owned(), vec![("manifest-invalid", "not a JSON object")]),
        ("{".to_owned(), vec![("manifest-invalid", "is not JSON: ")]),
    ] {
        let project = Fixture::new();
        project.skill("a", with_head("name: a\ndescription: When.\nversion: \"1.0.0\""));
        project.file(".kaged/skills/a/notes.md", "Notes.\n");
        project.file(".kaged/skills/a/manifest.json", &manifest);
        let got = notes(&project, &codes);
        assert_eq!(got.len(), want.len(), "{manifest}: {got:?}");
        for (code, text) in want {
            let is_it =
                |note: &&(String, String, u64, String)| note.1 == code && note.3.contains(text);
            assert!(got.iter().find(is_it).is_some(), "{code} {text}: {got:?}");
        }
    }
}

#[test]
fn a_long_manifest_is_compared_in_no_time() {
    let project = Fixture::new();
    project.skill("a", with_head("name: a\ndescription: When."));
    let files: Vec<_> = (0..60_000).map(|i| format!("\"f{i}\"")).collect();
    let manifest = format!(
        r#"{{"name":"a","namespace":"m","version":"1.0.0","description":"When.","files":[{}]}}"#,
        files.join(",")
    );
    project.file(".kaged/skills/a/manifest.json", manifest);
    for i in 0..500 {
        project.file(format!(".kaged/skills/a/r{i}"), "");
    }
    let got = notes(&project, &["manifest-files"]);
    assert!(got.iter().any(|note| note.3.contains("60,000 files")), "{got:?}");
    assert!(got.iter().any(|note| note.3.contains("`f0`")), "{got:?}");
}
