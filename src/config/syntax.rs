//! The syntax of a config file: TOML, read on past what is wrong.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Mistake;
use crate::skill::place::Places;
use crate::skill::text::head;

/// A text, as far as it is TOML.
pub(super) struct Syntax<'a> {
    /// The tree, with what was made up in place of what is broken.
    pub root: Spanned<DeTable<'a>>,
    /// What is broken: the first thing of each line, for what follows on a line
    /// comes of it.
    pub mistakes: Vec<Mistake>,
    places: &'a Places<'a>,
    broken: BTreeSet<u32>,
}

impl<'a> Syntax<'a> {
    pub fn read(text: &'a str, places: &'a Places<'a>) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut errors: Vec<_> = errors
            .iter()
            .map(|error| (error.span().unwrap_or_default(), error.message()))
            .collect();
        errors.sort_by_key(|(span, _)| span.start);
        let mut syntax = Self { root, mistakes: Vec::new(), places, broken: BTreeSet::new() };
        let mut next_line = 0;
        for (span, message) in errors {
            if span.start < next_line {
                continue;
            }
            let rest = text.get(span.start..).unwrap_or_default();
            next_line = span.start + rest.find('\n').unwrap_or(rest.len()) + 1;
            syntax.push(span, message, text);
        }
        syntax
    }

    fn push(&mut self, span: Range<usize>, message: &str, text: &str) {
        let place = self.places.of(span.start);
        let message = if message == "duplicate key" {
            let key = text.get(span).unwrap_or_default();
            format!("`{}` is set twice, and the first one counts; remove one", head(key, 60))
        } else {
            // The value of a key that is there twice is whole; any other is made up.
            self.broken.insert(place.line);
            format!("no valid TOML: {message}")
        };
        self.mistakes.push(Mistake::new(place, message));
    }

    /// Whether what stands there may be made up. The span of a table with a
    /// header is the header, so what is below it is looked at by itself.
    pub fn is_broken(&self, key: &Range<usize>, value: &Spanned<DeValue>) -> bool {
        let line = |at| self.places.of(at).line;
        let (first, last) = (line(key.start.min(value.span().start)), line(value.span().end));
        self.broken.range(first..=last.max(first)).next().is_some()
    }
}
