//! The changes of a session, to take back and to make again.

use std::path::PathBuf;

use super::error::EditError;
use super::proposal::Change;
use super::record::Id;
use super::step::{Plan, Step};
use super::writer::Writer;

/// The changes of a session.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Done>,
    undone: Vec<Undone>,
}

/// A change that was made.
#[derive(Debug, Clone)]
struct Done {
    change: Change,
    /// Whether its steps are done; a change that could be taken back only in part
    /// keeps what is left of it.
    has_steps: bool,
    /// What it moved to the trash and has not been brought back.
    deleted: Vec<Id>,
    /// What it brought back from the trash and has not been moved there again,
    /// with the records that are gone since.
    restored: Vec<(Id, PathBuf)>,
}

/// A change that was taken back.
#[derive(Debug, Clone)]
struct Undone {
    change: Change,
    /// The records of what it had moved to the trash.
    deleted: Vec<Id>,
}

impl History {
    /// Makes a change, the whole of it or nothing, and remembers it. What was
    /// taken back before can then not be made again.
    ///
    /// # Errors
    /// As [`Writer::apply`]; then nothing is remembered.
    pub fn apply(&mut self, writer: &Writer, change: Change) -> Result<(), EditError> {
        if change.is_empty() {
            return Ok(());
        }
        let done = make(writer, change)?;
        self.undone.clear();
        self.done.push(done);
        Ok(())
    }

    /// Remembers a change that somebody else made for the user, such as an editor.
    pub fn note(&mut self, plan: Plan) {
        if !plan.steps.is_empty() {
            self.undone.clear();
            let change = Change::of(plan);
            self.done.push(Done {
                change,
                has_steps: true,
                deleted: Vec::new(),
                restored: Vec::new(),
            });
        }
    }

    /// Takes the last change back; what it was, or `None` when there is none.
    ///
    /// # Errors
    /// When the disk is not as the change left it; it can be tried again.
    pub fn undo(&mut self, writer: &Writer) -> Result<Option<Change>, EditError> {
        let Some(done) = self.done.last_mut() else { return Ok(None) };
        let deleted = done.deleted.clone();
        let renewed = take_back(writer, done)?;
        // What is in the trash again has another record; earlier deletions of it
        // must find that.
        for done in &mut self.done {
            for id in &mut done.deleted {
                if let Some((_, new)) = renewed.iter().find(|(old, _)| old == id) {
                    *id = new.clone();
                }
            }
        }
        let Some(Done { change, .. }) = self.done.pop() else { return Ok(None) };
        self.undone.push(Undone { change: change.clone(), deleted });
        Ok(Some(change))
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    /// When the disk is not as it was before the change; it can be tried again.
    pub fn redo(&mut self, writer: &Writer) -> Result<Option<Change>, EditError> {
        let Some(Undone { change, deleted }) = self.undone.last().cloned() else {
            return Ok(None);
        };
        let done = make(writer, change)?;
        self.undone.pop();
        // What is in the trash again has another record; a later restoring of it
        // must find that.
        let renewed: Vec<_> = deleted.iter().zip(&done.deleted).collect();
        for id in self.undone.iter_mut().flat_map(|undone| &mut undone.change.restores) {
            if let Some((_, new)) = renewed.iter().find(|(old, _)| *old == id) {
                *id = (*new).clone();
            }
        }
        self.done.push(done);
        Ok(self.done.last().map(|done| done.change.clone()))
    }

    /// The changes that were made, the first first.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.done.iter().map(|done| &done.change)
    }

    /// Those that were taken back, the one to be made again next last.
    pub fn undone(&self) -> impl Iterator<Item = &Change> {
        self.undone.iter().map(|undone| &undone.change)
    }
}

fn make(writer: &Writer, change: Change) -> Result<Done, EditError> {
    let has_steps = !change.plan.steps.is_empty();
    if has_steps {
        writer.apply(change.plan.clone())?;
    }
    let mut done = Done { has_steps, deleted: Vec::new(), restored: Vec::new(), change };
    for id in done.change.restores.clone() {
        match restore(writer, &id) {
            Ok(path) => done.restored.push((id, path)),
            Err(error) => {
                let _ = take_back(writer, &mut done);
                return Err(error);
            }
        }
    }
    for path in done.change.deletes.clone() {
        match writer.delete(&path) {
            Ok(id) => done.deleted.push(id),
            Err(error) => {
                // What was deleted already comes back, else it is in the trash.
                let _ = take_back(writer, &mut done);
                return Err(error);
            }
        }
    }
    Ok(done)
}

/// Brings something back from the trash; where it is now.
fn restore(writer: &Writer, id: &Id) -> Result<PathBuf, EditError> {
    let record = writer.records()?.into_iter().find(|(other, _)| other == id);
    let Some((id, record)) = record else {
        return Err(EditError::Refused(
            "what was deleted is not in the trash any more, so it cannot come back".to_owned(),
        ));
    };
    writer.undo(&id, &record)?;
    Ok(record.plan.steps.iter().find_map(Step::origin).unwrap_or_default())
}

/// Takes a change back; the records that took the place of others by it.
fn take_back(writer: &Writer, done: &mut Done) -> Result<Vec<(Id, Id)>, EditError> {
    let mut renewed = Vec::new();
    while let Some((old, path)) = done.restored.last() {
        let new = writer.delete(path)?;
        for id in done.change.restores.iter_mut().filter(|id| *id == old) {
            *id = new.clone();
        }
        renewed.push((old.clone(), new));
        done.restored.pop();
    }
    while let Some(id) = done.deleted.last() {
        restore(writer, id)?;
        done.deleted.pop();
    }
    if done.has_steps {
        writer.apply(done.change.plan.inverse())?;
        done.has_steps = false;
    }
    Ok(renewed)
}
