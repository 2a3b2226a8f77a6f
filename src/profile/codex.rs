//! Codex, by its code: folders at most six levels deep, YAML only, and a catalog
//! whose descriptions are shortened by turns.

use super::rules::{
    self, ANY, Description, Effect, Malformed, Measure, Missing, Name, NameSource, Over, Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Deep, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Unit, Verdict,
};

pub(super) struct Codex;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Skip,
    name: Name {
        source: NameSource::FieldElseFolder,
        valid: ANY,
        invalid: Effect::Fine,
        max: 64,
        too_long: Effect::Skip,
        mismatch: Effect::Fine,
        typed: Effect::Skip,
    },
    description: Description {
        missing: Missing::Skip,
        max: 1_024,
        measure: Measure::Characters,
        over: Over::Cut("..."),
        typed: Effect::Skip,
        folds: true,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }
    fn about(&self) -> &'static str {
        "six levels deep, YAML only, descriptions shortened by turns"
    }
    fn discovery(&self) -> Discovery {
        Discovery::Deep(Deep { levels: Some(6), hidden: false, file_links: false })
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::AllStay
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Rotation
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::Window { default: 8_000, percent: 2, unit: Unit::Tokens, per_token: 1 }
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::SkillTag
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
    use super::super::testing::{head, seen};
    use crate::skill::{Code as C, Status as S};

    const P: Profile = Profile::Codex;

    #[test]
    fn what_becomes_of_a_skill() {
        let long = format!("name: x\ndescription: {}", "é".repeat(1_025));
        let cut = format!("{}...", "é".repeat(1_021));
        let name = "n".repeat(65);
        let long_name = format!("name: {name}\ndescription: d");
        for (folder, lines, want) in [
            ("x", "name: Any Name\ndescription: d", seen(S::Valid, "Any Name", "d", &[])),
            ("a/b/c", "description: d", seen(S::Valid, "c", "d", &[])),
            ("x", "name: 7\ndescription: d", seen(S::Error, "7", "d", &[C::NameNotString])),
            ("x", "name: x", seen(S::Error, "x", "-", &[C::MissingDescription])),
            ("x", "description: a: b", seen(S::Error, "x", "a: b", &[C::YamlLenient])),
            ("x", "description: |\n  a\n   b", seen(S::Valid, "x", "a b", &[])),
            ("x", &long, seen(S::Warning, "x", &cut, &[C::DescriptionCut])),
            ("x", &long_name, seen(S::Error, &name, "d", &[C::NameTooLong])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
    }
}
