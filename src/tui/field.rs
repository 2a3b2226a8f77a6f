//! A place where one types: a model of text, drawn by `view::field`.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, Input, TextArea};

/// Characters that are pasted into one line at most.
const MAX_LINE: usize = 4_096;

/// Text that is being typed, on one line or several.
#[derive(Debug, Clone)]
pub struct Field {
    area: Box<TextArea<'static>>,
    is_one_line: bool,
}

impl Field {
    /// A field of one line, the cursor behind its text.
    pub fn line(text: &str) -> Self {
        Self::new(text, true)
    }

    /// A field of several lines, the cursor behind its text.
    pub fn lines(text: &str) -> Self {
        Self::new(text, false)
    }

    fn new(text: &str, is_one_line: bool) -> Self {
        let mut field = Self { area: Box::default(), is_one_line };
        field.set(text);
        field
    }

    /// Puts another text in its place.
    pub fn set(&mut self, text: &str) {
        *self.area = TextArea::from(text.split('\n'));
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
    }

    /// What has been typed.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// What has been typed, line by line.
    pub fn rows(&self) -> &[String] {
        self.area.lines()
    }

    /// Line and character of the cursor, from 0.
    pub fn cursor(&self) -> (usize, usize) {
        let cursor = self.area.cursor();
        (cursor.0, cursor.1)
    }

    /// Takes a key; whether the text is another one now.
    pub fn key(&mut self, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let area = &mut self.area;
        match (event.code, ctrl) {
            (KeyCode::Left, _) => moved(area, CursorMove::Back),
            (KeyCode::Right, _) => moved(area, CursorMove::Forward),
            (KeyCode::Up, _) => moved(area, CursorMove::Up),
            (KeyCode::Down, _) => moved(area, CursorMove::Down),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => moved(area, CursorMove::Head),
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => moved(area, CursorMove::End),
            (KeyCode::Char('u'), true) => area.delete_line_by_head(),
            (KeyCode::Char('w'), true) => area.delete_word(),
            (KeyCode::Enter | KeyCode::Tab, _) if self.is_one_line => false,
            _ => area.input_without_shortcuts(Input::from(event)),
        }
    }

    /// Takes pasted text; on one line, line ends become spaces. Whether all of it
    /// was taken: a line has an end.
    pub fn paste(&mut self, text: &str) -> bool {
        if !self.is_one_line {
            self.area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
            return true;
        }
        let end = text.char_indices().nth(MAX_LINE).map_or(text.len(), |(at, _)| at);
        self.area.insert_str(text[..end].replace("\r\n", " ").replace(['\r', '\n', '\t'], " "));
        end == text.len()
    }
}

fn moved(area: &mut TextArea<'static>, to: CursorMove) -> bool {
    area.move_cursor(to);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_types_moves_and_takes_away() {
        let mut field = Field::line("one two");
        let mut press = |code, modifiers| field.key(KeyEvent::new(code, modifiers));
        let (none, ctrl) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        assert!(press(KeyCode::Char('w'), ctrl));
        assert!(!press(KeyCode::Home, none));
        assert!(press(KeyCode::Char('审'), none));
        assert!(!press(KeyCode::Enter, none));
        assert_eq!((field.text().as_str(), field.cursor()), ("审one ", (0, 1)));
        field.key(KeyEvent::new(KeyCode::End, none));
        field.key(KeyEvent::new(KeyCode::Char('u'), ctrl));
        assert_eq!(field.text(), "");
    }

    #[test]
    fn pasted_lines_stay_lines_only_where_there_are_several() {
        let mut line = Field::line("");
        assert!(line.paste("a\r\nb\tc\r"));
        assert_eq!(line.text(), "a b c ");
        assert!(!Field::line("").paste(&"审".repeat(5_000)));
        let mut lines = Field::lines("");
        lines.paste("a\r\nb\rc");
        assert_eq!(lines.rows(), ["a", "b", "c"]);
    }
}
