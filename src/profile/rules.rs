//! What clients that read YAML make of a skill, from a table of their rules.

use super::kaged::Kaged;
use super::{Client, FolderName, Reading, Verdict};
use crate::skill::frontmatter::{Frontmatter, TextField, one_line, quoted};
use crate::skill::name;
use crate::skill::text::{counted, thousands};
use crate::skill::{Code, Finding, Fix, Level};

/// The rules of a client.
pub(super) struct Rules {
    /// Files with more bytes are not read.
    pub max_bytes: Option<u64>,
    /// What becomes of frontmatter that YAML refuses.
    pub malformed: Malformed,
    /// What becomes of a file with a byte-order mark.
    pub bom: Effect,
    pub name: Name,
    pub description: Description,
    /// Whether a skill that loads is left out of the catalog.
    pub hidden: fn(&Frontmatter) -> bool,
}

/// What a rule does to a skill that breaks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Fine,
    /// It loads, with a word of it.
    Warn,
    /// It does not load.
    Skip,
}

/// What becomes of frontmatter that YAML refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Malformed {
    /// The skill is dropped.
    Skip,
    /// A second, lenient reading; the one of `kaged` stands for it.
    Lenient,
    /// The body loads without any fields.
    Empty,
}

/// The rules of a name.
pub(super) struct Name {
    pub source: NameSource,
    /// Whether a name has the right form, and what that is in words.
    pub valid: (fn(&str) -> bool, &'static str),
    pub invalid: Effect,
    /// Characters.
    pub max: usize,
    pub too_long: Effect,
    /// The name is not the folder's.
    pub mismatch: Effect,
    /// YAML reads a number or a boolean.
    pub typed: Effect,
}

/// Where a name comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameSource {
    /// The folder, whatever the frontmatter says.
    Folder,
    /// The frontmatter, else the folder.
    FieldElseFolder,
    /// The frontmatter only.
    Field,
}

/// The rules of a description.
pub(super) struct Description {
    pub missing: Missing,
    /// In units of `measure`.
    pub max: u64,
    pub measure: Measure,
    pub over: Over,
    /// YAML reads a number or a boolean.
    pub typed: Effect,
    /// Whether line breaks become spaces.
    pub folds: bool,
    /// Whether `when_to_use` is part of it.
    pub when_to_use: bool,
}

/// What a missing description does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// The skill is dropped.
    Skip,
    /// The first paragraph of the body stands in.
    FirstText,
    /// The skill loads without.
    Empty,
}

/// What a length is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Characters,
    Bytes,
    /// As JavaScript's `length`.
    Utf16,
}

impl Measure {
    fn of(self, text: &str) -> u64 {
        (match self {
            Self::Characters => text.chars().count(),
            Self::Bytes => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }) as u64
    }

    fn word(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Bytes => "bytes",
            Self::Utf16 => "UTF-16 units",
        }
    }
}

/// What a description that is too long does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Fine,
    Warn,
    Skip,
    /// It is cut so that it has the limit with this behind it.
    Cut(&'static str),
}

/// A name has whatever form.
pub(super) const ANY: (fn(&str) -> bool, &str) = (|_| true, "any text");
/// The open standard's form of a name.
pub(super) const STANDARD: (fn(&str) -> bool, &str) =
    (name::is_valid, "lower-case letters, digits, single hyphens between them");
/// No limit.
pub(super) const NO_MAX: usize = usize::MAX;

/// What is said by `kaged`'s own rules for these fields, which others do not share.
const OF_KAGED: [Code; 14] = [
    Code::NameInvalid,
    Code::NameTooLong,
    Code::NameEmpty,
    Code::NameNotString,
    Code::NameMismatch,
    Code::FolderInvalid,
    Code::FolderTooLong,
    Code::MissingDescription,
    Code::DescriptionNotString,
    Code::DescriptionOver280,
    Code::DescriptionOver1024,
    Code::AlwaysApply,
    Code::HideNotBool,
    Code::GlobsNotList,
];

