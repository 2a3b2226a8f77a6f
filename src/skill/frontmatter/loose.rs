//! Reading a frontmatter that YAML refuses, by the lenient reader.

use std::collections::HashMap;

use super::lenient::{self, Entry};
use super::tabs;
use super::{
    Field, Frontmatter, INTERPRETED, Source, TextField, always_apply, duplicate_key, globs,
    globs_not_list, hide, hide_not_bool,
};
use crate::skill::finding::{Code, Finding, Fix};
use crate::skill::place::Place;
use crate::skill::text::head;
use crate::skill::yaml::{self, Kind, Node, NodeTag, Tree, Trouble};

impl Source<'_> {
    /// `message` and `at` are what YAML says, and where.
    pub(super) fn read_leniently(
        &self,
        message: &str,
        at: usize,
        findings: &mut Vec<Finding>,
    ) -> Result<Frontmatter, Finding> {
        let parse_error = |hint: &str| {
            let message = format!("{hint}not valid YAML: {message}");
            let fix = tabs::replaced("", self.head).map(|_| Fix::ReplaceTab);
            Finding { fix, ..Finding::new(Code::FrontmatterParse, message) }.at(self.place(at))
        };
        let entries = match lenient::read(self.head) {
            Ok(entries) => entries,
            Err(line_at) => {
                if let Some((colon_at, hint)) = self.full_width_colon("description") {
                    let message = format!("{hint}; not valid YAML: {message}");
                    return Err(
                        Finding::new(Code::MissingDescription, message).at(self.place(colon_at))
                    );
                }
                return Err(parse_error(&self.hint_at(line_at, at)));
            }
        };
        // Each value behind a key of its own, as it stands in the file.
        let alone = |entry: &Entry| yaml::read(&format!("k: {}", entry.source));
        let trees: Vec<_> = entries.iter().map(alone).collect();
        self.refuse_floods(&entries, &trees)?;
        let mut last = HashMap::new();
        let mut repeated = None;
        for (i, entry) in entries.iter().enumerate() {
            if let Some(earlier) = last.insert(entry.key.as_str(), i) {
                let earlier: &Entry = &entries[earlier];
                let places = (self.place(earlier.key_at), self.place(entry.key_at));
                repeated.get_or_insert_with(|| duplicate_key(&entry.key, places.0, places.1));
            }
        }
        let mut fm = Frontmatter::default();
        let mut about_values = Vec::new();
        for (i, (entry, tree)) in entries.iter().zip(&trees).enumerate() {
            if last.get(entry.key.as_str()) == Some(&i) {
                self.take(&mut fm, entry, tree.as_ref().ok(), &mut about_values)?;
            }
        }
        if fm.description.is_missing() {
            let hint = self.missing_description_hint(&fm).map_or_else(
                || "no `description` was found in it; ".to_owned(),
                |f| format!("{}; ", f.message),
            );
            return Err(parse_error(&hint));
        }
        findings.push(self.lenient_warning(message, at, &entries, &trees));
        findings.extend(repeated);
        findings.append(&mut about_values);
        Ok(fm)
    }

    /// Takes the value of one key; `tree` is the value read as YAML by itself.
    fn take(
        &self,
        fm: &mut Frontmatter,
        entry: &Entry,
        tree: Option<&Tree>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Finding> {
        let place = self.place(entry.value_at);
        let key_place = self.place(entry.key_at);
        let node = tree.and_then(value_of);
        let key = entry.key.as_str();
        if INTERPRETED.contains(&key)
            && let Some(tag) = written_tag(entry, node.and_then(|n| n.tag.as_ref()))
        {
            return Err(self.odd_tag(key, &tag, entry.value_at));
        }
        match key {
            "name" => fm.name = text(entry, node, place),
            "description" => fm.description = text(entry, node, place),
            "hide" => match node {
                Some(node) => fm.hide = hide(node, place, findings),
                None => findings.push(hide_not_bool(place)),
            },
            "globs" => match (tree, node) {
                (Some(tree), Some(node)) => {
                    // The value was read behind a key of three bytes.
                    let place_of = |at: usize| self.place(entry.value_at + at.saturating_sub(3));
                    fm.globs = globs(tree, node, place, place_of, findings);
                }
                _ => findings.push(globs_not_list(place)),
            },
            "alwaysApply" => findings.push(always_apply(key_place)),
            _ => {}
        }
        fm.fields.push(Field {
            key: entry.key.clone(),
            kind: "text",
            value: head(&entry.text, 200).into_owned(),
            place: key_place,
        });
        Ok(())
    }

    /// What floods a YAML reader is refused also beside what YAML cannot read.
    fn refuse_floods(
        &self,
        entries: &[Entry],
        trees: &[Result<Tree, Trouble>],
    ) -> Result<(), Finding> {
        for (entry, tree) in entries.iter().zip(trees) {
            if let Err(Trouble::Limit { what, .. }) = tree {
                return Err(self.over_limit(what, entry.value_at));
            }
        }
        for (sign, what) in [('&', "anchors"), ('*', "aliases")] {
            let mut marked = entries.iter().filter(|e| e.source.starts_with(sign));
            if let Some(entry) = marked.nth(yaml::LIMIT) {
                return Err(self.over_limit(what, entry.value_at));
            }
        }
        Ok(())
    }

    fn lenient_warning(
        &self,
        message: &str,
        at: usize,
        entries: &[Entry],
        trees: &[Result<Tree, Trouble>],
    ) -> Finding {
        // A white space that is not one makes YAML stop a line later.
        if let Some(odd_at) = self.odd_space()
            && self.is_cause(odd_at, at)
        {
            let c = self.head[odd_at..].chars().next().map_or(0, |c| c as u32);
            return Finding::new(
                Code::YamlLenient,
                format!(
                    "U+{c:04X} stands after the colon where a plain space belongs; many clients \
                     drop the skill for it"
                ),
            )
            .at(self.place(odd_at))
            .fix(Fix::PlainSpace);
        }
        // The value that is no YAML by itself is the one to mend.
        let broken = entries.iter().zip(trees).find(|(_, tree)| tree.is_err()).map(|(e, _)| e);
        let (what, fix) = match broken {
            Some(entry) if can_be_quoted(entry) => (
                format!("put quotes around the value of `{}`", head(&entry.key, 40)),
                Some(Fix::QuoteValue),
            ),
            Some(entry) if tabs::replaced("k: ", &entry.source).is_some() => (
                format!("put spaces for the tabs below `{}`", head(&entry.key, 40)),
                Some(Fix::ReplaceTab),
            ),
            Some(entry) => (format!("mend the value of `{}`", head(&entry.key, 40)), None),
            None => ("mend that line".to_owned(), None),
        };
        let finding = Finding::new(
            Code::YamlLenient,
            format!(
                "not valid YAML ({message}); it loads where a client tries again leniently, \
                 others drop the skill: {what}"
            ),
        )
        .at(self.place(at));
        Finding { fix, ..finding }
    }

    /// Whether an odd space stands on the line where YAML stopped, or the one before.
    fn is_cause(&self, odd_at: usize, at: usize) -> bool {
        let (odd, stop) = (self.place(odd_at).line, self.place(at).line);
        odd <= stop && stop - odd <= 1
    }
}

