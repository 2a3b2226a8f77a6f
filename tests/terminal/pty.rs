//! The program in a pseudo-terminal, and what a terminal makes of its bytes.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// Longer than anything takes; only a failing test waits for it.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    pub screen: vt100::Parser,
    pub raw: Vec<u8>,
    _home: Option<TempDir>,
}

impl Terminal {
    /// The program in a folder.
    pub fn open(dir: &Path, args: &[&str]) -> Self {
        Self::open_in(dir, args, &[])
    }

    /// The program in a folder and an environment.
    pub fn open_in(dir: &Path, args: &[&str], changed: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_skilldeck"));
        command.args(args);
        command.cwd(dir);
        Self::run_in(command, changed)
    }

    pub fn run(command: CommandBuilder) -> Self {
        Self::run_in(command, &[])
    }

    fn run_in(mut command: CommandBuilder, changed: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: 36, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        command.env("TERM", "xterm-256color");
        command.env_remove("SKILLS_PROMPT_CHAR_BUDGET");
        // The variables of whoever runs the tests are not those of a test.
        for name in ["NO_COLOR", "TMUX"] {
            if !changed.iter().any(|(n, _)| *n == name) {
                command.env_remove(name);
            }
        }
        let mut home = None;
        if !changed.iter().any(|(name, _)| name.starts_with("XDG_")) {
            let dir = tempfile::tempdir().unwrap();
            command.env("XDG_CONFIG_HOME", dir.path());
            command.env("XDG_STATE_HOME", dir.path());
            home = Some(dir);
        }
        for (name, value) in changed {
            command.env(name, value);
        }
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
    pub fn wait(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !is_so(self.screen.screen()) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("never: {what}\n{}", self.screen.screen().contents())
                }
            }
        }
    }

    /// Waits for bytes that the parser of the screen passes over.
    pub fn wait_for_bytes(&mut self, bytes: &str) {
        let start = Instant::now();
        while !self.sent().contains(bytes) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let more = self.output.recv_timeout(left);
            let more = more.unwrap_or_else(|error| panic!("{bytes:?} never sent: {error}"));
            self.take(&more);
        }
    }

    /// Waits until nothing has come for so long.
    pub fn wait_for_quiet(&mut self, quiet: Duration) {
        let start = Instant::now();
        while let Ok(bytes) = self.output.recv_timeout(quiet) {
            self.take(&bytes);
            assert!(start.elapsed() < PATIENCE, "it never rests");
        }
    }

    /// Whether anything comes within so long.
    pub fn says_anything(&mut self, within: Duration) -> bool {
        self.output.recv_timeout(within).is_ok()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        self.screen.process(bytes);
    }

    /// All that was sent, as text.
    pub fn sent(&self) -> String {
        String::from_utf8_lossy(&self.raw).into_owned()
    }

    pub fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    pub fn wait_until_gone(&mut self, text: &str) {
        self.wait(&format!("{text} gone"), |screen| !screen.contents().contains(text));
    }

    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    pub fn wait_until_stopped(&self) {
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
    pub fn end(&mut self) -> u32 {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.take(&bytes);
        }
        self.child.wait().unwrap().exit_code()
    }

    /// Everything that was switched on is off again.
    pub fn is_clean(&self) -> bool {
        let screen = self.screen.screen();
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    }
}

pub fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap()
}
