//! An agent gets a skill, or does not any more: its `skills` list in a project
//! file, changed byte by byte.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::edit::patch::scalar::{self, Context};
use crate::edit::{Content, EditError, Plan, Proposal, Reader, Step};
use crate::skill::text::shown;
use crate::skill::yaml::{self, Limits, Node, Tree, Value};

/// A project's own file is not somebody else's: only what would hang is refused.
const LIMITS: Limits = Limits { anchors: 10_000, levels: 250, directives: true };

/// What an agent is to get.
#[derive(Debug, Clone, Copy)]
pub struct Allow<'a> {
    /// The agent's address: `primary`, `primary/reviewer`, …
    pub agent: &'a str,
    /// The folder of the skill.
    pub folder: &'a str,
    /// Whether it is to get it.
    pub is_on: bool,
    /// The folders that the agent gets now, in order.
    pub gets: &'a [String],
    /// Whether a pattern matches a folder.
    pub matches: fn(&str, &str) -> bool,
}

/// The change of the file at `at`, in which the agent's list stands or is to stand.
///
/// # Errors
/// When the file cannot be read, or its list cannot be changed in place.
pub fn allow(reader: &Reader, at: &Path, what: &Allow<'_>) -> Result<Proposal, EditError> {
    let now = reader.content(at)?;
    let bytes = now.as_ref().map_or(&[] as &[u8], Content::as_bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|_| EditError::Refused(format!("`{}` is not UTF-8", at.display())))?;
    let new = patched(text, what).map_err(|why| {
        EditError::Refused(format!(
            "`{}` cannot be changed here: {why}; edit it by hand",
            shown(&at.to_string_lossy())
        ))
    })?;
    let verb = if what.is_on { "give" } else { "take" };
    let preposition = if what.is_on { "to" } else { "from" };
    let (folder, agent) = (shown(what.folder), shown(what.agent));
    let title = format!("{verb} `{folder}` {preposition} the agent `{agent}`");
    let mut notes = Vec::new();
    if names_one_by_one(text, &new, what) {
        notes.push(
            "from now on its list names skills one by one, so a new one is not in it".to_owned(),
        );
    }
    let mode = now.as_ref().map_or(0o644, |content| content.mode);
    let after = Content::new(new.into_bytes(), mode);
    if now.as_ref() == Some(&after) {
        return Ok(Proposal::whole(Plan { title, steps: Vec::new() }));
    }
    let step = Step::Write { at: PathBuf::from(at), before: now, after: Some(after) };
    Ok(Proposal { notes, ..Proposal::whole(Plan { title, steps: vec![step] }) })
}

/// Whether a pattern, or no list, let skills through that come later, and now names do.
fn names_one_by_one(before: &str, after: &str, what: &Allow<'_>) -> bool {
    let is_open = |text: &str| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Ok(tree) = yaml::read_within(text, LIMITS) else { return false };
        match find(&tree, what.agent) {
            Ok(Found::List(list)) => match &list.value {
                Value::Sequence(items) => items
                    .iter()
                    .filter_map(|item| tree.target(item).text())
                    .any(|text| text.contains(['*', '?', '[', '{'])),
                _ => false,
            },
            Ok(Found::None { .. }) => true,
            Err(_) => false,
        }
    };
    !what.is_on && is_open(before) && !is_open(after)
}

/// The text of a project file with the list changed.
fn patched(text: &str, what: &Allow<'_>) -> Result<String, String> {
    // Places count behind a byte-order mark.
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mark, body) = text.split_at(mark);
    let tree = yaml::read_within(body, LIMITS).map_err(|_| "it is not valid YAML".to_owned())?;
    let edit = match find(&tree, what.agent)? {
        Found::List(list) => change(body, &tree, list, what)?,
        Found::None { map, path } => insert(body, map, &path, what)?,
    };
    let (range, new) = edit;
    let mut out = String::with_capacity(text.len() + new.len());
    out.push_str(mark);
    out.push_str(&body[..range.start]);
    out.push_str(&new);
    out.push_str(&body[range.end..]);
    Ok(out)
}

/// A range of the text and what stands there then.
type Edit = (Range<usize>, String);

