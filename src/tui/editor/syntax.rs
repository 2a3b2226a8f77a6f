//! How a line looks: frontmatter, Markdown, and what a client replaces.

use std::ops::Range;
use std::path::Path;

use crate::skill::body::placeholders;
use crate::tui::ink::Tone;

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// Frontmatter, then Markdown.
    Skill,
    /// Markdown.
    Markdown,
    /// Anything else, with comments behind `#`.
    Other,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// Between the fences of the frontmatter, or such a fence.
    Frontmatter,
    /// In the body.
    Body,
    /// In a block of code, which ends with so many of these.
    Code(char, usize),
}

impl Syntax {
    /// By the name of a file; `None` is a `SKILL.md`.
    pub fn of(below: Option<&str>) -> Self {
        match below {
            None => Self::Skill,
            Some(name) => {
                let extension = Path::new(name).extension();
                let is_markdown = extension.is_some_and(|e| e == "md" || e == "markdown");
                if is_markdown { Self::Markdown } else { Self::Other }
            }
        }
    }

    /// Where the first line stands.
    fn begin(self, first: &str) -> Zone {
        let has_front = self != Self::Other && first.trim_end() == "---";
        if has_front { Zone::Frontmatter } else { Zone::Body }
    }
}

/// Where each of some lines stands, from the first of the text on.
pub fn zones(syntax: Syntax, lines: &[String]) -> impl Iterator<Item = Zone> {
    let mut zone = syntax.begin(lines.first().map_or("", String::as_str));
    lines.iter().enumerate().map(move |(at, line)| {
        let here = zone;
        zone = match zone {
            Zone::Frontmatter if at > 0 && line.trim_end() == "---" => Zone::Body,
            Zone::Frontmatter => Zone::Frontmatter,
            Zone::Body if syntax == Syntax::Other => Zone::Body,
            Zone::Body => fence(line).map_or(Zone::Body, |(c, n)| Zone::Code(c, n)),
            Zone::Code(c, n) => match fence(line) {
                Some((end, count)) if end == c && count >= n && is_bare(line, c) => Zone::Body,
                _ => zone,
            },
        };
        here
    })
}

/// The fence of a block of code.
fn fence(line: &str) -> Option<(char, usize)> {
    let text = line.trim_start();
    let c = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = text.chars().take_while(|other| *other == c).count();
    (count >= 3 && line.len() - text.len() < 4).then_some((c, count))
}

fn is_bare(line: &str, c: char) -> bool {
    line.trim().chars().all(|other| other == c)
}

/// The looks of the parts of a line, by bytes, in order; the rest is plain.
pub fn tones(syntax: Syntax, zone: Zone, line: &str) -> Vec<(Range<usize>, Tone)> {
    let mut found = match zone {
        Zone::Frontmatter => frontmatter(line),
        Zone::Code(..) => vec![(0..line.len(), Tone::Code)],
        Zone::Body if syntax == Syntax::Other => {
            let comment = line.trim_start().starts_with('#');
            if comment { vec![(0..line.len(), Tone::Dim)] } else { Vec::new() }
        }
        Zone::Body => markdown(line),
    };
    if zone != Zone::Frontmatter && syntax != Syntax::Other {
        for range in placeholders(line) {
            cut_out(&mut found, &range);
            found.push((range, Tone::Mark));
        }
        found.sort_by_key(|(range, _)| range.start);
    }
    found
}

/// Makes room for a range among others.
fn cut_out(found: &mut Vec<(Range<usize>, Tone)>, range: &Range<usize>) {
    let mut parts = Vec::with_capacity(found.len() + 1);
    for (old, tone) in found.drain(..) {
        for part in [old.start..old.end.min(range.start), old.start.max(range.end)..old.end] {
            if part.start < part.end {
                parts.push((part, tone));
            }
        }
    }
    *found = parts;
}

