//! What a text that is not on disk yet would change: the findings of its skill,
//! its place in the catalog, and who else would be cut or come back.

use std::sync::Arc;

use super::deck::{Deck, Place, Skill, View};
use super::entry::{Entry, SkillFile};
use super::facts::Facts;
use super::locate::Project;
use super::resources::Resources;
use crate::profile::{FolderName, Reading};
use crate::prompt::catalog::State;
use crate::skill::text::{counted, thousands};
use crate::skill::{Finding, Status};

/// What a text would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The status of the skill.
    pub status: Status,
    /// Its place in the catalog.
    pub place: Place,
    /// What is to be said of it.
    pub findings: Vec<Finding>,
    /// By how many characters its line in the catalog grows; less than zero when
    /// it shrinks.
    pub by: i64,
    /// The skills that are listed now and would be cut, by name.
    pub cut: Vec<String>,
    /// The skills that are cut now and would be listed, by name.
    pub back: Vec<String>,
}

/// What the deck would be with `bytes` as the `SKILL.md` of a folder, one that is
/// there or a new one. `None` when the agent of the view is not there.
pub fn with_text(
    project: &Project,
    deck: &Deck,
    view: &View,
    folder: &str,
    bytes: &[u8],
) -> Option<Trial> {
    let now = deck.in_folder(folder).ok();
    let reading = Reading::of(bytes);
    let entry = match now {
        Some(skill) => Entry { file: Ok(SkillFile::imagined(reading)), ..(*skill.entry).clone() },
        None => Entry {
            folder: FolderName::new(folder.as_ref()),
            dir: project.root().join(folder),
            link: None,
            file: Ok(SkillFile::imagined(reading)),
            resources: Resources::default(),
            manifest: None,
        },
    };
    let others = deck.skills.iter().filter(|skill| skill.folder() != folder);
    let mut entries: Vec<_> = others.map(|skill| Arc::clone(&skill.entry)).collect();
    entries.push(Arc::new(entry));
    entries.sort_by(|a, b| a.folder.cmp(&b.folder));
    let facts = Facts {
        root_exists: true,
        entries,
        not_loaded: deck.not_loaded.clone(),
        unread: deck.unread,
    };
    let then = Deck::new(project, &facts, &deck.agents, view).ok()?;
    let skill = then.in_folder(folder).ok()?;
    let cost = |skill: Option<&Skill>| {
        let place = skill.map(|skill| skill.place);
        let counts = place.filter(|p| matches!(p.state, State::Listed | State::Cut));
        i64::try_from(counts.and_then(|p| p.cost).unwrap_or(0)).unwrap_or(i64::MAX)
    };
    Some(Trial {
        status: skill.status,
        place: skill.place,
        by: cost(Some(skill)) - cost(now),
        findings: skill.findings.clone(),
        cut: moved(deck, &then, folder, State::Listed, State::Cut),
        back: moved(deck, &then, folder, State::Cut, State::Listed),
    })
}

/// The other skills that are in one state in a deck and in another in the next.
fn moved(now: &Deck, then: &Deck, folder: &str, from: State, to: State) -> Vec<String> {
    let mut before: Vec<&str> = now
        .skills
        .iter()
        .filter(|s| s.place.state == from && s.folder() != folder)
        .map(Skill::folder)
        .collect();
    before.sort_unstable();
    then.skills
        .iter()
        .filter(|s| s.place.state == to && before.binary_search(&s.folder()).is_ok())
        .map(|s| s.title().to_owned())
        .collect()
}

impl Trial {
    /// What it would change, in a line: `+32 characters: zeta would be cut`.
    pub fn words(&self) -> String {
        let sign = if self.by < 0 { "-" } else { "+" };
        let by = usize::try_from(self.by.unsigned_abs()).unwrap_or(usize::MAX);
        let count = format!("{sign}{}", counted(by, "character", "characters"));
        let own = match (self.place.state, self.place.past) {
            (State::Listed, _) => String::new(),
            (State::Cut, Some(past)) => {
                format!("this skill is cut, {} past the budget", thousands(past))
            }
            (State::Cut, None) => "this skill is cut".to_owned(),
            (State::Hidden, _) => "this skill is hidden, so it costs nothing".to_owned(),
            (State::Filtered, _) => "this agent may not use it, so it costs nothing".to_owned(),
            (State::Error | State::Duplicate, _) => "this skill does not load".to_owned(),
        };
        let others = [
            (&self.cut, "would be cut"),
            (&self.back, if self.back.len() == 1 { "comes back" } else { "come back" }),
        ];
        let others = others.into_iter().filter(|(names, _)| !names.is_empty());
        let mut said: Vec<String> =
            others.map(|(names, what)| format!("{} {what}", some_of(names))).collect();
        if !own.is_empty() {
            said.insert(0, own);
        }
        if said.is_empty() {
            return if self.by == 0 {
                format!("{count} in the catalog")
            } else {
                format!("{count}: nobody is cut for it")
            };
        }
        format!("{count}: {}", said.join(", "))
    }
}

/// `a, b and 3 more`
fn some_of(names: &[String]) -> String {
    const NAMED: usize = 3;
    let mut text: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        text.push(format!("{more} more"));
    }
    match text.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => text.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(state: State, by: i64, cut: &[&str], back: &[&str]) -> Trial {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Trial {
            status: Status::Valid,
            place: Place { state, cost: None, total: None, past: Some(12), kept: None },
            findings: Vec::new(),
            by,
            cut: owned(cut),
            back: owned(back),
        }
    }

    #[test]
    fn a_line_says_who_pays_for_it() {
        for (trial, want) in [
            (trial(State::Listed, 32, &["zeta"], &[]), "+32 characters: `zeta` would be cut"),
            (trial(State::Listed, 1, &[], &[]), "+1 character: nobody is cut for it"),
            (trial(State::Listed, 0, &[], &[]), "+0 characters in the catalog"),
            (trial(State::Listed, -9, &[], &["a", "b"]), "-9 characters: `a` and `b` come back"),
            (
                trial(State::Cut, 9, &["a", "b", "c", "d"], &[]),
                "+9 characters: this skill is cut, 12 past the budget, `a`, `b`, `c` and 1 more \
                 would be cut",
            ),
            (
                trial(State::Error, -50, &[], &["a"]),
                "-50 characters: this skill does not load, `a` comes back",
            ),
        ] {
            assert_eq!(trial.words(), want);
        }
    }
}
