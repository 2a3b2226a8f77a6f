//! The worker that changes files: what is asked of it is proposed, made, taken
//! back and made again, one after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::message::Message;
use super::sheet::{Item, Proposed};
use crate::edit::diff::{DiffLine, plan_lines, text_lines};
use crate::edit::disk::Disk;
use crate::edit::merge::merge;
use crate::edit::ops::{self, Target};
use crate::edit::record::{self, Id};
use crate::edit::{
    Change, Content, Deed, EditError, History, Plan, Proposal, Reader, Site, Step, Writer,
};
use crate::profile::FolderName;
use crate::project::curate::{self, CurateError, Operation, propose};
use crate::project::report::modified;
use crate::project::{Deck, Project};
use crate::skill::text::{Shown, counted, name_text, shown};

/// Something for the worker to do.
#[derive(Debug)]
pub enum Task {
    /// Say what an operation would do.
    Propose {
        /// The operation.
        operation: Operation,
        /// The skills.
        deck: Arc<Deck>,
        /// The number of the request.
        number: u64,
    },
    /// Make a change.
    Make(Change),
    /// Take the last change back.
    Undo,
    /// Make the change again that was taken back last.
    Redo,
    /// Tell the changes of the session.
    Changes,
    /// Tell what is in the trash.
    Trash,
    /// Bring something back from the trash.
    Restore(Id),
    /// Read a file for the editor, or for a program outside.
    Open(Opening),
    /// Put another content in place of a file.
    Save {
        /// The file, relative to the boundary.
        at: PathBuf,
        /// What it held when it was looked at.
        before: Option<Content>,
        /// What it is to hold.
        bytes: Vec<u8>,
    },
    /// Tell what a file holds now.
    Look(PathBuf),
    /// A program outside has ended; remember what it changed.
    Note {
        /// The file, relative to the boundary.
        at: PathBuf,
        /// What it held before.
        before: Option<Content>,
        /// Whether something was said of it already.
        is_trouble: bool,
    },
    /// Compare a text that is typed with what its file held.
    Compare {
        /// What the file held.
        before: Option<Content>,
        /// What is typed.
        bytes: Vec<u8>,
        /// The number of the request.
        number: u64,
    },
    /// Say what the safe fixes would make of a text.
    FixText {
        /// The skills.
        deck: Arc<Deck>,
        /// The folder of the skill.
        folder: String,
        /// The text.
        bytes: Vec<u8>,
    },
}

/// A file that is to be opened.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The skills.
    pub deck: Arc<Deck>,
    /// The folder of the skill.
    pub folder: String,
    /// The path below it; `None` is its `SKILL.md`.
    pub below: Option<String>,
    /// Whether a program outside is to open it.
    pub outside: bool,
}

/// A file that was read to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The folder of the skill.
    pub folder: String,
    /// The path below it; `None` is its `SKILL.md`.
    pub below: Option<String>,
    /// The file, relative to the boundary.
    pub at: PathBuf,
    /// The file, absolute.
    pub path: PathBuf,
    /// What it holds; `None` when it is not there yet.
    pub content: Option<Content>,
}

/// The worker.
#[derive(Debug)]
pub struct Session {
    project: Project,
    history: History,
}

impl Session {
    /// A session that has changed nothing yet.
    pub fn new(project: Project) -> Self {
        Self { project, history: History::default() }
    }

    /// What a change that was interrupted before this session does, in words.
    pub fn unfinished(&self) -> Option<Shown> {
        let title = record::unfinished(&self.project.site().ok()?)?;
        Some(shown(&format!(
            "an interrupted change was found ({title}); the next change finishes it or takes it back"
        )))
    }

