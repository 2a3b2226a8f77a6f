//! Keys as words: what the table of commands, the footer and the help name.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key, perhaps with Ctrl. There are no `Alt` keys: a split packet turns
/// them into `Esc`.
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
    /// Reads `j`, `ctrl-d`, `enter`.
    pub fn parse(text: &str) -> Option<Self> {
        let (ctrl, name) = match text.strip_prefix("ctrl-") {
            Some(name) => (true, name),
            None => (false, text),
        };
        let mut chars = name.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => KeyCode::Char(c),
            _ => NAMED.iter().find(|(n, _)| *n == name)?.1,
        };
        Some(Self { code, ctrl })
    }

    /// The key that was pressed; `None` for what is no press, or has `Alt`.
    pub fn pressed(event: KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        // Ctrl-c is Esc everywhere.
        if ctrl && event.code == KeyCode::Char('c') {
            return Some(Self { code: KeyCode::Esc, ctrl: false });
        }
        Some(Self { code: event.code, ctrl })
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
        assert_eq!(Key::parse("nokey"), None);
        assert_eq!(Key::parse(""), None);
    }

    #[test]
    fn ctrl_c_is_esc() {
        let event = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(Key::pressed(event), Key::parse("esc"));
        let alt = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::ALT);
        assert_eq!(Key::pressed(alt), None);
    }
}
