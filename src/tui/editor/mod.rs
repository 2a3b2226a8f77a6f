//! The editor: a text, the part of it that is seen, and what is to be said of
//! its lines. It knows nothing of files.

pub mod buffer;
pub mod complete;
mod endings;
pub mod find;
pub mod glyphs;
pub mod syntax;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use buffer::{Buffer, Pos, Refusal};
use glyphs::{Row, Signs, char_at, place, rows};
use syntax::{Syntax, Zone, zones};

use crate::skill::Level;
use crate::skill::text::Shown;
use crate::tui::ink::Tone;

/// Something to be said of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The line and character, from 0.
    pub at: Pos,
    /// How bad it is.
    pub level: Level,
    /// What it is.
    pub message: Shown,
}

/// An editor.
#[derive(Debug, Clone)]
pub struct Editor {
    /// The text.
    pub buffer: Buffer,
    /// What it is written in.
    pub syntax: Syntax,
    /// What is to be said of its lines, by place.
    pub marks: Vec<Mark>,
    /// The line that is the first to be seen, and the first of its rows.
    pub top: (usize, usize),
    /// Cells of a row of text, and rows.
    pub size: (usize, usize),
    /// How what cannot be seen is shown.
    pub signs: Signs,
    /// The cell that up and down keep to.
    wanted: Option<usize>,
    /// What was copied or cut last.
    clipboard: String,
}

/// What a key did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Took {
    /// Nothing, or the cursor went elsewhere.
    Nothing,
    /// The text is another.
    Edited,
    /// There is no room for it.
    Refused(Refusal),
}

impl Editor {
    /// An editor of a text; `below` is the path of the file below its skill's
    /// folder, `None` for a `SKILL.md`.
    ///
    /// # Errors
    /// When the text is not edited here.
    pub fn open(bytes: &[u8], below: Option<&str>, signs: Signs) -> Result<Self, Refusal> {
        Ok(Self {
            buffer: Buffer::new(bytes)?,
            syntax: Syntax::of(below),
            marks: Vec::new(),
            top: (0, 0),
            size: (80, 24),
            signs,
            wanted: None,
            clipboard: String::new(),
        })
    }

    /// The room for the text has changed.
    pub fn resize(&mut self, size: (usize, usize)) {
        self.size = size;
        self.keep_in_view();
    }

    /// Takes a key that is no command.
    pub fn key(&mut self, event: KeyEvent, now: Instant) -> Took {
        let took = self.take(event, now);
        self.keep_in_view();
        took
    }

    fn take(&mut self, event: KeyEvent, now: Instant) -> Took {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let edited = |is: bool| if is { Took::Edited } else { Took::Nothing };
        if let Some(to) = self.target(event.code, ctrl) {
            self.buffer.move_to(to, shift);
            return Took::Nothing;
        }
        self.wanted = None;
        let inserted = match (event.code, ctrl) {
            (KeyCode::Char('w') | KeyCode::Backspace, true) => {
                return edited(self.buffer.erase_word(now));
            }
            (KeyCode::Char('k'), true) => return edited(self.buffer.erase_line_end(now)),
            (KeyCode::Backspace, false) => return edited(self.buffer.backspace(now)),
            (KeyCode::Delete, _) => return edited(self.buffer.delete(now)),
            (KeyCode::Enter, _) => self.new_line(now),
            (KeyCode::Tab, _) => self.tab(now),
            (KeyCode::Char(c), false) => self.buffer.insert_char(c, now),
            _ => return Took::Nothing,
        };
        inserted.map_or_else(Took::Refused, |()| Took::Edited)
    }

    /// Where a key leads, if it is one that moves.
    fn target(&mut self, code: KeyCode, ctrl: bool) -> Option<Pos> {
        let at = self.buffer.cursor();
        let page = isize::try_from(self.size.1.saturating_sub(1).max(1)).unwrap_or(1);
        let by = match code {
            KeyCode::Up => -1,
            KeyCode::Down => 1,
            KeyCode::PageUp => -page,
            KeyCode::PageDown => page,
            _ => 0,
        };
        if by != 0 {
            return Some(self.vertical(by));
        }
        let to = match (code, ctrl) {
            (KeyCode::Left, false) => self.buffer.previous(at),
            (KeyCode::Right, false) => self.buffer.next(at),
            (KeyCode::Left, true) => self.buffer.word_before(at),
            (KeyCode::Right, true) => self.buffer.word_after(at),
            (KeyCode::Home, true) => Pos::default(),
            (KeyCode::End, true) => self.buffer.end(),
            (KeyCode::Home, false) => {
                // To the text of the line, then to its beginning.
                let line = self.buffer.line(at.line);
                let indent = line.chars().take_while(|c| c.is_whitespace()).count();
                Pos::new(at.line, if at.char == indent { 0 } else { indent })
            }
            (KeyCode::End, false) => Pos::new(at.line, self.buffer.line(at.line).chars().count()),
            _ => return None,
        };
        self.wanted = None;
        Some(to)
    }

    /// So many rows further on, in the same column as well as it can be.
    fn vertical(&mut self, by: isize) -> Pos {
        let mut at = self.buffer.cursor();
        let (mut row, cell) = place(&self.rows(at.line), at.char);
        let wanted = *self.wanted.get_or_insert(cell);
        for _ in 0..by.unsigned_abs() {
            let (line, next) = if by > 0 {
                let is_last = row + 1 >= self.rows(at.line).len();
                if is_last { (at.line + 1, 0) } else { (at.line, row + 1) }
            } else if row > 0 {
                (at.line, row - 1)
            } else {
                let Some(line) = at.line.checked_sub(1) else {
                    return Pos::default();
                };
                (line, self.rows(line).len() - 1)
            };
            if line >= self.buffer.lines().len() {
                return self.buffer.end();
            }
            (at.line, row) = (line, next);
        }
        Pos::new(at.line, char_at(&self.rows(at.line), row, wanted))
    }

