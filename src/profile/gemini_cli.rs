//! Gemini CLI, by its code: one level, a lenient second reading.

use super::rules::{
    self, ANY, Description, Effect, Malformed, Measure, Missing, NO_MAX, Name, NameSource, Over,
    Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct GeminiCli;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Lenient,
    bom: Effect::Skip,
    name: Name {
        source: NameSource::Field,
        valid: ANY,
        invalid: Effect::Fine,
        max: NO_MAX,
        too_long: Effect::Fine,
        mismatch: Effect::Fine,
        typed: Effect::Fine,
    },
    description: Description {
        missing: Missing::Skip,
        max: u64::MAX,
        measure: Measure::Utf16,
        over: Over::Fine,
        typed: Effect::Fine,
        folds: true,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for GeminiCli {
    fn id(&self) -> &'static str {
        "gemini-cli"
    }
    fn about(&self) -> &'static str {
        "one level, name and description needed"
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

    const P: Profile = Profile::GeminiCli;

    #[test]
    fn what_becomes_of_a_skill() {
        for (folder, lines, want) in [
            ("x", "name: Any\ndescription: d", seen(S::Valid, "Any", "d", &[])),
            ("x", "description: d", seen(S::Error, "-", "d", &[C::NameEmpty])),
            ("x", "name: 7\ndescription: d", seen(S::Valid, "7", "d", &[])),
            ("x", "name: x\ndescription: a: b", seen(S::Warning, "x", "a: b", &[C::YamlLenient])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "\u{feff}---\nname: x\ndescription: d\n---\nb\n").0, S::Error);
    }
}
