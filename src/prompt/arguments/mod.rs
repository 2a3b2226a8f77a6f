//! Arguments in the body of a skill: each client's way to put them there
//! (CONTRACT §5, §9).

mod from_one;
mod from_zero;
mod rule;
mod words;

use std::ops::Range;

use crate::profile::ArgumentForm;

/// Arguments as they reach a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments<'a> {
    /// None were given: `kaged` knows none and leaves the body verbatim.
    NotGiven,
    /// These were given, perhaps empty.
    Given(&'a str),
}

impl<'a> Arguments<'a> {
    /// What was given; nothing is as an empty text.
    pub fn or_empty(self) -> &'a str {
        match self {
            Self::NotGiven => "",
            Self::Given(text) => text,
        }
    }
}

/// A body with arguments in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Where arguments stand in it, in bytes.
    pub arguments: Vec<Range<usize>>,
}

impl Expanded {
    fn verbatim(text: &str) -> Self {
        Self { text: text.to_owned(), arguments: Vec::new() }
    }

    /// Appends a text that is no argument.
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends an argument.
    fn push_argument(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        if !text.is_empty() {
            self.arguments.push(start..self.text.len());
        }
    }

    /// Appends what seed A and others put behind a body that takes no arguments.
    fn append(&mut self, arguments: &str) {
        self.push("\n\nARGUMENTS: ");
        self.push_argument(arguments);
    }
}

/// What a client knows beside the arguments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The names of the positions, in order.
    pub names: &'a [String],
    /// Other placeholders and what stands for them.
    pub values: &'a [(&'a str, &'a str)],
}

/// A body with the arguments in it, as a client puts them there.
pub fn expand(
    form: ArgumentForm,
    body: &str,
    arguments: Arguments<'_>,
    known: Known<'_>,
) -> Expanded {
    match (form, arguments) {
        (ArgumentForm::None, _)
        | (
            ArgumentForm::RuleIfGiven | ArgumentForm::FromOne | ArgumentForm::FromOneRest,
            Arguments::NotGiven,
        ) => Expanded::verbatim(body),
        (ArgumentForm::Rule | ArgumentForm::RuleIfGiven, given) => {
            rule::expand(body, given.or_empty())
        }
        (ArgumentForm::FromZero, given) => from_zero::expand(body, given.or_empty(), known),
        (ArgumentForm::FromOne, given) => from_one::goose(body, given.or_empty()),
        (ArgumentForm::FromOneRest, given) => from_one::opencode(body, given.or_empty()),
    }
}
