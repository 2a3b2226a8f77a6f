//! `skilldeck fix`

use std::path::Path;

use clap::Args;

use super::diff::diff;
use super::{Desk, file_name};
use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::fixes::fix_judged;
use crate::edit::{Content, Plan, Step, ops};
use crate::profile::{FolderName, Reading};
use crate::project::{Skill, View};
use crate::skill::Fix;
use crate::skill::text::shown;

#[derive(Debug, Args)]
pub struct FixCommand {
    /// Only these skills [default: all, and loose files in the root]
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
            match self.plan(&desk, skill) {
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
                    done += usize::from(self.make(&desk, loose(&desk, &thing.path))?);
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
        out::lines(diff(&plan))?;
        let title = plan.title.clone();
        if !self.dry_run {
            desk.writer.apply(plan)?;
            out::lines([shown(&title)])?;
        }
        Ok(true)
    }

    fn plan(&self, desk: &Desk, skill: &Skill) -> anyhow::Result<Plan> {
        let target = desk.project.target(desk.writer.site(), skill);
        let (mut steps, mut done) = (Vec::new(), Vec::new());
        let file = match (&target.file, wrong_case(skill)) {
            (None, Some(wrong)) => {
                let (from, to) = (target.real.join(wrong), target.real.join("SKILL.md"));
                steps.push(Step::Move { from: from.clone(), to: to.clone() });
                done.push(Fix::RenameToSkillMd.to_string());
                Some((from, to))
            }
            (Some(file), _) => Some((file.clone(), file.clone())),
            (None, None) => None,
        };
        let mut new_name = None;
        if let Some((at, to)) = file
            && let Some(now) = desk.writer.content(&at)?
        {
            let judge = |folder: &FolderName, bytes: &[u8]| {
                let mut findings = desk.deck.profile.judge(folder, &Reading::of(bytes)).findings;
                findings.retain(|f| self.transcode || f.fix != Some(Fix::Transcode));
                findings
            };
            let mut fixed = fix_judged(now.as_bytes(), |b| judge(&skill.entry.folder, b));
            done.extend(fixed.applied.iter().map(ToString::to_string));
            // A folder gets another name only where the text cannot be mended.
            let offered = judge(&skill.entry.folder, &fixed.bytes);
            new_name = offered.into_iter().find_map(|finding| match finding.fix {
                Some(Fix::RenameFolder(name)) => Some(name),
                _ => None,
            });
            if let Some(name) = &new_name {
                // What the text is to say may depend on what the folder is called.
                let folder = FolderName::new(name.as_ref());
                fixed = fix_judged(&fixed.bytes, |b| judge(&folder, b));
                done.extend(fixed.applied.iter().map(ToString::to_string));
            }
            let after = Content::new(fixed.bytes, now.mode);
            if after != now {
                steps.push(Step::Write { at: to, before: Some(now), after: Some(after) });
            }
        }
        if let Some(name) = new_name {
            ops::check_new(&desk.writer, &name, Some(&target.folder))?;
            done.push(Fix::RenameFolder(name.clone()).to_string());
            let to = desk.writer.site().root.join(name);
            steps.push(Step::Move { from: target.folder.clone(), to });
        }
        let title = format!("fixed `{}`: {}", file_name(&target.folder), done.join(", "));
        Ok(Plan { title, steps })
    }
}

/// The file that is `SKILL.md` in another case.
fn wrong_case(skill: &Skill) -> Option<String> {
    let finding = skill.entry.file.as_ref().err()?;
    (finding.fix == Some(Fix::RenameToSkillMd)).then(|| finding.file.clone()).flatten()
}

/// A loose `foo.md` becomes `foo/SKILL.md`.
fn loose(desk: &Desk, file: &str) -> Plan {
    let root = &desk.writer.site().root;
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let folder = root.join(stem);
    let steps =
        if ops::check_new(&desk.writer, &stem.to_string_lossy(), Some(Path::new(file))).is_ok() {
            vec![
                Step::MakeFolder(folder.clone()),
                Step::Move { from: root.join(file), to: folder.join("SKILL.md") },
            ]
        } else {
            Vec::new()
        };
    Plan { title: format!("moved {file} to a folder of its own"), steps }
}
