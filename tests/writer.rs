//! A change is made wholly or not at all, whichever call to the disk fails, and
//! whenever the program dies.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use skilldeck::edit::disk::{Call, Disk, Verdict};
use skilldeck::edit::{Change, Content, EditError, History, Plan, Site, Step, Writer, ops};
use tempfile::TempDir;

struct Place {
    tmp: TempDir,
    site: Site,
}

#[allow(clippy::unnecessary_wraps)] // as steps want it
fn content(text: &str) -> Option<Content> {
    Some(Content::new(text.into(), 0o644))
}

impl Place {
    fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let boundary = tmp.path().canonicalize().unwrap();
        let site = Site { boundary, root: ".kaged/skills".into() };
        let place = Self { tmp, site };
        place.write(".kaged/skills/alpha/SKILL.md", "alpha's text\n");
        place.write(".kaged/skills/alpha/notes/a.md", "notes\n");
        place.write(".kaged/skills/beta/SKILL.md", "beta mentions alpha\n");
        place.write(".kaged/project.yaml", "primary:\n  skills: [alpha]\n");
        place
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.tmp.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    }

    fn open(&self, disk: Disk) -> Result<Writer, EditError> {
        Writer::open(disk, self.site.clone())
    }

    /// Every file and folder of the project outside of the trash.
    fn tree(&self) -> BTreeMap<PathBuf, String> {
        fn walk(dir: &Path, top: &Path, out: &mut BTreeMap<PathBuf, String>) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let below = path.strip_prefix(top).unwrap().to_owned();
                if below.ends_with(".trash") {
                    continue;
                }
                if path.is_dir() {
                    out.insert(below, "folder".into());
                    walk(&path, top, out);
                } else {
                    out.insert(below, format!("{:?}", fs::read(&path).unwrap()));
                }
            }
        }
        let mut out = BTreeMap::new();
        walk(self.tmp.path(), self.tmp.path(), &mut out);
        out
    }

    /// What the trash holds but for what always lies there.
    fn trash(&self) -> Vec<String> {
        let dir = self.tmp.path().join(".kaged/.trash");
        let names = fs::read_dir(dir).map_or_else(
            |_| Vec::new(),
            |entries| {
                entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
            },
        );
        names.into_iter().filter(|n| n != "lock" && n != ".gitignore").collect()
    }
}

const SKILLS: &str = ".kaged/skills";

/// The changes that are walked through every fault.
fn plans() -> Vec<(&'static str, Plan)> {
    let at = |path: &str| PathBuf::from(SKILLS).join(path);
    let plan = |title: &str, steps| Plan { title: title.into(), steps };
    vec![
        (
            "save",
            plan(
                "save",
                vec![Step::Write {
                    at: at("alpha/SKILL.md"),
                    before: content("alpha's text\n"),
                    after: content("another text, and longer than before\n"),
                }],
            ),
        ),
        (
            "new",
            plan(
                "new",
                vec![
                    Step::MakeFolder(at("gamma")),
                    Step::Write { at: at("gamma/SKILL.md"), before: None, after: content("g\n") },
                ],
            ),
        ),
        (
            "rename",
            plan(
                "rename",
                vec![
                    Step::Write {
                        at: at("alpha/SKILL.md"),
                        before: content("alpha's text\n"),
                        after: content("omega's text\n"),
                    },
                    Step::Write {
                        at: ".kaged/project.yaml".into(),
                        before: content("primary:\n  skills: [alpha]\n"),
                        after: content("primary:\n  skills: [omega]\n"),
                    },
                    Step::Move { from: at("alpha"), to: at("omega") },
                ],
            ),
        ),
        (
            "remove a file",
            plan(
                "remove",
                vec![Step::Write {
                    at: at("alpha/notes/a.md"),
                    before: content("notes\n"),
                    after: None,
                }],
            ),
        ),
    ]
}

