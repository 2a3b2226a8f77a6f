//! What is on disk, before any client looks at it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::entry::Entry;
use crate::skill::{Code, Finding, Fix};

/// Something under the root that is not loaded as a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded {
    /// The folder that is loaded in its place, if there is one.
    pub same_as: Option<String>,
    /// Its path relative to the root.
    pub path: String,
    /// What it is and why it is not loaded.
    pub finding: Finding,
}

/// The contents of a skills root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether the root is there.
    pub root_exists: bool,
    /// Its folders, by folder name.
    pub entries: Vec<Arc<Entry>>,
    /// What lies beside them.
    pub not_loaded: Vec<NotLoaded>,
    /// How many folders were not read because the reading was stopped.
    pub unread: usize,
}

impl Facts {
    /// Puts the folders in order and takes out those that are another one's real path.
    pub fn new(mut entries: Vec<Arc<Entry>>, mut not_loaded: Vec<NotLoaded>) -> Self {
        entries.sort_by(|a, b| a.folder.cmp(&b.folder));
        let kept = merge_same(entries, &mut not_loaded);
        not_loaded.sort_by(|a, b| a.path.cmp(&b.path));
        Self { root_exists: true, entries: kept, not_loaded, unread: 0 }
    }

    /// The folder that is loaded in place of another name of it.
    pub fn same_as(&self, name: &str) -> Option<&str> {
        self.not_loaded.iter().find(|n| n.path == name)?.same_as.as_deref()
    }
}

/// Of several folders with one real path the one that is no link is kept, else the first.
fn merge_same(entries: Vec<Arc<Entry>>, not_loaded: &mut Vec<NotLoaded>) -> Vec<Arc<Entry>> {
    if entries.iter().all(|e| e.link.is_none()) {
        return entries;
    }
    let mut keepers: HashMap<PathBuf, String> = HashMap::new();
    for entry in entries.iter().filter(|e| e.link.is_none()) {
        // A folder that is no link has its real path below that of the root;
        // asking for it costs a call, so only roots with links pay it.
        if let Ok(real) = entry.dir.canonicalize() {
            keepers.insert(real, entry.folder.as_str().to_owned());
        }
    }
    let mut kept = Vec::with_capacity(entries.len());
    for entry in entries {
        if let Some(real) = &entry.link {
            if let Some(keeper) = keepers.get(real) {
                not_loaded.push(NotLoaded {
                    same_as: Some(keeper.clone()),
                    path: entry.folder.as_str().to_owned(),
                    finding: Finding::new(
                        Code::SameFolder,
                        format!(
                            "same as `{keeper}`: both lead to one folder, which is loaded once"
                        ),
                    ),
                });
                continue;
            }
            keepers.insert(real.clone(), entry.folder.as_str().to_owned());
        }
        kept.push(entry);
    }
    kept
}

/// A file directly in the root.
pub fn loose_file(name: &str) -> NotLoaded {
    let stem = name.strip_suffix(".md");
    let finding = match stem {
        Some("SKILL") => Finding::new(
            Code::LooseFile,
            "a `SKILL.md` directly in the root is no skill; give it a folder of its own",
        ),
        Some(_) => Finding::new(
            Code::LooseFile,
            "a file directly in the root is no skill; if it is meant as one, move it to \
             `<name>/SKILL.md`",
        )
        .fix(Fix::FolderFromFile),
        None => Finding::new(Code::LooseFile, "a file directly in the root is no skill"),
    };
    NotLoaded { same_as: None, path: name.to_owned(), finding }
}

/// The folders whose names begin with a dot.
pub fn dot_folders(names: &[String]) -> Option<NotLoaded> {
    let first = names.first()?;
    let message = format!(
        "{} with a leading dot {} not looked into: {}",
        crate::skill::text::counted(names.len(), "folder", "folders"),
        if names.len() == 1 { "is" } else { "are" },
        crate::skill::text::head(&names.join(", "), 120)
    );
    Some(NotLoaded {
        same_as: None,
        path: first.clone(),
        finding: Finding::new(Code::DotFolders, message),
    })
}
