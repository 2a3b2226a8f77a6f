//! What lies in a skills root, and what becomes of it (CONTRACT §2).

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;

use serde_json::Value;
use support::{Fixture, folders, good, not_loaded, row, verdict, with_head};

/// What is made, how, and what must be found: the rows as `folder: status codes`,
/// then what is not loaded as `path code`.
type Case = (&'static str, fn(&Fixture), &'static str);

/// A skill that stands beside every case, for one bad skill never hides another.
const NEIGHBOUR: &str = "zz-neighbour";

fn check(cases: &[Case]) {
    for (what, make, want) in cases {
        let project = Fixture::new();
        project.good(&[NEIGHBOUR]);
        make(&project);
        let list = project.list();
        let mut got = rows_of(&list);
        let neighbour = got.pop();
        assert_eq!(neighbour.as_deref(), Some("zz-neighbour: valid"), "{what}: {list}");
        assert_eq!(row(&list, NEIGHBOUR)["catalog"]["state"], "listed", "{what}");
        got.extend(not_loaded(&list));
        assert_eq!(got.join("; "), *want, "{what}: {list}");
    }
}

fn rows_of(list: &Value) -> Vec<String> {
    folders(list).iter().map(|folder| format!("{folder}: {}", verdict(row(list, folder)))).collect()
}

fn message<'a>(list: &'a Value, folder: &str) -> &'a str {
    row(list, folder)["findings"][0]["message"].as_str().unwrap_or("")
}

#[test]
fn folders_are_rows_and_what_lies_beside_them_is_a_note() {
    check(&[
        ("a skill", |p| _ = p.good(&["a"]), "a: valid"),
        (
            "loose files",
            |p| {
                p.file(".kaged/skills/README.md", "Read me.");
                p.file(".kaged/skills/SKILL.md", good("skills", "In no folder."));
                p.file(".kaged/skills/notes", "");
            },
            "README.md loose-file; SKILL.md loose-file; notes loose-file",
        ),
        ("a loose FIFO", |p| _ = p.fifo(".kaged/skills/pipe"), "pipe loose-file"),
        (
            "a link to a file",
            |p| _ = p.file("lib/a.md", "x").link(".kaged/skills/a", "../../lib/a.md"),
            "a loose-file",
        ),
        (
            "a link to a file outside",
            |p| _ = p.file("../a.md", "x").link(".kaged/skills/a", "../../../a.md"),
            "a loose-file",
        ),
        (
            "folders with a leading dot are counted once",
            |p| {
                p.skill(".git", good("git", "Hidden."));
                p.skill(".system", good("system", "Hidden."));
                p.file(".kaged/skills/.cache", "a file");
            },
            ".git dot-folders",
        ),
        (
            "a package folder is a folder like any other",
            |p| _ = p.skill("node_modules", good("node-modules", "A skill by accident.")),
            "node_modules: warning name-mismatch folder-invalid",
        ),
        (
            "a SKILL.md deeper in a skill is no skill",
            |p| _ = p.good(&["outer", "outer/inner"]),
            "outer: valid",
        ),
    ]);
    let project = Fixture::new();
    project.dir(".kaged/skills/.a").dir(".kaged/skills/.b");
    let list = project.list();
    let said = list["not_loaded"][0]["message"].as_str().unwrap();
    assert!(said.starts_with("2 folders") && said.contains(".a, .b"), "{said}");
}

#[test]
fn a_folder_without_its_skill_md_says_what_is_wrong() {
    check(&[
        ("an empty folder", |p| _ = p.dir(".kaged/skills/a"), "a: error missing-skill-md"),
        (
            "other files only",
            |p| _ = p.file(".kaged/skills/a/README.md", "x"),
            "a: error missing-skill-md",
        ),
        (
            "skills one level too deep",
            |p| _ = p.good(&["group/a", "group/b"]),
            "group: error missing-skill-md",
        ),
        (
            "lower case",
            |p| _ = p.file(".kaged/skills/a/skill.md", good("a", "Small.")),
            "a: error wrong-case",
        ),
        (
            "upper case",
            |p| _ = p.file(".kaged/skills/a/SKILL.MD", good("a", "Large.")),
            "a: error wrong-case",
        ),
        (
            "both cases",
            |p| _ = p.good(&["a"]).file(".kaged/skills/a/skill.md", "An ordinary file."),
            "a: valid",
        ),
    ]);
    let project = Fixture::new();
    project.good(&["one/x", "three/x", "three/y", "three/y/z"]).dir(".kaged/skills/none");
    project.file(".kaged/skills/case/skill.md", "");
    let list = project.list();
    for (folder, want) in [
        ("none", "the folder has no `SKILL.md`; write one"),
        ("one", "one lies deeper"),
        ("three", "3 lie deeper"),
        ("case", "the file is `skill.md`"),
    ] {
        assert!(message(&list, folder).contains(want), "{folder}: {}", message(&list, folder));
    }
    assert_eq!(row(&list, "case")["findings"][0]["fix"], "rename the file to `SKILL.md`");
}

