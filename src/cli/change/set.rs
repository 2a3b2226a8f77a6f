//! `skilldeck set`

use anyhow::bail;
use clap::Args;

use super::{Desk, quoted};
use crate::cli::Outcome;
use crate::cli::target::Target;
use crate::edit::ops;
use crate::edit::patch::FieldValue;
use crate::project::View;
use crate::skill::name;
use crate::skill::yaml::{self, Value};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  skilldeck set code-review description \"Reviews a change. Use it when asked for a review.\"
  skilldeck set code-review hide --remove")]
pub struct Set {
    /// The skill's name, or its folder's
    #[arg(add = crate::cli::complete::skills())]
    name: String,
    /// The field of the frontmatter
    field: String,
    /// Its value; for `hide` true or false, for `globs` a YAML list, or names with commas between
    #[arg(allow_hyphen_values = true, required_unless_present = "remove")]
    value: Option<String>,
    /// Take the field away
    #[arg(long, conflicts_with = "value")]
    remove: bool,
}

impl Set {
    pub fn run(&self, target: &Target, view: &View) -> anyhow::Result<Outcome> {
        let desk = Desk::open(target, view)?;
        let skill = desk.target(&self.name)?;
        let before = self.before(&desk)?;
        let plan = match self.value.as_deref() {
            Some(text) => {
                let value = value(&self.field, text)?;
                ops::set(&desk.writer, &skill, &self.field, &value)?
            }
            None => ops::remove(&desk.writer, &skill, &self.field)?,
        };
        let (name, field) = (quoted(&self.name), quoted(&self.field));
        let undo = match before {
            Some(before) => format!("skilldeck set {name} {field} {}", quoted(&before)),
            None => format!("skilldeck set {name} {field} --remove"),
        };
        desk.apply(plan, &undo)?;
        Ok(Outcome::Done)
    }

    /// The value as one would write it on the command line.
    fn before(&self, desk: &Desk) -> anyhow::Result<Option<String>> {
        let skill = desk.deck.find(&self.name)?;
        let file = skill.entry.file.as_ref().ok();
        let front = file.and_then(|file| file.reading.document.frontmatter.as_ref());
        let Some(front) = front else { return Ok(None) };
        if self.field == "description" && skill.description.is_some() {
            return Ok(skill.description.clone());
        }
        if self.field == "globs" && !front.globs.is_empty() {
            return Ok(Some(serde_json::to_string(&front.globs)?));
        }
        let field = front.fields.iter().find(|field| field.key == self.field);
        Ok(field.map(|field| field.value.clone()))
    }
}

fn value(field: &str, text: &str) -> anyhow::Result<FieldValue> {
    Ok(match field {
        "hide" => match text {
            "true" => FieldValue::Bool(true),
            "false" => FieldValue::Bool(false),
            _ => bail!("`hide` is true or false, not `{text}`"),
        },
        "globs" => FieldValue::List(list(text)?),
        "description" if text.trim().is_empty() => {
            bail!("a skill needs a description: without it no agent can know when to use it")
        }
        "name" if !name::is_valid(text) => {
            let near = name::nearest(text).map_or(String::new(), |n| format!("; `{n}` would do"));
            bail!(
                "`{text}` is no name: lower-case letters and digits with single hyphens between \
                 them{near}"
            )
        }
        _ => FieldValue::Text(text.to_owned()),
    })
}

/// `["a", "b"]`, or names with commas between them.
fn list(text: &str) -> anyhow::Result<Vec<String>> {
    if !text.trim_start().starts_with('[') {
        return Ok(text.split(',').map(|item| item.trim().to_owned()).collect());
    }
    let tree = yaml::read(text).map_err(|_| anyhow::anyhow!("`{text}` is no list"))?;
    match tree.root.map(|root| root.value) {
        Some(Value::Sequence(items)) => {
            let text = |item: &yaml::Node| item.text().map(str::to_owned);
            items.iter().map(text).collect::<Option<_>>()
        }
        _ => None,
    }
    .ok_or_else(|| anyhow::anyhow!("`{text}` is no list of texts"))
}
