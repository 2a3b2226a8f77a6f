//! The text that is edited: lines, a cursor, a selection, and every step of it
//! to take back.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use tui_textarea::{CursorMove, TextArea};

use super::endings::Endings;
use super::glyphs::{after, before};
use crate::skill::text::{counted, thousands};

/// Bytes of the largest text that is edited here.
pub const MAX_BYTES: usize = 256 * 1024;
/// Lines of the longest.
pub const MAX_LINES: usize = 20_000;
/// Characters of the longest line.
pub const MAX_LINE: usize = u16::MAX as usize;

/// Steps that are remembered.
const MAX_STEPS: usize = 100_000;

/// A pause that ends a group of typing.
const PAUSE: Duration = Duration::from_secs(1);

/// A place in a text: line and character, from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pos {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub char: usize,
}

impl Pos {
    /// A place.
    pub fn new(line: usize, char: usize) -> Self {
        Self { line, char }
    }
}

/// A text is not edited here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no text.
    #[error("it is no text (UTF-8) but binary, or in another encoding; edit it outside")]
    Binary,
    /// It is too large.
    #[error("it has {}, more than the {} that are edited here; edit it outside",
        counted(*.0, "byte", "bytes"), thousands(MAX_BYTES as u64))]
    Bytes(usize),
    /// It has too many lines.
    #[error("it has {}, more than the {} that are edited here; edit it outside",
        counted(*.0, "line", "lines"), thousands(MAX_LINES as u64))]
    Lines(usize),
    /// A line is too long.
    #[error("line {} has {}, more than the {} that are edited here; edit it outside",
        .0 + 1, counted(*.1, "character", "characters"), thousands(MAX_LINE as u64))]
    Line(usize, usize),
}

/// What a step is, to tell which belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Space,
    Erase,
    Whole,
}

/// Steps of the model that are taken back together.
#[derive(Debug, Clone, Copy)]
struct Group {
    steps: usize,
    kind: Kind,
    last: Instant,
    /// Where the cursor was behind it.
    end: Pos,
}

/// A text that is edited.
#[derive(Debug, Clone)]
pub struct Buffer {
    area: Box<TextArea<'static>>,
    endings: Endings,
    saved: Vec<String>,
    is_changed: bool,
    revision: u64,
    done: Vec<Group>,
    undone: Vec<Group>,
    anchor: Option<Pos>,
}

