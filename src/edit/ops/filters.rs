//! What refers to a skill by the name of its folder.

use std::ops::Range;
use std::path::PathBuf;

use crate::edit::{Content, Step};
use crate::skill::place::Places;
use crate::skill::text::shown;
use crate::skill::yaml::{self, Node, Style, Tree, Value};

/// A file that refers to a skill, and what would become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The file and the lines in it, for people: `project.yaml:4`.
    pub places: Vec<String>,
    /// The change.
    pub step: Step,
}

/// The literal names of a folder in the `skills` lists of a project file.
/// Patterns stay as they are: what they mean is for their author to say.
pub fn in_filters(at: PathBuf, content: &Content, old: &str, new: &str) -> Option<Reference> {
    let text = std::str::from_utf8(content.as_bytes()).ok()?;
    let tree = yaml::read(text).ok()?;
    let mut found = Vec::new();
    walk(&tree, tree.root.as_ref()?, false, old, &mut found);
    found.sort_by_key(|(range, _)| range.start);
    let edits = found.into_iter().map(|(range, style)| {
        let quote = text[range.clone()].chars().next().filter(|_| style == Style::Quoted);
        let quote = quote.map_or(String::new(), |quote| quote.to_string());
        (range, format!("{quote}{new}{quote}"))
    });
    reference(at, content, text, edits.collect())
}

fn walk(
    tree: &Tree,
    node: &Node,
    is_list: bool,
    old: &str,
    found: &mut Vec<(Range<usize>, Style)>,
) {
    match &node.value {
        Value::Mapping { pairs, .. } => {
            for (key, value) in pairs {
                let is_skills = tree.target(key).text() == Some("skills");
                walk(tree, value, is_skills, old, found);
            }
        }
        Value::Sequence(items) => {
            for item in items {
                match &item.value {
                    Value::Scalar { text, style } if is_list && text == old => {
                        found.push((item.span.clone(), *style));
                    }
                    _ => walk(tree, item, false, old, found),
                }
            }
        }
        Value::Scalar { .. } | Value::Alias(_) => {}
    }
}

/// The mentions of a folder's path (`skills/old`) in another skill's text.
pub fn mentions(at: PathBuf, content: &Content, old: &str, new: &str) -> Option<Reference> {
    let text = std::str::from_utf8(content.as_bytes()).ok()?;
    let path = format!("skills/{old}");
    let edits = text.match_indices(&path).filter_map(|(start, _)| {
        let end = start + path.len();
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_other = text[end..].chars().next().is_some_and(goes_on)
            // The end of a sentence is no part of a name.
            && !text[end..].starts_with(". ")
            && !text[end..].starts_with(".\n");
        (!is_other).then(|| (start..end, format!("skills/{new}")))
    });
    reference(at, content, text, edits.collect())
}

fn reference(
    at: PathBuf,
    content: &Content,
    text: &str,
    edits: Vec<(Range<usize>, String)>,
) -> Option<Reference> {
    if edits.is_empty() {
        return None;
    }
    let places = Places::new(text);
    let name = shown(&at.to_string_lossy()).into_string();
    let lines = edits.iter().map(|(range, _)| format!("{name}:{}", places.of(range.start).line));
    let lines = lines.collect();
    let (mut out, mut last) = (String::new(), 0);
    for (range, new) in edits {
        out.push_str(&text[last..range.start]);
        out.push_str(&new);
        last = range.end;
    }
    out.push_str(&text[last..]);
    let after = Content::new(out.into_bytes(), content.mode);
    let step = Step::Write { at, before: Some(content.clone()), after: Some(after) };
    Some(Reference { places: lines, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(reference: Option<Reference>) -> Option<(String, Vec<String>)> {
        let Reference { places, step } = reference?;
        let Step::Write { after: Some(after), .. } = step else { return None };
        Some((String::from_utf8(after.as_bytes().to_vec()).unwrap(), places))
    }

    #[test]
    fn literal_names_in_filters_are_renamed_and_nothing_else() {
        for (text, want, lines) in [
            (
                "primary:\n  skills: [a, \"a\", 'a', b] # a\n",
                "primary:\n  skills: [z, \"z\", 'z', b] # a\n",
                "2 2 2",
            ),
            (
                "primary:\n  skills:\n    - a\n    - a-*\n  name: a\n",
                "primary:\n  skills:\n    - z\n    - a-*\n  name: a\n",
                "3",
            ),
            ("x:\r\n  skills: [a]\r\n", "x:\r\n  skills: [z]\r\n", "2"),
        ] {
            let content = Content::new(text.into(), 0o644);
            let (out, places) = after(in_filters("p.yaml".into(), &content, "a", "z")).unwrap();
            assert_eq!(out, want);
            let want: Vec<_> = lines.split(' ').map(|line| format!("p.yaml:{line}")).collect();
            assert_eq!(places, want);
        }
        for text in ["primary:\n  skills: [\"a*\"]\n", "skills: {a: b}\n", "a: [\n", ""] {
            let content = Content::new(text.into(), 0o644);
            assert_eq!(in_filters("p".into(), &content, "a", "z"), None, "{text:?}");
        }
    }

    #[test]
    fn mentions_of_a_path_are_whole_names() {
        let text = "See .kaged/skills/a/x.md, skills/a. And skills/ab, skills/a-b, skills/a.md\n";
        let content = Content::new(text.into(), 0o644);
        let (out, places) = after(mentions("s".into(), &content, "a", "z")).unwrap();
        assert_eq!(
            out,
            "See .kaged/skills/z/x.md, skills/z. And skills/ab, skills/a-b, skills/a.md\n"
        );
        assert_eq!(places.len(), 2);
    }
}
