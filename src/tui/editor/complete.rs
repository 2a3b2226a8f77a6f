//! The keys of a frontmatter that a beginning may become.

use super::buffer::{Buffer, Pos};
use super::syntax::{Syntax, Zone, zones};

/// Keys that clients read, and a word about each.
const KEYS: [(&str, &str); 11] = [
    ("name", "what the skill is called; the folder's name where it is left out"),
    ("description", "what it is for and when to use it; the model sees this first"),
    ("globs", "paths for which it is suggested"),
    ("hide", "true: not in the catalog, but it can be activated"),
    ("version", "for registries, as in 1.0.0"),
    ("license", "for whom it may be used, as in MIT"),
    ("compatibility", "what it needs to run"),
    ("metadata", "anything else, as key and value"),
    ("allowed-tools", "tools that need no leave (Claude Code)"),
    ("argument-hint", "what arguments it takes, as in [file] (Claude Code)"),
    ("disable-model-invocation", "true: only the user starts it (Claude Code)"),
];

/// The keys that the beginning before the cursor may become, the ones that are
/// there already left out; and the beginning.
pub fn candidates(
    buffer: &Buffer,
    syntax: Syntax,
) -> Option<(String, Vec<(&'static str, &'static str)>)> {
    let Pos { line, char } = buffer.cursor();
    let text = buffer.line(line);
    let typed: String = text.chars().take(char).collect();
    let is_key = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_alone = text.chars().count() == char;
    if typed.is_empty() || !typed.chars().all(is_key) || !is_alone || syntax != Syntax::Skill {
        return None;
    }
    if line == 0 || zones(syntax, buffer.lines()).nth(line) != Some(Zone::Frontmatter) {
        return None;
    }
    let is_there = |key: &str| {
        buffer.lines().iter().skip(1).take_while(|line| line.trim_end() != "---").any(|line| {
            line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':'))
        })
    };
    let found: Vec<_> = KEYS
        .into_iter()
        .filter(|(key, _)| key.starts_with(typed.as_str()) && !is_there(key))
        .collect();
    (!found.is_empty()).then_some((typed, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_fit_and_are_not_there_are_offered() {
        for (text, line, want) in [
            ("---\nname: a\nd\n---\n", 2, vec!["description", "disable-model-invocation"]),
            ("---\nname: a\nn\n---\n", 2, vec![]),
            ("---\nx\n---\n", 1, vec![]),
            ("---\na: b\n---\nd", 3, vec![]),
            ("---\n  d\n---\n", 1, vec![]),
            ("---\ngl\n---\n", 1, vec!["globs"]),
        ] {
            let mut buffer = Buffer::new(text.as_bytes()).unwrap();
            buffer.move_to(Pos::new(line, 99), false);
            let found = candidates(&buffer, Syntax::Skill);
            let keys: Vec<_> =
                found.into_iter().flat_map(|(_, keys)| keys).map(|(key, _)| key).collect();
            assert_eq!(keys, want, "{text:?}");
        }
    }
}
