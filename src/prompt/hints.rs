//! Hints: a file that is touched suggests the skills whose `globs` match it
//! (seed B, section 6; CONTRACT §10).

use std::collections::HashSet;
use std::path::{Component, Path};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The skills that files can suggest.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    skills: Vec<(String, GlobSet)>,
}

/// The text that an agent is given of a skill.
pub fn text(name: &str) -> String {
    format!(
        "[The file you're working with matches the {name} skill's globs. Consider activating it \
         with skill.use if relevant.]"
    )
}

impl Hints {
    /// The hints of skills, by name and `globs`. A glob that is none matches
    /// nothing.
    pub fn of<'a>(skills: impl IntoIterator<Item = (&'a str, &'a [String])>) -> Self {
        let set = |globs: &[String]| {
            let mut set = GlobSetBuilder::new();
            for glob in globs {
                if let Ok(glob) = GlobBuilder::new(glob).literal_separator(true).build() {
                    set.add(glob);
                }
            }
            set.build().ok()
        };
        let skills = skills.into_iter().filter(|(_, globs)| !globs.is_empty());
        let skills = skills.filter_map(|(name, globs)| Some((name.to_owned(), set(globs)?)));
        Self { skills: skills.collect() }
    }

    /// Whether no skill has globs.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// The names of the skills that a path suggests, in order. It is relative to
    /// the project, with `/`.
    pub fn of_path<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let matching = self.skills.iter().filter(move |(_, globs)| globs.is_match(path));
        matching.map(|(name, _)| name.as_str())
    }
}

/// A path as globs see it: relative to the project, with `/`; `None` for one that
/// lies outside. It need not be there. A relative one is relative to `here`.
pub fn relative(path: &Path, here: &Path, project: &Path) -> Option<String> {
    let mut whole = here.to_path_buf();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    let below = whole.strip_prefix(project).ok()?;
    let parts: Vec<_> = below.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Gives each hint once: the skills that an agent was told of in its session.
#[derive(Debug, Clone, Default)]
pub struct HintTracker {
    told: HashSet<String>,
}

impl HintTracker {
    /// A session in which nothing was told yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The hints for a path that was touched, each skill once in a session. The
    /// path is relative to the project, with `/`.
    pub fn touch(&mut self, hints: &Hints, path: &str) -> Vec<String> {
        let new = hints.of_path(path).filter(|name| self.told.insert((*name).to_owned()));
        new.map(text).collect()
    }

    /// Forgets a skill, so that it is told of again: after it has changed, say.
    pub fn forget(&mut self, name: &str) {
        self.told.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints() -> Hints {
        let globs = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let skills = [
            ("a", globs(&["**/*.rs", "[bad"])),
            ("b", globs(&["src/*.rs"])),
            ("c", globs(&[])),
            ("d", globs(&["docs/**"])),
        ];
        Hints::of(skills.iter().map(|(name, globs)| (*name, globs.as_slice())))
    }

    #[test]
    fn only_two_stars_match_a_slash() {
        let hints = hints();
        for (path, want) in [
            ("src/a.rs", vec!["a", "b"]),
            ("src/x/a.rs", vec!["a"]),
            ("a.rs", vec!["a"]),
            ("docs/x/y.md", vec!["d"]),
            ("Makefile", vec![]),
        ] {
            assert_eq!(hints.of_path(path).collect::<Vec<_>>(), want, "{path}");
        }
    }

    #[test]
    fn a_skill_is_told_once_in_a_session() {
        let (hints, mut session) = (hints(), HintTracker::new());
        let b = "[The file you're working with matches the b skill's globs. Consider activating it \
                 with skill.use if relevant.]";
        assert_eq!(session.touch(&hints, "x/y.rs").len(), 1);
        assert_eq!(session.touch(&hints, "src/y.rs"), [b]);
        assert_eq!(session.touch(&hints, "src/z.rs"), [""; 0]);
        session.forget("b");
        assert_eq!(session.touch(&hints, "src/z.rs"), [b]);
        assert_eq!(HintTracker::new().touch(&hints, "src/z.rs").len(), 2);
    }

    #[test]
    fn paths_are_those_of_the_project() {
        for (path, here, want) in [
            ("a.rs", "/p", Some("a.rs")),
            ("./x/../a.rs", "/p/src", Some("src/a.rs")),
            ("/p/src/a.rs", "/", Some("src/a.rs")),
            ("../a.rs", "/p", None),
            ("/q/a.rs", "/p", None),
            (".", "/p", None),
        ] {
            let got = relative(path.as_ref(), here.as_ref(), "/p".as_ref());
            assert_eq!(got.as_deref(), want, "{path}");
        }
    }
}
