//! What a change on disk brought, in a line.

use crate::project::Deck;
use crate::project::difference::Difference;
use crate::project::report::SkillReport;
use crate::skill::text::{Shown, shown, thousands};

/// How many skills are named at most.
const NAMED: usize = 3;

/// `2 new: a, b; 1 changed: c`; `None` when a list would say the same.
pub fn news(before: &Deck, after: &Deck) -> Option<Shown> {
    let Difference { added, changed, removed, .. } = Difference::between(before, after)?;
    let folders = |skills: Vec<SkillReport>| skills.into_iter().map(|s| s.folder).collect();
    let told: Vec<String> =
        [("new", folders(added)), ("changed", folders(changed)), ("gone", removed)]
            .into_iter()
            .filter_map(|(word, folders): (_, Vec<String>)| {
                let more = if folders.len() > NAMED { ", …" } else { "" };
                let names =
                    folders.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
                let count = thousands(folders.len() as u64);
                (!folders.is_empty()).then(|| format!("{count} {word}: {names}{more}"))
            })
            .collect();
    Some(if told.is_empty() {
        Shown::fixed("the project has changed")
    } else {
        shown(&told.join("; "))
    })
}
