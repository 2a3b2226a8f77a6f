//! The ends of the lines of a text, kept beside the lines.

use similar::{Algorithm, DiffOp, capture_diff_slices};

const BOM: &str = "\u{feff}";

/// What a file has that its lines do not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endings {
    has_bom: bool,
    ends: Ends,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lf,
    CrLf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Ends {
    /// All alike.
    All(End),
    /// Each its own: the lines as they were, the end of each but the last, and
    /// the one that most have.
    Each { lines: Vec<String>, ends: Vec<End>, most: End },
}

impl End {
    fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

impl Endings {
    /// Takes a text apart. A lone carriage return is a character of its line.
    pub fn split(text: &str) -> (Vec<String>, Self) {
        let (text, has_bom) = match text.strip_prefix(BOM) {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let parts: Vec<&str> = text.split('\n').collect();
        let mut lines = Vec::with_capacity(parts.len());
        let mut ends = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let is_last = at + 1 == parts.len();
            if let Some(line) = part.strip_suffix('\r').filter(|_| !is_last) {
                lines.push(line.to_owned());
                ends.push(End::CrLf);
            } else {
                lines.push((*part).to_owned());
                ends.extend((!is_last).then_some(End::Lf));
            }
        }
        let crlf = ends.iter().filter(|end| **end == End::CrLf).count();
        let most = if crlf * 2 > ends.len() { End::CrLf } else { End::Lf };
        let ends = if crlf == 0 || crlf == ends.len() {
            Ends::All(most)
        } else {
            Ends::Each { lines: lines.clone(), ends, most }
        };
        (lines, Self { has_bom, ends })
    }

    /// Puts lines together. Those that stayed keep their ends; the others get the
    /// one that most have.
    pub fn join(&self, lines: &[String]) -> String {
        let size = lines.iter().map(|line| line.len() + 2).sum::<usize>() + BOM.len();
        let mut text = String::with_capacity(size);
        if self.has_bom {
            text.push_str(BOM);
        }
        let ends = match &self.ends {
            Ends::All(end) => vec![*end; lines.len()],
            Ends::Each { lines: old, ends, most } => ends_of(old, ends, *most, lines),
        };
        for (at, (line, end)) in lines.iter().zip(ends).enumerate() {
            text.push_str(line);
            if at + 1 < lines.len() {
                text.push_str(end.text());
            }
        }
        text
    }
}

fn ends_of(old: &[String], ends: &[End], most: End, new: &[String]) -> Vec<End> {
    let mut found = vec![most; new.len()];
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for n in 0..len {
                if let Some(end) = ends.get(old_index + n) {
                    found[new_index + n] = *end;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_that_stay_keep_their_ends() {
        for (text, change, want) in [
            ("a\r\nb\nc\r\n", ["a", "x", "c", ""].as_slice(), "a\r\nx\r\nc\r\n"),
            ("a\r\nb\nc\r\n", &["a", "new", "b", "c", ""], "a\r\nnew\r\nb\nc\r\n"),
            ("a\nb\nc\r\n", &["a", "b", "x", "c", ""], "a\nb\nx\nc\r\n"),
            ("a\r\nb", &["a", "b", "c"], "a\r\nb\r\nc"),
            ("\u{feff}a\n", &["b", ""], "\u{feff}b\n"),
            ("a\rb\n", &["a\rb", "c"], "a\rb\nc"),
            ("", &["x", ""], "x\n"),
        ] {
            let (_, endings) = Endings::split(text);
            let lines: Vec<String> = change.iter().map(ToString::to_string).collect();
            assert_eq!(endings.join(&lines), want, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_text_comes_back_as_it_was(text in "(\u{feff}|)([ab审]|\r\n|\n|\r){0,40}") {
            let (lines, endings) = Endings::split(&text);
            prop_assert_eq!(endings.join(&lines), text);
        }
    }
}
