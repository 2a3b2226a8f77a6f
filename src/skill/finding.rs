//! What can be said of a skill: findings with a stable code.
//!
//! `docs/findings.md` has one entry for each code; a test holds the two
//! together.

use std::fmt;

use serde::Serialize;

use super::place::Place;
use super::text::Shown;

/// How much a finding matters. The order is that of weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing; never changes a skill's status.
    Note,
    /// The skill loads, but something is lost, changed or fragile.
    Warning,
    /// The client skips the skill.
    Error,
}

impl Level {
    /// The word for it, everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The status of a skill under a profile (CONTRACT §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Loads as its author meant it.
    Valid,
    /// Loads, but something is lost, changed or fragile.
    Warning,
    /// The client skips it.
    Error,
}

impl Status {
    /// The status that follows from findings.
    pub fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(|f| f.level).max() {
            Some(Level::Error) => Self::Error,
            Some(Level::Warning) => Self::Warning,
            Some(Level::Note) | None => Self::Valid,
        }
    }

    /// The word for it, everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $code:literal $level:ident,)*) => {
        /// The stable code of a finding (CONTRACT §11). See `docs/findings.md`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // each is documented in docs/findings.md
        #[non_exhaustive]
pub enum Code { $($variant,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as written in output and documents.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// Its level under the profile `kaged`, where nothing else is said.
            pub fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }
        }
    };
}

