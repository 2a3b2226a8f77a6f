//! Roo Code, by its code: the open standard, and what breaks it is dropped.

use super::rules::{
    self, Description, Effect, Malformed, Measure, Missing, Name, NameSource, Over, Rules, STANDARD,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct Roo;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Fine,
    name: Name {
        source: NameSource::Field,
        valid: STANDARD,
        invalid: Effect::Skip,
        max: 64,
        too_long: Effect::Skip,
        mismatch: Effect::Skip,
        typed: Effect::Skip,
    },
    description: Description {
        missing: Missing::Skip,
        max: 1_024,
        measure: Measure::Utf16,
        over: Over::Skip,
        typed: Effect::Skip,
        folds: true,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for Roo {
    fn id(&self) -> &'static str {
        "roo"
    }
    fn about(&self) -> &'static str {
        "what breaks the open standard is dropped"
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

    const P: Profile = Profile::Roo;

    #[test]
    fn what_becomes_of_a_skill() {
        // Counted in UTF-16 units, of which this sign has two.
        let long = format!("name: x\ndescription: {}", "🚀".repeat(513));
        let fits = format!("name: x\ndescription: {}", "🚀".repeat(512));
        for (folder, lines, want) in [
            ("x", "name: x\ndescription: d", seen(S::Valid, "x", "d", &[])),
            ("x", "name: y\ndescription: d", seen(S::Error, "y", "d", &[C::NameMismatch])),
            ("X", "name: X\ndescription: d", seen(S::Error, "X", "d", &[C::NameInvalid])),
            ("x", &fits, seen(S::Valid, "x", &"🚀".repeat(512), &[])),
            ("x", &long, seen(S::Error, "x", &"🚀".repeat(513), &[C::DescriptionOver1024])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "\u{feff}---\nname: x\ndescription: d\n---\nb\n").0, S::Valid);
    }
}
