//! The real program in a real pseudo-terminal, as a person meets it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod atlas;

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use atlas::Atlas;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// Longer than anything takes; only a failing test waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    /// Where its user's own files would be.
    _home: TempDir,
}

impl Terminal {
    fn open(dir: &Path, args: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_skilldeck"));
        command.args(args);
        command.cwd(dir);
        Self::run(command)
    }

    fn run(mut command: CommandBuilder) -> Self {
        let size = PtySize { rows: 36, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        command.env("TERM", "xterm-256color");
        command.env_remove("SKILLS_PROMPT_CHAR_BUDGET");
        command.env_remove("NO_COLOR");
        let home = tempfile::tempdir().unwrap();
        command.env("XDG_CONFIG_HOME", home.path());
        command.env("XDG_STATE_HOME", home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 65536];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(cells(36), cells(120), 0);
        Self { master: pair.master, writer, child, output, screen, raw: Vec::new(), _home: home }
    }

    /// Waits until the screen is as wanted.
    fn wait(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !is_so(self.screen.screen()) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.raw.extend_from_slice(&bytes);
                    self.screen.process(&bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("never: {what}\n{}", self.screen.screen().contents())
                }
            }
        }
    }

    fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    fn wait_until_gone(&mut self, text: &str) {
        self.wait(&format!("{text} gone"), |screen| !screen.contents().contains(text));
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    fn wait_until_stopped(&self) {
        let pid = self.child.process_id().unwrap().to_string();
        let start = Instant::now();
        loop {
            let ps = Command::new("ps").args(["-o", "state=", "-p", &pid]).output().unwrap();
            if ps.stdout.starts_with(b"T") {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "never stopped");
        }
    }

    /// Waits for the end; returns the exit code.
    fn end(&mut self) -> u32 {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.raw.extend_from_slice(&bytes);
            self.screen.process(&bytes);
        }
        self.child.wait().unwrap().exit_code()
    }

    /// Everything that was switched on is off again.
    fn is_clean(&self) -> bool {
        let screen = self.screen.screen();
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap()
}

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
    command.args(["--exact", "child_that_panics", "--nocapture"]);
    command.env("PANIC_IN_TERMINAL", "1");
    let mut terminal = Terminal::run(command);
    assert_ne!(terminal.end(), 0);
    assert!(terminal.is_clean());
    let raw = String::from_utf8_lossy(&terminal.raw);
    let left = raw.find("\u{1b}[?1049l").expect("the alternate screen left");
    assert!(raw[left..].contains("on purpose"), "the message comes after: {raw}");
}
