//! The `skills` of an agent: globs over folder names.

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

use super::overlay::At;
use crate::skill::text::{head, shown};
use crate::skill::yaml::{Kind, Value};
use crate::skill::{Code, Finding, Place};

/// Far more globs than any agent has; a list is cut there.
const MAX_GLOBS: usize = 2_000;

/// Which skills an agent may use.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) patterns: Vec<Pattern>,
    /// The file that the list stands in.
    pub(super) file: Option<&'static str>,
    set: GlobSet,
}

/// One glob.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) file: &'static str,
    pub(super) place: Place,
    glob: Option<GlobMatcher>,
}

impl Pattern {
    /// Whether it matches a folder.
    pub(super) fn matches(&self, folder: &str) -> bool {
        self.glob.as_ref().is_some_and(|glob| glob.is_match(folder))
    }

    /// Whether it is a plain name.
    pub(super) fn is_literal(&self) -> bool {
        !self.text.contains(['*', '?', '[', '{', '\\'])
    }
}

impl Filter {
    /// Every skill.
    pub(super) fn all() -> Self {
        let glob = GlobBuilder::new("*").literal_separator(true).build().ok();
        let set = glob.and_then(|glob| GlobSetBuilder::new().add(glob).build().ok());
        Self { patterns: Vec::new(), file: None, set: set.unwrap_or_else(GlobSet::empty) }
    }

    /// The list of an agent; what is no list lets every skill through.
    pub(super) fn read(address: &str, at: At<'_>, findings: &mut Vec<Finding>) -> Self {
        let who = shown(&head(address, 100));
        let mut say = |place, message: String| {
            let finding = Finding::new(Code::UnknownAgentSkills, message);
            findings.push(finding.file(at.layer.file).at(place));
        };
        let Value::Sequence(items) = &at.node.value else {
            say(
                at.place(),
                format!(
                    "`skills` of the agent `{who}` is not a list of globs, so it gets every \
                     skill; write `skills: [\"name\", \"deploy-*\"]`"
                ),
            );
            return Self::all();
        };
        if items.len() > MAX_GLOBS {
            say(
                at.place(),
                format!(
                    "`skills` of the agent `{who}` has {} entries; only the first {MAX_GLOBS} are \
                     used",
                    items.len()
                ),
            );
        }
        let mut patterns = Vec::new();
        let mut set = GlobSetBuilder::new();
        for item in items.iter().take(MAX_GLOBS) {
            let item = At { node: at.layer.tree.target(item), layer: at.layer };
            let Some(text) = item.node.text().filter(|_| item.node.kind() != Some(Kind::Null))
            else {
                say(
                    item.place(),
                    format!(
                        "an entry of `skills` of the agent `{who}` is not a text and matches \
                         nothing; write a glob"
                    ),
                );
                continue;
            };
            let glob = match GlobBuilder::new(text).literal_separator(true).build() {
                Ok(glob) => {
                    let matcher = glob.compile_matcher();
                    set.add(glob);
                    Some(matcher)
                }
                Err(error) => {
                    say(
                        item.place(),
                        format!(
                            "`{}` in `skills` of the agent `{who}` is not a glob ({}) and matches \
                             nothing",
                            head(text, 60),
                            error.kind()
                        ),
                    );
                    None
                }
            };
            let (file, place) = (at.layer.file, item.place());
            patterns.push(Pattern { text: text.to_owned(), file, place, glob });
        }
        let set = set.build().unwrap_or_else(|error| {
            let message = format!(
                "the globs of the agent `{who}` are too many or too large together ({error}), so \
                 it gets no skill; write fewer"
            );
            say(at.place(), message);
            GlobSet::empty()
        });
        Self { patterns, file: Some(at.layer.file), set }
    }

    /// Whether a folder is let through.
    pub(super) fn lets_through(&self, folder: &str) -> bool {
        self.set.is_match(folder)
    }
}
