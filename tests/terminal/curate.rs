//! Changing skills in a real terminal, and what must never be lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::atlas::Atlas;
use crate::pty::Terminal;

/// The program with a state folder that outlives it.
fn open(atlas: &Atlas, state: &Path, editor: &str) -> Terminal {
    let state = state.to_string_lossy();
    let changed = [
        ("XDG_CONFIG_HOME", state.as_ref()),
        ("XDG_STATE_HOME", state.as_ref()),
        ("VISUAL", editor),
        ("EDITOR", ""),
    ];
    let mut terminal = Terminal::open_in(atlas.dir(), &[], &changed);
    terminal.wait_for("● live");
    terminal
}

/// Presses keys and waits for what they bring.
fn press(terminal: &mut Terminal, keys: &str, text: &str) {
    terminal.press(keys);
    terminal.wait_for(text);
}

fn filter(terminal: &mut Terminal, name: &str) {
    press(terminal, "/", "show all");
    terminal.press(&format!("{name}\r"));
    terminal.wait_for(&format!("/{name}"));
}

const DOWN: &str = "\x1b[B";
const CTRL_END: &str = "\x1b[1;5F";

#[test]
fn a_session_makes_edits_renames_deletes_and_takes_all_of_it_back() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    press(&mut terminal, "n", "A new skill");
    press(&mut terminal, "brand-new\tDoes something.", "+29 characters");
    press(&mut terminal, "\r", " 1:1 ");
    press(&mut terminal, CTRL_END, "10:1");
    press(&mut terminal, "Do $ARGUMENTS.\r", "not saved");
    press(&mut terminal, "\x13", "saved brand-new/SKILL.md");
    press(&mut terminal, "\x1b", "● valid   brand-new");
    press(&mut terminal, "a", "Arguments for brand-new");
    press(&mut terminal, "this\r", "Do this.");
    press(&mut terminal, "r", "Rename `brand-new`");
    press(&mut terminal, "\x15newer", "[✓] the folder");
    press(&mut terminal, "\r", "● valid   newer");
    assert!(atlas.read("newer/SKILL.md").contains("name: newer\n"));
    // A file of another skill.
    filter(&mut terminal, "deploy-runbook");
    press(&mut terminal, "5l", "rollback.md");
    press(&mut terminal, "j", "rollback.md");
    press(&mut terminal, "e", "deploy-runbook/rollback.md");
    press(&mut terminal, "First. ", "not saved");
    press(&mut terminal, "\x13", "saved deploy-runbook/rollback.md");
    assert_eq!(atlas.read("deploy-runbook/rollback.md"), "First. Roll back.\n");
    press(&mut terminal, "\x1b", "named to the model");
    press(&mut terminal, "\x1b", "show all");
    press(&mut terminal, "\x1b", "● valid   newer");
    filter(&mut terminal, "newer");
    press(&mut terminal, "d", "goes to the trash");
    press(&mut terminal, "\r", "delete `newer`");
    assert!(!atlas.root().join("newer").exists());
    for what in ["delete `newer`", "save `", "rename `brand-new`", "save `", "create `brand-new`"] {
        press(&mut terminal, "u", &format!("undone: {what}"));
    }
    press(&mut terminal, "u", "there is nothing to undo");
    assert_eq!(atlas.tree(), before);
    terminal.press("\x1bq");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.is_clean());
}