enum Found<'a> {
    /// The list.
    List(&'a Node),
    /// There is none: the innermost mapping that is there, and the keys missing
    /// in it, down to the agent.
    None { map: Option<&'a Node>, path: Vec<String> },
}

/// The list of an agent.
fn find<'a>(tree: &'a Tree, agent: &str) -> Result<Found<'a>, String> {
    let mut keys = Vec::new();
    for (i, name) in agent.split('/').enumerate() {
        if i > 0 {
            keys.push("subagents".to_owned());
        }
        keys.push(name.to_owned());
    }
    let mut map = tree.root.as_ref();
    if map.is_some_and(is_nothing) {
        map = None;
    }
    for (i, key) in keys.iter().enumerate() {
        let Some(node) = map else {
            return Ok(Found::None { map: None, path: keys[i..].to_vec() });
        };
        if node.pairs().is_none() {
            return Err(format!("what stands above `{key}` is no mapping of its own"));
        }
        match node.get(key) {
            Some(next) if is_nothing(next) => {
                return Err(format!("`{key}` is there without a value"));
            }
            Some(next) => map = Some(next),
            None => return Ok(Found::None { map, path: keys[i..].to_vec() }),
        }
    }
    let Some(node) = map else { return Ok(Found::None { map: None, path: Vec::new() }) };
    if node.pairs().is_none() {
        return Err("the agent is no mapping of its own".to_owned());
    }
    match node.get("skills") {
        None => Ok(Found::None { map, path: Vec::new() }),
        Some(list) if matches!(list.value, Value::Sequence(_)) => Ok(Found::List(list)),
        Some(_) => Err("its `skills` is no list of its own".to_owned()),
    }
}

fn is_nothing(node: &Node) -> bool {
    node.kind() == Some(yaml::Kind::Null)
}

/// The list with the folder in it, or without.
fn change(text: &str, tree: &Tree, list: &Node, what: &Allow<'_>) -> Result<Edit, String> {
    let Value::Sequence(items) = &list.value else {
        return Err("its `skills` is no list of its own".to_owned());
    };
    let is_flow = text[list.span.start..].starts_with('[');
    let list = List { text, tree, node: list, items, is_flow };
    if what.is_on { list.with(what.folder) } else { list.without(what) }
}

struct List<'a> {
    text: &'a str,
    tree: &'a Tree,
    node: &'a Node,
    items: &'a [Node],
    is_flow: bool,
}

impl List<'_> {
    fn with(&self, folder: &str) -> Result<Edit, String> {
        let new = quoted(folder, self.is_flow);
        if self.is_flow {
            let at = match self.items.last() {
                Some(last) => last.span.end,
                None => self.node.span.start + 1,
            };
            let comma = if self.items.is_empty() { "" } else { ", " };
            return Ok((at..at, format!("{comma}{new}")));
        }
        let last = self.items.last().ok_or("its list is empty and not written as `[]`")?;
        // Behind the line of the last one, its comment included.
        let end = line_end(self.text, last.span.end);
        let indent = self.indent(last)?;
        let break_ = line_break(self.text);
        let at_end = end == self.text.len() && !self.text.ends_with(['\n', '\r']);
        let new = if at_end {
            format!("{break_}{indent}- {new}")
        } else {
            format!("{indent}- {new}{break_}")
        };
        Ok((end..end, new))
    }

    fn without(&self, what: &Allow<'_>) -> Result<Edit, String> {
        let hits = |item: &Node| {
            let pattern = self.tree.target(item).text().unwrap_or("");
            (what.matches)(pattern, what.folder)
        };
        let hit: Vec<usize> = (0..self.items.len()).filter(|i| hits(&self.items[*i])).collect();
        let [at] = hit.as_slice() else {
            // Several let it through: the list becomes what the agent still gets.
            return self.replaced(what);
        };
        let pattern = self.tree.target(&self.items[*at]).text().unwrap_or("").to_owned();
        let others: Vec<&String> = what
            .gets
            .iter()
            .filter(|folder| *folder != what.folder && (what.matches)(&pattern, folder))
            .filter(|folder| {
                // What another pattern gives stays without being named.
                let others = self.items.iter().enumerate().filter(|(i, _)| i != at);
                let mut texts = others.filter_map(|(_, item)| self.tree.target(item).text());
                !texts.any(|text| (what.matches)(text, folder))
            })
            .collect();
        let item = &self.items[*at];
        if let [first, rest @ ..] = others.as_slice() {
            // In place of the pattern stand those that it still gives.
            if self.is_flow {
                let names: Vec<_> = others.iter().map(|name| quoted(name, true)).collect();
                return Ok((item.span.clone(), names.join(", ")));
            }
            let (indent, break_) = (self.indent(item)?, line_break(self.text));
            let mut new = quoted(first, false);
            for name in rest {
                new.push_str(&format!("{break_}{indent}- {}", quoted(name, false)));
            }
            return Ok((item.span.clone(), new));
        }
        if self.items.len() == 1 {
            return self.replaced(what);
        }
        if self.is_flow {
            // With the comma and the white space that part it from its neighbour.
            let range = match self.items.get(at + 1) {
                Some(next) => item.span.start..next.span.start,
                None => self.items[at - 1].span.end..item.span.end,
            };
            return Ok((range, String::new()));
        }
        self.indent(item)?;
        let start = line_start(self.text, item.span.start);
        Ok((start..line_end(self.text, item.span.end), String::new()))
    }

    /// The whole list anew; its comments go with it.
    fn replaced(&self, what: &Allow<'_>) -> Result<Edit, String> {
        let gets: Vec<_> = what.gets.iter().filter(|folder| *folder != what.folder).collect();
        let names: Vec<_> = gets.iter().map(|name| quoted(name, true)).collect();
        let flow = format!("[{}]", names.join(", "));
        if self.is_flow {
            return Ok((self.node.span.clone(), flow));
        }
        let (Some(first), Some(last)) = (self.items.first(), self.items.last()) else {
            return Err("its list is empty and not written as `[]`".to_owned());
        };
        if gets.is_empty() {
            // `skills:` and the list below it become one line.
            let start = line_start(self.text, first.span.start);
            let key = self.text[..start].trim_end().len();
            return Ok((key..last.span.end, " []".to_owned()));
        }
        let (indent, break_) = (self.indent(first)?, line_break(self.text));
        let lines: Vec<_> = gets.iter().map(|name| format!("- {}", quoted(name, false))).collect();
        let start = line_start(self.text, first.span.start) + indent.len();
        Ok((start..last.span.end, lines.join(&format!("{break_}{indent}"))))
    }

    /// The white space before the sign of an item that has its line to itself.
    fn indent(&self, item: &Node) -> Result<&str, String> {
        let start = line_start(self.text, item.span.start);
        let before = &self.text[start..item.span.start];
        let indent = before.len() - before.trim_start().len();
        if before.trim() == "-" {
            Ok(&before[..indent])
        } else {
            Err("an entry of its list does not begin on a line of its own".to_owned())
        }
    }
}

