//! From the start to the end, whatever ends it.

use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize};

use crate::atlas::Atlas;
use crate::pty::{Terminal, cells};

fn write(atlas: &Atlas, folder: &str, description: &str) {
    atlas.skill(folder, &format!("---\ndescription: {description}\n---\n\nBody.\n"));
}

#[test]
fn a_person_starts_moves_looks_changes_a_file_and_quits() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &[]);
    terminal.wait_for("● live");
    assert!(terminal.screen.screen().alternate_screen());
    assert!(terminal.screen.screen().bracketed_paste());

    terminal.press("j");
    terminal.wait_for("Systematic code review");
    terminal.press("3");
    terminal.wait_for("<skill_content name=\"code-review\">");
    terminal.press("a");
    terminal.wait_for("Arguments for code-review");
    terminal.press("\x1b[200~src/a.rs\x1b[201~\r");
    terminal.wait_for("Review src/a.rs.");
    terminal.press("4");
    terminal.wait_for("- code-review: Systematic");

    write(&atlas, "code-review", "Edited from outside.");
    terminal.wait_for("- code-review: Edited from outside.");
    write(&atlas, "brand-new", "Came while one looked.");
    terminal.wait_for("Skills 7");
    terminal.wait_for("brand-new");
    atlas.remove("brand-new");
    terminal.wait_for("Skills 6");
    terminal.wait_for("1 gone: brand-new");
    terminal.press("l");
    terminal.wait_until_gone("brand-new");
    // The chosen skill is still the one it was.
    terminal.wait_for("▌ - code-review");

    terminal.press("?leave skill");
    terminal.wait_for("leave skilldeck");
    terminal.press("\x1b");
    terminal.wait_until_gone("leave skilldeck");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.is_clean());
}

#[test]
fn the_root_may_come_and_go() {
    let tmp = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::open(tmp.path(), &[]);
    terminal.wait_for("There is no skills root yet.");
    terminal.wait_for("● live");
    let folder = tmp.path().join(".kaged/skills/first");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\ndescription: One.\n---\n\nBody.\n").unwrap();
    terminal.wait_for("● valid   first");
    std::fs::remove_dir_all(tmp.path().join(".kaged")).unwrap();
    terminal.wait_for("There is no skills root yet.");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\ndescription: Two.\n---\n\nBody.\n").unwrap();
    terminal.wait_for("Two.");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn polling_is_named_and_sees_changes_too() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &["--poll"]);
    terminal.wait_for("every 2 s: as asked");
    write(&atlas, "brand-new", "Came while one looked.");
    terminal.wait_for("brand-new");
    // The first may still have been seen by the look after the start.
    write(&atlas, "newer-yet", "Came later.");
    terminal.wait_for("newer-yet");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn after_each_signal_the_terminal_is_as_before() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130), ("-QUIT", 131)] {
        let atlas = Atlas::new();
        let mut terminal = Terminal::open(atlas.dir(), &[]);
        terminal.wait_for("● live");
        terminal.signal(signal);
        assert_eq!(terminal.end(), code, "{signal}");
        assert!(terminal.is_clean(), "{signal}");
    }
}

#[test]
fn stopped_it_leaves_the_terminal_and_continued_it_draws_again() {
    for stop in ["key", "-TSTP"] {
        let atlas = Atlas::new();
        let mut terminal = Terminal::open(atlas.dir(), &[]);
        terminal.wait_for("● live");
        match stop {
            "key" => terminal.press("\x1a"),
            signal => terminal.signal(signal),
        }
        terminal.wait("the terminal given back", |screen| !screen.alternate_screen());
        assert!(terminal.is_clean(), "{stop}");
        terminal.wait_until_stopped();
        terminal.signal("-CONT");
        terminal.wait_for("● live");
        assert!(terminal.screen.screen().alternate_screen());
        terminal.press("j");
        terminal.wait_for("Systematic code review");
        terminal.press("q");
        assert_eq!(terminal.end(), 0, "{stop}");
    }
}

#[test]
fn a_terminal_of_any_size_will_do() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &[]);
    terminal.wait_for("● live");
    for (cols, rows) in [(1, 1), (2, 200), (400, 120), (39, 11), (40, 12), (80, 24), (120, 36)] {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        terminal.screen.screen_mut().set_size(cells(rows), cells(cols));
        terminal.master.resize(size).unwrap();
        if cols > 25 && rows > 2 {
            // At the new size: what the last one left does not reach the last row.
            let last = if cols < 40 { 2 } else { rows - 1 };
            let want = if cols < 40 { "q quits" } else { "? help" };
            terminal.wait(want, |screen| {
                screen.rows(0, cols).nth(last.into()).is_some_and(|row| row.contains(want))
            });
        }
    }
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn nothing_raw_of_a_file_reaches_the_terminal() {
    let atlas = Atlas::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J";
    atlas.skill(
        "evil",
        &format!("---\nname: evil\ndescription: \"x \\e]0;owned\\a \\u009b2J\"\n---\n\n{evil}\n"),
    );
    let mut terminal = Terminal::open(atlas.dir(), &[]);
    terminal.wait_for("● live");
    terminal.press("jjj");
    terminal.wait_for("x \\x1B]0;owned\\x07");
    for tab in ["2", "3", "4", "6"] {
        terminal.press(tab);
        terminal.wait(tab, |screen| screen.contents().contains(&format!("[{tab} ")));
    }
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    let text = String::from_utf8_lossy(&terminal.raw);
    assert!(!text.contains("\u{1b}]") && !text.contains('\u{9b}') && !text.contains('\u{7}'));
}

#[test]
fn without_a_terminal_it_says_so() {
    let atlas = Atlas::new();
    let output = Command::new(env!("CARGO_BIN_EXE_skilldeck"))
        .current_dir(atlas.dir())
        .env("XDG_CONFIG_HOME", atlas.dir())
        .env("XDG_STATE_HOME", atlas.dir())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("needs a terminal") && said.contains("skilldeck list"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Not a test of its own: run by the next one, in a terminal.
#[test]
fn child_that_panics() {
    if std::env::var_os("PANIC_IN_TERMINAL").is_some() {
        let _terminal = skilldeck::tui::terminal::Terminal::take(true).unwrap();
        panic!("on purpose");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_read_below() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "life::child_that_panics", "--nocapture"]);
    command.env("PANIC_IN_TERMINAL", "1");
    let mut terminal = Terminal::run(command);
    assert_ne!(terminal.end(), 0);
    assert!(terminal.is_clean());
    let raw = String::from_utf8_lossy(&terminal.raw);
    let left = raw.find("\u{1b}[?1049l").expect("the alternate screen left");
    assert!(raw[left..].contains("on purpose"), "the message comes after: {raw}");
}
