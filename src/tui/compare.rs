//! What the deck would be under other views, one after the other.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use super::state::Outcome;
use crate::profile::Discovery;
use crate::project::{Agents, Deck, Facts, Project, View, scan};
use crate::skill::text::{Shown, shown};

/// Views to lay out.
#[derive(Debug)]
pub struct Comparison {
    /// The views.
    pub views: Vec<View>,
    /// What was read, and how deep one looked for it.
    pub facts: Facts,
    /// That depth.
    pub discovery: Discovery,
    /// The agents.
    pub agents: Arc<Agents>,
    /// The number of the request.
    pub number: u64,
}

/// Lays out what is asked for, the latest request first, until nobody asks.
pub fn run(project: &Project, asked: &Receiver<Comparison>, queue: &UnboundedSender<Message>) {
    let mut next = asked.recv().ok();
    while let Some(comparison) = next.take() {
        let mut other: Option<(Discovery, Result<Facts, Shown>)> = None;
        for (item, view) in comparison.views.iter().enumerate() {
            let outcome = outcome(project, &comparison, view, &mut other);
            if queue.send(Message::Compared(comparison.number, item, outcome)).is_err() {
                return;
            }
            // Nobody waits for the rest once something else is asked.
            next = asked.try_iter().last();
            if next.is_some() {
                break;
            }
        }
        next = next.or_else(|| asked.recv().ok());
    }
}

fn outcome(
    project: &Project,
    comparison: &Comparison,
    view: &View,
    other: &mut Option<(Discovery, Result<Facts, Shown>)>,
) -> Result<Outcome, Shown> {
    let depth = view.profile.discovery();
    let facts = if depth == comparison.discovery {
        &comparison.facts
    } else {
        // Another client may look deeper, which must be read for it, once.
        let is_read = other.as_ref().is_some_and(|(read, _)| *read == depth);
        if !is_read {
            let facts = scan::scan(project, depth).map_err(|error| shown(&error.to_string()));
            *other = Some((depth, facts));
        }
        match other {
            Some((_, Ok(facts))) => facts,
            Some((_, Err(why))) => return Err(why.clone()),
            None => return Err(Shown::fixed("it was not read")),
        }
    };
    let deck = Deck::new(project, facts, &comparison.agents, view)
        .map_err(|error| shown(&error.to_string()))?;
    Ok(Outcome::of(&deck))
}
