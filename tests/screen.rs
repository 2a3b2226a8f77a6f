//! The screen as drawn: state in, cells out, no terminal.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod atlas;

use std::path::Path;
use std::sync::Arc;

use atlas::Atlas;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use skilldeck::profile::Profile;
use skilldeck::project::watch::Mode;
use skilldeck::project::{Agents, Deck, Project, View, scan};
use skilldeck::prompt::Budget;
use skilldeck::skill::text::{Shown, is_plain};
use skilldeck::tui::ink::Theme;
use skilldeck::tui::listing::Lister;
use skilldeck::tui::message::{Effect, Message};
use skilldeck::tui::news::news;
use skilldeck::tui::pages;
use skilldeck::tui::state::{Outcome, Pane, Row, State, Tab};
use skilldeck::tui::update::update;
use skilldeck::tui::view;

/// The program without its threads and its terminal: effects are carried out
/// at once.
struct Screen {
    project: Project,
    state: State,
    lister: Lister,
    yanked: Option<String>,
    quit: bool,
}

impl Screen {
    /// A screen that has drawn its first frame and read nothing.
    fn unread(dir: &Path, budget: &str, size: (u16, u16)) -> Self {
        let project = Project::find(dir, None, None, None).unwrap();
        let view = View { budget: Budget::choose(Some(budget), None, None), ..View::default() };
        let title = Shown::fixed("atlas/.kaged/skills");
        let state = State::new(title, Theme::default(), view, size);
        Self { project, state, lister: Lister::default(), yanked: None, quit: false }
    }

    /// A screen that has read the project and follows it.
    fn open(dir: &Path, budget: &str, size: (u16, u16)) -> Self {
        let mut screen = Self::unread(dir, budget, size);
        screen.look(false);
        screen.send(Message::Mode(Mode::Live));
        screen
    }

    fn look(&mut self, reloaded: bool) {
        let view = &self.state.view;
        let message = match scan::scan(&self.project, view.profile.discovery()) {
            Ok(facts) => {
                let agents = Arc::new(Agents::load(&self.project));
                let deck = Arc::new(Deck::new(&self.project, &facts, &agents, view).unwrap());
                let before = self.state.deck.as_ref().filter(|_| reloaded);
                let news = before.and_then(|before| news(before, &deck));
                Message::Deck { deck, scanning: false, news }
            }
            Err(error) => Message::Trouble(skilldeck::skill::text::shown(&error.to_string())),
        };
        self.send(message);
    }

    fn send(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Look => self.look(true),
                Effect::View(_) => self.look(false),
                Effect::List(wanted) => {
                    let listing = self.lister.list(wanted);
                    self.send(Message::Listing(listing));
                }
                Effect::Compare(views, number) => self.compare(&views, number),
                Effect::Yank(text) => self.yanked = Some(text),
                Effect::Read(request) => {
                    let pages = pages::read(&self.project, &request).expect("the skill");
                    self.send(Message::Pages(Box::new(pages)));
                }
                Effect::Quit => self.quit = true,
                Effect::Fail(worker) => panic!("{worker} died"),
                Effect::Follow | Effect::Redraw | Effect::Suspend | Effect::Stop => {}
            }
        }
    }

    fn compare(&mut self, views: &[View], number: u64) {
        for (item, view) in views.iter().enumerate() {
            let facts = scan::scan(&self.project, view.profile.discovery()).unwrap();
            let agents = Arc::new(Agents::load(&self.project));
            let deck = Deck::new(&self.project, &facts, &agents, view).unwrap();
            self.send(Message::Compared(number, item, Ok(Outcome::of(&deck))));
        }
    }

    /// Presses keys: a letter is itself, `<enter>` and its like are named.
    fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let (code, modifiers, len) = match rest
                .strip_prefix('<')
                .and_then(|r| r.split_once('>'))
            {
                Some((name, _)) => {
                    let (code, modifiers) = match name {
                        "enter" => (KeyCode::Enter, KeyModifiers::NONE),
                        "esc" => (KeyCode::Esc, KeyModifiers::NONE),
                        "tab" => (KeyCode::Tab, KeyModifiers::NONE),
                        "pgdn" => (KeyCode::PageDown, KeyModifiers::NONE),
                        "up" => (KeyCode::Up, KeyModifiers::NONE),
                        "down" => (KeyCode::Down, KeyModifiers::NONE),
                        "backspace" => (KeyCode::Backspace, KeyModifiers::NONE),
                        other => match other.strip_prefix("ctrl-").and_then(|k| k.chars().next()) {
                            Some(c) => (KeyCode::Char(c), KeyModifiers::CONTROL),
                            None => panic!("no key {other}"),
                        },
                    };
                    (code, modifiers, name.len() + 2)
                }
                None => (KeyCode::Char(c), KeyModifiers::NONE, c.len_utf8()),
            };
            self.send(Message::Key(KeyEvent::new(code, modifiers)));
            // As the loop does after a single key.
            self.send(Message::Settle);
            rest = &rest[len..];
        }
        self
    }

    fn buffer(&self) -> Buffer {
        let (width, height) = self.state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        view::draw(&self.state, &mut buffer);
        buffer
    }

    fn text(&self) -> String {
        atlas::text(&self.buffer())
    }

    fn row(&self, y: u16) -> String {
        self.text().lines().nth(y.into()).unwrap_or("").to_owned()
    }
}

