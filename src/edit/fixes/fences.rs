//! Fixes of the two lines around the frontmatter.

use crate::edit::patch::first_line_end;
use crate::skill::document::Text;
use crate::skill::fences;
use crate::skill::finding::Code;
use crate::skill::place::{Line, lines};

const FENCE: &str = "---";

/// Closes the frontmatter behind its last field. A line that was meant to
/// close it, such as `...`, becomes the fence.
pub(super) fn add_closing(bytes: &[u8]) -> Option<Vec<u8>> {
    let Text { text, .. } = Text::of(bytes).ok()?;
    if fences::split(text).err()?.code != Code::UnclosedFrontmatter {
        return None;
    }
    let mark = &bytes[..bytes.len() - text.len()];
    let end = first_line_end(text);
    let (before, behind) = match end_of_fields(text) {
        End::Behind(at) => (&text[..at], &text[at..]),
        End::Instead(line) => {
            let behind = line.start + line.text.trim_end().len();
            let rest = &text[behind..];
            let new = format!("{}{FENCE}{rest}", &text[..line.start]);
            return Some([mark, new.as_bytes()].concat());
        }
    };
    let gap = if before.ends_with(['\n', '\r']) { "" } else { end };
    let new = format!("{before}{gap}{FENCE}{end}{behind}");
    Some([mark, new.as_bytes()].concat())
}

/// Where the fields end.
enum End<'a> {
    /// Behind this byte.
    Behind(usize),
    /// At a line that was meant as the fence.
    Instead(Line<'a>),
}

fn end_of_fields(text: &str) -> End<'_> {
    let mut all = lines(text);
    let mut end = all.next().map_or(0, |first| first.next);
    let mut after_blank = false;
    let mut described = false;
    // What the last field may go on with.
    let (mut takes_items, mut is_block) = (false, false);
    for line in all {
        let trimmed = line.text.trim();
        let is_rule = trimmed.len() > 3 && trimmed.bytes().all(|b| b == b'-');
        let odd_fence = trimmed == "..." || trimmed == "+++" || is_rule;
        let is_indented = line.text.starts_with([' ', '\t']);
        if (!is_indented && odd_fence) || (trimmed == FENCE && !is_block) {
            return End::Instead(line);
        }
        // Behind a blank line `# Title` is a heading, not a comment.
        let is_heading =
            after_blank && described && trimmed.trim_start_matches('#').starts_with(' ');
        if trimmed.is_empty() {
            after_blank = true;
            continue;
        }
        if line.text.starts_with('#') {
            if is_heading {
                break;
            }
            continue;
        }
        let is_item = trimmed == "-" || line.text.starts_with("- ");
        if is_indented || (is_item && takes_items) {
            end = line.next;
            after_blank = false;
            continue;
        }
        let Some((key, value)) = field(line.text) else { break };
        described |= key == "description";
        let value = value.trim();
        takes_items = value.is_empty() || value.starts_with('#');
        is_block = value.starts_with(['|', '>']);
        end = line.next;
        after_blank = false;
    }
    End::Behind(end)
}

/// A key as authors write them, and what stands behind its colon.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end().trim_matches(['"', '\'']);
    let is_key = !key.is_empty()
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    (is_key && value.chars().next().is_none_or(char::is_whitespace)).then_some((key, value))
}

/// Makes the fence the first line: what stands before it moves to the start of
/// the body, white space on its own line goes.
pub(super) fn move_first(bytes: &[u8]) -> Option<Vec<u8>> {
    let Text { text, .. } = Text::of(bytes).ok()?;
    let mark = &bytes[..bytes.len() - text.len()];
    let finding = fences::split(text).err()?;
    if finding.code != Code::FrontmatterNotFirst {
        return None;
    }
    let first = lines(text).next()?;
    if first.text.trim() == FENCE {
        return Some([mark, text.trim_start_matches([' ', '\t']).as_bytes()].concat())
            .filter(|new| new.len() < bytes.len());
    }
    let above = finding.place?.line.checked_sub(1)?;
    let start = lines(text).nth(above as usize)?.start;
    let split = fences::split(&text[start..]).ok()?;
    let body = start + split.body.start;
    let frontmatter = &text[start..body];
    let gap = if frontmatter.ends_with(['\n', '\r']) { "" } else { first_line_end(text) };
    let new = format!("{frontmatter}{gap}{}{}", &text[..start], &text[body..]);
    Some([mark, new.as_bytes()].concat())
}
