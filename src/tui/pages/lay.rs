//! Laying out text: rows that fit a width, everything in them visible.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::skill::place::lines;
use crate::skill::text::{Shown, hazard};
use crate::tui::ink::{Piece, Tone, wrap};

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Lay {
    /// Long lines are wrapped, not cut.
    pub wrap: bool,
    /// Tabs, trailing spaces and line ends have signs.
    pub invisibles: bool,
    /// The Catalog tab shows the tool definition.
    pub tool: bool,
    /// Signs are ASCII.
    pub ascii: bool,
}

impl Default for Lay {
    fn default() -> Self {
        Self { wrap: true, invisibles: true, tool: false, ascii: false }
    }
}

/// Rows of text that fit a width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// There is text.
    Text(Laid),
    /// There is nothing to show, and this is why.
    Nothing(Shown),
}

/// A text that was laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<LaidRow>,
    /// The rows in which something was found.
    pub matches: Vec<usize>,
    /// The number of the first line, where lines have numbers.
    pub first: Option<u32>,
    /// The text itself.
    pub text: String,
}

/// A row of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidRow {
    /// The line that it is of, from 0.
    pub line: u32,
    /// Whether the line begins in it.
    pub is_begin: bool,
    /// What stands in it.
    pub pieces: Vec<Piece>,
}

impl Laid {
    /// The row to show first so that one goes on reading where one was in
    /// another lay-out of the text, `row` being the first shown there.
    pub fn row_as_in(&self, other: &Self, row: usize) -> usize {
        let Some(top) = other.rows.get(row) else { return row };
        let of_line = |laid: &Self| laid.rows.partition_point(|row| row.line < top.line);
        let within = row - of_line(other);
        let begin = of_line(self);
        let rows = self.rows[begin..].iter().take_while(|row| row.line == top.line).count();
        begin + within.min(rows.saturating_sub(1))
    }
}

impl Page {
    /// Its text, if there is one.
    pub fn text(&self) -> Option<&Laid> {
        match self {
            Self::Text(laid) => Some(laid),
            Self::Nothing(_) => None,
        }
    }
}

/// The cells that line numbers take.
pub const NUMBERS: usize = 6;

/// Places that are marked at most: somebody who looks for one `e` wants no more.
const MAX_FOUND: usize = 10_000;

/// The columns of a tab.
const TAB: usize = 4;

/// What is set off in a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks<'a> {
    /// Byte ranges, in order and apart from each other.
    pub ranges: &'a [Range<usize>],
    /// What is looked for.
    pub find: Option<&'a str>,
    /// The number of the first line, where lines have numbers.
    pub first: Option<u32>,
}

/// Lays out a text for a width in cells.
pub fn lay_out(text: &str, marks: Marks<'_>, width: usize, lay: Lay) -> Laid {
    let width = if marks.first.is_some() { width.saturating_sub(NUMBERS) } else { width };
    let found = marks.find.map_or_else(Vec::new, |needle| find(text, needle));
    let (mut marked, mut sought) = (Ranges::new(marks.ranges), Ranges::new(&found));
    let mut laid = Laid { first: marks.first, ..Laid::default() };
    for (number, line) in (0..).zip(lines(text)) {
        let end = line.start + line.text.len();
        let (marked, sought) = (marked.upto(end), sought.upto(end));
        let mut pieces = pieces(line.text, line.start, marked, sought, lay);
        if lay.invisibles && text[end..line.next].starts_with('\r') {
            pieces.push(Piece::new(if lay.ascii { "^M" } else { "␍" }, Tone::Hidden));
        }
        let rows = if lay.wrap { wrap(&pieces, width) } else { vec![pieces] };
        for (i, row) in rows.into_iter().enumerate() {
            if row.iter().any(|piece| piece.tone() == Tone::Found) {
                laid.matches.push(laid.rows.len());
            }
            laid.rows.push(LaidRow { line: number, is_begin: i == 0, pieces: row });
        }
    }
    laid.text = text.to_owned();
    laid
}

