//! Changing one field of a frontmatter by a patch of its bytes: comments, the
//! order of keys, other fields and the body stay as they are (CONTRACT §7).
//!
//! Each way to write the change is tried out: the changed text is read again,
//! and only what reads as wanted, and leaves every other field as it was, is
//! handed out.

mod check;
pub(in crate::edit) mod outline;
pub(in crate::edit) mod place;
pub(in crate::edit) mod scalar;
pub(in crate::edit) mod write;

use std::ops::Range;

use self::check::Reads;
use self::outline::{Layout, Outline};
use self::write::Edit;
use crate::skill::document::Text;
use crate::skill::frontmatter::{self, MAX_BYTES};
use crate::skill::place::{Line, lines};
use crate::skill::text::{Shown, head as cut, shown};
use crate::skill::{Code, Finding, Fix, Level, Place, fences};

/// A new value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text. It is written so that no reader takes it for anything else.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A list of texts.
    List(Vec<String>),
}

/// One change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The bytes of the file that are replaced; of no width to insert.
    pub range: Range<usize>,
    /// The bytes that stand there afterwards.
    pub new: Vec<u8>,
}

impl Patch {
    /// A patch that changes nothing.
    const NONE: Self = Self { range: 0..0, new: Vec::new() };

    /// The changed file. `bytes` is the file that the patch was made for; of
    /// one that is shorter, only the part that is there is replaced.
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let range = self.within(bytes);
        [&bytes[..range.start], &self.new, &bytes[range.end..]].concat()
    }

    /// The patch that makes the original file of the changed one, byte for
    /// byte. `bytes` is the original.
    #[must_use]
    pub fn inverse(&self, bytes: &[u8]) -> Self {
        let range = self.within(bytes);
        Self { range: range.start..range.start + self.new.len(), new: bytes[range].to_owned() }
    }

    /// Whether the file stays as it is.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty() && self.new.is_empty()
    }

    fn within(&self, bytes: &[u8]) -> Range<usize> {
        let end = self.range.end.min(bytes.len());
        self.range.start.min(end)..end
    }
}

/// A field cannot be changed; the message says what to do first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The file cannot be read, so nobody can tell where the field is.
    #[error("`{field}` cannot be changed before the file is mended: {why}")]
    Unreadable {
        /// The field, safe to show.
        field: Shown,
        /// What is wrong with the file, and the way out.
        why: Shown,
        /// Where in the file, if it has a place.
        place: Option<Place>,
    },
    /// Another field refers to the value.
    #[error(
        "`{field}` cannot be changed, because line {line} refers to its value with `*`; write the \
         value out there first"
    )]
    Referred {
        /// The field, safe to show.
        field: Shown,
        /// The line of the reference, from 1.
        line: u32,
    },
    /// The frontmatter would be too long to be read.
    #[error(
        "the frontmatter would have {bytes} bytes, more than the {MAX_BYTES} that are read; \
         shorten `{field}`, or move text from the frontmatter to the body"
    )]
    TooLarge {
        /// The field, safe to show.
        field: Shown,
        /// What the frontmatter would have, in bytes.
        bytes: usize,
    },
    /// It is written in a way that leaves no room for the change.
    #[error(
        "`{field}` cannot be changed at line {line} without changing other fields; change it in an \
         editor"
    )]
    Entangled {
        /// The field, safe to show.
        field: Shown,
        /// The line of the field, or of the frontmatter, from 1.
        line: u32,
    },
}

/// Sets a field to a value. A file that already says so stays as it is; a
/// field or a frontmatter that is not there is added.
///
/// Of a field written more than once the last is set, which is the one that
/// counts.
///
/// # Errors
/// When the file has to be mended first, when another field refers to the old
/// value, and when the value does not fit.
pub fn set(bytes: &[u8], field: &str, value: &FieldValue) -> Result<Patch, PatchError> {
    let Some(file) = File::of(bytes, field)? else { return begin(bytes, field, value) };
    let outline = file.outline(field)?;
    let end = file.line_end();
    let site = outline.find(field);
    let edits = match site {
        Some(site) => {
            let held = check::holds(file.head, &outline, site, value);
            if held == Some(Reads::Exactly) {
                return Ok(Patch::NONE);
            }
            file.refuse_referred(&outline, &site.value, field)?;
            write::replacing(file.head, &outline, site, value, end)
        }
        None => place::adding(file.head, &outline, field, value, end),
    };
    let at = site.map_or(0, |site| site.key_at.start);
    file.choose(&outline, edits, field, Some(value), at)
}