#[test]
fn what_is_no_regular_file_is_not_opened() {
    check(&[
        ("a FIFO", |p| _ = p.fifo(".kaged/skills/a/SKILL.md"), "a: error not-a-regular-file"),
        ("a directory", |p| _ = p.dir(".kaged/skills/a/SKILL.md"), "a: error not-a-regular-file"),
        (
            "a socket",
            |p| {
                p.dir(".kaged/skills/a");
                UnixListener::bind(p.skill_md("a")).unwrap();
            },
            "a: error not-a-regular-file",
        ),
        (
            "a link to a FIFO in the project",
            |p| _ = p.fifo("pipe").link(".kaged/skills/a/SKILL.md", "../../../pipe"),
            "a: error not-a-regular-file",
        ),
        (
            "a link to a folder in the project",
            |p| _ = p.dir("lib").link(".kaged/skills/a/SKILL.md", "../../../lib"),
            "a: error not-a-regular-file",
        ),
        (
            "a link to a device",
            |p| _ = p.link(".kaged/skills/a/SKILL.md", "/dev/zero"),
            "a: error outside-project",
        ),
    ]);
}

#[test]
fn a_file_of_one_mebibyte_loads_and_one_byte_more_does_not() {
    let head = good("a", "Large.");
    for (size, want) in [(1 << 20, "valid long-body"), ((1 << 20) + 1, "error file-too-large")] {
        let project = Fixture::new();
        let text = format!("{head}{}", "x".repeat(size - head.len()));
        project.good(&["b"]).skill("a", text);
        let list = project.list();
        assert_eq!(verdict(row(&list, "a")), want, "{size} bytes");
        assert_eq!(verdict(row(&list, "b")), "valid", "{size} bytes");
    }
}

#[test]
fn links_are_followed_inside_the_project_only() {
    check(&[
        (
            "a folder in the project",
            |p| {
                p.file("lib/a/SKILL.md", good("a", "Elsewhere."));
                p.link(".kaged/skills/a", "../../lib/a");
            },
            "a: valid",
        ),
        (
            "a SKILL.md in the project",
            |p| {
                p.file("docs/a.md", good("a", "Elsewhere."));
                p.link(".kaged/skills/a/SKILL.md", "../../../docs/a.md");
            },
            "a: valid",
        ),
        (
            "a linked folder whose SKILL.md is a link",
            |p| {
                p.file("docs/a.md", good("a", "Twice elsewhere."));
                p.link("lib/a/SKILL.md", "../../docs/a.md");
                p.link(".kaged/skills/a", "../../lib/a");
            },
            "a: valid",
        ),
        (
            "a folder outside",
            |p| {
                p.file("../lib/a/SKILL.md", good("a", "Outside."));
                p.link(".kaged/skills/a", "../../../lib/a");
            },
            "a: error outside-project",
        ),
        (
            "a folder whose path only begins like the project's",
            |p| {
                p.file("../project-2/a/SKILL.md", good("a", "Outside."));
                p.link(".kaged/skills/a", "../../../project-2/a");
            },
            "a: error outside-project",
        ),
        (
            "a SKILL.md outside",
            |p| {
                p.file("../a.md", good("a", "Outside."));
                p.link(".kaged/skills/a/SKILL.md", "../../../../a.md");
            },
            "a: error outside-project",
        ),
        (
            "nothing",
            |p| {
                p.link(".kaged/skills/a", "../gone");
                p.link(".kaged/skills/b/SKILL.md", "gone.md");
            },
            "a: error broken-link; b: error broken-link",
        ),
        (
            "a circle",
            |p| {
                p.link(".kaged/skills/a", "b").link(".kaged/skills/b", "a");
                p.link(".kaged/skills/c/SKILL.md", "SKILL.md");
            },
            "a: error broken-link; b: error broken-link; c: error broken-link",
        ),
        (
            "the folder above the root",
            |p| _ = p.link(".kaged/skills/up", ".."),
            "up: error missing-skill-md resource-link-skipped",
        ),
    ]);
    let project = Fixture::new();
    project.file("../secret/SKILL.md", good("secret", "Not for this project."));
    project.link(".kaged/skills/a", "../../../secret");
    let list = project.list();
    let target = project.home().join("secret");
    assert!(message(&list, "a").contains(target.to_str().unwrap()), "names the target: {list}");
    assert_eq!(row(&list, "a")["description"], Value::Null, "is not read");
}

