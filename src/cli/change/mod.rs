//! The commands that change something.

mod copy;
mod create;
mod export;
mod fix;
mod import;
mod remove;
mod rename;
mod restore;
mod set;

use std::path::Path;

use anyhow::bail;

pub use copy::Copy;
pub use create::New;
pub use export::Export;
pub use fix::FixCommand;
pub use import::Import;
pub use remove::Rm;
pub use rename::Rename;
pub use restore::Restore;
pub use set::Set;

use super::out;
use super::target::Target;
use crate::edit::disk::Disk;
use crate::edit::{EditError, Plan, Writer, ops};
use crate::project::{Deck, Project, View};
use crate::skill::text::{shown, shown_name};

/// A project, read after the lock was taken, so that nobody else of us changes
/// it meanwhile.
struct Desk {
    project: Project,
    deck: Deck,
    writer: Writer,
}

impl Desk {
    fn open(target: &Target, view: &View) -> anyhow::Result<Self> {
        let project = target.project()?;
        let writer = Writer::open(Disk::default(), project.site()?)?;
        for done in &writer.recovered {
            out::note(&shown(&format!("skilldeck: an interrupted change was found and {done}")));
        }
        let (project, deck) = target.deck(view)?;
        Ok(Self { project, deck, writer })
    }

    fn target(&self, name: &str) -> anyhow::Result<ops::Target> {
        let skill = self.deck.find(name)?;
        Ok(self.project.target(self.writer.site(), skill))
    }

    /// Makes a change and says so in one line, with how to take it back.
    fn apply(&self, plan: Plan, undo: &str) -> anyhow::Result<()> {
        let title = plan.title.clone();
        if plan.steps.is_empty() {
            return out::lines([shown(&format!("{title}: nothing to change"))]);
        }
        self.writer.apply(plan)?;
        out::lines([shown(&format!("{title}; undo: {undo}"))])
    }
}

/// Refuses a name before anything is written, the lock included.
fn refuse(target: &Target, name: &str, may_come_back: bool) -> anyhow::Result<()> {
    let site = target.project()?.site()?;
    let is_known = site.boundary.join(site.trash()).is_dir();
    match ops::check_name(name) {
        // A rename may take the last one back, which the records tell.
        Err(_) if may_come_back && is_known && !name.contains(['/', '\\', '\0']) => return Ok(()),
        other => other?,
    }
    let root = site.boundary.join(&site.root);
    let names = std::fs::read_dir(&root).into_iter().flatten().flatten();
    let taken = names
        .map(|entry| entry.file_name())
        .find(|other| other.to_string_lossy().to_lowercase() == name);
    if let Some(other) = taken.filter(|_| !may_come_back) {
        let path = shown_name(site.root.join(other).as_os_str()).into_string();
        bail!(EditError::Exists { path });
    }
    Ok(())
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,@%+=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('-') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The last part of a path, for people.
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_so_that_a_shell_takes_it_as_it_is() {
        for (word, want) in [
            ("code-review", "code-review"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", "'it'\\''s'"),
            ("$(x)", "'$(x)'"),
            ("-x", "'-x'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
