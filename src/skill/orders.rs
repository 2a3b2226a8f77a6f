//! What a body orders or forbids outright: `always …`, `never …`, `must …`,
//! `must not …`. Only words are looked at, so that two skills which order the
//! opposite with the same words can be told.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::place::{Place, Places, lines};

/// A body says no more of interest than so many orders.
const MOST: usize = 64;

/// An order is about no more words than these.
const WORDS: usize = 12;

/// An order with fewer words is too vague to contradict another.
const LEAST: usize = 2;

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Whether it says to do it.
    pub is_positive: bool,
    /// What is to be done or not, in lower-case words with one space between.
    pub what: String,
    /// Where it stands.
    pub place: Place,
}

/// The words that begin an order; a longer one stands before what it begins with.
const SIGNS: [(&str, bool); 8] = [
    ("must not ", false),
    ("must never ", false),
    ("must always ", true),
    ("do not ", false),
    ("don't ", false),
    ("always ", true),
    ("never ", false),
    ("must ", true),
];

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(aho_corasick::MatchKind::LeftmostFirst)
        .build(SIGNS.iter().map(|(sign, _)| sign))
        .ok()
});

/// The orders of a body; `text` is the whole file and the body begins at byte
/// `start`. Code between fences is none of its orders.
pub fn read(text: &str, start: usize) -> Vec<Order> {
    let Some(finder) = FINDER.as_ref() else { return Vec::new() };
    let body = &text[start..];
    if !finder.is_match(body) {
        return Vec::new();
    }
    let places = Places::new(text);
    let mut orders = Vec::new();
    let mut is_code = false;
    for line in lines(body) {
        if line.text.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for found in finder.find_iter(line.text) {
            let (is_start, sign) = (is_word_start(line.text, found.start()), found.pattern());
            let what = words(&line.text[found.end()..]);
            if !is_start || what.split(' ').count() < LEAST {
                continue;
            }
            let place = places.of(start + line.start + found.start());
            orders.push(Order { is_positive: SIGNS[sign.as_usize()].1, what, place });
            if orders.len() == MOST {
                return orders;
            }
        }
    }
    orders
}

fn is_word_start(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '\'')
}

/// The words up to the end of the sentence.
fn words(text: &str) -> String {
    let end = text.find(['.', ';', ':', '!', '?', '(', ',']).unwrap_or(text.len());
    let words = text[..end].split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'');
    let words = words.filter(|word| !word.is_empty()).take(WORDS).map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_found_with_their_words_and_places() {
        let text = "---\nd: x\n---\nAlways run the tests first.\n- You must NOT `push` to main, ever.\n\
                    ```\nnever count code here\n```\nMustard. never. Don't touch the lock file\n";
        let start = text.find("Always").unwrap();
        let got: Vec<_> = read(text, start)
            .into_iter()
            .map(|o| (o.is_positive, o.what, o.place.line, o.place.column))
            .collect();
        assert_eq!(
            got,
            [
                (true, "run the tests first".to_owned(), 4, 1),
                (false, "push to main".to_owned(), 5, 7),
                (false, "touch the lock file".to_owned(), 9, 17),
            ]
        );
    }
}