#[test]
fn of_folders_with_one_real_path_one_is_kept() {
    check(&[
        (
            "the one that is no link",
            |p| _ = p.good(&["b"]).link(".kaged/skills/a", "b").link(".kaged/skills/c", "b"),
            "b: valid; a same-folder; c same-folder",
        ),
        (
            "else the first by folder name",
            |p| {
                p.file("lib/x/SKILL.md", good("x", "Elsewhere."));
                p.link(".kaged/skills/x2", "../../lib/x").link(".kaged/skills/x1", "../../lib/x");
            },
            "x1: warning name-mismatch; x2 same-folder",
        ),
        (
            "by way of another link too",
            |p| _ = p.good(&["a"]).link(".kaged/skills/b", "c").link(".kaged/skills/c", "a"),
            "a: valid; b same-folder; c same-folder",
        ),
        (
            "hard links are two files",
            |p| {
                p.skill("a", good("x", "One inode.")).dir(".kaged/skills/b");
                std::fs::hard_link(p.skill_md("a"), p.skill_md("b")).unwrap();
            },
            "a: warning name-mismatch; b: error duplicate-name name-mismatch",
        ),
    ]);
}

#[test]
fn of_skills_with_one_name_one_is_kept() {
    let x = || good("x", "Wants the name.");
    for (what, others, want) in [
        ("the folder of that name", &["a", "x"][..], "x"),
        ("the folder of that name, though it comes first", &["x", "y", "z"], "x"),
        ("else the first by folder name", &["c", "b", "d"], "b"),
    ] {
        let project = Fixture::new();
        for folder in others {
            project.skill(folder, x());
        }
        let list = project.list();
        for folder in others {
            let row = row(&list, folder);
            let state = row["catalog"]["state"].as_str().unwrap();
            if *folder == want {
                assert_eq!(state, "listed", "{what}: {folder}");
            } else {
                assert_eq!(state, "duplicate", "{what}: {folder}");
                assert_eq!(row["status"], "error", "{what}: {folder}");
                let said = message(&list, folder);
                assert!(said.contains(&format!("shadowed by the folder `{want}`")), "{said}");
            }
        }
    }
}

#[test]
fn a_skill_that_does_not_load_takes_no_name_away() {
    let project = Fixture::new();
    project.skill("x", with_head("name: x")).skill("a", good("x", "Loads."));
    let list = project.list();
    assert_eq!(row(&list, "a")["catalog"]["state"], "listed");
    assert_eq!(verdict(row(&list, "x")), "error missing-description");
}

#[test]
fn duplicates_are_decided_before_the_agents_filter() {
    let project = Fixture::new();
    project.skill("one", good("x", "Kept.")).skill("two", good("x", "Shadowed."));
    project.file(".kaged/project.yaml", "primary:\n  skills: [two]\n");
    let list = project.list();
    assert_eq!(row(&list, "one")["catalog"]["state"], "filtered");
    assert_eq!(row(&list, "two")["catalog"]["state"], "duplicate");
    assert_eq!(project.run(&["catalog"]).stdout, "(none)");
    assert_eq!(project.run(&["tool"]).stdout, "null");
}

#[test]
fn folders_that_differ_by_case_are_warned_of_when_they_load() {
    check(&[
        (
            "two that load",
            |p| {
                p.skill("Tool", good("tool-one", "One."));
                p.skill("tool", good("tool-two", "Two."));
            },
            "Tool: warning name-mismatch folder-invalid case-collision; \
             tool: warning name-mismatch case-collision",
        ),
        (
            "one that does not load",
            |p| _ = p.skill("Tool", "no fence").skill("tool", good("tool", "Two.")),
            "Tool: error no-frontmatter; tool: valid",
        ),
    ]);
}

#[test]
fn what_may_not_be_read_is_said_and_hides_nothing() {
    let project = Fixture::new();
    project.good(&["a", "b", "c"]).mode(project.skill_md("a"), 0o000);
    project.mode(".kaged/skills/b", 0o000);
    let output = project.run_powerless(&["list", "--json"]);
    project.mode(".kaged/skills/b", 0o755);
    let Some(output) = output else { return };
    let rows = rows_of(&output.json());
    assert_eq!(rows, ["a: error permission-denied", "b: error permission-denied", "c: valid"]);
}

