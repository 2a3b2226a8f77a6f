//! What reaches the one queue, and what goes out of it.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::listing::{Listing, Wanted};
use super::pages::{Lay, Pages};
use super::reports::{Report, Told};
use super::session::{Opened, Task};
use super::sheet::{Item, Proposed};
use super::state::Outcome;
use super::trial::Attempt;
use crate::edit::diff::DiffLine;
use crate::edit::record::Id;
use crate::edit::{Content, Draft};
use crate::project::trial::Trial;
use crate::project::watch::Mode;
use crate::project::{Deck, View};
use crate::skill::text::Shown;

/// Something happened.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// A deck was laid out.
    Deck {
        /// The deck.
        deck: Arc<Deck>,
        /// Whether the first scan goes on, with more to come.
        scanning: bool,
        /// What a change on disk brought, in words.
        news: Option<Shown>,
    },
    /// So many folders have been read again so far.
    Progress(usize),
    /// Reading stopped as asked, with so many folders left; what is shown is
    /// still from this view.
    Stopped(usize, View),
    /// The disk was read again, and nothing is new.
    NothingNew,
    /// The rows that were wanted.
    Listing(Listing),
    /// What another view would be, for a picker: request, item, and what it is.
    Compared(u64, usize, Result<Outcome, Shown>),
    /// A report was made.
    Told(Box<Told>),
    /// The disk could not be read.
    Trouble(Shown),
    /// The agent looked as is not there any more.
    AgentGone {
        /// Its address.
        agent: Option<String>,
        /// What is to be said of it.
        message: Shown,
    },
    /// The pages that were asked for.
    Pages(Box<Pages>),
    /// How changes on disk are noticed from now on.
    Mode(Mode),
    /// The list has rested: the detail may follow it.
    Settle,
    /// What was said has been on the screen long enough.
    Hush,
    /// What an operation would do: the number of the request, and what.
    Proposed(u64, Result<Box<Proposed>, Shown>),
    /// What a text that is typed would change: the number of the request, and what.
    Tried(u64, Box<Trial>),
    /// A change was made.
    Made {
        /// What was done.
        title: Shown,
        /// The skill that is to be chosen now.
        folder: Option<String>,
        /// Whether something was taken back by it.
        is_undo: bool,
    },
    /// A change was not made.
    NotMade(Shown),
    /// The changes of the session, the last first.
    Changes(Vec<Item>),
    /// What is in the trash, the last first.
    Trash(Vec<(Id, Item)>),
    /// A file was read for the editor.
    Opened(Result<Opened, Shown>),
    /// A file was read for a program outside.
    Outside(Result<Opened, Shown>),
    /// The program outside has ended: what it was opened for, and what is wrong.
    Returned(Opened, Option<Shown>),
    /// What a file holds now.
    OnDisk(PathBuf, Option<Content>),
    /// The editor's text was saved.
    Saved {
        /// The file, relative to the boundary.
        at: PathBuf,
        /// What it holds now.
        content: Content,
    },
    /// The editor's text was not saved.
    NotSaved(Shown),
    /// The file is another than the one that was opened.
    Conflict {
        /// The file, relative to the boundary.
        at: PathBuf,
        /// What it holds now.
        theirs: Option<Content>,
        /// Both changes in one text.
        merged: Option<String>,
        /// What can be done.
        items: Vec<Item>,
    },
    /// What is typed, compared with the file: the number of the request, and how.
    Compare(u64, Vec<DiffLine>),
    /// What the safe fixes would make of a text, and how.
    FixedText(String, Item),
    /// Drafts of sessions that are gone, and how they differ from the disk.
    Drafts(Vec<(Draft, Item)>),
    /// Something is to be said.
    Said(Shown),
    /// The disk was looked at.
    Looked,
    /// A worker ended unexpectedly.
    Died(&'static str),
}

/// Something is to be done outside the state. Effects are the only doors to I/O.
#[derive(Debug)]
pub enum Effect {
    /// Look at the disk again.
    Look,
    /// Stop looking at the disk.
    Stop,
    /// Lay out the deck for another view; what was read is used again.
    View(View),
    /// Lay out decks for other views and say what they amount to.
    Compare(Vec<View>, u64),
    /// Have something told at length.
    Report(Report),
    /// Begin to follow the disk.
    Follow,
    /// Make the rows of the list.
    List(Wanted),
    /// Read a skill's files and lay out its pages.
    Read(Request),
    /// Look at the disk again, without a word when nothing is new.
    LookQuietly,
    /// Have files changed, or say what there is to change.
    Session(Task),
    /// Tell what a text that is typed would change.
    Try(Attempt),
    /// Keep this text safe, or none.
    Draft(Option<Draft>),
    /// A draft of a session that is gone is done with, by its index.
    Discard(usize),
    /// Give the terminal to a program that edits a file.
    Outside(Opened),
    /// Hand a text to the terminal's clipboard.
    Yank(String),
    /// Draw everything anew.
    Redraw,
    /// Give the terminal back and stop until `fg`.
    Suspend,
    /// Leave.
    Quit,
    /// Leave, because a worker ended unexpectedly.
    Fail(&'static str),
}

/// Which pages are wanted.
#[derive(Debug, Clone)]
pub struct Request {
    /// The deck they belong to.
    pub deck: Arc<Deck>,
    /// The skill, by its index in the deck.
    pub skill: usize,
    /// The sample arguments.
    pub arguments: Option<String>,
    /// Cells of a row.
    pub width: usize,
    /// How text is laid out.
    pub lay: Lay,
    /// What is looked for in it.
    pub find: Option<String>,
    /// The file to show.
    pub preview: Option<PathBuf>,
    /// The number of the request.
    pub number: u64,
}
