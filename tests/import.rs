//! Skills come in from elsewhere, after it was said what that does, and go out again.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use support::{Fixture, good, real_projects, with_head};
use tar::{EntryType, Header};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A checkout beside the project, with these files.
fn elsewhere(project: &Fixture, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let dir = project.home().join(name);
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn rows(project: &Fixture, args: &[&str]) -> BTreeMap<String, (String, String)> {
    let run = project.run(&[&["import", "--json"], args].concat()).json();
    let rows = run["skills"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let map: BTreeMap<_, _> = rows
        .clone()
        .map(|row| (text(&row["folder"]), (text(&row["verdict"]), text(&row["state"]))))
        .collect();
    assert_eq!(map.len(), rows.count(), "each once");
    map
}

fn row(verdict: &str, state: &str) -> (String, String) {
    (verdict.to_owned(), state.to_owned())
}

/// Every file of the project with what it holds, the trash left out.
fn tree(project: &Fixture) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if entry.file_name() == ".trash" {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), found);
            }
            found.insert(entry.path(), fs::read(entry.path()).unwrap_or_default());
        }
    }
    let mut found = BTreeMap::new();
    walk(&project.project(), &mut found);
    found
}

#[test]
fn the_plan_is_said_first_and_is_what_happens() {
    let project = Fixture::new();
    project.skill("same", good("same", "Same."));
    project.skill("other", good("other", "Ours."));
    let from = elsewhere(
        &project,
        "checkout",
        &[
            (".claude/skills/same/SKILL.md", &good("same", "Same.")),
            (".claude/skills/other/SKILL.md", &good("other", "Theirs.")),
            (".claude/skills/new/SKILL.md", &good("new", "New.")),
            (".claude/skills/new/scripts/run.sh", "true\n"),
            (".claude/skills/zz/SKILL.md", &good("zz", &"z".repeat(200))),
            (".claude/skills/broken/SKILL.md", "no fence\n"),
            (".claude/skills/Bad Name/SKILL.md", &good("bad-name", "Bad.")),
        ],
    );
    let from = from.to_str().unwrap();
    let before = tree(&project);
    let want = BTreeMap::from([
        ("same".to_owned(), row("same", "")),
        ("other".to_owned(), row("differs", "")),
        ("new".to_owned(), row("new", "listed")),
        ("zz".to_owned(), row("new", "cut")),
        ("broken".to_owned(), row("new", "error")),
        ("Bad Name".to_owned(), row("refused", "")),
    ]);
    assert_eq!(rows(&project, &[from, "--budget", "100"]), want);
    assert!(tree(&project) == before, "nothing is written unasked");
    let text = project.run(&["import", from, "--budget", "100"]).stdout;
    for line in [
        "new      new  2 files, would be listed",
        "new      zz  1 file, would be cut",
        "differs  other  1 file from the one that is here; `--replace` takes it all the same",
        "         does not load here: ",
        "6 skills found, 3 new, 1 same, 1 differs, 1 refused",
        "nothing was written; `--yes` brings 3 skills in",
    ] {
        assert!(text.lines().any(|l| l.starts_with(line)), "no {line} in\n{text}");
    }
    let run = project.run(&["import", from, "--yes", "--budget", "100"]);
    assert_eq!(run.code, 0, "{run:?}");
    let list = project.list_as(&["--budget", "100"]);
    let state = |folder: &str| {
        let skills = list["skills"].as_array().unwrap();
        let skill = skills.iter().find(|skill| skill["folder"] == folder).expect(folder);
        skill["catalog"]["state"].as_str().unwrap().to_owned()
    };
    for folder in ["new", "zz", "broken"] {
        assert_eq!(state(folder), want[folder].1, "{folder}");
    }
    let read = |path: &str| fs::read_to_string(project.at(path)).unwrap();
    assert!(read(".kaged/skills/other/SKILL.md").contains("Ours."), "nothing is overwritten");
    assert_eq!(read(".kaged/skills/new/scripts/run.sh"), "true\n");
    assert_eq!(rows(&project, &[from])["new"], row("same", ""));
    // Asked for, the other takes its place, and what was here can come back.
    let run = project.run(&["import", from, "--only", "other", "--replace", "--yes"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(read(".kaged/skills/other/SKILL.md").contains("Theirs."));
    assert_eq!(project.run(&["rm", "other", "--purge"]).code, 0);
    assert_eq!(project.run(&["restore", "other"]).code, 0);
    assert!(read(".kaged/skills/other/SKILL.md").contains("Ours."));
}

#[test]
fn a_manifest_says_which_files_come_and_links_stay() {
    let project = Fixture::without_root();
    let manifest = r#"{"name":"a","files":["SKILL.md","docs/in.md"]}"#;
    let from = elsewhere(
        &project,
        "registry",
        &[
            ("skills/@me/a/SKILL.md", &good("a", "A.")),
            ("skills/@me/a/manifest.json", manifest),
            ("skills/@me/a/docs/in.md", "In.\n"),
            ("skills/@me/a/docs/out.md", "Out.\n"),
            ("skills/@me/a/junk/x", "x"),
            ("skills/b/SKILL.md", &good("b", "B.")),
            ("skills/b/own.md", "Own.\n"),
            ("secret", "Secret.\n"),
        ],
    );
    std::os::unix::fs::symlink("../../secret", from.join("skills/b/link.md")).unwrap();
    std::os::unix::fs::symlink("b", from.join("skills/c")).unwrap();
    let run = project.run(&["import", from.to_str().unwrap(), "--yes"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("stays where it is: docs/out.md, junk/x"), "{}", run.stdout);
    assert!(run.stdout.contains("stays where it is: link.md"), "{}", run.stdout);
    let root = project.at(".kaged/skills");
    let mut files: Vec<_> = tree(&project)
        .into_keys()
        .filter(|path| path.is_file())
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    files.sort();
    assert_eq!(files, ["a/SKILL.md", "a/docs/in.md", "a/manifest.json", "b/SKILL.md", "b/own.md"]);
}

#[test]
fn two_of_one_name_come_once_and_the_second_is_said() {
    let project = Fixture::new();
    let one = elsewhere(&project, "one", &[("a/SKILL.md", &good("a", "One."))]);
    let two = elsewhere(&project, "two", &[("a/SKILL.md", &good("a", "Two."))]);
    let run = project.run(&["import", one.to_str().unwrap(), two.to_str().unwrap(), "--yes"]);
    assert!(run.stdout.contains("another that is brought in is called so"), "{}", run.stdout);
    let text = fs::read_to_string(project.at(".kaged/skills/a/SKILL.md")).unwrap();
    assert!(text.contains("One."), "{text}");
}

#[test]
fn what_goes_out_comes_in_again_and_is_the_same_each_time() {
    let project = Fixture::new();
    project.skill("ask", good("ask", "Asks."));
    project.skill("fix", good("fix", "Fixes."));
    project.file(".kaged/skills/ask/scripts/run.sh", "#!/bin/sh\n");
    project.mode(".kaged/skills/ask/scripts/run.sh", 0o755);
    project.file(".kaged/skills/ask/bytes.bin", [0_u8, 159, 146, 150]);
    project.file(".kaged/skills/ask/leer", "");
    for name in ["out.zip", "out.skill", "out.tar.gz", "out.tgz"] {
        let path = project.home().join(name);
        let out = path.to_str().unwrap();
        let run = project.run(&["export", "fix", "ask", "-o", out]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let first = fs::read(&path).unwrap();
        let again = project.run(&["export", "ask", "fix", "-o", out]);
        assert_eq!(again.code, 2, "nothing is written over");
        assert_eq!(fs::read(&path).unwrap(), first);
        fs::remove_file(&path).unwrap();
        project.run(&["export", "ask", "fix", "-o", out]);
        assert!(fs::read(&path).unwrap() == first, "{name}: the same bytes from the same files");
        let other = Fixture::new();
        let run = other.run(&["import", out, "--yes"]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let root = |fixture: &Fixture| {
            let root = fixture.at(".kaged/skills");
            tree(fixture)
                .into_iter()
                .map(|(p, b)| (p.strip_prefix(&root).map(Path::to_owned), b))
                .collect::<Vec<_>>()
        };
        let only = |all: Vec<(Result<PathBuf, _>, Vec<u8>)>| -> Vec<(PathBuf, Vec<u8>)> {
            all.into_iter()
                .filter_map(|(p, b): (Result<PathBuf, std::path::StripPrefixError>, _)| {
                    Some((p.ok()?, b))
                })
                .collect()
        };
        assert_eq!(only(root(&other)), only(root(&project)), "{name}");
        let mode = fs::metadata(other.at(".kaged/skills/ask/scripts/run.sh")).unwrap();
        assert!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o100 != 0);
    }
    let run = project.run(&["export", "ask", "-o", "out.rar"]);
    assert!(run.code == 2 && run.stderr.contains("tells the form"), "{run:?}");
    let run = project.run(&["export", "nobody", "-o", "x.zip"]);
    assert_eq!(run.code, 2);
}

/// A zip of entries: a name, what it holds, and a mode.
fn zipped(entries: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, mode) in entries {
        let options = SimpleFileOptions::default().unix_permissions(*mode);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A tar.gz of entries: a name as it stands in the header, a kind, and what it holds.
fn tarred(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, bytes) in entries {
        let mut header = Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

#[test]
fn hostile_archives_are_refused_whole_and_leave_nothing() {
    let skill = good("a", "A.");
    let skill = skill.as_bytes();
    let file = EntryType::Regular;
    let zeros = vec![0_u8; 65 << 20];
    let many: Vec<(String, &[u8], u32)> =
        (0..20_001).map(|i| (format!("a/{i}"), &b""[..], 0o644)).collect();
    let many: Vec<_> = many.iter().map(|(n, b, m)| (n.as_str(), *b, *m)).collect();
    let mut torn = zipped(&[("a/SKILL.md", skill, 0o644)]);
    torn.truncate(torn.len() / 2);
    let mut torn_tar = tarred(&[("a/SKILL.md", file, skill), ("a/big", file, &[7; 9_000])]);
    torn_tar.truncate(torn_tar.len() / 2);
    let cases: Vec<(&str, &str, Vec<u8>)> = vec![
        ("up.zip", "leads out", zipped(&[("a/SKILL.md", skill, 0o644), ("../evil", b"x", 0o644)])),
        ("deep.zip", "leads out", zipped(&[("a/../../evil", b"x", 0o644)])),
        ("absolute.zip", "is absolute", zipped(&[("/tmp/evil", b"x", 0o644)])),
        ("windows.zip", "no part of a path", zipped(&[("..\\evil", b"x", 0o644)])),
        ("bomb.zip", "holds more than", zipped(&[("a/SKILL.md", &zeros, 0o644)])),
        ("many.zip", "holds more than 20,000 entries", zipped(&many)),
        ("torn.zip", "cannot be read as an archive", torn),
        ("up.tar.gz", "leads out", tarred(&[("../evil", file, b"x")])),
        ("absolute.tar.gz", "is absolute", tarred(&[("/tmp/evil", file, b"x")])),
        ("bomb.tar.gz", "holds more than", tarred(&[("a/x", file, &zeros)])),
        ("twice.tar.gz", "is there twice", tarred(&[("a/x", file, b"1"), ("a/x", file, b"2")])),
        ("torn.tar.gz", "cannot be read as an archive", torn_tar),
        ("text.zip", "is no .zip", b"hello".to_vec()),
        ("empty.zip", "is no .zip", Vec::new()),
        ("none.zip", "holds no skill", zipped(&[("README.md", b"x", 0o644)])),
    ];
    for (name, why, bytes) in cases {
        let project = Fixture::new();
        let before = tree(&project);
        let path = project.home().join(name);
        fs::write(&path, bytes).unwrap();
        let temporary = project.home().join("tmp");
        fs::create_dir(&temporary).unwrap();
        let mut project = project;
        project.env("TMPDIR", temporary.to_str().unwrap());
        let run = project.run(&["import", path.to_str().unwrap(), "--yes"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(why), "{name}: {}", run.stderr);
        assert!(tree(&project) == before, "{name}");
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{name} leaves nothing behind");
        assert!(!project.home().join("evil").exists(), "{name}");
    }
}

#[test]
fn links_of_archives_are_never_made() {
    let skill = good("a", "A.");
    let file = EntryType::Regular;
    let linked = tarred(&[
        ("a/SKILL.md", file, skill.as_bytes()),
        ("a/soft", EntryType::Symlink, b""),
        ("a/hard", EntryType::Link, b""),
        ("a/fifo", EntryType::Fifo, b""),
    ]);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("a/SKILL.md", SimpleFileOptions::default()).unwrap();
    writer.write_all(skill.as_bytes()).unwrap();
    writer.add_symlink("a/soft", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let zipped = writer.finish().unwrap().into_inner();
    for (name, bytes) in [("links.tar.gz", linked), ("links.zip", zipped)] {
        let project = Fixture::new();
        let path = project.home().join(name);
        fs::write(&path, bytes).unwrap();
        let run = project.run(&["import", path.to_str().unwrap(), "--yes"]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        assert!(run.stderr.contains("a/soft"), "{name}: {}", run.stderr);
        let names: Vec<_> = fs::read_dir(project.at(".kaged/skills/a"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["SKILL.md"], "{name}");
    }
}

#[test]
fn an_archive_may_be_one_skill_that_is_called_like_it() {
    let project = Fixture::new();
    let path = project.home().join("code-review.skill");
    let head = with_head("description: Reviews.");
    fs::write(&path, zipped(&[("SKILL.md", head.as_bytes(), 0o644)])).unwrap();
    assert_eq!(rows(&project, &[path.to_str().unwrap()])["code-review"], row("new", "listed"));
}

#[test]
fn real_projects_come_in_as_their_plans_say() {
    let (mut found, mut brought) = (0, 0);
    for dir in real_projects() {
        let project = Fixture::new();
        let run = project.run(&["import", "--json", dir.to_str().unwrap()]);
        if run.code == 2 {
            continue;
        }
        let plan: Value = serde_json::from_str(&run.stdout).unwrap();
        let plan = plan["skills"].as_array().unwrap();
        found += plan.len();
        let run = project.run(&["import", "--yes", dir.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}: {}", dir.display(), run.stderr);
        let list = project.list();
        for row in plan.iter().filter(|row| row["verdict"] == "new") {
            let skills = list["skills"].as_array().unwrap();
            let skill = skills.iter().find(|skill| skill["folder"] == row["folder"]);
            let skill = skill.unwrap_or_else(|| panic!("{}: {row}", dir.display()));
            assert_eq!(skill["catalog"]["state"], row["state"], "{}: {row}", dir.display());
            brought += 1;
        }
    }
    println!("{found} skills found, {brought} brought in as the plan said");
}

#[test]
fn another_unpacker_reads_what_goes_out() {
    let project = Fixture::new();
    project.skill("ask", good("ask", "Asks."));
    let path = project.home().join("out.zip");
    project.run(&["export", "ask", "-o", path.to_str().unwrap()]);
    let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is \
                  None; print(z.namelist())";
    let output = Command::new("python3").args(["-c", script]).arg(&path).output();
    let Ok(output) = output else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "['ask/SKILL.md']\n");
}

#[test]
fn a_file_whose_name_is_not_utf8_stays_and_is_said() {
    use std::os::unix::ffi::OsStrExt;
    let project = Fixture::new();
    let from = elsewhere(&project, "odd", &[("a/SKILL.md", &good("a", "A."))]);
    fs::write(from.join("a").join(std::ffi::OsStr::from_bytes(b"x\xff.md")), "x").unwrap();
    let run = project.run(&["import", from.to_str().unwrap(), "--yes"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("stays where it is: x\\xFF.md"), "{}", run.stdout);
    assert!(project.at(".kaged/skills/a/SKILL.md").is_file());
}