/// A disk on which the calls from number `from` on are judged by `verdict`.
fn faulty(from: usize, forever: bool, verdict: fn(Call) -> Verdict) -> (Disk, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let disk = Disk::with_hook(Arc::new(move |call| {
        let number = counter.fetch_add(1, Ordering::SeqCst);
        if number == from || (forever && number > from) { verdict(call) } else { Verdict::Go }
    }));
    (disk, count)
}

fn fail(_: Call) -> Verdict {
    Verdict::Fail(io::ErrorKind::StorageFull.into())
}

fn tear(_: Call) -> Verdict {
    Verdict::Tear(io::ErrorKind::StorageFull.into())
}

#[test]
fn whichever_call_fails_a_change_is_made_wholly_or_not_at_all() {
    let mut points = 0;
    for (name, plan) in plans() {
        let (before, after) = {
            let place = Place::new();
            let before = place.tree();
            place.open(Disk::default()).unwrap().apply(plan.clone()).unwrap();
            (before, place.tree())
        };
        assert_ne!(before, after, "{name}");
        let (disk, count) = faulty(usize::MAX, false, fail);
        Place::new().open(disk).unwrap().apply(plan.clone()).unwrap();
        let calls = count.load(Ordering::SeqCst);
        for from in 0..calls {
            // One call fails; or all from then on, as when the program dies.
            for (forever, verdict) in
                [(false, fail as fn(Call) -> Verdict), (true, fail), (true, tear)]
            {
                points += 1;
                let place = Place::new();
                let (disk, _) = faulty(from, forever, verdict);
                let done = place.open(disk).and_then(|w| w.apply(plan.clone()));
                let what = format!("{name}, call {from} of {calls}, forever {forever}: {done:?}");
                if !forever {
                    // What was left behind of writing is removed by the next command.
                    let mut tree = place.tree();
                    tree.retain(|path, _| !path.to_string_lossy().contains("/.skilldeck-"));
                    assert!(tree == before || tree == after, "{what}\n{tree:#?}");
                    assert!(tree == after || done.is_err(), "{what}: said to be done");
                }
                // The next writing command.
                let writer = place.open(Disk::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
                let tree = place.tree();
                assert!(tree == before || tree == after, "{what}\n{tree:#?}");
                assert!(tree == after || done.is_err(), "{what}: said to be done");
                drop(writer);
                let left = place.trash();
                let begun = left.iter().filter(|n| n.starts_with(".skilldeck-")).count();
                assert_eq!(begun, 0, "{what}: {left:?}");
            }
        }
    }
    assert!(points > 200, "{points}");
}

#[test]
fn a_deletion_is_made_restored_and_purged_whichever_call_fails() {
    let alpha = Path::new(SKILLS).join("alpha");
    let (disk, count) = faulty(usize::MAX, false, fail);
    let place = Place::new();
    let before = place.tree();
    let id = place.open(disk).unwrap().delete(&alpha).unwrap();
    let after = place.tree();
    let writer = place.open(Disk::default()).unwrap();
    let (_, record) = writer.records().unwrap().pop().unwrap();
    assert_eq!(record.deleted.as_deref(), Some("alpha"));
    writer.undo(&id, &record).unwrap();
    assert_eq!(place.tree(), before, "restored");
    drop(writer);
    for from in 0..count.load(Ordering::SeqCst) {
        for forever in [false, true] {
            let place = Place::new();
            let (disk, _) = faulty(from, forever, fail);
            let done = place.open(disk).and_then(|w| w.delete(&alpha));
            let writer = place.open(Disk::default()).unwrap();
            let tree = place.tree();
            let what = format!("call {from}, forever {forever}: {done:?}");
            assert!(tree == before || tree == after, "{what}\n{tree:#?}");
            assert!(tree == after || done.is_err(), "{what}");
            // Purged, whichever call fails, it is gone with the next command.
            if let Some((id, _)) = writer.records().unwrap().pop() {
                drop(writer);
                let (disk, _) = faulty(from, forever, fail);
                let purged = place.open(disk).and_then(|w| w.purge(&id));
                let writer = place.open(Disk::default()).unwrap();
                if purged.is_err() {
                    let left = writer.records().unwrap();
                    let is_whole = place.trash().len() == 2 * left.len();
                    assert!(is_whole, "{what}: {:?}", place.trash());
                } else {
                    assert!(place.trash().is_empty(), "{what}: {:?}", place.trash());
                }
            }
        }
    }
}

#[test]
fn what_changed_meanwhile_is_left_alone() {
    for (name, plan) in plans() {
        let place = Place::new();
        let writer = place.open(Disk::default()).unwrap();
        place.write(".kaged/skills/alpha/SKILL.md", "changed by somebody\n");
        place.write(".kaged/skills/alpha/notes/a.md", "changed by somebody\n");
        place.write(".kaged/skills/gamma/SKILL.md", "made by somebody\n");
        let before = place.tree();
        let error = writer.apply(plan).unwrap_err();
        let is_told = matches!(error, EditError::Changed { .. } | EditError::Exists { .. });
        assert!(is_told, "{name}: {error}");
        assert_eq!(place.tree(), before, "{name}");
    }
}

#[test]
fn what_changes_between_look_and_write_is_not_lost() {
    let place = Place::new();
    let path = place.tmp.path().join(".kaged/skills/alpha/SKILL.md");
    // Somebody saves just before the new content takes its place.
    let saved = path.clone();
    let count = AtomicUsize::new(0);
    let disk = Disk::with_hook(Arc::new(move |call| {
        // The record is renamed first, then the file.
        if call == Call::Rename && count.fetch_add(1, Ordering::SeqCst) == 2 {
            fs::write(&saved, "saved by somebody\n").unwrap();
        }
        Verdict::Go
    }));
    let (_, plan) = plans().swap_remove(0);
    let error = place.open(disk).unwrap().apply(plan).unwrap_err();
    assert!(matches!(error, EditError::Changed { .. }), "{error}");
    assert_eq!(fs::read_to_string(path).unwrap(), "saved by somebody\n");
}

#[test]
fn one_writes_at_a_time() {
    let place = Place::new();
    let first = place.open(Disk::default()).unwrap();
    assert_eq!(place.open(Disk::default()).unwrap_err(), EditError::Busy);
    drop(first);
    place.open(Disk::default()).unwrap();
}

#[test]
fn a_root_that_is_deleted_underneath_is_said_to_be_gone() {
    for (name, plan) in plans() {
        let place = Place::new();
        let writer = place.open(Disk::default()).unwrap();
        fs::remove_dir_all(place.tmp.path().join(".kaged/skills")).unwrap();
        let error = writer.apply(plan).unwrap_err();
        let is_told = matches!(error, EditError::Gone { .. } | EditError::Changed { .. });
        assert!(is_told, "{name}: {error}");
        assert!(!place.tmp.path().join(".kaged/skills").exists(), "{name}");
    }
}

#[test]
fn a_way_through_a_link_is_not_gone() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("SKILL.md"), "outside\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), place.tmp.path().join(".kaged/skills/link"))
        .unwrap();
    let writer = place.open(Disk::default()).unwrap();
    for at in [".kaged/skills/link/SKILL.md", "../x", "/etc/x", ".kaged/../../x"] {
        let plan = Plan {
            title: "t".into(),
            steps: vec![Step::Write { at: at.into(), before: None, after: content("x") }],
        };
        let error = writer.apply(plan).unwrap_err();
        assert!(matches!(error, EditError::LeavesRoot { .. }), "{at}: {error}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("SKILL.md")).unwrap(), "outside\n");
}

#[test]
fn a_change_is_taken_back_from_its_record() {
    for (name, plan) in plans() {
        let place = Place::new();
        let before = place.tree();
        let writer = place.open(Disk::default()).unwrap();
        writer.apply(plan).unwrap();
        let (id, record) = writer.records().unwrap().pop().unwrap();
        writer.undo(&id, &record).unwrap();
        assert_eq!(place.tree(), before, "{name}");
    }
}

fn target() -> ops::Target {
    let real = Path::new(SKILLS).join("alpha");
    ops::Target { folder: real.clone(), file: Some(real.join("SKILL.md")), real }
}

/// Makes a change, given what a file holds.
type Make = fn(&Writer, Option<Content>) -> Result<Change, EditError>;

#[test]
fn files_of_a_skill_are_written_renamed_deleted_undone_and_redone() {
    let place = Place::new();
    let writer = place.open(Disk::default()).unwrap();
    let mut history = History::default();
    let mut trees = vec![place.tree()];
    let notes = content("notes\n");
    let plans: [Make; 5] = [
        |w, _| {
            ops::write_file(w, &target(), "deep/er/new.md", None, b"new\n".to_vec()).map(Change::of)
        },
        |w, notes| {
            ops::write_file(w, &target(), "notes/a.md", notes, b"raw \xff\0".to_vec())
                .map(Change::of)
        },
        |w, _| ops::rename_file(w, &target(), "notes/a.md", "deep/b.md").map(Change::of),
        |w, _| ops::new_file(w, &target(), "some/where/").map(Change::of),
        |w, _| {
            let plan = Plan { title: "delete".into(), steps: Vec::new() };
            let deletes = vec![
                ops::existing(w, &target(), "deep/b.md")?,
                ops::existing(w, &target(), "some")?,
            ];
            Ok(Change { plan, deletes, restores: Vec::new() })
        },
    ];
    for change in plans {
        let change = change(&writer, notes.clone()).unwrap();
        history.apply(&writer, change).unwrap();
        trees.push(place.tree());
    }
    for want in trees.iter().rev().skip(1) {
        history.undo(&writer).unwrap().unwrap();
        assert_eq!(place.tree(), *want);
    }
    assert_eq!(history.undo(&writer).unwrap(), None);
    for want in trees.iter().skip(1) {
        history.redo(&writer).unwrap().unwrap();
        assert_eq!(place.tree(), *want);
    }
    assert_eq!(history.redo(&writer).unwrap(), None);
    // What is deleted in part comes back whole when the rest cannot be.
    let mut other = History::default();
    let before = place.tree();
    let plan = Plan { title: "delete".into(), steps: Vec::new() };
    let deletes = vec![target().folder.join("deep"), target().folder.join("none")];
    assert!(other.apply(&writer, Change { plan, deletes, restores: Vec::new() }).is_err());
    assert_eq!((place.tree(), other.done().count()), (before.clone(), 0));
    // A deletion that was restored from the trash, and all of it taken back.
    let plan = Plan { title: "delete".into(), steps: Vec::new() };
    let deletes = vec![target().folder.join("deep")];
    other.apply(&writer, Change { plan, deletes, restores: Vec::new() }).unwrap();
    let gone = place.tree();
    let (id, record) = writer.records().unwrap().pop().unwrap();
    other.apply(&writer, Change::restore(id, &record)).unwrap();
    assert_eq!(place.tree(), before);
    for want in [&gone, &before] {
        other.undo(&writer).unwrap().unwrap();
        assert_eq!(place.tree(), *want);
    }
    for want in [&gone, &before] {
        other.redo(&writer).unwrap().unwrap();
        assert_eq!(place.tree(), *want);
    }
    // What somebody changed meanwhile is not taken away.
    place.write(".kaged/skills/alpha/deep/b.md", "theirs\n");
    assert!(history.undo(&writer).is_err());
    assert_eq!(history.done().count(), 5, "it can be tried again");
}

#[test]
fn a_path_that_leads_out_of_a_skill_is_refused() {
    let place = Place::new();
    let writer = place.open(Disk::default()).unwrap();
    let before = place.tree();
    let long = "a".repeat(256);
    for below in ["", "../x", "/x", "a/../../x", "a\\b", "a\0b", "a\nb", "x/", ".", &long] {
        let error = ops::write_file(&writer, &target(), below, None, b"x".to_vec()).unwrap_err();
        assert!(matches!(error, EditError::Name { .. }), "{below:?}: {error}");
    }
    let over = ops::write_file(&writer, &target(), "SKILL.md/x", None, Vec::new()).unwrap_err();
    assert!(matches!(over, EditError::Exists { .. }), "{over}");
    assert_eq!(place.tree(), before);
}
