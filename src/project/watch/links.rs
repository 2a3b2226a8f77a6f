//! Where links lead, and what changes with it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::super::facts::Facts;
use super::super::locate::Project;
use crate::skill::Code;

/// What changes with which path.
pub(super) type Links = BTreeMap<PathBuf, BTreeSet<Affects>>;

/// What changes when a place that a link leads through does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Affects {
    Folder(OsString),
    Agents,
}

/// Every place that a link leads through, to the last, whether or not anything
/// is there; none for what is no link.
pub(super) fn hops(link: &Path) -> Vec<PathBuf> {
    // More than any system follows.
    const MOST: usize = 40;
    let mut hops = Vec::new();
    let mut at = link.to_owned();
    while hops.len() < MOST {
        let Some(next) = led_to(&at) else { break };
        hops.push(next.clone());
        at = next;
    }
    if !hops.is_empty() {
        hops.extend(link.canonicalize());
    }
    hops
}

/// Where a link says it leads.
pub(super) fn led_to(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    let mut path = link.parent()?.canonicalize().ok()?;
    for part in target.components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            // A root begins anew, which `push` does.
            other => path.push(other),
        }
    }
    Some(path)
}

/// What the links of a scan lead to, or would lead to, and the linked project files.
pub(super) fn of(project: &Project, facts: &Facts) -> Links {
    let mut links = Links::new();
    let mut add = |link: &Path, affects: Affects| {
        for target in hops(link) {
            links.entry(target).or_default().insert(affects.clone());
        }
    };
    for entry in &facts.entries {
        let affects = || {
            let below = entry.dir.strip_prefix(project.root()).unwrap_or(&entry.dir);
            let first = below.components().next().map(|c| c.as_os_str().to_owned());
            Affects::Folder(first.unwrap_or_default())
        };
        let broken = matches!(&entry.file, Err(finding) if finding.code == Code::BrokenLink);
        let linked = matches!(&entry.file, Ok(file) if file.real.is_some());
        if entry.link.is_some() || broken {
            add(&entry.dir, affects());
        }
        if linked || broken {
            add(&entry.dir.join("SKILL.md"), affects());
        }
    }
    for file in project.agent_files() {
        add(&file, Affects::Agents);
    }
    links
}
