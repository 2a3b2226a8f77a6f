//! Notes that somebody does not want to see.

use std::collections::{BTreeMap, BTreeSet};

use crate::skill::{Code, Finding, Level};

/// Notes of the project and of things beside the skills, which are never silenced.
const OF_NO_SKILL: [Code; 6] = [
    Code::SameFolder,
    Code::LooseFile,
    Code::DotFolders,
    Code::MoreThan16,
    Code::FirstLineOverBudget,
    Code::BudgetExceeded,
];

/// Which notes are silenced, of which skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silenced {
    by_folder: BTreeMap<String, BTreeSet<Code>>,
}

impl Silenced {
    /// The folder name that stands for every skill. No folder can be meant by
    /// it: a skill's name has no `*`.
    pub const EVERY_SKILL: &str = "*";

    /// The codes that can be silenced.
    pub fn codes() -> impl Iterator<Item = Code> {
        let is_said_of_a_skill = |code: &Code| !OF_NO_SKILL.contains(code);
        let notes = Code::ALL.iter().copied().filter(|code| code.level() == Level::Note);
        notes.filter(is_said_of_a_skill)
    }

    /// Silences a note of the skill in `folder`.
    pub fn add(&mut self, folder: &str, code: Code) {
        self.by_folder.entry(folder.to_owned()).or_default().insert(code);
    }

    /// Whether nothing is silenced.
    pub fn is_empty(&self) -> bool {
        self.by_folder.is_empty()
    }

    /// Whether a finding of the skill in `folder` is not to be seen. What is
    /// more than a note under the profile in use always is.
    pub fn hides(&self, folder: &str, finding: &Finding) -> bool {
        let names = |folder| self.by_folder.get(folder).is_some_and(|c| c.contains(&finding.code));
        let is_of_skill = !OF_NO_SKILL.contains(&finding.code);
        is_of_skill && finding.level == Level::Note && (names(folder) || names(Self::EVERY_SKILL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_notes_are_hidden_and_only_where_they_are_silenced() {
        let mut silenced = Silenced::default();
        assert!(silenced.is_empty());
        silenced.add("a", Code::LongBody);
        silenced.add("*", Code::PositionalArgument);
        silenced.add("*", Code::NameMismatch);
        let finding = |code| Finding::new(code, "x");
        for (folder, finding, hidden) in [
            ("a", finding(Code::LongBody), true),
            ("b", finding(Code::LongBody), false),
            ("a", finding(Code::MixedEol), false),
            ("b", finding(Code::PositionalArgument), true),
            ("b", finding(Code::PositionalArgument).level(Level::Error), false),
            ("a", finding(Code::NameMismatch), false),
        ] {
            assert_eq!(silenced.hides(folder, &finding), hidden, "{folder} {finding:?}");
        }
    }
}
