//! The reader for frontmatter that YAML refuses (CONTRACT §3).
//!
//! Clients are asked to try once more when YAML fails, because the usual cause
//! is an unquoted colon in a description that is otherwise fine. This reader
//! knows keys at the first column and nothing else, and gives up rather than
//! guess.

use crate::skill::place::{Line, lines};

/// A key with the text of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value as one text: quotes removed, lines folded.
    pub text: String,
    /// The value as written, with its further lines, for values that are not text.
    pub source: String,
    /// Where the key stands, in bytes.
    pub key_at: usize,
    /// Where the value begins, in bytes.
    pub value_at: usize,
}

/// Reads the entries, in order, repeated keys included.
///
/// # Errors
/// The byte offset of the first line at column 0 that is no key, no comment and
/// no list item.
pub fn read(text: &str) -> Result<Vec<Entry>, usize> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut further: Vec<&str> = Vec::new();
    for line in lines(text) {
        let inside = line.text.is_empty() || line.text.starts_with([' ', '\t', '#']);
        let item = line.text == "-" || line.text.starts_with("- ");
        if inside || item {
            further.push(line.text);
            continue;
        }
        let entry = key(line).ok_or(line.start)?;
        if let Some(last) = entries.last_mut() {
            finish(last, &further);
        }
        further.clear();
        entries.push(entry);
    }
    if let Some(last) = entries.last_mut() {
        finish(last, &further);
    }
    Ok(entries)
}

/// The colon that ends a key: the first one followed by white space of any
/// kind, a no-break space included, or by the end of the line.
fn key(line: Line<'_>) -> Option<Entry> {
    let colon = line
        .text
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| line.text[at + 1..].chars().next().is_none_or(char::is_whitespace))?;
    let key = line.text[..colon].trim_end();
    let key = unquoted(key).unwrap_or(key);
    if key.is_empty() || key.starts_with(['{', '[', '%', '&', '*', '!', '|', '>', '@', '`', '?']) {
        return None;
    }
    let value = line.text[colon + 1..].trim();
    let value_at = line.start + line.text.len() - line.text[colon + 1..].trim_start().len();
    Some(Entry {
        key: key.to_owned(),
        text: value.to_owned(),
        source: value.to_owned(),
        key_at: line.start,
        value_at,
    })
}

/// Gives a value its further lines.
fn finish(entry: &mut Entry, further: &[&str]) {
    for line in further {
        entry.source.push('\n');
        entry.source.push_str(line);
    }
    let indented = || further.iter().map(|l| if l.starts_with('#') { "" } else { l.trim() });
    if let Some(folds) = block_header(&entry.text) {
        let mut text = String::new();
        for line in indented() {
            if line.is_empty() {
                text.push('\n');
            } else {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(if folds { ' ' } else { '\n' });
                }
                text.push_str(line);
            }
        }
        text.trim().clone_into(&mut entry.text);
        return;
    }
    // Only text goes on over several lines; below an empty value stands a list
    // or a map, unless it is one text that starts a line later.
    for line in indented().filter(|l| !l.is_empty()) {
        if !entry.text.is_empty() {
            entry.text.push(' ');
        }
        entry.text.push_str(line);
    }
    let text = entry.text.trim();
    let bare = unquoted(text).or_else(|| without_lone_quote(text)).unwrap_or(text);
    entry.text = bare.to_owned();
}

/// `|` or `>` with indicators and nothing else; whether it folds.
fn block_header(value: &str) -> Option<bool> {
    let mut parts = value.splitn(2, char::is_whitespace);
    let header = parts.next().unwrap_or("");
    let after = parts.next().unwrap_or("").trim_start();
    let folds = match header.as_bytes().first()? {
        b'>' => true,
        b'|' => false,
        _ => return None,
    };
    let indicators = header[1..].bytes().all(|b| matches!(b, b'+' | b'-' | b'1'..=b'9'));
    (indicators && (after.is_empty() || after.starts_with('#'))).then_some(folds)
}

/// The text behind a quote that has no partner.
fn without_lone_quote(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['"', '\''])?;
    (!rest.contains(&text[..1])).then_some(rest)
}

/// The text inside a pair of equal quotes around the whole of it.
fn unquoted(text: &str) -> Option<&str> {
    ['"', '\''].iter().find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_to_the_end_of_the_line() {
        for (text, key, want) in [
            ("d: Use when: x, or: y\n", "d", "Use when: x, or: y"),
            ("d: \"Never ends\n", "d", "Never ends"),
            ("d: 'a: b'\n", "d", "a: b"),
            ("d: \"a\" and \"b\"\n", "d", "a\" and \"b"),
            ("d: 'Review' pull requests\n", "d", "'Review' pull requests"),
            ("d: it's: so\n", "d", "it's: so"),
            ("- a\nd: x: y\n", "d", "x: y"),
            ("name:\u{a0}x\n", "name", "x"),
            ("d:\n  starts: later\n  goes on\n", "d", "starts: later goes on"),
            ("d: first: line\n  second\n", "d", "first: line second"),
            ("d: >\n  a: b\n  c\n\n  d\ne: f: g\n", "d", "a: b c\nd"),
            ("d: |-\n  a: b\n  c\n", "d", "a: b\nc"),
            ("\"d\": x: y\n", "d", "x: y"),
        ] {
            let entries = read(text).expect(text);
            assert_eq!(
                (entries[0].key.as_str(), entries[0].text.as_str()),
                (key, want),
                "{text:?}"
            );
        }
    }

    #[test]
    fn only_the_first_column_counts() {
        let entries = read("d: x: y\nargs:\n- name: path\n  d: no\n  # c\n# c\nz: *\n").unwrap();
        let keys: Vec<_> = entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["d", "args", "z"]);
        assert_eq!(entries[0].text, "x: y");
    }

    #[test]
    fn it_gives_up_rather_than_guess() {
        for (text, at) in [
            ("d: x: y\n\nSome prose here\n", 9),
            ("%YAML 1.1\nname: x\n", 0),
            ("{name: a, d: b}\n", 0),
            ("d:text\n", 0),
            ("d\u{ff1a}text\n", 0),
        ] {
            assert_eq!(read(text), Err(at), "{text:?}");
        }
    }
}
