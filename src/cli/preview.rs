//! `skilldeck preview`

use clap::Args;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::project::View;
use crate::project::activate::{activate, reread};
use crate::prompt::arguments::Arguments;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck preview code-review
  skilldeck preview code-review --args \"src/main.rs\" --profile claude-code")]
pub struct Preview {
    /// The skill's name, or its folder's
    #[arg(add = crate::cli::complete::skills())]
    name: String,
    /// Sample arguments; without them `kaged` leaves `$ARGUMENTS` as it is
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    args: Option<String>,
}

impl Preview {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let (project, deck) = target.deck(view)?;
        let skill = deck.find(&self.name)?;
        let arguments = self.args.as_deref().map_or(Arguments::NotGiven, Arguments::Given);
        let fresh = reread(&project, skill);
        match activate(&deck, skill, fresh.as_ref(), arguments) {
            Ok(activation) => {
                out::exact(&activation.text)?;
                Ok(Outcome::Done)
            }
            Err(error) => {
                out::note(&shown(&format!("skilldeck: {error}")));
                Ok(Outcome::No)
            }
        }
    }
}
