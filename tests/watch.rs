//! Following the disk, one line of JSON for each reload (CONTRACT §8).

#![allow(clippy::expect_used, clippy::unwrap_used)] // helpers of tests fail like tests

mod support;

use std::fs::{self, FileTimes, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Fixture, each, folders, good, row, strings};

/// Only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running `watch --json`.
struct Watch {
    child: Child,
    lines: Receiver<String>,
    said: Receiver<String>,
}

impl Watch {
    /// Starts it and waits until it says that it watches, in this way.
    fn start(project: &Fixture, args: &[&str], how: &str) -> Self {
        let mut child = project.command(&[&["watch", "--json"], args].concat()).spawn().unwrap();
        let lines = reader(child.stdout.take().unwrap());
        let said = reader(child.stderr.take().unwrap());
        let watch = Self { child, lines, said };
        let line = watch.said.recv_timeout(PATIENCE).expect("says nothing on standard error");
        assert!(line.starts_with("watching ") && line.contains(how), "{line}");
        watch
    }

    fn live(project: &Fixture) -> Self {
        Self::start(project, &[], "(live)")
    }

    /// The next line.
    #[track_caller]
    fn next(&self, what: &str) -> Value {
        let line = self.lines.recv_timeout(PATIENCE);
        let line = line.unwrap_or_else(|_| panic!("{what}: no line comes"));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{what}: {error}: {line}"))
    }

    /// The next line must say this.
    #[track_caller]
    fn expect(&self, what: &str, want: &str) -> Value {
        let line = self.next(what);
        assert_eq!(said(&line), want, "{what}: {line}");
        line
    }

    /// Reads lines until one is as wanted: a change of several steps may be
    /// seen half done when the machine is busy.
    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) {
        while !is_so(&self.next(what)) {}
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn reader(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// `+added ~changed -removed`, folder by folder.
fn said(line: &Value) -> String {
    let signed = |sign: &str, folders: Vec<&str>| {
        folders.iter().map(|folder| format!("{sign}{folder}")).collect::<Vec<_>>()
    };
    let added = signed("+", each(&line["added"], "folder"));
    let changed = signed("~", each(&line["changed"], "folder"));
    let removed = signed("-", strings(&line["removed"]));
    [added, changed, removed].concat().join(" ")
}

/// Puts a file or folder in place in one step, so that it is one change.
fn put(project: &Fixture, path: impl AsRef<Path>, make: impl FnOnce(&Path)) {
    let aside = project.home().join("aside");
    make(&aside);
    fs::rename(aside, project.at(path)).unwrap();
}

fn put_file(project: &Fixture, path: impl AsRef<Path>, text: &str) {
    put(project, path, |aside| fs::write(aside, text).unwrap());
}

/// Edits a skill as editors do: another file takes the place of the first.
fn edit(project: &Fixture, folder: &str, description: &str) {
    put_file(project, project.skill_md(folder), &good(folder, description));
}

fn put_folder(project: &Fixture, path: impl AsRef<Path>, skills: &[&str]) {
    put(project, path, |aside| {
        for skill in skills {
            let dir = aside.join(skill);
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("SKILL.md"), good("new", "Is new.")).unwrap();
        }
    });
}

fn description<'a>(line: &'a Value, of: &str) -> &'a str {
    line[of][0]["description"].as_str().unwrap_or("")
}

#[test]
fn each_change_of_a_skill_is_a_line() {
    let project = Fixture::new();
    project.good(&["a", "b", "c"]);
    let watch = Watch::live(&project);

    edit(&project, "c", "Was edited.");
    let line = watch.expect("an edit", "~c");
    assert_eq!(description(&line, "changed"), "Was edited.");
    assert_eq!(line["budget"]["listed"], 3);

    put_folder(&project, ".kaged/skills/new", &[""]);
    let line = watch.expect("a skill added", "+new");
    assert_eq!(description(&line, "added"), "Is new.");
    assert_eq!(line["budget"]["listed"], 4);

    fs::rename(project.at(".kaged/skills/c"), project.at(".kaged/skills/d")).unwrap();
    watch.expect("a folder renamed", "+d -c");

    fs::rename(project.at(".kaged/skills/new"), project.at("new")).unwrap();
    let line = watch.expect("a skill taken away", "-new");
    assert_eq!(line["budget"]["listed"], 3);

    fs::remove_dir_all(project.at(".kaged/skills/d")).unwrap();
    watch.until("a skill deleted", |line| said(line).ends_with("-d"));

    put_file(&project, ".kaged/skills/b/notes.md", "x");
    watch.expect("a resource added", "~b");

    put_file(&project, ".kaged/skills/b/SKILL.md", "no fence");
    let line = watch.expect("a skill broken", "~b");
    assert_eq!(line["changed"][0]["status"], "error");

    put_file(&project, ".kaged/skills/README.md", "x");
    watch.expect("a loose file", "");
}

