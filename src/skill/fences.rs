//! Finding the two `---` lines around the frontmatter (CONTRACT §3).

use std::ops::Range;

use super::finding::{Code, Finding, Fix};
use super::place::{Line, Place, lines};
use super::text::head;

/// A text divided by its fences, in byte offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fences {
    /// The frontmatter between the fences, with its last line end.
    pub head: Range<usize>,
    /// Everything after the closing fence's line.
    pub body: Range<usize>,
    /// Where white space stands after a fence.
    pub trailing_space: Option<usize>,
}

/// Divides a text (its byte-order mark already skipped).
///
/// # Errors
/// The finding that says which fence is missing and what stands in its place.
pub fn split(text: &str) -> Result<Fences, Finding> {
    let mut rest = lines(text);
    let Some(first) = rest.next() else {
        return Err(Finding::new(
            Code::EmptyFile,
            "the file is empty; write frontmatter with a `description`, then the instructions",
        ));
    };
    if text.trim().is_empty() {
        return Err(Finding::new(
            Code::EmptyFile,
            "the file holds only white space; write frontmatter with a `description`, then the \
             instructions",
        ));
    }
    if !is_fence(first.text) {
        return Err(no_opening(text, first));
    }
    let Some(close) = rest.find(|line| is_fence(line.text)) else {
        return Err(no_closing(text));
    };
    let trailing_space = [first, close]
        .iter()
        .find(|line| line.text.len() > FENCE.len())
        .map(|line| line.start + FENCE.len());
    Ok(Fences { head: first.next..close.start, body: close.next..text.len(), trailing_space })
}

const FENCE: &str = "---";

fn is_fence(line: &str) -> bool {
    line.trim_end() == FENCE
}

fn no_opening(text: &str, first: Line<'_>) -> Finding {
    let trimmed = first.text.trim();
    if trimmed == "+++" {
        return Finding::new(
            Code::NoFrontmatter,
            "the file begins with `+++`, which is TOML frontmatter; skills use YAML between two \
             lines `---`",
        )
        .at(Place::START);
    }
    if let Some(rest) = first.text.strip_prefix('\u{feff}') {
        let what = if is_fence(rest) { "a second byte-order mark" } else { "byte-order marks" };
        return Finding::new(
            Code::NoFrontmatter,
            format!(
                "{what} stands before the opening `---`; only one mark at the start of a file is \
                 skipped, so remove it"
            ),
        )
        .at(Place::START);
    }
    if trimmed == FENCE {
        return Finding::new(
            Code::FrontmatterNotFirst,
            "white space stands before the opening `---`; the fence must begin at the first column",
        )
        .at(Place::START)
        .fix(Fix::MoveFenceFirst);
    }
    if let Some(fence) = later_frontmatter(text) {
        let place = Place::of(text, fence.start);
        return Finding::new(
            Code::FrontmatterNotFirst,
            format!(
                "the frontmatter begins at line {}; the opening `---` must be the first line of \
                 the file, so move what stands before it behind the closing fence",
                place.line
            ),
        )
        .at(place)
        .fix(Fix::MoveFenceFirst);
    }
    if text.bytes().take(200).filter(|b| *b == 0).count() > 20 {
        return Finding::new(
            Code::NoFrontmatter,
            "the file looks like UTF-16, so its first line is not `---`; save it as UTF-8",
        )
        .at(Place::START)
        .fix(Fix::Transcode);
    }
    let seen = if trimmed.is_empty() {
        "is blank".to_owned()
    } else {
        format!("is `{}`", head(trimmed, 40))
    };
    Finding::new(
        Code::NoFrontmatter,
        format!(
            "there is no frontmatter: the first line {seen}, but must be `---`, followed by \
             `description: …` and a closing `---`"
        ),
    )
    .at(Place::START)
}

/// A fence further down that opens what looks like frontmatter: a rule of a
/// Markdown text is followed by prose, frontmatter by a key.
fn later_frontmatter(text: &str) -> Option<Line<'_>> {
    let mut open: Option<Line<'_>> = None;
    let mut keyed = false;
    for line in lines(text) {
        if is_fence(line.text) {
            if keyed {
                return open;
            }
            open = Some(line);
            keyed = false;
        } else if open.is_some()
            && !keyed
            && !line.text.trim().is_empty()
            && !line.text.starts_with('#')
        {
            if looks_like_key(line.text) {
                keyed = true;
            } else {
                open = None;
            }
        }
    }
    None
}

fn looks_like_key(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let key = key.trim_matches(['"', '\'']);
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    })
}

