//! The text that a model gets when it activates a skill (CONTRACT §5).

use std::ops::Range;

use super::arguments::{Arguments, Expanded, Known, expand};
use crate::profile::{ActivationForm, Profile, mycodeagent};
use crate::skill::body::trimmed;
use crate::skill::document::Text;

/// At most so many resources are named.
pub const MAX_RESOURCES: usize = 200;

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
    /// The skill's folder, `/`-separated: relative to the project or absolute, as
    /// [`ActivationForm::names_absolute`] says.
    pub dir: &'a str,
    /// Its resources, relative to the folder, in order.
    pub resources: &'a [String],
    /// The project's directory, absolute.
    pub project: &'a str,
}

impl Frame<'_> {
    /// The text before and after the body.
    fn around(&self, form: ActivationForm) -> (String, String) {
        match form {
            ActivationForm::BaseDirectory | ActivationForm::AbsoluteBase => {
                (format!("Base directory for this skill: {}\n\n", self.dir), String::new())
            }
            ActivationForm::SkillTag => {
                let Self { name, dir, .. } = self;
                let before = format!("<skill>\n<name>{name}</name>\n<path>{dir}/SKILL.md</path>\n");
                (before, "\n</skill>".to_owned())
            }
            ActivationForm::Body => (String::new(), String::new()),
            ActivationForm::SkillContent | ActivationForm::StandardContent => {
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
    /// arguments, so that the screen need not read the file again; `None` for a
    /// form that needs the text.
    pub fn chars(&self, form: ActivationForm, trimmed_chars: u32) -> Option<usize> {
        let is_known =
            matches!(form, ActivationForm::SkillContent | ActivationForm::StandardContent);
        let (before, after) = self.around(form);
        let chars = before.chars().count() + trimmed_chars as usize + after.chars().count();
        is_known.then_some(chars)
    }
}

/// The text of a skill's file and what a client knows of its frontmatter.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file.
    pub text: Text<'a>,
    /// The names of the positions of arguments.
    pub names: &'a [String],
}

/// The activation of a skill; `None` when the client finds no body in its file.
pub fn render(
    profile: Profile,
    source: Source<'_>,
    frame: Frame<'_>,
    arguments: Arguments<'_>,
) -> Option<Activation> {
    let form = profile.activation();
    let (before, after) = frame.around(form);
    let text = source.text;
    let body = match form {
        ActivationForm::SkillContent | ActivationForm::StandardContent => {
            trimmed(text.body()?).to_owned()
        }
        ActivationForm::BaseDirectory => mycodeagent::body(text.text)?,
        // A file without frontmatter is all body to a client that loads it.
        ActivationForm::AbsoluteBase => text.body().unwrap_or(text.text).trim_start().to_owned(),
        ActivationForm::SkillTag => text.text.to_owned(),
        ActivationForm::Body => text.body()?.trim().to_owned(),
    };
    let values = [("${CLAUDE_SKILL_DIR}", frame.dir), ("${CLAUDE_PROJECT_DIR}", frame.project)];
    let known = Known { names: source.names, values: &values };
    let Expanded { text: body, arguments } = expand(profile.arguments(), &body, arguments, known);
    let offset = before.len();
    let mut text = before + &body + &after;
    let mut ranges: Vec<_> =
        arguments.into_iter().map(|r| r.start + offset..r.end + offset).collect();
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

    const FILE: &str = "---\nname: x\ndescription: d\n---\n\n    code\n\nUse $ARGUMENTS.  \n\n";

    fn activation(profile: Profile, resources: &[&str], arguments: Arguments<'_>) -> String {
        let resources: Vec<_> = resources.iter().map(ToString::to_string).collect();
        let dir = if profile.activation().names_absolute() {
            "/p/.kaged/skills/x"
        } else {
            ".kaged/skills/x"
        };
        let frame = Frame { name: "x", dir, resources: &resources, project: "/p" };
        render(profile, source(), frame, arguments).unwrap().text
    }

    fn source() -> Source<'static> {
        Source { text: Text::of(FILE.as_bytes()).unwrap(), names: &[] }
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
    fn others_name_the_folder_in_full() {
        let args = Arguments::Given("it");
        for (profile, arguments, want) in [
            (
                Profile::ClaudeCode,
                args,
                "Base directory for this skill: /p/.kaged/skills/x\n\ncode\n\nUse it.  \n\n",
            ),
            (
                Profile::Codex,
                args,
                "<skill>\n<name>x</name>\n<path>/p/.kaged/skills/x/SKILL.md</path>\n---\nname: x\n\
                 description: d\n---\n\n    code\n\nUse $ARGUMENTS.  \n\n\n</skill>",
            ),
            (
                Profile::AgentSkills,
                args,
                "<skill_content name=\"x\">\n    code\n\nUse $ARGUMENTS.\n\nSkill directory: \
                 /p/.kaged/skills/x\nRelative paths in this skill are relative to the skill \
                 directory.\n</skill_content>",
            ),
        ] {
            assert_eq!(activation(profile, &[], arguments), want, "{profile}");
        }
    }

    #[test]
    fn a_long_list_of_resources_is_cut() {
        let names: Vec<_> = (0..203).map(|i| format!("f{i:03}")).collect();
        let frame = Frame { name: "x", dir: "d", resources: &names, project: "/p" };
        let got = render(Profile::Kaged, source(), frame, Arguments::NotGiven).unwrap().text;
        assert_eq!(got.matches("<file>").count(), 200);
        assert!(got.contains("  <!-- 3 more files not listed -->\n</skill_resources>"));
        let exact = Frame { resources: &names[..200], ..frame };
        let got = render(Profile::Kaged, source(), exact, Arguments::NotGiven).unwrap().text;
        assert!(!got.contains("<!--"));
    }

    #[test]
    fn the_size_is_known_without_the_text() {
        let resources = vec!["a.md".to_owned()];
        let frame = Frame { name: "x", dir: "/s/x", resources: &resources, project: "/p" };
        let body = trimmed(source().text.body().unwrap()).chars().count() as u32;
        for profile in Profile::ALL {
            let full = render(profile, source(), frame, Arguments::NotGiven).unwrap().text;
            if let Some(chars) = frame.chars(profile.activation(), body) {
                assert_eq!(chars, full.chars().count(), "{profile}");
            }
        }
        assert!(frame.chars(Profile::Kaged.activation(), body).is_some());
    }
}
