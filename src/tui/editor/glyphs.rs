//! A line as it is drawn: what stands for each of its characters, in rows of a
//! width.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::skill::text::hazard;
use crate::tui::ink::{Tone, width};

/// Cells of a tab.
const TAB: usize = 4;

/// How what cannot be seen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    /// Tabs, spaces at the end and no-break spaces have signs.
    pub invisibles: bool,
    /// The signs are ASCII.
    pub ascii: bool,
}

/// What stands for a character as one sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph<'a> {
    /// Its characters in the line.
    pub chars: Range<usize>,
    /// What is drawn.
    pub text: Cow<'a, str>,
    /// The cells that takes.
    pub cells: usize,
    /// How.
    pub tone: Tone,
}

/// A row of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its characters in the line.
    pub chars: Range<usize>,
    /// What is drawn.
    pub glyphs: Vec<Glyph<'a>>,
}

/// Pieces of a line that the cursor goes over in one step, each with its first
/// byte: letters with their marks, but whatever is hidden by itself.
fn clusters(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.grapheme_indices(true).flat_map(move |(start, cluster)| {
        let is_hidden = cluster.char_indices().any(|(at, c)| {
            let (at, next) = (start + at, start + at + c.len_utf8());
            let before = line[..at].chars().next_back();
            hazard(c, before, line[next..].chars().next()).is_some()
        });
        let ends: Vec<usize> = if is_hidden {
            cluster.char_indices().map(|(at, c)| at + c.len_utf8()).collect()
        } else {
            vec![cluster.len()]
        };
        let mut from = 0;
        ends.into_iter().map(move |to| {
            let begin = std::mem::replace(&mut from, to);
            (start + begin, &cluster[begin..to])
        })
    })
}

/// The character at which the cluster behind `at` begins.
pub fn after(line: &str, at: usize) -> usize {
    let mut end = 0;
    for (_, cluster) in clusters(line) {
        end += cluster.chars().count();
        if end > at {
            return end;
        }
    }
    end
}

/// The character at which the cluster before `at` begins.
pub fn before(line: &str, at: usize) -> usize {
    let mut start = 0;
    for (_, cluster) in clusters(line) {
        let end = start + cluster.chars().count();
        if end >= at {
            return start;
        }
        start = end;
    }
    start
}

/// Lays a line out. `tone` tells the look of what begins at a byte. There is
/// always a cell left for the cursor behind the last character of a row.
pub fn rows<'a>(
    line: &'a str,
    room: usize,
    signs: Signs,
    tone: impl Fn(usize) -> Tone,
) -> Vec<Row<'a>> {
    let room = room.saturating_sub(1).max(1);
    let trailing = line.trim_end_matches([' ', '\t', '\u{a0}']).len();
    let mut rows = Vec::new();
    let mut row: Vec<Glyph<'a>> = Vec::new();
    let (mut used, mut begin) = (0, 0);
    // The glyph of the row behind which it may be broken, and the cells up to there.
    let mut space: Option<(usize, usize)> = None;
    let mut char = 0;
    for (byte, cluster) in clusters(line) {
        let sign = sign(line, cluster, byte, trailing, signs, used);
        let look = tone(byte);
        let tone = match sign {
            Some(_) if !matches!(look, Tone::Found | Tone::Selected) => Tone::Hidden,
            _ => look,
        };
        let text = sign.map_or(Cow::Borrowed(cluster), Cow::Owned);
        let cells = width(&text);
        let next = char + cluster.chars().count();
        while used + cells > room && !row.is_empty() {
            let (at, wide) = space.filter(|(at, _)| *at < row.len()).unwrap_or((row.len(), used));
            let rest = row.split_off(at);
            let end = rest.first().map_or(char, |glyph| glyph.chars.start);
            rows.push(Row { chars: begin..end, glyphs: std::mem::replace(&mut row, rest) });
            begin = end;
            used -= wide;
            space = None;
        }
        used += cells;
        row.push(Glyph { chars: char..next, text, cells, tone });
        if cluster == " " || cluster == "\t" {
            space = Some((row.len(), used));
        }
        char = next;
    }
    rows.push(Row { chars: begin..char, glyphs: row });
    rows
}

