//! The program without its threads and its terminal: messages in, effects
//! carried out at once, cells out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind as Kind,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use skilldeck::edit::Draft;
use skilldeck::project::usage::Usage;
use skilldeck::project::watch::Mode;
use skilldeck::project::{Agents, Deck, Facts, Project, View, scan};
use skilldeck::prompt::Budget;
use skilldeck::skill::text::{Shown, shown};
use skilldeck::tui::ink::{Palette, Theme};
use skilldeck::tui::listing::Lister;
use skilldeck::tui::message::{Effect, Message};
use skilldeck::tui::news::news;
use skilldeck::tui::pages;
use skilldeck::tui::reports::{self, Report};
use skilldeck::tui::session::{Opened, Session};
use skilldeck::tui::state::{Outcome, State};
use skilldeck::tui::trial;
use skilldeck::tui::update::update;
use skilldeck::tui::view;

/// The sizes at which everything is looked at.
pub const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (40, 12)];

pub struct Screen {
    pub project: Project,
    pub state: State,
    lister: Lister,
    /// What was read first.
    first: Option<(Facts, Arc<Agents>)>,
    session: Session,
    /// What is kept safe.
    pub draft: Option<Draft>,
    /// What a program outside was started for.
    pub outside: Option<Opened>,
    pub yanked: Option<String>,
    pub quit: bool,
    /// Where activations are recorded.
    pub records: Option<PathBuf>,
}

impl Screen {
    /// A screen that has drawn its first frame and read nothing.
    pub fn unread(dir: &Path, budget: &str, size: (u16, u16)) -> Self {
        Self::unread_with(dir, budget, size, Theme::default())
    }

    fn unread_with(dir: &Path, budget: &str, size: (u16, u16), theme: Theme) -> Self {
        let project = Project::find(dir, None, None, None).unwrap();
        let view = View { budget: Budget::choose(Some(budget), None, None), ..View::default() };
        let mut state = State::new(Shown::fixed("atlas/.kaged/skills"), theme, view, size);
        state.boundary = project.boundary().to_owned();
        state.templates = vec![("plain".into(), "instructions, and nothing else".into())];
        state.editor = Some("vi".into());
        Self {
            session: Session::new(project.clone()),
            project,
            state,
            lister: Lister::default(),
            first: None,
            draft: None,
            outside: None,
            yanked: None,
            quit: false,
            records: None,
        }
    }

    /// A screen that has read the project and follows it.
    pub fn open(dir: &Path, budget: &str, size: (u16, u16)) -> Self {
        Self::open_with(dir, budget, size, Theme::default())
    }

    /// The same with a look of its own.
    pub fn open_with(dir: &Path, budget: &str, size: (u16, u16), theme: Theme) -> Self {
        let mut screen = Self::unread_with(dir, budget, size, theme);
        let facts = scan::scan(&screen.project, screen.state.view.profile.discovery());
        screen.first = facts.ok().map(|facts| (facts, Agents::load(&screen.project).into()));
        screen.look(false);
        screen.send(Message::Mode(Mode::Live));
        screen
    }

    /// The deck as one reads it from disk now.
    pub fn deck(&self, view: &View) -> Result<Arc<Deck>, String> {
        let facts =
            scan::scan(&self.project, view.profile.discovery()).map_err(|e| e.to_string())?;
        let agents = Arc::new(Agents::load(&self.project));
        let mut deck = Deck::new(&self.project, &facts, &agents, view).unwrap();
        let usage = self.records.as_ref().map(|file| Usage::read(file, &deck.project).unwrap());
        deck.usage = usage.map(Arc::new);
        Ok(Arc::new(deck))
    }

    /// Reads the disk; `reloaded` when something was seen to change there.
    pub fn look(&mut self, reloaded: bool) {
        let message = match self.deck(&self.state.view) {
            Ok(deck) => {
                let before = self.state.deck.as_ref().filter(|_| reloaded);
                let news = before.and_then(|before| news(before, &deck));
                Message::Deck { deck, scanning: false, news }
            }
            Err(error) => Message::Trouble(shown(&error)),
        };
        self.send(message);
    }