codes! {
    MissingSkillMd "missing-skill-md" Error,
    WrongCase "wrong-case" Error,
    BrokenLink "broken-link" Error,
    OutsideProject "outside-project" Error,
    NotARegularFile "not-a-regular-file" Error,
    PermissionDenied "permission-denied" Error,
    ReadFailed "read-failed" Error,
    FileTooLarge "file-too-large" Error,
    FolderInvalid "folder-invalid" Error,
    FolderTooLong "folder-too-long" Error,
    DuplicateName "duplicate-name" Error,
    EmptyFile "empty-file" Error,
    NotUtf8 "not-utf8" Error,
    NoFrontmatter "no-frontmatter" Error,
    FrontmatterNotFirst "frontmatter-not-first" Error,
    UnclosedFrontmatter "unclosed-frontmatter" Error,
    FrontmatterNotAMapping "frontmatter-not-a-mapping" Error,
    FrontmatterTooLarge "frontmatter-too-large" Error,
    FrontmatterParse "frontmatter-parse" Error,
    YamlControlChar "yaml-control-char" Error,
    YamlLimit "yaml-limit" Error,
    YamlTag "yaml-tag" Error,
    MissingDescription "missing-description" Error,
    DescriptionOver1024 "description-over-1024" Error,
    Bom "bom" Warning,
    CrOnly "cr-only" Warning,
    YamlLenient "yaml-lenient" Warning,
    DuplicateKey "duplicate-key" Warning,
    CommentInValue "comment-in-value" Warning,
    NameInvalid "name-invalid" Warning,
    NameTooLong "name-too-long" Warning,
    NameEmpty "name-empty" Warning,
    NameNotString "name-not-string" Warning,
    NameMismatch "name-mismatch" Warning,
    DescriptionNotString "description-not-string" Warning,
    DescriptionOver280 "description-over-280" Warning,
    DescriptionCut "description-cut" Warning,
    DescriptionMultiline "description-multiline" Warning,
    OddLineSeparator "odd-line-separator" Warning,
    ControlChars "control-chars" Warning,
    BidiControl "bidi-control" Warning,
    InvisibleChar "invisible-char" Warning,
    WrapperTag "wrapper-tag" Warning,
    WrapperTagInBody "wrapper-tag-in-body" Warning,
    EmptyBody "empty-body" Warning,
    CaseCollision "case-collision" Warning,
    FolderNotUtf8 "folder-not-utf8" Warning,
    ResourceOutside "resource-outside" Warning,
    ResourcesIncomplete "resources-incomplete" Warning,
    HideNotBool "hide-not-bool" Warning,
    GlobsNotList "globs-not-list" Warning,
    GlobInvalid "glob-invalid" Warning,
    BudgetNotAnInteger "budget-not-an-integer" Warning,
    BudgetNegative "budget-negative" Warning,
    ProjectYaml "project-yaml" Warning,
    UnknownAgentSkills "unknown-agent-skills" Warning,
    UnfinishedOperation "unfinished-operation" Warning,
    MixedEol "mixed-eol" Note,
    FenceTrailingSpace "fence-trailing-space" Note,
    AlwaysApply "always-apply" Note,
    LongBody "long-body" Note,
    PositionalArgument "positional-argument" Note,
    OperatorLocal "operator-local" Note,
    OddResourceName "odd-resource-name" Note,
    ResourceLinkSkipped "resource-link-skipped" Note,
    ResourcesTruncated "resources-truncated" Note,
    SameFolder "same-folder" Note,
    LooseFile "loose-file" Note,
    DotFolders "dot-folders" Note,
    DescriptionNoWhen "description-no-when" Note,
    DescriptionSimilar "description-similar" Note,
    GlobsOverlap "globs-overlap" Note,
    InstructionsContradict "instructions-contradict" Note,
    VersionNotSemver "version-not-semver" Note,
    ManifestInvalid "manifest-invalid" Note,
    ManifestMismatch "manifest-mismatch" Note,
    ManifestFiles "manifest-files" Note,
    MoreThan16 "more-than-16" Note,
    FirstLineOverBudget "first-line-over-budget" Note,
    BudgetExceeded "budget-exceeded" Note,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

/// A repair that can be made on disk without inventing text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// Put quotes around the value that YAML cannot read.
    QuoteValue,
    /// Remove the byte-order mark.
    DropBom,
    /// Add the missing closing fence.
    AddClosingFence,
    /// Move what stands before the opening fence behind the closing one.
    MoveFenceFirst,
    /// Remove the earlier of two equal keys.
    RemoveDuplicateKey,
    /// Set `name` in the frontmatter.
    SetName(String),
    /// Rename the folder.
    RenameFolder(String),
    /// Rename the file to `SKILL.md`.
    RenameToSkillMd,
    /// Make a folder of a loose file.
    FolderFromFile,
    /// Write the file as UTF-8.
    Transcode,
    /// Put a space for a character that only looks like one.
    PlainSpace,
    /// Put spaces for the tabs that indent a line.
    ReplaceTab,
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QuoteValue => f.write_str("put quotes around the value"),
            Self::DropBom => f.write_str("save the file without a byte-order mark"),
            Self::AddClosingFence => f.write_str("close the frontmatter with a line `---`"),
            Self::MoveFenceFirst => f.write_str("make `---` the first line of the file"),
            Self::RemoveDuplicateKey => f.write_str("remove the earlier of the two keys"),
            Self::SetName(name) => write!(f, "set `name: {name}`"),
            Self::RenameFolder(name) => write!(f, "rename the folder to `{name}`"),
            Self::RenameToSkillMd => f.write_str("rename the file to `SKILL.md`"),
            Self::FolderFromFile => f.write_str("move the file to a folder of its own"),
            Self::Transcode => f.write_str("save the file as UTF-8"),
            Self::PlainSpace => f.write_str("put a plain space there"),
            Self::ReplaceTab => f.write_str("put spaces for the tabs that indent"),
        }
    }
}

impl Serialize for Fix {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// One thing said of a skill or of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its stable code.
    pub code: Code,
    /// How much it matters under the profile in use.
    pub level: Level,
    /// Cause and way out, in plain words, safe to show.
    pub message: Shown,
    /// The file, relative to the skill's folder, if it is not its `SKILL.md`.
    pub file: Option<String>,
    /// Where in that file, if it has a place.
    pub place: Option<Place>,
    /// The repair, if there is one.
    pub fix: Option<Fix>,
}

impl Finding {
    /// A finding of the code's usual level. The message is made safe to show.
    pub fn new(code: Code, message: impl AsRef<str>) -> Self {
        Self {
            code,
            level: code.level(),
            message: super::text::shown(message.as_ref()),
            file: None,
            place: None,
            fix: None,
        }
    }

    /// Findings as they are told: the heaviest first, then by place.
    pub fn by_weight(findings: &[Self]) -> Vec<&Self> {
        let mut sorted: Vec<_> = findings.iter().collect();
        sorted.sort_by_key(|f| (std::cmp::Reverse(f.level), f.place));
        sorted
    }

    /// The same at another level.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The same with a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// The same in another file of the skill, relative to its folder.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }
}
