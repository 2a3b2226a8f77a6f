//! `skilldeck fix`

use clap::Args;

use super::Desk;
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::Plan;
use crate::edit::diff::plan_lines;
use crate::project::curate::{fix, loose_file};
use crate::project::{Skill, View};
use crate::skill::Fix;
use crate::skill::text::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck fix --dry-run             shows what would be mended
  skilldeck fix code-review")]
pub struct FixCommand {
    /// Only these skills [default: all, and loose files in the root]
    #[arg(add = crate::cli::complete::skills())]
    names: Vec<String>,
    /// Show what would be changed, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Also write files that are not UTF-8 anew as UTF-8
    #[arg(long)]
    transcode: bool,
}

impl FixCommand {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let desk = Desk::open(target, view)?;
        let skills: Vec<&Skill> = if self.names.is_empty() {
            desk.deck.skills.iter().collect()
        } else {
            self.names.iter().map(|name| desk.deck.find(name)).collect::<Result<_, _>>()?
        };
        let mut done = 0;
        let mut is_short = false;
        for skill in skills {
            match fix(&desk.project, &desk.deck, &desk.writer, skill, self.transcode) {
                Ok(plan) => done += usize::from(self.make(&desk, plan)?),
                // One that cannot be mended does not keep the others from it.
                Err(error) => {
                    is_short = true;
                    let name = skill.folder();
                    out::note(&shown(&format!("skilldeck: `{name}` was left alone: {error:#}")));
                }
            }
        }
        if self.names.is_empty() {
            for thing in &desk.deck.not_loaded {
                if thing.finding.fix == Some(Fix::FolderFromFile) {
                    done += usize::from(self.make(&desk, loose_file(&desk.writer, &thing.path))?);
                }
            }
        }
        if done == 0 && !is_short {
            out::lines([shown("nothing to fix")])?;
        }
        Ok(match (is_short, self.dry_run && done > 0) {
            (true, _) => Outcome::Short,
            (_, true) => Outcome::No,
            _ => Outcome::Done,
        })
    }

    /// Shows a plan, and makes it unless it is only to be shown.
    fn make(&self, desk: &Desk, plan: Plan) -> anyhow::Result<bool> {
        if plan.steps.is_empty() {
            return Ok(false);
        }
        out::lines(plan_lines(&plan).into_iter().map(|line| line.text))?;
        let title = plan.title.clone();
        if !self.dry_run {
            desk.writer.apply(plan)?;
            out::lines([shown(&title)])?;
        }
        Ok(true)
    }
}
