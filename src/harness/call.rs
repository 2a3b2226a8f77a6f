//! A call of seed A's `Skill` tool and what it answers (CONTRACT §10).

use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use super::library::{Activated, Library};
use crate::project::activate::{ActivateError, ErrorCode};
use crate::prompt::arguments::Arguments;

/// A call, as a model made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    parameters: Value,
}

/// What a call answers, in the form of seed A's tool results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reply {
    status: &'static str,
    data: Data,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ReplyError>,
    stats: Stats,
    context: Context,
}

/// Without a skill it is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Data {
    #[serde(flatten)]
    activated: Option<Activated>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ReplyError {
    code: ErrorCode,
    message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Stats {
    time_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Context {
    cwd: String,
    params_input: Value,
    path_resolved: Option<String>,
}

/// Whether `SKILLS_REFRESH_ON_CALL` is on: `1`, `true`, `yes`, `y` or `on`, in any
/// case. Unset or anything else is off.
pub fn refreshes_on_call(value: Option<&str>) -> bool {
    let value = value.unwrap_or("").trim().to_ascii_lowercase();
    ["1", "true", "yes", "y", "on"].contains(&value.as_str())
}

impl Call {
    /// A call with the parameters the model gave: `name` (or `skill`, as seed B
    /// calls it) and optional `args`.
    pub fn new(parameters: Value) -> Self {
        Self { parameters }
    }

    fn text(&self, key: &str) -> Result<Option<&str>, ActivateError> {
        match self.parameters.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid(format!("`{key}` must be a string"))),
        }
    }

    fn name(&self) -> Result<&str, ActivateError> {
        let name = self.text("name")?.or(self.text("skill")?).unwrap_or("").trim();
        if name.is_empty() {
            Err(invalid("`name` is missing; name a skill".to_owned()))
        } else {
            Ok(name)
        }
    }

    fn carry_out(&self, library: &mut Library) -> Result<Activated, ActivateError> {
        let name = self.name()?;
        // Seed A knows no call without arguments, only one with empty ones.
        let args = self.text("args")?.unwrap_or("");
        library.activate(name, Arguments::Given(args))
    }
}

fn invalid(message: String) -> ActivateError {
    ActivateError { code: ErrorCode::InvalidParam, message }
}

impl Library {
    /// Answers a call of seed A's `Skill` tool; never fails, since what went wrong is
    /// the model's to read. `is_fresh` looks at the disk before
    /// ([`refreshes_on_call`]).
    pub fn call(&mut self, call: &Call, is_fresh: bool) -> Reply {
        let started = Instant::now();
        if is_fresh {
            // What cannot be read any more is told by the activation itself.
            self.refresh().ok();
        }
        let done = call.carry_out(self);
        let path_resolved = done.as_ref().ok().map(|done| format!("{}/SKILL.md", done.base_dir));
        let context = Context {
            cwd: self.deck().project.clone(),
            params_input: call.parameters.clone(),
            path_resolved,
        };
        let time_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let stats = Stats { time_ms };
        match done {
            Ok(activated) => Reply {
                status: "success",
                text: format!("Loaded skill `{}` from {}.", activated.name, activated.base_dir),
                data: Data { activated: Some(activated) },
                error: None,
                stats,
                context,
            },
            Err(ActivateError { code, message }) => Reply {
                status: "error",
                data: Data::default(),
                text: message.clone(),
                error: Some(ReplyError { code, message }),
                stats,
                context,
            },
        }
    }
}

impl Reply {
    /// Whether the skill was activated.
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }

    /// What the model is given: the content, or what went wrong.
    pub fn content(&self) -> &str {
        self.data.activated.as_ref().map_or(&self.text, |activated| &activated.content)
    }

    /// Why it was not.
    pub fn error_code(&self) -> Option<ErrorCode> {
        self.error.as_ref().map(|error| error.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_the_refresh_on() {
        for (value, is_on) in [
            (None, false),
            (Some(""), false),
            (Some("1"), true),
            (Some("true"), true),
            (Some(" Yes "), true),
            (Some("y"), true),
            (Some("ON"), true),
            (Some("0"), false),
            (Some("no"), false),
            (Some("2"), false),
        ] {
            assert_eq!(refreshes_on_call(value), is_on, "{value:?}");
        }
    }
}
