//! kaged by the letter of ADR-0044 §7: what is not exactly right is skipped.

use super::kaged::Kaged;
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};
use crate::skill::{Code, Finding, Level, name};

pub(super) struct KagedStrict;

/// What only warns under `kaged` and refuses a skill here.
const REFUSED: [Code; 5] = [
    Code::NameInvalid,
    Code::NameMismatch,
    Code::DescriptionOver280,
    Code::YamlLenient,
    Code::DuplicateKey,
];

impl Client for KagedStrict {
    fn id(&self) -> &'static str {
        "kaged-strict"
    }
    fn about(&self) -> &'static str {
        "ADR-0044 to the letter: 280 characters, 16 skills"
    }
    fn discovery(&self) -> Discovery {
        Discovery::OneLevel
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::FolderNameWins
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Stop
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::Shared
    }
    fn arguments(&self) -> ArgumentForm {
        ArgumentForm::RuleIfGiven
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::SkillContent
    }
    fn has_agents(&self) -> bool {
        true
    }
    fn max_skills(&self) -> Option<usize> {
        Some(16)
    }

    fn judge(&self, folder: &FolderName, reading: &Reading, _: Option<u64>) -> Verdict {
        // By the letter there is one limit, whatever a user would like.
        let mut verdict = Kaged.judge(folder, reading, None);
        for finding in &mut verdict.findings {
            if REFUSED.contains(&finding.code) {
                finding.level = Level::Error;
            }
        }
        let bad_slot = verdict.name.as_deref().filter(|name| !name::is_slot(name));
        if let Some(name) = bad_slot
            && !verdict.findings.iter().any(|f| f.code == Code::NameInvalid)
        {
            let finding = Finding::new(
                Code::NameInvalid,
                format!(
                    "the name `{name}` is no slot name of the ADR (2–64 characters, a letter \
                     first); rename the skill"
                ),
            );
            verdict.findings.push(finding.level(Level::Error));
        }
        verdict
    }
}
