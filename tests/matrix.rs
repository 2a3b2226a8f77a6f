//! What every client makes of every skill, as `check --matrix` says it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use serde_json::Value;
use skilldeck::profile::Profile;
use support::{Fixture, good, strings, with_head};

fn verdicts(run: &Value, folder: &str) -> Vec<(String, String)> {
    let skills = run["skills"].as_array().unwrap();
    let row = skills.iter().find(|row| row["folder"] == folder).expect(folder);
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let verdicts = row["verdicts"].as_array().unwrap();
    verdicts.iter().map(|v| (text(&v["profile"]), text(&v["verdict"]))).collect()
}

fn of(verdicts: &[(String, String)], word: &str) -> Vec<String> {
    verdicts.iter().filter(|(_, verdict)| verdict == word).map(|(name, _)| name.clone()).collect()
}

#[test]
fn every_skill_has_a_verdict_of_every_client_and_the_sums_agree() {
    let project = Fixture::new();
    project.skill("plain", good("plain", "Use it when it is plain."));
    project.skill("numbered", with_head("name: numbered\ndescription: Takes $1.") + "See $1.\n");
    project.skill("named", good("other-name", "Has another name."));
    project.skill("broken", "no fence");
    let run = project.run(&["check", "--matrix", "--format", "json"]);
    assert_eq!(run.code, 1, "the client in use skips one");
    let run: Value = serde_json::from_str(&run.stdout).unwrap();
    let all: Vec<_> = Profile::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(run["skills"].as_array().unwrap().len(), 4);
    let names = |verdicts: &[(String, String)]| -> Vec<String> {
        verdicts.iter().map(|(name, _)| name.clone()).collect()
    };
    for folder in ["plain", "numbered", "named", "broken"] {
        assert_eq!(names(&verdicts(&run, folder)), all, "{folder}");
    }
    assert_eq!(of(&verdicts(&run, "plain"), "loads"), all);
    assert_eq!(
        of(&verdicts(&run, "numbered"), "changed"),
        ["claude-code", "opencode", "goose"],
        "those that know positional arguments"
    );
    let skipped = of(&verdicts(&run, "named"), "skipped");
    for client in ["cline", "roo", "vscode-copilot"] {
        assert!(skipped.contains(&client.to_owned()), "{skipped:?}");
    }
    assert!(!skipped.contains(&"kaged".to_owned()), "{skipped:?}");
    for (at, client) in run["clients"].as_array().unwrap().iter().enumerate() {
        for word in ["loads", "changed", "untold", "skipped"] {
            let count = ["plain", "numbered", "named", "broken"]
                .iter()
                .filter(|folder| verdicts(&run, folder)[at].1 == word)
                .count();
            assert_eq!(client[word], count, "{client}");
        }
        assert_eq!(client["trouble"], Value::Null);
    }
}

#[test]
fn skipped_says_why_and_changed_says_how() {
    let project = Fixture::new();
    project.skill("named", good("other-name", "Has another name."));
    project.skill("silent", with_head("name: silent"));
    let text = project.run(&["check", "--matrix"]).stdout;
    let (named, silent) = text.split_once("silent\n").unwrap();
    assert!(named.starts_with("named\n"), "{text}");
    assert!(named.contains("skipped by cline, roo, vscode-copilot: "), "{text}");
    assert!(
        silent.contains("changed in claude-code: its description is the first paragraph"),
        "{text}"
    );
    assert!(text.contains("\nkaged          1 skipped 0 untold 0 changed 1 load\n"), "{text}");
}

#[test]
fn names_choose_rows_and_the_exit_code() {
    let project = Fixture::new();
    project.skill("plain", good("plain", "Plain."));
    project.skill("broken", "no fence");
    let run = project.run(&["check", "--matrix", "plain"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "plain\n    loads in every client\n"));
    assert_eq!(project.run(&["check", "--matrix", "broken"]).code, 1);
    assert_eq!(project.run(&["check", "--matrix", "nobody"]).code, 2);
}

#[test]
fn clients_that_look_deeper_see_what_lies_deeper() {
    let project = Fixture::new();
    project.skill("group/inner", good("inner", "Lies deeper."));
    let run = project.run(&["check", "--matrix", "--format", "json"]);
    let run: Value = serde_json::from_str(&run.stdout).unwrap();
    let inner = verdicts(&run, "group/inner");
    assert!(of(&inner, "loads").contains(&"mycodeagent".to_owned()), "{inner:?}");
    assert!(of(&inner, "skipped").contains(&"kaged".to_owned()), "{inner:?}");
}

#[test]
fn a_finding_names_the_clients_it_concerns() {
    let project = Fixture::new();
    project.skill("named", good("other-name", "Has another name. Use it when asked."));
    let run = project.run(&["check", "--format", "json"]).json();
    let findings = run["findings"].as_array().unwrap();
    let finding = findings.iter().find(|f| f["code"] == "name-mismatch").unwrap();
    let errors = strings(&finding["clients"]["error"]);
    assert!(errors.contains(&"cline"), "{errors:?}");
    let warnings = strings(&finding["clients"]["warning"]);
    assert!(warnings.contains(&"kaged"), "{warnings:?}");
    let text = project.run(&["check"]).stdout;
    assert!(text.contains("clients: "), "{text}");
}

#[test]
fn what_loads_and_is_left_out_of_the_catalog_is_untold() {
    let project = Fixture::new();
    project.skill("a", good("a", "Use it when asked."));
    project.skill("b", good("b", "Use it when told."));
    project.skill("hush", with_head("description: Hush.\nhide: true"));
    let run = project.run(&["check", "--matrix", "--json", "--budget", "25"]).json();
    let kaged = |folder: &str| {
        let skills = run["skills"].as_array().unwrap();
        let row = skills.iter().find(|row| row["folder"] == folder).unwrap();
        let verdict = row["verdicts"].as_array().unwrap()[0].clone();
        (verdict["verdict"].as_str().unwrap().to_owned(), strings(&verdict["how"]).join("; "))
    };
    assert_eq!(kaged("a"), ("loads".to_owned(), String::new()));
    assert_eq!(kaged("b"), ("untold".to_owned(), "22 characters past the cut".to_owned()));
    assert_eq!(kaged("hush"), ("untold".to_owned(), "hidden".to_owned()));
}