/// The value of the one key, in a tree of a value alone.
fn value_of(tree: &Tree) -> Option<&Node> {
    let (_, value) = tree.root.as_ref()?.pairs()?.first()?;
    Some(tree.target(value))
}

/// The lenient text of a value. What kind of value it is, YAML still tells
/// where the value alone is YAML.
fn text(entry: &Entry, node: Option<&Node>, place: Place) -> TextField {
    let kind = node.map(Node::kind);
    match kind {
        Some(Some(Kind::Null)) => TextField::Null(place),
        Some(None) => TextField::Collection(place),
        _ if entry.text.is_empty() => TextField::Null(place),
        _ => {
            let typed = matches!(kind, Some(Some(Kind::Number | Kind::Bool(_))));
            TextField::Text { text: entry.text.clone(), place, typed }
        }
    }
}

/// One line of text that is not quoted already: quotes around it mend the file.
fn can_be_quoted(entry: &Entry) -> bool {
    let value = entry.source.as_str();
    let quoted = value.starts_with(['"', '\'']) && value[1..].contains(&value[..1]);
    let collection = value.starts_with(['[', '{']) && (value.contains('\n') || is_open(value));
    let block = value.starts_with(['|', '>']);
    let hazard = value.chars().any(|c| c.is_control() && c != '\n');
    !value.is_empty() && !value.starts_with('\n') && !quoted && !collection && !block && !hazard
}

/// More brackets opened than closed: the value goes on behind the next key.
fn is_open(value: &str) -> bool {
    let count = |signs: [char; 2]| value.matches(signs).count();
    count(['[', '{']) > count([']', '}'])
}

/// A tag that is not core, of a value that YAML could read or not.
fn written_tag(entry: &Entry, read: Option<&NodeTag>) -> Option<String> {
    match read {
        Some(NodeTag::Other(tag)) => return Some(tag.clone()),
        Some(NodeTag::Core(_)) => return None,
        None => {}
    }
    let tag = entry.source.strip_prefix('!').map(|_| entry.source.split_whitespace().next())??;
    let core = ["!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!seq", "!!map"];
    (!core.contains(&tag)).then(|| tag.to_owned())
}
