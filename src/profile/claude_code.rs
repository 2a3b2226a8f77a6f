//! Claude Code, as documented: everything is optional, the folder is the command,
//! and the catalog keeps every name.

use super::rules::{
    self, ANY, Description, Effect, Malformed, Measure, Missing, NO_MAX, Name, NameSource, Over,
    Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Unit, Verdict,
};

pub(super) struct ClaudeCode;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Empty,
    bom: Effect::Fine,
    name: Name {
        source: NameSource::Folder,
        valid: ANY,
        invalid: Effect::Fine,
        max: NO_MAX,
        too_long: Effect::Fine,
        mismatch: Effect::Fine,
        typed: Effect::Fine,
    },
    description: Description {
        missing: Missing::FirstText,
        max: 1_536,
        measure: Measure::Characters,
        over: Over::Cut("…"),
        typed: Effect::Fine,
        folds: true,
        when_to_use: true,
    },
    hidden: |front| front.disable_model_invocation,
};

impl Client for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }
    fn about(&self) -> &'static str {
        "as documented: the folder is the name, all else is optional"
    }
    fn discovery(&self) -> Discovery {
        Discovery::OneLevel
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::AllStay
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Names
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::Window { default: 8_000, percent: 1, unit: Unit::Characters, per_token: 4 }
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::AbsoluteBase
    }
    fn arguments(&self) -> ArgumentForm {
        ArgumentForm::FromZero
    }

    fn judge(&self, folder: &FolderName, reading: &Reading, _: Option<u64>) -> Verdict {
        rules::judge(&RULES, folder, reading)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Profile;
    use super::super::testing::{head, seen, text};
    use super::super::{FolderName, Reading};
    use crate::skill::{Code as C, Status as S};

    const P: Profile = Profile::ClaudeCode;

    #[test]
    fn what_becomes_of_a_skill() {
        let long = format!("description: {}", "é".repeat(1_537));
        let cut = format!("{}…", "é".repeat(1_535));
        for (folder, lines, want) in [
            ("My Skill", "name: other\ndescription: d", seen(S::Valid, "My Skill", "d", &[])),
            ("x", "a: b", seen(S::Warning, "x", "Do it now.", &[C::MissingDescription])),
            ("x", "description: d\nwhen_to_use: w", seen(S::Valid, "x", "d - w", &[])),
            ("x", "description: d\nwhenToUse: w", seen(S::Valid, "x", "d - w", &[])),
            ("x", "description: a: b", seen(S::Warning, "x", "", &[C::YamlLenient])),
            ("x", "description: [a", seen(S::Warning, "x", "", &[C::YamlLenient])),
            ("x", &long, seen(S::Warning, "x", &cut, &[C::DescriptionCut])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        let bare = text(P, "x", "# Title\n\nDo it\nnow.\n");
        let codes = [C::NoFrontmatter, C::MissingDescription];
        assert_eq!(bare, seen(S::Warning, "x", "Do it now.", &codes));
        let hidden = |value: &str| {
            let text = format!("---\ndisable-model-invocation: {value}\n---\nb\n");
            P.judge(&FolderName::new("x".as_ref()), &Reading::of(text.as_bytes())).hidden
        };
        assert!(hidden("true") && hidden("Yes") && !hidden("false") && !hidden("maybe"));
    }
}
