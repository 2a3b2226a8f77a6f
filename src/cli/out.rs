//! The only place from which a command writes to its streams.
//!
//! Text for people arrives as [`Shown`]. Exact text (a catalog, an activation)
//! goes out byte for byte to a pipe or file, and escaped to a terminal.

use std::io::{self, IsTerminal, Write};

use super::colour::{self, Line};
use crate::skill::text::{Shown, is_plain, shown};

/// The reader of standard output went away.
#[derive(Debug, thiserror::Error)]
#[error("the reader of the output went away")]
pub struct ReaderGone;

/// Writes whole lines for people to standard output.
///
/// # Errors
/// When standard output cannot be written.
pub fn lines<L: Into<Line>>(lines: impl IntoIterator<Item = L>) -> anyhow::Result<()> {
    let is_coloured = colour::is_wanted(io::stdout().is_terminal());
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.into().text(is_coloured));
        text.push('\n');
    }
    write(text.as_bytes())
}

/// Writes one JSON document on a line of its own.
///
/// # Errors
/// When standard output cannot be written.
pub fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut text = crate::project::json::to_string(value)?;
    text.push('\n');
    write(text.as_bytes())
}

/// Writes a text exactly, nothing added; to a terminal escaped, ended with a
/// newline, and with a word on standard error if anything was escaped.
///
/// # Errors
/// When standard output cannot be written.
pub fn exact(text: &str) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() {
        return write(text.as_bytes());
    }
    let (mut safe, escaped) = for_terminal(text);
    if !safe.ends_with('\n') {
        safe.push('\n');
    }
    write(safe.as_bytes())?;
    if escaped {
        note(&Shown::fixed(
            "characters that a terminal would obey or hide are shown escaped; to a pipe or file \
             the text is exact",
        ));
    }
    Ok(())
}

/// The lines of a text, each made safe, and whether that changed anything.
fn for_terminal(text: &str) -> (String, bool) {
    let mut safe = String::with_capacity(text.len());
    let mut escaped = false;
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            safe.push('\n');
        }
        // A tab is lay-out that every terminal knows.
        for (j, part) in line.split('\t').enumerate() {
            if j > 0 {
                safe.push('\t');
            }
            escaped |= !is_plain(part);
            safe.push_str(shown(part).as_str());
        }
    }
    (safe, escaped)
}

/// Writes a line to standard error.
pub fn note(line: &Shown) {
    // Where nothing can be said, nothing can be said of that either.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes lines to standard error.
pub fn notes(lines: impl IntoIterator<Item = Shown>) {
    lines.into_iter().for_each(|line| note(&line));
}

/// Writes an error to standard error, once.
pub fn error(error: &anyhow::Error) {
    note(&shown(&format!("skilldeck: {error:#}")));
}

fn write(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(ReaderGone.into()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_lines_and_tabs_but_no_other_control() {
        let (safe, escaped) = for_terminal("a\tb\nc\u{1b}[2J\r\n");
        assert_eq!((safe.as_str(), escaped), ("a\tb\nc\\x1B[2J\\r\n", true));
        assert_eq!(for_terminal("审\n"), ("审\n".to_owned(), false));
    }
}
