//! The `skill.use` tool definition (seed B, amendment 5; CONTRACT §4).

use serde_json::{Value, json};

use super::catalog::NONE;

/// The tool's name.
pub const NAME: &str = "skill.use";

/// What the tool's description says before the list.
pub const PREFIX: &str = "Activate a skill — load domain knowledge, methodology, or instructions \
                          into your context.\n\nAvailable skills:\n\n";

/// The definition: the listed skills in its description, the usable ones in its
/// enum. `None` when no skill is usable, for then no tool is registered.
pub fn definition<'a>(
    listed: impl IntoIterator<Item = (&'a str, &'a str)>,
    usable: &[&str],
) -> Option<Value> {
    if usable.is_empty() {
        return None;
    }
    Some(json!({
        "name": NAME,
        "description": description(listed),
        "parameters": {
            "type": "object",
            "required": ["skill"],
            "properties": { "skill": { "type": "string", "enum": usable } },
        },
    }))
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
        assert_eq!(
            got,
            json!({
                "name": "skill.use",
                "description": "Activate a skill — load domain knowledge, methodology, or \
                                instructions into your context.\n\nAvailable skills:\n\n\
                                - **a**: x\n- **b**: y",
                "parameters": {
                    "type": "object",
                    "required": ["skill"],
                    "properties": {"skill": {"type": "string", "enum": ["a", "b", "hidden"]}},
                },
            })
        );
    }

    #[test]
    fn all_hidden_lists_none_and_no_skill_is_no_tool() {
        let hidden = definition([], &["a"]).unwrap();
        assert!(hidden["description"].as_str().unwrap().ends_with(":\n\n(none)"));
        assert_eq!(definition([], &[]), None);
    }
}
