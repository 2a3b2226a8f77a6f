//! Two YAML files, one laid over the other.

use std::collections::HashSet;

use crate::skill::place::Places;
use crate::skill::yaml::{self, Kind, Limits, Node, Tree, Trouble, Value};
use crate::skill::{Code, Finding, Place};

/// A project's own file is not somebody else's: only what would hang is refused.
const YAML_LIMITS: Limits = Limits { anchors: 10_000, levels: 250, directives: true };

pub(super) fn unreadable(file: &str, why: &str) -> Finding {
    Finding::new(
        Code::ProjectYaml,
        format!("`{file}` could not be read ({why}), so every agent gets every skill"),
    )
    .file(file)
}

fn not_yaml(text: &str, file: &str, trouble: Trouble) -> Finding {
    let (message, at) = match trouble {
        Trouble::Syntax { message, at } => (message, at),
        Trouble::Limit { what, at } => (format!("too many {what}"), at),
    };
    Finding::new(
        Code::ProjectYaml,
        format!("`{file}` is not valid YAML ({message}), so every agent gets every skill; mend it"),
    )
    .file(file)
    .at(Place::of(text, at))
}

/// A file that is YAML.
pub(super) struct Layer<'a> {
    pub(super) tree: Tree,
    places: Places<'a>,
    pub(super) file: &'static str,
}

impl<'a> Layer<'a> {
    pub(super) fn read(text: &'a str, file: &'static str) -> Result<Self, Finding> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match yaml::read_within(text, YAML_LIMITS) {
            Ok(tree) => Ok(Self { tree, places: Places::new(text), file }),
            Err(trouble) => Err(not_yaml(text, file, trouble)),
        }
    }

    pub(super) fn root(&self) -> Option<At<'_>> {
        let root = self.tree.root.as_ref()?;
        Some(At { node: self.tree.target(root), layer: self })
    }
}

/// A node and the file it stands in.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) node: &'a Node,
    pub(super) layer: &'a Layer<'a>,
}

impl<'a> At<'a> {
    fn get(self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        Some(At { node: self.layer.tree.target(node), layer: self.layer })
    }

    fn is_map(self) -> bool {
        matches!(self.node.value, Value::Mapping { .. })
    }

    fn is_null(self) -> bool {
        self.node.kind() == Some(Kind::Null)
    }

    pub(super) fn place(self) -> Place {
        self.layer.places.of(self.node.span.start)
    }

    fn keys(self) -> Vec<&'a str> {
        self.node.pairs().unwrap_or(&[]).iter().filter_map(|(k, _)| k.text()).collect()
    }
}

/// A value of the base with what the local file lays over it: maps merge,
/// everything else replaces, null removes.
#[derive(Clone, Copy)]
pub(super) struct Overlay<'a> {
    pub(super) base: Option<At<'a>>,
    pub(super) local: Option<At<'a>>,
}

impl<'a> Overlay<'a> {
    pub(super) fn get(self, key: &str) -> Option<Self> {
        let base = self.base.and_then(|at| at.get(key));
        let local = self.local.and_then(|at| at.get(key));
        match (base, local) {
            (_, Some(local)) if local.is_null() => None,
            (Some(base), Some(local)) if base.is_map() && local.is_map() => {
                Some(Overlay { base: Some(base), local: Some(local) })
            }
            (_, Some(local)) => Some(Overlay { base: None, local: Some(local) }),
            (Some(base), None) => Some(Overlay { base: Some(base), local: None }),
            (None, None) => None,
        }
    }

    pub(super) fn top(self) -> Option<At<'a>> {
        self.local.or(self.base)
    }

    pub(super) fn keys(self) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let both = [self.base, self.local].into_iter().flatten().flat_map(At::keys);
        both.filter(|key| seen.insert(*key)).collect()
    }
}