/// Where a text holds another; capitals count only when there are some.
fn find(text: &str, needle: &str) -> Vec<Range<usize>> {
    if needle.is_empty() {
        return Vec::new();
    }
    let is_smart = !needle.bytes().any(|b| b.is_ascii_uppercase());
    AhoCorasick::builder()
        .ascii_case_insensitive(is_smart)
        .build([needle])
        .map(|finder| finder.find_iter(text).take(MAX_FOUND).map(|m| m.range()).collect())
        .unwrap_or_default()
}

/// Ranges that are walked over once, line by line.
struct Ranges<'a> {
    ranges: &'a [Range<usize>],
}

impl<'a> Ranges<'a> {
    fn new(ranges: &'a [Range<usize>]) -> Self {
        Self { ranges }
    }

    /// Those that begin before `end`; the last stays, for it may go on behind it.
    fn upto(&mut self, end: usize) -> &'a [Range<usize>] {
        let count = self.ranges.iter().take_while(|range| range.start < end).count();
        let here = &self.ranges[..count];
        let done = here.iter().take_while(|range| range.end <= end).count();
        self.ranges = &self.ranges[done..];
        here
    }
}

/// A line as pieces: marked ranges set off, everything in it visible. `start` is
/// the line's first byte, from which the ranges do not count.
fn pieces(
    line: &str,
    start: usize,
    marked: &[Range<usize>],
    sought: &[Range<usize>],
    lay: Lay,
) -> Vec<Piece> {
    let ends = |ranges: &[Range<usize>]| {
        ranges.iter().flat_map(|r| [r.start, r.end]).map(|at| at.saturating_sub(start)).collect()
    };
    let mut cuts: Vec<usize> = ends(marked);
    cuts.extend::<Vec<usize>>(ends(sought));
    cuts.extend([0, line.len()]);
    cuts.retain(|at| *at <= line.len());
    cuts.sort_unstable();
    cuts.dedup();
    let mut visible = Visible::new(line, lay);
    for pair in cuts.windows(2) {
        let at = pair[0] + start;
        let tone = if within(sought, at) {
            Tone::Found
        } else if within(marked, at) {
            Tone::Mark
        } else {
            Tone::Plain
        };
        visible.push(pair[0]..pair[1], tone);
    }
    visible.pieces
}

fn within(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.start <= at);
    next > 0 && at < ranges[next - 1].end
}

/// Makes a line visible, part by part.
struct Visible<'a> {
    line: &'a str,
    lay: Lay,
    /// Where the spaces at the end of the line begin.
    trailing: usize,
    cells: usize,
    pieces: Vec<Piece>,
}

impl<'a> Visible<'a> {
    fn new(line: &'a str, lay: Lay) -> Self {
        let trailing = line.trim_end_matches([' ', '\t', '\u{a0}']).len();
        Self { line, lay, trailing, cells: 0, pieces: Vec::new() }
    }

    fn push(&mut self, range: Range<usize>, tone: Tone) {
        let mut plain = range.start;
        let mut before = self.line[..range.start].chars().next_back();
        for (i, c) in self.line[range.clone()].char_indices() {
            let at = range.start + i;
            let next = at + c.len_utf8();
            if let Some(sign) = self.sign(c, at, before) {
                self.piece(&self.line[plain..at], tone);
                let sign = if c == '\t' { self.to_tab_stop(sign) } else { sign };
                // What was found stays told apart, also where it cannot be seen.
                let tone = if tone == Tone::Found { tone } else { Tone::Hidden };
                self.piece(&sign, tone);
                plain = next;
            }
            before = Some(c);
        }
        self.piece(&self.line[plain..range.end], tone);
    }

    /// What stands for a character that cannot be drawn as it is.
    fn sign(&self, c: char, at: usize, before: Option<char>) -> Option<String> {
        let (signs, ascii) = (self.lay.invisibles, self.lay.ascii);
        let sign = |sign: &str, poor: &str| Some(if ascii { poor } else { sign }.to_owned());
        match c {
            '\t' if signs => sign("→", ">"),
            '\t' => Some(" ".to_owned()),
            ' ' if signs && at >= self.trailing => sign("·", "."),
            '\u{a0}' if signs => sign("⍽", "_"),
            '\u{2028}' | '\u{2029}' => Some(c.to_string()),
            _ => {
                let after = self.line[at + c.len_utf8()..].chars().next();
                hazard(c, before, after).map(|_| c.to_string())
            }
        }
    }

