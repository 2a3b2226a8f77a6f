//! `skilldeck import`

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::Desk;
use crate::cli::colour::{Line, Tone};
use crate::cli::target::{Look, Target};
use crate::cli::{Outcome, out};
use crate::edit::Plan;
use crate::edit::archive::{Form, Unpacked, unpack};
use crate::project::View;
use crate::project::import::{self, Here, Item, Source, Verdict};
use crate::project::report::SCHEMA;
use crate::prompt::catalog::State;
use crate::skill::text::{Shown, counted, name_text, shown, shown_name};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck import ../other-project                   says what it would do
  skilldeck import ../other-project --yes             does it
  skilldeck import skills.zip --only code-review --yes
  skilldeck import review.skill --replace --yes       the one that is here goes to the trash")]
pub struct Import {
    /// A skill, a folder or checkout with skills, or a .zip, .skill or .tar.gz of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only these of the skills that are found
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Those that differ take the places of those that are here, which go to the trash
    #[arg(long)]
    replace: bool,
    /// Do it; without this it is only said what would be done
    #[arg(long)]
    yes: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    skills: Vec<Row>,
    done: bool,
}

#[derive(Serialize)]
struct Row {
    folder: String,
    from: String,
    verdict: Verdict,
    why: Option<String>,
    state: Option<State>,
    error: Option<String>,
    files: usize,
    left: Vec<String>,
    /// Whether it was brought in.
    done: bool,
}

/// Where skills are looked for, kept for as long as they are read.
struct Opened {
    sources: Vec<Source>,
    unpacked: Option<Unpacked>,
}

