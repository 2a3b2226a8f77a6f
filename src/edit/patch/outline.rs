//! Where each top-level field of a frontmatter stands.

use std::ops::Range;

use crate::skill::frontmatter::lenient;
use crate::skill::place::lines;
use crate::skill::yaml::{self, Node, Style, Tree, Trouble, Value};

/// A top-level field, in bytes of the frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::edit) struct Site {
    /// The key, without quotes.
    pub key: String,
    /// The key as written, with its quotes, tag and anchor.
    pub key_at: Range<usize>,
    /// The byte behind the colon; `None` for a lone key between braces.
    pub colon: Option<usize>,
    /// The value with its tag and anchor, without white space and comments
    /// around it. Of no width behind the colon when there is none.
    pub value: Range<usize>,
    /// How the value is written.
    pub form: Form,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Form {
    /// Not at all.
    Empty,
    /// A scalar without quotes, or an alias.
    Plain,
    /// A scalar in single quotes.
    Single,
    /// A scalar in double quotes.
    Double,
    /// A block scalar.
    Block,
    /// A list or a map in brackets.
    Flow,
    /// A list of lines `- item`.
    Items,
    /// A map of further lines.
    Lines,
}

/// How the fields stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Layout {
    /// Each on lines of its own, this many bytes from the margin.
    Lines {
        /// Bytes of white space before each key.
        indent: usize,
    },
    /// Between braces; the bytes behind the opening and before the closing one.
    Braces {
        /// Behind `{`.
        open: usize,
        /// Before `}`.
        close: usize,
    },
}

/// A frontmatter taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::edit) struct Outline {
    /// The fields in source order, repeated ones included.
    pub sites: Vec<Site>,
    /// How they stand beside each other.
    pub layout: Layout,
    /// What YAML reads; `None` where only the lenient reader does.
    pub tree: Option<Tree>,
}

impl Outline {
    /// Takes a frontmatter apart; `None` when no reader finds fields in it.
    pub fn of(head: &str) -> Option<Self> {
        match yaml::read(head) {
            Err(Trouble::Limit { .. }) => None,
            Err(Trouble::Syntax { .. }) => Self::lenient(head),
            Ok(tree) => match &tree.root {
                None => Some(Self {
                    sites: Vec::new(),
                    layout: Layout::Lines { indent: 0 },
                    tree: Some(tree),
                }),
                Some(Node { value: Value::Mapping { .. }, .. }) => Self::strict(head, tree),
                // Lines of `key:` and a space that YAML does not know are one text to it.
                Some(Node { value: Value::Scalar { .. }, .. }) => Self::lenient(head),
                Some(_) => None,
            },
        }
    }

    /// The field that counts: of equal keys the last.
    pub fn find(&self, field: &str) -> Option<&Site> {
        self.sites.iter().rev().find(|site| site.key == field)
    }

    fn strict(head: &str, tree: Tree) -> Option<Self> {
        let Map { sites, layout } = map(head, &tree, tree.root.as_ref()?, 0)?;
        Some(Self { sites, layout, tree: Some(tree) })
    }

    /// The map of the fields and every map in it, in source order.
    pub fn maps(&self, head: &str) -> Vec<Map> {
        let own = Map { sites: self.sites.clone(), layout: self.layout };
        let mut maps = vec![own];
        if let Some(tree) = &self.tree
            && let Some(pairs) = tree.root.as_ref().and_then(Node::pairs)
        {
            for (key, value) in pairs {
                maps_in(head, tree, value, key.span.end, &mut maps);
            }
        }
        maps
    }

    fn lenient(head: &str) -> Option<Self> {
        let entries = lenient::read(head).ok()?;
        let ends = entries.iter().skip(1).map(|entry| entry.key_at).chain([head.len()]);
        let sites = entries
            .iter()
            .zip(ends)
            .map(|(entry, end)| {
                let gap = head[entry.key_at..entry.value_at].trim_end();
                let colon = entry.key_at + gap.len();
                lenient_site(head, entry.key.clone(), entry.key_at..colon, entry.value_at, end)
            })
            .collect::<Vec<_>>();
        // What it passes over is nobody's field, and nothing can be put beside it.
        let outline = Self { sites, layout: Layout::Lines { indent: 0 }, tree: None };
        (!outline.sites.is_empty()).then_some(outline)
    }
}

