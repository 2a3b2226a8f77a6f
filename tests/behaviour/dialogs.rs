//! What opens over the screen: pickers, the budget, the palette, the help.

use skilldeck::profile::Profile;
use skilldeck::prompt::catalog::State;
use skilldeck::skill::Status;
use skilldeck::tui::message::Message;

use crate::atlas::Atlas;
use crate::atlas::screen::{SIZES, Screen};

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

/// The numbers that a picker tells of each of its items: listed, cut, errors.
fn numbers(screen: &Screen) -> Vec<Vec<usize>> {
    let text = screen.text();
    let told = text.lines().filter_map(|line| {
        line.split('│').find(|p| p.contains(" listed ") && !p.contains("Budget"))
    });
    // `+1` and `-1` say how it differs.
    let is_count = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
    told.map(|part| part.split(' ').filter(is_count).filter_map(|w| w.parse().ok()).collect())
        .collect()
}

#[test]
fn what_a_picker_tells_is_what_one_gets() {
    let atlas = Atlas::new();
    for key in ["P", "A"] {
        let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
        screen.press(key);
        let told = numbers(&screen);
        assert!(told.len() > 1, "{}", screen.text());
        for (at, told) in told.iter().enumerate() {
            let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
            screen.press(key).press(&"j".repeat(at)).press("<enter>");
            let deck = screen.state.deck.as_ref().unwrap();
            let (listed, cut) = (deck.count(State::Listed), deck.count(State::Cut));
            let errors = deck.count_status(Status::Error);
            let mut wanted = vec![listed, cut, errors];
            if deck.count_shortened() > 0 {
                wanted.insert(1, deck.count_shortened());
            }
            assert_eq!(*told, wanted);
            assert!(screen.said().contains(&format!("{listed} listed")), "{}", screen.said());
        }
    }
}

/// Everything below a folder: paths, bytes, and when it was changed.
fn on_disk(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(on_disk(&path));
        } else {
            let changed = path.metadata().unwrap().modified().unwrap();
            out.push((path.clone(), std::fs::read(&path).unwrap(), changed));
        }
    }
    out.sort();
    out
}

#[test]
fn a_budget_that_is_tried_out_moves_the_cut_and_nothing_else() {
    let atlas = Atlas::new();
    let before = on_disk(atlas.dir());
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "600", size);
        let first = screen.text();
        let cuts = |screen: &Screen| {
            let is_cut = |line: &&str| line.contains(" cut │");
            screen.text().lines().filter(is_cut).count()
        };
        screen.press("b");
        for (keys, limit, listed) in [
            ("<up>", "652", 4),
            ("<down>", "451", 3),
            ("<down>", "394", 2),
            ("<down>", "86", 1),
            ("<pgup>", "1,086", 4),
            ("<pgdn>", "86", 1),
            ("<ctrl-u>394", "394", 2),
            ("<ctrl-u>3_94", "394", 2),
        ] {
            screen.press(keys);
            let deck = screen.state.deck.clone().unwrap();
            assert_eq!(deck.count(State::Listed), listed, "{keys}");
            let said = screen.said().replace("/ ", "/");
            assert!(said.contains(&format!("/{limit}")), "{keys}: {said}");
            assert!(screen.said().contains("What-if"), "{keys}: {}", screen.said());
        }
        screen.press("<esc>");
        assert_eq!(screen.text(), first, "esc puts all back");
        // Kept, it counts until it is put back, and is never taken for the real one.
        screen.press("b<down><down><enter>z");
        assert!(screen.said().contains("What-if budget"), "{}", screen.said());
        assert_eq!(cuts(&screen), 3, "{}", screen.text());
        screen.press("b<ctrl-r>");
        assert_eq!(screen.text(), first, "the real one again");
        screen.press("b<ctrl-u>many");
        let words: Vec<_> = screen.text().split_whitespace().map(str::to_owned).collect();
        assert!(words.join(" ").contains("no whole number"), "{}", screen.text());
        screen.press("<esc>");
        assert_eq!(screen.state.view.budget, screen.state.real_budget);
    }
    assert_eq!(on_disk(atlas.dir()), before);
}

#[test]
fn the_palette_runs_commands_and_says_why_not() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press(":problems<enter>");
    assert!(screen.text().contains("[6 Problems"), "{}", screen.text());
    screen.press(":list or tool");
    assert!(screen.text().contains("not now: only on the Catalog tab"), "{}", screen.text());
    screen.press("<enter>");
    assert!(screen.said().contains("only on the Catalog tab"), "{}", screen.said());
    screen.press(":profile<enter>");
    assert!(screen.text().contains("Look as which client?"), "{}", screen.text());
    screen.press("<esc>:zzzz<enter>");
    assert!(screen.text().contains("No command is called so."), "{}", screen.text());
    screen.press("<esc>:another client<enter>");
    assert!(screen.text().contains("Look as which client?"), "by what it does");
    screen.press("<esc>:quit<enter>");
    assert!(screen.quit);
}

#[test]
fn what_is_pasted_is_typed_and_runs_nothing() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.send(Message::Paste("q\nq".into()));
    assert!(!screen.quit && screen.state.overlay.is_none(), "outside of a field it is nothing");
    screen.press("ja");
    screen.send(Message::Paste("one\r\ntwo\u{1b}[2J".into()));
    assert!(screen.text().contains("two\\x1B[2J"), "{}", screen.text());
    screen.press("<enter>");
    let given = screen.state.shown_arguments().map(str::to_owned);
    assert_eq!(given.as_deref(), Some("one\ntwo\u{1b}[2J"));
}
