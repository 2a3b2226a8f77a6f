//! Zed, by its code: names of a-z, 0-9 and hyphens, lengths in bytes.

use super::rules::{
    self, Description, Effect, Malformed, Measure, Missing, Name, NameSource, Over, Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct Zed;

const RULES: Rules = Rules {
    max_bytes: Some(100 * 1_024),
    malformed: Malformed::Skip,
    bom: Effect::Skip,
    name: Name {
        source: NameSource::Field,
        valid: (
            |name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "a-z, 0-9 and hyphens",
        ),
        invalid: Effect::Skip,
        max: 64,
        too_long: Effect::Skip,
        mismatch: Effect::Fine,
        typed: Effect::Skip,
    },
    description: Description {
        missing: Missing::Skip,
        max: 1_024,
        measure: Measure::Bytes,
        over: Over::Warn,
        typed: Effect::Skip,
        folds: true,
        when_to_use: false,
    },
    hidden: |front| front.disable_model_invocation,
};

impl Client for Zed {
    fn id(&self) -> &'static str {
        "zed"
    }
    fn about(&self) -> &'static str {
        "a-z, 0-9 and hyphens; 1,024 bytes"
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

    const P: Profile = Profile::Zed;

    #[test]
    fn what_becomes_of_a_skill() {
        // Counted in bytes, of which this letter has two.
        let long = format!("name: x\ndescription: {}", "é".repeat(513));
        for (folder, lines, want) in [
            ("y", "name: -x--\ndescription: d", seen(S::Valid, "-x--", "d", &[])),
            ("x", "name: X\ndescription: d", seen(S::Error, "X", "d", &[C::NameInvalid])),
            ("x", &long, seen(S::Warning, "x", &"é".repeat(513), &[C::DescriptionOver1024])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        let large = format!("---\nname: x\ndescription: d\n---\n{}", "b".repeat(100 * 1_024));
        assert_eq!(text(P, "x", &large), seen(S::Error, "x", "d", &[C::FileTooLarge]));
    }
}