/// What stands for a cluster that cannot be drawn as it is.
fn sign(
    line: &str,
    cluster: &str,
    byte: usize,
    trailing: usize,
    signs: Signs,
    used: usize,
) -> Option<String> {
    let c = cluster.chars().next()?;
    let choose = |sign: &str, ascii: &str| Some(if signs.ascii { ascii } else { sign }.to_owned());
    match c {
        '\t' => {
            let fill = TAB - used % TAB;
            let sign = if signs.invisibles { choose("→", ">")? } else { " ".to_owned() };
            Some(sign + &" ".repeat(fill - 1))
        }
        ' ' if signs.invisibles && byte >= trailing => choose("·", "."),
        '\u{a0}' if signs.invisibles => choose("⍽", "_"),
        '\u{2028}' | '\u{2029}' => Some(format!("\\u{{{:04X}}}", c as u32)),
        _ => {
            let before = line[..byte].chars().next_back();
            let after = line[byte + c.len_utf8()..].chars().next();
            hazard(c, before, after)?;
            Some(crate::skill::text::shown(cluster).into_string())
        }
    }
}

/// The row of a character, and the cell at which it begins there. The place
/// behind the last character is in the last row.
pub fn place(rows: &[Row<'_>], char: usize) -> (usize, usize) {
    let row = rows.partition_point(|row| row.chars.end <= char).min(rows.len().saturating_sub(1));
    let glyphs = rows.get(row).map_or(&[] as &[_], |row| &row.glyphs);
    let before = glyphs.iter().take_while(|glyph| glyph.chars.end <= char);
    (row, before.map(|glyph| glyph.cells).sum())
}

/// The character at a cell of a row, or the last one before it.
pub fn char_at(rows: &[Row<'_>], row: usize, cell: usize) -> usize {
    let Some(found) = rows.get(row) else { return 0 };
    let mut used = 0;
    for glyph in &found.glyphs {
        used += glyph.cells;
        if used > cell {
            return glyph.chars.start;
        }
    }
    // Behind the last character of a row that goes on one is in the next row.
    let is_last = row + 1 == rows.len();
    let last = found.glyphs.last().map_or(found.chars.start, |glyph| glyph.chars.start);
    if is_last { found.chars.end } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIGNS: Signs = Signs { invisibles: true, ascii: false };

    fn texts(line: &str, room: usize) -> Vec<String> {
        let rows = rows(line, room, SIGNS, |_| Tone::Plain);
        rows.iter().map(|row| row.glyphs.iter().map(|g| g.text.as_ref()).collect()).collect()
    }

    #[test]
    fn a_line_is_drawn_in_rows_with_everything_visible() {
        for (line, room, want) in [
            ("", 5, vec![""]),
            ("one two three", 9, vec!["one two ", "three"]),
            ("abcdefgh", 4, vec!["abc", "def", "gh"]),
            ("a\tb", 9, vec!["a→  b"]),
            ("审查审查", 5, vec!["审查", "审查"]),
            ("end  ", 9, vec!["end··"]),
            ("a\u{a0}b", 9, vec!["a⍽b"]),
            ("a\u{202e}b", 20, vec!["a\\u{202E}b"]),
            ("e\u{301}x", 9, vec!["e\u{301}x"]),
            ("👩\u{200d}💻x", 9, vec!["👩\u{200d}💻x"]),
        ] {
            assert_eq!(texts(line, room), want, "{line:?}");
        }
    }

    #[test]
    fn the_cursor_goes_over_what_one_sees_as_one() {
        for (line, stops) in [
            ("abc", vec![0, 1, 2, 3]),
            ("e\u{301}x", vec![0, 2, 3]),
            ("👩\u{200d}💻x", vec![0, 3, 4]),
            ("a\u{200b}b", vec![0, 1, 2, 3]),
            ("🇩🇪", vec![0, 2]),
        ] {
            let mut at = 0;
            let mut found = vec![0];
            while at < line.chars().count() {
                at = after(line, at);
                found.push(at);
            }
            assert_eq!(found, stops, "{line:?}");
            for pair in found.windows(2) {
                assert_eq!(before(line, pair[1]), pair[0], "{line:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_place_is_drawn_and_found_again(
            line in "([a-c ]|审|e\u{301}|\t|\u{202e}|👩\u{200d}💻){0,60}",
            room in 1_usize..30,
        ) {
            let rows = rows(&line, room, SIGNS, |_| Tone::Plain);
            let count = line.chars().count();
            prop_assert_eq!(rows.last().unwrap().chars.end, count);
            let mut at = 0;
            loop {
                let (row, cell) = place(&rows, at);
                prop_assert!(row < rows.len());
                prop_assert_eq!(char_at(&rows, row, cell), at);
                if at == count {
                    break;
                }
                at = after(&line, at);
            }
            for row in &rows {
                let cells: usize = row.glyphs.iter().map(|glyph| glyph.cells).sum();
                prop_assert!(cells < room.max(2) || row.glyphs.len() == 1, "{:?}", row);
            }
        }
    }
}