/// A new list, and the keys that lead to it.
fn insert(
    text: &str,
    map: Option<&Node>,
    path: &[String],
    what: &Allow<'_>,
) -> Result<Edit, String> {
    let mut gets: Vec<&String> = what.gets.iter().collect();
    let own = what.folder.to_owned();
    if what.is_on && !gets.contains(&&own) {
        gets.push(&own);
    }
    gets.retain(|folder| what.is_on || *folder != what.folder);
    let break_ = line_break(text);
    let names: Vec<_> = gets.iter().map(|name| quoted(name, true)).collect();
    let is_flow = map.is_some_and(|map| text[map.span.start..].starts_with('{'));
    if is_flow {
        let Some(map) = map else { return Err("it has no mapping".to_owned()) };
        let last = map.pairs().and_then(<[_]>::last);
        let mut new = format!("skills: [{}]", names.join(", "));
        for key in path.iter().rev() {
            new = format!("{}: {{{new}}}", quoted(key, true));
        }
        let (at, comma) =
            last.map_or((map.span.start + 1, ""), |(_, value)| (value.span.end, ", "));
        return Ok((at..at, format!("{comma}{new}")));
    }
    // As wide as the file indents elsewhere.
    let first = map.and_then(|map| map.pairs()?.first()).map(|(key, _)| key);
    let indent = first.map_or("", |key| &text[line_start(text, key.span.start)..key.span.start]);
    if !indent.trim().is_empty() {
        return Err("its mapping does not begin on a line of its own".to_owned());
    }
    let mut new = String::new();
    let mut depth = indent.to_owned();
    for key in path {
        new.push_str(&format!("{depth}{}:{break_}", quoted(key, false)));
        depth.push_str("  ");
    }
    if gets.is_empty() {
        new.push_str(&format!("{depth}skills: []{break_}"));
    } else {
        new.push_str(&format!("{depth}skills:{break_}"));
        for name in &gets {
            new.push_str(&format!("{depth}  - {}{break_}", quoted(name, false)));
        }
    }
    // Before the first key of the mapping: where it ends, comments may follow that
    // belong to what comes after it.
    let at = first.map_or(text.len(), |key| line_start(text, key.span.start));
    if first.is_none() && !text.is_empty() && !text.ends_with(['\n', '\r']) {
        new.insert_str(0, break_);
    }
    Ok((at..at, new))
}

/// A name as an entry of a list.
fn quoted(name: &str, is_flow: bool) -> String {
    let context = if is_flow { Context::Flow } else { Context::Line };
    scalar::plain(name, context).unwrap_or_else(|| scalar::quoted(name))
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |i| i + 1)
}

