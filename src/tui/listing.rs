//! The rows of the list: what the filter finds, in the chosen order.

use std::cmp::Reverse;
use std::sync::Arc;

use super::filter::{Filter, Sieve};
use crate::project::{Deck, Skill};
use crate::prompt::catalog::State as Catalogued;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A skill, by its index in the deck.
    Skill(usize),
    /// Where the catalog is cut.
    Cut,
    /// Something that is not loaded, by its index in the deck.
    NotLoaded(usize),
}

/// The order of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// That of the catalog.
    #[default]
    Name,
    /// Errors first, then warnings.
    Status,
    /// The dearest line first.
    Cost,
    /// What was changed last first.
    Modified,
    /// The largest file first.
    Size,
    /// What was activated most first.
    Used,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Name, Self::Status, Self::Cost, Self::Modified, Self::Size, Self::Used];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Status => "status",
            Self::Cost => "cost",
            Self::Modified => "modified",
            Self::Size => "size",
            Self::Used => "used",
        }
    }

    /// What comes first.
    pub fn about(self) -> &'static str {
        match self {
            Self::Name => "as in the catalog, with its cut",
            Self::Status => "errors first, then warnings",
            Self::Cost => "the dearest catalog line first",
            Self::Modified => "the last changed first",
            Self::Size => "the largest SKILL.md first",
            Self::Used => "the most often activated first",
        }
    }
}

/// What a list is made from.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The skills.
    pub deck: Arc<Deck>,
    /// What is looked for.
    pub filter: Filter,
    /// The order.
    pub sort: Sort,
    /// The number of the request.
    pub number: u64,
}

/// The rows that were wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many of them are skills.
    pub skills: usize,
    /// The skill that a typed text fits best.
    pub best: Option<usize>,
    /// The number of the request.
    pub number: u64,
}

/// Makes lists; the memory that matching needs is kept from one to the next.
#[derive(Debug, Default)]
pub struct Lister {
    sieve: Sieve,
}

impl Lister {
    /// The list that is wanted.
    pub fn list(&mut self, wanted: &Wanted) -> Listing {
        let deck = &wanted.deck;
        let (mut skills, best) = self.find(wanted);
        sort(deck, &mut skills, wanted.sort);
        let mut rows = Vec::with_capacity(skills.len() + deck.not_loaded.len() + 1);
        let mut is_cut = wanted.sort != Sort::Name;
        for i in &skills {
            if !is_cut && deck.skills[*i].place.state == Catalogued::Cut {
                is_cut = true;
                rows.push(Row::Cut);
            }
            rows.push(Row::Skill(*i));
        }
        let sieve = &mut self.sieve;
        let not_loaded = deck.not_loaded.iter().enumerate();
        rows.extend(
            not_loaded
                .filter(|(_, thing)| {
                    wanted.filter.is_empty() || sieve.not_loaded(&wanted.filter, thing).is_some()
                })
                .map(|(i, _)| Row::NotLoaded(i)),
        );
        Listing { rows, skills: skills.len(), best, number: wanted.number }
    }

    /// The skills that are found, in the deck's order, and the best of them.
    fn find(&mut self, wanted: &Wanted) -> (Vec<usize>, Option<usize>) {
        let Wanted { deck, filter, .. } = wanted;
        if filter.is_empty() {
            return ((0..deck.skills.len()).collect(), None);
        }
        let mut best = None;
        let mut found = Vec::new();
        for i in 0..deck.skills.len() {
            if let Some(score) = self.sieve.skill(filter, &deck.skills[i]) {
                found.push(i);
                best = best.max(Some((score, Reverse(i))));
            }
        }
        (found, best.filter(|_| filter.has_text()).map(|(_, Reverse(i))| i))
    }
}

/// Puts skills in order; equals stay in that of the catalog.
fn sort(deck: &Deck, skills: &mut [usize], sort: Sort) {
    let skill = |i: &usize| &deck.skills[*i];
    let stamp = |s: &Skill| s.entry.file.as_ref().ok().map(|file| file.stamp);
    match sort {
        Sort::Name => {}
        Sort::Status => skills.sort_by_key(|i| Reverse(skill(i).status)),
        Sort::Cost => skills.sort_by_key(|i| Reverse(skill(i).place.cost)),
        Sort::Modified => skills.sort_by_key(|i| Reverse(stamp(skill(i)).map(|s| s.modified()))),
        Sort::Size => skills.sort_by_key(|i| Reverse(stamp(skill(i)).map(|s| s.size()))),
        Sort::Used => {
            let times = |s: &Skill| deck.usage.as_ref().map(|usage| usage.times(s.title()));
            skills.sort_by_key(|i| Reverse(times(skill(i))));
        }
    }
}
