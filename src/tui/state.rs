//! What the screen knows. A value: drawing reads it, only `update` changes it.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::editing::{Editing, Search};
use super::field::Field;
use super::filter::Filter;
use super::ink::Theme;
use super::keymap::Keymap;
pub use super::listing::{Row, Sort};
use super::pages::{Laid, Lay, Page, Pages};
use super::reports::Known;
use super::session::Opened;
use super::sheet::Sheet;
use crate::project::tree::{Item, Kind};
use crate::project::watch::Mode;
use crate::project::{Deck, NotLoaded, Skill, View};
use crate::prompt::Budget;
use crate::skill::Status;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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
}

/// How far the reading of the disk is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The first scan is under way; so many folders have been read.
    Scanning(usize),
    /// What was read is shown, and it is being read again; so many folders so far.
    Again(usize),
    /// All is read.
    Done,
    /// The reading was stopped with so many folders left.
    Stopped(usize),
    /// The root cannot be read.
    Failed(Shown),
}

/// The one thing that is open over the screen.
#[derive(Debug)]
pub enum Overlay {
    /// Every key; what is typed narrows it.
    Help {
        /// What is looked for.
        query: Field,
        /// The first row shown.
        scroll: usize,
    },
    /// Every command; what is typed narrows it.
    Palette {
        /// What is looked for.
        query: Field,
        /// The chosen one of those found.
        selected: usize,
    },
    /// A list to choose from.
    Picker(Picker),
    /// A line in which the filter is typed.
    Filter(Field),
    /// Lines in which arguments are typed.
    Arguments {
        /// What is typed.
        field: Field,
        /// The folder of the skill that they are for.
        folder: String,
    },
    /// A line in which a budget is typed or stepped.
    Budget {
        /// The number.
        field: Field,
        /// The budget to return to.
        before: Budget,
        /// Whether nothing was typed or stepped yet: the first digit then begins anew.
        is_fresh: bool,
    },
    /// A line in which a text to find is typed.
    Find(Field),
    /// What is looked for in the editor.
    Search(Box<Search>),
    /// What is about to be done, or was.
    Sheet(Box<Sheet>),
    /// Something said at length.
    Notice {
        /// What it is about.
        title: Shown,
        /// What is said.
        lines: Vec<Shown>,
        /// The first row shown.
        scroll: usize,
    },
}

impl Overlay {
    /// Where one types in it.
    pub fn field(&mut self) -> Option<&mut Field> {
        match self {
            Self::Filter(field)
            | Self::Arguments { field, .. }
            | Self::Find(field)
            | Self::Budget { field, .. }
            | Self::Palette { query: field, .. }
            | Self::Help { query: field, .. } => Some(field),
            Self::Search(search) => {
                Some(if search.is_replacing { &mut search.replace } else { &mut search.find })
            }
            // It has several.
            Self::Sheet(sheet) => sheet.field(),
            Self::Picker(_) | Self::Notice { .. } => None,
        }
    }
}

/// A list to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picker {
    /// What is chosen.
    pub choice: Choice,
    /// What there is to choose.
    pub items: Vec<PickerItem>,
    /// The chosen one.
    pub selected: usize,
    /// The number under which the outcomes were asked for.
    pub number: u64,
}

/// A thing to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickerItem {
    /// Its name.
    pub name: String,
    /// A word about it.
    pub about: String,
    /// What the deck would be, once it is known.
    pub outcome: Option<Result<Outcome, Shown>>,
}

/// What a deck amounts to, to compare two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Skills in the catalog.
    pub listed: usize,
    /// Skills in the catalog without all of their description.
    pub shortened: usize,
    /// Skills past the cut.
    pub cut: usize,
    /// Skills that do not load.
    pub errors: usize,
}

impl Outcome {
    /// What a deck amounts to.
    pub fn of(deck: &Deck) -> Self {
        use crate::prompt::catalog::State;
        Self {
            listed: deck.count(State::Listed),
            shortened: deck.count_shortened(),
            cut: deck.count(State::Cut),
            errors: deck.count_status(Status::Error),
        }
    }
}

/// What a picker chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The client.
    Profile,
    /// The agent.
    Agent,
    /// The order of the list.
    Sort,
}

/// A deck that was read and waits for its list.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The deck.
    pub deck: Arc<Deck>,
    /// How far the reading is with it.
    pub reading: Reading,
    /// What a change on disk brought, in words.
    pub news: Option<Shown>,
}

