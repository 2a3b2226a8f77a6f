//! A small project on disk, and the real program run in it.

#![allow(dead_code)] // not every test uses all of it
#![allow(clippy::expect_used, clippy::unwrap_used)] // helpers of tests fail like tests

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Only a program that hangs takes so long.
const HANGS: Duration = Duration::from_secs(30);

/// The variable that sets the budget.
pub const BUDGET: &str = "SKILLS_PROMPT_CHAR_BUDGET";

/// Takes from root the power to read what its mode forbids.
const POWERLESS: [&str; 3] = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];

/// How a run ended, and what it wrote.
#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A project in a folder of its own, so that there is something outside of it.
pub struct Fixture {
    top: TempDir,
    env: BTreeMap<String, String>,
}

/// Real projects to try things on: those in the folders that `SKILLDECK_PROJECTS`
/// names, parted by `:`. Without it there are none.
pub fn real_projects() -> Vec<PathBuf> {
    let named = env::var_os("SKILLDECK_PROJECTS").unwrap_or_default();
    let mut projects: Vec<_> = env::split_paths(&named)
        .filter(|parent| !parent.as_os_str().is_empty())
        .flat_map(|parent| fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|dir| dir.join(".kaged").is_dir())
        .collect();
    projects.sort();
    assert!(named.is_empty() || !projects.is_empty(), "no project is in {}", named.display());
    projects
}

/// A `SKILL.md` in which nothing is wrong.
pub fn good(name: &str, description: &str) -> String {
    with_head(&format!("name: {name}\ndescription: {description}"))
}

/// A `SKILL.md` with these lines between its fences.
pub fn with_head(head: &str) -> String {
    format!("---\n{head}\n---\n\nDo it.\n")
}

impl Fixture {
    /// A project whose skills root is there and empty.
    pub fn new() -> Self {
        let project = Self::without_root();
        project.dir(".kaged/skills");
        project
    }

    /// A project that has no skills root yet.
    pub fn without_root() -> Self {
        let project = Self { top: tempfile::tempdir().unwrap(), env: BTreeMap::new() };
        project.dir(".kaged");
        project
    }

    /// The real directory that holds the project, and is its user's home.
    pub fn home(&self) -> PathBuf {
        self.top.path().canonicalize().unwrap()
    }

    /// The project's real directory.
    pub fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// Where the program looks for its config file. There is none.
    pub fn config_home(&self) -> PathBuf {
        self.home().join("config")
    }