/// Where the next line begins.
fn line_end(text: &str, at: usize) -> usize {
    let Some(end) = text[at..].find(['\n', '\r']) else { return text.len() };
    let end = at + end;
    end + if text[end..].starts_with("\r\n") { 2 } else { 1 }
}

fn line_break(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, folder: &str) -> bool {
        match pattern.strip_suffix('*') {
            Some(start) => folder.starts_with(start),
            None => pattern == folder,
        }
    }

    fn toggled(
        text: &str,
        agent: &str,
        folder: &str,
        is_on: bool,
        gets: &[&str],
    ) -> Result<String, String> {
        let gets: Vec<_> = gets.iter().map(ToString::to_string).collect();
        patched(text, &Allow { agent, folder, is_on, gets: &gets, matches })
    }

    #[test]
    fn a_skill_is_given_in_the_style_of_the_list() {
        for (text, want) in [
            ("primary:\n  skills: [b]\n", "primary:\n  skills: [b, a]\n"),
            ("primary:\n  skills: []\n", "primary:\n  skills: [a]\n"),
            ("primary: {skills: [ b ], x: 1}\n", "primary: {skills: [ b, a ], x: 1}\n"),
            (
                "primary:\n  skills:\n    - b # first\n    # more\n  model: m\n",
                "primary:\n  skills:\n    - b # first\n    - a\n    # more\n  model: m\n",
            ),
            ("primary:\r\n  skills:\r\n  - b\r\n", "primary:\r\n  skills:\r\n  - b\r\n  - a\r\n"),
            ("primary:\n  skills:\n  - b", "primary:\n  skills:\n  - b\n  - a"),
        ] {
            assert_eq!(toggled(text, "primary", "a", true, &["b"]).as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn a_skill_is_taken_and_the_rest_stays() {
        for (text, gets, want) in [
            ("primary:\n  skills: [a, b] # c\n", "a b", "primary:\n  skills: [b] # c\n"),
            ("primary:\n  skills: [b, \"a\"]\n", "a b", "primary:\n  skills: [b]\n"),
            ("primary:\n  skills: [a]\n", "a", "primary:\n  skills: []\n"),
            ("primary:\n  skills:\n    - a\n  x: 1\n", "a", "primary:\n  skills: []\n  x: 1\n"),
            (
                "primary:\n  skills:\n    - a # out\n    - b # in\n",
                "a b",
                "primary:\n  skills:\n    - b # in\n",
            ),
            // A pattern becomes those that it still gives.
            ("primary:\n  skills: ['*', z]\n", "a b c", "primary:\n  skills: [b, c, z]\n"),
            (
                "primary:\n  skills:\n    - \"*\" # all\n",
                "a b c",
                "primary:\n  skills:\n    - b\n    - c # all\n",
            ),
            ("primary:\n  skills: [a, 'a*', b]\n", "a ab b", "primary:\n  skills: [ab, b]\n"),
            // Without a list the agent gets all: a list is needed now.
            (
                "# top\nprimary:\n  # the model\n  model: m\nother: 1\n",
                "a b",
                "# top\nprimary:\n  # the model\n  skills:\n    - b\n  model: m\nother: 1\n",
            ),
            ("primary: {model: m}\n", "a b", "primary: {model: m, skills: [b]}\n"),
            ("", "a b", "primary:\n  skills:\n    - b\n"),
            ("# only\n", "a", "# only\nprimary:\n  skills: []\n"),
            ("x: 1\n", "a b", "primary:\n  skills:\n    - b\nx: 1\n"),
        ] {
            let gets: Vec<_> = gets.split(' ').collect();
            assert_eq!(toggled(text, "primary", "a", false, &gets).as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn subagents_have_lists_of_their_own() {
        let text = "primary:\n  subagents:\n    reviewer:\n      model: m\n";
        assert_eq!(
            toggled(text, "primary/reviewer", "a", false, &["a", "b"]).as_deref(),
            Ok(
                "primary:\n  subagents:\n    reviewer:\n      skills:\n        - b\n      model: m\n"
            )
        );
    }

    #[test]
    fn what_is_not_a_list_of_its_own_is_refused() {
        for text in [
            "primary:\n  skills: {a: {}}\n",
            "x: &l [a]\nprimary:\n  skills: *l\n",
            "primary: [\n",
            "primary:\n",
            "- a\n",
            "primary: text\n",
        ] {
            let got = toggled(text, "primary", "a", false, &["a"]);
            assert!(got.is_err(), "{text}: {got:?}");
        }
    }
}