    /// Does what is asked; what there is to tell of it.
    pub fn handle(&mut self, task: Task) -> Vec<Message> {
        match task {
            Task::Propose { operation, deck, number } => {
                let proposal = propose(&self.project, &deck, operation);
                let proposed = proposal.map(|proposal| Box::new(proposed(proposal)));
                vec![Message::Proposed(number, proposed.map_err(|error| said(&error)))]
            }
            Task::Make(change) => self.make(change),
            // Where there is nothing to do, not even the lock is taken.
            Task::Undo if self.history.done().next().is_none() => {
                nothing("there is nothing to undo")
            }
            Task::Redo if self.history.undone().next().is_none() => {
                nothing("there is nothing to redo")
            }
            Task::Undo => self.again("undone", History::undo),
            Task::Redo => self.again("redone", History::redo),
            Task::Changes => vec![Message::Changes(self.changes())],
            Task::Trash => match self.trash() {
                Ok(deleted) => vec![Message::Trash(deleted)],
                Err(error) => vec![Message::NotMade(said(&error))],
            },
            Task::Restore(id) => self.restore(&id),
            Task::Open(opening) => {
                let outside = opening.outside;
                let opened = self.open(opening).map_err(|error| said(&error));
                vec![if outside { Message::Outside(opened) } else { Message::Opened(opened) }]
            }
            Task::Save { at, before, bytes } => self.save(at, before, bytes),
            Task::Look(at) => match self.content(&at) {
                Ok(content) => vec![Message::OnDisk(at, content)],
                // It is told when it is to be saved.
                Err(_) => Vec::new(),
            },
            Task::Note { at, before, is_trouble } => self.note(at, before, is_trouble),
            Task::Compare { before, bytes, number } => {
                vec![Message::Compare(number, text_lines(&text(before.as_ref()), &lossy(&bytes)))]
            }
            Task::FixText { deck, folder, bytes } => fix_text(&deck, &folder, &bytes),
        }
    }

    fn site(&self) -> Result<Site, CurateError> {
        Ok(self.project.site()?)
    }

    fn reader(&self) -> Result<Reader, CurateError> {
        Ok(Reader::open(Disk::default(), self.site()?)?)
    }

    fn content(&self, at: &Path) -> Result<Option<Content>, CurateError> {
        Ok(self.reader()?.content(at)?)
    }