/// Removes a field with its lines, every entry of it if it is written more
/// than once. A file without it stays as it is. Comments stay, but for those
/// that belong to the value.
///
/// # Errors
/// When the file has to be mended first, and when another field refers to the
/// value.
pub fn remove(bytes: &[u8], field: &str) -> Result<Patch, PatchError> {
    let Some(file) = File::of(bytes, field)? else { return Ok(Patch::NONE) };
    let outline = file.outline(field)?;
    let Some(site) = outline.find(field) else { return Ok(Patch::NONE) };
    for site in outline.sites.iter().filter(|site| site.key == field) {
        let range = site.key_at.start..site.value.end.max(site.key_at.end);
        file.refuse_referred(&outline, &range, field)?;
    }
    let edits = place::removing(file.head, &outline, field);
    file.choose(&outline, edits, field, None, site.key_at.start)
}

/// A file with a frontmatter.
pub(in crate::edit) struct File<'a> {
    /// The text behind the byte-order mark.
    text: &'a str,
    /// The bytes of the mark.
    mark: usize,
    /// The text between the fences.
    pub head: &'a str,
    /// Where that begins in the text, in bytes.
    pub start: usize,
}

impl<'a> File<'a> {
    /// `None` when the file has no frontmatter and one can be put before it.
    pub fn of(bytes: &'a [u8], field: &str) -> Result<Option<Self>, PatchError> {
        let Text { text, bom } = Text::of(bytes).map_err(|finding| unreadable(field, finding))?;
        let mark = if bom { bytes.len() - text.len() } else { 0 };
        match fences::split(text) {
            Ok(fences) => {
                let (start, head) = (fences.head.start, &text[fences.head]);
                Ok(Some(Self { text, mark, head, start }))
            }
            Err(finding) if is_bare(text, &finding) => Ok(None),
            Err(finding) => Err(unreadable(field, finding)),
        }
    }

    /// The file with other bytes at a range of the frontmatter.
    pub fn replaced(&self, bytes: &[u8], range: Range<usize>, new: &str) -> Vec<u8> {
        self.patch(Edit { range, new: new.to_owned() }).apply(bytes)
    }

    fn outline(&self, field: &str) -> Result<Outline, PatchError> {
        let range = self.start..self.start + self.head.len();
        let (_, findings) = frontmatter::read(self.text, range);
        let refused = |finding: &Finding| {
            matches!(
                finding.code,
                Code::FrontmatterTooLarge | Code::YamlControlChar | Code::YamlLimit
            )
        };
        let is_refused = findings.iter().any(refused);
        let outline = if is_refused { None } else { Outline::of(self.head) };
        outline.ok_or_else(|| {
            let error = findings.into_iter().find(|finding| finding.level == Level::Error);
            error.map_or_else(|| self.entangled(field, 0), |finding| unreadable(field, finding))
        })
    }

