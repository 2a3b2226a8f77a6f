//! What is typed to find skills: `deploy is:cut has:args`.
//!
//! Words are looked for in the name, the folder and the description; `is:` and
//! `has:` ask for what a skill is and has. All that is typed must hold.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::project::{NotLoaded, Skill};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;

/// A filter, as typed and as understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    text: String,
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    /// Letters to look for, and the same without gaps.
    Text { fuzzy: Atom, whole: Atom, letters: usize },
    /// `is:` or `has:` and the beginning of a word.
    Is { kind: &'static str, start: String },
}

type Test = fn(&Skill) -> bool;

const IS: &[(&str, Test)] = &[
    ("error", |s| s.status == Status::Error),
    ("warning", |s| s.status == Status::Warning),
    ("valid", |s| s.status == Status::Valid),
    ("cut", |s| s.place.state == Catalogued::Cut),
    ("hidden", |s| s.place.state == Catalogued::Hidden),
    ("filtered", |s| s.place.state == Catalogued::Filtered),
    ("listed", |s| s.place.state == Catalogued::Listed),
    ("shortened", Skill::is_shortened),
    ("duplicate", |s| s.place.state == Catalogued::Duplicate),
    ("link", |s| s.entry.link.is_some() || s.entry.file.as_ref().is_ok_and(|f| f.real.is_some())),
];

const HAS: &[(&str, Test)] = &[
    ("args", |s| s.entry.file.as_ref().is_ok_and(|f| f.reading.document.body.placeholders > 0)),
    ("globs", |s| {
        let front =
            s.entry.file.as_ref().ok().and_then(|f| f.reading.document.frontmatter.as_ref());
        front.is_some_and(|front| !front.globs.is_empty())
    }),
    ("resources", |s| !s.entry.resources.files.is_empty()),
];

const KINDS: &[(&str, &[(&str, Test)])] = &[("is:", IS), ("has:", HAS)];

fn tests(kind: &str) -> &'static [(&'static str, Test)] {
    KINDS.iter().find(|(k, _)| *k == kind).map_or(&[], |(_, tests)| tests)
}

impl Filter {
    /// Reads what was typed.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), terms: text.split_whitespace().map(term).collect() }
    }

    /// As typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it looks for text.
    pub fn has_text(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Text { .. }))
    }

    /// What cannot be understood, and what could stand there.
    pub fn complaint(&self) -> Option<String> {
        self.terms.iter().find_map(|term| match term {
            Term::Is { kind, start } if !tests(kind).iter().any(|(w, _)| w.starts_with(start)) => {
                let words: Vec<_> = tests(kind).iter().map(|(word, _)| *word).collect();
                Some(format!("{kind} takes {}", words.join(" ")))
            }
            _ => None,
        })
    }

    /// The words that can be typed besides letters, as far as there is room in
    /// characters: all of them, or those of the word that is being typed.
    pub fn words(&self, room: usize) -> String {
        let words = |(kind, tests): &(&str, &[(&str, Test)]), most: usize| {
            let words: Vec<_> = tests.iter().take(most).map(|(word, _)| *word).collect();
            let more = if tests.len() > most { "|…" } else { "" };
            format!("{kind}{}{more}", words.join("|"))
        };
        let typed = self.text.split_whitespace().next_back().unwrap_or("");
        let typed = KINDS.iter().find(|(kind, _)| typed.starts_with(kind));
        if let Some((kind, tests)) = typed {
            let start = self.text.rsplit(kind).next().unwrap_or("");
            let words = tests.iter().map(|(word, _)| *word);
            let words: Vec<_> = words.filter(|word| word.starts_with(start)).collect();
            return format!("{kind}{}", words.join("|"));
        }
        let all = |most| KINDS.iter().map(|kind| words(kind, most)).collect::<Vec<_>>().join("  ");
        (1..=IS.len()).rev().map(all).find(|text| text.chars().count() <= room).unwrap_or_default()
    }
}

fn term(word: &str) -> Term {
    for (kind, _) in KINDS {
        let lower = word.to_lowercase();
        if let Some(start) = lower.strip_prefix(kind) {
            return Term::Is { kind, start: start.to_owned() };
        }
    }
    let atom = |kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
    Term::Text {
        fuzzy: atom(AtomKind::Fuzzy),
        whole: atom(AtomKind::Substring),
        letters: word.chars().count(),
    }
}

/// The memory that matching needs; it is large, so there is one a thread.
#[derive(Debug)]
pub struct Sieve {
    matcher: Matcher,
    chars: Vec<char>,
    indices: Vec<u32>,
}

impl Default for Sieve {
    fn default() -> Self {
        Self { matcher: Matcher::new(Config::DEFAULT), chars: Vec::new(), indices: Vec::new() }
    }
}

/// A name counts for more than a description.
const NAME: u32 = 4;

