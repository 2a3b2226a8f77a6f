//! `skilldeck export`

use std::path::PathBuf;

use clap::Args;

use crate::cli::target::Target;
use crate::cli::{Outcome, out};
use crate::edit::Reader;
use crate::edit::archive::{Form, pack};
use crate::edit::disk::Disk;
use crate::project::{Skill, View, export};
use crate::skill::text::{counted, shown, shown_name};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck export code-review -o code-review.skill
  skilldeck export code-review deploy -o skills.tar.gz")]
pub struct Export {
    /// The skills' names, or their folders'
    #[arg(required = true, value_name = "NAME", add = crate::cli::complete::skills())]
    names: Vec<String>,
    /// The archive: .zip, .skill or .tar.gz; it must not be there yet
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

impl Export {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let file = shown_name(self.output.as_os_str());
        if Form::of(&self.output).is_none() {
            anyhow::bail!("`{file}` is no .zip, .skill or .tar.gz; the name tells the form");
        }
        let (project, deck) = target.deck(view)?;
        let reader = Reader::open(Disk::default(), project.site()?)?;
        let mut skills: Vec<&Skill> = Vec::new();
        for name in &self.names {
            let skill = deck.find(name)?;
            if !skills.iter().any(|other| std::ptr::eq(*other, skill)) {
                skills.push(skill);
            }
        }
        let (mut files, left) = export::files(&project, &reader, &skills)?;
        let path = std::path::absolute(&self.output)?;
        pack(&path, &mut files)?;
        if !left.is_empty() {
            let names = left.join(", ");
            out::note(&shown(&format!(
                "skilldeck: links, special files and names that are not UTF-8 are left out: {names}"
            )));
        }
        out::lines([shown(&format!(
            "{} with {} written to {file}",
            counted(skills.len(), "skill", "skills"),
            counted(files.len(), "file", "files")
        ))])?;
        Ok(Outcome::Done)
    }
}
