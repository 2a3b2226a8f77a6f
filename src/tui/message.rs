//! What reaches the one queue, and what goes out of it.

use std::sync::Arc;

use crossterm::event::KeyEvent;

use super::pages::Pages;
use crate::project::watch::Mode;
use crate::project::{Deck, View};
use crate::skill::text::Shown;

/// Something happened.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// A deck was laid out; `scanning` while the first scan goes on.
    Deck {
        /// The deck.
        deck: Arc<Deck>,
        /// Whether more is to come.
        scanning: bool,
        /// Whether a change on disk brought it.
        reloaded: bool,
    },
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
    Pages(Pages),
    /// How changes on disk are noticed from now on.
    Mode(Mode),
    /// A worker ended unexpectedly.
    Died(&'static str),
}

/// Something is to be done outside the state. Effects are the only doors to I/O.
#[derive(Debug)]
pub enum Effect {
    /// Look at the disk again.
    Look,
    /// Lay out the deck for another view; what was read is used again.
    View(View),
    /// Begin to follow the disk.
    Follow,
    /// Read a skill's files and lay out its pages.
    Read(Request),
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
    /// The number of the request.
    pub number: u64,
}
