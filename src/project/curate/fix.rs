//! The safe fixes of a skill, as a plan.

use std::path::Path;

use crate::edit::fixes::{Fixed, fix_judged};
use crate::edit::{Content, EditError, Plan, Reader, Step, ops};
use crate::profile::{FolderName, Reading};
use crate::project::{Deck, Project, Skill};
use crate::skill::text::shown_name;
use crate::skill::{Finding, Fix};

/// The safe fixes of a skill; `transcode` to write a text that is not UTF-8 anew
/// as well. A plan without steps when there is nothing to fix.
///
/// # Errors
/// When its file cannot be read, or its folder cannot get the name it should have.
pub fn fix(
    project: &Project,
    deck: &Deck,
    reader: &Reader,
    skill: &Skill,
    transcode: bool,
) -> Result<Plan, EditError> {
    let target = project.target(reader.site(), skill);
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
        && let Some(now) = reader.content(&at)?
    {
        let mut fixed = fix_text(deck, &skill.entry.folder, now.as_bytes(), transcode);
        done.extend(fixed.applied.iter().map(ToString::to_string));
        // A folder gets another name only where the text cannot be mended.
        let offered = judge(deck, &skill.entry.folder, &fixed.bytes, transcode);
        new_name = offered.into_iter().find_map(|finding| match finding.fix {
            Some(Fix::RenameFolder(name)) => Some(name),
            _ => None,
        });
        if let Some(name) = &new_name {
            // What the text is to say may depend on what the folder is called.
            let folder = FolderName::new(name.as_ref());
            fixed = fix_text(deck, &folder, &fixed.bytes, transcode);
            done.extend(fixed.applied.iter().map(ToString::to_string));
        }
        let after = Content::new(fixed.bytes, now.mode);
        if after != now {
            steps.push(Step::Write { at: to, before: Some(now), after: Some(after) });
        }
    }
    if let Some(name) = new_name {
        ops::check_new(reader, &name, Some(&target.folder))?;
        done.push(Fix::RenameFolder(name.clone()).to_string());
        let to = reader.site().root.join(name);
        steps.push(Step::Move { from: target.folder.clone(), to });
    }
    let title = format!(
        "fix `{}`: {}",
        shown_name(target.folder.file_name().unwrap_or_default()),
        done.join(", ")
    );
    Ok(Plan { title, steps })
}

/// What the safe fixes make of the text of a `SKILL.md`; `transcode` as in [`fix`].
pub fn fix_text(deck: &Deck, folder: &FolderName, bytes: &[u8], transcode: bool) -> Fixed {
    fix_judged(bytes, |bytes| judge(deck, folder, bytes, transcode))
}

fn judge(deck: &Deck, folder: &FolderName, bytes: &[u8], transcode: bool) -> Vec<Finding> {
    let mut findings = deck.profile.judge(folder, &Reading::of(bytes)).findings;
    findings.retain(|finding| transcode || finding.fix != Some(Fix::Transcode));
    findings
}

/// The file that is `SKILL.md` in another case.
fn wrong_case(skill: &Skill) -> Option<String> {
    let finding = skill.entry.file.as_ref().err()?;
    (finding.fix == Some(Fix::RenameToSkillMd)).then(|| finding.file.clone()).flatten()
}

/// A loose `foo.md` becomes `foo/SKILL.md`.
///
/// The plan has no steps when no folder can be called so.
pub fn loose_file(reader: &Reader, file: &str) -> Plan {
    let root = &reader.site().root;
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let folder = root.join(stem);
    let steps = if ops::check_new(reader, &stem.to_string_lossy(), Some(Path::new(file))).is_ok() {
        vec![
            Step::MakeFolder(folder.clone()),
            Step::Move { from: root.join(file), to: folder.join("SKILL.md") },
        ]
    } else {
        Vec::new()
    };
    Plan { title: format!("move {file} to a folder of its own"), steps }
}