impl Buffer {
    /// A text from a file's bytes.
    ///
    /// # Errors
    /// When it is no text, or too large to be edited here.
    pub fn new(bytes: &[u8]) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(bytes).map_err(|_| Refusal::Binary)?;
        if text.contains('\0') {
            return Err(Refusal::Binary);
        }
        let (lines, endings) = Endings::split(text);
        check(bytes.len(), lines.iter())?;
        let mut area = Box::new(TextArea::new(lines.clone()));
        area.set_max_histories(MAX_STEPS);
        Ok(Self {
            area,
            endings,
            saved: lines,
            is_changed: false,
            revision: 0,
            done: Vec::new(),
            undone: Vec::new(),
            anchor: None,
        })
    }

    /// The text as bytes for its file.
    pub fn bytes(&self) -> Vec<u8> {
        self.endings.join(self.lines()).into_bytes()
    }

    /// The lines, without their ends; there is at least one.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// A line; an empty one where there is none.
    pub fn line(&self, at: usize) -> &str {
        self.lines().get(at).map_or("", String::as_str)
    }

    /// The cursor.
    pub fn cursor(&self) -> Pos {
        let cursor = self.area.cursor();
        Pos::new(cursor.0, cursor.1)
    }

    /// Another number for every change of the text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether the text is another than the one that was opened or saved.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The text as it is now is the one on disk.
    pub fn set_saved(&mut self, bytes: &[u8]) {
        let (lines, endings) = Endings::split(&String::from_utf8_lossy(bytes));
        self.endings = endings;
        self.saved = lines;
        self.is_changed = self.lines() != self.saved;
        self.close_group();
    }

    /// The selected part, if there is one.
    pub fn selection(&self) -> Option<(Pos, Pos)> {
        let (anchor, cursor) = (self.anchor?, self.cursor());
        (anchor != cursor).then(|| (anchor.min(cursor), anchor.max(cursor)))
    }

    /// Nothing is selected any more.
    pub fn clear_selection(&mut self) {
        self.anchor = None;
    }

    /// All of it is selected.
    pub fn select_all(&mut self) {
        self.go(self.end());
        self.anchor = Some(Pos::default());
    }

    /// The place behind the last character.
    pub fn end(&self) -> Pos {
        let line = self.lines().len() - 1;
        Pos::new(line, self.line(line).chars().count())
    }

    /// Puts the cursor somewhere; with `selecting` what lies between is selected.
    pub fn move_to(&mut self, to: Pos, selecting: bool) {
        if selecting {
            self.anchor.get_or_insert(self.cursor());
        } else {
            self.anchor = None;
        }
        self.close_group();
        self.go(to);
    }

    fn go(&mut self, to: Pos) {
        let line = to.line.min(self.lines().len() - 1);
        let char = to.char.min(self.line(line).chars().count());
        let small = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.area.move_cursor(CursorMove::Jump(small(line), small(char)));
    }

    /// The text between two places, lines joined by `\n`.
    pub fn text_between(&self, from: Pos, to: Pos) -> String {
        let mut text = String::new();
        for line in from.line..=to.line {
            let chars = self.line(line);
            let start = if line == from.line { byte(chars, from.char) } else { 0 };
            let end = if line == to.line { byte(chars, to.char) } else { chars.len() };
            text.push_str(chars.get(start..end).unwrap_or(""));
            if line < to.line {
                text.push('\n');
            }
        }
        text
    }

    /// Types a character over the selection.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn insert_char(&mut self, c: char, now: Instant) -> Result<(), Refusal> {
        let kind = if c.is_whitespace() { Kind::Space } else { Kind::Word };
        self.insert(c.encode_utf8(&mut [0; 4]), kind, now)
    }

    /// Puts a text in over the selection, as one step.
    ///
    /// # Errors
    /// When there is no room for it; then nothing is put in.
    pub fn insert_text(&mut self, text: &str, now: Instant) -> Result<(), Refusal> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        // A NUL makes a text one that cannot be opened again.
        let text = text.replace('\0', "");
        self.insert(&text, Kind::Whole, now)
    }

    fn insert(&mut self, text: &str, kind: Kind, now: Instant) -> Result<(), Refusal> {
        self.check_room(text)?;
        let (from, to) = self.selection().unwrap_or((self.cursor(), self.cursor()));
        self.replace(from, to, text, kind, now);
        Ok(())
    }

    fn check_room(&self, text: &str) -> Result<(), Refusal> {
        let selected = self.selection().map_or(0, |(from, to)| self.text_between(from, to).len());
        let size = self.lines().iter().map(|line| line.len() + 1).sum::<usize>() + text.len();
        let size = size.saturating_sub(selected + 1);
        let count = self.lines().len() + text.matches('\n').count();
        if size > MAX_BYTES {
            return Err(Refusal::Bytes(size));
        }
        if count > MAX_LINES {
            return Err(Refusal::Lines(count));
        }
        let here = self.line(self.cursor().line).chars().count();
        let longest = text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
        if here + longest > MAX_LINE {
            return Err(Refusal::Line(self.cursor().line, here + longest));
        }
        Ok(())
    }

    /// Takes away what is between two places.
    fn erase(&mut self, from: Pos, to: Pos, kind: Kind, now: Instant) -> bool {
        if from == to {
            return false;
        }
        self.replace(from, to, "", kind, now);
        true
    }

    /// Puts a text in place of a part.
    fn replace(&mut self, from: Pos, to: Pos, text: &str, kind: Kind, now: Instant) {
        let is_selection = self.selection().is_some();
        self.anchor = None;
        let kind = if is_selection { Kind::Whole } else { kind };
        let goes_on = self.goes_on(kind, now);
        let mut steps = 0;
        self.go(from);
        let count = self.text_between(from, to).chars().count();
        if count > 0 {
            steps += usize::from(self.area.delete_str(count));
        }
        if !text.is_empty() {
            steps += usize::from(self.area.insert_str(kept_returns(text)));
        }
        if steps == 0 {
            return;
        }
        self.undone.clear();
        self.revision += 1;
        self.is_changed = self.lines() != self.saved;
        let end = self.cursor();
        match self.done.last_mut().filter(|_| goes_on) {
            Some(group) => {
                *group = Group { steps: group.steps + steps, kind, last: now, end };
            }
            None => self.done.push(Group { steps, kind, last: now, end }),
        }
    }

    /// Whether a step belongs to the group before it: one types on where one was,
    /// without a pause, and begins no new word.
    fn goes_on(&self, kind: Kind, now: Instant) -> bool {
        let Some(group) = self.done.last() else { return false };
        let is_same = match (group.kind, kind) {
            (Kind::Whole, _) | (_, Kind::Whole) => false,
            // The space behind a word belongs to it.
            (Kind::Word, Kind::Space) => true,
            (a, b) => a == b,
        };
        is_same
            && self.undone.is_empty()
            && group.end == self.cursor()
            && now.saturating_duration_since(group.last) < PAUSE
    }

    fn close_group(&mut self) {
        if let Some(group) = self.done.last_mut() {
            group.kind = Kind::Whole;
        }
    }

    /// Takes the selection away, or the character before the cursor.
    pub fn backspace(&mut self, now: Instant) -> bool {
        let to = self.cursor();
        let (from, to) = self.selection().unwrap_or_else(|| (self.previous(to), to));
        self.erase(from, to, Kind::Erase, now)
    }

    /// Takes the selection away, or the character behind the cursor.
    pub fn delete(&mut self, now: Instant) -> bool {
        let from = self.cursor();
        let (from, to) = self.selection().unwrap_or_else(|| (from, self.next(from)));
        self.erase(from, to, Kind::Erase, now)
    }

    /// Takes the selection away, or what there is of the word before the cursor.
    pub fn erase_word(&mut self, now: Instant) -> bool {
        let to = self.cursor();
        let (from, to) = self.selection().unwrap_or_else(|| (self.word_before(to), to));
        self.erase(from, to, Kind::Whole, now)
    }

    /// Takes the rest of the line away, or its end when there is no rest.
    pub fn erase_line_end(&mut self, now: Instant) -> bool {
        let from = self.cursor();
        let end = Pos::new(from.line, self.line(from.line).chars().count());
        let to = if from == end { self.next(from) } else { end };
        self.erase(from, to, Kind::Whole, now)
    }

    /// The selection, else the whole line with its end.
    pub fn copy(&self) -> String {
        let (from, to) = self.selection().unwrap_or_else(|| self.whole_line());
        self.text_between(from, to)
    }

    /// Takes away what [`Self::copy`] gives.
    pub fn cut(&mut self, now: Instant) -> String {
        let (from, to) = self.selection().unwrap_or_else(|| self.whole_line());
        let text = self.text_between(from, to);
        self.erase(from, to, Kind::Whole, now);
        text
    }

    fn whole_line(&self) -> (Pos, Pos) {
        let line = self.cursor().line;
        let end = Pos::new(line + 1, 0);
        (Pos::new(line, 0), if end.line < self.lines().len() { end } else { self.end() })
    }

    /// Puts a text in place of a part, as one step.
    pub fn replace_part(&mut self, from: Pos, to: Pos, text: &str, now: Instant) {
        self.anchor = None;
        self.replace(from, to, text, Kind::Whole, now);
    }

    /// Puts another text in place of the whole, as one step; the cursor stays on
    /// its line as well as it can. Lines that are the same are left as they are.
    ///
    /// # Errors
    /// When the text is too large to be edited here.
    pub fn replace_all(&mut self, text: &str, now: Instant) -> Result<(), Refusal> {
        let (lines, _) = Endings::split(text);
        self.replace_lines(&lines, now)
    }

    /// The same with the lines, without their ends.
    ///
    /// # Errors
    /// When the text is too large to be edited here.
    pub fn replace_lines(&mut self, lines: &[String], now: Instant) -> Result<(), Refusal> {
        check(lines.iter().map(|line| line.len() + 1).sum(), lines.iter())?;
        let old = self.lines();
        let head = old.iter().zip(lines).take_while(|(a, b)| a == b).count();
        let most = old.len().min(lines.len()) - head;
        let tail = old.iter().rev().zip(lines.iter().rev());
        let tail = tail.take(most).take_while(|(a, b)| a == b).count();
        let cursor = self.cursor();
        let (old_end, new_end) = (old.len() - tail, lines.len() - tail);
        if head == old_end && head == new_end {
            return Ok(());
        }
        // From the end of the line before, so that whole lines come and go.
        let end_of = |lines: &[String], at: usize| lines[at].chars().count();
        let (from, to, new) = if head > 0 {
            let from = Pos::new(head - 1, end_of(old, head - 1));
            let to = Pos::new(old_end - 1, end_of(old, old_end - 1));
            let new: String = lines[head..new_end].iter().map(|line| format!("\n{line}")).collect();
            (from, to, new)
        } else if tail > 0 {
            let new: String = lines[..new_end].iter().map(|line| format!("{line}\n")).collect();
            (Pos::default(), Pos::new(old_end, 0), new)
        } else {
            (Pos::default(), self.end(), lines.join("\n"))
        };
        self.replace_part(from, to, &new, now);
        let line = if cursor.line < head {
            cursor.line
        } else {
            (cursor.line + new_end).saturating_sub(old_end).max(head.min(cursor.line))
        };
        self.go(Pos::new(line, cursor.char));
        Ok(())
    }

    /// Takes the last group of steps back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(group) = self.done.pop() else { return false };
        self.anchor = None;
        for _ in 0..group.steps {
            self.area.undo();
        }
        self.undone.push(Group { kind: Kind::Whole, ..group });
        self.turned()
    }

    /// Makes the group again that was taken back last; whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(group) = self.undone.pop() else { return false };
        self.anchor = None;
        for _ in 0..group.steps {
            self.area.redo();
        }
        self.done.push(group);
        self.turned()
    }

    fn turned(&mut self) -> bool {
        self.close_group();
        self.revision += 1;
        self.is_changed = self.lines() != self.saved;
        true
    }

    /// The place one character further on.
    pub fn next(&self, at: Pos) -> Pos {
        let line = self.line(at.line);
        if at.char < line.chars().count() {
            return Pos::new(at.line, after(line, at.char));
        }
        if at.line + 1 < self.lines().len() { Pos::new(at.line + 1, 0) } else { at }
    }

    /// The place one character before.
    pub fn previous(&self, at: Pos) -> Pos {
        if at.char > 0 {
            return Pos::new(at.line, before(self.line(at.line), at.char));
        }
        match at.line.checked_sub(1) {
            Some(line) => Pos::new(line, self.line(line).chars().count()),
            None => at,
        }
    }

    /// The beginning of the word before a place.
    pub fn word_before(&self, at: Pos) -> Pos {
        if at.char == 0 {
            return self.previous(at);
        }
        let chars: Vec<char> = self.line(at.line).chars().take(at.char).collect();
        let word = chars.iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| {
            let class = is_word(chars[last]);
            let other = |c: &char| c.is_whitespace() || is_word(*c) != class;
            chars[..last].iter().rposition(other).map_or(0, |i| i + 1)
        });
        Pos::new(at.line, word)
    }

    /// The place behind the word after a place.
    pub fn word_after(&self, at: Pos) -> Pos {
        let chars: Vec<char> = self.line(at.line).chars().skip(at.char).collect();
        if chars.is_empty() {
            return self.next(at);
        }
        let first = chars.iter().position(|c| !c.is_whitespace()).unwrap_or(chars.len());
        let class = chars.get(first).copied().map(is_word);
        let rest = chars.iter().skip(first);
        let word = rest.take_while(|c| !c.is_whitespace() && Some(is_word(**c)) == class).count();
        Pos::new(at.line, at.char + first + word)
    }
}

