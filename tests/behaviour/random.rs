//! Any keys whatever: nothing breaks, and all of it can be taken back.

use std::env;

use skilldeck::tui::sheet::Ask;
use skilldeck::tui::state::Overlay;

use super::curate::undo_all;
use crate::atlas::Atlas;
use crate::atlas::screen::{SIZES, Screen};

/// Keys that do something, those that change files more often.
const KEYS: [&str; 60] = [
    "j",
    "k",
    "j",
    "k",
    "G",
    "g",
    "l",
    "h",
    "<tab>",
    "<enter>",
    "<enter>",
    "<enter>",
    "<enter>",
    "<esc>",
    "<esc>",
    "1",
    "2",
    "3",
    "4",
    "5",
    "5",
    "6",
    "n",
    "n",
    "r",
    "r",
    "c",
    "d",
    "d",
    "f",
    "<space>",
    "u",
    "u",
    "<ctrl-r>",
    "U",
    "T",
    "I",
    "e",
    "e",
    "e",
    "<ctrl-s>",
    "<ctrl-s>",
    "<ctrl-u>",
    "<ctrl-t>",
    "<ctrl-f>",
    "<ctrl-a>",
    "<ctrl-x>",
    "<ctrl-v>",
    "<ctrl-d>",
    "<backspace>",
    "<down>",
    "<up>",
    "<end>",
    "a",
    "b",
    "x",
    "-",
    "/",
    "?",
    ":",
];

/// Numbers that are as good as random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

/// Back to the list, whatever is open; nothing is saved on the way.
fn go_home(screen: &mut Screen) {
    for _ in 0..40 {
        let is_leaving = matches!(&screen.state.overlay,
            Some(Overlay::Sheet(sheet)) if sheet.ask == Ask::Leave);
        match () {
            () if is_leaving => screen.press("g<down><enter>"),
            () if screen.state.overlay.is_some() || screen.state.editing.is_some() => {
                screen.press("<esc>")
            }
            () => return,
        };
    }
    panic!("there is no way home from\n{}", screen.text());
}

#[test]
fn whatever_is_done_can_be_taken_back() {
    let rounds = env::var("RANDOM_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    let first = env::var("RANDOM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1_u64);
    for seed in first..first + rounds {
        let atlas = Atlas::new();
        atlas.skill("quotes", "---\r\nname: qoutes\r\ndescription: one: two\r\n---\r\n\r\nBody.\n");
        let before = atlas.tree();
        let size = SIZES[seed as usize % SIZES.len()];
        let mut screen = Screen::open(atlas.dir(), "600", size);
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut pressed = String::new();
        for _ in 0..150 {
            let key = KEYS[dice.roll(KEYS.len())];
            pressed.push_str(key);
            screen.press(key);
            screen.draw();
        }
        screen.send(skilldeck::tui::message::Message::Resize(120, 36));
        go_home(&mut screen);
        screen.quit = false;
        undo_all(&mut screen);
        assert!(atlas.tree() == before, "seed {seed}: {pressed}\n{}", screen.text());
    }
}
