//! What is told at length: titles, each with its lines. The commands print them
//! and the screen shows them, so that both say the same.

use crate::skill::text::{Shown, shown};

/// How a line is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// As it is.
    Plain,
    /// Beside the point.
    Quiet,
    /// To the good.
    Good,
    /// To the bad.
    Bad,
    /// A heading.
    Head,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// How it is meant.
    pub mood: Mood,
    /// What it says.
    pub text: Shown,
}

impl Line {
    /// A line; the text is made safe to show.
    pub fn new(mood: Mood, text: impl AsRef<str>) -> Self {
        Self { mood, text: shown(text.as_ref()) }
    }
}

/// A title and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The title.
    pub title: Shown,
    /// What it stands for: a folder, a profile, an agent; empty for none.
    pub key: String,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Section {
    /// A section; the title is made safe to show.
    pub fn new(title: impl AsRef<str>, key: &str, lines: Vec<Line>) -> Self {
        Self { title: shown(title.as_ref()), key: key.to_owned(), lines }
    }

    /// All of it as text: the lines are indented below their titles.
    pub fn text(sections: &[Self]) -> Vec<Shown> {
        let mut out = Vec::new();
        for section in sections {
            out.push(section.title.clone());
            out.extend(section.lines.iter().map(|line| shown(&format!("    {}", line.text))));
        }
        out
    }
}