    /// Moves the cursor by rows.
    pub fn scroll(&mut self, by: isize) {
        let to = self.vertical(by);
        self.buffer.move_to(to, false);
        self.keep_in_view();
    }

    fn new_line(&mut self, now: Instant) -> Result<(), Refusal> {
        let at = self.buffer.cursor();
        let before: String = self.buffer.line(at.line).chars().take(at.char).collect();
        let text = before.trim_start_matches([' ', '\t']);
        let indent = &before[..before.len() - text.len()];
        self.buffer.insert_text(&format!("\n{indent}"), now)
    }

    fn tab(&mut self, now: Instant) -> Result<(), Refusal> {
        let at = self.buffer.cursor();
        if let Some((typed, found)) = complete::candidates(&self.buffer, self.syntax)
            && let Some((key, _)) = found.first()
        {
            let rest = key.strip_prefix(typed.as_str()).unwrap_or("");
            return self.buffer.insert_text(&format!("{rest}: "), now);
        }
        let zone = zones(self.syntax, self.buffer.lines()).nth(at.line);
        // A tab would break the frontmatter.
        let stop = if zone == Some(Zone::Frontmatter) { 2 } else { 4 };
        self.buffer.insert_text(&" ".repeat(stop - at.char % stop), now)
    }

    /// Takes pasted text, as one step.
    pub fn paste(&mut self, text: &str, now: Instant) -> Took {
        let took = self.buffer.insert_text(text, now);
        self.keep_in_view();
        took.map_or_else(Took::Refused, |()| Took::Edited)
    }

    /// Puts in what was copied or cut last.
    pub fn paste_own(&mut self, now: Instant) -> Took {
        let text = self.clipboard.clone();
        if text.is_empty() { Took::Nothing } else { self.paste(&text, now) }
    }

    /// Copies the selection, else the line; returns it.
    pub fn copy(&mut self) -> String {
        self.clipboard = self.buffer.copy();
        self.clipboard.clone()
    }

    /// Takes the selection away, else the line, and keeps it.
    pub fn cut(&mut self, now: Instant) -> String {
        self.clipboard = self.buffer.cut(now);
        self.keep_in_view();
        self.clipboard.clone()
    }

    /// Takes the last steps back, or makes them again.
    pub fn turn(&mut self, back: bool) -> Took {
        let turned = if back { self.buffer.undo() } else { self.buffer.redo() };
        self.keep_in_view();
        if turned { Took::Edited } else { Took::Nothing }
    }

    /// Puts the cursor at a place.
    pub fn go_to(&mut self, at: Pos) {
        self.wanted = None;
        self.buffer.move_to(at, false);
        self.keep_in_view();
    }

    /// Selects what was found, the cursor at its beginning.
    pub fn select(&mut self, (from, to): find::Found) {
        self.buffer.move_to(to, false);
        self.buffer.move_to(from, true);
        self.keep_in_view();
    }

    /// The rows of a line.
    pub fn rows(&self, line: usize) -> Vec<Row<'_>> {
        rows(self.buffer.line(line), self.size.0, self.signs, |_| Tone::Plain)
    }

    /// The place at a row and cell of what is seen.
    pub fn at(&self, row: usize, cell: usize) -> Pos {
        let (mut line, mut first) = self.top;
        let mut left = row;
        loop {
            let rows = self.rows(line);
            let here = rows.len() - first.min(rows.len() - 1);
            if left < here {
                return Pos::new(line, char_at(&rows, first + left, cell));
            }
            if line + 1 >= self.buffer.lines().len() {
                return self.buffer.end();
            }
            left -= here;
            (line, first) = (line + 1, 0);
        }
    }

    /// Scrolls so that the cursor is seen. Only lines near it are laid out.
    pub fn keep_in_view(&mut self) {
        let cursor = self.buffer.cursor();
        let (row, _) = place(&self.rows(cursor.line), cursor.char);
        let last = self.buffer.lines().len() - 1;
        self.top.0 = self.top.0.min(last);
        self.top.1 = self.top.1.min(self.rows(self.top.0).len() - 1);
        if (cursor.line, row) < self.top {
            self.top = (cursor.line, row);
            return;
        }
        let height = self.size.1.max(1);
        // The first row from which the cursor is still seen.
        let (mut line, mut first) = (cursor.line, row);
        let mut left = height - 1;
        while left > 0 {
            if first >= left {
                first -= left;
                break;
            }
            left -= first + 1;
            let Some(before) = line.checked_sub(1) else {
                first = 0;
                break;
            };
            line = before;
            first = self.rows(line).len() - 1;
        }
        self.top = self.top.max((line, first));
    }

    /// What is to be said of the line of the cursor.
    pub fn mark_here(&self) -> Option<&Mark> {
        let line = self.buffer.cursor().line;
        let here = self.marks.iter().filter(|mark| mark.at.line == line);
        here.max_by_key(|mark| mark.level)
    }

    /// The place of the next mark from the cursor on, going round.
    pub fn next_mark(&self, forward: bool) -> Option<Pos> {
        let from = self.buffer.cursor();
        let mut places: Vec<Pos> = self.marks.iter().map(|mark| mark.at).collect();
        places.sort_unstable();
        let found = if forward {
            places.iter().find(|at| **at > from).or(places.first())
        } else {
            places.iter().rev().find(|at| **at < from).or(places.last())
        };
        found.copied()
    }
}