/// What a client with these rules makes of a skill.
pub(super) fn judge(rules: &Rules, folder: &FolderName, reading: &Reading) -> Verdict {
    let document = &reading.document;
    let base = Kaged.judge(folder, reading, None);
    let mut findings = base.findings;
    let empty = Frontmatter::default();
    let broken = |f: &Finding| matches!(f.code, Code::YamlLenient | Code::DuplicateKey);
    let is_broken = findings.iter().any(broken);
    let front = match &document.frontmatter {
        Some(_) if is_broken && rules.malformed == Malformed::Empty => &empty,
        Some(front) => front,
        None if rules.malformed == Malformed::Empty && is_text(&findings) => &empty,
        None => return Verdict { name: base.name, findings, ..Verdict::default() },
    };
    findings.retain(|finding| {
        // A hint that explains why a description is missing stays where it is one.
        !OF_KAGED.contains(&finding.code) || document.frontmatter.is_none()
    });
    for finding in &mut findings {
        match (finding.code, rules.malformed) {
            (Code::YamlLenient | Code::DuplicateKey, Malformed::Skip) => {
                *finding = finding.clone().level(Level::Error);
            }
            (Code::YamlLenient | Code::DuplicateKey, Malformed::Empty) => {
                without_fields(finding);
            }
            (Code::Bom, _) => finding.level = level(rules.bom).unwrap_or(Level::Note),
            _ if finding.level == Level::Error && rules.malformed == Malformed::Empty => {
                without_fields(finding);
            }
            _ => {}
        }
    }
    if let Some(max) = rules.max_bytes.filter(|max| document.bytes > *max) {
        let message = format!(
            "the file has {} bytes, more than the {} that this client reads, so it drops the \
             skill; move parts of it to resource files",
            thousands(document.bytes),
            thousands(max)
        );
        findings.push(Finding::new(Code::FileTooLarge, message));
    }
    let has_none = is_broken && rules.malformed == Malformed::Empty;
    let description = if has_none || (document.frontmatter.is_none() && has_fences(&findings)) {
        // The body loads, but nothing of it stands in.
        Some(String::new())
    } else {
        describe(&rules.description, front, reading, &mut findings)
    };
    Verdict {
        name: name_of(&rules.name, folder, front, &mut findings),
        description,
        hidden: (rules.hidden)(front),
        findings,
    }
}

/// Whether the file is one of text that holds something.
fn is_text(findings: &[Finding]) -> bool {
    !findings.iter().any(|f| matches!(f.code, Code::NotUtf8 | Code::EmptyFile))
}

fn has_fences(findings: &[Finding]) -> bool {
    !findings.iter().any(|f| matches!(f.code, Code::NoFrontmatter | Code::FrontmatterNotFirst))
}

fn without_fields(finding: &mut Finding) {
    let message = format!(
        "this client loads the body without name and description, since {}",
        finding.message
    );
    let (place, fix, file) = (finding.place, finding.fix.take(), finding.file.take());
    *finding = Finding { file, place, fix, ..Finding::new(finding.code, message) };
    finding.level = Level::Warning;
}

fn level(effect: Effect) -> Option<Level> {
    match effect {
        Effect::Fine => None,
        Effect::Warn => Some(Level::Warning),
        Effect::Skip => Some(Level::Error),
    }
}

fn name_of(
    rules: &Name,
    folder: &FolderName,
    front: &Frontmatter,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let place = front.name.place();
    let mut say = |effect: Effect, code, message: String, fix: Option<Fix>| {
        if let Some(level) = level(effect) {
            let finding = Finding::new(code, message).level(level).at(place);
            findings.push(Finding { fix, ..finding });
        }
    };
    let drops = |effect| if effect == Effect::Skip { "drops the skill" } else { "warns" };
    let field = match &front.name {
        _ if rules.source == NameSource::Folder => None,
        TextField::Text { text, typed, .. } if !text.trim().is_empty() => {
            if *typed {
                let message = format!(
                    "YAML reads `name: {}` as a number or boolean, for which this client {}; put \
                     quotes around it",
                    text.trim(),
                    drops(rules.typed)
                );
                say(rules.typed, Code::NameNotString, message, Some(Fix::QuoteValue));
            }
            Some(one_line(text.trim()))
        }
        TextField::Collection(_) => {
            let message = "`name` is a list or a map, not a text; write a name";
            say(rules.typed, Code::NameNotString, message.to_owned(), None);
            None
        }
        _ if rules.source == NameSource::Field => {
            let message =
                "there is no `name`, and this client does not take the folder's; write one";
            let fix = name::is_valid(folder.last()).then(|| Fix::SetName(folder.last().to_owned()));
            say(Effect::Skip, Code::NameEmpty, message.to_owned(), fix);
            return None;
        }
        _ => None,
    };
    let name = field.as_deref().unwrap_or(folder.last());
    let chars = name.chars().count();
    if !(rules.valid.0)(name) {
        let message = format!(
            "the name {} is not one for this client, which {} ({})",
            quoted(name),
            drops(rules.invalid),
            rules.valid.1
        );
        let fix = name::nearest(name).map(|near| match &field {
            Some(_) => Fix::SetName(near),
            None => Fix::RenameFolder(near),
        });
        say(rules.invalid, Code::NameInvalid, message, fix);
    }
    if chars > rules.max {
        let message = format!(
            "the name has {}, more than the {} that this client takes; it {}",
            counted(chars, "character", "characters"),
            rules.max,
            drops(rules.too_long)
        );
        say(rules.too_long, Code::NameTooLong, message, None);
    }
    if field.as_deref().is_some_and(|field| field != folder.last()) {
        let message = format!(
            "`name` is {}, the folder is {}; this client {}, so make them equal",
            quoted(name),
            quoted(folder.last()),
            drops(rules.mismatch)
        );
        let fix = if name::is_valid(folder.last()) {
            Some(Fix::SetName(folder.last().to_owned()))
        } else {
            name::is_valid(name).then(|| Fix::RenameFolder(name.to_owned()))
        };
        say(rules.mismatch, Code::NameMismatch, message, fix);
    }
    Some(name.to_owned())
}

