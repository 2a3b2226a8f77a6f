//! `skilldeck config`

use anyhow::Context as _;
use clap::Args;

use super::Outcome;
use super::out;
use crate::config::{Loaded, Mistake};
use crate::edit::atomic;
use crate::skill::text::{Shown, shown, shown_name};

/// A file in which every setting stands, commented out.
const TEMPLATE: &str = include_str!("../../assets/config.toml");

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck config --init
  skilldeck config --check")]
#[group(required = true, multiple = false)]
pub struct Config {
    /// Write a config file in which every setting is explained and commented out
    #[arg(long)]
    init: bool,
    /// Say what is wrong in the config file
    #[arg(long)]
    check: bool,
    /// Print where the config file is, or would be
    #[arg(long)]
    path: bool,
}

impl Config {
    pub fn run(&self, loaded: &Loaded) -> anyhow::Result<Outcome> {
        let path = loaded.path.as_deref().context(
            "there is no place for a config file; set HOME, or XDG_CONFIG_HOME to an absolute path",
        )?;
        let name = shown_name(path.as_os_str());
        if self.path {
            out::lines([name])?;
        } else if self.init {
            atomic::create(path, TEMPLATE.as_bytes())?;
            out::lines([shown(&format!(
                "wrote {name}: every setting is in it, commented out; remove a `#` to set one"
            ))])?;
        } else {
            return check(loaded, &name);
        }
        Ok(Outcome::Done)
    }
}

fn check(loaded: &Loaded, name: &Shown) -> anyhow::Result<Outcome> {
    if !loaded.exists {
        out::lines([shown(&format!(
            "{name}: there is no such file; `skilldeck config --init` writes one"
        ))])?;
        return Ok(Outcome::Done);
    }
    let lines = lines(loaded);
    if lines.is_empty() {
        out::lines([shown(&format!("{name}: no mistakes"))])?;
        return Ok(Outcome::Done);
    }
    out::lines(lines)?;
    Ok(Outcome::No)
}

/// The mistakes of the config file, each as a line that an editor can follow.
pub fn lines(loaded: &Loaded) -> Vec<Shown> {
    let path = loaded.path.as_ref().map(|path| shown_name(path.as_os_str())).unwrap_or_default();
    let line = |mistake: &Mistake| {
        let (place, message) = (mistake.place, &mistake.message);
        shown(&format!("{path}:{}:{}: {message}", place.line, place.column))
    };
    mistakes(loaded).iter().map(line).collect()
}

/// Every mistake of the config file, by place: those of its reader and, where
/// there is a screen, those of the names of commands and keys in `[keys]`,
/// which only the screen knows.
fn mistakes(loaded: &Loaded) -> Vec<Mistake> {
    let mut mistakes = loaded.mistakes.clone();
    #[cfg(feature = "tui")]
    mistakes.extend(crate::tui::keymap::Keymap::new(&loaded.config.keys).1);
    mistakes.sort_by_key(|mistake| mistake.place);
    mistakes
}