const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (40, 12)];

/// Draws after `keys` at the three sizes.
fn snapshots(name: &str, budget: &str, keys: &str) {
    let atlas = Atlas::new();
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), budget, size);
        screen.press(keys);
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), screen.text());
    }
}

#[test]
fn the_list_and_the_overview() {
    snapshots("overview", "600", "jj");
}

#[test]
fn the_overview_of_a_skill_that_is_cut() {
    snapshots("overview_cut", "600", "G<enter>");
}

#[test]
fn the_body() {
    snapshots("body", "600", "jj2");
}

#[test]
fn the_activation_with_arguments() {
    snapshots("activation", "600", "jajust src/main.rs<enter>");
}

#[test]
fn the_catalog_with_its_cut() {
    snapshots("catalog", "600", "jj4");
}

#[test]
fn the_files() {
    snapshots("files", "600", "jj5");
}

#[test]
fn the_problems() {
    snapshots("problems", "600", "jj6");
}

#[test]
fn the_help() {
    snapshots("help", "600", "?");
}

#[test]
fn the_choice_of_a_profile() {
    snapshots("profile", "600", "P");
}

#[test]
fn the_choice_of_an_agent() {
    snapshots("agent", "600", "A");
}

#[test]
fn typing_arguments() {
    snapshots("arguments", "600", "jasrc/main.rs");
}

#[test]
fn before_anything_is_read() {
    let atlas = Atlas::new();
    for size in SIZES {
        let screen = Screen::unread(atlas.dir(), "600", size);
        insta::assert_snapshot!(format!("first_{}x{}", size.0, size.1), screen.text());
    }
}

#[test]
fn an_empty_and_a_missing_root_say_what_to_do() {
    let tmp = tempfile::tempdir().unwrap();
    std::fs::create_dir(tmp.path().join(".kaged")).unwrap();
    for size in SIZES {
        let screen = Screen::open(tmp.path(), "600", size);
        insta::assert_snapshot!(format!("missing_root_{}x{}", size.0, size.1), screen.text());
    }
    std::fs::create_dir(tmp.path().join(".kaged/skills")).unwrap();
    let screen = Screen::open(tmp.path(), "600", (80, 24));
    assert!(screen.text().contains("There is no skill yet."), "{}", screen.text());
}

#[test]
fn a_root_that_must_not_be_read_is_a_state_of_the_screen() {
    let tmp = tempfile::tempdir().unwrap();
    std::fs::create_dir(tmp.path().join(".kaged")).unwrap();
    std::fs::write(tmp.path().join(".kaged/skills"), "x").unwrap();
    let mut screen = Screen::open(tmp.path(), "600", (100, 24));
    let text = screen.text();
    assert!(text.contains("not-a-directory") && text.contains("error"), "{text}");
    std::fs::remove_file(tmp.path().join(".kaged/skills")).unwrap();
    screen.press("R");
    assert!(screen.text().contains("There is no skills root yet."), "{}", screen.text());
}

#[test]
fn too_small_is_said_and_only_quit_is_heard() {
    let atlas = Atlas::new();
    for size in [(39, 12), (40, 11), (1, 1), (10, 3)] {
        let mut screen = Screen::open(atlas.dir(), "600", size);
        screen.press("j?P");
        assert_eq!(screen.state.selected, 0);
        assert!(screen.state.overlay.is_none());
        if size.0 > 20 {
            assert!(screen.row(0).contains("too small"), "{}", screen.text());
        }
        screen.press("q");
        assert!(screen.quit);
    }
}

#[test]
fn nothing_panics_at_any_size() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let widths: Vec<u16> = (1..=50).chain((51..=130).step_by(7)).chain([200, 399, 400]).collect();
    let heights: Vec<u16> = (1..=16).chain([24, 36, 60, 120]).collect();
    for keys in ["", "jj2", "3", "4", "5", "6", "<esc>?", "<esc>P", "<esc>A", "<esc>ax"] {
        screen.send(Message::Resize(120, 36));
        screen.press(keys);
        for width in &widths {
            for height in &heights {
                screen.send(Message::Resize(*width, *height));
                screen.buffer();
            }
        }
    }
}

