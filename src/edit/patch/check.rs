//! Whether a change does what it should and nothing else: both texts are read
//! and compared.

use std::ops::Range;

use super::FieldValue;
use super::outline::{Outline, Site};
use super::write::Edit;
use crate::skill::frontmatter::lenient;
use crate::skill::yaml::{self, Kind, Node, Tree, Value};

/// How well a changed text reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// As wanted, by every reader.
    Exactly,
    /// As wanted by YAML; the lenient reader, which is needed for another line,
    /// knows no escapes and takes the value otherwise.
    ByYaml,
}

/// The field that an alias elsewhere needs, if replacing `range` would take its
/// anchor away: where that alias stands.
pub(super) fn alias_into(outline: &Outline, range: &Range<usize>) -> Option<usize> {
    let tree = outline.tree.as_ref()?;
    let mut found = None;
    walk(tree.root.as_ref()?, &mut |node| {
        let is_alias = matches!(node.value, Value::Alias(_));
        let inside = |at: usize| range.start <= at && at < range.end;
        let target = tree.target(node).span.start;
        // An anchored value of no width stands at the end of the range.
        let anchored = inside(target) || (target == range.end && !range.is_empty());
        if is_alias && !inside(node.span.start) && anchored && target < node.span.start {
            found.get_or_insert(node.span.start);
        }
    });
    found
}

/// Reads what a change makes of `head`; `None` when it is not what was wanted.
pub(super) fn reads(
    head: &str,
    before: &Outline,
    edit: &Edit,
    field: &str,
    value: Option<&FieldValue>,
) -> Option<Reads> {
    let text = format!("{}{}{}", &head[..edit.range.start], edit.new, &head[edit.range.end..]);
    let after = Outline::of(&text)?;
    let before_at = before.sites.iter().rposition(|site| site.key == field);
    let after_at = after.sites.iter().rposition(|site| site.key == field);
    let kept = |outline: &Outline, without: Option<usize>| -> Vec<String> {
        let sites = outline.sites.iter().enumerate();
        let others =
            sites.filter(|(i, site)| Some(*i) != without && (value.is_some() || site.key != field));
        others.map(|(_, site)| site.key.clone()).collect()
    };
    if kept(before, before_at) != kept(&after, after_at) || after_at.is_some() != value.is_some() {
        return None;
    }
    let all = value.is_none();
    match (&before.tree, &after.tree) {
        (Some(old), Some(new)) => {
            let is_same = others(old, field, before_at.is_some(), all)
                == others(new, field, after_at.is_some(), all);
            if !is_same {
                return None;
            }
        }
        (None, None) => {
            let others = |text: &str, skips: bool| {
                let entries = lenient::read(text).ok()?;
                let last = entries.iter().rposition(|entry| entry.key == field);
                let kept = entries.into_iter().enumerate().filter(|(i, entry)| {
                    let is_it = if all { entry.key == field } else { Some(*i) == last };
                    !(skips && is_it)
                });
                Some(kept.map(|(_, entry)| (entry.key, entry.text)).collect::<Vec<_>>())
            };
            if others(head, before_at.is_some())? != others(&text, after_at.is_some())? {
                return None;
            }
        }
        // The broken line was mended: now YAML reads all of it.
        (None, Some(_)) => {}
        (Some(_), None) => return None,
    }
    let Some(value) = value else { return Some(Reads::Exactly) };
    let site = after.find(field)?;
    // The lenient reader takes an indented comment below for more of the value.
    let written = edit.range.start + edit.new.trim_end().len();
    let is_all = after.tree.is_some() || site.value.end <= written;
    is_all.then(|| holds(&text, &after, site, value)).flatten()
}

/// How a field reads, when that is `value`.
pub(super) fn holds(
    head: &str,
    outline: &Outline,
    site: &Site,
    value: &FieldValue,
) -> Option<Reads> {
    if let Some(tree) = &outline.tree {
        let node = tree.root.as_ref()?.pairs()?.iter().rev();
        let mut node = node.filter(|(key, _)| tree.target(key).text() == Some(&site.key));
        return is(tree, &node.next()?.1, value).then_some(Reads::Exactly);
    }
    let entries = lenient::read(head).ok()?;
    let entry = entries.iter().rev().find(|entry| entry.key == site.key)?;
    let alone = yaml::read(&format!("k: {}", entry.source)).ok()?;
    let (_, node) = alone.root.as_ref()?.pairs()?.first()?;
    if !is(&alone, node, value) {
        return None;
    }
    // A space that YAML does not know behind the colon is still to be mended.
    if !head[site.colon?..].starts_with([' ', '\t', '\n', '\r']) {
        return None;
    }
    match value {
        FieldValue::Text(text) if *text != entry.text => Some(Reads::ByYaml),
        _ => Some(Reads::Exactly),
    }
}

fn is(tree: &Tree, node: &Node, value: &FieldValue) -> bool {
    // What an alias stands for is not written there.
    if node.tag.is_some() || matches!(node.value, Value::Alias(_)) {
        return false;
    }
    match (value, &node.value) {
        (FieldValue::Text(text), Value::Scalar { .. }) => {
            node.kind() == Some(Kind::String) && node.text() == Some(text)
        }
        (FieldValue::Bool(value), Value::Scalar { .. }) => node.kind() == Some(Kind::Bool(*value)),
        (FieldValue::List(want), Value::Sequence(items)) => {
            let texts = items.iter().map(|item| {
                let item = tree.target(item);
                (item.kind() == Some(Kind::String)).then(|| item.text()).flatten()
            });
            texts.eq(want.iter().map(|item| Some(item.as_str())))
        }
        _ => false,
    }
}

/// A node without its children.
#[derive(Debug, PartialEq, Eq)]
enum Flat {
    Scalar(String, Option<Kind>),
    List(usize),
    Map(usize),
    /// Which of these nodes it stands for; of another field's none.
    Alias(Option<usize>),
}

/// All nodes but those of one field, in source order, aliases not expanded.
fn others(tree: &Tree, field: &str, skips: bool, all: bool) -> Vec<(Flat, Option<yaml::NodeTag>)> {
    let Some(pairs) = tree.root.as_ref().and_then(Node::pairs) else { return Vec::new() };
    let is_it = |key: &Node| tree.target(key).text() == Some(field);
    let last = pairs.iter().rposition(|(key, _)| is_it(key));
    let mut nodes = Vec::new();
    for (i, (key, value)) in pairs.iter().enumerate() {
        if skips && (Some(i) == last || (all && is_it(key))) {
            continue;
        }
        walk(key, &mut |node| nodes.push(node));
        walk(value, &mut |node| nodes.push(node));
    }
    let flat = nodes.iter().map(|node| {
        let this = match &node.value {
            Value::Scalar { text, .. } => Flat::Scalar(text.clone(), node.kind()),
            Value::Sequence(items) => Flat::List(items.len()),
            Value::Mapping { pairs, .. } => Flat::Map(pairs.len()),
            Value::Alias(_) => {
                let target = tree.target(node).span.start;
                Flat::Alias(nodes.iter().position(|node| node.span.start == target))
            }
        };
        (this, node.tag.clone())
    });
    flat.collect()
}

fn walk<'a>(node: &'a Node, see: &mut impl FnMut(&'a Node)) {
    see(node);
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| walk(item, see)),
        Value::Mapping { pairs, .. } => {
            for (key, value) in pairs {
                walk(key, see);
                walk(value, see);
            }
        }
        Value::Scalar { .. } | Value::Alias(_) => {}
    }
}
