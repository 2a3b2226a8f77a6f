//! The changes of a session, to take back and to make again.

use super::error::EditError;
use super::proposal::Change;
use super::record::Id;
use super::step::Plan;
use super::writer::Writer;

/// The changes of a session.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Done>,
    undone: Vec<Change>,
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
            self.done.push(Done { change, has_steps: true, deleted: Vec::new() });
        }
    }

    /// Takes the last change back; what it was, or `None` when there is none.
    ///
    /// # Errors
    /// When the disk is not as the change left it; it can be tried again.
    pub fn undo(&mut self, writer: &Writer) -> Result<Option<Change>, EditError> {
        let Some(done) = self.done.last_mut() else { return Ok(None) };
        take_back(writer, done)?;
        self.undone.extend(self.done.pop().map(|done| done.change));
        Ok(self.undone.last().cloned())
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    /// When the disk is not as it was before the change; it can be tried again.
    pub fn redo(&mut self, writer: &Writer) -> Result<Option<Change>, EditError> {
        let Some(change) = self.undone.last().cloned() else { return Ok(None) };
        let done = make(writer, change)?;
        self.undone.pop();
        self.done.push(done);
        Ok(self.done.last().map(|done| done.change.clone()))
    }

    /// The changes that were made, the first first.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.done.iter().map(|done| &done.change)
    }

    /// Those that were taken back, the one to be made again next last.
    pub fn undone(&self) -> &[Change] {
        &self.undone
    }
}

fn make(writer: &Writer, change: Change) -> Result<Done, EditError> {
    let has_steps = !change.plan.steps.is_empty();
    if has_steps {
        writer.apply(change.plan.clone())?;
    }
    let mut done = Done { has_steps, deleted: Vec::new(), change };
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

fn take_back(writer: &Writer, done: &mut Done) -> Result<(), EditError> {
    while let Some(id) = done.deleted.last() {
        let record = writer.records()?.into_iter().find(|(other, _)| other == id);
        let Some((id, record)) = record else {
            return Err(EditError::Refused(
                "what was deleted is not in the trash any more, so it cannot come back".to_owned(),
            ));
        };
        writer.undo(&id, &record)?;
        done.deleted.pop();
    }
    if done.has_steps {
        writer.apply(done.change.plan.inverse())?;
        done.has_steps = false;
    }
    Ok(())
}
