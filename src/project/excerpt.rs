//! The line a finding stands on, cut to what is around its place.

use super::file::Readable;
use super::locate::Project;
use crate::skill::place::{Place, lines};
use crate::skill::text::{Shown, shown};

/// The part of a line around a place, safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the line.
    pub line: u32,
    /// What stands before the place, `…` first when that is not all.
    pub before: Shown,
    /// What stands from the place on, `…` last when that is not all.
    pub after: Shown,
}

/// Lines of a project's files. Findings come file by file, so only the last
/// file is kept.
#[derive(Debug)]
pub struct Excerpts<'a> {
    project: &'a Project,
    last: Option<(String, Vec<String>)>,
}

impl<'a> Excerpts<'a> {
    /// Excerpts of files of a project.
    pub fn new(project: &'a Project) -> Self {
        Self { project, last: None }
    }

    /// The line at a place of a file, whose path is relative to the project;
    /// `None` when it is not there or may not be read.
    pub fn at(&mut self, file: &str, place: Place) -> Option<Excerpt> {
        if self.last.as_ref().is_none_or(|(name, _)| name != file) {
            let path = self.project.dir().join(file);
            let readable = Readable::find(&path, self.project.boundary()).ok()?;
            let (_, bytes) = readable.read().ok()?;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let text = lines(text).map(|line| line.text.to_owned()).collect();
            self.last = Some((file.to_owned(), text));
        }
        let (_, text) = self.last.as_ref()?;
        Some(excerpt(text.get((place.line as usize).checked_sub(1)?)?, place))
    }
}

fn excerpt(line: &str, place: Place) -> Excerpt {
    const BEFORE: usize = 60;
    const AFTER: usize = 60;
    let at = (place.column as usize).saturating_sub(1);
    let from = at.saturating_sub(BEFORE);
    let chars: Vec<char> = line.chars().collect();
    let part = |range: std::ops::Range<usize>| {
        let range = range.start.min(chars.len())..range.end.min(chars.len());
        chars[range].iter().collect::<String>()
    };
    let (head, tail) =
        (if from > 0 { "…" } else { "" }, if at + AFTER < chars.len() { "…" } else { "" });
    Excerpt {
        line: place.line,
        before: shown(&format!("{head}{}", part(from..at))),
        after: shown(&format!("{}{tail}", part(at..at + AFTER))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_points_at_its_column() {
        let at = |line: &str, column| {
            let excerpt = excerpt(line, Place { line: 1, column });
            (excerpt.before.into_string(), excerpt.after.into_string())
        };
        for (line, column, before, after) in [
            ("description: a: b", 15, "description: a", ": b"),
            ("审查 x", 4, "审查 ", "x"),
            ("a\u{1b}b", 3, "a\\x1B", "b"),
            ("short", 40, "short", ""),
        ] {
            assert_eq!(at(line, column), (before.into(), after.into()), "{line:?}");
        }
        let (before, after) = at(&"x".repeat(200), 100);
        assert_eq!((before.chars().count(), after.chars().count()), (61, 61));
        assert!(before.starts_with('…') && after.ends_with('…'));
    }
}
