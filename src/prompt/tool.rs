//! The `skill.use` tool definition (seed B, amendment 5; CONTRACT §4).

use serde::Serialize;

use super::catalog::NONE;

/// The tool's name.
pub const NAME: &str = "skill.use";

/// What the tool's description says before the list.
pub const PREFIX: &str = "Activate a skill — load domain knowledge, methodology, or instructions \
                          into your context.\n\nAvailable skills:\n\n";

/// A tool definition, its fields in the order of the amendment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Definition {
    name: &'static str,
    description: String,
    parameters: Parameters,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Parameters {
    #[serde(rename = "type")]
    kind: &'static str,
    required: [&'static str; 1],
    properties: Properties,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Properties {
    skill: SkillParameter,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SkillParameter {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "enum")]
    names: Vec<String>,
}

impl Definition {
    /// The tool's name: [`NAME`].
    pub fn name(&self) -> &str {
        self.name
    }

    /// What the model reads of it, the catalog with it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The names that a call may name, in order.
    pub fn names(&self) -> &[String] {
        &self.parameters.properties.skill.names
    }

    /// The definition for people: the description's own lines, not JSON's.
    pub fn readable(&self) -> String {
        let parameters = serde_json::to_string_pretty(&self.parameters).unwrap_or_default();
        format!("{}\n\n{}\n\nparameters\n{parameters}\n", self.name, self.description)
    }
}

/// The definition: the listed skills in its description, the usable ones in its
/// enum. `None` when no skill is usable, for then no tool is registered.
pub fn definition<'a>(
    listed: impl IntoIterator<Item = (&'a str, &'a str)>,
    usable: &[&str],
) -> Option<Definition> {
    if usable.is_empty() {
        return None;
    }
    let names = usable.iter().map(ToString::to_string).collect();
    Some(Definition {
        name: NAME,
        description: description(listed),
        parameters: Parameters {
            kind: "object",
            required: ["skill"],
            properties: Properties { skill: SkillParameter { kind: "string", names } },
        },
    })
}

/// The tool's description: [`PREFIX`] and a line for each listed skill.
pub fn description<'a>(listed: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<_> =
        listed.into_iter().map(|(name, about)| format!("- **{name}**: {about}")).collect();
    let list = if lines.is_empty() { NONE.to_owned() } else { lines.join("\n") };
    format!("{PREFIX}{list}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_that_of_the_amendment() {
        let got = definition([("a", "x"), ("b", "y")], &["a", "b", "hidden"]).unwrap();
        let readable = got.readable();
        assert!(readable.starts_with("skill.use\n\nActivate a skill"), "{readable}");
        assert!(readable.contains("\n- **a**: x\n- **b**: y\n\nparameters\n{"), "{readable}");
        assert_eq!(
            serde_json::to_string(&got).unwrap(),
            r#"{"name":"skill.use","description":"Activate a skill — load domain knowledge, methodology, or instructions into your context.\n\nAvailable skills:\n\n- **a**: x\n- **b**: y","parameters":{"type":"object","required":["skill"],"properties":{"skill":{"type":"string","enum":["a","b","hidden"]}}}}"#
        );
    }

    #[test]
    fn all_hidden_lists_none_and_no_skill_is_no_tool() {
        let hidden = definition([], &["a"]).unwrap();
        assert!(hidden.description.ends_with(":\n\n(none)"));
        assert_eq!(definition([], &[]), None);
    }
}
