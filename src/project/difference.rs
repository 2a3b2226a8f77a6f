//! What a reload changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::deck::{Deck, Skill};
use super::entry::Entry;
use super::report::{BudgetReport, FindingReport, NotLoadedReport, SCHEMA, SkillReport};

/// One reload, as `watch --json` writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the fields are described in docs/json.md
pub struct Difference {
    pub schema: u32,
    pub added: Vec<SkillReport>,
    pub changed: Vec<SkillReport>,
    pub removed: Vec<String>,
    pub budget: BudgetReport,
    pub findings: Vec<FindingReport>,
    pub not_loaded: Vec<NotLoadedReport>,
}

impl Difference {
    /// What is different in `after`; `None` when nothing is.
    pub fn between(before: &Deck, after: &Deck) -> Option<Self> {
        let (old, new) = (by_folder(before), by_folder(after));
        let mut added = Vec::new();
        let mut changed = Vec::new();
        for (folder, skill) in &new {
            match old.get(folder) {
                None => added.push(SkillReport::of(after, skill)),
                Some(before) if !same(before, skill) => {
                    changed.push(SkillReport::of(after, skill));
                }
                Some(_) => {}
            }
        }
        let removed: Vec<_> =
            old.keys().filter(|f| !new.contains_key(*f)).map(ToString::to_string).collect();
        let budget = BudgetReport::of(after);
        let quiet = added.is_empty()
            && changed.is_empty()
            && removed.is_empty()
            && before.findings == after.findings
            && before.not_loaded == after.not_loaded
            && BudgetReport::of(before) == budget;
        (!quiet).then(|| Self {
            schema: SCHEMA,
            added,
            changed,
            removed,
            budget,
            findings: after.findings.iter().map(FindingReport::of_project).collect(),
            not_loaded: NotLoadedReport::all(after),
        })
    }
}

fn by_folder(deck: &Deck) -> BTreeMap<&str, &Skill> {
    deck.skills.iter().map(|skill| (skill.folder(), skill)).collect()
}

/// The running total does not count: one longer description moves all after it.
fn same(a: &Skill, b: &Skill) -> bool {
    same_place(a, b) && (Arc::ptr_eq(&a.entry, &b.entry) || same_content(&a.entry, &b.entry))
}

/// Whether a report would say the same: a mode or an owner that changed is no matter.
fn same_content(a: &Entry, b: &Entry) -> bool {
    let same_file = match (&a.file, &b.file) {
        (Ok(a), Ok(b)) => {
            a.stamp.modified() == b.stamp.modified() && a.real == b.real && a.reading == b.reading
        }
        (Err(a), Err(b)) => a == b,
        _ => false,
    };
    same_file && a.resources == b.resources && a.link == b.link && a.manifest == b.manifest
}

fn same_place(a: &Skill, b: &Skill) -> bool {
    a.description == b.description
        && (a.place.state, a.place.cost) == (b.place.state, b.place.cost)
        && a.name == b.name
        && a.status == b.status
        && a.findings == b.findings
}