    pub fn send(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Look => self.look(true),
                Effect::View(_) => self.look(false),
                Effect::List(wanted) => {
                    let listing = self.lister.list(&wanted);
                    self.send(Message::Listing(listing));
                }
                Effect::Compare(views, number) => {
                    for (item, view) in views.iter().enumerate() {
                        let outcome = self.deck(view).map(|deck| Outcome::of(&deck));
                        let outcome = outcome.map_err(|error| shown(&error));
                        self.send(Message::Compared(number, item, outcome));
                    }
                }
                Effect::Report(report) => {
                    let told = self.tell(report);
                    self.send(Message::Told(Box::new(told)));
                }
                Effect::Yank(text) => self.yanked = Some(text),
                Effect::Read(request) => {
                    let pages = pages::read(&self.project, &request).expect("the skill");
                    self.send(Message::Pages(Box::new(pages)));
                }
                Effect::Quit => self.quit = true,
                Effect::Fail(worker) => panic!("{worker} died"),
                Effect::LookQuietly => {
                    self.look(true);
                    self.send(Message::Looked);
                }
                Effect::Session(task) => {
                    for message in self.session.handle(task) {
                        self.send(message);
                    }
                }
                Effect::Try(attempt) => {
                    if let Some(message) = trial::answer(&self.project, &attempt) {
                        self.send(message);
                    }
                }
                Effect::Draft(draft) => self.draft = draft,
                Effect::Outside(opened) => self.outside = Some(opened),
                Effect::Discard(_)
                | Effect::Follow
                | Effect::Redraw
                | Effect::Suspend
                | Effect::Stop => {}
            }
        }
    }

    fn tell(&self, report: Report) -> reports::Told {
        let view = self.state.view.clone();
        let discovery = view.profile.discovery();
        let facts = scan::scan(&self.project, discovery).expect("read");
        let agents = Arc::new(Agents::load(&self.project));
        let deck = self.state.deck.clone().expect("a deck");
        let first = self.first.clone();
        let wanted = reports::Wanted { report, deck, view, facts, discovery, agents, first };
        reports::tell(&self.project, wanted)
    }

    /// Presses keys: a letter is itself, `<enter>` and its like are named.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|r| r.split_once('>'));
            let named = named.and_then(|(name, rest)| Some((key(name)?, rest)));
            let (event, left) = named.unwrap_or_else(|| {
                (KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), &rest[c.len_utf8()..])
            });
            self.send(Message::Key(event));
            // As the loop does after a single key.
            self.send(Message::Settle);
            rest = left;
        }
        self
    }

    /// Moves to the skill of a folder, or to what lies beside the skills.
    pub fn choose(&mut self, folder: &str) -> &mut Self {
        self.press("g");
        for _ in 0..self.state.rows.len() {
            if self.state.selected_key().as_deref().map(|k| k.trim_start_matches('/'))
                == Some(folder)
            {
                return self;
            }
            self.press("j");
        }
        panic!("no {folder} in\n{}", self.text());
    }

    fn mouse(&mut self, kind: Kind, x: u16, y: u16) -> &mut Self {
        let modifiers = KeyModifiers::NONE;
        self.send(Message::Mouse(MouseEvent { kind, column: x, row: y, modifiers }));
        self.send(Message::Settle);
        self
    }

    pub fn click(&mut self, x: u16, y: u16) -> &mut Self {
        self.mouse(Kind::Down(MouseButton::Left), x, y).mouse(Kind::Up(MouseButton::Left), x, y)
    }

    /// Clicks on the first place where a text is drawn.
    pub fn click_on(&mut self, text: &str) -> &mut Self {
        let (x, y) = self.find(text).unwrap_or_else(|| panic!("no {text} in\n{}", self.text()));
        self.click(x, y)
    }

    pub fn wheel(&mut self, down: bool, x: u16, y: u16) -> &mut Self {
        self.mouse(if down { Kind::ScrollDown } else { Kind::ScrollUp }, x, y)
    }

    pub fn drag(&mut self, from: (u16, u16), to: (u16, u16)) -> &mut Self {
        self.mouse(Kind::Down(MouseButton::Left), from.0, from.1)
            .mouse(Kind::Drag(MouseButton::Left), to.0, to.1)
            .mouse(Kind::Up(MouseButton::Left), to.0, to.1)
    }

    pub fn buffer(&self) -> Buffer {
        self.draw().0
    }

    /// The cells, and where the hardware cursor is wanted.
    pub fn draw(&self) -> (Buffer, Option<Position>) {
        let (width, height) = self.state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let cursor = view::draw(&self.state, &mut buffer);
        (buffer, cursor)
    }

    /// The cells as they are where colours are not wanted.
    pub fn mono(&mut self) -> Buffer {
        let before = std::mem::replace(&mut self.state.theme.palette, Palette::Mono);
        let buffer = self.buffer();
        self.state.theme.palette = before;
        buffer
    }

    pub fn text(&self) -> String {
        super::text(&self.buffer())
    }

    pub fn row(&self, y: u16) -> String {
        self.text().lines().nth(y.into()).unwrap_or("").to_owned()
    }

    /// The last row but one: the budget, or what is said once.
    pub fn said(&self) -> String {
        self.row(self.state.size.1 - 2)
    }

    /// What is said once, whole.
    pub fn toast(&self) -> &str {
        self.state.toast.as_ref().map_or("", Shown::as_str)
    }

    pub fn footer(&self) -> String {
        self.row(self.state.size.1 - 1)
    }

    /// Column and row at which a text is drawn first.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        let buffer = self.buffer();
        let (width, height) = self.state.size;
        (0..height).find_map(|y| {
            let cells: Vec<&str> = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
            let x = (0..cells.len()).find(|x| cells[*x..].concat().starts_with(text))?;
            Some((x as u16, y))
        })
    }

    /// The folders of the skills in the list, in order.
    pub fn folders(&self) -> Vec<String> {
        use skilldeck::tui::state::Row;
        let deck = self.state.deck.as_ref().expect("a deck");
        let folder = |row: &Row| match row {
            Row::Skill(i) => Some(deck.skills[*i].folder().to_owned()),
            Row::Cut | Row::NotLoaded(_) => None,
        };
        self.state.rows.iter().filter_map(folder).collect()
    }
}

