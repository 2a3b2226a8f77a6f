//! Claude Code's placeholders: `$ARGUMENTS`, `$ARGUMENTS[N]` and `$N` from 0,
//! `$name`, and a backslash before each that keeps it.

use super::{Expanded, Known, words::words};
use crate::skill::body::PLACEHOLDER;

/// What a placeholder stands for.
enum Found<'a> {
    /// All arguments as they were given.
    All,
    /// One of them.
    Position(usize),
    /// One of them by its name.
    Named(usize),
    /// Something else that is known.
    Value(&'a str),
}

/// Every placeholder is replaced once. A position for which there is no argument
/// stays as it is, a name becomes nothing. Where no placeholder takes anything,
/// arguments that are not empty are appended.
pub(super) fn expand(body: &str, arguments: &str, known: Known<'_>) -> Expanded {
    let arguments = arguments.trim();
    let list = words(arguments);
    let mut out = Expanded::default();
    let mut is_taken = false;
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, tail) = rest.split_at(at);
        let Some((found, len)) = placeholder(tail, known) else {
            out.push(&rest[..=at]);
            rest = &tail[1..];
            continue;
        };
        rest = &tail[len..];
        if let Some(before) = before.strip_suffix('\\') {
            // The backslash goes, what it keeps stays.
            out.push(before);
            out.push(&tail[..len]);
            continue;
        }
        out.push(before);
        is_taken |= !matches!(found, Found::Value(_));
        match found {
            Found::All => out.push_argument(arguments),
            Found::Position(n) => match list.get(n) {
                Some(word) => out.push_argument(word),
                None => out.push(&tail[..len]),
            },
            Found::Named(n) => out.push_argument(list.get(n).map_or("", String::as_str)),
            Found::Value(value) => out.push(value),
        }
    }
    out.push(rest);
    if !is_taken && !arguments.is_empty() {
        out.append(arguments);
    }
    out
}

/// The placeholder that a text begins with, and its length in bytes.
fn placeholder<'a>(text: &str, known: Known<'a>) -> Option<(Found<'a>, usize)> {
    if let Some(tail) = text.strip_prefix(PLACEHOLDER) {
        let index = tail.strip_prefix('[').and_then(|tail| {
            let digits = digits(tail)?;
            tail[digits.len()..].starts_with(']').then(|| (digits.parse(), digits.len() + 2))
        });
        return Some(match index {
            Some((Ok(n), len)) => (Found::Position(n), PLACEHOLDER.len() + len),
            _ => (Found::All, PLACEHOLDER.len()),
        });
    }
    for (name, value) in known.values {
        if text.starts_with(name) {
            return Some((Found::Value(value), name.len()));
        }
    }
    let tail = text.strip_prefix('$')?;
    if let Some(digits) = digits(tail) {
        // `$1st` is no position.
        let is_word = tail[digits.len()..].starts_with(is_word);
        let n = digits.parse().ok().filter(|_| !is_word)?;
        return Some((Found::Position(n), digits.len() + 1));
    }
    let name = &tail[..tail.find(|c| !is_word(c)).unwrap_or(tail.len())];
    let n = known.names.iter().position(|known| !name.is_empty() && known == name)?;
    Some((Found::Named(n), name.len() + 1))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn digits(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_once() {
        let names = ["issue".to_owned(), "branch".to_owned()];
        let values = [("${CLAUDE_SKILL_DIR}", "/p/s")];
        let known = Known { names: &names, values: &values };
        for (body, args, want) in [
            ("Fix $ARGUMENTS.", "12 now", "Fix 12 now."),
            ("Fix $ARGUMENTS.", "", "Fix ."),
            ("Fix.", "12", "Fix.\n\nARGUMENTS: 12"),
            ("Fix.", " ", "Fix."),
            ("$0, $1, $ARGUMENTS[1]", "\"hello world\" second", "hello world, second, second"),
            ("$0 and $1", "one", "one and $1"),
            ("$0", "", "$0"),
            ("Pay \\$1.00 for $0", "it", "Pay $1.00 for it"),
            ("\\$ARGUMENTS is $ARGUMENTS", "x", "$ARGUMENTS is x"),
            ("$ARGUMENTS", "$0 $ARGUMENTS", "$0 $ARGUMENTS"),
            ("$ARGUMENTS[x] $ARGUMENTS[9]", "a", "a[x] $ARGUMENTS[9]"),
            ("$issue on $branch.", "42 hot", "42 on hot."),
            ("$issue on $branch.", "42", "42 on ."),
            ("$issues $5x $HOME $", "a", "$issues $5x $HOME $\n\nARGUMENTS: a"),
            ("\\$issue", "1", "$issue\n\nARGUMENTS: 1"),
            ("${CLAUDE_SKILL_DIR}/x $0", "a", "/p/s/x a"),
            ("$1,000", "a b", "b,000"),
        ] {
            assert_eq!(expand(body, args, known).text, want, "{body:?} {args:?}");
        }
    }

    #[test]
    fn the_places_of_arguments_are_known() {
        let got = expand("a $0 b $ARGUMENTS", "x y", Known::default());
        let at: Vec<_> = got.arguments.iter().map(|r| &got.text[r.clone()]).collect();
        assert_eq!(at, ["x", "x y"]);
    }
}
