//! The body: the instructions behind the closing fence (CONTRACT §3, §5).

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::finding::{Code, Finding};
use super::place::Place;
use super::text::{hazards, head, hidden_tags};

/// The placeholder that sample arguments replace (seed A, step 6).
pub const PLACEHOLDER: &str = "$ARGUMENTS";

/// No user name, token or key header is longer (bytes); beyond, nothing is looked at, so that a
/// file of nothing but beginnings costs no more than any other.
const LONGEST_WORD: usize = 64;

const LONG_LINES: u32 = 500;
const LONG_TOKENS: u32 = 5_000;

/// What is known of a body without keeping it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Body {
    /// Characters, all of them.
    pub chars: u32,
    /// Lines.
    pub lines: u32,
    /// Characters of [`trimmed`].
    pub trimmed_chars: u32,
    /// How often `$ARGUMENTS` stands in it.
    pub placeholders: u32,
    /// The line of the file on which it begins, from 1.
    pub first_line: u32,
}

impl Body {
    /// The estimate of its tokens: a quarter of its characters, rounded up.
    pub fn tokens(&self) -> u32 {
        self.chars.div_ceil(4)
    }
}

/// The body as kaged injects it: blank lines at both ends and trailing white
/// space removed, the indent of the first line kept (it may be a code block).
pub fn trimmed(body: &str) -> &str {
    let end = body.trim_end();
    let lead = end.len() - end.trim_start().len();
    let first_line = end[..lead].rfind(['\n', '\r']).map_or(0, |i| i + 1);
    &end[first_line..]
}

/// The first paragraph of a Markdown text on one line: its first lines that are
/// neither blank nor a heading, up to a blank one.
pub fn first_paragraph(text: &str) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for line in super::place::lines(text) {
        let line = line.text.trim();
        if line.is_empty() || line.starts_with('#') {
            if words.is_empty() {
                continue;
            }
            break;
        }
        words.extend(line.split_whitespace());
    }
    (!words.is_empty()).then(|| words.join(" "))
}

struct Needle {
    text: &'static str,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Placeholder,
    WrapperTag,
    Home,
    Secret,
}

const NEEDLES: &[Needle] = &[
    Needle { text: PLACEHOLDER, what: What::Placeholder },
    Needle { text: "</skill_content>", what: What::WrapperTag },
    Needle { text: "/home/", what: What::Home },
    Needle { text: "/Users/", what: What::Home },
    Needle { text: ":\\Users\\", what: What::Home },
    Needle { text: "ghp_", what: What::Secret },
    Needle { text: "gho_", what: What::Secret },
    Needle { text: "glpat-", what: What::Secret },
    Needle { text: "npm_", what: What::Secret },
    Needle { text: "sk_live_", what: What::Secret },
    Needle { text: "AIza", what: What::Secret },
    Needle { text: "github_pat_", what: What::Secret },
    Needle { text: "AKIA", what: What::Secret },
    Needle { text: "xoxb-", what: What::Secret },
    Needle { text: "xoxp-", what: What::Secret },
    Needle { text: "sk-", what: What::Secret },
    Needle { text: "PRIVATE KEY-----", what: What::Secret },
];

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(NEEDLES.iter().map(|n| n.text))
        .ok()
});

/// Looks at a body; `text` is the whole file and the body begins at byte `start`.
pub fn read(text: &str, start: usize) -> (Body, Vec<Finding>) {
    let source = &text[start..];
    let mut body = Body {
        chars: source.chars().count() as u32,
        lines: super::place::lines(source).count() as u32,
        trimmed_chars: trimmed(source).chars().count() as u32,
        placeholders: 0,
        first_line: Place::of(text, start).line,
    };
    let mut findings = Vec::new();
    if body.trimmed_chars == 0 {
        findings.push(
            Finding::new(
                Code::EmptyBody,
                "there are no instructions behind the frontmatter; an agent that activates the \
                 skill learns nothing",
            )
            .at(Place::of(text, start)),
        );
    }
    if body.lines > LONG_LINES || body.tokens() > LONG_TOKENS {
        findings.push(
            Finding::new(
                Code::LongBody,
                format!(
                    "the body has {} lines and about {} tokens, which stay in the context once \
                     loaded; consider moving parts to resource files",
                    body.lines,
                    body.tokens()
                ),
            )
            .at(Place::of(text, start)),
        );
    }
    let digit =
        source.as_bytes().windows(2).position(|pair| pair[0] == b'$' && pair[1].is_ascii_digit());
    if let Some(at) = digit {
        findings.push(
            Finding::new(
                Code::PositionalArgument,
                format!(
                    "`{}` is an argument to some clients (Claude Code counts from 0, opencode and \
                     goose from 1) and text to others",
                    &source[at..at + 2]
                ),
            )
            .at(Place::of(text, start + at)),
        );
    }
    wrapper_and_local(text, start, &mut body, &mut findings);
    push_hazards(&mut findings, "the body", source, |at| Some(Place::of(text, start + at)));
    (body, findings)
}