#[test]
fn a_file_written_in_place_and_a_folder_made_in_steps_are_seen() {
    let project = Fixture::new();
    project.good(&["a"]);
    let watch = Watch::live(&project);
    project.skill("a", good("a", "Was written again."));
    watch.until("written in place", |line| description(line, "changed") == "Was written again.");
    project.skill("b", good("b", "Was made in steps."));
    watch.until("made in steps", |line| {
        description(line, "added") == "Was made in steps."
            || description(line, "changed") == "Was made in steps."
    });
}

#[test]
fn an_edit_of_equal_size_and_time_is_seen() {
    let project = Fixture::new();
    project.good(&["other"]).skill("stealth", good("stealth", "Old text one."));
    let watch = Watch::live(&project);
    // Until then the file is so new that any reader must mistrust its time.
    edit(&project, "other", "Was edited.");
    watch.until("another edit", |line| said(line).contains("~other"));
    let path = project.skill_md("stealth");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(good("stealth", "New text two.").as_bytes()).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
    watch.until("the edit", |line| description(line, "changed") == "New text two.");
}

#[test]
fn what_an_agent_gets_changes_with_the_project_files() {
    let project = Fixture::new();
    project.good(&["a", "b"]);
    let watch = Watch::live(&project);
    put_file(&project, ".kaged/project.yaml", "primary:\n  skills: [a]\n");
    let line = watch.expect("project.yaml made", "~b");
    assert_eq!(line["changed"][0]["catalog"]["state"], "filtered");
    put_file(&project, ".kaged/project.local.yaml", "primary:\n  skills: [a, b]\n");
    let line = watch.expect("project.local.yaml made", "~b");
    assert_eq!(line["changed"][0]["catalog"]["state"], "listed");
    put_file(&project, ".kaged/project.local.yaml", "primary: [\n");
    let line = watch.expect("project.local.yaml broken", "");
    assert_eq!(each(&line["findings"], "code"), ["project-yaml"]);
    fs::remove_file(project.at(".kaged/project.local.yaml")).unwrap();
    watch.expect("project.local.yaml removed", "~b");

    project.file("conf/agents.yaml", "primary:\n  skills: [b]\n");
    put(&project, ".kaged/project.yaml", |aside| {
        std::os::unix::fs::symlink("../conf/agents.yaml", aside).unwrap();
    });
    watch.expect("project.yaml made a link", "~a ~b");
    put_file(&project, "conf/agents.yaml", "primary:\n  skills: [a]\n");
    watch.expect("what project.yaml leads to", "~a ~b");
}

