//! What a change would do, line by line, as people read it.

use std::path::Path;

use similar::{ChangeTag, TextDiff};

use super::step::{Content, Plan, Step};
use crate::skill::text::{Shown, counted, name_text, shown};

/// Lines that are shown around those that change.
const CONTEXT: usize = 3;

/// Texts with more lines than this together are compared in a hurry: the diff may
/// then be longer than it had to be.
const MANY: usize = 20_000;

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What it is.
    pub kind: LineKind,
    /// The line, with its sign: `+`, `-` or a space.
    pub text: Shown,
}

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// The name of a file before or after.
    File,
    /// Where the next lines are.
    Hunk,
    /// A line that stays.
    Same,
    /// A line that comes.
    Added,
    /// A line that goes.
    Removed,
    /// Something said in words.
    Note,
}

impl DiffLine {
    fn new(kind: LineKind, text: &str) -> Self {
        Self { kind, text: shown(text) }
    }

    /// Something said in words.
    pub fn note(text: &str) -> Self {
        Self::new(LineKind::Note, text)
    }
}

/// The lines of a diff of everything that a plan does.
pub fn plan_lines(plan: &Plan) -> Vec<DiffLine> {
    plan.steps.iter().flat_map(step).collect()
}

fn step(step: &Step) -> Vec<DiffLine> {
    let name = |path: &Path| name_text(path.as_os_str()).into_owned();
    match step {
        Step::MakeFolder(at) => vec![DiffLine::note(&format!("new folder {}", name(at)))],
        Step::RemoveFolder(at) => vec![DiffLine::note(&format!("remove folder {}", name(at)))],
        Step::Move { from, to } => vec![
            DiffLine::note(&format!("rename from {}", name(from))),
            DiffLine::note(&format!("rename to {}", name(to))),
        ],
        Step::Write { at, before, after } => {
            let name = name(at);
            let file = |sign: &str, content: &Option<Content>| {
                let name = if content.is_some() { &name } else { "/dev/null" };
                DiffLine::new(LineKind::File, &format!("{sign} {name}"))
            };
            let (Ok(old), Ok(new)) = (text(before.as_ref()), text(after.as_ref())) else {
                return vec![DiffLine::note(&format!(
                    "{name}: {} become {}",
                    counted(size(before.as_ref()), "byte", "bytes"),
                    size(after.as_ref())
                ))];
            };
            let mut lines = vec![file("---", before), file("+++", after)];
            lines.extend(text_lines(old, new));
            lines
        }
    }
}

fn size(content: Option<&Content>) -> usize {
    content.map_or(0, |content| content.as_bytes().len())
}

fn text(content: Option<&Content>) -> Result<&str, std::str::Utf8Error> {
    std::str::from_utf8(content.map_or(&[] as &[u8], Content::as_bytes))
}

/// The lines of a diff of two texts. What cannot be seen of a line that changes,
/// its ending and the white space before it, is made visible.
pub fn text_lines(old: &str, new: &str) -> Vec<DiffLine> {
    let mut config = TextDiff::configure();
    if old.lines().count() + new.lines().count() > MANY {
        config.timeout(std::time::Duration::from_millis(500));
    }
    let diff = config.diff_lines(old, new);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push(DiffLine::new(LineKind::Hunk, &hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let (kind, sign) = match change.tag() {
                ChangeTag::Equal => (LineKind::Same, ' '),
                ChangeTag::Delete => (LineKind::Removed, '-'),
                ChangeTag::Insert => (LineKind::Added, '+'),
            };
            let line = change.value();
            let line = line.strip_suffix('\n').unwrap_or(line);
            lines.push(DiffLine::new(kind, &format!("{sign}{line}")));
            if change.missing_newline() {
                let note = "\\ No newline at end of file";
                lines.push(DiffLine::note(note));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(old: &str, new: &str) -> Vec<String> {
        text_lines(old, new).into_iter().map(|line| line.text.into_string()).collect()
    }

    #[test]
    fn a_diff_names_every_line_that_changes() {
        for (old, new, want) in [
            ("a\nb\n", "a\nc\n", vec!["@@ -1,2 +1,2 @@", " a", "-b", "+c"]),
            ("a\n", "a\n", vec![]),
            ("a\r\n", "a\n", vec!["@@ -1 +1 @@", "-a\\r", "+a"]),
            ("a", "a\n", vec!["@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a"]),
            ("", "\u{1b}x\n", vec!["@@ -0,0 +1 @@", "+\\x1Bx"]),
        ] {
            assert_eq!(texts(old, new), want, "{old:?} {new:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_counted() {
        let content = |bytes: &[u8]| Some(Content::new(bytes.to_vec(), 0o644));
        let at = std::path::PathBuf::from("a.bin");
        let step = Step::Write { at, before: content(b"\xff"), after: content(b"ab\0\xff") };
        let plan = Plan { title: String::new(), steps: vec![step] };
        assert_eq!(plan_lines(&plan)[0].text.as_str(), "a.bin: 1 byte become 4");
    }
}
