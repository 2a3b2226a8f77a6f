//! Where in a file something is.

use serde::Serialize;

/// A place in a file: line and column, both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters (Unicode scalar values), from 1.
    pub column: u32,
}

impl Place {
    /// The first character of a file.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place of byte `offset` of `text`. LF, CRLF and a lone CR end lines.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let bytes = before.as_bytes();
        let mut line = 1;
        let mut start = 0;
        for (i, b) in bytes.iter().enumerate() {
            let ends = match b {
                b'\n' => true,
                b'\r' => text.as_bytes().get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                line += 1;
                start = i + 1;
            }
        }
        Self { line, column: before[start..].chars().count() as u32 + 1 }
    }
}

/// The places of a text whose lines were counted once.
#[derive(Debug, Clone)]
pub struct Places<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    /// Counts the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(lines(text).filter(|l| l.next > l.start + l.text.len()).map(|l| l.next));
        Self { text, starts }
    }

    /// The place of byte `offset`.
    pub fn of(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Place { line: line as u32, column: column as u32 + 1 }
    }
}

/// One line of a text with its byte offset, without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Byte offset of the line's first byte.
    pub start: usize,
    /// The line without its end.
    pub text: &'a str,
    /// Byte offset just after the line end.
    pub next: usize,
}

/// The lines of a text, ended by LF, CRLF or a lone CR.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let start = at;
        let rest = &text.as_bytes()[start..];
        let len = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let end = match rest.get(len..len + 2) {
            Some(b"\r\n") => 2,
            _ => usize::from(len < rest.len()),
        };
        at = start + len + end;
        Some(Line { start, text: &text[start..start + len], next: at })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_lf_crlf_and_cr() {
        let text = "a\r\nb\rc\n\nd";
        let got: Vec<_> = lines(text).map(|l| (l.start, l.text, l.next)).collect();
        assert_eq!(got, [(0, "a", 3), (3, "b", 5), (5, "c", 7), (7, "", 8), (8, "d", 9)]);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("x\r").count(), 1);
    }

    #[test]
    fn places_count_characters() {
        let text = "é审x\r\nb\rc";
        assert_eq!(Place::of(text, 0), Place { line: 1, column: 1 });
        assert_eq!(Place::of(text, 5), Place { line: 1, column: 3 });
        assert_eq!(Place::of(text, 8), Place { line: 2, column: 1 });
        assert_eq!(Place::of(text, 10), Place { line: 3, column: 1 });
        assert_eq!(Place::of(text, 99), Place { line: 3, column: 2 });
        let places = Places::new(text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(places.of(at), Place::of(text, at), "{at}");
        }
    }
}