#[test]
fn what_a_link_leads_to_is_followed() {
    let project = Fixture::new();
    project.file("lib/folder/SKILL.md", good("folder", "Elsewhere."));
    project.file("docs/file.md", good("file", "Elsewhere."));
    project.link(".kaged/skills/folder", "../../lib/folder");
    project.link(".kaged/skills/file/SKILL.md", "../../../docs/file.md");
    let watch = Watch::live(&project);

    put_file(&project, "lib/folder/SKILL.md", &good("folder", "Edited."));
    let line = watch.expect("a linked folder's SKILL.md", "~folder");
    assert_eq!(description(&line, "changed"), "Edited.");
    put_file(&project, "lib/folder/notes.md", "x");
    watch.expect("a linked folder's resource", "~folder");
    put_file(&project, "docs/file.md", &good("file", "Edits."));
    watch.until("a linked SKILL.md", |line| description(line, "changed") == "Edits.");

    project.file("lib/second/SKILL.md", good("folder", "Second."));
    put(&project, ".kaged/skills/folder", |aside| {
        std::os::unix::fs::symlink("../../lib/second", aside).unwrap();
    });
    let line = watch.expect("a link that leads elsewhere", "~folder");
    assert_eq!(description(&line, "changed"), "Second.");
    put_file(&project, "lib/second/SKILL.md", &good("folder", "Edited."));
    watch.expect("what it leads to now", "~folder");

    fs::rename(project.at("lib/second"), project.at("lib/third")).unwrap();
    let line = watch.expect("what it leads to taken away", "~folder");
    assert_eq!(line["changed"][0]["status"], "error");
    // Two more reloads, so that none is on its way that would see it by chance.
    for text in ["Edits one.", "Edits two."] {
        put_file(&project, "docs/file.md", &good("file", text));
        watch.until(text, |line| description(line, "changed") == text);
    }
    fs::rename(project.at("lib/third"), project.at("lib/second")).unwrap();
    watch.expect("what it leads to put back", "~folder");
}

#[test]
fn a_link_to_nothing_is_mended_by_what_it_waits_for() {
    let project = Fixture::new();
    project.good(&["other"]).dir("lib").dir("docs");
    project.link(".kaged/skills/folder", "../../lib/folder");
    project.link(".kaged/skills/file/SKILL.md", "../../../docs/file.md");
    let watch = Watch::live(&project);
    edit(&project, "other", "Was edited.");
    watch.expect("another edit", "~other");
    put_folder(&project, "lib/folder", &[""]);
    watch.expect("the folder made", "~folder");
    put_file(&project, "docs/file.md", &good("file", "Is new."));
    let line = watch.expect("the SKILL.md made", "~file");
    assert_eq!(line["changed"][0]["status"], "valid");
}

#[test]
fn a_file_of_two_names_changes_under_both() {
    let project = Fixture::new();
    project.good(&["a"]).dir(".kaged/skills/b").dir(".kaged/skills/c");
    fs::hard_link(project.skill_md("a"), project.skill_md("b")).unwrap();
    let watch = Watch::live(&project);
    fs::write(project.skill_md("a"), good("a", "Was written again.")).unwrap();
    watch.until("the edit", |line| folders_changed(line, "Was written again.") == 2);
}

#[test]
fn the_root_may_come_and_go() {
    let project = Fixture::without_root();
    let watch = Watch::live(&project);

    put_folder(&project, ".kaged/skills", &["new"]);
    watch.expect("the root made", "+new");
    edit(&project, "new", "Was edited.");
    watch.expect("an edit in it", "~new");

    fs::rename(project.at(".kaged/skills"), project.at("old")).unwrap();
    watch.expect("the root taken away", "-new");
    put_file(&project, ".kaged/skills", "A file where the root was.");
    let line = watch.said.recv_timeout(PATIENCE).unwrap();
    assert!(line.contains("is not a directory"), "{line}");
    fs::remove_file(project.at(".kaged/skills")).unwrap();
    fs::rename(project.at("old"), project.at(".kaged/skills")).unwrap();
    watch.expect("the root put back", "+new");

    fs::remove_dir_all(project.at(".kaged/skills")).unwrap();
    watch.until("the root deleted", |line| said(line) == "-new");
    project.good(&["a"]);
    watch.until("the root made in steps", |line| line["budget"]["listed"] == 1);
    edit(&project, "a", "Was edited.");
    watch.until("an edit in the new root", |line| description(line, "changed") == "Was edited.");

    fs::rename(project.at(".kaged"), project.at("old")).unwrap();
    watch.expect("all of .kaged taken away", "-a");
    fs::rename(project.at("old"), project.at(".kaged")).unwrap();
    watch.expect("all of .kaged put back", "+a");
    edit(&project, "a", "Was edited again.");
    watch.expect("an edit after that", "~a");
}

#[test]
fn a_project_that_has_nothing_yet_is_watched() {
    let project = Fixture::without_root();
    fs::remove_dir(project.at(".kaged")).unwrap();
    let watch = Watch::live(&project);
    put_folder(&project, ".kaged", &["skills/new"]);
    watch.expect(".kaged made", "+new");
    edit(&project, "new", "Was edited.");
    watch.expect("an edit in it", "~new");
}

