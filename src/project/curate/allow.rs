//! An agent gets a skill, or does not any more.

use globset::GlobBuilder;

use super::CurateError;
use crate::edit::ops::{self, Allow};
use crate::edit::{EditError, Proposal, Reader, Step};
use crate::project::agents::{Agent, Agents, FILES, PRIMARY};
use crate::project::{Deck, Project};
use crate::skill::text::shown;

/// Turns round whether an agent may use the skill of a folder.
///
/// # Errors
/// When the files cannot be read, there is no such agent, or its list cannot be
/// changed so that nothing else changes with it.
pub fn toggle(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    agent: &str,
    folder: &str,
) -> Result<Proposal, CurateError> {
    let refused = |why: String| CurateError::from(EditError::Refused(why));
    deck.in_folder(folder)?;
    // What is on disk now counts.
    let agents = Agents::load(project);
    if agents.is_broken() {
        let finding = agents.findings.first();
        let why = finding.map_or("it cannot be read", |finding| finding.message.as_str());
        return Err(refused(format!("{why}; until then no skill can be turned on or off")));
    }
    let known = agents.iter().find(|a| a.address() == agent);
    if known.is_none() && !(agent == PRIMARY && agents.iter().next().is_none()) {
        return Err(refused(format!("there is no agent `{}` any more", shown(agent))));
    }
    let may_use = |folder: &str| known.is_none_or(|agent| agent.may_use(folder));
    let gets: Vec<_> = deck
        .skills
        .iter()
        .map(|skill| skill.folder().to_owned())
        .filter(|folder| may_use(folder))
        .collect();
    let is_on = !may_use(folder);
    let what = Allow { agent, folder, is_on, gets: &gets, matches };
    let dir = project.dir().strip_prefix(project.boundary()).unwrap_or(project.dir());
    // Where the list stands; a new one in the file for all, else in the local one.
    let files = match known.and_then(Agent::list_file) {
        Some(file) => vec![file],
        None => FILES.to_vec(),
    };
    let mut trouble = None;
    for file in files {
        match ops::allow(reader, &dir.join(file), &what) {
            Ok(proposal) if does_only(&agents, deck, &proposal.plan().steps, file, &what) => {
                return Ok(proposal);
            }
            Ok(_) => {}
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    Err(trouble.map_or_else(
        || {
            refused(format!(
                "the list of `{}` cannot be changed so that nothing else changes with it; edit \
                 {} by hand",
                shown(agent),
                FILES[0]
            ))
        },
        CurateError::from,
    ))
}

/// Whether that is all that the steps change, as the files are read.
fn does_only(agents: &Agents, deck: &Deck, steps: &[Step], file: &str, what: &Allow<'_>) -> bool {
    let [Step::Write { after: Some(after), .. }] = steps else { return false };
    let Ok(text) = String::from_utf8(after.as_bytes().to_vec()) else { return false };
    let [base, local] = agents.texts().clone();
    let then = if file == FILES[0] {
        Agents::parse(Ok(Some(text)), local)
    } else {
        Agents::parse(base, Ok(Some(text)))
    };
    let is_same_crowd = agents.iter().all(|a| then.iter().any(|b| a.address() == b.address()));
    let is_as_meant = then.iter().all(|agent| {
        let before = agents.iter().find(|a| a.address() == agent.address());
        deck.skills.iter().all(|skill| {
            let folder = skill.folder();
            let did = before.is_none_or(|agent| agent.may_use(folder));
            let is_it = agent.address() == what.agent && folder == what.folder;
            agent.may_use(folder) == if is_it { what.is_on } else { did }
        })
    });
    !then.is_broken() && is_same_crowd && is_as_meant
}

fn matches(pattern: &str, folder: &str) -> bool {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(folder))
}