impl Import {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let mut opened = Vec::new();
        for path in &self.paths {
            opened.push(open(path)?);
        }
        let mut sources: Vec<_> =
            opened.iter().flat_map(|opened| opened.sources.iter().cloned()).collect();
        for name in &self.only {
            if !sources.iter().any(|source| source.folder == *name) {
                anyhow::bail!("no skill `{}` is found there", shown(name));
            }
        }
        sources.retain(|source| self.only.is_empty() || self.only.contains(&source.folder));
        // The plan is what is done: both are made from one look.
        let desk = if self.yes { Some(Desk::open(target, view)?) } else { None };
        let Look { project, facts, agents, .. } = target.look(view)?;
        let here = Here { project: &project, facts: &facts, agents: &agents, view };
        let import::Import { items, root } = import::plan(here, &sources, self.replace)?;
        let mut done = vec![false; items.len()];
        let mut is_short = false;
        if let (Some(desk), Some(step)) = (&desk, root) {
            let title = "make the skills root".to_owned();
            desk.writer.apply(Plan { title, steps: vec![step] })?;
        }
        if let Some(desk) = &desk {
            for (item, done) in items.iter().zip(&mut done) {
                if !item.is_wanted(self.replace) {
                    continue;
                }
                // One that cannot be brought in does not keep the others out.
                match bring(desk, item) {
                    Ok(()) => *done = true,
                    Err(error) => {
                        is_short = true;
                        let name = shown(&item.folder);
                        out::error(&error.context(format!("`{name}` is not brought in")));
                    }
                }
            }
        }
        if self.json {
            let skills = items.iter().zip(&done).map(|(item, done)| row(item, *done)).collect();
            out::json(&Report { schema: SCHEMA, skills, done: self.yes })?;
        } else {
            out::lines(self.text(&items, &done))?;
        }
        for left in opened.iter().filter_map(|opened| opened.unpacked.as_ref()) {
            if !left.left.is_empty() {
                let names = left.left.join(", ");
                out::note(&shown(&format!("skilldeck: not unpacked, being no files: {names}")));
            }
        }
        Ok(if is_short { Outcome::Short } else { Outcome::Done })
    }

    fn text(&self, items: &[Item], done: &[bool]) -> Vec<Line> {
        let mut lines: Vec<Line> =
            items.iter().zip(done).flat_map(|(item, done)| self.lines(item, *done)).collect();
        let count = |verdict| items.iter().filter(|item| item.verdict == verdict).count();
        let brought = done.iter().filter(|done| **done).count();
        let wanted = items.iter().filter(|item| item.is_wanted(self.replace)).count();
        let mut said = vec![counted(items.len(), "skill found", "skills found")];
        for verdict in [Verdict::New, Verdict::Same, Verdict::Differs, Verdict::Refused] {
            if count(verdict) > 0 {
                said.push(format!("{} {}", count(verdict), verdict.word()));
            }
        }
        lines.push(shown(&said.join(", ")).into());
        let last = match (self.yes, wanted) {
            (true, _) => format!("{} brought in", counted(brought, "skill was", "skills were")),
            (false, 0) => "nothing would be written".to_owned(),
            (false, _) => format!(
                "nothing was written; `--yes` brings {} in",
                counted(wanted, "skill", "skills")
            ),
        };
        lines.push(shown(&last).into());
        lines
    }

    fn lines(&self, item: &Item, done: bool) -> Vec<Line> {
        let tone = match item.verdict {
            Verdict::New => Tone::Good,
            Verdict::Same => Tone::Quiet,
            Verdict::Differs => Tone::Doubtful,
            Verdict::Refused => Tone::Bad,
        };
        let mut about = format!("  {}", item.folder);
        if item.verdict != Verdict::Refused {
            about.push_str(&format!("  {}", counted(item.files, "file", "files")));
        }
        match (&item.why, item.state) {
            (Some(why), _) => about.push_str(&format!(": {why}")),
            (None, Some(state)) => {
                let verb = if done { "is" } else { "would be" };
                about.push_str(&format!(", {verb} {}", state.word()));
            }
            (None, None) => {}
        }
        if item.verdict == Verdict::Differs && !self.replace {
            about.push_str(" from the one that is here; `--replace` takes it all the same");
        }
        let word = shown(&format!("{:<7}", item.verdict.word()));
        let mut lines = vec![Line::new(Shown::fixed(""), word, tone, shown(&about))];
        if let Some(error) = &item.error {
            lines.push(shown(&format!("         does not load here: {error}")).into());
        }
        if !item.left.is_empty() {
            let names = item.left.join(", ");
            lines.push(shown(&format!("         stays where it is: {names}")).into());
        }
        lines
    }
}

fn row(item: &Item, done: bool) -> Row {
    Row {
        folder: item.folder.clone(),
        from: name_text(item.from.as_os_str()).into_owned(),
        verdict: item.verdict,
        why: item.why.clone(),
        state: item.state,
        error: item.error.clone(),
        files: item.files,
        left: item.left.clone(),
        done,
    }
}

fn open(path: &Path) -> anyhow::Result<Opened> {
    let shown_path = shown_name(path.as_os_str());
    let real = path.canonicalize().with_context(|| format!("`{shown_path}` cannot be read"))?;
    let named =
        |path: &Path| path.file_name().map(|name| name_text(name).into_owned()).unwrap_or_default();
    let (sources, unpacked) = if real.is_dir() {
        (import::find(&real, &named(&real), import::FAR), None)
    } else {
        let unpacked = unpack(&real)?;
        let name = Form::of(&real).map_or_else(|| named(&real), |(_, stem)| stem);
        (import::find(unpacked.path(), &name, import::FAR), Some(unpacked))
    };
    if sources.is_empty() {
        anyhow::bail!("`{shown_path}` holds no skill: no folder with a SKILL.md is found in it");
    }
    Ok(Opened { sources, unpacked })
}

fn bring(desk: &Desk, item: &Item) -> anyhow::Result<()> {
    if item.verdict == Verdict::Differs {
        let at = desk.writer.site().root.join(&item.folder);
        desk.writer.delete(&at)?;
    }
    desk.writer.apply(item.plan())?;
    Ok(())
}
