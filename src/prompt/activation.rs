//! The text that a model gets when it activates a skill (CONTRACT §5).

use std::ops::Range;

use crate::profile::{ActivationForm, Profile, mycodeagent};
use crate::skill::body::{PLACEHOLDER, trimmed};
use crate::skill::document::Text;

/// At most so many resources are named.
pub const MAX_RESOURCES: usize = 200;

/// Arguments as they reach a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments<'a> {
    /// None were given: `kaged` knows none and leaves the body verbatim.
    NotGiven,
    /// These were given, perhaps empty.
    Given(&'a str),
}

/// An activation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activation {
    /// The exact text.
    pub text: String,
    /// Where arguments stand in it, in bytes.
    pub arguments: Vec<Range<usize>>,
}

/// What surrounds the body.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The effective name.
    pub name: &'a str,
    /// The skill's folder relative to the project, `/`-separated.
    pub dir: &'a str,
    /// Its resources, relative to the folder, in order.
    pub resources: &'a [String],
}

impl Frame<'_> {
    /// The text before and after the body.
    fn around(&self, form: ActivationForm) -> (String, String) {
        match form {
            ActivationForm::BaseDirectory => {
                (format!("Base directory for this skill: {}\n\n", self.dir), String::new())
            }
            ActivationForm::SkillContent => {
                let dir = escaped(self.dir);
                let mut after = format!(
                    "\n\nSkill directory: {dir}\nRelative paths in this skill are relative to the \
                     skill directory.\n"
                );
                if !self.resources.is_empty() {
                    after.push_str("\n<skill_resources>\n");
                    for path in self.resources.iter().take(MAX_RESOURCES) {
                        after.push_str(&format!("  <file>{}</file>\n", escaped(path)));
                    }
                    if let Some(more) = self.resources.len().checked_sub(MAX_RESOURCES + 1) {
                        after.push_str(&format!("  <!-- {} more files not listed -->\n", more + 1));
                    }
                    after.push_str("</skill_resources>\n");
                }
                after.push_str("</skill_content>");
                (format!("<skill_content name=\"{}\">\n", self.name), after)
            }
        }
    }

    /// The characters of an activation whose body has `trimmed_chars`, without
    /// arguments, so that the screen need not read the file again.
    pub fn chars(&self, trimmed_chars: u32) -> usize {
        let (before, after) = self.around(ActivationForm::SkillContent);
        before.chars().count() + trimmed_chars as usize + after.chars().count()
    }
}

/// The activation of a skill whose file holds `text`; `None` when the client
/// finds no body in it.
pub fn render(
    profile: Profile,
    text: Text<'_>,
    frame: Frame<'_>,
    arguments: Arguments<'_>,
) -> Option<Activation> {
    let form = profile.activation();
    let (before, after) = frame.around(form);
    let (body, arguments) = match form {
        ActivationForm::SkillContent => (trimmed(text.body()?).to_owned(), arguments),
        ActivationForm::BaseDirectory => {
            let given = match arguments {
                Arguments::NotGiven => "",
                Arguments::Given(args) => args,
            };
            (mycodeagent::body(text.text)?, Arguments::Given(given))
        }
    };
    let (body, ranges) = expand(&body, arguments);
    let offset = before.len();
    let mut text = before + &body + &after;
    let mut ranges: Vec<_> = ranges.into_iter().map(|r| r.start + offset..r.end + offset).collect();
    if form == ActivationForm::BaseDirectory {
        // The whole is trimmed; its start is never white space.
        text.truncate(mycodeagent::strip(&text).len());
        for range in &mut ranges {
            range.end = range.end.min(text.len());
        }
        ranges.retain(|r| r.start < r.end);
    }
    Some(Activation { text, arguments: ranges })
}

/// Seed A's `_apply_arguments`, and where the arguments went.
///
/// Every placeholder is replaced literally and once; without one, arguments
/// that are not empty are appended.
pub fn expand(body: &str, arguments: Arguments<'_>) -> (String, Vec<Range<usize>>) {
    let Arguments::Given(arguments) = arguments else {
        return (body.to_owned(), Vec::new());
    };
    let arguments = mycodeagent::strip(arguments);
    let mut out = String::with_capacity(body.len() + arguments.len());
    let mut ranges = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find(PLACEHOLDER) {
        out.push_str(&rest[..at]);
        let start = out.len();
        out.push_str(arguments);
        if start < out.len() {
            ranges.push(start..out.len());
        }
        rest = &rest[at + PLACEHOLDER.len()..];
    }
    out.push_str(rest);
    if rest.len() == body.len() && !arguments.is_empty() {
        out.push_str("\n\nARGUMENTS: ");
        let start = out.len();
        out.push_str(arguments);
        ranges.push(start..out.len());
    }
    (out, ranges)
}

