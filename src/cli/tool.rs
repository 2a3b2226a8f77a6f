//! `skilldeck tool`

use clap::Args;

use super::Outcome;
use super::out;
use super::target::{AsAgent, AsProfile, Target, WithBudget};
use crate::project::{View, json};

#[derive(Debug, Args)]
pub struct Tool {
    #[command(flatten)]
    profile: AsProfile,
    #[command(flatten)]
    agent: AsAgent,
    #[command(flatten)]
    budget: WithBudget,
}

impl Tool {
    pub fn run(&self, target: &Target) -> anyhow::Result<Outcome> {
        let view = View {
            profile: self.profile.profile,
            agent: self.agent.agent.clone(),
            budget: self.budget.choose(),
        };
        let (_, deck) = target.deck(&view)?;
        out::exact(&json::to_string(&deck.tool())?)?;
        out::notes(deck.budget.findings.iter().map(|f| f.message.clone()));
        Ok(Outcome::Done)
    }
}