/// The entries of one map, in bytes of the frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::edit) struct Map {
    /// Its entries in source order.
    pub sites: Vec<Site>,
    /// How they stand beside each other.
    pub layout: Layout,
}

/// The entries of a node that stands behind `from`.
fn map(head: &str, tree: &Tree, node: &Node, from: usize) -> Option<Map> {
    let Value::Mapping { pairs, flow } = &node.value else { return None };
    let layout = if *flow {
        Layout::Braces { open: node.span.start + 1, close: node.span.end.checked_sub(1)? }
    } else {
        let first = pairs.first().map_or(0, |(key, _)| line_start(head, key.span.start));
        let indent = head[first..].bytes().take_while(|b| *b == b' ').count();
        Layout::Lines { indent }
    };
    let mut sites = Vec::new();
    for (i, (key, value)) in pairs.iter().enumerate() {
        // A key that is a list or a map is nobody's field.
        let Some(name) = tree.target(key).text() else { continue };
        let from = match (i.checked_sub(1).map(|before| &pairs[before].1), layout) {
            (Some(before), _) => end_of(head, before),
            (None, Layout::Braces { open, .. }) => open,
            (None, Layout::Lines { .. }) => from,
        };
        let key_at = with_properties(head, key, from)..key.span.end;
        sites.push(strict_site(head, name.to_owned(), key_at, value));
    }
    Some(Map { sites, layout })
}

fn maps_in(head: &str, tree: &Tree, node: &Node, from: usize, maps: &mut Vec<Map>) {
    maps.extend(map(head, tree, node, from));
    match &node.value {
        Value::Mapping { pairs, .. } => {
            for (key, value) in pairs {
                maps_in(head, tree, value, key.span.end, maps);
            }
        }
        Value::Sequence(items) => {
            for item in items {
                maps_in(head, tree, item, item.span.start, maps);
            }
        }
        Value::Scalar { .. } | Value::Alias(_) => {}
    }
}

fn strict_site(head: &str, key: String, key_at: Range<usize>, node: &Node) -> Site {
    let colon = colon_behind(head, key_at.end);
    let behind = colon.unwrap_or(key_at.end);
    let start = skip_blank(head, behind);
    let is_empty = node.span.is_empty()
        && !matches!(node.value, Value::Scalar { style, .. } if style == Style::Block);
    let value = if is_empty && (node.span.end <= start || !head[start..].starts_with(['&', '!'])) {
        behind..behind
    } else {
        start..end_of(head, node).max(start)
    };
    let form = match &node.value {
        Value::Scalar { style: Style::Block, .. } => Form::Block,
        Value::Scalar { style: Style::Quoted, .. } if head[node.span.start..].starts_with('\'') => {
            Form::Single
        }
        Value::Scalar { style: Style::Quoted, .. } => Form::Double,
        _ if value.is_empty() => Form::Empty,
        Value::Scalar { .. } | Value::Alias(_) => Form::Plain,
        Value::Mapping { flow: false, .. } => Form::Lines,
        Value::Sequence(_) if !is_flow_list(head, node) => Form::Items,
        Value::Sequence(_) | Value::Mapping { .. } => Form::Flow,
    };
    Site { key, key_at, colon, value, form }
}

fn is_flow_list(head: &str, node: &Node) -> bool {
    head[node.span.start..].starts_with('[') && head[..node.span.end].ends_with(']') && {
        // The first item of `- [a]` begins with a bracket as well.
        let Value::Sequence(items) = &node.value else { return false };
        items.first().is_none_or(|item| item.span.start > node.span.start)
    }
}

/// Where a node ends: behind its last character that is not blank.
fn end_of(head: &str, node: &Node) -> usize {
    match &node.value {
        Value::Scalar { style: Style::Block, .. } => block_end(head, node),
        Value::Mapping { pairs, flow: false } => {
            // An empty value is told to stand before its colon.
            let end = |(key, value): &(Node, Node)| {
                let key = end_of(head, key);
                end_of(head, value).max(colon_behind(head, key).unwrap_or(key))
            };
            pairs.iter().map(end).max().unwrap_or(node.span.end)
        }
        Value::Sequence(items) if !is_flow_list(head, node) => {
            items.iter().map(|item| end_of(head, item)).max().unwrap_or(node.span.end)
        }
        // An empty value may also be told to stand on the next line.
        _ if node.span.is_empty() => {
            head[..node.span.end].trim_end_matches([' ', '\t', '\n', '\r']).len()
        }
        _ => node.span.end,
    }
}

