//! The life of a skill in a program that runs agents, with a model that is played.
//!
//! ```sh
//! cargo run --example harness
//! ```

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;
use skilldeck::harness::{Call, Library, Slot, refreshes_on_call};
use skilldeck::project::{Project, View};
use skilldeck::prompt::arguments::Arguments;
use skilldeck::prompt::hints::HintTracker;

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A copy, since a skill is changed below.
    let copy = tempfile::tempdir()?;
    copy_dir(&here.join(".kaged"), &copy.path().join(".kaged"))?;
    run(copy.path(), &mut io::stdout().lock())
}

fn run(dir: &Path, out: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    // 1. When the program starts: find the project, read its skills.
    let mut library = Library::open(Project::open(dir)?, View::default())?;
    let skills = &library.deck().skills;
    writeln!(out, "1. {} skills were read", skills.len())?;
    for skill in skills {
        for finding in library.findings_of(skill) {
            writeln!(out, "   {}: {} ({})", skill.folder(), finding.message, finding.code)?;
        }
    }

    // 2. The catalog goes into the slot of the tool's prompt.
    let mut prompt = Slot::new("## Skill\nAvailable skills\n{{available_skills}}\n");
    let filled = prompt.fill(library.catalog().text());
    writeln!(out, "2. the prompt has {} characters", filled.chars().count())?;
    for (name, state) in library.catalog().left_out() {
        writeln!(out, "   the model is not told of {name}: {}", state.word())?;
    }

    // 3. The tool is registered only when there is a skill to use.
    match library.tool_definition() {
        Some(tool) => writeln!(out, "3. {} with {} names", tool.name(), tool.names().len())?,
        None => writeln!(out, "3. no skill can be used, so there is no tool")?,
    }

    // 4. The model calls seed A's tool: name and args, answered with a result.
    let refresh = std::env::var("SKILLS_REFRESH_ON_CALL").ok();
    let refresh = refreshes_on_call(refresh.as_deref());
    let call = Call::new(json!({"name": "reviewing-a-change", "args": "src/main.rs"}));
    let reply = library.call(&call, refresh);
    writeln!(out, "4. {}", first_line(&serde_json::to_string(&reply)?))?;
    let call = Call::new(json!({"name": "reviewing-a-chnage"}));
    writeln!(out, "   {}", library.call(&call, refresh).content())?;

    // 5. The model calls seed B's tool `skill.use`: the content alone.
    let activated = library.activate("reviewing-a-change", Arguments::NotGiven)?;
    writeln!(out, "5. {}", first_line(&activated.content))?;

    // 6. A file is touched: a hint, once in a session.
    let (hints, mut session) = (library.hints(), HintTracker::new());
    let mut told = Vec::new();
    for path in ["src/profile/codex.rs", "src/profile/zed.rs"] {
        told.extend(session.touch(&hints, path));
    }
    writeln!(out, "6. {}", told.join(" "))?;

    // 7. Between turns a skill changes; the prompt is made anew only if the text did.
    let before = prompt.times_filled();
    library.refresh()?;
    prompt.fill(library.catalog().text());
    writeln!(out, "7. nothing changed: filled {} more times", prompt.times_filled() - before)?;
    let folder = library.project().root().join("brand-new");
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("SKILL.md"),
        "---\nname: brand-new\ndescription: Came between two turns. Use it when asked.\n---\n\nHi.\n",
    )?;
    if let Some(difference) = library.refresh()? {
        for skill in &difference.added {
            writeln!(out, "   new: {}", skill.folder)?;
        }
    }
    prompt.fill(library.catalog().text());
    writeln!(out, "   a skill is new: filled {} more times", prompt.times_filled() - before)?;
    Ok(())
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let short: String = line.chars().take(96).collect();
    if short.len() < line.len() { format!("{short}…") } else { short }
}

fn copy_dir(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_dir(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_the_life_cycle_is_shown() {
        let copy = tempfile::tempdir().unwrap();
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(".kaged");
        copy_dir(&own, &copy.path().join(".kaged")).unwrap();
        let mut out = Vec::new();
        run(copy.path(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [
            "3. skill.use with ",
            "4. {\"status\":\"success\",\"data\":{\"name\":",
            "there is no skill `reviewing-a-chnage`; did you mean `reviewing-a-change`?",
            "5. <skill_content name=\"reviewing-a-change\">",
            "7. nothing changed: filled 0 more times",
            "   new: brand-new",
            "   a skill is new: filled 1 more times",
        ] {
            assert!(text.contains(line), "no {line} in\n{text}");
        }
    }
}