#[test]
fn text_that_was_not_saved_outlives_a_kill() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "e", "git-workflow/SKILL.md");
    press(&mut terminal, "precious", "not saved");
    // It is on disk within two seconds.
    let recovery = state.path().join("skilldeck/recovery");
    let start = std::time::Instant::now();
    let draft = loop {
        let folders = fs::read_dir(&recovery).into_iter().flatten().flatten();
        let draft = folders.map(|f| f.path().join("draft.json")).find(|f| f.exists());
        match draft.filter(|f| fs::read_to_string(f).is_ok_and(|t| t.contains("precious"))) {
            Some(draft) => break draft,
            None => assert!(start.elapsed().as_secs() < 20, "it was never kept"),
        }
        std::thread::yield_now();
    };
    assert_eq!(fs::metadata(&draft).unwrap().permissions().mode() & 0o777, 0o600);
    terminal.signal("-KILL");
    terminal.end();
    assert_eq!(atlas.tree(), before);

    let mut terminal = open(&atlas, state.path(), "");
    terminal.wait_for("Text that was not saved when skilldeck ended");
    terminal.wait_for("+precious---");
    press(&mut terminal, "\r", "not saved");
    press(&mut terminal, "\x13", "saved git-workflow/SKILL.md");
    assert!(atlas.read("git-workflow/SKILL.md").starts_with("precious---"));
    press(&mut terminal, "\x1b", "Skills 6");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(fs::read_dir(&recovery).unwrap().count(), 0, "nothing is left of it");
}

#[test]
fn the_editor_of_the_user_has_the_terminal_and_gives_it_back() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let state = tempfile::tempdir().unwrap();
    let script = state.path().join("my editor");
    fs::write(
        &script,
        "#!/bin/sh\nprintf 'editing with %s\\n' \"$1\"\nread line\nprintf '%s\\n' \"$line\" >> \"$2\"\n",
    )
    .unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let editor = format!("'{}' --wait", script.display());
    let mut terminal = open(&atlas, state.path(), &editor);
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "E", "editing with --wait");
    assert!(!terminal.screen.screen().alternate_screen());
    // Keys that are commands of the screen go to the editor.
    press(&mut terminal, "qqq\r", "outside; u takes it back");
    assert!(terminal.screen.screen().alternate_screen());
    assert!(atlas.read("git-workflow/SKILL.md").ends_with("qqq\n"));
    press(&mut terminal, "u", "undone: ");
    assert_eq!(atlas.tree(), before);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.is_clean());
}

#[test]
fn an_editor_that_is_missing_or_fails_is_said() {
    for (editor, said) in [
        ("", "no editor is named"),
        ("/no/such/editor", "was not found"),
        ("sh -c 'exit 3' --", "ended with status 3"),
    ] {
        let atlas = Atlas::new();
        let state = tempfile::tempdir().unwrap();
        let mut terminal = open(&atlas, state.path(), editor);
        press(&mut terminal, "E", said);
        terminal.press("q");
        assert_eq!(terminal.end(), 0);
        assert!(terminal.is_clean());
    }
}

#[test]
fn a_conflict_is_said_at_once_and_settled() {
    let atlas = Atlas::new();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "e", "git-workflow/SKILL.md");
    press(&mut terminal, &format!("{CTRL_END}mine"), "not saved");
    let theirs = "---\ndescription: Theirs.\nhide: true\n---\n\nBranch first.\n";
    atlas.skill("git-workflow", theirs);
    terminal.wait_for("changed on disk");
    press(&mut terminal, "\x13", "The file has changed on disk");
    press(&mut terminal, &format!("{DOWN}{DOWN}"), "both: the changes do not touch");
    press(&mut terminal, "\r", "description: Theirs.");
    press(&mut terminal, "\x13", "saved git-workflow/SKILL.md");
    assert_eq!(atlas.read("git-workflow/SKILL.md"), format!("{theirs}mine"));
    press(&mut terminal, "\x1b", "Skills 6");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_paste_is_one_step_or_refused_whole() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "e", "git-workflow/SKILL.md");
    let mega = "0123456789abcde\n".repeat(1 << 16);
    press(&mut terminal, &format!("\x1b[200~{mega}\x1b[201~"), "it was not taken");
    let large = "0123456789abcde\n".repeat(10_000);
    press(&mut terminal, &format!("\x1b[200~{large}\x1b[201~"), "10,001:1");
    press(&mut terminal, "\x15", " 1:1 ");
    press(&mut terminal, "\x1b", "Skills 6");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(atlas.tree(), before);
}

