//! The ways a value can be written where the old one stands, the best first.

use std::ops::Range;

use super::FieldValue;
use super::outline::{Form, Layout, Outline, Site, line_end, line_start};
use super::scalar::{self, Context};
use crate::skill::place::lines;

/// A change of a frontmatter, in its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::edit) struct Edit {
    /// What is replaced.
    pub range: Range<usize>,
    /// By what.
    pub new: String,
}

/// A value, written.
pub(super) enum Written {
    /// On the line of its key.
    Inline(String),
    /// A header on the line of the key, and the lines below without the last end.
    Block(String, String),
}

/// Where a value is to stand.
pub(super) struct Spot<'a> {
    /// How the old value is written.
    pub form: Form,
    /// What stands around it.
    pub context: Context,
    /// The white space before each further line.
    pub indent: String,
    /// How much of it is below the key, in bytes.
    pub levels: usize,
    /// The line end of new lines.
    pub end: &'a str,
    /// Whether only the lenient reader reads the frontmatter, which knows no
    /// escapes: then more ways are tried until both read the same.
    pub lenient: bool,
}

impl<'a> Spot<'a> {
    /// A new field beside those of an outline.
    pub(super) fn new(outline: &Outline, end: &'a str) -> Self {
        let (context, indent) = match outline.layout {
            Layout::Lines { indent } => (Context::Line, indent),
            Layout::Braces { .. } => (Context::Flow, 0),
        };
        Self {
            form: Form::Empty,
            context,
            indent: " ".repeat(indent + 2),
            levels: 2,
            end,
            lenient: outline.tree.is_none(),
        }
    }
}

/// The ways to put a value in place of that of `site`.
pub(super) fn replacing(
    head: &str,
    outline: &Outline,
    site: &Site,
    value: &FieldValue,
    end: &str,
) -> Vec<Edit> {
    let mut spot = Spot { form: site.form, ..Spot::new(outline, end) };
    if site.form == Form::Block {
        keep_indent(head, site, &mut spot);
    }
    let mut edits = Vec::new();
    if let (FieldValue::List(items), Form::Items) = (value, site.form) {
        edits.extend(as_items(head, site, items, end));
    }
    let old = &head[site.value.clone()];
    for written in ways(value, &spot, old) {
        match written {
            Written::Inline(new) => inline(head, site, &spot, &new, &mut edits),
            Written::Block(header, lines) => {
                edits.extend(block(head, site, &header, &lines, end));
            }
        }
    }
    if spot.lenient {
        let comments = inner_comments(head, site, end);
        for edit in &mut edits {
            edit.new.push_str(&comments);
        }
    }
    edits
}

/// The comments that the lenient reader passes over within a value: below the
/// new one they stay. Each with a line end before it.
pub(in crate::edit) fn inner_comments(head: &str, site: &Site, end: &str) -> String {
    let inner = lines(&head[site.value.clone()]).skip(1).map(|line| line.text);
    inner.filter(|line| line.starts_with('#')).map(|line| format!("{end}{line}")).collect()
}

/// A block keeps the indentation it has: that of its header, or of its first line.
fn keep_indent(head: &str, site: &Site, spot: &mut Spot<'_>) {
    let key = site.key_at.start - line_start(head, site.key_at.start);
    let mut lines = lines(&head[site.value.clone()]).map(|line| line.text);
    let header = lines.next().unwrap_or("").split('#').next().unwrap_or("");
    let told =
        header.rsplit(['|', '>']).next().and_then(|h| h.chars().find_map(|c| c.to_digit(10)));
    let first = lines.find(|line| !line.trim().is_empty());
    let seen = first.map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    let written = told.map_or(seen, |levels| key + levels as usize);
    if written > key {
        spot.indent = " ".repeat(written);
        spot.levels = written - key;
    }
}

/// The ways to write a value; `old` is the one before it.
pub(super) fn ways(value: &FieldValue, spot: &Spot<'_>, old: &str) -> Vec<Written> {
    match value {
        FieldValue::Bool(value) => vec![Written::Inline(value.to_string())],
        FieldValue::List(items) => {
            let like = old.trim_start_matches(['[', '-', ' ', '\t', '\r', '\n']).chars().next();
            let join = |write: &dyn Fn(&str) -> String| {
                let items: Vec<_> = items.iter().map(|item| write(item)).collect();
                Written::Inline(format!("[{}]", items.join(", ")))
            };
            vec![
                join(&|item| one_item(item, like, Context::Flow)),
                join(&|item| scalar::double(item)),
            ]
        }
        FieldValue::Text(text) => text_ways(text, spot),
    }
}

fn text_ways(text: &str, spot: &Spot<'_>) -> Vec<Written> {
    let mut ways = Vec::new();
    let plain = scalar::plain(text, spot.context).map(Written::Inline);
    let block = || {
        scalar::literal(text, &spot.indent, spot.levels, spot.end)
            // The lenient reader tells no blank line of a text from one below it.
            .filter(|(header, _)| !(spot.lenient && header.ends_with('+')))
            .filter(|_| spot.context == Context::Line)
            .map(|(header, lines)| Written::Block(header, lines))
    };
    let block_of_lines = || block().filter(|_| text.contains('\n'));
    match spot.form {
        Form::Double => {}
        // To the lenient reader a comment is one behind the header of a block only.
        Form::Block if spot.lenient => {
            ways.extend(block());
            ways.push(Written::Inline(scalar::quoted(text)));
        }
        Form::Single => {
            ways.extend(scalar::single(text).map(Written::Inline));
            ways.extend(block_of_lines());
        }
        _ => {
            ways.extend(plain);
            ways.extend(block_of_lines());
            ways.push(Written::Inline(scalar::quoted(text)));
        }
    }
    ways.push(Written::Inline(scalar::double(text)));
    if spot.lenient {
        ways.extend(scalar::plain(text, spot.context).map(Written::Inline));
        ways.extend(scalar::single(text).map(Written::Inline));
        ways.extend(block());
    }
    ways
}

