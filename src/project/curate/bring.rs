//! Skills are brought in from elsewhere.

use std::path::{Path, PathBuf};

use super::CurateError;
use crate::edit::{Deed, EditError, Part, Proposal};
use crate::project::import::{self, Here, Import, Item, Source, Verdict};
use crate::project::{Deck, Facts, Project, View};
use crate::skill::text::{counted, name_text, shown, shown_name};

/// A part for each skill that is new here. The others are named in the notes, with the
/// reason.
///
/// # Errors
/// When the place cannot be read, or holds no skill.
pub fn bring(project: &Project, deck: &Deck, from: &str) -> Result<Proposal, CurateError> {
    let refused = |why: String| CurateError::from(EditError::Refused(why));
    if from.trim().is_empty() {
        return Err(refused("type the path of a folder or an archive".to_owned()));
    }
    let path = expanded(project, from.trim());
    let real = path.canonicalize().map_err(|error| {
        refused(format!("`{}` cannot be read: {error}", shown_name(path.as_os_str())))
    })?;
    let name = real.file_name().map(|name| name_text(name).into_owned()).unwrap_or_default();
    // What an archive is unpacked into goes when the steps hold what was in it.
    let opened = open(&real, &name)?;
    if opened.sources.is_empty() {
        let path = shown_name(path.as_os_str());
        return Err(refused(format!("`{path}` holds no skill: no folder with a SKILL.md")));
    }
    let entries = deck.skills.iter().map(|skill| skill.entry.clone()).collect();
    let facts = Facts::new(entries, deck.not_loaded.clone());
    let view = View {
        profile: deck.profile,
        agent: deck.agent.clone(),
        budget: deck.budget.clone(),
        ..View::default()
    };
    let here = Here { project, facts: &facts, agents: &deck.agents, view: &view };
    let Import { items, root } = import::plan(here, &opened.sources, false)?;
    let mut proposal = Proposal { notes: opened.notes, ..Proposal::default() };
    if let Some(step) = root {
        let about = format!("the folder {}", shown(project.root_label()));
        proposal.parts.push(Part { about, deed: Deed::Steps(vec![step]) });
    }
    let brought = items.iter().filter(|item| item.is_wanted(false)).count();
    for item in &items {
        proposal.notes.extend(notes(item));
        if item.is_wanted(false) {
            let files = counted(item.files, "file", "files");
            let state = item.state.map_or(String::new(), |state| format!(", {}", state.word()));
            let about = format!("`{}` with {files}{state}", shown(&item.folder));
            let steps = item.plan().steps;
            proposal.parts.push(Part { about, deed: Deed::Steps(steps) });
        }
    }
    let count = counted(brought, "skill", "skills");
    proposal.title = format!("import {count} from {}", shown(from.trim()));
    Ok(proposal)
}

fn notes(item: &Item) -> Vec<String> {
    let name = shown(&item.folder);
    let mut notes = Vec::new();
    match item.verdict {
        Verdict::New => {}
        Verdict::Same => notes.push(format!("`{name}` is here already, byte for byte")),
        Verdict::Differs => notes.push(format!(
            "`{name}` stays out: another of its name is here; rename or delete that first"
        )),
        Verdict::Refused => {
            let why = item.why.as_deref().unwrap_or("it cannot be read");
            notes.push(format!("`{name}` stays out: {why}"));
        }
    }
    if let Some(error) = &item.error {
        notes.push(format!("`{name}` does not load here: {error}"));
    }
    if !item.left.is_empty() {
        notes.push(format!("of `{name}` stays where it is: {}", item.left.join(", ")));
    }
    notes
}

fn expanded(project: &Project, path: &str) -> PathBuf {
    match path.strip_prefix("~/").zip(std::env::home_dir()) {
        Some((below, home)) => home.join(below),
        None => project.dir().join(path),
    }
}

/// What was found, and where it is kept meanwhile.
struct Opened {
    sources: Vec<Source>,
    notes: Vec<String>,
    #[cfg(feature = "cli")]
    _unpacked: Option<crate::edit::archive::Unpacked>,
}

#[cfg(feature = "cli")]
fn open(real: &Path, name: &str) -> Result<Opened, CurateError> {
    use crate::edit::archive::{Form, unpack};
    if real.is_dir() {
        let sources = import::find(real, name, import::NEAR);
        return Ok(Opened { sources, notes: Vec::new(), _unpacked: None });
    }
    let unpacked = unpack(real)?;
    let name = Form::of(real).map_or(name.to_owned(), |(_, stem)| stem);
    let sources = import::find(unpacked.path(), &name, import::FAR);
    let mut notes = Vec::new();
    if !unpacked.left.is_empty() {
        notes.push(format!("not unpacked, being no files: {}", unpacked.left.join(", ")));
    }
    Ok(Opened { sources, notes, _unpacked: Some(unpacked) })
}

#[cfg(not(feature = "cli"))]
fn open(real: &Path, name: &str) -> Result<Opened, CurateError> {
    if real.is_dir() {
        return Ok(Opened { sources: import::find(real, name, import::NEAR), notes: Vec::new() });
    }
    let path = shown_name(real.as_os_str());
    Err(EditError::Refused(format!("`{path}` is no folder, and this build reads no archives"))
        .into())
}
