//! Reading a frontmatter that is YAML.

use std::collections::HashMap;

use super::{
    Field, Frontmatter, INTERPRETED, Source, always_apply, argument_names, duplicate_key, globs,
    hide, text_field,
};
use crate::skill::finding::{Code, Finding, Fix, Level};
use crate::skill::place::Place;
use crate::skill::text::head;
use crate::skill::yaml::{Kind, Node, NodeTag, Style, Tree, Value};

impl Source<'_> {
    pub(super) fn read_tree(
        &self,
        tree: &Tree,
        findings: &mut Vec<Finding>,
    ) -> Result<Frontmatter, Finding> {
        let Some(root) = &tree.root else { return Ok(Frontmatter::default()) };
        let Value::Mapping { pairs, flow } = &root.value else {
            return self.no_mapping(root, findings);
        };
        if let Some(NodeTag::Other(tag)) = &root.tag {
            let finding = self.odd_tag("the frontmatter", tag, root.tag_at);
            findings.push(finding.level(Level::Note));
        }
        if let Some(found) = self.duplicate(tree, root) {
            if *flow {
                let message = "a key is there twice, which YAML refuses; remove one";
                let finding = Finding::new(Code::FrontmatterParse, message);
                return Err(Finding { place: found.place, ..finding });
            }
            findings.push(found);
        }
        let key_of = |key: &Node| tree.target(key).text().map(str::to_owned);
        // The last of a repeated key is the one that counts, in every respect.
        let last: HashMap<String, usize> = pairs
            .iter()
            .enumerate()
            .filter_map(|(i, (key, _))| key_of(key).map(|key| (key, i)))
            .collect();
        let mut fm = Frontmatter::default();
        for (i, (key, value)) in pairs.iter().enumerate() {
            let Some(name) = key_of(key).filter(|name| last.get(name) == Some(&i)) else {
                continue;
            };
            if let Some((tag, at)) = odd_tag(key).or_else(|| odd_tag(value)) {
                let finding = self.odd_tag(&name, tag, at);
                if INTERPRETED.contains(&name.as_str()) {
                    return Err(finding);
                }
                findings.push(finding.level(Level::Note));
            }
            let node = tree.target(value);
            let key_place = self.place(key.span.start);
            let place = self.place(value.span.start);
            match name.as_str() {
                "name" => fm.name = text_field(node, place),
                "description" => {
                    fm.description = text_field(node, place);
                    findings.extend(self.comment_in_value(value));
                }
                "hide" => fm.hide = hide(node, place, findings),
                "globs" => {
                    fm.globs = globs(tree, node, place, |at| self.place(at), findings);
                }
                // Clients that know these take them in three cases.
                "when_to_use" | "when-to-use" | "whenToUse" => {
                    fm.when_to_use = node.text().map(str::to_owned);
                }
                "disable-model-invocation"
                | "disable_model_invocation"
                | "disableModelInvocation" => {
                    let yes = ["true", "yes", "on", "1"];
                    let text = node.text().unwrap_or("").to_ascii_lowercase();
                    fm.disable_model_invocation = yes.contains(&text.as_str());
                }
                "version" => {
                    fm.version = node.text().map(|text| (text.to_owned(), place));
                }
                "metadata" if fm.version.is_none() => {
                    fm.version = node.get("version").and_then(|version| {
                        let text = tree.target(version).text()?.to_owned();
                        Some((text, self.place(version.span.start)))
                    });
                }
                "arguments" => fm.arguments = argument_names(tree, node),
                "alwaysApply" => findings.push(always_apply(key_place)),
                _ => {}
            }
            fm.fields.push(self.field(name, node, key_place));
        }
        if fm.description.is_missing() {
            findings.extend(self.missing_description_hint(&fm));
        }
        Ok(fm)
    }

    fn no_mapping(&self, root: &Node, findings: &mut Vec<Finding>) -> Result<Frontmatter, Finding> {
        if root.kind() == Some(Kind::Null) {
            return Ok(Frontmatter::default());
        }
        let place = self.place(root.span.start);
        let text = matches!(root.value, Value::Scalar { .. });
        if text && let Some((at, hint)) = self.full_width_colon("description") {
            return Err(Finding::new(Code::MissingDescription, hint).at(self.place(at)));
        }
        let what = if text { "a text" } else { "a list" };
        let mut hint =
            self.any_full_width_colon().map_or(String::new(), |(_, hint)| format!("{hint}; "));
        if text && let Some(odd) = self.odd_space() {
            // Lines of `key:` and a space that YAML does not know are one text to it.
            let message = format!("{what}, not lines of `key: value`");
            return self.read_leniently(&message, odd, findings);
        }
        if text && let Some(key) = self.missing_space() {
            hint = format!("a space is missing after `{key}:`; ");
        }
        Err(Finding::new(
            Code::FrontmatterNotAMapping,
            format!("{hint}the frontmatter is {what}, but must be lines of `key: value`"),
        )
        .at(place))
    }

    /// The first repeated key of any mapping.
    fn duplicate(&self, tree: &Tree, node: &Node) -> Option<Finding> {
        match &node.value {
            Value::Mapping { pairs, .. } => {
                let mut seen: HashMap<&str, usize> = HashMap::new();
                for (key, value) in pairs {
                    if let Some(text) = tree.target(key).text()
                        && let Some(earlier) = seen.insert(text, key.span.start)
                    {
                        let place = self.place(key.span.start);
                        return Some(duplicate_key(text, self.place(earlier), place));
                    }
                    if let Some(found) = self.duplicate(tree, value) {
                        return Some(found);
                    }
                }
                None
            }
            Value::Sequence(items) => items.iter().find_map(|item| self.duplicate(tree, item)),
            Value::Scalar { .. } | Value::Alias(_) => None,
        }
    }

    fn field(&self, key: String, node: &Node, place: Place) -> Field {
        let text = || node.text().unwrap_or("").to_owned();
        let (kind, value) = match (&node.value, node.kind()) {
            (Value::Sequence(items), _) => ("list", inline(self.head, node, items.len())),
            (Value::Mapping { pairs, .. }, _) => ("map", inline(self.head, node, pairs.len())),
            (_, Some(Kind::Null)) => ("null", String::new()),
            (_, Some(Kind::Bool(_))) => ("boolean", text()),
            (_, Some(Kind::Number)) => ("number", text()),
            _ => ("text", text()),
        };
        Field { key, kind, value: head(value.trim(), 200).into_owned(), place }
    }

    /// YAML ends a plain text at ` #`; what follows is lost without a word.
    fn comment_in_value(&self, node: &Node) -> Option<Finding> {
        if !matches!(node.value, Value::Scalar { style: Style::Plain, .. }) {
            return None;
        }
        let rest = self.head[node.span.end..].lines().next().unwrap_or("");
        let comment = rest.trim_start_matches([' ', '\t']);
        if node.span.is_empty() || comment.len() == rest.len() || !comment.starts_with('#') {
            return None;
        }
        let at = node.span.end + rest.len() - comment.len();
        Some(
            Finding::new(
                Code::CommentInValue,
                format!(
                    "YAML reads `{}` as a comment and cuts it from the description; put quotes \
                     around the description if it belongs to it",
                    head(comment, 40)
                ),
            )
            .at(self.place(at))
            .fix(Fix::QuoteValue),
        )
    }
}

fn odd_tag(node: &Node) -> Option<(&str, usize)> {
    if let Some(NodeTag::Other(tag)) = &node.tag {
        return Some((tag, node.tag_at));
    }
    match &node.value {
        Value::Sequence(items) => items.iter().find_map(odd_tag),
        Value::Mapping { pairs, .. } => {
            pairs.iter().find_map(|(k, v)| odd_tag(k).or_else(|| odd_tag(v)))
        }
        Value::Scalar { .. } | Value::Alias(_) => None,
    }
}

/// A list or map as written, on one line; the count when it is a block.
fn inline(source: &str, node: &Node, len: usize) -> String {
    let written = source.get(node.span.clone()).unwrap_or("").trim();
    if written.starts_with(['[', '{']) && !written.contains(['\n', '\r']) {
        written.to_owned()
    } else {
        format!("{len} {}", if len == 1 { "entry" } else { "entries" })
    }
}