/// The parser's span of a block scalar is its text with all blank lines below.
/// Those count only where the header keeps them (`+`).
fn block_end(head: &str, node: &Node) -> usize {
    let text = node.text().unwrap_or("");
    // With the indentation of what stands below, which is not its own.
    let last = line_start(head, node.span.end);
    let is_indentation = head[last..node.span.end].bytes().all(|b| b == b' ');
    let until = if is_indentation { last } else { node.span.end };
    let trimmed = head[..until].trim_end_matches([' ', '\t', '\n', '\r']).len();
    let last_line = trimmed
        + head[trimmed..].find(['\n', '\r']).unwrap_or(head.len() - trimmed).min(until - trimmed);
    let keeps = text.ends_with("\n\n") || (!text.is_empty() && text.trim_matches('\n').is_empty());
    if keeps {
        let kept = head[..until].strip_suffix("\r\n");
        let kept = kept.or_else(|| head[..until].strip_suffix(['\n', '\r']));
        return kept.map_or(until, str::len).max(last_line);
    }
    last_line
}

fn lenient_site(head: &str, key: String, key_at: Range<usize>, at: usize, end: usize) -> Site {
    let mut value = at..at;
    let mut has_items = false;
    for (i, line) in lines(&head[key_at.start..end]).enumerate() {
        let is_inside = line.text.starts_with([' ', '\t']) && !line.text.trim().is_empty();
        let is_item = line.text == "-" || line.text.starts_with("- ");
        if i == 0 || is_inside || is_item {
            value.end = value.end.max(key_at.start + line.start + line.text.trim_end().len());
            has_items |= is_item || line.text.trim_start().starts_with("- ");
        }
    }
    let is_on_line = lines(&head[at..end]).next().is_some_and(|line| !line.text.trim().is_empty());
    if !is_on_line && value.end > at {
        value.start += head[at..].len() - head[at..].trim_start().len();
    }
    let form = match head[value.clone()].chars().next() {
        None => Form::Empty,
        Some('\'') => Form::Single,
        Some('"') => Form::Double,
        Some('|' | '>') => Form::Block,
        Some('[' | '{') => Form::Flow,
        _ if !is_on_line && has_items => Form::Items,
        _ => Form::Plain,
    };
    if form == Form::Empty {
        value = key_at.end..key_at.end;
    }
    let colon = Some(key_at.end);
    Site { key, key_at, colon, value, form }
}

/// The byte behind the colon that follows a key.
fn colon_behind(head: &str, key_end: usize) -> Option<usize> {
    let at = skip_blank(head, key_end);
    head[at..].starts_with(':').then_some(at + 1)
}

/// Behind white space, line ends and comments.
fn skip_blank(head: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &head[at..];
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        let is_comment =
            head[at..].starts_with('#') && head[..at].ends_with([' ', '\t', '\n', '\r']);
        if !is_comment {
            return at;
        }
        at += head[at..].find(['\n', '\r']).unwrap_or(head.len() - at);
    }
}

/// Where a key begins, with the tag and the anchor before it. They stand
/// behind `from`, on the same line.
fn with_properties(head: &str, key: &Node, from: usize) -> usize {
    let from = from.max(line_start(head, key.span.start)).min(key.span.start);
    let before = &head[from..key.span.start];
    before.find(['&', '!', '?']).map_or(key.span.start, |at| from + at)
}

/// The first byte of the line that `at` stands in.
pub(in crate::edit) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Behind the last byte of the line that `at` stands in, before its line end.
pub(in crate::edit) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end)
}

/// Behind the end of the line that `at` stands in.
pub(in crate::edit) fn next_line(text: &str, at: usize) -> usize {
    let end = line_end(text, at);
    end + match text.as_bytes().get(end..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([_, ..]) => 1,
        _ => 0,
    }
}