/// The model takes a carriage return at the end of a line for half of a line end;
/// what is put in has none of those, so that such a one is a character.
fn kept_returns(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\r\r\n") + if text.ends_with('\r') { "\r" } else { "" })
    } else {
        Cow::Borrowed(text)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The byte at which a character of a line begins.
pub fn byte(line: &str, char: usize) -> usize {
    line.char_indices().nth(char).map_or(line.len(), |(at, _)| at)
}

fn check<'a>(
    bytes: usize,
    lines: impl ExactSizeIterator<Item = &'a String>,
) -> Result<(), Refusal> {
    if bytes > MAX_BYTES {
        return Err(Refusal::Bytes(bytes));
    }
    if lines.len() > MAX_LINES {
        return Err(Refusal::Lines(lines.len()));
    }
    for (at, line) in lines.enumerate() {
        let count = if line.len() > MAX_LINE { line.chars().count() } else { 0 };
        if count > MAX_LINE {
            return Err(Refusal::Line(at, count));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(buffer: &Buffer) -> String {
        String::from_utf8(buffer.bytes()).unwrap()
    }

    #[test]
    fn typing_is_taken_back_by_words_and_pauses() {
        let now = Instant::now();
        let mut buffer = Buffer::new(b"").unwrap();
        for (n, c) in "one two".chars().enumerate() {
            // A pause in the middle of the second word.
            let at = now + Duration::from_secs(if n > 5 { 9 } else { 0 });
            buffer.insert_char(c, at).unwrap();
        }
        let mut seen = vec![text(&buffer)];
        while buffer.undo() {
            seen.push(text(&buffer));
        }
        assert_eq!(seen, ["one two", "one tw", "one ", ""]);
        while buffer.redo() {}
        assert_eq!(text(&buffer), "one two");
    }

    #[test]
    fn the_whole_is_replaced_as_one_step_and_the_cursor_stays() {
        let now = Instant::now();
        for (old, new, at, want) in [
            ("a\nb\nc", "a\nx\ny\nc", Pos::new(2, 1), Pos::new(3, 1)),
            ("a\nb\nc", "a\nc", Pos::new(0, 1), Pos::new(0, 1)),
            ("a\nb", "x\ny", Pos::new(1, 1), Pos::new(1, 1)),
            ("a\nb\n", "n\na\nb\n", Pos::new(1, 0), Pos::new(2, 0)),
        ] {
            let mut buffer = Buffer::new(old.as_bytes()).unwrap();
            buffer.move_to(at, false);
            buffer.replace_all(new, now).unwrap();
            assert_eq!((text(&buffer).as_str(), buffer.cursor()), (new, want), "{old:?}");
            assert!(buffer.undo() && !buffer.undo());
            assert_eq!(text(&buffer), old);
        }
    }

    #[test]
    fn what_has_no_room_is_refused_and_what_makes_room_is_not() {
        let now = Instant::now();
        let mut buffer = Buffer::new("x\n".repeat(MAX_BYTES / 4).as_bytes()).unwrap_err();
        assert!(matches!(buffer, Refusal::Lines(_)));
        buffer = Buffer::new("x".repeat(MAX_LINE + 1).as_bytes()).unwrap_err();
        assert_eq!(buffer, Refusal::Line(0, MAX_LINE + 1));
        let full = format!("{}\n", "y".repeat(MAX_BYTES / 8 - 1)).repeat(8);
        let mut buffer = Buffer::new(full.as_bytes()).unwrap();
        assert!(buffer.insert_char('z', now).is_err());
        buffer.select_all();
        buffer.insert_text("less", now).unwrap();
        assert_eq!(text(&buffer), "less");
    }

    /// What is done in the property.
    #[derive(Debug, Clone)]
    enum Act {
        Type(char),
        Paste(String),
        Erase,
        Delete,
        Word,
        Line,
        Cut,
        Move(usize, usize, bool),
        Whole(String),
        Undo,
        Redo,
    }

    fn act() -> impl Strategy<Value = Act> {
        let piece = "([ab ]|审|e\u{301}|\r|\n|\r\n|\t){0,6}";
        prop_oneof![
            prop::char::range('a', 'd').prop_map(Act::Type),
            Just(Act::Type(' ')),
            piece.prop_map(Act::Paste),
            Just(Act::Erase),
            Just(Act::Delete),
            Just(Act::Word),
            Just(Act::Line),
            Just(Act::Cut),
            (0_usize..6, 0_usize..6, any::<bool>()).prop_map(|(l, c, s)| Act::Move(l, c, s)),
            piece.prop_map(Act::Whole),
            Just(Act::Undo),
            Just(Act::Redo),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_done_is_taken_back_and_made_again(
            begin in "(\u{feff}|)([ab ]|审|\r\n|\n|\r){0,20}",
            acts in prop::collection::vec(act(), 0..40),
        ) {
            let now = Instant::now();
            let mut buffer = Buffer::new(begin.as_bytes()).unwrap();
            for act in acts {
                match act {
                    Act::Type(c) => buffer.insert_char(c, now).unwrap(),
                    Act::Paste(text) => buffer.insert_text(&text, now).unwrap(),
                    Act::Erase => { buffer.backspace(now); }
                    Act::Delete => { buffer.delete(now); }
                    Act::Word => { buffer.erase_word(now); }
                    Act::Line => { buffer.erase_line_end(now); }
                    Act::Cut => { buffer.cut(now); }
                    Act::Move(line, char, select) => buffer.move_to(Pos::new(line, char), select),
                    Act::Whole(text) => buffer.replace_all(&text, now).unwrap(),
                    Act::Undo => { buffer.undo(); }
                    Act::Redo => { buffer.redo(); }
                }
                let at = buffer.cursor();
                prop_assert!(at.char <= buffer.line(at.line).chars().count());
            }
            while buffer.redo() {}
            let end = text(&buffer);
            while buffer.undo() {}
            prop_assert_eq!(text(&buffer), begin);
            prop_assert!(!buffer.is_changed());
            while buffer.redo() {}
            prop_assert_eq!(text(&buffer), end);
        }
    }
}