    /// Writes with the lock, which is given back at once.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&mut History, &Writer) -> Result<T, EditError>,
    ) -> Result<(T, Vec<Message>), CurateError> {
        let writer = Writer::open(Disk::default(), self.site()?)?;
        let recovered = writer.recovered.iter();
        let said = recovered
            .map(|done| {
                Message::Said(shown(&format!("an interrupted change was found and {done}")))
            })
            .collect();
        Ok((work(&mut self.history, &writer)?, said))
    }

    fn make(&mut self, change: Change) -> Vec<Message> {
        let (title, folder) = (shown(&change.plan.title), self.folder(&change, false));
        match self.write(|history, writer| history.apply(writer, change)) {
            Ok(((), mut messages)) => {
                messages.push(Message::Made { title, folder, is_undo: false });
                messages
            }
            Err(error) => vec![Message::NotMade(said(&error))],
        }
    }

    fn again(
        &mut self,
        word: &str,
        turn: impl FnOnce(&mut History, &Writer) -> Result<Option<Change>, EditError>,
    ) -> Vec<Message> {
        match self.write(turn) {
            Ok((Some(change), mut messages)) => {
                let title = shown(&format!("{word}: {}", change.plan.title));
                let is_undo = word == "undone";
                let folder = self.folder(&change, is_undo);
                messages.push(Message::Made { title, folder, is_undo });
                messages
            }
            Ok((None, messages)) => messages,
            Err(error) => {
                let message = format!("it cannot be {word}: {error}");
                vec![Message::NotMade(shown(&message))]
            }
        }
    }

    /// The folder of the skill that a change leaves in place of what it found.
    fn folder(&self, change: &Change, is_undone: bool) -> Option<String> {
        let site = self.site().ok()?;
        let below = |path: &Path| {
            let first = path.strip_prefix(&site.root).ok()?.components().next()?;
            Some(first.as_os_str().to_string_lossy().into_owned())
        };
        if is_undone && let Some(path) = change.deletes.first() {
            return below(path);
        }
        let steps = change.plan.steps.iter();
        let places = steps.map(|step| match step {
            Step::Move { from, .. } if is_undone => below(from),
            step => below(step.path()),
        });
        // A rename moves the folder last.
        places.flatten().last()
    }

    /// The changes of the session, the last first; before them those that were
    /// taken back.
    fn changes(&self) -> Vec<Item> {
        let item = |is_out| {
            move |change: &Change| {
                let undone = if is_out { "undone: " } else { "" };
                let text = shown(&format!("{undone}{}", change.plan.title));
                let mut lines = plan_lines(&change.plan);
                lines.extend(change.deletes.iter().map(|path| deletion(path)));
                Item { text, lines, is_out }
            }
        };
        let undone = self.history.undone().map(item(true));
        undone.chain(self.history.done().rev().map(item(false))).collect()
    }

    fn trash(&self) -> Result<Vec<(Id, Item)>, CurateError> {
        let records = self.reader()?.records()?;
        let deleted = records.into_iter().rev();
        Ok(deleted
            .filter_map(|(id, record)| {
                let name = record.deleted?;
                let seconds = i64::try_from(id.millis() / 1_000).unwrap_or(0);
                let time = modified((seconds, 0)).unwrap_or_default();
                let text = shown(&format!("{time}  {name}"));
                Some((id, Item { text, lines: plan_lines(&record.plan.inverse()), is_out: false }))
            })
            .collect())
    }

    fn restore(&mut self, id: &Id) -> Vec<Message> {
        let restored = self.write(|history, writer| {
            let record = writer.records()?.into_iter().find(|(other, _)| other == id);
            let Some((id, record)) = record else {
                let why = "it is not in the trash any more; somebody restored or removed it";
                return Err(EditError::Refused(why.to_owned()));
            };
            let change = Change::restore(id, &record);
            let title = shown(&change.plan.title);
            history.apply(writer, change)?;
            Ok((title, record.deleted.unwrap_or_default()))
        });
        match restored {
            Ok(((title, name), mut messages)) => {
                let folder = name.split('/').next().map(str::to_owned);
                messages.push(Message::Made { title, folder, is_undo: false });
                messages
            }
            Err(error) => vec![Message::NotMade(said(&error))],
        }
    }

    fn open(&self, opening: Opening) -> Result<Opened, CurateError> {
        let reader = self.reader()?;
        let skill = opening.deck.in_folder(&opening.folder)?;
        let target: Target = self.project.target(reader.site(), skill);
        let at = match &opening.below {
            Some(below) => ops::file_path(&target, below)?,
            None => target.file.unwrap_or_else(|| target.real.join("SKILL.md")),
        };
        let content = reader.content(&at)?;
        let path = reader.site().boundary.join(&at);
        Ok(Opened { folder: opening.folder, below: opening.below, at, path, content })
    }

    #[allow(clippy::needless_pass_by_value)] // as the task hands it over
    fn save(&mut self, at: PathBuf, before: Option<Content>, bytes: Vec<u8>) -> Vec<Message> {
        let now = match self.content(&at) {
            Ok(now) => now,
            Err(error) => return vec![Message::NotSaved(said(&error))],
        };
        let mode = now.as_ref().or(before.as_ref()).map_or(0o644, |content| content.mode);
        let content = Content::new(bytes.clone(), mode);
        let is_same = |a: &Option<Content>, b: &Option<Content>| {
            a.as_ref().map(Content::as_bytes) == b.as_ref().map(Content::as_bytes)
        };
        if !is_same(&now, &before) && now.as_ref() != Some(&content) {
            return vec![conflict(at, before.as_ref(), now, &bytes)];
        }
        let proposal = self.save_proposal(&at, now, bytes);
        let saved = proposal.and_then(|proposal| {
            self.write(|history, writer| history.apply(writer, proposal.change(&[])))
        });
        match saved {
            Ok(((), mut messages)) => {
                messages.push(Message::Saved { at, content });
                messages
            }
            Err(error) => vec![Message::NotSaved(said(&error))],
        }
    }

    fn save_proposal(
        &self,
        at: &Path,
        before: Option<Content>,
        bytes: Vec<u8>,
    ) -> Result<Proposal, CurateError> {
        Ok(Proposal::whole(ops::save(&self.reader()?, at, before, bytes)?))
    }

    fn note(&mut self, at: PathBuf, before: Option<Content>, is_trouble: bool) -> Vec<Message> {
        let after = match self.content(&at) {
            Ok(after) => after,
            Err(error) => return vec![Message::NotMade(said(&error))],
        };
        if after == before && is_trouble {
            return Vec::new();
        }
        if after == before {
            return vec![Message::Said(Shown::fixed("nothing was changed outside"))];
        }
        let title = format!("edit `{}` outside", shown(&at.to_string_lossy()));
        let step = Step::Write { at, before, after };
        let change = Change::of(Plan { title, steps: vec![step] });
        let folder = self.folder(&change, false);
        let title = shown(&change.plan.title);
        self.history.note(change.plan);
        vec![Message::Made { title, folder, is_undo: false }]
    }
}

