//! What is shown of a skill's files, laid out for a width.
//!
//! Made off the drawing thread from files that were just read, so that neither
//! reading nor breaking a long text into rows ever holds up a key.

use super::ink::{Piece, Tone, wrap};
use super::message::Request;
use crate::project::activate::{Fresh, activate, reread};
use crate::project::{Deck, Project, Skill};
use crate::prompt::activation::Arguments;
use crate::skill::Finding;
use crate::skill::body::PLACEHOLDER;
use crate::skill::document::Text;
use crate::skill::place::{Place, lines};
use crate::skill::text::{Shown, shown};

/// The pages of one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// The skill's folder name.
    pub folder: String,
    /// The request they answer.
    pub request: u64,
    /// The body with line numbers of the file.
    pub body: Page,
    /// The activation.
    pub activation: Page,
    /// Its size in characters, when there is one.
    pub activation_chars: Option<usize>,
    /// The resources.
    pub files: Vec<Shown>,
}

impl Pages {
    /// What is shown when the program failed on a skill's files.
    pub fn failed(skill: &Skill, request: u64) -> Self {
        let why = || {
            Page::Nothing(Shown::fixed("the program failed on this skill; please report its files"))
        };
        Self {
            folder: skill.folder().to_owned(),
            request,
            body: why(),
            activation: why(),
            activation_chars: None,
            files: Vec::new(),
        }
    }
}

/// Rows of text that fit a width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// The rows, each with the number of the line that begins in it.
    Rows(Vec<(Option<u32>, Vec<Piece>)>),
    /// There is nothing to show, and this is why.
    Nothing(Shown),
}

/// The cells that line numbers take.
pub const NUMBERS: usize = 6;

/// Reads the files of the skill that a request names, and lays out its pages;
/// `None` when the deck has no such skill.
pub fn read(project: &Project, request: &Request) -> Option<Pages> {
    let skill = request.deck.skills.get(request.skill)?;
    let fresh = reread(project, skill);
    let arguments = request.arguments.as_deref();
    let fresh = fresh.as_ref();
    Some(lay_out(&request.deck, skill, fresh, arguments, request.width, request.number))
}

/// Lays out the pages of a skill for a width in cells.
fn lay_out(
    deck: &Deck,
    skill: &Skill,
    fresh: Result<&Fresh, &Finding>,
    arguments: Option<&str>,
    width: usize,
    request: u64,
) -> Pages {
    let body = match fresh {
        Ok(fresh) => body(&fresh.bytes, width),
        Err(finding) => Page::Nothing(finding.message.clone()),
    };
    let given = arguments.map_or(Arguments::NotGiven, Arguments::Given);
    let (activation, activation_chars) = match activate(deck, skill, fresh, given) {
        Ok(activation) => {
            let chars = activation.text.chars().count();
            let rows = rows(&activation.text, &activation.arguments, width);
            (Page::Rows(rows.into_iter().map(|row| (None, row)).collect()), Some(chars))
        }
        Err(error) => (Page::Nothing(shown(&error.to_string())), None),
    };
    let files = fresh.map_or_else(
        |_| Vec::new(),
        |fresh| fresh.resources.files.iter().map(|f| shown(f)).collect(),
    );
    Pages { folder: skill.folder().to_owned(), request, body, activation, activation_chars, files }
}

fn body(bytes: &[u8], width: usize) -> Page {
    let text = match Text::of(bytes) {
        Ok(text) => text,
        Err(finding) => return Page::Nothing(finding.message),
    };
    let Some(body) = text.body() else {
        return Page::Nothing(Shown::fixed(
            "there are no fences, so the file has no body; Problems says more",
        ));
    };
    let start = text.text.len() - body.len();
    let mut out = Vec::new();
    let first = Place::of(text.text, start).line;
    for (number, line) in (first..).zip(lines(body)) {
        let marks: Vec<_> =
            line.text.match_indices(PLACEHOLDER).map(|(i, p)| i..i + p.len()).collect();
        for (i, row) in
            wrap(&pieces(line.text, &marks), width.saturating_sub(NUMBERS)).into_iter().enumerate()
        {
            out.push(((i == 0).then_some(number), row));
        }
    }
    if out.is_empty() {
        return Page::Nothing(Shown::fixed("the body is empty"));
    }
    Page::Rows(out)
}

/// The rows of a text with marked byte ranges.
fn rows(text: &str, marks: &[std::ops::Range<usize>], width: usize) -> Vec<Vec<Piece>> {
    let mut out = Vec::new();
    let mut first = 0;
    for line in lines(text) {
        let end = line.start + line.text.len();
        // Marks are in order: those behind this line are done with.
        first += marks[first..].iter().take_while(|m| m.end <= line.start).count();
        let here: Vec<_> = marks[first..]
            .iter()
            .take_while(|m| m.start < end)
            .map(|m| m.start.max(line.start) - line.start..m.end.min(end) - line.start)
            .collect();
        out.extend(wrap(&pieces(line.text, &here), width));
    }
    out
}

/// A line as pieces, the marked ranges set off; tabs become spaces.
fn pieces(line: &str, marks: &[std::ops::Range<usize>]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut push = |text: &str, tone| {
        if !text.is_empty() {
            out.push(Piece::new(text.replace('\t', "    "), tone));
        }
    };
    for mark in marks {
        push(&line[at..mark.start], Tone::Plain);
        push(&line[mark.clone()], Tone::Mark);
        at = mark.end;
    }
    push(&line[at..], Tone::Plain);
    out
}