/// Everything the screen knows.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is true or not, whatever the others are
pub struct State {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The look.
    pub theme: Theme,
    /// Which key means what.
    pub keys: Keymap,
    /// The project, for the header: `atlas/.kaged/skills`.
    pub title: Shown,
    /// As whom one looks.
    pub view: View,
    /// The budget that counts outside of this screen.
    pub real_budget: Budget,
    /// What was seen; `None` before anything was.
    pub deck: Option<Arc<Deck>>,
    /// What was seen since, until its rows are known.
    pub incoming: Option<Incoming>,
    /// The rows of the list.
    pub rows: Vec<Row>,
    /// How many skills are among the rows.
    pub found: usize,
    /// What the list is narrowed to.
    pub filter: Filter,
    /// The order of the list.
    pub sort: Sort,
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
    /// The row that the detail shows; it follows the chosen one.
    pub shown: Option<Row>,
    /// What was chosen before its row went away.
    pub remembered: Option<String>,
    /// What was chosen before the filter was typed.
    pub home: Option<String>,
    /// Whether the skill that fits a typed filter best is to be chosen.
    pub aims: bool,
    /// Whether a key is held down: the list then scrolls by half of it, not by
    /// rows, which a slow line could not carry.
    pub is_rushed: bool,
    /// The first row of the list that is shown.
    pub offset: usize,
    /// The first line of the detail that is shown.
    pub scroll: usize,
    /// Cells of unwrapped lines that are left out at their beginning.
    pub shift: usize,
    /// The chosen thing of the Files tab.
    pub file: usize,
    /// The file that is shown on the Files tab.
    pub preview: Option<PathBuf>,
    /// How pages are laid out.
    pub lay: Lay,
    /// The place that was found last, among those of the page.
    pub at_match: usize,
    /// Columns of the list, once the divider was dragged.
    pub divider: Option<u16>,
    /// Whether the divider is being dragged.
    pub is_dragging: bool,
    /// Sample arguments by folder name, for the session.
    pub arguments: HashMap<String, String>,
    /// What was read of the chosen skill's files.
    pub pages: Option<Pages>,
    /// What is known of a deck beyond its skills.
    pub known: Option<(Arc<Deck>, Arc<Known>)>,
    /// The deck for which that was asked last.
    pub known_asked: Option<Arc<Deck>>,
    /// What is open over the screen.
    pub overlay: Option<Overlay>,
    /// What happened off the screen, said once.
    pub toast: Option<Shown>,
    /// Nothing outside of this folder is ever changed.
    pub boundary: PathBuf,
    /// The user's own editor, as a shell takes it.
    pub editor: Option<String>,
    /// The skills that are marked, by folder.
    pub marked: BTreeSet<String>,
    /// The templates of a new skill: their names, and a word about each.
    pub templates: Vec<(String, String)>,
    /// The folders of other clients' skills, and a word about each.
    pub others: Vec<(String, String)>,
    /// Whether the next news are of a change that was made here, and told.
    pub is_own_news: bool,
    /// The file that is edited.
    pub editing: Option<Box<Editing>>,
    /// What is opened in the editor once it has been made.
    pub pending: Option<Opened>,
    /// Counts what was asked of the workers that change files.
    pub asked: u64,
    /// Whether it was said that running sessions keep their catalog.
    pub told_sessions: bool,
    /// Whether the watcher was started.
    pub is_following: bool,
    /// Counts requests, so that late answers are known.
    pub request: u64,
    /// The number of the last request for rows.
    pub rows_request: u64,
}

impl State {
    /// A screen that has seen nothing yet.
    pub fn new(title: Shown, theme: Theme, view: View, size: (u16, u16)) -> Self {
        Self {
            size,
            theme,
            keys: Keymap::default(),
            title,
            real_budget: view.budget.clone(),
            view,
            deck: None,
            incoming: None,
            rows: Vec::new(),
            found: 0,
            filter: Filter::default(),
            sort: Sort::default(),
            reading: Reading::Scanning(0),
            mode: None,
            focus: Pane::List,
            tab: Tab::Overview,
            selected: 0,
            shown: None,
            remembered: None,
            home: None,
            aims: false,
            is_rushed: false,
            offset: 0,
            scroll: 0,
            shift: 0,
            file: 0,
            preview: None,
            lay: Lay { ascii: theme.ascii, ..Lay::default() },
            at_match: 0,
            divider: None,
            is_dragging: false,
            arguments: HashMap::new(),
            pages: None,
            known: None,
            known_asked: None,
            overlay: None,
            toast: None,
            boundary: PathBuf::new(),
            editor: None,
            marked: BTreeSet::new(),
            templates: Vec::new(),
            others: Vec::new(),
            is_own_news: false,
            editing: None,
            pending: None,
            asked: 0,
            told_sessions: false,
            is_following: false,
            request: 0,
            rows_request: 0,
        }
    }

