//! goose, by its code: any depth, and all that a skill needs is a name.

use super::rules::{
    self, Description, Effect, Malformed, Measure, Missing, NO_MAX, Name, NameSource, Over, Rules,
};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Deep, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};

pub(super) struct Goose;

const RULES: Rules = Rules {
    max_bytes: None,
    malformed: Malformed::Skip,
    bom: Effect::Fine,
    name: Name {
        source: NameSource::Field,
        valid: (|name| !name.contains('/'), "any text without `/`"),
        invalid: Effect::Skip,
        max: NO_MAX,
        too_long: Effect::Fine,
        mismatch: Effect::Fine,
        typed: Effect::Skip,
    },
    description: Description {
        missing: Missing::Empty,
        max: u64::MAX,
        measure: Measure::Characters,
        over: Over::Fine,
        typed: Effect::Skip,
        folds: true,
        when_to_use: false,
    },
    hidden: |_| false,
};

impl Client for Goose {
    fn id(&self) -> &'static str {
        "goose"
    }
    fn about(&self) -> &'static str {
        "any depth, a name is all it needs, `$1`"
    }
    fn discovery(&self) -> Discovery {
        Discovery::Deep(Deep { levels: None, hidden: true, file_links: true })
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::FirstPathWins
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
        ArgumentForm::FromOne
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

    const P: Profile = Profile::Goose;

    #[test]
    fn what_becomes_of_a_skill() {
        for (folder, lines, want) in [
            ("x", "name: Any\ndescription: d", seen(S::Valid, "Any", "d", &[])),
            ("x", "name: x", seen(S::Warning, "x", "", &[C::MissingDescription])),
            ("x", "description: d", seen(S::Error, "-", "d", &[C::NameEmpty])),
            ("x", "name: a/b\ndescription: d", seen(S::Error, "a/b", "d", &[C::NameInvalid])),
        ] {
            assert_eq!(head(P, folder, lines), want, "{lines}");
        }
        assert_eq!(text(P, "x", "# none\n").0, S::Error);
    }
}