impl Sieve {
    /// How well a skill meets a filter; `None` when it does not.
    pub fn skill(&mut self, filter: &Filter, skill: &Skill) -> Option<u32> {
        let mut sum = 0;
        for term in &filter.terms {
            sum += match term {
                Term::Is { kind, start } => {
                    let mut tests = tests(kind).iter().filter(|(word, _)| word.starts_with(start));
                    tests.any(|(_, test)| test(skill)).then_some(0)?
                }
                Term::Text { .. } => {
                    let mut name = self.name(term, skill.title());
                    if skill.folder() != skill.title() {
                        name = name.max(self.name(term, skill.folder()));
                    }
                    // Long texts take long, and a name that fits says enough.
                    match name {
                        Some(score) => score * NAME,
                        None => self.close(term, skill.description.as_deref().unwrap_or(""))?,
                    }
                }
            };
        }
        Some(sum)
    }

    /// How well a thing that is not loaded meets a filter: only text finds it.
    pub fn not_loaded(&mut self, filter: &Filter, thing: &NotLoaded) -> Option<u32> {
        filter.terms.iter().map(|term| self.name(term, &thing.path)).sum()
    }

    /// Letters in order, with any gaps.
    fn name(&mut self, term: &Term, text: &str) -> Option<u32> {
        let Term::Text { fuzzy, .. } = term else { return None };
        fuzzy.score(Utf32Str::new(text, &mut self.chars), &mut self.matcher).map(u32::from)
    }

    /// Letters in order and close together: in a long text any few letters can
    /// be found somewhere.
    fn close(&mut self, term: &Term, text: &str) -> Option<u32> {
        let Term::Text { fuzzy, whole, letters } = term else { return None };
        let hay = Utf32Str::new(text, &mut self.chars);
        if let Some(score) = whole.score(hay, &mut self.matcher) {
            return Some(u32::from(score));
        }
        if *letters < 3 {
            return None;
        }
        self.indices.clear();
        let score = fuzzy.indices(hay, &mut self.matcher, &mut self.indices)?;
        let (first, last) = (self.indices.iter().min()?, self.indices.iter().max()?);
        (((last - first) as usize) < letters + letters / 3).then_some(u32::from(score))
    }

    /// The characters (counted from 0) of a shown name that a filter matched.
    pub fn marks_in_name(&mut self, filter: &Filter, shown: &str) -> Vec<u32> {
        let mut marks = Vec::new();
        for term in &filter.terms {
            if let Term::Text { fuzzy, .. } = term {
                let hay = Utf32Str::new(shown, &mut self.chars);
                fuzzy.indices(hay, &mut self.matcher, &mut marks);
            }
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    /// The characters (counted from 0) of a description that a filter matched.
    pub fn marks_in_description(&mut self, filter: &Filter, shown: &str) -> Vec<u32> {
        let mut marks = Vec::new();
        for term in &filter.terms {
            if let Term::Text { whole, .. } = term {
                let hay = Utf32Str::new(shown, &mut self.chars);
                if whole.indices(hay, &mut self.matcher, &mut marks).is_none()
                    && self.close(term, shown).is_some()
                {
                    marks.append(&mut self.indices);
                }
            }
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_words_are_named() {
        assert_eq!(Filter::new("is:er has:a x").complaint(), None);
        assert_eq!(Filter::new("is:").complaint(), None);
        let said = Filter::new("is:foo").complaint().unwrap();
        assert!(said.starts_with("is: takes error warning valid cut"), "{said}");
        let words = |typed, room| Filter::new(typed).words(room);
        assert!(words("", 100).ends_with("duplicate|link  has:args|globs|resources"));
        assert_eq!(words("", 40), "is:error|warning|…  has:args|globs|…");
        assert_eq!(
            words("x is:", 40),
            "is:error|warning|valid|cut|hidden|filtered|listed|shortened|duplicate|link"
        );
        assert_eq!(words("x has:g", 40), "has:globs");
    }

    #[test]
    fn letters_of_a_name_may_lie_apart_those_of_a_text_close_together() {
        let mut sieve = Sieve::default();
        let mut name = |typed: &str, text| sieve.name(&term(typed), text).is_some();
        assert!(name("drb", "deploy-runbook") && !name("drx", "deploy-runbook"));
        assert!(name("DEPLOY", "deploy") && name("pdf", "Pdf"), "capitals make no difference");
        let mut close = |typed: &str, text| sieve.close(&term(typed), text).is_some();
        let text = "Use it when somebody asks to deploy, to roll back, or why it failed.";
        for (typed, found) in
            [("deploy", true), ("depoy", true), ("uwd", false), ("ut", false), ("roll", true)]
        {
            assert_eq!(close(typed, text), found, "{typed}");
        }
    }

    #[test]
    fn marks_are_where_the_letters_are() {
        let mut sieve = Sieve::default();
        assert_eq!(sieve.marks_in_name(&Filter::new("drb is:e"), "deploy-runbook"), [0, 7, 10]);
        assert_eq!(sieve.marks_in_description(&Filter::new("oe"), "what it does"), [9, 10]);
        assert_eq!(sieve.marks_in_name(&Filter::new("审"), "a审查"), [1]);
    }
}