    /// The sheet that is open.
    pub fn sheet_mut(&mut self) -> Option<&mut Sheet> {
        match &mut self.overlay {
            Some(Overlay::Sheet(sheet)) => Some(sheet),
            _ => None,
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

    /// Whether the disk is being read.
    pub fn is_reading(&self) -> bool {
        matches!(self.reading, Reading::Scanning(_) | Reading::Again(_))
    }

    /// Whether the detail shows the chosen row.
    pub fn is_settled(&self) -> bool {
        self.shown == self.selected_row()
    }

    /// Whether the detail is on the screen.
    pub fn shows_detail(&self) -> bool {
        self.has_two_panes() || self.focus == Pane::Detail
    }

    /// The chosen row.
    pub fn selected_row(&self) -> Option<Row> {
        self.rows.get(self.selected).copied()
    }

    /// The chosen skill.
    pub fn selected_skill(&self) -> Option<&Skill> {
        self.skill(self.selected_row()?)
    }

    /// The skill that the detail shows.
    pub fn shown_skill(&self) -> Option<&Skill> {
        self.skill(self.shown?)
    }

    /// The thing that is not loaded and that the detail shows.
    pub fn shown_not_loaded(&self) -> Option<&NotLoaded> {
        self.not_loaded(self.shown?)
    }

    fn skill(&self, row: Row) -> Option<&Skill> {
        match row {
            Row::Skill(i) => self.deck.as_ref()?.skills.get(i),
            Row::Cut | Row::NotLoaded(_) => None,
        }
    }

    fn not_loaded(&self, row: Row) -> Option<&NotLoaded> {
        match row {
            Row::NotLoaded(i) => self.deck.as_ref()?.not_loaded.get(i),
            Row::Skill(_) | Row::Cut => None,
        }
    }

    /// What tells the chosen row after a reload.
    pub fn selected_key(&self) -> Option<String> {
        self.key(self.selected_row()?)
    }

    /// What tells the row that the detail shows.
    pub fn shown_key(&self) -> Option<String> {
        self.key(self.shown?)
    }

    fn key(&self, row: Row) -> Option<String> {
        match (self.skill(row), self.not_loaded(row)) {
            (Some(skill), _) => Some(skill.folder().to_owned()),
            (None, Some(thing)) => Some(format!("/{}", thing.path)),
            (None, None) => None,
        }
    }

    /// The arguments given for the skill that the detail shows.
    pub fn shown_arguments(&self) -> Option<&str> {
        self.arguments.get(self.shown_skill()?.folder()).map(String::as_str)
    }

    /// The pages of the skill that the detail shows, once they have been read.
    pub fn shown_pages(&self) -> Option<&Pages> {
        let folder = self.shown_skill()?.folder();
        self.pages.as_ref().filter(|pages| pages.folder == folder)
    }

    /// What is known of the deck that is shown, beyond its skills.
    pub fn known(&self) -> Option<&Known> {
        let (deck, known) = self.known.as_ref()?;
        self.deck.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, deck)).then_some(known)
    }

    /// The page in front, where it is one of text.
    pub fn front(&self) -> Option<&Page> {
        self.front_of(self.shown_pages()?)
    }

    /// The page of text among some pages that is in front, or would be.
    pub fn front_of<'a>(&self, pages: &'a Pages) -> Option<&'a Page> {
        match self.tab {
            Tab::Body => Some(&pages.body),
            Tab::Activation => Some(&pages.activation),
            Tab::Catalog => pages.tool.as_ref().filter(|_| self.lay.tool),
            Tab::Files => {
                let (path, page) = pages.preview.as_ref()?;
                (Some(path) == self.preview.as_ref()).then_some(page)
            }
            Tab::Overview | Tab::Problems => None,
        }
    }

    /// The text of the page in front.
    pub fn page(&self) -> Option<&Laid> {
        self.front().and_then(Page::text)
    }

    /// The chosen file of the Files tab, if it is one that can be shown.
    pub fn chosen_file(&self) -> Option<&Item> {
        let is_list = self.tab == Tab::Files && self.preview.is_none();
        let item = self.shown_pages()?.tree.items.get(self.file).filter(|_| is_list)?;
        matches!(item.kind, Kind::File(_) | Kind::Link(_)).then_some(item)
    }

    /// Whether what the tab in front shows must be read from the skill's files.
    pub fn needs_pages(&self) -> bool {
        let has_files = || self.shown_skill().is_some_and(|s| !s.entry.resources.files.is_empty());
        match self.tab {
            Tab::Body | Tab::Activation | Tab::Files | Tab::Problems => true,
            Tab::Catalog => self.lay.tool,
            Tab::Overview => has_files(),
        }
    }
}
