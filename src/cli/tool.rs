//! `skilldeck tool`

use super::Outcome;
use super::out;
use super::target::Target;
use crate::project::{View, json};

pub fn run(target: &Target, view: &View) -> anyhow::Result<Outcome> {
    let (_, deck) = target.deck(view)?;
    out::exact(&json::to_string(&deck.tool())?)?;
    out::notes(deck.budget.findings.iter().map(|f| f.message.clone()));
    Ok(Outcome::Done)
}
