//! The commands as scripts meet them: exit codes, streams, and what is safe to show.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod support;

use serde_json::{Value, json};
use support::{
    Fixture, codes, each, folders, good, raw_controls, row, strings, verdict, with_head,
};

/// A skill that loads, one with a warning, one that does not load.
fn three() -> Fixture {
    let project = Fixture::new();
    project.good(&["fine"]).skill("oddity", good("other", "Has another name."));
    project.skill("broken", with_head("name: broken"));
    project
}

fn states(list: &Value, state: &str) -> String {
    let rows = list["skills"].as_array().unwrap().iter();
    let in_it = rows.filter(|row| row["catalog"]["state"] == state);
    in_it.map(|row| row["folder"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_cannot_be_done_ends_with_2_and_leaves_standard_output_empty() {
    let project = three();
    for (args, said) in [
        (&["nonsense"][..], "nonsense"),
        (&["list", "--nonsense"], "--nonsense"),
        (&["list", "extra"], "extra"),
        (&["preview"], "<NAME>"),
        (&["check", "--format", "xml"], "xml"),
        (&["catalog", "--json", "--fill", "x"], "--fill"),
        (&["list", "--profile", "claude"], "there are kaged, kaged-strict, mycodeagent"),
        (&["list", "--agent", "reviewer"], "there is no agent `reviewer`"),
        (&["list", "--root", "/dev/null"], "is not a directory"),
        (&["watch", "--json", "--root", "/dev/null"], "is not a directory"),
        (&["check", "no-such-thing"], "there is no skill `no-such-thing`"),
        (&["check", "fine", "no-such-thing"], "there is no skill `no-such-thing`"),
        (&["preview", "fin"], "did you mean `fine`?"),
        (&["preview", ""], "there is no skill ``"),
        (&["check", "brokn"], "did you mean `broken`?"),
        (&["check", "oddty"], "did you mean `oddity`?"),
    ] {
        let output = project.run(args);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{args:?}: {output:?}");
        assert!(output.stderr.contains(said), "{args:?}: {}", output.stderr);
    }
    for args in [&["--help"][..], &["--version"], &["list", "--help"]] {
        let output = project.run(args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
}

#[cfg(feature = "tui")]
#[test]
fn the_screen_does_not_open_as_an_agent_that_is_not_there() {
    let output = three().run(&["--agent", "reviewer"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("there is no agent `reviewer`"), "{}", output.stderr);
}

#[test]
fn flags_count_before_a_command_as_behind_it() {
    let project = three();
    for args in [
        ["--profile", "mycodeagent", "--budget", "10", "list", "--json"],
        ["list", "--json", "--profile", "mycodeagent", "--budget", "10"],
    ] {
        let report: Value = serde_json::from_str(&project.run(&args).stdout).unwrap();
        assert_eq!(report["profile"], "mycodeagent", "{args:?}");
        assert_eq!(report["budget"]["limit"], 10, "{args:?}");
    }
}

#[test]
fn a_skill_is_named_by_its_name_or_else_by_its_folder() {
    let project = three();
    project.skill("fine-too", with_head("name: twin")).skill("oddity-too", with_head("name: twin"));
    for (name, folder) in
        [("fine", "fine"), ("other", "oddity"), ("oddity", "oddity"), ("fine-too", "fine-too")]
    {
        let report = project.run(&["check", "--format", "json", name]);
        let report: Value = serde_json::from_str(&report.stdout).unwrap();
        assert_eq!(report["skills"], 1, "{name}");
        let of = each(&report["findings"], "skill");
        assert!(of.iter().all(|skill| *skill == folder), "{name}: {of:?}");
    }
    for command in ["check", "preview"] {
        let output = project.run(&[command, "twin"]);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{command}");
        assert!(output.stderr.contains("fine-too, oddity-too"), "{command}: {}", output.stderr);
    }
}

#[test]
fn check_answers_by_its_exit_code() {
    let project = three();
    for (args, code) in [
        (&["check"][..], 1),
        (&["check", "broken"], 1),
        (&["check", "oddity"], 0),
        (&["check", "oddity", "--strict"], 1),
        (&["check", "fine", "--strict"], 0),
        (&["check", "fine", "oddity", "--strict"], 1),
        (&["check", "fine", "broken"], 1),
        (&["check", "oddity", "--profile", "kaged-strict"], 1),
        (&["check", "fine", "--strict", "--budget", "abc"], 0),
    ] {
        assert_eq!(project.run(args).code, code, "{args:?}");
    }
    let project = Fixture::new();
    project.good(&["fine"]).file(".kaged/skills/README.md", "A note.").dir(".kaged/skills/.x");
    for (args, code) in [
        (&["check"][..], 0),
        (&["check", "--strict"], 0),
        (&["check", "--budget", "abc"], 0),
        (&["check", "--strict", "--budget", "abc"], 1),
        (&["check", "--strict", "--budget", "0"], 0),
    ] {
        assert_eq!(project.run(args).code, code, "only notes beside it: {args:?}");
    }
}

#[test]
fn check_shows_the_place_the_line_and_the_fix() {
    let project = Fixture::new();
    project.skill("a", with_head("name: a\ndescription: 审查: every change"));
    project.file(".kaged/skills/README", "x");
    let output = project.run(&["check"]);
    let lines: Vec<_> = output.stdout.lines().collect();
    let start = ".kaged/skills/a/SKILL.md:3:16: warning[yaml-lenient]: ";
    assert!(lines[0].starts_with(start), "{}", output.stdout);
    assert_eq!(lines[1], "    description: 审查: every change");
    // Two of the characters before it are two cells wide.
    assert_eq!(lines[2], format!("    {}^", " ".repeat(15 + 2)));
    assert_eq!(
        lines[3],
        "    clients: skipped by kaged-strict, agentskills, codex, cline, roo, goose, \
         vscode-copilot, zed; matters to kaged, claude-code, opencode, gemini-cli"
    );
    assert_eq!(lines[4], "    fix: put quotes around the value");
    assert!(lines[5].starts_with(".kaged/skills/README: note[loose-file]: "), "{}", lines[5]);
    assert_eq!(lines[6], "1 skill checked as kaged: 0 errors, 1 warning, 0 notes");
    assert_eq!((lines.len(), output.stderr.as_str()), (7, ""));
}

#[test]
fn check_of_names_leaves_out_what_is_not_of_them() {
    let project = three();
    project.file(".kaged/skills/README.md", "x");
    let report = project.run(&["check", "--format", "json", "oddity", "--budget", "abc"]).json();
    assert_eq!((&report["skills"], &report["warnings"]), (&json!(1), &json!(1)));
    assert_eq!(each(&report["findings"], "code"), ["name-mismatch", "description-no-when"]);
    assert_eq!(report["not_loaded"], json!([]));
    let finding = &report["findings"][0];
    for (field, want) in [
        ("skill", json!("oddity")),
        ("level", json!("warning")),
        ("file", json!(".kaged/skills/oddity/SKILL.md")),
        ("line", json!(2)),
        ("column", json!(7)),
        ("excerpt", json!("name: other")),
        ("fix", json!("set `name: oddity`")),
    ] {
        assert_eq!(finding[field], want, "{field}");
    }
}

#[test]
fn a_preview_of_what_does_not_load_ends_with_1_and_says_why() {
    let project = three();
    project
        .good(&["twin"])
        .skill("twin-2", good("twin", "Is shadowed."))
        .dir(".kaged/skills/empty");
    project.link(".kaged/skills/gone", "nowhere").fifo(".kaged/skills/pipe/SKILL.md");
    for (name, said) in [
        ("broken", "missing-description"),
        ("twin-2", "shadowed by the folder `twin`"),
        ("empty", "has no `SKILL.md`"),
        ("gone", "leads to nothing"),
        ("pipe", "is a FIFO"),
    ] {
        let output = project.run(&["preview", name]);
        assert_eq!((output.code, output.stdout.as_str()), (1, ""), "{name}");
        assert!(output.stderr.contains(said), "{name}: {}", output.stderr);
        assert!(output.stderr.contains("NOT_FOUND: `"), "{name}: {}", output.stderr);
    }
    let project = Fixture::new();
    project.good(&["a"]).mode(project.skill_md("a"), 0o000);
    if let Some(output) = project.run_powerless(&["preview", "a"]) {
        assert_eq!((output.code, output.stdout.as_str()), (1, ""));
        assert!(output.stderr.contains("PERMISSION_DENIED: `a`"), "{}", output.stderr);
    }
}

#[test]
fn arguments_reach_the_body_of_a_preview() {
    let project = Fixture::new();
    let text = |name: &str, body: &str| {
        format!("---\nname: {name}\ndescription: Takes arguments.\n---\n\n{body}\n")
    };
    project.skill("slot", text("slot", "Fix $ARGUMENTS, or $ARGUMENTS."));
    project.skill("plain", text("plain", "Review."));
    for (name, args, as_kaged, as_mycodeagent) in [
        ("slot", &[][..], "Fix $ARGUMENTS, or $ARGUMENTS.", "Fix , or ."),
        ("slot", &["--args", ""], "Fix , or .", "Fix , or ."),
        ("slot", &["--args", " a b \n"], "Fix a b, or a b.", "Fix a b, or a b."),
        (
            "slot",
            &["--args", "-$ARGUMENTS"],
            "Fix -$ARGUMENTS, or -$ARGUMENTS.",
            "Fix -$ARGUMENTS, or -$ARGUMENTS.",
        ),
        ("plain", &[], "Review.", "Review."),
        ("plain", &["--args", " "], "Review.", "Review."),
        ("plain", &["--args", "a.rs"], "Review.\n\nARGUMENTS: a.rs", "Review.\n\nARGUMENTS: a.rs"),
    ] {
        let dir = format!(".kaged/skills/{name}");
        let output = project.run(&[&["preview", name], args].concat());
        let want = format!(
            "<skill_content name=\"{name}\">\n{as_kaged}\n\nSkill directory: {dir}\nRelative paths in \
             this skill are relative to the skill directory.\n</skill_content>"
        );
        assert_eq!((output.code, output.stdout), (0, want), "{name} {args:?}");
        let output = project.run(&[&["preview", name, "-P", "mycodeagent"], args].concat());
        let want = format!("Base directory for this skill: {dir}\n\n\n{as_mycodeagent}");
        assert_eq!((output.code, output.stdout), (0, want), "{name} {args:?} as mycodeagent");
    }
}

#[test]
fn standard_output_is_one_clean_document() {
    let project = three();
    project.file(".kaged/project.yaml", "primary: [\n");
    for (args, code) in [
        (&["list", "--json"][..], 0),
        (&["check", "--format", "json"], 1),
        (&["catalog", "--json", "--budget", "20"], 0),
        (&["tool"], 0),
    ] {
        let output = project.run(args);
        assert_eq!((output.code, output.stderr.as_str()), (code, ""), "{args:?}");
        assert!(serde_json::from_str::<Value>(&output.stdout).is_ok(), "{args:?}");
        // The tool definition goes to a model, and so has no byte too many.
        let ends = usize::from(args[0] != "tool");
        assert_eq!(output.stdout.matches('\n').count(), ends, "{args:?}");
    }
}

#[test]
fn output_that_nobody_takes_is_told_by_the_exit_code() {
    let project = three();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = project.command(&["list"]).stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(128 + 13), "the reader went away");
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let status = project.command(&["list"]).stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(2), "the disk is full");
    }
}

/// Text that a terminal would obey, that turns the reading order, that hides.
const HOSTILE: &str = "\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{200b}";

/// A project that holds [`HOSTILE`] wherever a file can hold text.
fn hostile() -> Fixture {
    let project = Fixture::new();
    let yaml = "\\e[2J\\x7f\\x9b31m\\u202e\\u200b";
    let raw = "\u{7f}\u{9b}31m\u{202e}\u{200b}";
    for (folder, text) in [
        ("name", with_head(&format!("name: \"{yaml}\"\ndescription: d"))),
        ("description", with_head(&format!("description: \"a{yaml}b\""))),
        ("field", with_head(&format!("description: d\n\"{yaml}\": \"{yaml}\"\nhide: \"{yaml}\""))),
        ("raw", with_head(&format!("description: d {raw}\nx{raw}: y"))),
        ("lenient", with_head(&format!("description: a: {raw}\nname: {raw}"))),
        ("twice", with_head(&format!("description: d\nx{raw}: 1\nx{raw}: 2"))),
        ("tag", with_head(&format!("description: !{raw} d"))),
        ("no-yaml", with_head(&format!("description: d\n{raw}"))),
        ("control", with_head(&format!("description: {HOSTILE}"))),
        ("no-fence", format!("{HOSTILE}\n")),
        ("no-end", format!("---\ndescription: d\n{HOSTILE}")),
        ("body", good("body", "d") + HOSTILE + " /home/" + HOSTILE + " </skill_content>"),
        ("resources", good("resources", "d")),
    ] {
        project.skill(folder, text);
    }
    project.skill(format!("f{HOSTILE}\nnext\t"), good("folder", "d"));
    project.skill(format!("g{HOSTILE}"), good("folder", "d"));
    project.skill(format!("h{HOSTILE}"), with_head("description: d"));
    project.file(format!(".kaged/skills/resources/r{HOSTILE}\nnext"), "x");
    project.link(format!(".kaged/skills/resources/l{HOSTILE}"), format!("gone{HOSTILE}"));
    project.link(format!(".kaged/skills/link{HOSTILE}"), format!("gone{HOSTILE}"));
    project.link(".kaged/skills/out", format!("../../../o{HOSTILE}"));
    project.dir(format!("../o{HOSTILE}"));
    project
        .file(format!(".kaged/skills/loose{HOSTILE}"), "x")
        .dir(format!(".kaged/skills/.{HOSTILE}"));
    project.file(
        ".kaged/project.yaml",
        format!("primary:\n  skills: [\"*\", \"no{yaml}\", \"x[{yaml}\"]\n  subagents:\n    \"s{yaml}\": {{skills: 1}}\n"),
    );
    project
}

#[test]
fn no_raw_control_of_a_file_reaches_a_stream() {
    let project = hostile();
    let near = format!("f{HOSTILE}\nnex");
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["check"],
        &["check", "--format", "json"],
        &["catalog", "--json"],
        &["catalog", "--explain"],
        &["tool"],
        &["list", "--budget", HOSTILE],
        &["list", "--agent", HOSTILE],
        &["check", &near],
        &["preview", "no-fence"],
        &["preview", "out"],
    ] {
        for profile in ["kaged", "kaged-strict", "mycodeagent"] {
            let output = project.run(&[args, &["--profile", profile]].concat());
            let all = format!("{}{}", output.stdout, output.stderr);
            let what = format!("{args:?} as {profile}");
            assert_eq!(raw_controls(&all), [], "{what}");
            assert!(!all.contains(['\u{202e}', '\u{200b}']), "{what}: {all}");
            assert!(!all.lines().any(|line| line.starts_with("next")), "{what}: a forged line");
            let told = profile != "kaged" || args[0] == "tool" || all.contains("[2J");
            assert!(told, "{what}: shows nothing hostile");
        }
    }
    let list = project.list();
    assert_eq!(row(&list, "description")["description"], format!("a{HOSTILE}b"), "the exact text");
    assert!(folders(&list).contains(&format!("f{HOSTILE}\nnext\t").as_str()));
}

#[test]
fn kaged_strict_refuses_what_comes_after_sixteen() {
    let project = Fixture::new();
    let names: Vec<_> = (1..=18).map(|n| format!("skill-{n:02}")).collect();
    for name in &names {
        project.skill(name, good(name, "Does one thing."));
    }
    let subagent = "primary:\n  subagents:\n    few: {skills: [\"skill-1*\"]}\n";
    project.file(".kaged/project.yaml", subagent);
    let list = project.list_as(&["--profile", "kaged-strict"]);
    assert_eq!(states(&list, "listed"), names[..16].join(" "));
    for name in &names[16..] {
        assert_eq!(verdict(row(&list, name)), "error more-than-16", "{name}");
    }
    assert_eq!(codes(&list), "", "it is said of the skills, not of the project");
    assert_eq!(project.run(&["check", "--profile", "kaged-strict"]).code, 1);
    assert_eq!(project.run(&["preview", "skill-17", "--profile", "kaged-strict"]).code, 1);

    // An agent that may use fewer is not refused any of them.
    let list = project.list_as(&["--profile", "kaged-strict", "--agent", "primary/few"]);
    assert_eq!(states(&list, "listed"), names[9..].join(" "));
}

#[test]
fn mycodeagent_finds_skills_at_any_depth_and_the_last_of_a_name_wins() {
    let project = Fixture::new();
    project
        .good(&["a"])
        .skill("group/b", good("b", "Deep."))
        .skill(".system/c", good("c", "Hidden."));
    project.file(".kaged/skills/SKILL.md", good("top", "In the root."));
    project.skill("one", good("twin", "First.")).skill("two/deep", good("twin", "Last."));
    project.skill("Odd Folder", good("odd", "The folder does not matter."));
    project.file("lib/linked/SKILL.md", good("linked", "Is not followed."));
    project.link(".kaged/skills/linked", "../../lib/linked").dir(".kaged/skills/empty");
    let list = project.list_as(&["--profile", "mycodeagent"]);
    for (folder, state) in [
        (".", "listed"),
        (".system/c", "listed"),
        ("Odd Folder", "listed"),
        ("a", "listed"),
        ("empty", "error"),
        ("group/b", "listed"),
        ("linked", "error"),
        ("one", "duplicate"),
        ("two/deep", "listed"),
    ] {
        assert_eq!(row(&list, folder)["catalog"]["state"], state, "{folder}");
    }
    assert_eq!(folders(&list).len(), 9, "{:?}", folders(&list));
    assert_eq!(
        project.run(&["catalog", "--profile", "mycodeagent"]).stdout,
        "- a: Does one thing.\n- b: Deep.\n- c: Hidden.\n- odd: The folder does not matter.\n\
         - top: In the root.\n- twin: Last."
    );
    for (name, dir) in [("b", "/group/b"), ("twin", "/two/deep"), ("top", ""), ("c", "/.system/c")]
    {
        let output = project.run(&["preview", name, "--profile", "mycodeagent"]);
        let want = format!("Base directory for this skill: .kaged/skills{dir}\n\n\nDo it.");
        assert_eq!((output.code, output.stdout), (0, want), "{name}");
    }
}

#[test]
fn mycodeagent_reads_its_own_root_when_it_is_named() {
    let project = Fixture::new();
    project.file("skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\nGo $ARGUMENTS \n\n");
    let args = ["preview", "x", "--profile", "mycodeagent", "--root", "skills", "--args", "on"];
    assert_eq!(project.run(&args).stdout, "Base directory for this skill: skills/x\n\nGo on");
}

/// The two files, the agent asked for and the one looked at, the folders that
/// are listed, and the codes of the project.
type AgentCase = (&'static str, [&'static str; 2], [&'static str; 2], &'static str, &'static str);

const BASE: &str = "\
model: m
primary:
  skills: [ask, 'deploy-*']
  subagents:
    all: {}
    none: {skills: []}
    odd: {skills: {ask: {}}}
    up: {subagents: {deep: {skills: ['?sk', '{fix,x}']}}}
";

#[test]
fn agents_get_the_skills_of_their_globs() {
    const ALL: &str = "ask deploy-a deploy-b fix";
    const DEPLOY: &str = "ask deploy-a deploy-b";
    const ODD: &str = "unknown-agent-skills";
    const ASK: &str = "primary: {skills: [ask]}";
    const FIX: &str = "primary: {skills: [fix]}";
    let cases: &[AgentCase] = &[
        ("no file", ["", ""], ["", ""], ALL, ""),
        ("globs", [BASE, ""], ["", "primary"], DEPLOY, ODD),
        ("the same by name", [BASE, ""], ["primary", "primary"], DEPLOY, ODD),
        ("no skills field", [BASE, ""], ["primary/all", "primary/all"], ALL, ODD),
        ("an empty list", [BASE, ""], ["primary/none", "primary/none"], "", ODD),
        ("a map", [BASE, ""], ["primary/odd", "primary/odd"], ALL, ODD),
        ("any depth", [BASE, ""], ["primary/up/deep", "primary/up/deep"], "ask fix", ODD),
        ("a list replaced", [ASK, FIX], ["", "primary"], "fix", ""),
        ("a list removed", [ASK, "primary: {skills: ~}"], ["", "primary"], ALL, ""),
        ("maps merged", [ASK, "primary: {model: x}"], ["", "primary"], "ask", ""),
        ("an agent removed", [ASK, "primary: ~"], ["", ""], ALL, ""),
        (
            "an agent added",
            [ASK, "primary: {subagents: {x: {skills: [fix]}}}"],
            ["primary/x", "primary/x"],
            "fix",
            "",
        ),
        ("the local file alone", ["", FIX], ["", "primary"], "fix", ""),
        ("no YAML", ["primary: {skills: [ask]", ""], ["", ""], ALL, "project-yaml"),
        ("no YAML in the local file", [ASK, "["], ["", "primary"], ALL, "project-yaml"),
        ("any agent, as there is no YAML", ["[", ""], ["x", "x"], ALL, "project-yaml"),
        ("a name of nothing", ["primary: {skills: [ask, aks]}", ""], ["", "primary"], "ask", ODD),
    ];
    for (what, [base, local], [asked, agent], listed, found) in cases {
        let project = Fixture::new();
        project.good(&["ask", "deploy-a", "deploy-b", "fix"]);
        for (path, text) in [(".kaged/project.yaml", base), (".kaged/project.local.yaml", local)] {
            if !text.is_empty() {
                project.file(path, text);
            }
        }
        let args = if asked.is_empty() { vec![] } else { vec!["--agent", asked] };
        let list = project.list_as(&args);
        assert_eq!(states(&list, "listed"), *listed, "{what}");
        assert_eq!(codes(&list), *found, "{what}");
        assert_eq!(list["agent"].as_str().unwrap_or(""), *agent, "{what}");
        let tool = project.run(&[&["tool"], args.as_slice()].concat()).json();
        let names = &tool["parameters"]["properties"]["skill"]["enum"];
        let names = if tool.is_null() { Vec::new() } else { strings(names) };
        assert_eq!(names.join(" "), *listed, "{what}: the tool");
    }
}

#[test]
fn what_no_agent_gets_is_said() {
    let project = Fixture::new();
    project.good(&["ask", "fix"]).file(".kaged/project.yaml", "primary: {skills: [ask]}");
    let output = project.run(&["list"]);
    assert!(output.stdout.contains("no agent gets fix\n"), "{}", output.stdout);
}

#[test]
fn a_project_yaml_that_is_no_file_is_warned_of() {
    for (what, make) in [
        ("a directory", (|p| _ = p.dir(".kaged/project.yaml")) as fn(&Fixture)),
        ("a link out of the project", |p| {
            p.file("../agents.yaml", "primary: {skills: []}");
            p.link(".kaged/project.yaml", "../../agents.yaml");
        }),
        ("a FIFO", |p| _ = p.fifo(".kaged/project.yaml")),
        ("a device", |p| _ = p.link(".kaged/project.yaml", "/dev/zero")),
    ] {
        let project = Fixture::new();
        make(project.good(&["a"]));
        let list = project.list();
        assert_eq!(
            (codes(&list).as_str(), states(&list, "listed").as_str()),
            ("project-yaml", "a"),
            "{what}"
        );
    }
}
