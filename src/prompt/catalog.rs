//! The catalog: which skills a model is told of, and where the list is cut (CONTRACT §4).

use serde::Serialize;

/// What stands for a catalog without skills.
pub const NONE: &str = "(none)";

/// The slot of a prompt that the list fills (seed A, step 5).
pub const SLOT: &str = "{{available_skills}}";

/// Whether a skill is in the catalog, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// The line of a skill in the prompt list.
pub fn line(name: &str, description: &str) -> String {
    format!("- {name}: {description}")
}

/// What a skill's line takes from the budget: its characters and one for the
/// line end, on the last line too.
pub fn cost(name: &str, description: &str) -> u64 {
    let punctuation = "- : \n".len();
    (name.chars().count() + description.chars().count() + punctuation) as u64
}

/// The running totals of the lines that are kept, up to the first that does
/// not fit. The first line is kept whatever it costs.
pub fn cut(costs: impl IntoIterator<Item = u64>, limit: Option<u64>) -> Vec<u64> {
    let mut totals = Vec::new();
    let mut used = 0_u64;
    for cost in costs {
        let total = used.saturating_add(cost);
        if limit.is_some_and(|limit| total > limit) && !totals.is_empty() {
            break;
        }
        totals.push(total);
        used = total;
    }
    totals
}

/// The prompt list: the lines joined, or [`NONE`].
pub fn text<'a>(skills: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<_> = skills.into_iter().map(|(name, about)| line(name, about)).collect();
    if lines.is_empty() { NONE.to_owned() } else { lines.join("\n") }
}

/// A prompt with its slots filled, each once: a slot in a description stays.
pub fn fill(prompt: &str, list: &str) -> String {
    prompt.replace(SLOT, list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_costs_its_characters_and_one() {
        for (name, about) in [("a", "b"), ("alpha", "Twelve chars"), ("aa", "🚀🚀"), ("é", "审")]
        {
            let chars = line(name, about).chars().count() as u64;
            assert_eq!(cost(name, about), chars + 1, "{name}");
        }
    }

    #[test]
    fn the_list_stops_at_the_first_line_that_does_not_fit() {
        for (costs, limit, totals) in [
            (vec![22, 21, 22], Some(65), vec![22, 43, 65]),
            (vec![22, 21, 22], Some(64), vec![22, 43]),
            (vec![22, 21, 22], Some(0), vec![22]),
            (vec![22, 21, 22], Some(1), vec![22]),
            (vec![22, 21, 22], None, vec![22, 43, 65]),
            (vec![16, 510, 16], Some(60), vec![16]),
            (vec![], Some(0), vec![]),
            (vec![u64::MAX, 1], Some(u64::MAX), vec![u64::MAX, u64::MAX]),
        ] {
            assert_eq!(cut(costs.clone(), limit), totals, "{costs:?} {limit:?}");
        }
    }

    #[test]
    fn nothing_to_list_is_said() {
        assert_eq!(text([]), "(none)");
        assert_eq!(text([("a", "x"), ("b", "y")]), "- a: x\n- b: y");
    }

    #[test]
    fn a_slot_is_filled_once() {
        let list = text([("a", "Fill {{available_skills}} and {0}")]);
        assert_eq!(fill("Skills\n{{available_skills}}\n", &list), format!("Skills\n{list}\n"));
        assert_eq!(fill("none", &list), "none");
    }
}
