//! The catalog: which skills a model is told of, and what of them is cut
//! (CONTRACT §4, §9). Each rule has its file.

mod names;
mod rotation;
mod stop;
mod xml;

use std::borrow::Cow;

use serde::Serialize;

use crate::profile::{CatalogForm, Unit};

/// What stands for a catalog without skills.
pub const NONE: &str = "(none)";

/// The slot of a prompt that the list fills (seed A, step 5).
pub const SLOT: &str = "{{available_skills}}";

/// Whether a skill is in the catalog, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum State {
    /// In the catalog.
    Listed,
    /// Past the cut: the budget is used up.
    Cut,
    /// `hide: true`.
    Hidden,
    /// The agent's filter leaves it out.
    Filtered,
    /// It does not load.
    Error,
    /// Another skill with its name is kept.
    Duplicate,
}

impl State {
    /// The word for it, everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Cut => "cut",
            Self::Hidden => "hidden",
            Self::Filtered => "filtered",
            Self::Error => "error",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A skill as a catalog lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item<'a> {
    /// The effective name.
    pub name: &'a str,
    /// The description; some clients do without one.
    pub description: &'a str,
    /// The path of its `SKILL.md`, for forms that name it.
    pub path: Cow<'a, str>,
}

impl<'a> Item<'a> {
    /// A skill for a form that names no path.
    pub fn new(name: &'a str, description: &'a str) -> Self {
        Self { name, description, path: Cow::Borrowed("") }
    }

    /// Its lines in a catalog, with the first `kept` characters of the description.
    pub fn lines(&self, form: CatalogForm, kept: u64) -> String {
        let description = head_of(self.description, kept);
        let Self { name, path, .. } = self;
        match form {
            CatalogForm::Names if description.is_empty() => format!("- {name}"),
            CatalogForm::Stop | CatalogForm::Whole | CatalogForm::Names => {
                format!("- {name}: {description}")
            }
            CatalogForm::Rotation if description.is_empty() => format!("- {name}: (file: {path})"),
            CatalogForm::Rotation => format!("- {name}: {description} (file: {path})"),
            CatalogForm::Xml => xml::entry(self),
        }
    }

    /// What its lines take from a budget, the last line end too.
    fn cost(&self, form: CatalogForm, unit: Unit, kept: u64) -> u64 {
        if form == CatalogForm::Stop && unit == Unit::Characters {
            return cost(self.name, head_of(self.description, kept));
        }
        let text = self.lines(form, kept);
        unit.of_counts(text.chars().count() as u64 + 1, text.len() as u64 + 1)
    }

    fn chars(&self) -> u64 {
        self.description.chars().count() as u64
    }

    fn whole(&self, form: CatalogForm, unit: Unit) -> Laid {
        let kept = self.chars();
        Laid { cost: self.cost(form, unit, kept), kept: Some(kept) }
    }
}

/// The first characters of a text.
fn head_of(text: &str, chars: u64) -> &str {
    let at = text.char_indices().nth(usize::try_from(chars).unwrap_or(usize::MAX));
    at.map_or(text, |(at, _)| &text[..at])
}

/// What becomes of a skill in a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Laid {
    /// What its lines take from the budget as they are listed; of one that is not
    /// listed, what they would take.
    pub cost: u64,
    /// How many characters of its description are listed; `None` when it is not
    /// listed.
    pub kept: Option<u64>,
}

/// What becomes of each skill within a limit.
pub fn lay(form: CatalogForm, items: &[Item<'_>], limit: Option<u64>, unit: Unit) -> Vec<Laid> {
    let limit = limit.unwrap_or(u64::MAX);
    match form {
        CatalogForm::Stop => stop::lay(items, limit, unit),
        CatalogForm::Names => names::lay(items, limit, unit),
        CatalogForm::Rotation => rotation::lay(items, limit, unit),
        CatalogForm::Xml | CatalogForm::Whole => {
            items.iter().map(|item| item.whole(form, unit)).collect()
        }
    }
}

/// What a catalog takes before its first skill and after its last.
pub fn around(form: CatalogForm) -> (u64, u64) {
    match form {
        CatalogForm::Xml => (xml::OPEN.len() as u64 + 1, xml::CLOSE.len() as u64 + 1),
        _ => (0, 0),
    }
}

/// What a skill's line takes from the budget under the rule of seed A: its
/// characters and one for the line end, on the last line too.
pub fn cost(name: &str, description: &str) -> u64 {
    let punctuation = "- : \n".len();
    (name.chars().count() + description.chars().count() + punctuation) as u64
}

/// The text of a catalog: the lines of the skills that are listed, each with
/// so many characters of its description.
pub fn text<'a>(
    form: CatalogForm,
    listed: impl IntoIterator<Item = (&'a Item<'a>, u64)>,
) -> String {
    let mut lines: Vec<_> = listed.into_iter().map(|(item, kept)| item.lines(form, kept)).collect();
    match form {
        CatalogForm::Xml => {
            lines.insert(0, xml::OPEN.to_owned());
            lines.push(xml::CLOSE.to_owned());
        }
        _ if lines.is_empty() => return NONE.to_owned(),
        _ => {}
    }
    lines.join("\n")
}

/// A prompt with its slots filled, each once: a slot in a description stays.
pub fn fill(prompt: &str, list: &str) -> String {
    prompt.replace(SLOT, list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(form: CatalogForm, skills: &[(&str, &str)]) -> String {
        let items: Vec<_> = skills.iter().map(|(name, about)| Item::new(name, about)).collect();
        text(form, items.iter().map(|item| (item, item.chars())))
    }

    #[test]
    fn a_line_costs_its_characters_and_one() {
        for (name, about) in [("a", "b"), ("alpha", "Twelve chars"), ("aa", "🚀🚀"), ("é", "审")]
        {
            let item = Item::new(name, about);
            let line = item.lines(CatalogForm::Stop, item.chars());
            let chars = line.chars().count() as u64;
            assert_eq!(cost(name, about), chars + 1, "{name}");
            let laid = item.whole(CatalogForm::Whole, Unit::Characters);
            assert_eq!(laid.cost, chars + 1, "{name}");
            assert_eq!(
                item.whole(CatalogForm::Stop, Unit::Tokens).cost,
                (line.len() as u64 + 1).div_ceil(4),
                "{name}"
            );
        }
    }

    #[test]
    fn nothing_to_list_is_said() {
        assert_eq!(listing(CatalogForm::Stop, &[]), "(none)");
        assert_eq!(listing(CatalogForm::Xml, &[]), "<available_skills>\n</available_skills>");
        assert_eq!(listing(CatalogForm::Stop, &[("a", "x"), ("b", "y")]), "- a: x\n- b: y");
        assert_eq!(listing(CatalogForm::Names, &[("a", ""), ("b", "y")]), "- a\n- b: y");
    }

    #[test]
    fn a_slot_is_filled_once() {
        let list = listing(CatalogForm::Stop, &[("a", "Fill {{available_skills}} and {0}")]);
        assert_eq!(fill("Skills\n{{available_skills}}\n", &list), format!("Skills\n{list}\n"));
        assert_eq!(fill("none", &list), "none");
    }
}
