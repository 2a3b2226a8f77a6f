//! The loader of `MyCodeAgent` as its article prints it (seed A), told again from
//! the page alone: it shares no code with the profile that it is compared with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// `str.splitlines()`.
fn splitlines(text: &str) -> Vec<String> {
    let ends = "\n\r\u{b}\u{c}\u{1c}\u{1d}\u{1e}\u{85}\u{2028}\u{2029}";
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !ends.contains(c) {
            line.push(c);
            continue;
        }
        if c == '\r' {
            chars.next_if_eq(&'\n');
        }
        lines.push(std::mem::take(&mut line));
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// `str.strip()`: what `str.isspace` holds for, which is a little more than
/// Unicode's white space.
fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "\u{1c}\u{1d}\u{1e}\u{1f}".contains(c))
}

/// `_parse_frontmatter`, without the body.
fn parse_frontmatter(content: &str) -> Option<BTreeMap<String, String>> {
    let lines = splitlines(content);
    if lines.is_empty() || strip(&lines[0]) != "---" {
        return None;
    }
    let end = (1..lines.len()).find(|i| strip(&lines[*i]) == "---")?;
    let mut frontmatter = BTreeMap::new();
    for line in &lines[1..end] {
        let stripped = strip(line);
        if stripped.is_empty() || stripped.starts_with('#') {
            continue;
        }
        let colon = stripped.find(':')?;
        let value = strip(&stripped[colon + 1..]).trim_matches(['"', '\'']);
        frontmatter.insert(strip(&stripped[..colon]).to_owned(), value.to_owned());
    }
    Some(frontmatter)
}

/// `^[a-z0-9]+(-[a-z0-9]+)*$`.
fn is_name(name: &str) -> bool {
    let is_word =
        |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('-').all(is_word)
}

/// `rglob("SKILL.md")`, sorted: links to folders are not walked.
fn rglob(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if entry.file_name() == "SKILL.md" {
            found.push(path.clone());
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            rglob(&path, found);
        }
    }
}

/// What a loader knows: names and descriptions, and the files it could not read.
pub struct Loaded {
    pub skills: BTreeMap<String, String>,
    pub files: Vec<PathBuf>,
}

/// `scan`: a later path of the same name takes its place.
pub fn scan(root: &Path) -> Loaded {
    let mut files = Vec::new();
    rglob(root, &mut files);
    files.sort_by_key(|path| path.strip_prefix(root).map(|p| p.as_os_str().to_owned()).ok());
    let mut skills = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_file()) {
        // `read_text(encoding="utf-8")` raises for any other bytes.
        let Ok(content) = fs::read_to_string(file) else { continue };
        let Some(head) = parse_frontmatter(&content) else { continue };
        let field = |key: &str| head.get(key).filter(|value| !value.is_empty()).cloned();
        if let (Some(name), Some(description)) = (field("name"), field("description"))
            && is_name(&name)
        {
            skills.insert(name, description);
        }
    }
    Loaded { skills, files }
}

/// `format_skills_for_prompt`.
pub fn format_skills_for_prompt(skills: &BTreeMap<String, String>, char_budget: u64) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for (name, description) in skills {
        let line = format!("- {name}: {description}");
        let line_len = line.chars().count() as u64 + 1;
        if used + line_len > char_budget && !lines.is_empty() {
            break;
        }
        lines.push(line);
        used += line_len;
    }
    if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") }
}