fn describe(
    rules: &Description,
    front: &Frontmatter,
    reading: &Reading,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let place = front.description.place();
    let text = match &front.description {
        TextField::Text { text, typed, .. } if !text.trim().is_empty() => {
            if *typed && let Some(level) = level(rules.typed) {
                let message = format!(
                    "YAML reads `description: {}` as a number or boolean, for which this client \
                     {}; put quotes around it",
                    text.trim(),
                    if level == Level::Error { "drops the skill" } else { "warns" }
                );
                let finding = Finding::new(Code::DescriptionNotString, message).level(level);
                findings.push(finding.at(place).fix(Fix::QuoteValue));
            }
            text.trim().to_owned()
        }
        TextField::Collection(_) => {
            let message = "`description` is a list or a map; write it as one text";
            let finding = Finding::new(Code::DescriptionNotString, message).level(Level::Error);
            findings.push(finding.at(place));
            return None;
        }
        _ => {
            let (level, message, stand_in) = match rules.missing {
                Missing::Skip => (
                    Level::Error,
                    "there is no `description`, so this client drops the skill; write one",
                    None,
                ),
                Missing::FirstText => (
                    Level::Warning,
                    "there is no `description`; this client takes the first paragraph of the body \
                     for it, so write one",
                    Some(reading.document.first_paragraph.clone().unwrap_or_default()),
                ),
                Missing::Empty => (
                    Level::Warning,
                    "there is no `description`; this client loads the skill without, and a model \
                     cannot know when to use it: write one",
                    Some(String::new()),
                ),
            };
            let known = findings.iter_mut().find(|f| f.code == Code::MissingDescription);
            if let Some(finding) = known {
                finding.level = level;
            } else {
                let finding = Finding::new(Code::MissingDescription, message).level(level);
                findings.push(finding.at(place));
            }
            stand_in?
        }
    };
    let text = match &front.when_to_use {
        Some(when) if rules.when_to_use && !when.trim().is_empty() => {
            let both = [text.as_str(), when.trim()];
            both.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
        }
        _ => text,
    };
    let text = if rules.folds { one_line(&text) } else { text };
    let size = rules.measure.of(&text);
    if size <= rules.max {
        return Some(text);
    }
    let length = format!(
        "the description has {} {}, {} more than the {} that this client takes",
        thousands(size),
        rules.measure.word(),
        thousands(size - rules.max),
        thousands(rules.max)
    );
    let (code, level, message) = match rules.over {
        Over::Fine => return Some(text),
        Over::Warn => (Code::DescriptionOver1024, Level::Warning, format!("{length}; shorten it")),
        Over::Skip => (
            Code::DescriptionOver1024,
            Level::Error,
            format!("{length}, so it drops the skill; shorten it"),
        ),
        Over::Cut(_) => (
            Code::DescriptionCut,
            Level::Warning,
            format!("{length}, so its end is cut off; shorten it"),
        ),
    };
    findings.push(Finding::new(code, message).level(level).at(place));
    Some(match rules.over {
        Over::Cut(mark) => {
            let mut left = rules.max.saturating_sub(rules.measure.of(mark));
            let fits = |c: &char| {
                let size = rules.measure.of(c.encode_utf8(&mut [0; 4]));
                let is_in = size <= left;
                left = if is_in { left - size } else { 0 };
                is_in
            };
            text.chars().take_while(fits).chain(mark.chars()).collect()
        }
        _ => text,
    })
}