fn wrapper_and_local(text: &str, start: usize, body: &mut Body, findings: &mut Vec<Finding>) {
    let Some(finder) = FINDER.as_ref() else { return };
    let mut local = false;
    let mut wrapped = false;
    for found in finder.find_iter(text) {
        let needle = &NEEDLES[found.pattern().as_usize()];
        let in_body = found.start() >= start;
        match needle.what {
            What::Placeholder if in_body => body.placeholders += 1,
            What::WrapperTag if in_body && !wrapped => {
                wrapped = true;
                findings.push(
                    Finding::new(
                        Code::WrapperTagInBody,
                        "the body holds `</skill_content>`, which ends the skill early for the \
                         model; write the tag in another way",
                    )
                    .at(Place::of(text, found.start())),
                );
            }
            What::Home | What::Secret if !local => {
                if let Some(message) = operator_local(text, found.start(), found.end(), needle.what)
                {
                    local = true;
                    findings.push(
                        Finding::new(Code::OperatorLocal, message)
                            .at(Place::of(text, found.start())),
                    );
                }
            }
            _ => {}
        }
    }
}

/// Skills travel with the project (seed B): no secrets, nobody's home folder.
fn operator_local(text: &str, start: usize, end: usize, what: What) -> Option<String> {
    let rest = &text[end..];
    let word = |ok: fn(char) -> bool| {
        let longest = rest.chars().take(LONGEST_WORD);
        &rest[..longest.take_while(|c| ok(*c)).map(char::len_utf8).sum()]
    };
    let before = text[..start].chars().next_back();
    if what == What::Home {
        let user = word(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let generic =
            ["user", "username", "you", "me", "name", "your-name", "runner", "app", "list"];
        let path = before.is_none_or(|c| !c.is_alphanumeric()) || text[..end].ends_with('\\');
        return (path && !user.is_empty() && !generic.contains(&user)).then(|| {
            format!(
                "`{}{}` is a path on somebody's machine; skills travel with the project, so \
                 write it relative to the project",
                &text[start..end],
                head(user, 40)
            )
        });
    }
    let token = word(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let has_digit = token.bytes().any(|b| b.is_ascii_digit());
    let enough = match &text[start..end] {
        "AKIA" => token.len() == 16 && token.bytes().all(|b| !b.is_ascii_lowercase()),
        "PRIVATE KEY-----" => {
            let before = &text.as_bytes()[start.saturating_sub(LONGEST_WORD)..start];
            before.windows(11).any(|w| w == b"-----BEGIN ")
        }
        _ => token.len() >= 20 && has_digit,
    };
    (enough && before.is_none_or(|c| !c.is_ascii_alphanumeric())).then(|| {
        format!("what follows `{}` looks like a secret; take it out of the file", &text[start..end])
    })
}

/// Reports control, bidi and invisible characters of a text.
pub fn push_hazards(
    findings: &mut Vec<Finding>,
    what: &str,
    text: &str,
    place: impl Fn(usize) -> Option<Place>,
) {
    let found = hazards(text);
    let mut push = |code, at: usize, message: String| {
        let finding = Finding::new(code, message);
        findings.push(match place(at) {
            Some(place) => finding.at(place),
            None => finding,
        });
    };
    if let Some((at, c)) = found.control {
        push(
            Code::ControlChars,
            at,
            format!(
                "{what} holds the control character U+{:04X}, which a terminal may obey; remove \
                 it or write it in words",
                c as u32
            ),
        );
    }
    if let Some((at, c)) = found.bidi {
        push(
            Code::BidiControl,
            at,
            format!(
                "{what} holds U+{:04X}, which makes the text around it read in another order; \
                 remove it",
                c as u32
            ),
        );
    }
    if let Some((at, c)) = found.invisible {
        let hidden = hidden_tags(text);
        let says = if hidden.is_empty() {
            String::new()
        } else {
            format!(" (hidden in it: \"{}\")", head(&hidden, 80))
        };
        push(
            Code::InvisibleChar,
            at,
            format!("{what} holds U+{:04X}, which cannot be seen{says}; remove it", c as u32),
        );
    }
}

/// Where `$ARGUMENTS` stands, and `$` with digits, which some clients replace:
/// byte ranges, in order.
pub fn placeholders(text: &str) -> Vec<Range<usize>> {
    let dollars = text.match_indices('$').filter_map(|(at, _)| {
        if text[at..].starts_with(PLACEHOLDER) {
            return Some(at..at + PLACEHOLDER.len());
        }
        let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| at..at + 1 + digits)
    });
    dollars.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_paragraph_is_no_heading() {
        for (text, want) in [
            ("# Title\n\nDo  this\nand that.\n\nMore.\n", Some("Do this and that.")),
            ("\r\nDo this.\r\n# Next\r\n", Some("Do this.")),
            ("# Only\n## Headings\n", None),
            ("", None),
        ] {
            assert_eq!(first_paragraph(text).as_deref(), want, "{text:?}");
        }
    }

    fn codes(body: &str) -> Vec<(Code, u32, u32)> {
        let text = format!("---\nd: x\n---\n{body}");
        let (_, findings) = read(&text, 13);
        findings.iter().map(|f| (f.code, f.place.unwrap().line, f.place.unwrap().column)).collect()
    }

    #[test]
    fn blank_lines_go_and_the_first_indent_stays() {
        for (body, want) in [
            ("\n\n    code\n\ntext  \n\n", "    code\n\ntext"),
            ("text", "text"),
            ("  text \r\n", "  text"),
            (" \t\n \n", ""),
            ("", ""),
            ("\r\n\r\n  a\r\nb\r\n", "  a\r\nb"),
        ] {
            assert_eq!(trimmed(body), want, "{body:?}");
        }
    }

    #[test]
    fn each_trouble_has_its_place_in_the_file() {
        for (body, want) in [
            ("fine\n", vec![]),
            ("\n \n", vec![(Code::EmptyBody, 4, 1)]),
            ("\ncosts $1,000\n", vec![(Code::PositionalArgument, 5, 7)]),
            ("a </skill_content>\n", vec![(Code::WrapperTagInBody, 4, 3)]),
            ("a\u{0}b\n", vec![(Code::ControlChars, 4, 2)]),
            ("é\u{202e}b\n", vec![(Code::BidiControl, 4, 2)]),
            ("a\u{200b}b\n", vec![(Code::InvisibleChar, 4, 2)]),
            ("see /home/karasu/x\n", vec![(Code::OperatorLocal, 4, 5)]),
            ("see /home/user/x and https://x.dev/home/page\n", vec![]),
            ("see C:\\Users\\karasu\n", vec![(Code::OperatorLocal, 4, 6)]),
            ("use ghp_0123456789abcdefghij0123456789abcdef\n", vec![(Code::OperatorLocal, 4, 5)]),
            ("a risk-assessment-of-2024-and-later-years\n", vec![]),
            ("-----BEGIN RSA PRIVATE KEY-----\n", vec![(Code::OperatorLocal, 4, 16)]),
        ] {
            assert_eq!(codes(body), want, "{body:?}");
        }
        assert_eq!(codes(&"line\n".repeat(501)), [(Code::LongBody, 4, 1)]);
        assert_eq!(codes(&"line\n".repeat(500)), []);
        assert_eq!(codes(&"x".repeat(20_001)), [(Code::LongBody, 4, 1)]);
    }

    #[test]
    fn a_file_of_beginnings_costs_no_more_than_any_other() {
        // Each was once followed to the end of the file.
        for text in ["sk-", "PRIVATE KEY-----", "/home/", "-----BEGIN "] {
            let body = text.repeat(300_000 / text.len());
            assert!(codes(&body).len() <= 2);
        }
    }

    #[test]
    fn the_counts_are_in_characters() {
        let text = "---\nd: x\n---\n\n审 $ARGUMENTS and $ARGUMENTS\n";
        let (body, _) = read(text, 13);
        assert_eq!(
            body,
            Body { chars: 29, lines: 2, trimmed_chars: 27, placeholders: 2, first_line: 4 }
        );
        assert_eq!(body.tokens(), 8);
    }

    #[test]
    fn what_clients_replace_is_found() {
        assert_eq!(placeholders("$ARGUMENTS $1 $ $12,0 $x"), [0..10, 11..13, 16..19]);
    }
}
