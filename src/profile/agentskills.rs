//! The open standard of agentskills.io, read as its guide for clients asks: what
//! is wrong with a name is warned of, and only what cannot be used is skipped.

use super::rules::{
    self, Description, Effect, Malformed, Measure, Missing, Name, NameSource, Over, Rules, STANDARD,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct AgentSkills;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Skip,
    name: Name {
        source: NameSource::FieldElseFolder,
        valid: STANDARD,
        invalid: Effect::Warn,
        max: 64,
        too_long: Effect::Warn,
        mismatch: Effect::Warn,
        typed: Effect::Fine,
    },
    description: Description {
        missing: Missing::Skip,
        max: 1_024,
        measure: Measure::Characters,
        over: Over::Warn,
        typed: Effect::Fine,
        folds: false,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for AgentSkills {
    fn id(&self) -> &'static str {
        "agentskills"
    }
    fn about(&self) -> &'static str {
        "the open standard: YAML only, 1,024 characters, no cut"
    }
    fn discovery(&self) -> Discovery {
        Discovery::OneLevel
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::FolderNameWins
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Xml
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::None
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::StandardContent
    }
    fn arguments(&self) -> ArgumentForm {
        ArgumentForm::None
    }

    fn judge(&self, folder: &FolderName, reading: &Reading, _: Option<u64>) -> Verdict {
        rules::judge(&RULES, folder, reading)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Profile;
    use super::super::testing::{head, seen, text};
    use crate::skill::{Code as C, Status as S};

    const P: Profile = Profile::AgentSkills;

    #[test]
    fn what_becomes_of_a_skill() {
        let long = format!("name: x\ndescription: {}", "é".repeat(1_025));
        for (folder, lines, want) in [
            ("x", "name: x\ndescription: d", seen(S::Valid, "x", "d", &[])),
            ("x", "description: d", seen(S::Valid, "x", "d", &[])),
            ("x", "name: y\ndescription: d", seen(S::Warning, "y", "d", &[C::NameMismatch])),
            ("X_", "name: X_\ndescription: d", seen(S::Warning, "X_", "d", &[C::NameInvalid])),
            ("x", "name: x", seen(S::Error, "x", "-", &[C::MissingDescription])),
            ("x", "name: x\ndescription: a: b", seen(S::Error, "x", "a: b", &[C::YamlLenient])),
            ("x", "name: x\ndescription: |\n  a\n  b", seen(S::Valid, "x", "a\nb", &[])),
            ("x", &long, seen(S::Warning, "x", &"é".repeat(1_025), &[C::DescriptionOver1024])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "\u{feff}---\nname: x\ndescription: d\n---\nb\n").0, S::Error);
    }
}
