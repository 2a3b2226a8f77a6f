//! Finding text in the lines that are edited.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::buffer::{Buffer, Pos};

/// A text to find; capitals count only when there are some.
#[derive(Debug, Clone)]
pub struct Needle {
    finder: Option<AhoCorasick>,
    chars: usize,
}

/// Where a text was found: its first place, and the one behind it.
pub type Found = (Pos, Pos);

impl Needle {
    /// A text to find; an empty one is nowhere.
    pub fn new(text: &str) -> Self {
        let is_smart = !text.chars().any(char::is_uppercase);
        let finder = (!text.is_empty())
            .then(|| AhoCorasick::builder().ascii_case_insensitive(is_smart).build([text]).ok())
            .flatten();
        Self { finder, chars: text.chars().count() }
    }

    /// Where it is in a line, in bytes.
    pub fn in_line(&self, line: &str) -> Vec<Range<usize>> {
        let Some(finder) = &self.finder else { return Vec::new() };
        finder.find_iter(line).map(|found| found.range()).collect()
    }

    /// Every place of it in a text.
    pub fn all(&self, buffer: &Buffer) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, line) in buffer.lines().iter().enumerate() {
            for range in self.in_line(line) {
                let start = line[..range.start].chars().count();
                all.push((Pos::new(at, start), Pos::new(at, start + self.chars)));
            }
        }
        all
    }
}

/// The place to go to from the cursor: the first behind it, or before it; from the
/// end one begins anew.
pub fn next(all: &[Found], from: Pos, forward: bool) -> Option<usize> {
    let last = all.len().checked_sub(1)?;
    Some(if forward {
        all.iter().position(|(start, _)| *start > from).unwrap_or(0)
    } else {
        all.iter().rposition(|(start, _)| *start < from).unwrap_or(last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_count_when_there_are_some() {
        let buffer = Buffer::new("one Two two\n审two".as_bytes()).unwrap();
        let starts = |text| -> Vec<(usize, usize)> {
            let all = Needle::new(text).all(&buffer);
            all.into_iter().map(|(at, _)| (at.line, at.char)).collect()
        };
        assert_eq!(starts("two"), [(0, 4), (0, 8), (1, 1)]);
        assert_eq!(starts("Two"), [(0, 4)]);
        assert!(starts("").is_empty());
    }

    #[test]
    fn one_goes_round() {
        let at = |char| (Pos::new(0, char), Pos::new(0, char + 1));
        let all = [at(2), at(5)];
        for (from, forward, want) in
            [(0, true, 0), (2, true, 1), (5, true, 0), (2, false, 1), (5, false, 0)]
        {
            assert_eq!(next(&all, Pos::new(0, from), forward), Some(want), "{from} {forward}");
        }
        assert_eq!(next(&[], Pos::default(), true), None);
    }
}
