//! Cline, by its code: the name must be the folder.

use super::rules::{
    self, ANY, Description, Effect, Malformed, Measure, Missing, NO_MAX, Name, NameSource, Over,
    Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct Cline;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Skip,
    name: Name {
        source: NameSource::Field,
        valid: ANY,
        invalid: Effect::Fine,
        max: NO_MAX,
        too_long: Effect::Fine,
        mismatch: Effect::Skip,
        typed: Effect::Skip,
    },
    description: Description {
        missing: Missing::Skip,
        max: u64::MAX,
        measure: Measure::Utf16,
        over: Over::Fine,
        typed: Effect::Skip,
        folds: true,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for Cline {
    fn id(&self) -> &'static str {
        "cline"
    }
    fn about(&self) -> &'static str {
        "name and description needed, the name must be the folder"
    }
    fn discovery(&self) -> Discovery {
        Discovery::OneLevel
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::LastPathWins
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Whole
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::None
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::Body
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

    const P: Profile = Profile::Cline;

    #[test]
    fn what_becomes_of_a_skill() {
        let long = format!("name: x\ndescription: {}", "é".repeat(2_000));
        for (folder, lines, want) in [
            ("x", "name: x\ndescription: d", seen(S::Valid, "x", "d", &[])),
            ("X y", "name: X y\ndescription: d", seen(S::Valid, "X y", "d", &[])),
            ("x", "name: y\ndescription: d", seen(S::Error, "y", "d", &[C::NameMismatch])),
            ("x", "name: x\ndescription: a: b", seen(S::Error, "x", "a: b", &[C::YamlLenient])),
            ("x", &long, seen(S::Valid, "x", &"é".repeat(2_000), &[])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "# none\n").0, S::Error);
    }
}
