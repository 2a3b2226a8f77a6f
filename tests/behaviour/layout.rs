//! Sizes, columns, and what may be drawn at all.

use skilldeck::project::watch::Mode;
use skilldeck::skill::text::{Shown, is_plain};
use skilldeck::tui::ink::Theme;
use skilldeck::tui::message::Message;
use skilldeck::tui::state::Reading;

use crate::atlas::Atlas;
use crate::atlas::large::{BUDGET, large};
use crate::atlas::screen::{SIZES, Screen};

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
fn ascii_means_ascii() {
    // Nothing in it is anything else.
    let atlas = large();
    let theme = Theme { ascii: true, ..Theme::default() };
    let states = " ] 2 2w 2<ctrl-f>it 3 ax<enter> 4 4t 5l 5l<enter> 6 A s b<up> b<down><enter> \
                  /zzzz /is:foo /is:error<enter> : :a sj<enter> PG<enter> Ry";
    for size in SIZES {
        for keys in states.split(' ') {
            let mut screen = Screen::open_with(atlas.dir(), BUDGET, size, theme);
            screen.press(keys);
            is_ascii(&screen, keys);
        }
        let mut screen = Screen::open_with(atlas.dir(), BUDGET, size, theme);
        screen.state.reading = Reading::Again(3);
        is_ascii(&screen, "while it is read");
        screen.send(Message::Mode(Mode::Polling(Shown::fixed("as asked"))));
        screen.state.reading = Reading::Done;
        is_ascii(&screen, "polling");
    }
}

#[test]
fn ascii_means_ascii_also_of_clients_and_sizes() {
    let atlas = large();
    let theme = Theme { ascii: true, ..Theme::default() };
    for (size, keys) in [((120, 36), "P"), ((39, 12), "")] {
        let mut screen = Screen::open_with(atlas.dir(), BUDGET, size, theme);
        screen.press(keys);
        is_ascii(&screen, keys);
    }
}

fn is_ascii(screen: &Screen, what: &str) {
    let text = screen.text();
    // The tool definition has a dash, which is the model's text and not the program's.
    let odd: Vec<_> = text.chars().filter(|c| !c.is_ascii() && *c != '—').collect();
    assert!(odd.is_empty(), "{what}: {odd:?}\n{text}");
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

/// Names of letters that take two cells, none, or run the other way.
const WIDE: [&str; 6] =
    ["审查-审查", "e\u{301}-e\u{301}", "👩\u{200d}💻-x", "שלום-דג", "مرحبا-x", "ｆｕｌｌ"];

#[test]
fn wide_names_keep_every_column_straight_at_every_size() {
    let atlas = Atlas::new();
    for name in WIDE {
        let about = format!("About {name} and {name}, {}", name.repeat(20));
        atlas.skill(name, &format!("---\nname: {name}\ndescription: {about}\n---\n\n{about}\n"));
        atlas.file(&format!("{name}/{name}.md"), &about);
    }
    for (width, height) in SIZES {
        let mut screen = Screen::open(atlas.dir(), "12000", (width, height));
        for name in WIDE {
            screen.press("<esc><esc>").choose(name);
            for keys in ["", "1", "2", "3", "4", "5", "6", "2w>"] {
                screen.press(keys);
                straight(&screen, &format!("{name} {keys}"));
            }
            screen.press("w");
        }
        for keys in ["/审", "<enter>", "<esc>P", "<esc>?", "<esc>:", "<esc>b"] {
            screen.press(keys);
            straight(&screen, keys);
        }
    }
}

/// Every edge of a frame stands in one column on every row, and no character
/// lies over the one beside it.
fn straight(screen: &Screen, what: &str) {
    use unicode_width::UnicodeWidthStr;
    let buffer = screen.buffer();
    let (width, height) = screen.state.size;
    let is_side = |x: u16, y: u16| matches!(buffer[(x, y)].symbol(), "│" | "╮" | "╯" | "╭" | "╰");
    for y in 1..height - 2 {
        assert!(is_side(0, y) && is_side(width - 1, y), "{what}, row {y}\n{}", screen.text());
        for x in 0..width {
            if buffer[(x, y)].symbol().width() > 1 {
                assert!(x + 1 < width, "{what}, row {y}");
                assert_eq!(buffer[(x + 1, y)].symbol(), " ", "{what}, {x} {y}\n{}", screen.text());
            }
        }
        // What a terminal would count: every row is as wide as the screen.
        let line = super::atlas::text(&buffer).lines().nth(y.into()).unwrap().to_owned();
        assert_eq!(line.width(), usize::from(width), "{what}, row {y}: {line}");
    }
    if screen.state.has_two_panes() && screen.state.overlay.is_none() {
        let edge = (1..width - 1).find(|x| buffer[(*x, 1)].symbol() == "╮").unwrap();
        for y in 2..height - 3 {
            assert_eq!(buffer[(edge, y)].symbol(), "│", "{what}, row {y}\n{}", screen.text());
        }
    }
}
