//! The commands that change skills: what they do, what they refuse, and that
//! everything can be taken back.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use support::{Fixture, good, row, with_head};

/// Every file, folder and link of the project but for the trash.
fn tree(project: &Fixture) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(dir: &Path, top: &Path, out: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(top).unwrap().to_owned();
            if below.ends_with(".trash") {
                continue;
            }
            if path.is_symlink() {
                out.insert(
                    below,
                    fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                );
            } else if path.is_dir() {
                out.insert(below, b"folder".to_vec());
                walk(&path, top, out);
            } else {
                out.insert(below, fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(&project.project(), &project.project(), &mut out);
    out
}

fn done(project: &Fixture, args: &[&str]) -> String {
    let output = project.run(args);
    assert_eq!(output.code, 0, "{args:?}: {}{}", output.stdout, output.stderr);
    output.stdout
}

/// The command that the last line names to take a change back.
fn undo_of(said: &str) -> Vec<String> {
    let (_, command) = said.trim_end().rsplit_once("undo: skilldeck ").unwrap();
    let words = std::process::Command::new("sh")
        .args(["-c", &format!("for word in {command}; do printf '%s\\0' \"$word\"; done")])
        .output()
        .unwrap();
    let text = String::from_utf8(words.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn names_that_may_not_be_are_refused_and_nothing_is_written() {
    let project = Fixture::new();
    project.good(&["taken"]).dir(".kaged/skills/Other");
    let before = tree(&project);
    let long = "a".repeat(65);
    for name in [
        "../x", "/x", "a/b", "a\\b", ".", "..", "", &long, "a\nb", "CON", "con", "TAKEN", "taken",
        "other",
    ] {
        for args in [&["new", name, "--description", "d"][..], &["copy", "taken", name]] {
            let output = project.run(args);
            assert_eq!(
                (output.code, output.stdout.as_str()),
                (2, ""),
                "{args:?}: {}",
                output.stderr
            );
            assert_eq!(output.stderr.lines().count(), 1, "{}", output.stderr);
        }
        if name != "taken" {
            let output = project.run(&["rename", "taken", name]);
            assert_eq!(output.code, 2, "{name:?}: {}", output.stdout);
        }
        assert_eq!(tree(&project), before, "{name:?}");
    }
}

#[test]
fn every_change_is_taken_back_by_the_command_it_names() {
    let project = Fixture::new();
    project.skill(
        "alpha",
        "---\n# first\nname: \"alpha\" # its name\ndescription: >-\n  Folded over\n  two lines.\nodd:   [1, 2]\n---\n\nBody\n",
    );
    project
        .file(".kaged/skills/alpha/scripts/a.sh", "true\n")
        .mode(".kaged/skills/alpha/scripts/a.sh", 0o755);
    project.skill("beta", good("beta", "See .kaged/skills/alpha/notes."));
    project.file(".kaged/project.yaml", "primary:\n  skills: [alpha, \"beta\"] # both\n");
    for args in [
        &["set", "alpha", "description", "X"][..],
        &["set", "alpha", "name", "other-name"],
        &["set", "alpha", "hide", "true"],
        &["set", "alpha", "globs", "a/**, b"],
        &["rename", "alpha", "omega"],
        &["rename", "alpha", "omega", "--references"],
        &["copy", "alpha", "omega"],
        &["rm", "alpha"],
        &["new", "gamma", "--description", "Quotes: \"needed\" # here"],
        &["new", "gamma", "--description", "d", "--template", "resources"],
    ] {
        let before = tree(&project);
        let said = done(&project, args);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_ne!(tree(&project), before, "{args:?}");
        let undo = undo_of(&said);
        done(&project, &undo.iter().map(String::as_str).collect::<Vec<_>>());
        let (after, want) = (tree(&project), &before);
        assert_eq!(&after, want, "{args:?} and {undo:?}");
    }
}

#[test]
fn a_rename_takes_the_name_and_what_refers_to_it() {
    let project = Fixture::new();
    project.good(&["alpha", "plain"]);
    project.skill("beta", good("beta", "See skills/alpha/notes and skills/alpha-2."));
    project.file(".kaged/project.yaml", "primary:\n  skills: [alpha, 'alpha', \"alpha*\"] # a\n");
    let said = project.run(&["rename", "alpha", "omega"]);
    assert!(said.stderr.contains(".kaged/project.yaml:2") && said.stderr.contains("--references"));
    assert!(fs::read_to_string(project.skill_md("omega")).unwrap().contains("name: omega\n"));
    done(&project, &["rename", "omega", "alpha"]);
    done(&project, &["rename", "alpha", "omega", "--references"]);
    let yaml = fs::read_to_string(project.at(".kaged/project.yaml")).unwrap();
    assert_eq!(yaml, "primary:\n  skills: [omega, 'omega', \"alpha*\"] # a\n");
    let beta = fs::read_to_string(project.skill_md("beta")).unwrap();
    assert!(beta.contains("See skills/omega/notes and skills/alpha-2."), "{beta}");
}

#[test]
fn a_new_skill_loads_and_says_what_it_was_given() {
    let project = Fixture::without_root();
    for (name, template) in
        [("a", "plain"), ("b", "arguments"), ("c", "resources"), ("d", "runbook")]
    {
        done(
            &project,
            &["new", name, "--description", "Use: when # \"x\"", "--template", template],
        );
        let list = project.list();
        let skill = row(&list, name);
        assert_eq!(skill["status"], "valid", "{skill}");
        assert_eq!(skill["description"], "Use: when # \"x\"");
    }
    let mode = fs::metadata(project.at(".kaged/skills/c/scripts/check.sh")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o111, 0o111, "a script can be run");
    let output = project.run(&["new", "e", "--description", "d", "--template", "nope"]);
    assert!(output.code == 2 && output.stderr.contains("plain, arguments, resources, runbook"));
    assert_eq!(project.run(&["new", "e", "--description", " "]).code, 2);
    let own = project.config_home().join("skilldeck/templates/mine");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("SKILL.md"), "---\ndescription: x\n---\n\nMine.\n").unwrap();
    done(&project, &["new", "mine", "--description", "d", "--template", "mine"]);
    assert!(fs::read_to_string(project.skill_md("mine")).unwrap().ends_with("\nMine.\n"));
}

#[test]
fn the_trash_lists_restores_and_forgets() {
    let project = Fixture::new();
    project.good(&["alpha", "beta"]);
    let before = tree(&project);
    done(&project, &["rm", "alpha"]);
    assert!(done(&project, &["restore"]).contains("alpha"));
    project.good(&["alpha"]);
    let output = project.run(&["restore", "alpha"]);
    assert!(output.code == 2 && output.stderr.contains("exists already"), "{}", output.stderr);
    fs::remove_dir_all(project.at(".kaged/skills/alpha")).unwrap();
    done(&project, &["restore", "alpha"]);
    assert_eq!(tree(&project), before);
    done(&project, &["rm", "beta", "--purge"]);
    assert!(done(&project, &["restore"]).contains("empty"));
    assert_eq!(project.run(&["restore", "beta"]).code, 2);
    let ignored = fs::read_to_string(project.at(".kaged/.trash/.gitignore")).unwrap();
    assert_eq!(ignored, "*\n");
}

#[test]
fn links_are_acted_on_and_what_they_lead_to_is_written_through() {
    let project = Fixture::new();
    project.file("shared/real/SKILL.md", good("linked", "d"));
    project.link(".kaged/skills/linked", "../../shared/real");
    project.dir(".kaged/skills/file").file("shared/one.md", good("file", "d"));
    project.link(".kaged/skills/file/SKILL.md", "../../../shared/one.md");
    for name in ["linked", "file"] {
        done(&project, &["set", name, "description", "new"]);
    }
    assert!(project.at(".kaged/skills/file/SKILL.md").is_symlink());
    for path in ["shared/real/SKILL.md", "shared/one.md"] {
        assert!(fs::read_to_string(project.at(path)).unwrap().contains("description: new\n"));
    }
    done(&project, &["rm", "linked"]);
    assert!(project.at("shared/real/SKILL.md").exists());
    assert!(!project.at(".kaged/skills/linked").is_symlink());
    done(&project, &["restore", "linked"]);
    done(&project, &["rename", "linked", "other"]);
    assert!(project.at(".kaged/skills/other").is_symlink());
}

#[test]
fn what_can_be_mended_is_mended_once() {
    let project = Fixture::new();
    project.skill("colon", with_head("name: colon\ndescription: Use when: x"));
    project.skill("bom", format!("\u{feff}{}", good("bom", "d")));
    project.skill("twice", with_head("name: twice\ndescription: a\ndescription: b"));
    project.file(".kaged/skills/lower/skill.md", good("lower", "d"));
    project.file(".kaged/skills/loose.md", good("loose", "d"));
    project.skill("My Tool", with_head("description: d"));
    project.skill("Upper", with_head("name: Upper\ndescription: d"));
    project.skill("late", format!("Before.\n{}", good("late", "d")));
    let before = tree(&project);
    let shown = project.run(&["fix", "--dry-run"]);
    assert_eq!(shown.code, 1, "{}", shown.stderr);
    assert_eq!(tree(&project), before, "nothing is written");
    assert!(shown.stdout.contains("-description: Use when: x"), "{}", shown.stdout);
    done(&project, &["fix"]);
    let list = project.list();
    for name in ["colon", "bom", "twice", "lower", "loose", "my-tool", "late", "upper"] {
        assert_eq!(row(&list, name)["status"], "valid", "{}", row(&list, name));
    }
    let after = tree(&project);
    assert!(done(&project, &["fix"]).contains("nothing to fix"));
    assert_eq!(tree(&project), after);
    assert_eq!(project.run(&["fix", "--dry-run"]).code, 0);
}

#[test]
fn a_folder_that_may_not_be_written_is_named() {
    let project = Fixture::new();
    project.good(&["alpha"]);
    done(&project, &["restore"]);
    project.mode(".kaged/skills/alpha", 0o555);
    let Some(output) = project.run_powerless(&["set", "alpha", "description", "X"]) else { return };
    project.mode(".kaged/skills/alpha", 0o755);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("no permission to change"), "{}", output.stderr);
    assert!(fs::read_to_string(project.skill_md("alpha")).unwrap().contains("description: "));
}

/// Rounds of the test below; `KILL_ROUNDS=200` for a long one.
fn rounds() -> usize {
    std::env::var("KILL_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn killed_at_any_moment_nothing_is_half_done_after_the_next_command() {
    let project = Fixture::new();
    project.skill("alpha", good("alpha", "Old."));
    let old = fs::read(project.skill_md("alpha")).unwrap();
    let commands: [&[&str]; 4] = [
        &["set", "alpha", "description", "A new description."],
        &["rename", "alpha", "omega"],
        &["rm", "alpha"],
        &["set", "alpha", "description", "Old."],
    ];
    for round in 0..rounds() {
        let args = commands[round % commands.len()];
        let mut child =
            project.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Not a wait for something: the moment of death is what is tried out.
        std::thread::sleep(Duration::from_micros((round as u64 * 397) % 20_000));
        child.kill().unwrap();
        child.wait().unwrap();
        // The next writing command finishes it or takes it back.
        let output = project.run(&["restore"]);
        assert_eq!(output.code, 0, "round {round}: {}", output.stderr);
        let names: Vec<_> = fs::read_dir(project.at(".kaged/skills"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        if names.is_empty() {
            done(&project, &["restore", "alpha"]);
        } else if names == ["omega"] {
            done(&project, &["rename", "omega", "alpha"]);
        } else {
            assert_eq!(names, ["alpha"], "round {round}");
        }
        let text = fs::read_to_string(project.skill_md("alpha")).unwrap();
        let is_whole = text.as_bytes() == old || text.contains("description: A new description.\n");
        assert!(is_whole && text.ends_with("\n\nDo it.\n"), "round {round}: {text}");
        let files = fs::read_dir(project.at(".kaged/skills/alpha")).unwrap().count();
        assert_eq!(files, 1, "round {round}: something was left behind");
    }
}
