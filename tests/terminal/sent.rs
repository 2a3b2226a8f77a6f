//! What is sent to the terminal, and what never is.

use std::time::Duration;

use crate::atlas::Atlas;
use crate::pty::Terminal;

fn quit(terminal: &mut Terminal) -> String {
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.sent()
}

#[test]
fn the_mouse_is_asked_for_clicks_drags_and_the_wheel_and_for_no_moves() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &[]);
    terminal.wait_for("● live");
    // Column 5, row 4, counted from 1: the second skill.
    terminal.press("\x1b[<0;5;4M\x1b[<0;5;4m");
    terminal.wait_for("Systematic code review");
    let sent = quit(&mut terminal);
    for mode in ["1000", "1002", "1006"] {
        assert!(sent.contains(&format!("\x1b[?{mode}h")), "{mode}");
        assert!(sent.contains(&format!("\x1b[?{mode}l")), "{mode} given back");
    }
    assert!(!sent.contains("1003"), "every move would flood a slow line");
    assert!(terminal.is_clean());
}

#[test]
fn without_the_mouse_none_is_asked_for() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &["--no-mouse"]);
    terminal.wait_for("● live");
    let sent = quit(&mut terminal);
    for mode in ["1000", "1002", "1003", "1005", "1006", "1015"] {
        assert!(!sent.contains(&format!("\x1b[?{mode}")), "{mode}");
    }
}

#[test]
fn a_text_is_handed_to_the_clipboard_also_around_tmux() {
    let atlas = Atlas::new();
    // "\n# Deploy\n\nSee rollback.md.\n" in base64.
    let plain = "\x1b]52;c;CiMgRGVwbG95CgpTZWUgcm9sbGJhY2subWQuCg==\x1b\\";
    let wrapped = format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b"));
    for tmux in [false, true] {
        let env: &[_] = if tmux { &[("TMUX", "/tmp/tmux-1000/default,1,0")] } else { &[] };
        let mut terminal = Terminal::open_in(atlas.dir(), &[], env);
        terminal.wait_for("● live");
        terminal.press("jj2");
        terminal.wait_for("See rollback.md.");
        terminal.press("y");
        terminal.wait_for("sent to the terminal");
        terminal.wait_for_bytes(plain);
        let sent = quit(&mut terminal);
        assert_eq!(sent.contains(&wrapped), tmux);
    }
}

/// The parameters of every sequence that sets a style.
fn styles(sent: &str) -> Vec<String> {
    let sequences = sent.split("\x1b[").skip(1);
    let style = |sequence: &str| {
        let end = sequence.find(|c: char| c.is_ascii_alphabetic())?;
        (sequence.as_bytes()[end] == b'm').then(|| sequence[..end].to_owned())
    };
    sequences.filter_map(style).collect()
}

/// Whether a style sets a colour: 30–37, 38, 40–47, 48, 90–97, 100–107.
fn is_colour(style: &str) -> bool {
    let mut numbers = style.split([';', ':']).map(|n| n.parse::<u32>().unwrap_or(0));
    numbers.any(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107))
}

#[test]
fn without_colours_no_colour_is_sent() {
    let atlas = Atlas::new();
    for (value, has_colours) in [("1", false), ("", true)] {
        let mut terminal = Terminal::open_in(atlas.dir(), &[], &[("NO_COLOR", value)]);
        terminal.wait_for("● live");
        for (keys, seen) in
            [("j3", "[3 "), ("4", "[4 "), ("6", "[6 "), ("P", "client?"), ("\x1b?", "search")]
        {
            terminal.press(keys);
            terminal.wait_for(seen);
        }
        terminal.press("\x1b");
        terminal.wait_until_gone("search");
        let sent = quit(&mut terminal);
        let styles = styles(&sent);
        assert!(styles.len() > 10, "it has styles all the same: {styles:?}");
        let colours: Vec<_> = styles.iter().filter(|style| is_colour(style)).collect();
        assert_eq!(!colours.is_empty(), has_colours, "{colours:?}");
    }
}

#[test]
fn nothing_is_sent_while_nothing_happens() {
    let atlas = Atlas::new();
    let mut terminal = Terminal::open(atlas.dir(), &[]);
    terminal.wait_for("● live");
    terminal.wait_for_quiet(Duration::from_millis(500));
    assert!(!terminal.says_anything(Duration::from_millis(300)));
    // A key that changes nothing changes no cell.
    terminal.press("g");
    assert!(!terminal.says_anything(Duration::from_millis(300)));
    quit(&mut terminal);
}
