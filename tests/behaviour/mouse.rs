//! The mouse: clicks choose, the wheel scrolls, the divider is dragged.

use skilldeck::profile::Profile;
use skilldeck::tui::state::{Pane, Tab};

use crate::atlas::Atlas;
use crate::atlas::screen::{SIZES, Screen};

#[test]
fn a_click_chooses_a_row_and_a_second_opens_it() {
    let atlas = Atlas::new();
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "600", size);
        screen.click_on("incident-notes");
        assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"));
        assert_eq!(screen.state.focus, Pane::List);
        screen.click_on("incident-notes");
        assert_eq!(screen.state.focus, Pane::Detail);
        assert!(screen.text().contains("How to write the notes") || size == (40, 12));
        // The line of the cut is nothing to choose.
        screen.press("<esc>").click_on("characters end here");
        assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"));
    }
}

#[test]
fn a_click_brings_a_tab_to_the_front() {
    let atlas = Atlas::new();
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "600", size);
        screen.choose("code-review").press("<enter>");
        for (at, tab) in Tab::ALL.into_iter().enumerate().rev() {
            let (x, y) = screen.find("1 ").map_or((2, 2), |(x, y)| (x, y.max(2)));
            let row = screen.row(y);
            let column =
                row.char_indices().position(|(_, c)| c.to_digit(10) == Some(at as u32 + 1));
            screen.click(column.map_or(x, |x| x as u16), y);
            assert_eq!(screen.state.tab, tab, "{size:?}\n{}", screen.text());
        }
    }
}

#[test]
fn a_click_chooses_in_a_picker_and_a_second_takes_it() {
    let atlas = Atlas::new();
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "600", size);
        screen.press("P").click_on("mycodeagent");
        assert_eq!(screen.state.view.profile, Profile::Kaged, "not yet");
        screen.click_on("mycodeagent");
        assert_eq!(screen.state.view.profile, Profile::MyCodeAgent);
        screen.press(":filter");
        let (x, y) = screen.find("│ filter ").expect("the command");
        screen.click(x + 2, y);
        let is_open = screen.state.overlay.is_some();
        assert!(is_open && screen.text().contains("is:error|"), "{}", screen.text());
    }
}

#[test]
fn the_wheel_moves_what_is_under_it_and_not_the_focus() {
    let atlas = Atlas::new();
    let lines: String = (1..=90).map(|i| format!("line {i}\n")).collect();
    atlas.skill("a-long", &format!("---\ndescription: Long.\n---\n{lines}"));
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.choose("a-long").press("2");
    let chosen = screen.state.selected;
    screen.wheel(true, 100, 10).wheel(true, 100, 10);
    assert_eq!((screen.state.scroll, screen.state.focus), (6, Pane::List));
    assert_eq!(screen.state.selected, chosen);
    screen.wheel(false, 100, 10);
    assert_eq!(screen.state.scroll, 3);
    screen.wheel(true, 10, 5);
    assert_eq!((screen.state.selected, screen.state.focus), (chosen + 3, Pane::List));
    screen.wheel(false, 10, 5);
    assert_eq!(screen.state.selected, chosen);
    screen.press("P").wheel(true, 10, 5);
    assert_eq!(screen.state.selected, chosen, "what is open has it");
}

#[test]
fn the_divider_is_dragged_and_the_text_is_laid_out_anew() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.choose("deploy-runbook").press("2");
    let edge = |screen: &Screen| screen.row(1).chars().position(|c| c == '╮').unwrap() as u16;
    let before = edge(&screen);
    screen.drag((before, 9), (70, 12));
    assert_eq!(edge(&screen), 70);
    screen.drag((71, 9), (0, 12));
    let least = edge(&screen);
    assert!((20..40).contains(&least), "the list stays wide enough: {least}");
    screen.drag((least, 9), (119, 12));
    assert!(edge(&screen) < 95, "so does the detail");
    // Without a button on the divider nothing is dragged.
    let before = edge(&screen);
    screen.drag((10, 4), (50, 4));
    assert_eq!(edge(&screen), before);
}

#[test]
fn clicks_on_nothing_do_nothing() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let before = screen.text();
    for (x, y) in [(0, 0), (119, 0), (60, 34), (60, 35), (500, 500)] {
        screen.click(x, y).wheel(true, x, y);
        assert_eq!(screen.text(), before, "{x} {y}");
    }
    screen.press("?");
    let help = screen.text();
    screen.click(0, 0).click(50, 10);
    assert_eq!(screen.text(), help);
}
