//! Keys as words: what the table of commands, the footer and the help name.

use std::fmt;

use crate::skill::text::is_plain;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key, perhaps with Ctrl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
}

const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("backtab", KeyCode::BackTab),
];

impl Key {
    /// What is `Esc` everywhere.
    pub const CTRL_C: Self = Self { code: KeyCode::Char('c'), ctrl: true };

    /// The names of keys that are no characters.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// Reads `j`, `ctrl-d`, `enter`.
    pub fn parse(text: &str) -> Option<Self> {
        let (ctrl, name) = match text.strip_prefix("ctrl-") {
            Some(name) => (true, name),
            None => (false, text),
        };
        let mut chars = name.chars();
        let code = match (chars.next(), chars.next()) {
            // With Ctrl a terminal sends letters only, and of those not the ones
            // that are Tab, Enter and Backspace to it.
            (Some(c), None) if ctrl => {
                if !c.is_ascii_lowercase() || "himj".contains(c) {
                    return None;
                }
                KeyCode::Char(c)
            }
            (Some(c), None) if is_plain(name) && c != ' ' => KeyCode::Char(c),
            (Some(_), None) => return None,
            _ if ctrl => return None,
            _ => NAMED.iter().find(|(n, _)| *n == name)?.1,
        };
        Some(Self { code, ctrl })
    }

    /// Whether it is a letter that could be typed into a text.
    pub fn is_typed(self) -> bool {
        !self.ctrl && matches!(self.code, KeyCode::Char(_))
    }

    /// The keys that were pressed.
    ///
    /// There is no `Alt` here: what looks like it is `Esc` and a key that came
    /// in one packet.
    pub fn pressed(event: KeyEvent) -> Vec<(Self, KeyEvent)> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let mut keys = Vec::new();
        let mut event = event;
        if event.modifiers.contains(KeyModifiers::ALT) {
            event.modifiers.remove(KeyModifiers::ALT);
            let esc = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
            keys.push((Self { code: KeyCode::Esc, ctrl: false }, esc));
        }
        keys.push((Self::of(event), event));
        keys
    }

    fn of(event: KeyEvent) -> Self {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        // Ctrl-c is Esc everywhere.
        if ctrl && event.code == KeyCode::Char('c') {
            return Self { code: KeyCode::Esc, ctrl: false };
        }
        Self { code: event.code, ctrl }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        match (NAMED.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, code) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_as_they_are_written() {
        for text in ["j", "G", "?", "1", "ctrl-d", "enter", "esc", "space", "pgdn", "backtab"] {
            assert_eq!(Key::parse(text).unwrap().to_string(), text);
        }
        for text in ["nokey", "ctrl-i", "ctrl-m", "ctrl-[", "ctrl-A", "ctrl-1", "\u{1b}", "\t", " "]
        {
            assert_eq!(Key::parse(text), None, "{text:?}");
        }
        assert_eq!(Key::parse(""), None);
    }

    #[test]
    fn ctrl_c_is_esc_and_alt_is_esc_and_a_key() {
        let pressed = |c, modifiers| -> Vec<String> {
            let event = KeyEvent::new(KeyCode::Char(c), modifiers);
            Key::pressed(event).iter().map(|(key, _)| key.to_string()).collect()
        };
        assert_eq!(pressed('c', KeyModifiers::CONTROL), ["esc"]);
        assert_eq!(pressed('j', KeyModifiers::ALT), ["esc", "j"]);
    }
}
