//! Placeholders that count from 1: `$1`, `$2` and `$ARGUMENTS`.

use super::Expanded;
use super::words::{pieces, words};
use crate::skill::body::PLACEHOLDER;

/// A placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// `$ARGUMENTS`
    All,
    /// `$ARGUMENTS[N]`, from 0.
    Index(usize),
    /// `$N`
    Position(usize),
}

/// As opencode does it: the last position takes what is left, one for which
/// there is none becomes nothing, and arguments that nothing takes are appended.
pub(super) fn opencode(body: &str, arguments: &str) -> Expanded {
    let list = pieces(arguments);
    let position = |text: &str| {
        let digits = digits(text.strip_prefix('$')?)?;
        Some((Found::Position(digits.parse().ok()?), digits.len() + 1))
    };
    let all = |text: &str| text.starts_with(PLACEHOLDER).then_some((Found::All, PLACEHOLDER.len()));
    let find = |text: &str| position(text).or_else(|| all(text));
    let positions = placeholders(body, find).filter_map(|found| match found {
        Found::Position(n) => Some(n),
        _ => None,
    });
    let highest = positions.max();
    let out = replace(body, find, |found| match found {
        Found::Position(0) if highest != Some(0) => "undefined".to_owned(),
        Found::Position(0) => list.last().cloned().unwrap_or_default(),
        Found::Position(n) => {
            let rest = list.get(n - 1..).unwrap_or(&[]);
            let count = if Some(n) == highest { rest.len() } else { 1 };
            rest.iter().take(count).cloned().collect::<Vec<_>>().join(" ")
        }
        Found::All | Found::Index(_) => arguments.to_owned(),
    });
    out.unwrap_or_else(|| {
        let mut out = Expanded::verbatim(body);
        if !arguments.trim().is_empty() {
            out.push("\n\n");
            out.push_argument(arguments);
        }
        out
    })
}

/// As goose does it: one for which there is no argument becomes nothing, and
/// arguments that nothing takes are appended, also empty ones.
pub(super) fn goose(body: &str, arguments: &str) -> Expanded {
    let list = words(arguments);
    let find = |text: &str| {
        if let Some(tail) = text.strip_prefix(PLACEHOLDER) {
            let index = tail.strip_prefix('[').and_then(|tail| {
                let digits = digits(tail)?;
                tail[digits.len()..].starts_with(']').then_some(digits)
            });
            if let Some(digits) = index {
                let n = digits.parse().unwrap_or(usize::MAX);
                return Some((Found::Index(n), PLACEHOLDER.len() + digits.len() + 2));
            }
            let is_word = tail.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            return (!is_word).then_some((Found::All, PLACEHOLDER.len()));
        }
        let digits = digits(text.strip_prefix('$')?)?;
        Some((Found::Position(digits.parse().unwrap_or(0)), digits.len() + 1))
    };
    let nth = |n: usize| list.get(n).cloned().unwrap_or_default();
    let out = replace(body, find, |found| match found {
        Found::All => arguments.to_owned(),
        Found::Index(n) => nth(n),
        Found::Position(n) => n.checked_sub(1).map_or_else(String::new, nth),
    });
    out.unwrap_or_else(|| {
        let mut out = Expanded::verbatim(body);
        out.append(arguments);
        out
    })
}

fn placeholders(
    body: &str,
    find: impl Fn(&str) -> Option<(Found, usize)>,
) -> impl Iterator<Item = Found> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += body.get(at..)?.find('$')?;
            match find(&body[at..]) {
                Some((found, len)) => {
                    at += len;
                    return Some(found);
                }
                None => at += 1,
            }
        }
    })
}

/// The body with every placeholder replaced once; `None` when there is none.
fn replace(
    body: &str,
    find: impl Fn(&str) -> Option<(Found, usize)>,
    value: impl Fn(Found) -> String,
) -> Option<Expanded> {
    let mut out = Expanded::default();
    let mut is_taken = false;
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, tail) = rest.split_at(at);
        out.push(before);
        let found = find(tail);
        is_taken |= found.is_some();
        let len = found.map_or(1, |(_, len)| len);
        match found {
            Some((found, _)) => out.push_argument(&value(found)),
            None => out.push("$"),
        }
        rest = &tail[len..];
    }
    out.push(rest);
    is_taken.then_some(out)
}

fn digits(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opencode_gives_the_last_position_the_rest() {
        for (body, args, want) in [
            ("$1 to $2", "a b", "a to b"),
            ("$1 to $2", "a b c", "a to b c"),
            ("$1 to $2", "a", "a to "),
            ("$2, $1, $2", "'x y' z", "z, x y, z"),
            ("all: $ARGUMENTS", "a 'b c'", "all: a 'b c'"),
            ("Do it.", "a b", "Do it.\n\na b"),
            ("Do it.", " ", "Do it."),
            ("It costs $1,000.", "", "It costs ,000."),
            ("$ARGUMENTS", "$1", "$1"),
            ("$0", "a b", "b"),
            ("$0 $1", "a b", "undefined a b"),
            ("é$1é", "x", "éxé"),
        ] {
            assert_eq!(opencode(body, args).text, want, "{body:?} {args:?}");
        }
    }

    #[test]
    fn goose_gives_each_position_its_own() {
        for (body, args, want) in [
            ("$1 to $2", "a b c", "a to b"),
            ("$1 to $2", "\"a b\"", "a b to "),
            ("$ARGUMENTS[0] and $ARGUMENTS", "a b", "a and a b"),
            ("$0|$ARGUMENTSX", "a", "|$ARGUMENTSX"),
            ("Do it.", "a b", "Do it.\n\nARGUMENTS: a b"),
            ("Do it.", "", "Do it.\n\nARGUMENTS: "),
            ("$HOME", "a", "$HOME\n\nARGUMENTS: a"),
        ] {
            assert_eq!(goose(body, args).text, want, "{body:?} {args:?}");
        }
    }
}