    /// A tab reaches to the next multiple of [`TAB`].
    fn to_tab_stop(&self, sign: String) -> String {
        let fill = TAB - self.cells % TAB - 1;
        sign + &" ".repeat(fill)
    }

    fn piece(&mut self, text: &str, tone: Tone) {
        if !text.is_empty() {
            let piece = Piece::new(text, tone);
            self.cells += piece.width();
            self.pieces.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, lay: Lay) -> Vec<String> {
        let laid = lay_out(text, Marks::default(), 80, lay);
        laid.rows.iter().map(|row| row.pieces.iter().map(Piece::text).collect()).collect()
    }

    #[test]
    fn what_cannot_be_seen_has_a_sign_that_can_be_switched_off() {
        let off = Lay { invisibles: false, ..Lay::default() };
        for (text, on, without) in [
            ("a\tb", "a→  b", "a   b"),
            ("审\tb\tc", "审→ b→  c", "审  b   c"),
            ("end  ", "end··", "end  "),
            ("a b \t", "a b·→   ", "a b     "),
            ("a\u{a0}b", "a⍽b", "a\u{a0}b"),
            ("dos\r\n", "dos␍", "dos"),
            (
                "a\u{1b}[2J\u{202e}\u{200b}",
                "a\\x1B[2J\\u{202E}\\u{200B}",
                "a\\x1B[2J\\u{202E}\\u{200B}",
            ),
            ("👩\u{200d}💻", "👩\u{200d}💻", "👩\u{200d}💻"),
        ] {
            assert_eq!(drawn(text, Lay::default()), [on], "{text:?}");
            assert_eq!(drawn(text, off), [without], "{text:?}");
        }
    }

    #[test]
    fn lines_have_numbers_and_wrap_or_do_not() {
        let marks = Marks { first: Some(5), ..Marks::default() };
        let rows = |wrap| {
            let lay = Lay { wrap, ..Lay::default() };
            let laid = lay_out("one two\n\nthree", marks, NUMBERS + 4, lay);
            laid.rows.iter().map(|row| (row.line, row.is_begin)).collect::<Vec<_>>()
        };
        let wrapped = [(0, true), (0, false), (1, true), (2, true), (2, false)];
        assert_eq!(rows(true), wrapped);
        assert_eq!(rows(false), [(0, true), (1, true), (2, true)]);
    }

    #[test]
    fn what_is_found_is_marked_wherever_a_line_breaks() {
        let marks = Marks { find: Some("two"), ..Marks::default() };
        let laid = lay_out("one Two two\nx\ntwofold", marks, 5, Lay::default());
        assert_eq!(laid.matches, [1, 2, 4]);
        let capitals = Marks { find: Some("Two"), ..Marks::default() };
        assert_eq!(lay_out("one Two two", capitals, 80, Lay::default()).matches.len(), 1);
        let across = Marks { find: Some("abcd"), ..Marks::default() };
        assert_eq!(lay_out("abcd", across, 2, Lay::default()).matches, [0, 1]);
    }

    #[test]
    fn one_goes_on_reading_where_one_was() {
        let text = "one two three\n\nfour five six\n";
        let laid = |width| lay_out(text, Marks::default(), width, Lay::default());
        let (narrow, wide) = (laid(5), laid(80));
        for (row, there) in [(0, 0), (2, 0), (3, 1), (4, 2), (6, 2)] {
            assert_eq!(wide.row_as_in(&narrow, row), there, "{row}");
        }
        for (row, there) in [(0, 0), (1, 3), (2, 4)] {
            assert_eq!(narrow.row_as_in(&wide, row), there, "{row}");
        }
        assert_eq!(narrow.row_as_in(&narrow, 5), 5);
    }

    #[test]
    fn marks_of_several_lines_reach_over_them() {
        let marks = Marks { ranges: &[2..5, 6..7], ..Marks::default() };
        let laid = lay_out("ab\ncd efg", marks, 80, Lay::default());
        let marked: Vec<Vec<&str>> = laid
            .rows
            .iter()
            .map(|r| r.pieces.iter().filter(|p| p.tone() == Tone::Mark).map(Piece::text).collect())
            .collect();
        assert_eq!(marked, [vec![], vec!["cd", "e"]]);
    }
}
