//! The worker that keeps text safe that is not saved yet.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use super::sheet::Item;
use crate::edit::diff::text_lines;
use crate::edit::drafts::Orphan;
use crate::edit::{Draft, Drafts};
use crate::skill::text::shown;

/// A draft is on disk so long after the first letter that it does not hold yet.
const BEHIND: Duration = Duration::from_secs(1);

/// Something for the worker to do.
#[derive(Debug)]
pub enum Keep {
    /// Keep this text, or none any more.
    Text(Option<Draft>),
    /// An orphan is done with.
    Discard(usize),
}

/// Keeps what it is told to in `dir`, until nobody tells it anything.
pub fn run(dir: &Path, boundary: &Path, told: &Receiver<Keep>, queue: &UnboundedSender<Message>) {
    let drafts = match Drafts::open(dir) {
        Ok(drafts) => drafts,
        Err(error) => {
            let text = format!("text that is not saved cannot be kept safe: {error}");
            let _ = queue.send(Message::Said(shown(&text)));
            return;
        }
    };
    let mut orphans = drafts.orphans(boundary);
    if !orphans.is_empty() {
        let _ = queue.send(Message::Drafts(orphans.iter().map(offer).collect()));
    }
    let mut keeper = Keeper { drafts, pending: None, has_failed: false };
    loop {
        let wait = keeper.pending.as_ref().map(|(_, due)| due.duration_since(Instant::now()));
        let told = match wait {
            Some(wait) => told.recv_timeout(wait),
            None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match told {
            Ok(Keep::Text(Some(draft))) => {
                let due = keeper.pending.take().map_or(Instant::now() + BEHIND, |(_, due)| due);
                keeper.pending = Some((draft, due));
            }
            Ok(Keep::Text(None)) => {
                keeper.pending = None;
                keeper.drafts.clear();
            }
            Ok(Keep::Discard(at)) => {
                // What was taken up must be on disk again before it is forgotten.
                keeper.write(queue);
                if at < orphans.len() {
                    orphans.remove(at).discard();
                }
            }
            Err(RecvTimeoutError::Timeout) => keeper.write(queue),
            Err(RecvTimeoutError::Disconnected) => {
                keeper.write(queue);
                return;
            }
        }
    }
}

struct Keeper {
    drafts: Drafts,
    pending: Option<(Draft, Instant)>,
    has_failed: bool,
}

impl Keeper {
    fn write(&mut self, queue: &UnboundedSender<Message>) {
        let Some((draft, _)) = self.pending.take() else { return };
        if let Err(error) = self.drafts.save(&draft)
            && !std::mem::replace(&mut self.has_failed, true)
        {
            let text = format!("text that is not saved cannot be kept safe: {error}");
            let _ = queue.send(Message::Said(shown(&text)));
        }
    }
}

/// A draft with what tells it from the file as it is now.
fn offer(orphan: &Orphan) -> (Draft, Item) {
    let draft = orphan.draft.clone();
    let now = std::fs::read(draft.boundary.join(&draft.at)).unwrap_or_default();
    let lines = text_lines(&String::from_utf8_lossy(&now), &draft.text);
    let name = draft.below.as_deref().unwrap_or("SKILL.md");
    let text = shown(&format!("{}/{name}", draft.folder));
    (draft, Item { text, lines, is_out: false })
}
