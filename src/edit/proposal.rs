//! A change before it is made: its parts, each of which can be left out.

use std::path::PathBuf;

use super::record::{Id, Record};
use super::step::{Plan, Step};
use crate::skill::text::shown;

/// A change that is offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// What it does, in a few words: `rename a to b`. Safe to show.
    pub title: String,
    /// What it consists of, in the order in which it is done.
    pub parts: Vec<Part>,
    /// What is to be known before one agrees. Safe to show.
    pub notes: Vec<String>,
}

/// A part of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is, in a few words: `name in SKILL.md`. Safe to show.
    pub about: String,
    /// What it does.
    pub deed: Deed,
}

/// What a part of a change does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// These steps.
    Steps(Vec<Step>),
    /// The folder, file or link goes to the trash.
    Delete(PathBuf),
}

/// A change as it is made: all of it is taken back by one undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The steps.
    pub plan: Plan,
    /// What goes to the trash after them.
    pub deletes: Vec<PathBuf>,
    /// What comes back from the trash, by its record.
    pub restores: Vec<Id>,
}

impl Proposal {
    /// A proposal of one part, which is the whole of it.
    pub fn whole(plan: Plan) -> Self {
        let about = plan.title.clone();
        let parts = vec![Part { about, deed: Deed::Steps(plan.steps) }];
        Self { title: plan.title, parts, notes: Vec::new() }
    }

    /// The change, without the parts that are left out; `left_out` tells of each
    /// part whether it is, a missing answer being no.
    pub fn change(&self, left_out: &[bool]) -> Change {
        let mut plan = Plan { title: self.title.clone(), steps: Vec::new() };
        let mut deletes = Vec::new();
        let is_in = |at: usize| !left_out.get(at).copied().unwrap_or(false);
        for (_, part) in self.parts.iter().enumerate().filter(|(at, _)| is_in(*at)) {
            match &part.deed {
                Deed::Steps(steps) => plan.steps.extend(steps.iter().cloned()),
                Deed::Delete(path) => deletes.push(path.clone()),
            }
        }
        Change { plan, deletes, restores: Vec::new() }
    }

    /// The steps of all its parts.
    pub fn plan(&self) -> Plan {
        self.change(&[]).plan
    }
}

impl Change {
    /// A change of steps only.
    pub fn of(plan: Plan) -> Self {
        Self { plan, deletes: Vec::new(), restores: Vec::new() }
    }

    /// Something comes back from the trash.
    pub fn restore(id: Id, record: &Record) -> Self {
        let name = record.deleted.as_deref().unwrap_or_default();
        let plan = Plan { title: format!("restore `{}`", shown(name)), steps: Vec::new() };
        Self { plan, deletes: Vec::new(), restores: vec![id] }
    }

    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.plan.steps.is_empty() && self.deletes.is_empty() && self.restores.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_left_out_is_not_done() {
        let part = |name: &str, deed| Part { about: name.into(), deed };
        let proposal = Proposal {
            title: "t".into(),
            parts: vec![
                part("a", Deed::Steps(vec![Step::MakeFolder("a".into())])),
                part("b", Deed::Delete("b".into())),
                part("c", Deed::Steps(vec![Step::MakeFolder("c".into())])),
            ],
            notes: Vec::new(),
        };
        for (left_out, steps, deletes) in [
            (vec![], vec!["a", "c"], vec!["b"]),
            (vec![true], vec!["c"], vec!["b"]),
            (vec![false, true, true], vec!["a"], vec![]),
        ] {
            let change = proposal.change(&left_out);
            let paths: Vec<_> = change.plan.steps.iter().map(|s| s.path().to_owned()).collect();
            assert_eq!(paths, steps.iter().map(PathBuf::from).collect::<Vec<_>>());
            assert_eq!(change.deletes, deletes.iter().map(PathBuf::from).collect::<Vec<_>>());
        }
        assert!(proposal.change(&[true, true, true]).is_empty());
    }
}
