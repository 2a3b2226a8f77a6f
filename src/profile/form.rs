//! The answers that clients give: the kinds of discovery, catalog, budget,
//! activation and arguments there are. What each kind does is in `project` and
//! `prompt`.

use serde::Serialize;

/// What a budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Unicode scalar values.
    #[default]
    Characters,
    /// Quarters of the bytes of UTF-8, rounded up: an estimate.
    Tokens,
}

impl Unit {
    /// The word for several.
    pub fn word(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Tokens => "tokens",
        }
    }

    /// The size of a text.
    pub fn of(self, text: &str) -> u64 {
        self.of_counts(text.chars().count() as u64, text.len() as u64)
    }

    /// The size of a text of so many characters and bytes.
    pub fn of_counts(self, chars: u64, bytes: u64) -> u64 {
        match self {
            Self::Characters => chars,
            Self::Tokens => bytes.div_ceil(4),
        }
    }
}

/// How deep a client looks for skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Discovery {
    /// `*/SKILL.md` below the root.
    OneLevel,
    /// `**/SKILL.md` below the root, hidden folders included, folder links not followed.
    Recursive,
    /// `**/SKILL.md` below the root, links to folders followed.
    Deep(Deep),
}

/// How a client that follows links looks deeper than one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deep {
    /// The levels of folders below the root; `None` is all.
    pub levels: Option<u8>,
    /// Whether folders with a leading dot are looked into.
    pub hidden: bool,
    /// Whether a `SKILL.md` may be a link.
    pub file_links: bool,
}

/// Which of several skills with one effective name is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    /// The one whose folder has that name, else the first by folder name.
    FolderNameWins,
    /// The last by path: each one overwrites the one before.
    LastPathWins,
    /// The first by path.
    FirstPathWins,
    /// All: the client lists each.
    AllStay,
}

/// How a client lays out its catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CatalogForm {
    /// Lines up to the first that does not fit (seed A, step 4).
    Stop,
    /// Lines of which the names always stay and the descriptions go.
    Names,
    /// Lines with paths, whose descriptions are shortened by turns.
    Rotation,
    /// XML elements without a limit.
    Xml,
    /// Lines without a limit; what the client itself writes is not modelled.
    Whole,
}

/// The budget of a client's catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnBudget {
    /// The one that `SKILLS_PROMPT_CHAR_BUDGET` sets.
    Shared,
    /// A share of the context window of its model.
    Window {
        /// Where the window is not known, in characters.
        default: u64,
        /// The share.
        percent: u64,
        /// In what it is counted, where the window is known.
        unit: Unit,
        /// How many of that unit a token of the window is.
        per_token: u64,
    },
    /// None.
    None,
}

/// How a client puts arguments into a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentForm {
    /// Seed A's rule, where arguments are given; else verbatim.
    RuleIfGiven,
    /// Seed A's rule; none are as empty ones.
    Rule,
    /// Positions from 0, names, `$ARGUMENTS[N]` and escapes.
    FromZero,
    /// Positions from 1 of which the last takes the rest, and `$ARGUMENTS`; none
    /// are none.
    FromOneRest,
    /// Positions from 1, `$ARGUMENTS` and `$ARGUMENTS[N]` from 0; none are none.
    FromOne,
    /// It knows none: the body stays, and what is given does not reach it.
    None,
}

/// The form of the text that a model gets when it activates a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivationForm {
    /// `<skill_content>` with the folder and its resources (seed B, amendment 4).
    SkillContent,
    /// A base-directory line and the body (seed A, step 6).
    BaseDirectory,
    /// `<skill_content>` with the absolute folder (the open standard's guide).
    StandardContent,
    /// A line with the absolute base directory, and the body.
    AbsoluteBase,
    /// `<skill>` with name, absolute path and the whole file.
    SkillTag,
    /// The body alone; what the client writes around it is not modelled.
    Body,
}

impl ActivationForm {
    /// Whether the folder is named by its absolute path.
    pub fn names_absolute(self) -> bool {
        !matches!(self, Self::SkillContent | Self::BaseDirectory)
    }
}