    /// The line end of new lines: that of the first line.
    pub fn line_end(&self) -> &'a str {
        first_line_end(self.text)
    }

    fn refuse_referred(
        &self,
        outline: &Outline,
        range: &Range<usize>,
        field: &str,
    ) -> Result<(), PatchError> {
        match check::alias_into(outline, range) {
            None => Ok(()),
            Some(at) => Err(PatchError::Referred { field: name(field), line: self.line(at) }),
        }
    }

    /// The first change that reads as wanted.
    fn choose(
        &self,
        outline: &Outline,
        edits: Vec<Edit>,
        field: &str,
        value: Option<&FieldValue>,
        at: usize,
    ) -> Result<Patch, PatchError> {
        let mut second = None;
        let mut too_large = None;
        for edit in edits {
            let len = self.head.len() - edit.range.len() + edit.new.len();
            if len > MAX_BYTES {
                too_large.get_or_insert(len);
                continue;
            }
            match check::reads(self.head, outline, &edit, field, value) {
                Some(Reads::Exactly) if self.keeps_body(&edit) => return Ok(self.patch(edit)),
                Some(Reads::ByYaml) if self.keeps_body(&edit) => {
                    second.get_or_insert(edit);
                }
                _ => {}
            }
        }
        match (second, too_large) {
            (Some(edit), _) => Ok(self.patch(edit)),
            (None, Some(bytes)) => Err(PatchError::TooLarge { field: name(field), bytes }),
            (None, None) => Err(self.entangled(field, at)),
        }
    }

    fn keeps_body(&self, edit: &Edit) -> bool {
        let patch = self.patch(edit.clone());
        let changed = patch.apply(&[&vec![0; self.mark], self.text.as_bytes()].concat());
        let body = |text: &Text<'_>| text.body().map(str::to_owned);
        let old = body(&Text { text: self.text, bom: false });
        let new = std::str::from_utf8(&changed[self.mark..]).ok();
        new.and_then(|text| body(&Text { text, bom: false })) == old
    }

    fn patch(&self, edit: Edit) -> Patch {
        let at = self.mark + self.start;
        if self.head[edit.range.clone()] == edit.new {
            return Patch::NONE;
        }
        Patch { range: edit.range.start + at..edit.range.end + at, new: edit.new.into_bytes() }
    }

    fn entangled(&self, field: &str, at: usize) -> PatchError {
        PatchError::Entangled { field: name(field), line: self.line(at) }
    }

    /// The line of a byte of the frontmatter.
    fn line(&self, at: usize) -> u32 {
        Place::of(self.text, self.start + at).line
    }
}

/// Puts a frontmatter before a file that has none.
fn begin(bytes: &[u8], field: &str, value: &FieldValue) -> Result<Patch, PatchError> {
    let Text { text, .. } = Text::of(bytes).map_err(|finding| unreadable(field, finding))?;
    let end = first_line_end(text);
    let outline = Outline { sites: Vec::new(), layout: Layout::Lines { indent: 0 }, tree: None };
    let fence = format!("---{end}");
    let is_blank = |line: Line<'_>| line.text.trim().is_empty();
    let gap = if lines(text).next().is_none_or(is_blank) { "" } else { end };
    for edit in place::adding("", &outline, field, value, end) {
        if edit.new.len() > MAX_BYTES {
            return Err(PatchError::TooLarge { field: name(field), bytes: edit.new.len() });
        }
        let Some(read) = Outline::of(&edit.new).filter(|read| read.tree.is_some()) else {
            continue;
        };
        let site = read.find(field);
        let held = site.and_then(|site| check::holds(&edit.new, &read, site, value));
        if held.is_some() {
            let at = bytes.len() - text.len();
            let new = format!("{fence}{}{fence}{gap}", edit.new).into_bytes();
            return Ok(Patch { range: at..at, new });
        }
    }
    Err(PatchError::Entangled { field: name(field), line: 1 })
}

/// Whether there is only a body, and no other kind of beginning to it.
fn is_bare(text: &str, finding: &Finding) -> bool {
    let first = lines(text).next().map_or("", |line| line.text);
    matches!(finding.code, Code::EmptyFile | Code::NoFrontmatter)
        && finding.fix != Some(Fix::Transcode)
        && !first.starts_with('\u{feff}')
        && first.trim() != "+++"
}

/// The first line end of a text; LF when it has none.
pub(in crate::edit) fn first_line_end(text: &str) -> &str {
    let ended = lines(text).find(|line| line.next > line.start + line.text.len());
    ended.map_or("\n", |line| &text[line.start + line.text.len()..line.next])
}

fn unreadable(field: &str, finding: Finding) -> PatchError {
    PatchError::Unreadable { field: name(field), why: finding.message, place: finding.place }
}

fn name(field: &str) -> Shown {
    shown(&cut(field, 60))
}
