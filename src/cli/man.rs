//! `skilldeck man`

use anyhow::Context as _;
use clap::{Args, Command};

use super::Outcome;
use super::out;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck man | man -l -
  skilldeck man check > skilldeck-check.1")]
pub struct Man {
    /// The command whose page it is [default: the page of skilldeck itself]
    command: Option<String>,
}

impl Man {
    pub fn run(&self, whole: Command) -> anyhow::Result<Outcome> {
        // What belongs to all commands is in the pages of each.
        let mut whole = whole.disable_help_subcommand(true);
        whole.build();
        let page = match &self.command {
            None => whole,
            Some(name) => {
                let found = whole.get_subcommands().find(|c| c.get_name() == name).cloned();
                let command = found.with_context(|| {
                    let names: Vec<_> = whole.get_subcommands().map(Command::get_name).collect();
                    format!("there is no command `{name}`; there are {}", names.join(", "))
                })?;
                let title = format!("skilldeck-{name}");
                let used = format!("skilldeck {name}");
                command.name(title).bin_name(used)
            }
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page).render(&mut text)?;
        out::exact(&String::from_utf8_lossy(&text))?;
        Ok(Outcome::Done)
    }
}
