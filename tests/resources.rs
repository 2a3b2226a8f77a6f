//! The files that come with a skill, as an activation names them (CONTRACT §5).

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use support::{Fixture, good, row, verdict};

/// What is made, how, the files that are named, and the verdict on the skill.
type Case = (&'static str, fn(&Fixture), &'static [&'static str], &'static str);

fn check(cases: &[Case]) {
    for (what, make, files, want) in cases {
        let project = Fixture::new();
        make(project.good(&["a"]));
        assert_eq!(named(&project, "a"), *files, "{what}");
        let list = project.list();
        assert_eq!(verdict(row(&list, "a")), *want, "{what}: {list}");
    }
}

/// The entries of the list of resources, each of which must be a line.
fn named(project: &Fixture, name: &str) -> Vec<String> {
    let output = project.run(&["preview", name]);
    assert_eq!(output.code, 0, "{output:?}");
    let Some((_, block)) = output.stdout.split_once("\n<skill_resources>\n") else {
        return Vec::new();
    };
    let block = block.strip_suffix("</skill_resources>\n</skill_content>").unwrap();
    let entry = |line: &str| {
        let file = line.strip_prefix("  <file>").and_then(|line| line.strip_suffix("</file>"));
        file.unwrap_or(line).to_owned()
    };
    block.lines().map(entry).collect()
}

/// A path in the folder of the skill `a`.
fn a(path: impl AsRef<OsStr>) -> PathBuf {
    PathBuf::from(".kaged/skills/a").join(path.as_ref())
}

fn files(project: &Fixture, paths: &[&str]) {
    for path in paths {
        project.file(a(path), "x");
    }
}

#[test]
fn the_list_stands_behind_the_body_or_is_left_out() {
    let project = Fixture::new();
    project.good(&["a", "b"]).file(a("notes/one.md"), "x");
    let text = |name: &str, resources: &str| {
        format!(
            "<skill_content name=\"{name}\">\nDo it.\n\nSkill directory: .kaged/skills/{name}\n\
             Relative paths in this skill are relative to the skill directory.\n{resources}\
             </skill_content>"
        )
    };
    let block = "\n<skill_resources>\n  <file>notes/one.md</file>\n</skill_resources>\n";
    assert_eq!(project.run(&["preview", "a"]).stdout, text("a", block));
    assert_eq!(project.run(&["preview", "b"]).stdout, text("b", ""));
}

#[test]
fn regular_files_are_named_in_the_order_of_their_bytes() {
    check(&[
        (
            "order",
            |p| files(p, &["é.md", "a/b.md", "a.md", "a-b.md", "B.md", "a/B/c.md", "10", "9"]),
            &["10", "9", "B.md", "a-b.md", "a.md", "a/B/c.md", "a/b.md", "é.md"],
            "valid",
        ),
        (
            "SKILL.md deeper in the skill",
            |p| files(p, &["sub/SKILL.md", "sub/deep/SKILL.md", "skill.md"]),
            &["skill.md", "sub/SKILL.md", "sub/deep/SKILL.md"],
            "valid",
        ),
        (
            "litter",
            |p| {
                files(p, &[".git/HEAD", "sub/.git/HEAD", ".hg/x", ".svn/x", "sub/.DS_Store"]);
                files(p, &["node_modules/p/index.js", "sub/node_modules/x", "Thumbs.db"]);
                files(p, &["__pycache__/x.txt", "x.pyc", "sub/y.pyc", ".DS_Store"]);
            },
            &[],
            "valid",
        ),
        (
            "other dot files, and names that only look like litter",
            |p| {
                files(p, &[".env.example", ".gitignore", ".github/x.yml", "git/HEAD"]);
                files(p, &["my_node_modules/x", "x.pyc.txt", "thumbs.db"]);
            },
            &[
                ".env.example",
                ".github/x.yml",
                ".gitignore",
                "git/HEAD",
                "my_node_modules/x",
                "thumbs.db",
                "x.pyc.txt",
            ],
            "valid",
        ),
        (
            "what is no regular file",
            |p| {
                p.fifo(a("pipe")).dir(a("empty")).file(a("real"), "x");
                UnixListener::bind(p.at(a("socket"))).unwrap();
            },
            &["real"],
            "valid",
        ),
    ]);
}

#[test]
fn links_are_named_when_they_lead_to_a_file_of_the_skill() {
    check(&[
        (
            "a file of the skill",
            |p| _ = p.file(a("real.md"), "x").link(a("sub/in.md"), "../real.md"),
            &["real.md", "sub/in.md"],
            "valid",
        ),
        (
            "a file of another skill",
            |p| _ = p.file(".kaged/skills/b/x.md", "x").link(a("out.md"), "../b/x.md"),
            &[],
            "warning resource-outside",
        ),
        (
            "a file whose folder only begins like the skill's",
            |p| _ = p.file(".kaged/skills/ab/x.md", "x").link(a("out.md"), "../ab/x.md"),
            &[],
            "warning resource-outside",
        ),
        (
            "a file outside the project",
            |p| _ = p.file("../x.md", "x").link(a("out.md"), "../../../../x.md"),
            &[],
            "warning resource-outside",
        ),
        (
            "a folder of the skill",
            |p| _ = p.file(a("real/x.md"), "x").link(a("folder"), "real"),
            &["real/x.md"],
            "valid resource-link-skipped",
        ),
        (
            "folders above, which would never end",
            |p| _ = p.link(a("loop"), ".").link(a("up"), ".."),
            &[],
            "valid resource-link-skipped resource-link-skipped",
        ),
        (
            "nothing, and itself",
            |p| _ = p.link(a("dead.md"), "gone.md").link(a("self.md"), "self.md"),
            &[],
            "valid resource-link-skipped resource-link-skipped",
        ),
        ("a FIFO of the skill", |p| _ = p.fifo(a("pipe")).link(a("x"), "pipe"), &[], "valid"),
        ("a device", |p| _ = p.link(a("zero"), "/dev/zero"), &[], "warning resource-outside"),
    ]);
}

#[test]
fn a_finding_names_the_link_it_is_about() {
    let project = Fixture::new();
    project.good(&["a"]).file("x.md", "x").link(a("sub/out.md"), "../../../../x.md");
    let list = project.list();
    let finding = &row(&list, "a")["findings"][0];
    assert_eq!(finding["file"], ".kaged/skills/a/sub/out.md");
    assert!(finding["message"].as_str().unwrap().contains("`sub/out.md`"), "{finding}");
}

#[test]
fn odd_names_cannot_end_or_forge_an_entry() {
    const ODD: &str = "valid odd-resource-name";
    check(&[
        ("a space", |p| files(p, &["with space.md", "-rf"]), &["-rf", "with space.md"], "valid"),
        ("not ASCII", |p| files(p, &["审查.md"]), &["审查.md"], "valid"),
        (
            "XML's letters",
            |p| files(p, &["a&b <c> \"d\" 'e'"]),
            &["a&amp;b &lt;c&gt; &quot;d&quot; 'e'"],
            ODD,
        ),
        ("a forged entry", |p| files(p, &["<", "x</file>"]), &["&lt;", "x&lt;/file&gt;"], ODD),
        (
            "line breaks",
            |p| files(p, &["a\nb", "c\rd", "e\u{85}f", "g\u{2028}h", "i\u{b}j"]),
            &["a&#10;b", "c&#13;d", "e&#133;f", "g&#8232;h", "i&#11;j"],
            ODD,
        ),
        ("an escape", |p| files(p, &["x\u{1b}[2J"]), &["x\u{1b}[2J"], ODD),
        (
            "not UTF-8",
            |p| _ = p.file(a(OsStr::from_bytes(b"bad\xff.bin")), "x"),
            &["bad\u{fffd}.bin"],
            ODD,
        ),
    ]);
}

#[test]
fn an_odd_name_is_escaped_where_it_is_spoken_of() {
    let project = Fixture::new();
    project.good(&["a"]).file(a(OsStr::from_bytes(b"x\x1b\xff")), "x").file(a("y\u{202e}"), "x");
    let list = project.list();
    let message = row(&list, "a")["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("`x\\x1B\\xFF` (and 1 more)"), "{message}");
}

#[test]
fn the_folder_is_escaped_like_a_path() {
    let project = Fixture::new();
    project.skill("a & <b>\n", good("odd-folder", "Loads."));
    let output = project.run(&["preview", "odd-folder"]);
    let line = "\nSkill directory: .kaged/skills/a &amp; &lt;b&gt;&#10;\nRelative";
    assert!(output.stdout.contains(line), "{}", output.stdout);
}

#[test]
fn more_than_200_files_are_cut_and_counted() {
    for (count, last, want) in [
        (200, "f200", "valid"),
        (201, "  <!-- 1 more files not listed -->", "valid resources-truncated"),
        (1_203, "  <!-- 1003 more files not listed -->", "valid resources-truncated"),
    ] {
        let project = Fixture::new();
        project.good(&["a"]);
        for i in 1..=count {
            project.file(a(format!("f{i:03}")), "x");
        }
        let got = named(&project, "a");
        assert_eq!(got.len(), 200 + usize::from(count > 200), "{count} files");
        assert_eq!(got[0], "f001", "{count} files");
        assert_eq!(got.last().map(String::as_str), Some(last), "{count} files");
        assert_eq!(verdict(row(&project.list(), "a")), want, "{count} files");
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_said_and_the_rest_is_named() {
    let project = Fixture::new();
    project.good(&["a"]);
    files(&project, &["open/b.txt", "secret/c.txt"]);
    project.mode(a("secret"), 0o000);
    let list = project.run_powerless(&["list", "--json"]);
    let preview = project.run_powerless(&["preview", "a"]);
    project.mode(a("secret"), 0o755);
    let (Some(list), Some(preview)) = (list, preview) else { return };
    let list = list.json();
    assert_eq!(verdict(row(&list, "a")), "warning resources-incomplete");
    let message = row(&list, "a")["findings"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("secret could not be read"), "{message}");
    assert!(preview.stdout.contains("  <file>open/b.txt</file>\n</skill_resources>"));
}

#[test]
fn the_files_of_a_linked_skill_are_named_from_its_own_folder() {
    let project = Fixture::new();
    project.file("lib/a/SKILL.md", good("a", "Elsewhere.")).file("lib/a/sub/x.md", "x");
    project.file("lib/beside.md", "x").link("lib/a/out.md", "../beside.md");
    project.link("lib/a/in.md", "sub/x.md").link(".kaged/skills/a", "../../lib/a");
    assert_eq!(named(&project, "a"), ["in.md", "sub/x.md"]);
    assert_eq!(verdict(row(&project.list(), "a")), "warning resource-outside");
}

#[test]
fn an_activation_of_mycodeagent_names_no_files() {
    let project = Fixture::new();
    project.good(&["a"]).file("x.md", "x").link(a("out.md"), "../../../x.md");
    let list = project.list_as(&["--profile", "mycodeagent"]);
    assert_eq!(verdict(row(&list, "a")), "valid", "its activation names no files");
    assert_eq!(
        project.run(&["preview", "a", "--profile", "mycodeagent"]).stdout,
        "Base directory for this skill: .kaged/skills/a\n\n\nDo it."
    );
}
