//! Activating a skill: always from disk, as an agent would get it now (CONTRACT §5).

use super::deck::{Deck, NoSuchSkill, Skill};
use super::entry::absent;
use super::file::{Readable, follow, trouble};
use super::locate::Project;
use super::resources::{Resources, walk};
use crate::profile::Reading;
use crate::prompt::activation::{Activation, Frame, Source, render};
use crate::prompt::arguments::Arguments;
use crate::skill::document::Text;
use crate::skill::text::{counted, shown};
use crate::skill::{Code, Finding, Level};

/// A skill as it is on disk now.
#[derive(Debug, Clone)]
pub struct Fresh {
    /// The bytes of its `SKILL.md`.
    pub bytes: Vec<u8>,
    /// Its other files.
    pub resources: Resources,
}

/// The codes of seed A's tool results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The name is empty or not one skill's.
    InvalidParam,
    /// No such skill, or the client does not load it.
    NotFound,
    /// The file may not be read.
    PermissionDenied,
    /// Anything else.
    InternalError,
}

impl ErrorCode {
    /// As seed A writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidParam => "INVALID_PARAM",
            Self::NotFound => "NOT_FOUND",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::InternalError => "INTERNAL_ERROR",
        }
    }
}

/// A skill could not be activated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", .code.as_str())]
pub struct ActivateError {
    /// The code of seed A's tool result.
    pub code: ErrorCode,
    /// Cause and way out; names the skill.
    pub message: String,
}

impl From<NoSuchSkill> for ActivateError {
    fn from(error: NoSuchSkill) -> Self {
        let code = match error {
            NoSuchSkill::Unknown { .. } => ErrorCode::NotFound,
            NoSuchSkill::Ambiguous { .. } => ErrorCode::InvalidParam,
        };
        Self { code, message: error.to_string() }
    }
}

/// Reads a skill's files anew.
///
/// # Errors
/// The finding that says why its `SKILL.md` cannot be read.
pub fn reread(project: &Project, skill: &Skill) -> Result<Fresh, Finding> {
    let dir = &skill.entry.dir;
    let real = if dir.is_symlink() { follow(dir, project.boundary())? } else { dir.clone() };
    let walked = walk(&real);
    if let Some(error) = &walked.unreadable {
        return Err(if error.kind() == std::io::ErrorKind::NotFound {
            Finding::new(Code::MissingSkillMd, "the folder is gone; rescan").file("")
        } else {
            trouble(dir, error)
        });
    }
    if let Some(finding) = absent(&walked) {
        return Err(finding);
    }
    let (_, bytes) = Readable::find(&dir.join("SKILL.md"), project.boundary())?.read()?;
    Ok(Fresh { bytes, resources: walked.resources })
}

/// The text of an activation, from what was just read.
///
/// # Errors
/// When the client would not load the skill as it is now.
pub fn activate(
    deck: &Deck,
    skill: &Skill,
    fresh: Result<&Fresh, &Finding>,
    arguments: Arguments<'_>,
) -> Result<Activation, ActivateError> {
    let title = shown(skill.title());
    let fresh = fresh.map_err(|finding| ActivateError {
        code: match finding.code {
            Code::PermissionDenied => ErrorCode::PermissionDenied,
            Code::ReadFailed => ErrorCode::InternalError,
            _ => ErrorCode::NotFound,
        },
        message: format!("`{title}` cannot be activated: {}", finding.message),
    })?;
    let refused = |finding: &Finding| ActivateError {
        code: ErrorCode::NotFound,
        message: format!(
            "`{title}` does not load as {}: {} ({})",
            deck.profile, finding.message, finding.code
        ),
    };
    // What only the other skills make an error of is not in the file.
    let beside = |f: &&Finding| matches!(f.code, Code::DuplicateName | Code::MoreThan16);
    let beside = skill.findings.iter().filter(|f| f.level == Level::Error).find(beside);
    if let Some(finding) = beside {
        return Err(refused(finding));
    }
    let reading = Reading::of(&fresh.bytes);
    let verdict = deck.profile.judge(&skill.entry.folder, &reading);
    if let Some(finding) = verdict.findings.iter().find(|f| f.level == Level::Error) {
        return Err(refused(finding));
    }
    let internal = || ActivateError {
        code: ErrorCode::InternalError,
        message: format!("`{title}` has no body that this client finds"),
    };
    let text = Text::of(&fresh.bytes).map_err(|finding| refused(&finding))?;
    let dir = deck.dir_for_model(skill);
    let name = verdict.name.as_deref().unwrap_or(skill.title());
    let frame =
        Frame { name, dir: &dir, resources: &fresh.resources.files, project: &deck.project };
    let names = reading.document.frontmatter.map(|front| front.arguments).unwrap_or_default();
    let source = Source { text, names: &names };
    render(deck.profile, source, frame, arguments).ok_or_else(internal)
}

/// How large an activation without arguments is, in characters, from what the
/// scan knows; `None` when the skill does not load.
pub fn size(deck: &Deck, skill: &Skill) -> Option<usize> {
    let file = skill.entry.file.as_ref().ok().filter(|_| skill.loads())?;
    let dir = deck.dir_for_model(skill);
    let chars = file.reading.document.body.trimmed_chars;
    deck.frame(skill, &dir).chars(deck.profile.activation(), chars)
}

/// `4,120 characters, about 1,030 tokens`.
pub fn size_text(chars: usize) -> String {
    let tokens = chars.div_ceil(4);
    format!(
        "{}, about {}",
        counted(chars, "character", "characters"),
        counted(tokens, "token", "tokens")
    )
}