/// XML references for what would end or forge an entry.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("&#{};", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(body: &str, args: &str) -> String {
        let (text, ranges) = expand(body, Arguments::Given(args));
        for range in ranges {
            assert_eq!(&text[range], args.trim());
        }
        text
    }

    #[test]
    fn arguments_follow_the_rule_of_the_article() {
        for (body, args, want) in [
            ("Check $ARGUMENTS, lint $ARGUMENTS.", "src/a.rs", "Check src/a.rs, lint src/a.rs."),
            ("Echo: $ARGUMENTS", "say $ARGUMENTS twice", "Echo: say $ARGUMENTS twice"),
            ("Cost: $ARGUMENTS", r"100$$ $& $1 \1 ${HOME}", r"Cost: 100$$ $& $1 \1 ${HOME}"),
            ("Run:\n$ARGUMENTS\nEnd.", "\n one\ntwo \n", "Run:\none\ntwo\nEnd."),
            ("Target: [$ARGUMENTS]", "  \t\n ", "Target: []"),
            ("Review.", "src/main.rs", "Review.\n\nARGUMENTS: src/main.rs"),
            ("Review.", "  ", "Review."),
            ("$ARGUMENTSX", "a", "aX"),
            ("$Arguments $ARG", "", "$Arguments $ARG"),
        ] {
            assert_eq!(expanded(body, args), want, "{body:?} {args:?}");
        }
        assert_eq!(expand("Fix $ARGUMENTS", Arguments::NotGiven).0, "Fix $ARGUMENTS");
    }

    const FILE: &str = "---\nname: x\ndescription: d\n---\n\n    code\n\nUse $ARGUMENTS.  \n\n";

    fn activation(profile: Profile, resources: &[&str], arguments: Arguments<'_>) -> String {
        let resources: Vec<_> = resources.iter().map(ToString::to_string).collect();
        let frame = Frame { name: "x", dir: ".kaged/skills/x", resources: &resources };
        let text = Text::of(FILE.as_bytes()).unwrap();
        render(profile, text, frame, arguments).unwrap().text
    }

    #[test]
    fn kaged_wraps_the_body() {
        assert_eq!(
            activation(Profile::Kaged, &["a.md", "b/c&d <e>\n.md"], Arguments::NotGiven),
            "<skill_content name=\"x\">\n    code\n\nUse $ARGUMENTS.\n\nSkill directory: \
             .kaged/skills/x\nRelative paths in this skill are relative to the skill \
             directory.\n\n<skill_resources>\n  <file>a.md</file>\n  <file>b/c&amp;d \
             &lt;e&gt;&#10;.md</file>\n</skill_resources>\n</skill_content>"
        );
        assert_eq!(
            activation(Profile::Kaged, &[], Arguments::Given("it")),
            "<skill_content name=\"x\">\n    code\n\nUse it.\n\nSkill directory: \
             .kaged/skills/x\nRelative paths in this skill are relative to the skill \
             directory.\n</skill_content>"
        );
    }

    #[test]
    fn mycodeagent_names_the_base_directory() {
        assert_eq!(
            activation(Profile::MyCodeAgent, &["a.md"], Arguments::NotGiven),
            "Base directory for this skill: .kaged/skills/x\n\n\n    code\n\nUse ."
        );
    }

    #[test]
    fn a_long_list_of_resources_is_cut() {
        let names: Vec<_> = (0..203).map(|i| format!("f{i:03}")).collect();
        let frame = Frame { name: "x", dir: "d", resources: &names };
        let text = Text::of(FILE.as_bytes()).unwrap();
        let got = render(Profile::Kaged, text, frame, Arguments::NotGiven).unwrap().text;
        assert_eq!(got.matches("<file>").count(), 200);
        assert!(got.contains("  <!-- 3 more files not listed -->\n</skill_resources>"));
        let exact = Frame { resources: &names[..200], ..frame };
        let got = render(Profile::Kaged, text, exact, Arguments::NotGiven).unwrap().text;
        assert!(!got.contains("<!--"));
    }

    #[test]
    fn the_size_is_known_without_the_text() {
        let resources = vec!["a.md".to_owned()];
        let frame = Frame { name: "x", dir: ".kaged/skills/x", resources: &resources };
        let text = Text::of(FILE.as_bytes()).unwrap();
        let full = render(Profile::Kaged, text, frame, Arguments::NotGiven).unwrap().text;
        let body = trimmed(text.body().unwrap()).chars().count() as u32;
        assert_eq!(frame.chars(body), full.chars().count());
    }
}