#[test]
fn seventeen_skills_are_cut_where_the_budget_ends() {
    let tmp = tempfile::tempdir().unwrap();
    for i in 1..=17 {
        let folder = tmp.path().join(format!(".kaged/skills/skill-{i:02}"));
        std::fs::create_dir_all(&folder).unwrap();
        // Each line takes 25 characters with its line end.
        let text = "---\ndescription: Twelve chars\n---\n\nBody.\n";
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    for (budget, used, limit, listed) in [
        ("425", "425", "425", 17),
        ("424", "400", "424", 16),
        ("0", "25", "0", 1),
        ("1", "25", "1", 1),
        ("-5", "25", "0", 1),
        ("abc", "425", "12,000", 17),
        ("", "425", "12,000", 17),
    ] {
        let screen = Screen::open(tmp.path(), budget, (120, 36));
        let text = screen.text();
        assert!(text.contains(&format!("{used} / {limit} characters   {listed} listed")), "{text}");
        let cut = screen.state.rows.iter().position(|row| *row == Row::Cut);
        assert_eq!(cut, (listed < 17).then_some(listed), "{budget:?}");
        assert_eq!(text.contains(&format!("{limit} characters end here")), listed < 17, "{text}");
        let cuts = text.lines().filter(|line| line.contains("  cut ")).count();
        assert_eq!(cuts, 17 - listed, "{text}");
    }
}

#[test]
fn ascii_means_ascii() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.state.theme.ascii = true;
    for keys in ["jjj", "2", "3", "5", "6", "?"] {
        screen.press(keys);
        let text = screen.text();
        // The dash stands in a description.
        let odd: Vec<_> = text.chars().filter(|c| !c.is_ascii() && *c != '—').collect();
        let is_legend = keys == "?";
        assert!(odd.is_empty() || is_legend, "{keys}: {odd:?}\n{text}");
    }
}

#[test]
fn the_cut_cannot_be_chosen() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let cut = screen.state.rows.iter().position(|r| *r == Row::Cut).expect("a cut");
    for _ in 0..screen.state.rows.len() {
        assert_ne!(screen.state.selected, cut);
        screen.press("j");
    }
    assert_eq!(screen.state.selected, screen.state.rows.len() - 1);
    for _ in 0..screen.state.rows.len() {
        assert_ne!(screen.state.selected, cut);
        screen.press("k");
    }
    assert_eq!(screen.state.selected, 0);
}

#[test]
fn the_choice_stays_when_the_disk_changes() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press("jjj");
    let chosen = screen.state.selected_key().unwrap();
    atlas.skill("aaa-first", "---\ndescription: Comes before all.\n---\n\nBody.\n");
    screen.look(true);
    assert_eq!(screen.state.selected_key().unwrap(), chosen);
    let told = screen.row(34);
    assert!(told.contains("running kaged sessions keep their catalog"), "{told}");
    atlas.remove(&chosen);
    let at = screen.state.selected;
    screen.press("l");
    screen.look(true);
    assert_eq!(screen.state.selected, at, "the next one takes its place");
    assert!(!screen.row(34).contains("running"), "said once");
}

#[test]
fn the_place_in_the_list_stays_while_the_detail_hides_it() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("jj<enter>");
    atlas.skill("zz-last", "---\ndescription: Comes after all.\n---\n\nBody.\n");
    screen.look(true);
    screen.press("<esc>");
    assert_eq!(screen.state.offset, 0, "{}", screen.text());
}

#[test]
fn the_other_pane_reads_what_it_shows() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("2<esc>j<tab>");
    assert!(screen.text().contains("# Code review"), "{}", screen.text());
}

#[test]
fn what_is_typed_for_a_skill_never_reaches_another() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press("jasecret");
    atlas.remove("code-review");
    screen.look(true);
    assert!(screen.state.overlay.is_none());
    assert!(screen.row(34).contains("the skill is gone"), "{}", screen.row(34));
    assert!(screen.state.arguments.is_empty());
}

#[test]
fn the_choice_survives_a_root_that_is_away_for_a_moment() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("jj<enter>");
    let (root, aside) = (atlas.dir().join(".kaged/skills"), atlas.dir().join("aside"));
    std::fs::rename(&root, &aside).unwrap();
    screen.look(true);
    std::fs::write(&root, "x").unwrap();
    screen.look(true);
    assert!(screen.text().contains("not-a-directory"), "{}", screen.text());
    std::fs::remove_file(&root).unwrap();
    std::fs::rename(&aside, &root).unwrap();
    screen.look(true);
    assert_eq!(screen.state.selected_key().as_deref(), Some("deploy-runbook"));
}