fn no_closing(text: &str) -> Finding {
    let other = lines(text).skip(1).find(|line| {
        let end = line.text.trim_end();
        end == "..." || end == "+++" || (end.len() > 3 && end.bytes().all(|b| b == b'-'))
    });
    let indented = lines(text).skip(1).find(|line| line.text.trim() == FENCE);
    let base = Finding::new(Code::UnclosedFrontmatter, "").fix(Fix::AddClosingFence);
    let (message, place) = if let Some(line) = other {
        let place = Place::of(text, line.start);
        let end = head(line.text.trim_end(), 10);
        (
            format!(
                "the frontmatter is never closed: line {} is `{end}`, which is no fence; close \
                 it with a line `---`",
                place.line
            ),
            place,
        )
    } else if let Some(line) = indented {
        let place = Place::of(text, line.start);
        (
            format!(
                "the frontmatter is never closed: the `---` at line {} is indented, and a fence \
                 begins at the first column",
                place.line
            ),
            place,
        )
    } else {
        (
            "the frontmatter opened at line 1 is never closed; add a line `---` after its last key"
                .to_owned(),
            Place::START,
        )
    };
    Finding { message: super::text::shown(&message), ..base }.at(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> (Code, Option<Place>) {
        let finding = split(text).expect_err("no fences");
        (finding.code, finding.place)
    }

    #[test]
    fn the_two_fences_divide_a_file() {
        for (text, head, body) in [
            ("---\na: b\n---\nbody\n", "a: b\n", "body\n"),
            ("---\r\na: b\r\n---\r\nbody", "a: b\r\n", "body"),
            ("---\ra: b\r---\rbody", "a: b\r", "body"),
            ("--- \na: b\n---\t\nbody", "a: b\n", "body"),
            ("---\n---\n", "", ""),
            ("---\na: |\n  ---\n---", "a: |\n  ---\n", ""),
            ("---\na: b\n# ----\n---\n", "a: b\n# ----\n", ""),
            ("---\na: x --- y\n---\n", "a: x --- y\n", ""),
        ] {
            let fences = split(text).expect(text);
            assert_eq!(&text[fences.head], head, "{text:?}");
            assert_eq!(&text[fences.body], body, "{text:?}");
        }
    }

    #[test]
    fn white_space_after_a_fence_is_noticed() {
        assert_eq!(split("---\na: b\n---\n").unwrap().trailing_space, None);
        assert_eq!(split("--- \na: b\n---\n").unwrap().trailing_space, Some(3));
        assert_eq!(split("---\na: b\n---\t\n").unwrap().trailing_space, Some(12));
    }

    #[test]
    fn a_missing_fence_is_named() {
        let at = |line, column| Some(Place { line, column });
        for (text, want) in [
            ("", (Code::EmptyFile, None)),
            (" \n\n", (Code::EmptyFile, None)),
            ("# Title\n\ntext\n", (Code::NoFrontmatter, at(1, 1))),
            ("# Title\n\n---\n\nprose\n\n---\n", (Code::NoFrontmatter, at(1, 1))),
            ("+++\nname = 1\n+++\n", (Code::NoFrontmatter, at(1, 1))),
            ("\u{feff}---\nname: a\n---\n", (Code::NoFrontmatter, at(1, 1))),
            (" ---\nname: a\n---\n", (Code::FrontmatterNotFirst, at(1, 1))),
            ("\n\n---\nname: a\n---\n", (Code::FrontmatterNotFirst, at(3, 1))),
            ("<!-- x -->\n---\nname: a\n---\n", (Code::FrontmatterNotFirst, at(2, 1))),
            ("# T\n---\n# comment\nname: a\n---\n", (Code::FrontmatterNotFirst, at(2, 1))),
            ("# T\n---\n\"name\": a\n---\n", (Code::FrontmatterNotFirst, at(2, 1))),
            ("---", (Code::UnclosedFrontmatter, at(1, 1))),
            ("---\nname: a\n\nbody\n", (Code::UnclosedFrontmatter, at(1, 1))),
            ("---\nname: a\n...\nbody\n", (Code::UnclosedFrontmatter, at(3, 1))),
            ("---\nname: a\n+++\nbody\n", (Code::UnclosedFrontmatter, at(3, 1))),
            ("---\nname: a\n----\nbody\n", (Code::UnclosedFrontmatter, at(3, 1))),
            ("---\nname: a\n ---\nbody\n", (Code::UnclosedFrontmatter, at(3, 1))),
        ] {
            assert_eq!(codes(text), want, "{text:?}");
        }
    }
}
