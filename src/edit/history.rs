//! The changes of a session, to take back and to make again.

use super::error::EditError;
use super::step::Plan;
use super::writer::Writer;

/// The changes of a session.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Plan>,
    undone: Vec<Plan>,
}

impl History {
    /// Makes a change and remembers it. What was taken back before can then not
    /// be made again.
    ///
    /// # Errors
    /// As [`Writer::apply`]; then nothing is remembered.
    pub fn apply(&mut self, writer: &Writer, plan: Plan) -> Result<(), EditError> {
        if plan.steps.is_empty() {
            return Ok(());
        }
        writer.apply(plan.clone())?;
        self.undone.clear();
        self.done.push(plan);
        Ok(())
    }

    /// Takes the last change back; what it was, or `None` when there is none.
    ///
    /// # Errors
    /// When the disk is not as the change left it; it can be tried again.
    pub fn undo(&mut self, writer: &Writer) -> Result<Option<&Plan>, EditError> {
        let Some(plan) = self.done.last() else { return Ok(None) };
        writer.apply(plan.inverse())?;
        self.undone.extend(self.done.pop());
        Ok(self.undone.last())
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    /// When the disk is not as it was before the change; it can be tried again.
    pub fn redo(&mut self, writer: &Writer) -> Result<Option<&Plan>, EditError> {
        let Some(plan) = self.undone.last() else { return Ok(None) };
        writer.apply(plan.clone())?;
        self.done.extend(self.undone.pop());
        Ok(self.done.last())
    }

    /// The changes that were made, the first first.
    pub fn done(&self) -> &[Plan] {
        &self.done
    }
}