#[test]
fn arguments_are_kept_for_each_skill() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let activation = |screen: &Screen| screen.text();
    screen.press("ja<ctrl-d>");
    assert!(activation(&screen).contains("Review $ARGUMENTS"), "verbatim without arguments");
    screen.press("a<enter>");
    assert!(activation(&screen).contains("Review ."), "empty arguments replace");
    screen.press("asrc/a.rs<enter>");
    assert!(activation(&screen).contains("Review src/a.rs."));
    screen.press("jk");
    assert!(activation(&screen).contains("Review src/a.rs."), "kept");
    screen.press("ax<esc>");
    assert!(activation(&screen).contains("Review src/a.rs."), "esc changes nothing");
}

#[test]
fn another_profile_and_agent_are_other_decks() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 36));
    assert!(screen.row(0).contains("as kaged  agent primary"), "{}", screen.row(0));
    screen.press("Pj<enter>");
    assert_eq!(screen.state.view.profile, Profile::KagedStrict);
    assert!(screen.row(0).contains("as kaged-strict"), "{}", screen.row(0));
    screen.press("Pk<enter>Aj<enter>");
    assert!(screen.row(0).contains("agent primary/reviewer"), "{}", screen.row(0));
    assert!(screen.text().contains("filtered"), "{}", screen.text());
    screen.press("Pjj<enter>A");
    assert!(screen.state.overlay.is_none(), "MyCodeAgent knows no agents");
    assert!(screen.row(34).contains("knows no agents"), "{}", screen.row(34));
}

#[test]
fn esc_leads_home_and_tabs_lead_on_narrow_screens() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("j4");
    assert_eq!((screen.state.focus, screen.state.tab), (Pane::Detail, Tab::Catalog));
    screen.press("<ctrl-c>");
    assert_eq!(screen.state.focus, Pane::List);
    screen.press("<enter>?<esc>");
    assert_eq!(screen.state.focus, Pane::Detail, "one level at a time");
    screen.press("q");
    assert!(screen.quit);
}

#[test]
fn hostile_text_is_drawn_escaped_everywhere() {
    let atlas = Atlas::new();
    let evil = "x\u{1b}[2J\u{9b}31m\u{202e}\u{200b}";
    atlas.skill(
        "zz-evil\u{1b}[2J",
        &format!(
            "---\nname: zz-evil\ndescription: \"y\\x1b]52;c;AAAA\\x07 \\u202e \\u009b\"\nodd: \"{}\"\n---\n\nBody {evil} $ARGUMENTS\n",
            "\\x1b[2J"
        ),
    );
    atlas.file("zz-evil\u{1b}[2J/a\u{1b}[2J.md", "x");
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "12000", size);
        while screen.state.selected_skill().is_none_or(|s| s.title() != "zz-evil") {
            screen.press("j");
        }
        for keys in ["1", "2", "3", "4", "5", "6", "a\u{7}", "<esc>?", "<esc>P"] {
            screen.press(keys);
            for cell in &screen.buffer().content {
                assert!(is_plain(cell.symbol()), "{keys}: {:?}", cell.symbol());
            }
        }
        screen.press("<esc>3");
        assert!(screen.text().contains("\\x1B"), "{}", screen.text());
    }
}

#[test]
fn wide_names_keep_every_column_straight() {
    let atlas = Atlas::new();
    atlas.skill("审查-审查", "---\nname: wide\ndescription: 审查👩\u{200d}💻e\u{301}\n---\n\n审\n");
    let screen = Screen::open(atlas.dir(), "12000", (120, 36));
    let buffer = screen.buffer();
    // The right edge of the list stands in one column on every row.
    let edge = (0..120).rev().find(|x| *x < 60 && buffer[(*x, 1)].symbol() == "╮").unwrap();
    for y in 2..33 {
        assert_eq!(buffer[(edge, y)].symbol(), "│", "row {y}\n{}", screen.text());
    }
}

#[test]
fn the_readme_shows_what_the_program_draws() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (104, 20));
    screen.press("jj");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("<!-- picture -->\n").expect("a picture in README.md");
    let (_, after) = rest.split_once("<!-- /picture -->").expect("the picture's end");
    let picture = format!("```text\n{}\n```\n", screen.text().trim_end());
    let want = format!("{before}<!-- picture -->\n{picture}<!-- /picture -->{after}");
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&path, &want).unwrap();
    } else {
        assert_eq!(readme, want, "the picture is old; run the test with UPDATE_PICTURES=1");
    }
}
