//! Copilot in Visual Studio Code, by its code: the name must be the folder.

use super::rules::{
    self, ANY, Description, Effect, Malformed, Measure, Missing, NO_MAX, Name, NameSource, Over,
    Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct VsCodeCopilot;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Fine,
    name: Name {
        source: NameSource::Field,
        valid: ANY,
        invalid: Effect::Fine,
        max: NO_MAX,
        too_long: Effect::Fine,
        mismatch: Effect::Skip,
        typed: Effect::Fine,
    },
    description: Description {
        missing: Missing::Skip,
        max: 1_024,
        measure: Measure::Utf16,
        over: Over::Cut(""),
        typed: Effect::Fine,
        folds: true,
        when_to_use: false,
    },
    hidden: |front| front.disable_model_invocation,
};

impl Client for VsCodeCopilot {
    fn id(&self) -> &'static str {
        "vscode-copilot"
    }
    fn about(&self) -> &'static str {
        "the name must be the folder, 1,024 characters stay"
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

    const P: Profile = Profile::VsCodeCopilot;

    #[test]
    fn what_becomes_of_a_skill() {
        let long = format!("name: x\ndescription: {}", "🚀".repeat(513));
        for (folder, lines, want) in [
            ("x", "name: x\ndescription: d", seen(S::Valid, "x", "d", &[])),
            ("x", "name: y\ndescription: d", seen(S::Error, "y", "d", &[C::NameMismatch])),
            ("x", "name: x", seen(S::Error, "x", "-", &[C::MissingDescription])),
            ("x", &long, seen(S::Warning, "x", &"🚀".repeat(512), &[C::DescriptionCut])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "# none\n").0, S::Error);
    }
}