    /// A path relative to the project; `../x` lies outside of it.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.project().join(path)
    }

    /// The `SKILL.md` of a skill.
    pub fn skill_md(&self, folder: impl AsRef<Path>) -> PathBuf {
        self.at(".kaged/skills").join(folder).join("SKILL.md")
    }

    pub fn skill(&self, folder: impl AsRef<Path>, text: impl AsRef<[u8]>) -> &Self {
        self.file(self.skill_md(folder), text)
    }

    /// Skills in which nothing is wrong.
    pub fn good(&self, folders: &[&str]) -> &Self {
        for folder in folders {
            self.skill(folder, good(folder, "Does one thing."));
        }
        self
    }

    pub fn file(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        fs::write(self.with_parents(path), bytes).unwrap();
        self
    }

    pub fn dir(&self, path: impl AsRef<Path>) -> &Self {
        fs::create_dir_all(self.at(path)).unwrap();
        self
    }

    /// A symbolic link; a relative target counts from the link's own folder.
    pub fn link(&self, path: impl AsRef<Path>, target: impl AsRef<Path>) -> &Self {
        symlink(target, self.with_parents(path)).unwrap();
        self
    }

    pub fn fifo(&self, path: impl AsRef<Path>) -> &Self {
        let status = Command::new("mkfifo").arg(self.with_parents(path)).status().unwrap();
        assert!(status.success(), "mkfifo failed");
        self
    }

    pub fn mode(&self, path: impl AsRef<Path>, mode: u32) -> &Self {
        fs::set_permissions(self.at(path), Permissions::from_mode(mode)).unwrap();
        self
    }

    fn with_parents(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// Sets a variable for every run from now on.
    pub fn env(&mut self, key: &str, value: &str) -> &mut Self {
        self.env.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Takes back what `env` set.
    pub fn unset(&mut self, key: &str) -> &mut Self {
        self.env.remove(key);
        self
    }

    /// The real program in the project, started by `program` if that is not empty.
    fn command_by(&self, program: &[&str], args: &[&str]) -> Command {
        let binary = env!("CARGO_BIN_EXE_skilldeck");
        let mut words = program.iter().chain([&binary]).chain(args);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).current_dir(self.project());
        command.env_remove(BUDGET).env("NO_COLOR", "1").env("HOME", self.home());
        // Nobody's own settings take part.
        command.env("XDG_CONFIG_HOME", self.config_home());
        command.env("XDG_STATE_HOME", self.home().join("state"));
        command.envs(&self.env).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The real program in the project, its output in pipes.
    pub fn command(&self, args: &[&str]) -> Command {
        self.command_by(&[], args)
    }

    /// Runs the real program in the project.
    pub fn run(&self, args: &[&str]) -> Output {
        finish(self.command(args))
    }

    /// Runs it without root's power over modes; `None` where that cannot be dropped.
    pub fn run_powerless(&self, args: &[&str]) -> Option<Output> {
        if !geteuid().is_root() {
            return Some(self.run(args));
        }
        let can = Command::new(POWERLESS[0]).args(&POWERLESS[1..]).arg("true").output();
        can.is_ok_and(|output| output.status.success())
            .then(|| finish(self.command_by(&POWERLESS, args)))
    }

    /// `list --json` and more arguments.
    pub fn list_as(&self, args: &[&str]) -> Value {
        self.run(&[&["list", "--json"], args].concat()).json()
    }

    /// `list --json`.
    pub fn list(&self) -> Value {
        self.list_as(&[])
    }
}

impl Output {
    /// Standard output as the one JSON document of a run that went well.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs to the end; a program that does not end is stopped, and the test fails.
fn finish(mut command: Command) -> Output {
    let child = command.spawn().unwrap();
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = receiver.recv_timeout(HANGS) else {
        let pid = i32::try_from(id).ok().and_then(Pid::from_raw).unwrap();
        let _ = kill_process(pid, Signal::KILL);
        panic!("does not end: {command:?}");
    };
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output {
        code: output.status.code().unwrap_or_else(|| panic!("{:?}: {command:?}", output.status)),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The strings of an array.
pub fn strings(array: &Value) -> Vec<&str> {
    array.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

/// A field of each object of an array.
pub fn each<'a>(array: &'a Value, field: &str) -> Vec<&'a str> {
    array.as_array().unwrap().iter().map(|v| v[field].as_str().unwrap_or("-")).collect()
}

/// The folders of a list, in order.
pub fn folders(list: &Value) -> Vec<&str> {
    each(&list["skills"], "folder")
}

/// The skill of a folder.
#[track_caller]
pub fn row<'a>(list: &'a Value, folder: &str) -> &'a Value {
    let mut rows = list["skills"].as_array().unwrap().iter();
    rows.find(|row| row["folder"] == folder)
        .unwrap_or_else(|| panic!("no row `{folder}` among {:?}", folders(list)))
}

/// The codes of a skill's findings, or of the project's, with a space between.
pub fn codes(of: &Value) -> String {
    each(&of["findings"], "code").join(" ")
}

/// `status code code` of a skill.
pub fn verdict(row: &Value) -> String {
    format!("{} {}", row["status"].as_str().unwrap(), codes(row)).trim_end().to_owned()
}

/// `path code` of what is not loaded, the path relative to the usual root.
pub fn not_loaded(list: &Value) -> Vec<String> {
    let things = list["not_loaded"].as_array().unwrap().iter();
    things
        .map(|thing| {
            let path = thing["path"].as_str().unwrap();
            let path = path.strip_prefix(".kaged/skills/").unwrap_or(path);
            format!("{path} {}", thing["code"].as_str().unwrap())
        })
        .collect()
}

/// What a terminal may obey: C0 but LF, DEL and C1.
pub fn raw_controls(text: &str) -> Vec<char> {
    text.chars().filter(|c| *c != '\n' && c.is_control()).collect()
}