#[test]
fn a_folder_name_that_is_not_utf8_is_escaped_and_kept() {
    let project = Fixture::new();
    let folder = OsStr::from_bytes(b"caf\xe9\x1b");
    project.good(&["b"]).skill(folder, good("coffee", "Loads under its own name."));
    let list = project.list();
    assert_eq!(
        rows_of(&list),
        [
            "b: valid",
            "caf\\xE9\u{1b}: warning name-mismatch folder-not-utf8 folder-invalid control-chars"
        ]
    );
    assert_eq!(
        project.run(&["catalog"]).stdout,
        "- b: Does one thing.\n- coffee: Loads under its own name."
    );
    assert_eq!(project.run(&["preview", "coffee"]).code, 0);
}

#[test]
fn rows_stand_by_effective_name_and_then_by_folder() {
    let project = Fixture::new();
    for (folder, name) in [("a", "z"), ("z", "a"), ("m1", "m"), ("m0", "m"), ("a1", "a-b")] {
        project.skill(folder, good(name, "Sorted."));
    }
    assert_eq!(folders(&project.list()), ["z", "a1", "m0", "m1", "a"]);
}

/// What is made, the arguments, the exit code, and what is said on standard
/// error or, where the code is 0, the folders.
type RootCase = (&'static str, fn(&Fixture), &'static [&'static str], i32, &'static str);

#[test]
fn the_root_is_read_where_it_may_be() {
    let cases: &[RootCase] = &[
        ("is missing", |_| {}, &[], 0, ""),
        ("is empty", |p| _ = p.dir(".kaged/skills"), &[], 0, ""),
        ("is a file", |p| _ = p.file(".kaged/skills", "x"), &[], 2, "is not a directory"),
        (
            "is a link to a folder in the project",
            |p| {
                p.file("lib/a/SKILL.md", good("a", "Elsewhere."));
                p.link(".kaged/skills", "../lib");
            },
            &[],
            0,
            "a",
        ),
        (
            "is a link out of the project",
            |p| {
                p.file("../lib/a/SKILL.md", good("a", "Outside."));
                p.link(".kaged/skills", "../../lib");
            },
            &[],
            2,
            "outside-project",
        ),
        (
            "is a link to a file",
            |p| _ = p.file("lib", "x").link(".kaged/skills", "../lib"),
            &[],
            2,
            "is not a directory",
        ),
        ("is a link to nothing", |p| _ = p.link(".kaged/skills", "x"), &[], 2, "broken-link"),
        ("is a circle", |p| _ = p.link(".kaged/skills", "skills"), &[], 2, "broken-link"),
        (
            "is named",
            |p| _ = p.file("lib/a/SKILL.md", good("a", "Elsewhere.")),
            &["--root", "lib"],
            0,
            "a",
        ),
        ("is named and missing", |_| {}, &["--root", "lib"], 0, ""),
        (
            "is named, outside, and holds links into the folder above it",
            |p| {
                p.file("../other/lib/a/SKILL.md", good("a", "Outside."));
                p.file("../other/b/SKILL.md", good("b", "Beside the root."));
                p.link("../other/lib/b", "../b");
            },
            &["--root", "../other/lib"],
            0,
            "a b",
        ),
        ("is named, outside and missing", |_| {}, &["--root", "../lib"], 0, ""),
        ("is named, outside and far from there", |_| {}, &["--root", "/no/lib"], 0, ""),
        ("is named and a file", |p| _ = p.file("x", ""), &["--root", "x"], 2, "is not a directory"),
        ("is of a project that is not there", |_| {}, &["--project", "no"], 2, "--project DIR"),
    ];
    for (what, make, args, code, said) in cases {
        let project = Fixture::without_root();
        make(&project);
        for command in ["list", "catalog", "check", "tool"] {
            let output = project.run(&[&[command], *args].concat());
            assert_eq!(output.code, *code, "the root {what}: {command}: {output:?}");
            if *code == 2 {
                assert_eq!(output.stdout, "", "the root {what}: {command}");
                assert!(output.stderr.contains(said), "the root {what}: {command}: {output:?}");
            }
        }
        if *code == 0 {
            let list = project.list_as(args);
            assert_eq!(folders(&list).join(" "), *said, "the root {what}");
        }
    }
}