#[test]
fn a_name_that_comes_in_one_burst_with_enter_is_taken() {
    let atlas = Atlas::new();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "r", "Rename `git-workflow`");
    press(&mut terminal, "\x15git-habits\r", "rename `git-workflow` to `git-habits`; u takes");
    assert!(atlas.root().join("git-habits/SKILL.md").exists());
    press(&mut terminal, "u", "undone: ");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn refusals_are_said_and_change_nothing() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    press(&mut terminal, "u", "there is nothing to undo");
    press(&mut terminal, "n", "A new skill");
    for (name, why) in [
        ("", "it is empty"),
        ("../x", "so name no path"),
        ("CON", "Windows keeps it"),
        ("Bad Name", "`bad-name` would do"),
        ("code-review", "exists already"),
        ("fine", "a skill needs a description"),
    ] {
        press(&mut terminal, &format!("\x15{name}"), why);
        press(&mut terminal, "\r", why);
    }
    press(&mut terminal, "\x1b", "Skills 6");
    assert_eq!(atlas.tree(), before);
    assert!(!atlas.dir().join(".kaged/.trash").exists(), "not even the lock was made");
    // Another program holds the lock.
    let trash = atlas.dir().join(".kaged/.trash");
    fs::create_dir(&trash).unwrap();
    let lock = fs::File::create(trash.join("lock")).unwrap();
    lock.lock().unwrap();
    press(&mut terminal, "d", "goes to the trash");
    press(&mut terminal, "\r", "another skilldeck is changing this project");
    drop(lock);
    press(&mut terminal, "\x1b", "Skills 6");
    assert_eq!(atlas.tree(), before);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn what_is_not_edited_here_and_not_taken_back_is_said() {
    let atlas = Atlas::new();
    atlas.bytes("git-workflow/data.bin", b"\xff\0\x01");
    atlas.file("git-workflow/large.txt", &"x\n".repeat(20_001));
    let state = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, state.path(), "");
    filter(&mut terminal, "git-workflow");
    press(&mut terminal, "5l", "data.bin");
    press(&mut terminal, "j", "data.bin");
    press(&mut terminal, "e", "it is no text (UTF-8)");
    press(&mut terminal, "j", "large.txt");
    press(&mut terminal, "e", "20,002 lines, more than the 20,000");
    press(&mut terminal, "h", "show all");
    // Somebody else has changed what was saved here.
    press(&mut terminal, "e", " 1:1 ");
    press(&mut terminal, "\x1b[Bx", "not saved");
    press(&mut terminal, "\x13", "saved git-workflow/SKILL.md");
    press(&mut terminal, "\x1b", "show all");
    let theirs = "---\ndescription: Theirs.\n---\n\nBody.\n";
    atlas.skill("git-workflow", theirs);
    terminal.wait_for("1 changed: git-workflow");
    press(&mut terminal, "u", "it cannot be undone");
    terminal.wait_for("has changed on disk");
    assert_eq!(atlas.read("git-workflow/SKILL.md"), theirs);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_demo_is_thrown_away() {
    let tmp = tempfile::tempdir().unwrap();
    let place = tmp.path().to_string_lossy();
    let changed = [
        ("TMPDIR", place.as_ref()),
        ("XDG_CONFIG_HOME", place.as_ref()),
        ("XDG_STATE_HOME", place.as_ref()),
    ];
    let mut terminal = Terminal::open_in(tmp.path(), &["--demo"], &changed);
    terminal.wait_for("incident-runbook");
    terminal.wait_for("● live");
    assert_eq!(fs::read_dir(tmp.path()).unwrap().count(), 1);
    press(&mut terminal, "d", "goes to the trash");
    press(&mut terminal, "\r", "delete `Deploy_Notes`");
    terminal.signal("-TERM");
    assert_eq!(terminal.end(), 143);
    assert_eq!(fs::read_dir(tmp.path()).unwrap().count(), 0, "nothing is left of it");
}
