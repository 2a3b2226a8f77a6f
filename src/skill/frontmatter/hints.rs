//! What may have been meant where something is missing or wrong.

use super::{Frontmatter, INTERPRETED, Source};
use crate::skill::finding::{Code, Finding};
use crate::skill::place::lines;
use crate::skill::text::head;

impl Source<'_> {
    /// A full-width colon that an input method wrote after the key; its byte.
    pub(super) fn full_width_colon(&self, key: &str) -> Option<(usize, String)> {
        self.full_width_colons().find(|(_, found)| found == key).map(|(at, key)| (at, hint(&key)))
    }

    /// The first one after any key.
    pub(super) fn any_full_width_colon(&self) -> Option<(usize, String)> {
        self.full_width_colons().next().map(|(at, key)| (at, hint(&key)))
    }

    fn full_width_colons(&self) -> impl Iterator<Item = (usize, String)> {
        lines(self.head).filter_map(|line| {
            let (key, _) = line.text.split_once('\u{ff1a}')?;
            is_key(key).then(|| (line.start + key.len(), key.to_owned()))
        })
    }

    /// The first white space after a key's colon that YAML does not know; its byte.
    pub(super) fn odd_space(&self) -> Option<usize> {
        lines(self.head).find_map(|line| {
            let (key, value) = line.text.split_once(':')?;
            let odd = value.chars().next().is_some_and(|c| c.is_whitespace() && !c.is_ascii());
            (is_key(key) && odd).then(|| line.start + key.len() + 1)
        })
    }

    /// An interpreted key whose colon has no space after it.
    pub(super) fn missing_space(&self) -> Option<&str> {
        lines(self.head).find_map(|line| {
            let (key, value) = line.text.split_once(':')?;
            let tight = value.chars().next().is_some_and(|c| !c.is_whitespace());
            (tight && INTERPRETED.contains(&key)).then_some(key)
        })
    }

    /// Why the line at `line_at` is no `key: value`, when YAML stopped at `at`.
    pub(super) fn hint_at(&self, line_at: usize, at: usize) -> String {
        let line = lines(&self.head[line_at..]).next().map_or("", |l| l.text);
        if let Some((_, hint)) = self.any_full_width_colon() {
            return format!("{hint}; ");
        }
        match line.split_once(':') {
            Some((key, _)) if INTERPRETED.contains(&key) => {
                format!("a space is missing after `{key}:`; ")
            }
            _ if line_at == at => String::new(),
            _ => format!(
                "line {} (`{}`) is no `key: value`; ",
                self.place(line_at).line,
                head(line.trim(), 40)
            ),
        }
    }

    /// What may have been meant for the `description` that is not there.
    pub(super) fn missing_description_hint(&self, fm: &Frontmatter) -> Option<Finding> {
        let say = |message: String, place| {
            Some(Finding::new(Code::MissingDescription, message).at(place))
        };
        if let Some(field) = fm.fields.iter().find(|f| f.key == "description") {
            let line = lines(self.head).find(|line| line.text.starts_with("description:"))?;
            let value = line.text["description:".len()..].trim_start();
            return value.starts_with('#').then(|| {
                let message = "`description` is empty: `#` after the colon begins a comment; put \
                               quotes around the text";
                Finding::new(Code::MissingDescription, message).at(field.place)
            });
        }
        for field in &fm.fields {
            let key = field.key.as_str();
            if key.eq_ignore_ascii_case("description") {
                let message = format!("`{key}` is not `description`: keys are lower case");
                return say(message, field.place);
            }
            if key.trim() == "description" {
                let odd = key.chars().find(|c| c.is_whitespace()).map_or(0, |c| c as u32);
                let message = format!("`description` is followed by U+{odd:04X}; remove it");
                return say(message, field.place);
            }
            if key.trim_start_matches(['+', '-', ' ']) == "description" {
                let message =
                    format!("`{key}` looks like a line of a patch; did you mean `description`?");
                return say(message, field.place);
            }
        }
        if let Some((at, hint)) = self.full_width_colon("description") {
            return say(hint, self.place(at));
        }
        if let Some(field) = fm.fields.iter().find(|f| f.key == "<<") {
            let message = "there is no `description` of its own, and merge keys (`<<`) are not \
                           part of YAML 1.2; write it out";
            return say(message.to_owned(), field.place);
        }
        let near =
            fm.fields.iter().find(|f| strsim::damerau_levenshtein(&f.key, "description") <= 2)?;
        let message = format!("`{}` is not `description`; a slip of the hand?", near.key);
        say(message, near.place)
    }
}

fn hint(key: &str) -> String {
    format!("`{key}` is followed by a full-width colon (U+FF1A); type `:` and a space")
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}