/// A key by its name, as in the table of commands.
fn key(name: &str) -> Option<KeyEvent> {
    let none = |code| KeyEvent::new(code, KeyModifiers::NONE);
    Some(match name {
        "enter" => none(KeyCode::Enter),
        "esc" => none(KeyCode::Esc),
        "tab" => none(KeyCode::Tab),
        "backtab" => none(KeyCode::BackTab),
        "pgdn" => none(KeyCode::PageDown),
        "pgup" => none(KeyCode::PageUp),
        "up" => none(KeyCode::Up),
        "down" => none(KeyCode::Down),
        "left" => none(KeyCode::Left),
        "right" => none(KeyCode::Right),
        "home" => none(KeyCode::Home),
        "end" => none(KeyCode::End),
        "backspace" => none(KeyCode::Backspace),
        "delete" => none(KeyCode::Delete),
        "space" => none(KeyCode::Char(' ')),
        "ctrl-end" => KeyEvent::new(KeyCode::End, KeyModifiers::CONTROL),
        "ctrl-home" => KeyEvent::new(KeyCode::Home, KeyModifiers::CONTROL),
        "shift-right" => KeyEvent::new(KeyCode::Right, KeyModifiers::SHIFT),
        other => {
            let c = other.strip_prefix("ctrl-")?.chars().next()?;
            KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)
        }
    })
}
