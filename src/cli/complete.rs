//! What a shell completes: commands and flags by themselves, names of skills and
//! agents by looking at the project.

use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::Outcome;
use super::out;
use super::target::Target;
use crate::profile::Profile;
use crate::project::{Agents, Deck, Project, View, scan};
use crate::skill::text::shown;

/// With this variable a shell asks for completions.
const VARIABLE: &str = "SKILLDECK_COMPLETE";

/// Answers a shell that asks for completions; whether one did.
pub fn answer(command: impl Fn() -> Command) -> bool {
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command).var(VARIABLE);
    // What cannot be completed is completed with nothing: a shell has no place for errors.
    asked.try_complete(std::env::args_os(), here.as_deref()).unwrap_or(true)
}

/// The script that makes a shell ask.
///
/// # Errors
/// When there is no such shell, or standard output cannot be written.
pub fn print(shell: &str) -> anyhow::Result<Outcome> {
    let shells = Shells::builtins();
    let Some(completer) = shells.completer(shell) else {
        let known: Vec<_> = shells.names().collect();
        anyhow::bail!("there are completions for {}, not for `{}`", known.join(", "), shown(shell));
    };
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "skilldeck", "skilldeck", "skilldeck", &mut script)?;
    out::exact(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// The names of the skills of the project one is in.
pub fn skills() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let Some((_, deck)) = here() else { return Vec::new() };
        let named = deck.skills.iter().map(|skill| {
            let about = skill.description.as_deref().unwrap_or("it does not load");
            let about: String = about.chars().take(60).collect();
            CompletionCandidate::new(skill.title().to_owned())
                .help(Some(shown(&about).into_string().into()))
        });
        // A shell would obey what stands raw in a name.
        named.filter(|c| c.get_value().to_str().is_some_and(is_plain)).collect()
    })
}

/// The clients.
pub fn profiles() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        Profile::ALL.iter().map(|profile| CompletionCandidate::new(profile.id())).collect()
    })
}

/// The agents of the project one is in.
pub fn agents() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let Some((project, _)) = here() else { return Vec::new() };
        let agents = Agents::load(&project);
        let addresses = agents.iter().map(|agent| agent.address().to_owned());
        addresses.filter(|a| is_plain(a)).map(CompletionCandidate::new).collect()
    })
}

fn is_plain(text: &str) -> bool {
    crate::skill::text::is_plain(text)
}

/// The project of the current directory, or the one that the line names.
fn here() -> Option<(Project, Deck)> {
    let project = Target::named(flag("--project"), flag("--root")).project().ok()?;
    let view = View::default();
    let facts = scan::scan(&project, view.profile.discovery()).ok()?;
    let deck = Deck::new(&project, &facts, &Agents::default().into(), &view).ok()?;
    Some((project, deck))
}

/// The value that a flag has on the line that is completed.
fn flag(name: &str) -> Option<PathBuf> {
    let args: Vec<_> = std::env::args_os().collect();
    let at = args.iter().position(|arg| arg == name)?;
    args.get(at + 1).map(|value| Path::new(value).to_owned())
}
