//! A skill gets another name: its folder, its `name`, and what refers to it.

use std::path::Path;

use super::{Reference, Target, check_new};
use crate::edit::patch::{FieldValue, set};
use crate::edit::{Content, Deed, EditError, Part, Proposal, Reader, Step};
use crate::skill::document;
use crate::skill::frontmatter::TextField;
use crate::skill::text::{shown, shown_name};

/// Renames the folder of a skill (of a linked one the link), and with it `name`
/// when there is one, and what refers to it. A rename that takes the last one
/// back brings back the bytes from before.
///
/// # Errors
/// When the name is refused or taken, or `name` cannot be changed.
pub fn rename(
    reader: &Reader,
    target: &Target,
    new: &str,
    references: Vec<Reference>,
) -> Result<Proposal, EditError> {
    let to = reader.site().root.join(new);
    let old = target.folder.file_name().map(|name| shown_name(name).into_string());
    let old = old.unwrap_or_default();
    let mut proposal =
        Proposal { title: format!("rename `{old}` to `{}`", shown(new)), ..Proposal::default() };
    if to == target.folder {
        return Ok(proposal);
    }
    // What the last rename took away may come back, also a name against the rule.
    if let Some(steps) = earlier(reader, &target.folder, &to)?
        && references.iter().all(|r| steps.iter().any(|step| step.path() == r.step.path()))
    {
        let about = "back to what it was, byte for byte".to_owned();
        proposal.parts.push(Part { about, deed: Deed::Steps(steps) });
        return Ok(proposal);
    }
    check_new(reader, new, Some(&target.folder))?;
    let mut push = |about, step| {
        proposal.parts.push(Part { about, deed: Deed::Steps(vec![step]) });
    };
    for Reference { places, step } in references {
        push(format!("`{old}` in {}", places.join(", ")), step);
    }
    if let Some(file) = &target.file
        && let Some(step) = name_step(reader, file, new)?
    {
        push("`name` in its SKILL.md".to_owned(), step);
    }
    push("the folder".to_owned(), Step::Move { from: target.folder.clone(), to });
    Ok(proposal)
}

/// The change of `name` in a file that has one.
///
/// # Errors
/// When it cannot be changed.
pub fn name_step(reader: &Reader, file: &Path, new: &str) -> Result<Option<Step>, EditError> {
    let Some(now) = reader.content(file)? else { return Ok(None) };
    let document = document::read(now.as_bytes());
    let has_name = document.frontmatter.is_some_and(|front| front.name != TextField::Absent);
    if !has_name {
        return Ok(None);
    }
    let patch = set(now.as_bytes(), "name", &FieldValue::Text(new.to_owned()))
        .map_err(|error| EditError::Refused(error.to_string()))?;
    let after = Content::new(patch.apply(now.as_bytes()), now.mode);
    Ok((after != now).then(|| Step::Write {
        at: file.to_owned(),
        before: Some(now),
        after: Some(after),
    }))
}

/// The steps that take back the change that moved `to` to `from`, if that was
/// the last of them and everything is as it left it.
fn earlier(reader: &Reader, from: &Path, to: &Path) -> Result<Option<Vec<Step>>, EditError> {
    let records = reader.records()?;
    let touches = |step: &Step| match step {
        Step::Move { from: a, to: b } => [a, b].iter().any(|path| *path == from),
        other => other.path().starts_with(from),
    };
    let last = records.into_iter().rev().find(|(_, r)| r.plan.steps.iter().any(touches));
    let Some((_, last)) = last else { return Ok(None) };
    let is_it = matches!(
        last.plan.steps.last(),
        Some(Step::Move { from: a, to: b }) if a == to && b == from
    );
    if !is_it {
        return Ok(None);
    }
    // First back to the old name, then the files in it as they were.
    let steps = last.plan.inverse().steps;
    for step in &steps {
        let Step::Write { at, before, .. } = step else { continue };
        let here = at.strip_prefix(to).map_or_else(|_| at.clone(), |below| from.join(below));
        if reader.content(&here)? != *before {
            return Ok(None);
        }
    }
    Ok(Some(steps))
}
