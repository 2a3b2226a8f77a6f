//! Lines for people with a word in colour, where colour is wanted.

use std::env;

use crate::skill::text::Shown;
use crate::skill::{Level, Status};

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    Plain,
    /// It fails.
    Bad,
    /// It may.
    Doubtful,
    /// It is well.
    Good,
    /// It is said beside.
    Quiet,
}

/// A line, one word of which may be in colour.
#[derive(Debug, Clone)]
pub struct Line {
    before: Shown,
    word: Shown,
    tone: Tone,
    after: Shown,
}

impl Line {
    /// A line with a word that means something.
    pub fn new(before: Shown, word: Shown, tone: Tone, after: Shown) -> Self {
        Self { before, word, tone, after }
    }

    /// The line as it is written.
    pub fn text(&self, is_coloured: bool) -> String {
        let Self { before, word, tone, after } = self;
        match (is_coloured, tone) {
            (false, _) | (_, Tone::Plain) => format!("{before}{word}{after}"),
            (true, tone) => format!("{before}\u{1b}[{}m{word}\u{1b}[0m{after}", tone.code()),
        }
    }
}

impl From<Shown> for Line {
    fn from(text: Shown) -> Self {
        let empty = || Shown::fixed("");
        Self { before: text, word: empty(), tone: Tone::Plain, after: empty() }
    }
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Bad => "1;31",
            Self::Doubtful => "33",
            Self::Good => "32",
            Self::Quiet => "2",
        }
    }
}

impl From<Level> for Tone {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Bad,
            Level::Warning => Self::Doubtful,
            Level::Note => Self::Quiet,
        }
    }
}

impl From<Status> for Tone {
    fn from(status: Status) -> Self {
        match status {
            Status::Error => Self::Bad,
            Status::Warning => Self::Doubtful,
            Status::Valid => Self::Good,
        }
    }
}

/// Whether a stream is to have colours: `NO_COLOR` forbids them, `CLICOLOR_FORCE`
/// wants them, and otherwise a terminal has them that is not dumb.
pub fn is_wanted(is_terminal: bool) -> bool {
    let text = |name: &str| env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    choose(text, is_terminal)
}

fn choose(variable: impl Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    let is_off = set("CLICOLOR").is_some_and(|value| value == "0");
    is_terminal && !is_off && set("TERM").is_none_or(|value| value != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_colours() {
        for (set, is_terminal, is_wanted) in [
            (&[] as &[(&str, &str)], true, true),
            (&[], false, false),
            (&[("NO_COLOR", "1")], true, false),
            (&[("NO_COLOR", "")], true, true),
            (&[("CLICOLOR_FORCE", "1")], false, true),
            (&[("CLICOLOR_FORCE", "0")], false, false),
            (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false, false),
            (&[("CLICOLOR", "0")], true, false),
            (&[("TERM", "dumb")], true, false),
            (&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")], true, true),
        ] {
            let get = |name: &str| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(choose(get, is_terminal), is_wanted, "{set:?} {is_terminal}");
        }
    }
}
