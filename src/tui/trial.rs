//! The worker that tells what a text that is being typed would change.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use crate::project::guard::guarded;
use crate::project::trial::with_text;
use crate::project::{Deck, Project, View};

/// A text to try.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The skills as they are.
    pub deck: Arc<Deck>,
    /// How one looks at them.
    pub view: View,
    /// The folder of the skill.
    pub folder: String,
    /// What its `SKILL.md` would hold.
    pub bytes: Vec<u8>,
    /// The number of the request.
    pub number: u64,
}

/// Tries the latest of what has piled up, until nobody asks.
pub fn run(project: &Project, asked: &Receiver<Attempt>, queue: &UnboundedSender<Message>) {
    while let Ok(first) = asked.recv() {
        let attempt = asked.try_iter().last().unwrap_or(first);
        if let Some(message) = answer(project, &attempt)
            && queue.send(message).is_err()
        {
            return;
        }
    }
}

/// What a text would change, as a message.
pub fn answer(project: &Project, attempt: &Attempt) -> Option<Message> {
    let Attempt { deck, view, folder, bytes, number } = attempt;
    let trial = guarded(|| with_text(project, deck, view, folder, bytes)).flatten()?;
    Some(Message::Tried(*number, Box::new(trial)))
}