/// An item of a list, in the quotes that the first one of the old list has.
fn one_item(item: &str, like: Option<char>, context: Context) -> String {
    match like {
        Some('"') => scalar::double(item),
        Some('\'') => scalar::single(item).unwrap_or_else(|| scalar::double(item)),
        _ => scalar::plain(item, context).unwrap_or_else(|| scalar::quoted(item)),
    }
}

/// A list of lines stays one.
fn as_items(head: &str, site: &Site, items: &[String], end: &str) -> Option<Edit> {
    let margin = &head[line_start(head, site.value.start)..site.value.start];
    let old = head[site.value.clone()].strip_prefix('-')?;
    if items.is_empty() || !margin.bytes().all(|b| b == b' ') {
        return None;
    }
    let like = old.trim_start().chars().next();
    let lines: Vec<_> =
        items.iter().map(|item| format!("- {}", one_item(item, like, Context::Line))).collect();
    Some(Edit { range: site.value.clone(), new: lines.join(&format!("{end}{margin}")) })
}

/// Puts `new` on one line.
fn inline(head: &str, site: &Site, spot: &Spot<'_>, new: &str, edits: &mut Vec<Edit>) {
    let Some(colon) = site.colon else {
        let at = site.key_at.end;
        edits.push(Edit { range: at..at, new: format!(": {new}") });
        return;
    };
    let gap = &head[colon..site.value.start];
    let spaces = gap.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let is_beside = spaces == gap.len() && !site.value.is_empty();
    // A space of another script is none to YAML and goes.
    let is_later = gap.contains(['\n', '\r']);
    let moves = matches!(site.form, Form::Items | Form::Lines) || (is_later && spot.lenient);
    match site.form {
        Form::Empty => {
            let rest = &head[site.value.end..line_end(head, site.value.end)];
            let plain = rest.trim_start_matches([' ', '\t']);
            let odd = plain.len() - plain.trim_start().len();
            // Behind the white space there is, but before that of a comment.
            let (at, before) = if plain.is_empty() && !rest.is_empty() {
                (site.value.end + rest.len(), "")
            } else {
                (site.value.end, " ")
            };
            edits.push(Edit { range: at..at, new: format!("{before}{new}") });
            if odd > 0 {
                let end = site.value.end + rest.len() - plain.trim_start().len();
                edits.insert(
                    edits.len() - 1,
                    Edit { range: site.value.end..end, new: format!(" {new}") },
                );
            }
        }
        Form::Block if is_beside && !gap.is_empty() => {
            let comment = if spot.lenient { String::new() } else { header_comment(head, site) };
            edits.push(Edit { range: site.value.clone(), new: format!("{new}{comment}") });
        }
        _ if is_beside && (!gap.is_empty() || spot.context == Context::Flow) => {
            edits.push(Edit { range: site.value.clone(), new: new.to_owned() });
            if gap.is_empty() {
                edits.push(Edit { range: site.value.clone(), new: format!(" {new}") });
            }
        }
        _ if is_later && !moves && site.form != Form::Block => {
            edits.push(Edit { range: site.value.clone(), new: new.to_owned() });
        }
        _ => {
            let comment = if is_later { key_comment(head, colon) } else { "" };
            let range = colon..site.value.end;
            edits.push(Edit { range, new: format!(" {new}{comment}") });
        }
    }
}

/// Puts a block on the line of the key and the lines below. What follows the
/// old value on its line, a comment, follows the header.
fn block(head: &str, site: &Site, header: &str, lines: &str, end: &str) -> Option<Edit> {
    let colon = site.colon?;
    let gap = &head[colon..site.value.start];
    let is_beside = !gap.is_empty() && gap.bytes().all(|b| matches!(b, b' ' | b'\t'));
    let (before, start) = if is_beside { ("", site.value.start) } else { (" ", colon) };
    let mut comments = String::new();
    if gap.contains(['\n', '\r']) {
        comments.push_str(key_comment(head, colon));
    }
    if site.form == Form::Block {
        comments.push_str(&header_comment(head, site));
    }
    let line_end = line_end(head, site.value.end);
    comments.push_str(head[site.value.end..line_end].trim_end());
    Some(Edit { range: start..line_end, new: format!("{before}{header}{comments}{end}{lines}") })
}

/// The comment on the line of a key whose value stands below, with its space.
fn key_comment(head: &str, colon: usize) -> &str {
    let rest = head[colon..line_end(head, colon)].trim_end();
    if rest.trim_start().starts_with('#') { rest } else { "" }
}

/// The comment behind the header of a block, with its space.
fn header_comment(head: &str, site: &Site) -> String {
    let header = &head[site.value.start..line_end(head, site.value.start)];
    match header.find([' ', '\t']).filter(|at| header[*at..].trim_start().starts_with('#')) {
        Some(at) => header[at..].trim_end().to_owned(),
        // A tag or an anchor stands before the header.
        None => header.find(" #").map_or(String::new(), |at| header[at..].trim_end().to_owned()),
    }
}
