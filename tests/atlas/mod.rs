//! A small project to draw, the same on every machine and every day.

#![allow(dead_code)] // not every test uses all of it
#![allow(clippy::expect_used, clippy::unwrap_used)] // helpers of tests fail like tests

pub mod large;
pub mod person;
pub mod screen;
pub mod styles;
pub mod svg;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ratatui::buffer::Buffer;
use tempfile::TempDir;

pub struct Atlas {
    tmp: TempDir,
}

impl Atlas {
    /// A project whose skills root is there and empty.
    pub fn empty() -> Self {
        let atlas = Self { tmp: tempfile::tempdir().unwrap() };
        fs::create_dir_all(atlas.root()).unwrap();
        atlas
    }

    pub fn project_yaml(&self, text: &str) {
        fs::write(self.dir().join(".kaged/project.yaml"), text).unwrap();
    }

    pub fn new() -> Self {
        let atlas = Self::empty();
        atlas.skill(
            "Pdf_Processing",
            "---\nname: Pdf_Processing\ndescription: Reads and merges PDF files.\n---\n\nUse it.\n",
        );
        atlas.skill(
            "code-review",
            "---\nname: code-review\ndescription: Systematic code review — correctness, security, \
             performance and style.\n---\n\n# Code review\n\nReview $ARGUMENTS.\n\n1. Logic\n2. \
             Edge cases\n3. Names\n",
        );
        atlas.skill(
            "deploy-runbook",
            "---\nname: deploy-runbook\ndescription: >-\n  Step-by-step deployment procedure for \
             this project, with its checks before and after, its rollback and the people to call. \
             Use it when somebody asks to deploy, to roll back, or why a deployment failed, and \
             before every release that touches the database, the queue or the way users sign \
             in.\nglobs: [\"deploy/**\"]\n---\n\n# Deploy\n\nSee rollback.md.\n",
        );
        atlas.file("deploy-runbook/rollback.md", "Roll back.\n");
        atlas.file("deploy-runbook/scripts/check.sh", "true\n");
        atlas.skill(
            "git-workflow",
            "---\ndescription: Branches, commits and pull requests as this project does \
             them.\nhide: true\n---\n\nBranch first.\n",
        );
        atlas.skill(
            "incident-notes",
            "---\nname: incident-notes\ndescription: How to write the notes of an \
             incident.\n---\n\nWrite down times.\n",
        );
        atlas.skill(
            "release-notes",
            "---\nname: release-notes\ndescription: Writes release notes from the commits since \
             the last tag, grouped by what they mean for users, with links to the issues and a \
             word of thanks to everybody who took part in the release.\n---\n\nRead the log.\n",
        );
        atlas.file("README.md", "Not a skill.\n");
        atlas.project_yaml(
            "primary:\n  skills: [\"*\"]\n  subagents:\n    reviewer:\n      skills: \
             [\"code-*\"]\n",
        );
        atlas
    }

    pub fn dir(&self) -> &Path {
        self.tmp.path()
    }

    pub fn root(&self) -> PathBuf {
        self.dir().join(".kaged/skills")
    }

    pub fn skill(&self, folder: &str, text: &str) {
        self.file(&format!("{folder}/SKILL.md"), text);
    }

    /// Writes a file below the root, last changed on a fixed day.
    pub fn file(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(1_780_000_000);
        File::options().write(true).open(&path).unwrap().set_modified(day).unwrap();
    }

    /// Writes bytes into a file below the root.
    pub fn bytes(&self, path: &str, bytes: &[u8]) {
        self.file(path, "");
        fs::write(self.root().join(path), bytes).unwrap();
    }

    /// Every file and folder of the project with its mode and content, the trash
    /// left out.
    pub fn tree(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        fn walk(dir: &Path, found: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let (path, meta) = (entry.path(), entry.metadata().unwrap());
                if entry.file_name() == ".trash" {
                    continue;
                }
                let bytes = if meta.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
                if meta.is_dir() {
                    walk(&path, found);
                }
                found.insert(path, (meta.permissions().mode(), bytes));
            }
        }
        let mut found = BTreeMap::new();
        walk(self.dir(), &mut found);
        found
    }

    /// What a file below the root holds.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub fn remove(&self, folder: &str) {
        fs::remove_dir_all(self.root().join(folder)).unwrap();
    }
}

/// The characters of a buffer, line by line, without trailing blanks.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut covered = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if covered > 0 {
                covered -= 1;
                continue;
            }
            covered = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