fn frontmatter(line: &str) -> Vec<(Range<usize>, Tone)> {
    let text = line.trim_start();
    let start = line.len() - text.len();
    if line.trim_end() == "---" || text.starts_with('#') {
        return vec![(0..line.len(), Tone::Dim)];
    }
    let mut found = Vec::new();
    let colon = text.find(": ").or(text.ends_with(':').then(|| text.len() - 1));
    let is_key = |key: &str| {
        key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')) && !key.is_empty()
    };
    let mut value = start;
    if let Some(colon) = colon.filter(|colon| is_key(&text[..*colon])) {
        found.push((start..start + colon + 1, Tone::Key));
        value = start + colon + 1;
    }
    let rest = &line[value..];
    let is_quoted = rest.trim_start().starts_with(['"', '\'']);
    if is_quoted {
        found.push((value..line.len(), Tone::Code));
    } else if let Some(comment) = rest.find(" #") {
        found.push((value + comment + 1..line.len(), Tone::Dim));
    }
    found
}

fn markdown(line: &str) -> Vec<(Range<usize>, Tone)> {
    let text = line.trim_start();
    let start = line.len() - text.len();
    let hashes = text.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && text[hashes..].starts_with([' ', '\t']) {
        return vec![(0..line.len(), Tone::Strong)];
    }
    if fence(line).is_some() {
        return vec![(0..line.len(), Tone::Code)];
    }
    if text.starts_with('>') {
        return vec![(0..line.len(), Tone::Dim)];
    }
    let mut found = Vec::new();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes() {
        [b'-' | b'*' | b'+', b' ', ..] => 1,
        _ if digits > 0 && text[digits..].starts_with(". ") => digits + 1,
        _ => 0,
    };
    if marker > 0 {
        found.push((start..start + marker, Tone::Key));
    }
    let mut at = start + marker;
    while let Some(open) = line[at..].find('`').map(|i| at + i) {
        let ticks = line[open..].bytes().take_while(|b| *b == b'`').count();
        let inner = open + ticks;
        let close = line[inner..].find(&"`".repeat(ticks)).map(|i| inner + i + ticks);
        let Some(close) = close else { break };
        found.push((open..close, Tone::Code));
        at = close;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(text: &str) -> Vec<Vec<(String, Tone)>> {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let zones: Vec<_> = zones(Syntax::Skill, &lines).collect();
        let look = |(line, zone): (&String, &Zone)| {
            let tones = tones(Syntax::Skill, *zone, line);
            tones.into_iter().map(|(range, tone)| (line[range].to_owned(), tone)).collect()
        };
        lines.iter().zip(&zones).map(look).collect()
    }

    #[test]
    fn frontmatter_and_markdown_are_told_apart() {
        let text = "---\nname: \"a\" # c\ndescription: b # c\n---\n# Head `x`\n- run `$ARGUMENTS` now\n```sh\n# no head $1\n```\n> quote";
        let own = |parts: &[(&str, Tone)]| -> Vec<(String, Tone)> {
            parts.iter().map(|(text, tone)| ((*text).to_owned(), *tone)).collect()
        };
        let want = [
            own(&[("---", Tone::Dim)]),
            own(&[("name:", Tone::Key), (" \"a\" # c", Tone::Code)]),
            own(&[("description:", Tone::Key), ("# c", Tone::Dim)]),
            own(&[("---", Tone::Dim)]),
            own(&[("# Head `x`", Tone::Strong)]),
            own(&[
                ("-", Tone::Key),
                ("`", Tone::Code),
                ("$ARGUMENTS", Tone::Mark),
                ("`", Tone::Code),
            ]),
            own(&[("```sh", Tone::Code)]),
            own(&[("# no head ", Tone::Code), ("$1", Tone::Mark)]),
            own(&[("```", Tone::Code)]),
            own(&[("> quote", Tone::Dim)]),
        ];
        assert_eq!(looks(text), want);
    }
}
