//! A field of a skill gets another value, or goes.

use std::path::Path;

use super::Target;
use crate::edit::patch::{self, FieldValue, Patch, PatchError};
use crate::edit::record::Record;
use crate::edit::{Content, EditError, Plan, Reader, Step};
use crate::skill::document;
use crate::skill::frontmatter::{TextField, one_line};
use crate::skill::text::{shown, shown_name};

/// Sets a field. The value that the last change took away comes back in the
/// bytes it had.
///
/// # Errors
/// When there is no file, or the field cannot be set in it.
pub fn set(
    reader: &Reader,
    target: &Target,
    field: &str,
    value: &FieldValue,
) -> Result<Plan, EditError> {
    let (file, now) = content(reader, target)?;
    let after = match earlier(reader, file, &now, (field, value), &title("set", field, target))? {
        Some(before) => before,
        None => patched(&now, patch::set(now.as_bytes(), field, value))?,
    };
    Ok(plan(title("set", field, target), file, &now, after))
}

/// Removes a field.
///
/// # Errors
/// When there is no file, or the field cannot be removed from it.
pub fn remove(reader: &Reader, target: &Target, field: &str) -> Result<Plan, EditError> {
    let (file, now) = content(reader, target)?;
    let after = patched(&now, patch::remove(now.as_bytes(), field))?;
    Ok(plan(title("remove", field, target), file, &now, after))
}

fn content<'a>(reader: &Reader, target: &'a Target) -> Result<(&'a Path, Content), EditError> {
    let none = || EditError::Refused("the skill has no SKILL.md to change".to_owned());
    let file = target.file.as_deref().ok_or_else(none)?;
    Ok((file, reader.content(file)?.ok_or_else(none)?))
}

fn patched(now: &Content, patch: Result<Patch, PatchError>) -> Result<Content, EditError> {
    let patch = patch.map_err(|error| EditError::Refused(error.to_string()))?;
    Ok(Content::new(patch.apply(now.as_bytes()), now.mode))
}

fn plan(title: String, at: &Path, now: &Content, after: Content) -> Plan {
    let step = Step::Write { at: at.to_owned(), before: Some(now.clone()), after: Some(after) };
    let is_same = matches!(&step, Step::Write { after: Some(after), .. } if after == now);
    Plan { title, steps: if is_same { Vec::new() } else { vec![step] } }
}

/// What the change is called; the next one knows it by that.
fn title(what: &str, field: &str, target: &Target) -> String {
    let folder = target.folder.file_name().map(shown_name).unwrap_or_default();
    format!("{what} {} of `{folder}`", shown(field))
}

/// The file from before the last change, if that set this field from this value.
fn earlier(
    reader: &Reader,
    file: &Path,
    now: &Content,
    (field, value): (&str, &FieldValue),
    title: &str,
) -> Result<Option<Content>, EditError> {
    let is_of_file = |record: &Record| record.plan.steps.iter().any(|step| step.path() == file);
    let records = reader.records()?;
    let Some((_, last)) = records.into_iter().rev().find(|(_, record)| is_of_file(record)) else {
        return Ok(None);
    };
    let [Step::Write { before: Some(before), after: Some(after), .. }] = last.plan.steps.as_slice()
    else {
        return Ok(None);
    };
    let is_it = last.plan.title == title && after == now && holds(before, field, value);
    Ok(is_it.then(|| before.clone()))
}

/// Whether a file holds a value, as a client reads it: a description in one line.
fn holds(content: &Content, field: &str, value: &FieldValue) -> bool {
    let document = document::read(content.as_bytes());
    let text = match (document.frontmatter, field) {
        (Some(front), "description") => front.description,
        (Some(front), "name") => front.name,
        _ => return patch::set(content.as_bytes(), field, value).is_ok_and(|p| p.is_empty()),
    };
    match (text, value) {
        (TextField::Text { text, .. }, FieldValue::Text(value)) => {
            one_line(&text) == one_line(value)
        }
        _ => false,
    }
}
