//! `skilldeck restore`

use anyhow::bail;
use clap::Args;

use super::{Desk, quoted};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::project::View;
use crate::project::report::modified;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck restore                   lists the trash
  skilldeck restore code-review")]
pub struct Restore {
    /// The folder of the deleted skill; without it those in the trash are listed
    name: Option<String>,
}

impl Restore {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let desk = Desk::open(target, view)?;
        let records = desk.writer.records()?;
        let mut deleted: Vec<_> = records
            .iter()
            .filter_map(|(id, record)| Some((id, record, record.deleted.as_ref()?)))
            .collect();
        deleted.reverse();
        let Some(name) = &self.name else {
            let lines: Vec<_> = deleted
                .iter()
                .map(|(id, _, name)| {
                    let seconds = i64::try_from(id.millis() / 1_000).unwrap_or(0);
                    shown(&format!("{}  {name}", modified((seconds, 0)).unwrap_or_default()))
                })
                .collect();
            let none = [shown("the trash is empty")];
            out::lines(if lines.is_empty() { none.to_vec() } else { lines })?;
            return Ok(Outcome::Done);
        };
        let Some((id, record, folder)) = deleted.into_iter().find(|(.., n)| *n == name) else {
            bail!("`{name}` is not in the trash; `skilldeck restore` lists what is");
        };
        desk.writer.undo(id, record)?;
        let undo = format!("skilldeck rm {}", quoted(folder));
        out::lines([shown(&format!("restored `{folder}`; undo: {undo}"))])?;
        Ok(Outcome::Done)
    }
}
