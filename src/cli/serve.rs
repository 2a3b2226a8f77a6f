//! `skilldeck serve`

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::Outcome;
use super::out;
use super::target::Target;
use crate::mcp::{self, Word, is_tool_name};
use crate::project::View;
use crate::project::watch::Mode;
use crate::prompt::tool::NAME;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck serve --project ~/atlas
  skilldeck serve --tool-name skill_use --agent primary/reviewer --metrics activations.jsonl")]
pub struct Serve {
    /// What the tool is called; for clients that accept only letters, digits, `_` and `-`:
    /// `skill_use`
    #[arg(long, value_name = "NAME", default_value = NAME)]
    tool_name: String,
}

impl Serve {
    pub fn run(
        &self,
        target: &Target,
        view: &View,
        records: Option<PathBuf>,
        poll: bool,
    ) -> anyhow::Result<Outcome> {
        if !is_tool_name(&self.tool_name) {
            bail!(
                "`{}` is no name for a tool; take letters, digits, `_`, `-`, `.` and `/`, at most \
                 128 of them",
                shown(&self.tool_name)
            );
        }
        let options = mcp::Options { tool_name: self.tool_name.clone(), records, poll };
        mcp::serve(target.project()?, view.clone(), options, |word| out::note(&said(&word)))?;
        Ok(Outcome::Done)
    }
}

fn said(word: &Word) -> crate::skill::text::Shown {
    shown(&match word {
        Word::Mode(Mode::Live) => {
            "skilldeck: serving skills; changes on disk are followed".to_owned()
        }
        Word::Mode(Mode::Polling(why)) => {
            format!("skilldeck: serving skills; looking at the disk every 2 s: {why}")
        }
        Word::Unrecorded(why) => format!("skilldeck: an activation could not be recorded: {why}"),
        Word::Trouble(why) => {
            format!("skilldeck: {why}; what was read before is served until then")
        }
    })
}
