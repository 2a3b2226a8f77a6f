//! Skills that lie elsewhere, and what bringing them in would do.

mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::agents::{Agents, UnknownAgent};
use super::curate::CurateError;
use super::deck::{Deck, View};
use super::entry::{Entry, Place, examine};
use super::facts::Facts;
use super::locate::Project;
use super::manifest::{self, Manifest};
use crate::edit::disk::Disk;
use crate::edit::ops::{self, Brought};
use crate::edit::{EditError, Plan, Reader, Site, Step};
use crate::prompt::catalog::State;
use crate::skill::Level;
use crate::skill::text::shown;

pub use sources::{FAR, NEAR, Source, find};

/// What becomes of a skill that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is none of its name.
    New,
    /// It is here already, byte for byte.
    Same,
    /// There is another of its name.
    Differs,
    /// It cannot be brought in.
    Refused,
}

impl Verdict {
    /// The word for it, everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Refused => "refused",
        }
    }
}

/// A skill that was found, and what bringing it in would do.
#[derive(Debug, Clone)]
pub struct Item {
    /// The folder it would have.
    pub folder: String,
    /// Where it lies.
    pub from: PathBuf,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Why it is refused, or in what it differs.
    pub why: Option<String>,
    /// What it would be here afterwards: listed, cut, … `None` when it is not brought in.
    pub state: Option<State>,
    /// Why it does not load here.
    pub error: Option<String>,
    /// How many files it has.
    pub files: usize,
    /// What of its folder stays where it is: links, special files, what its manifest does not
    /// list.
    pub left: Vec<String>,
    steps: Vec<Step>,
}

impl Item {
    /// What bringing it in does.
    pub fn plan(&self) -> Plan {
        Plan { title: format!("import `{}`", shown(&self.folder)), steps: self.steps.clone() }
    }

    /// Whether it is brought in; one that differs only when it takes the other's place.
    pub fn is_wanted(&self, replaces: bool) -> bool {
        match self.verdict {
            Verdict::New => true,
            Verdict::Differs => replaces,
            Verdict::Same | Verdict::Refused => false,
        }
    }
}

/// What bringing skills in would do.
#[derive(Debug, Clone)]
pub struct Import {
    /// Every skill that was found, once, by folder.
    pub items: Vec<Item>,
    /// The skills root is made first, where there is none.
    pub root: Option<Step>,
}

/// A project as it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    /// The project.
    pub project: &'a Project,
    /// What was read of it.
    pub facts: &'a Facts,
    /// Its agents.
    pub agents: &'a Arc<Agents>,
    /// As whom one looks.
    pub view: &'a View,
}

/// What bringing skills in would do, each of them once, by folder. With `replaces`, those
/// that differ take the places of those that are here.
///
/// # Errors
/// When the project cannot be read. A skill that cannot be is refused, with the reason.
pub fn plan(here: Here<'_>, sources: &[Source], replaces: bool) -> Result<Import, CurateError> {
    let reader = Reader::open(Disk::default(), here.project.site()?)?;
    let mut items = Vec::new();
    let mut entries = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for source in sources {
        let (item, entry) = look(&reader, source, &mut taken);
        if item.is_wanted(replaces) {
            entries.insert(item.folder.clone(), entry);
        }
        items.push(item);
    }
    items.sort_by(|a, b| (&a.folder, &a.from).cmp(&(&b.folder, &b.from)));
    // An agent that is not there was said already; without one all is seen.
    if let Ok(deck) = afterwards(here, entries) {
        for item in items.iter_mut().filter(|item| item.is_wanted(replaces)) {
            let Ok(skill) = deck.in_folder(&item.folder) else { continue };
            item.state = Some(skill.place.state);
            let error = skill.findings.iter().find(|f| f.level == Level::Error);
            item.error = error.map(|finding| finding.message.as_str().to_owned());
        }
    }
    let root = reader.site().root.clone();
    let is_missing =
        items.iter().any(|item| item.is_wanted(replaces)) && reader.kind(&root)?.is_none();
    Ok(Import { items, root: is_missing.then_some(Step::MakeFolder(root)) })
}

/// The deck as it would be.
fn afterwards(
    here: Here<'_>,
    mut entries: BTreeMap<String, Arc<Entry>>,
) -> Result<Deck, UnknownAgent> {
    let mut all: Vec<_> = here
        .facts
        .entries
        .iter()
        .map(|entry| entries.remove(entry.folder.as_str()).unwrap_or_else(|| Arc::clone(entry)))
        .collect();
    all.extend(entries.into_values());
    let facts = Facts::new(all, here.facts.not_loaded.clone());
    Deck::new(here.project, &facts, here.agents, here.view)
}

fn look(reader: &Reader, source: &Source, taken: &mut BTreeSet<String>) -> (Item, Arc<Entry>) {
    let place = Place { boundary: &source.boundary, before: None };
    let entry = examine(source.dir.clone(), false, place);
    // It may have another name here than where it lies.
    let entry = Arc::new(Entry {
        folder: crate::profile::FolderName::new(source.folder.as_ref()),
        ..entry.as_ref().clone()
    });
    let mut item = Item {
        folder: source.folder.clone(),
        from: source.dir.clone(),
        verdict: Verdict::Refused,
        why: None,
        state: None,
        error: None,
        files: 0,
        left: Vec::new(),
        steps: Vec::new(),
    };
    if !taken.insert(item.folder.to_lowercase()) {
        item.why = Some("another that is brought in is called so".to_owned());
        return (item, entry);
    }
    let listed = listed(entry.manifest.as_deref());
    let brought = elsewhere(source).and_then(|(theirs, dir)| {
        ops::bring(reader, (&theirs, &dir), &source.folder, listed.as_ref())
    });
    match brought {
        Ok(Brought { steps, left, files, stands }) => {
            item.verdict = match stands {
                ops::Stands::Free => Verdict::New,
                ops::Stands::Same => Verdict::Same,
                ops::Stands::Differs => Verdict::Differs,
            };
            (item.steps, item.left, item.files) = (steps, left, files);
        }
        Err(error) => item.why = Some(error.to_string()),
    }
    (item, entry)
}

/// Who reads a source, and where it lies for that reader: what it reads never lies outside.
fn elsewhere(source: &Source) -> Result<(Reader, PathBuf), EditError> {
    let site = Site { boundary: source.boundary.clone(), root: PathBuf::new() };
    let dir = source.dir.strip_prefix(&source.boundary).unwrap_or(&source.dir).to_owned();
    Ok((Reader::open(Disk::default(), site)?, dir))
}

/// The files that a manifest allows; `None` when it names none.
fn listed(manifest: Option<&Manifest>) -> Option<BTreeSet<PathBuf>> {
    let content = manifest?.content.as_ref().ok()?;
    let files = content.files.as_ref()?;
    let own = [manifest::NAME, "SKILL.md"].map(PathBuf::from);
    Some(files.iter().map(|file| Path::new(file).components().collect()).chain(own).collect())
}
