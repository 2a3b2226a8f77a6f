//! What the screen knows. A value: drawing reads it, only `update` changes it.

use std::collections::HashMap;
use std::sync::Arc;

use tui_textarea::TextArea;

use super::ink::Theme;
use super::pages::Pages;
use crate::project::watch::Mode;
use crate::project::{Deck, NotLoaded, Skill, View};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::text::Shown;

/// Two panes from this width on (columns).
pub const TWO_PANES: u16 = 100;
/// Smaller than this nothing useful can be drawn (columns, rows).
pub const SMALLEST: (u16, u16) = (40, 12);

/// The pane that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The list of skills.
    List,
    /// The detail of the chosen one.
    Detail,
}

/// The tabs of the detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as on the screen
pub enum Tab {
    Overview,
    Body,
    Activation,
    Catalog,
    Files,
    Problems,
}

impl Tab {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::Overview, Self::Body, Self::Activation, Self::Catalog, Self::Files, Self::Problems];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Body => "Body",
            Self::Activation => "Activation",
            Self::Catalog => "Catalog",
            Self::Files => "Files",
            Self::Problems => "Problems",
        }
    }

    /// Whether it shows what must be read from the skill's files.
    pub fn needs_pages(self) -> bool {
        matches!(self, Self::Body | Self::Activation | Self::Files)
    }
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A skill, by its index in the deck.
    Skill(usize),
    /// Where the catalog is cut.
    Cut,
    /// Something that is not loaded, by its index in the deck.
    NotLoaded(usize),
}

/// How far the reading of the disk is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The first scan is under way; so many folders have been read.
    Scanning(usize),
    /// All is read.
    Done,
    /// The root cannot be read.
    Failed(Shown),
}

/// The one thing that is open over the screen.
#[derive(Debug)]
pub enum Overlay {
    /// Every key.
    Help {
        /// The first row shown.
        scroll: usize,
    },
    /// A list to choose from.
    Picker(Picker),
    /// A line to type arguments in.
    Arguments(Box<TextArea<'static>>),
}

/// A list to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picker {
    /// What is chosen.
    pub choice: Choice,
    /// The names and a word about each.
    pub items: Vec<(String, String)>,
    /// The chosen one.
    pub selected: usize,
}

/// What a picker chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The client.
    Profile,
    /// The agent.
    Agent,
}

/// Everything the screen knows.
#[derive(Debug)]
pub struct State {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The look.
    pub theme: Theme,
    /// The project, for the header: `atlas/.kaged/skills`.
    pub title: Shown,
    /// As whom one looks.
    pub view: View,
    /// What was seen; `None` before anything was.
    pub deck: Option<Arc<Deck>>,
    /// The rows of the list.
    pub rows: Vec<Row>,
    /// How far the reading is.
    pub reading: Reading,
    /// How changes are noticed; `None` until the watcher has said.
    pub mode: Option<Mode>,
    /// The pane that has the focus.
    pub focus: Pane,
    /// The tab in front.
    pub tab: Tab,
    /// The chosen row.
    pub selected: usize,
    /// What was chosen before the rows went away.
    pub remembered: Option<String>,
    /// The first row of the list that is shown.
    pub offset: usize,
    /// The first line of the detail that is shown.
    pub scroll: usize,
    /// Sample arguments by folder name, for the session.
    pub arguments: HashMap<String, String>,
    /// What was read of the chosen skill's files.
    pub pages: Option<Pages>,
    /// What is open over the screen.
    pub overlay: Option<Overlay>,
    /// What happened off the screen, said once.
    pub toast: Option<Shown>,
    /// Whether it was said that running sessions keep their catalog.
    pub told_sessions: bool,
    /// Whether the watcher was started.
    pub is_following: bool,
    /// Counts the requests for pages, so that late answers are known.
    pub request: u64,
}

impl State {
    /// A screen that has seen nothing yet.
    pub fn new(title: Shown, theme: Theme, view: View, size: (u16, u16)) -> Self {
        Self {
            size,
            theme,
            title,
            view,
            deck: None,
            rows: Vec::new(),
            reading: Reading::Scanning(0),
            mode: None,
            focus: Pane::List,
            tab: Tab::Overview,
            selected: 0,
            remembered: None,
            offset: 0,
            scroll: 0,
            arguments: HashMap::new(),
            pages: None,
            overlay: None,
            toast: None,
            told_sessions: false,
            is_following: false,
            request: 0,
        }
    }

    /// Whether both panes are on the screen.
    pub fn has_two_panes(&self) -> bool {
        self.size.0 >= TWO_PANES
    }

    /// Whether there is room for the screen at all.
    pub fn is_too_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    /// The chosen row.
    pub fn selected_row(&self) -> Option<Row> {
        self.rows.get(self.selected).copied()
    }

    /// The chosen skill.
    pub fn selected_skill(&self) -> Option<&Skill> {
        match self.selected_row()? {
            Row::Skill(i) => self.deck.as_ref()?.skills.get(i),
            Row::Cut | Row::NotLoaded(_) => None,
        }
    }

    /// The chosen thing that is not loaded.
    pub fn selected_not_loaded(&self) -> Option<&NotLoaded> {
        match self.selected_row()? {
            Row::NotLoaded(i) => self.deck.as_ref()?.not_loaded.get(i),
            Row::Skill(_) | Row::Cut => None,
        }
    }

    /// What tells the chosen row after a reload.
    pub fn selected_key(&self) -> Option<String> {
        match (self.selected_skill(), self.selected_not_loaded()) {
            (Some(skill), _) => Some(skill.folder().to_owned()),
            (None, Some(thing)) => Some(format!("/{}", thing.path)),
            (None, None) => None,
        }
    }

    /// The arguments given for the chosen skill.
    pub fn selected_arguments(&self) -> Option<&str> {
        let skill = self.selected_skill()?;
        self.arguments.get(skill.folder()).map(String::as_str)
    }

    /// The pages of the chosen skill, if they are those of this moment.
    pub fn selected_pages(&self) -> Option<&Pages> {
        let folder = self.selected_skill()?.folder();
        self.pages.as_ref().filter(|pages| pages.folder == folder)
    }
}

/// The rows of a deck: its skills, the cut before the first that is cut, and
/// what is not loaded.
pub fn rows(deck: &Deck) -> Vec<Row> {
    let mut rows = Vec::with_capacity(deck.skills.len() + deck.not_loaded.len() + 1);
    let mut is_cut = false;
    for (i, skill) in deck.skills.iter().enumerate() {
        if !is_cut && skill.place.state == Catalogued::Cut {
            is_cut = true;
            rows.push(Row::Cut);
        }
        rows.push(Row::Skill(i));
    }
    rows.extend((0..deck.not_loaded.len()).map(Row::NotLoaded));
    rows
}
