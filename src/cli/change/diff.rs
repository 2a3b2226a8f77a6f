//! What a change would do, as people read it.

use std::path::Path;

use similar::TextDiff;

use crate::edit::{Content, Plan, Step};
use crate::skill::text::{Shown, counted, shown};

/// The lines of a diff of everything a plan does.
pub fn diff(plan: &Plan) -> Vec<Shown> {
    plan.steps.iter().flat_map(step).collect()
}

fn step(step: &Step) -> Vec<Shown> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    match step {
        Step::MakeFolder(at) => vec![shown(&format!("new folder {}", name(at)))],
        Step::RemoveFolder(at) => vec![shown(&format!("remove folder {}", name(at)))],
        Step::Move { from, to } => vec![
            shown(&format!("rename from {}", name(from))),
            shown(&format!("rename to {}", name(to))),
        ],
        Step::Write { at, before, after } => {
            let (old, new) = (text(before.as_ref()), text(after.as_ref()));
            let (Ok(old), Ok(new)) = (old, new) else {
                let size = |content: &Option<Content>| {
                    content.as_ref().map_or(0, |content| content.as_bytes().len())
                };
                return vec![shown(&format!(
                    "{}: {} become {}",
                    name(at),
                    counted(size(before), "byte", "bytes"),
                    size(after)
                ))];
            };
            let diff = TextDiff::from_lines(old, new);
            let mut unified = diff.unified_diff();
            let header = |content: &Option<Content>| {
                if content.is_some() { name(at) } else { "/dev/null".to_owned() }
            };
            let text = unified.header(&header(before), &header(after)).to_string();
            text.split('\n').filter(|line| !line.is_empty()).map(shown).collect()
        }
    }
}

fn text(content: Option<&Content>) -> Result<&str, std::str::Utf8Error> {
    std::str::from_utf8(content.map_or(&[] as &[u8], Content::as_bytes))
}