fn nothing(why: &'static str) -> Vec<Message> {
    vec![Message::NotMade(Shown::fixed(why))]
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn text(content: Option<&Content>) -> String {
    content.map(|content| lossy(content.as_bytes())).unwrap_or_default()
}

/// The file is another than the one that was opened: what can be done.
fn conflict(at: PathBuf, base: Option<&Content>, theirs: Option<Content>, mine: &[u8]) -> Message {
    let (base, mine) = (text(base), lossy(mine));
    let item = |text: &str, lines| Item { text: shown(text), lines, is_out: false };
    let Some(content) = &theirs else {
        let items = vec![
            item("mine: write it again", text_lines("", &mine)),
            item("leave it deleted, and my text with it", text_lines(&mine, "")),
        ];
        return Message::Conflict { at, theirs, merged: None, items };
    };
    let disk = lossy(content.as_bytes());
    let merged = merge(&base, &mine, &disk);
    let both = match merged.conflicts {
        0 => "both: the changes do not touch each other".to_owned(),
        n => format!("both, with {} to settle by hand", counted(n, "place", "places")),
    };
    let items = vec![
        item("mine: write over what is on disk", text_lines(&disk, &mine)),
        item("theirs: take what is on disk, and leave mine", text_lines(&mine, &disk)),
        item(&both, text_lines(&disk, &merged.text)),
    ];
    Message::Conflict { at, theirs, merged: Some(merged.text), items }
}

fn fix_text(deck: &Deck, folder: &str, bytes: &[u8]) -> Vec<Message> {
    let fixed = curate::fix_text(deck, &FolderName::new(folder.as_ref()), bytes, false);
    let applied: Vec<_> = fixed.applied.iter().map(ToString::to_string).collect();
    let (before, after) = (lossy(bytes), lossy(&fixed.bytes));
    let lines = text_lines(&before, &after);
    let item = Item { text: shown(&applied.join(", ")), lines, is_out: false };
    vec![Message::FixedText(after, item)]
}

/// A proposal with the lines of its parts.
fn proposed(proposal: Proposal) -> Proposed {
    let item = |part: &crate::edit::Part| {
        let lines = match &part.deed {
            Deed::Steps(steps) => plan_lines(&Plan { title: String::new(), steps: steps.clone() }),
            Deed::Delete(path) => vec![deletion(path)],
        };
        Item { text: shown(&part.about), lines, is_out: false }
    };
    Proposed { items: proposal.parts.iter().map(item).collect(), proposal }
}

fn deletion(path: &Path) -> DiffLine {
    DiffLine::note(&format!("{} goes to the trash", name_text(path.as_os_str())))
}

fn said(error: &CurateError) -> Shown {
    shown(&error.to_string())
}
