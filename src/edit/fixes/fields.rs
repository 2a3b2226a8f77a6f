//! Fixes of what stands between the fences.

use crate::edit::patch::outline::{Form, Outline, line_end};
use crate::edit::patch::{self, FieldValue, File, place, scalar, write};
use crate::skill::finding::{Code, Finding};
use crate::skill::frontmatter::{TextField, lenient, tabs};
use crate::skill::place::lines;
use crate::skill::{document, yaml};

/// Puts quotes around the value that a finding is about.
pub(super) fn quote_value(bytes: &[u8], finding: &Finding) -> Option<Vec<u8>> {
    match finding.code {
        Code::CommentInValue => quote_comment(bytes),
        Code::NameNotString => quote_typed(bytes, "name"),
        Code::DescriptionNotString => quote_typed(bytes, "description"),
        _ => quote_broken(bytes),
    }
}

/// The first value that is no YAML by itself, as the lenient reader takes it.
fn quote_broken(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::of(bytes, "").ok()??;
    let outline = Outline::of(file.head).filter(|outline| outline.tree.is_none())?;
    let entries = lenient::read(file.head).ok()?;
    let broken = |entry: &lenient::Entry| yaml::read(&format!("k: {}", entry.source)).is_err();
    let i = entries.iter().position(broken)?;
    let (entry, site) = (&entries[i], outline.sites.get(i)?);
    let quoted = scalar::quoted(&entry.text);
    // One that cannot be read back is not mended by quotes.
    let alone = yaml::read(&format!("k: {quoted}")).ok()?;
    let is_same = alone.root.as_ref()?.get("k")?.text() == Some(&entry.text);
    let comments = write::inner_comments(file.head, site, file.line_end());
    is_same.then(|| file.replaced(bytes, site.value.clone(), &format!("{quoted}{comments}")))
}

/// The description with the comment that YAML cuts from it.
fn quote_comment(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::of(bytes, "description").ok()??;
    let outline = Outline::of(file.head)?;
    let site = outline.find("description").filter(|site| site.form == Form::Plain)?;
    let root = outline.tree.as_ref()?.root.as_ref()?;
    let end = line_end(file.head, site.value.end);
    let comment = file.head[site.value.end..end].trim_end();
    if !comment.trim_start().starts_with('#') {
        return None;
    }
    let text = format!("{}{comment}", root.get("description")?.text()?);
    let range = site.value.start..site.value.end + comment.len();
    Some(file.replaced(bytes, range, &scalar::quoted(&text)))
}

/// A number or a boolean as the text that it is written as.
fn quote_typed(bytes: &[u8], field: &str) -> Option<Vec<u8>> {
    let frontmatter = document::read(bytes).frontmatter?;
    let value = if field == "name" { frontmatter.name } else { frontmatter.description };
    let TextField::Text { text, typed: true, .. } = value else { return None };
    changed(bytes, field, &FieldValue::Text(text))
}

/// Sets `name`.
pub(super) fn set_name(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    changed(bytes, "name", &FieldValue::Text(name.to_owned()))
}

fn changed(bytes: &[u8], field: &str, value: &FieldValue) -> Option<Vec<u8>> {
    let patch = patch::set(bytes, field, value).ok()?;
    (!patch.is_empty()).then(|| patch.apply(bytes))
}

/// Removes the earlier of two equal keys of one map, the frontmatter or one in it.
pub(super) fn remove_duplicate(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::of(bytes, "").ok()??;
    let outline = Outline::of(file.head)?;
    let (depth, edit) = outline.maps(file.head).iter().enumerate().find_map(|(depth, map)| {
        let later = |i: usize| map.sites[i + 1..].iter().any(|s| s.key == map.sites[i].key);
        let earlier = (0..map.sites.len()).find(|i| later(*i))?;
        Some((depth, place::removing_one(file.head, &outline, map, earlier)?))
    })?;
    let new = file.replaced(bytes, edit.range, &edit.new);
    // Nothing that counts was in it.
    let fields = |bytes: &[u8]| {
        let frontmatter = document::read(bytes).frontmatter?;
        let all = frontmatter.fields.into_iter().map(|field| (field.key, field.value));
        Some((all.collect::<Vec<_>>(), frontmatter.hide, frontmatter.globs))
    };
    let (before, after) = (fields(bytes)?, fields(&new)?);
    (depth > 0 || before == after).then_some(new)
}

/// Puts a plain space for one that YAML does not know, behind a key's colon.
pub(super) fn plain_space(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::of(bytes, "").ok()??;
    let odd = lines(file.head).find_map(|line| {
        let (key, value) = line.text.split_once(':')?;
        let is_key = !key.is_empty()
            && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        let c = value.chars().next().filter(|c| c.is_whitespace() && !c.is_ascii())?;
        let at = line.start + key.len() + 1;
        is_key.then_some(at..at + c.len_utf8())
    })?;
    Some(file.replaced(bytes, odd, " "))
}

/// Puts spaces for the tabs that indent lines, of the first value that YAML
/// then reads.
pub(super) fn replace_tab(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::of(bytes, "").ok()??;
    if let Some(new) = tabs::replaced("", file.head) {
        return Some(file.replaced(bytes, 0..file.head.len(), &new));
    }
    let entries = lenient::read(file.head).ok()?;
    let ends = entries.iter().skip(1).map(|entry| entry.key_at).chain([file.head.len()]);
    let (range, new) = entries.iter().zip(ends).find_map(|(entry, end)| {
        let range = entry.value_at..end;
        let new = tabs::replaced("k: ", file.head.get(range.clone())?)?;
        Some((range, new))
    })?;
    Some(file.replaced(bytes, range, &new))
}