#[test]
fn a_burst_is_one_line() {
    const MANY: usize = 100;
    let project = Fixture::new();
    let names: Vec<_> = (0..MANY).map(|i| format!("s{i:03}")).collect();
    for name in &names {
        project.skill(name, good(name, "Does one thing."));
    }
    project.good(&["zz-last"]);
    let watch = Watch::live(&project);
    // A machine that stalls for as long as a reload waits makes two bursts of one.
    for round in 0.. {
        let start = Instant::now();
        for name in &names {
            fs::write(project.skill_md(name), good(name, &format!("Round number {round}.")))
                .unwrap();
        }
        if start.elapsed() < Duration::from_millis(45) {
            let line = watch.next("the burst");
            assert_eq!(line["changed"].as_array().unwrap().len(), MANY);
            break;
        }
        assert!(round < 20, "the machine is too busy for this test");
        let done = |line: &Value| folders_changed(line, &format!("Round number {round}."));
        let mut left = MANY;
        while left > 0 {
            left -= done(&watch.next("a slow burst")).min(left);
        }
    }
    edit(&project, "zz-last", "Was edited.");
    watch.expect("no second line of the burst, but the next edit", "~zz-last");
}

fn folders_changed(line: &Value, description: &str) -> usize {
    let changed = line["changed"].as_array().unwrap().iter();
    changed.filter(|skill| skill["description"] == description).count()
}

#[test]
fn nothing_is_written_while_nothing_changes() {
    let project = Fixture::new();
    project.good(&["a", "b"]).file("lib/x.md", "x");
    let watch = Watch::live(&project);
    for folder in ["a", "b"] {
        fs::read(project.skill_md(folder)).unwrap();
    }
    assert_eq!(folders(&project.list()), ["a", "b"]);
    put_file(&project, ".kaged/notes.txt", "Not of any skill.");
    put_file(&project, "lib/x.md", "Not of any skill.");
    project.dir(".kaged/cache/skills");
    edit(&project, "b", "Was edited.");
    watch.expect("the first change", "~b");
}

#[test]
fn the_same_is_seen_by_looking_now_and_then() {
    let project = Fixture::new();
    project.good(&["a", "b", "c"]);
    let watch = Watch::start(&project, &["--poll"], "(looking every 2 s");
    put_folder(&project, "new", &[""]);
    edit(&project, "a", "Was edited.");
    fs::rename(project.at("new"), project.at(".kaged/skills/new")).unwrap();
    fs::rename(project.at(".kaged/skills/b"), project.at("b")).unwrap();
    watch.until("all of it", |line| line["budget"]["listed"] == 3 && said(line).contains("+new"));
    fs::rename(project.at(".kaged/skills"), project.at("old")).unwrap();
    watch.expect("the root taken away", "-a -c -new");
    fs::rename(project.at("old"), project.at(".kaged/skills")).unwrap();
    watch.expect("the root put back", "+a +c +new");
    put_file(&project, ".kaged/project.yaml", "primary:\n  skills: [a, c]\n");
    watch.expect("project.yaml made", "~new");
}

#[test]
fn every_line_is_the_difference_to_the_one_before() {
    let project = Fixture::new();
    project.good(&["a"]);
    let watch = Watch::live(&project);
    edit(&project, "a", "Was edited.");
    let line = watch.expect("an edit", "~a");
    assert_eq!(line["schema"], 1);
    assert_eq!(&line["changed"][0], row(&project.list(), "a"), "the objects of the list");
}

#[test]
fn mycodeagent_sees_edits_at_any_depth() {
    let project = Fixture::new();
    project.good(&["a"]).skill("group/b", good("b", "Deep."));
    let watch = Watch::start(&project, &["--profile", "mycodeagent"], "(live)");
    edit(&project, "a", "Was edited.");
    watch.until("an edit", |line| said(line).contains("~a"));
    put_file(&project, project.skill_md("group/b"), &good("b", "Was edited."));
    watch.expect("an edit deeper", "~group/b");
}
