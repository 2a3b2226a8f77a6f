//! What the pages say is what the code does, and text has one door.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skilldeck::profile::Profile;
use skilldeck::project::{Agents, Deck, Project, View, scan};
use skilldeck::skill::{Code, Level, Status};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_finding_has_its_entry_and_every_entry_its_finding() {
    let mut entries = BTreeMap::new();
    let mut level = None;
    for line in read("docs/findings.md").lines() {
        match line {
            "## Errors" => level = Some(Level::Error),
            "## Warnings" => level = Some(Level::Warning),
            "## Notes" => level = Some(Level::Note),
            _ => {}
        }
        if let Some(code) = line.strip_prefix("### `").and_then(|l| l.strip_suffix('`')) {
            let before = entries.insert(code.to_owned(), level.expect("a section"));
            assert!(before.is_none(), "{code} has two entries");
        }
    }
    let codes: BTreeMap<_, _> =
        Code::ALL.iter().map(|c| (c.as_str().to_owned(), c.level())).collect();
    assert_eq!(codes.len(), Code::ALL.len(), "two codes of one name");
    assert_eq!(entries, codes);
}

#[test]
fn the_profiles_are_those_of_the_page() {
    let page = read("docs/profiles.md");
    for profile in Profile::ALL {
        assert!(page.contains(&format!("`{}`", profile.id())), "{profile}");
    }
}

#[test]
fn the_projects_own_skills_pass_the_strict_check() {
    let project = Project::find(project(), Some(project()), None, None).unwrap();
    for profile in [Profile::Kaged, Profile::KagedStrict] {
        let view = View { profile, ..View::default() };
        let facts = scan::scan(&project, profile.discovery()).unwrap();
        let agents = Agents::load(&project).into();
        let deck = Deck::new(&project, &facts, &agents, &view).unwrap();
        assert!(deck.skills.len() >= 5, "{}", deck.skills.len());
        for skill in &deck.skills {
            assert_eq!(skill.status, Status::Valid, "{}: {:?}", skill.folder(), skill.findings);
        }
        let bad: Vec<_> = deck.findings.iter().filter(|f| f.level > Level::Note).collect();
        assert!(bad.is_empty(), "{bad:?}");
        let front = |f: &dyn Fn(&skilldeck::skill::frontmatter::Frontmatter) -> bool| {
            deck.skills.iter().any(|s| {
                let file = s.entry.file.as_ref().unwrap();
                file.reading.document.frontmatter.as_ref().is_some_and(f)
            })
        };
        assert!(front(&|f| f.hide), "one is hidden");
        assert!(front(&|f| !f.globs.is_empty()), "one has globs");
        assert!(deck.skills.iter().any(|s| !s.entry.resources.files.is_empty()), "resources");
        let placeholders =
            |s: &skilldeck::project::Skill| s.entry.file.as_ref().unwrap().reading.document.body;
        assert!(deck.skills.iter().any(|s| placeholders(s).placeholders > 0), "$ARGUMENTS");
        assert_eq!(deck.agents.iter().count(), 3, "a primary and two subagents");
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(dir: &Path, out: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                out.push((path, text));
            }
        }
    }
    let mut out = Vec::new();
    walk(&project().join("src"), &mut out);
    out
}

/// The code of a file without its comments and its tests.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end].lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The one escape function is the only way to the screen, a message or a
/// stream: what could go round it stands in one file each.
#[test]
fn text_has_one_door() {
    let doors: [(&[&str], &str); 4] = [
        // Nothing draws but the canvas, which takes only what `shown` returned.
        (
            &[
                "ratatui::text",
                "ratatui::widgets",
                "set_string",
                "set_symbol",
                "Span::",
                "Paragraph",
            ],
            "src/tui/ink.rs",
        ),
        // Nothing prints but this.
        (&["println!", "print!", "eprint!", "io::stderr"], "src/cli/out.rs"),
        // Text becomes safe to show in one place.
        (&["Shown("], "src/skill/text.rs"),
        // Frames go out in one place.
        (&["EnterAlternateScreen", "CrosstermBackend"], "src/tui/terminal.rs"),
    ];
    let sources = sources();
    assert!(sources.len() > 40, "the sources are where they are looked for");
    for (words, door) in doors {
        let mut is_used = false;
        for (path, text) in &sources {
            let is_door = path.ends_with(door);
            for word in words {
                let is_here = code(text).contains(word);
                is_used |= is_here && is_door;
                assert!(!is_here || is_door, "{word} in {} goes round {door}", path.display());
            }
        }
        assert!(is_used, "{door} is no door any more");
    }
    let stdout = sources.iter().filter(|(_, text)| code(text).contains("io::stdout"));
    let mut names: Vec<_> = stdout.map(|(p, _)| p.file_name().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["out.rs", "terminal.rs"]);
}

/// Arrows point down: nobody below knows who stands above.
#[test]
fn arrows_point_down() {
    let layers =
        ["skill", "edit", "profile", "prompt", "config", "project", "harness", "mcp", "tui", "cli"];
    for (path, text) in sources() {
        let below = path.strip_prefix(project().join("src")).unwrap().to_owned();
        let module = below.iter().next().unwrap().to_str().unwrap();
        let Some(level) = layers.iter().position(|l| *l == module) else { continue };
        for above in &layers[level + 1..] {
            let name = format!("crate::{above}");
            assert!(!code(&text).contains(&name), "{} knows {above}", below.display());
        }
    }
}

#[test]
fn no_page_names_a_machine() {
    fn walk(dir: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if ["target", ".git"].contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "md") {
                let text = fs::read_to_string(&path).unwrap();
                let homes = ["/root/", "/tmp/", "/var/folders/"];
                found.extend(
                    homes.iter().filter(|h| text.contains(*h)).map(|h| format!("{name}: {h}")),
                );
            }
        }
    }
    let mut found = Vec::new();
    walk(project(), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

/// What writes to a disk stands below `edit`, so that one place has to be right.
#[test]
fn one_module_writes() {
    let writes = [
        "fs::write(",
        "fs::rename(",
        "fs::remove",
        "fs::create_dir",
        "fs::set_permissions(",
        "File::create",
        "OpenOptions",
        "renameat",
        "unlinkat",
        "mkdirat",
        "NamedTempFile",
    ];
    for (path, text) in sources() {
        let below = path.strip_prefix(project()).unwrap();
        if below.starts_with("src/edit") {
            continue;
        }
        let code = code(&text);
        for call in writes {
            assert!(!code.contains(call), "{}: {call}", below.display());
        }
    }
}
