//! What a shell and a reader of manuals get.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::process::Command;

use support::{Fixture, good};

fn project() -> Fixture {
    let project = Fixture::new();
    project.skill("code-review", good("code-review", "Use it when asked."));
    project.skill("deploy", good("deploy", "Use it when told."));
    project.file(".kaged/project.yaml", "primary:\n  subagents:\n    reviewer: {}\n");
    project
}

/// What bash is told of a line whose last word is to be completed.
fn completed(project: &mut Fixture, words: &[&str]) -> Vec<String> {
    project.env("SKILLDECK_COMPLETE", "bash");
    project.env("_CLAP_COMPLETE_INDEX", &(words.len() - 1).to_string());
    project.env("_CLAP_IFS", "\n");
    let run = project.run(&[&["--"], words].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words:?}");
    project.unset("SKILLDECK_COMPLETE");
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn names_of_skills_agents_and_clients_are_completed() {
    let mut project = project();
    for (words, want) in [
        (vec!["skilldeck", "preview", "co"], vec!["code-review"]),
        (vec!["skilldeck", "rm", "d"], vec!["deploy"]),
        (vec!["skilldeck", "check", "deploy", "code"], vec!["code-review"]),
        (vec!["skilldeck", "list", "--agent", "primary/"], vec!["primary/reviewer"]),
        (vec!["skilldeck", "list", "--profile", "kaged-"], vec!["kaged-strict"]),
        (vec!["skilldeck", "rest"], vec!["restore"]),
        (vec!["skilldeck", "check", "--budget-e"], vec!["--budget-exceeded"]),
    ] {
        assert_eq!(completed(&mut project, &words), want, "{words:?}");
    }
}

#[test]
fn a_name_that_a_shell_would_obey_is_not_completed() {
    let mut project = project();
    project.skill("x\u{1b}[2Jy", good("x", "Odd folder."));
    project.skill("x\u{1b}[2Jy", "---\ndescription: Odd.\n---\n\nBody.\n");
    let all = completed(&mut project, &["skilldeck", "preview", ""]);
    assert!(all.iter().all(|name| !name.contains('\u{1b}')), "{all:?}");
    assert!(all.contains(&"deploy".to_owned()), "{all:?}");
}

#[test]
fn without_a_project_there_is_nothing_to_complete_and_no_error() {
    let mut project = Fixture::without_root();
    std::fs::remove_dir_all(project.at(".kaged")).unwrap();
    assert!(completed(&mut project, &["skilldeck", "preview", "zzz"]).is_empty());
}

#[test]
fn every_shell_has_its_script() {
    let project = project();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = project.run(&["completions", shell]);
        assert_eq!(run.code, 0, "{shell}");
        assert!(run.stdout.contains("SKILLDECK_COMPLETE"), "{shell}: {}", run.stdout);
    }
    let run = project.run(&["completions", "tcsh"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("bash, elvish, fish, powershell, zsh"), "{}", run.stderr);
}

#[test]
fn bash_itself_completes_with_the_script() {
    let project = project();
    let script = project.run(&["completions", "bash"]).stdout;
    let run = format!(
        "{script}\nskilldeck() {{ :; }}\nCOMP_WORDS=(skilldeck preview co)\nCOMP_CWORD=2\n\
         COMP_TYPE=9\n_clap_complete_skilldeck skilldeck co preview\necho \"${{COMPREPLY[@]}}\"\n"
    );
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_skilldeck")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(bin.to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    // The script calls the program by its name, so bash must not have a function of it.
    let run = run.replace("skilldeck() { :; }\n", "");
    let mut command = Command::new("bash");
    command.arg("-c").arg(run).env("PATH", path).current_dir(project.project());
    let Ok(output) = command.output() else { return };
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.trim(), "code-review", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_command_has_a_page_and_examples() {
    let project = project();
    let help = project.run(&["--help"]).stdout;
    let commands: Vec<_> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 18, "{commands:?}");
    for command in commands {
        let page = project.run(&["man", command]);
        assert_eq!(page.code, 0, "{command}: {}", page.stderr);
        assert!(page.stdout.contains(&format!(".TH skilldeck-{command} 1")), "{}", page.stdout);
        let help = project.run(&[command, "--help"]).stdout;
        assert!(help.contains("Examples:\n  "), "{command}\n{help}");
        assert!(page.stdout.contains("Examples:"), "{command}: the page has them too");
    }
    assert!(project.run(&["man"]).stdout.contains(".TH skilldeck 1"));
    let run = project.run(&["man", "nothing"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}

#[test]
fn colours_are_as_the_environment_wants_them() {
    let mut project = project();
    project.skill("broken", "no fence\n");
    project.unset("NO_COLOR").env("NO_COLOR", "");
    assert!(!project.run(&["check"]).stdout.contains('\u{1b}'), "a pipe has none");
    project.env("CLICOLOR_FORCE", "1");
    for command in ["check", "list"] {
        let text = project.run(&[command]).stdout;
        assert!(text.contains("\u{1b}[1;31m"), "{text}");
    }
    let json = project.run(&["check", "--format", "json"]).stdout;
    assert!(!json.contains('\u{1b}'), "documents have none");
    project.env("NO_COLOR", "1");
    assert!(!project.run(&["check"]).stdout.contains('\u{1b}'));
}

#[test]
fn a_command_or_skill_that_is_nearly_there_is_named() {
    let project = project();
    let run = project.run(&["prewiev", "deploy"]);
    assert!(run.code == 2 && run.stderr.contains("'preview'"), "{}", run.stderr);
    let run = project.run(&["preview", "depoly"]);
    assert!(run.code == 2 && run.stderr.contains("`deploy`"), "{}", run.stderr);
}
