//! Clients and their rules, side by side (CONTRACT §9).
//!
//! A profile never changes which root is read, only how it is read: each file
//! here answers the same questions for one client.

mod agentskills;
mod claude_code;
mod cline;
mod codex;
mod form;
mod gemini_cli;
mod goose;
mod kaged;
mod kaged_strict;
pub mod mycodeagent;
mod opencode;
mod roo;
mod rules;
mod vscode_copilot;
mod zed;

use std::fmt;
use std::str::FromStr;

pub use form::{
    ActivationForm, ArgumentForm, CatalogForm, Deep, Discovery, Duplicates, OwnBudget, Unit,
};

use crate::skill::text::name_text;
use crate::skill::{Document, Finding, Status, name};

/// A client whose view of the skills can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// kaged as amended (seed B): loads the skills of other clients too.
    #[default]
    Kaged,
    /// kaged by the letter of the ADR's §7.
    KagedStrict,
    /// MyCodeAgent as printed in seed A.
    MyCodeAgent,
    /// The open standard of agentskills.io.
    AgentSkills,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// opencode.
    OpenCode,
    /// Gemini CLI.
    GeminiCli,
    /// Cline.
    Cline,
    /// Roo Code.
    Roo,
    /// goose.
    Goose,
    /// Copilot in Visual Studio Code.
    VsCodeCopilot,
    /// Zed.
    Zed,
}

/// The name of a skill's folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FolderName {
    text: String,
    utf8: bool,
}

impl FolderName {
    /// Takes a name from disk; bytes that are not UTF-8 are written `\xHH`.
    pub fn new(name: &std::ffi::OsStr) -> Self {
        Self { text: name_text(name).into_owned(), utf8: name.to_str().is_some() }
    }

    /// The name as text, exact if it is UTF-8.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The folder's own name, where it lies deeper than one level.
    pub fn last(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or(&self.text)
    }

    /// Whether the name on disk is UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.utf8
    }

    /// Whether the folder name is a valid skill name.
    pub fn is_valid_name(&self) -> bool {
        self.utf8 && name::is_valid(&self.text)
    }
}

/// A `SKILL.md` as each family of clients reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// As YAML frontmatter and body.
    pub document: Document,
    /// As the flat parser of seed A reads it.
    pub flat: mycodeagent::Flat,
}

impl Reading {
    /// Reads the bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        Self { document: crate::skill::document::read(bytes), flat: mycodeagent::read(bytes) }
    }
}

/// What a client makes of one skill, before it looks at the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The effective name; `None` when there is no valid one.
    pub name: Option<String>,
    /// The description, on one line.
    pub description: Option<String>,
    /// Loadable, but left out of the catalog.
    pub hidden: bool,
    /// What is to be said of it, levels as this client acts.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// The status that follows.
    pub fn status(&self) -> Status {
        Status::of(&self.findings)
    }
}

/// The questions that every client answers.
trait Client: Sync {
    fn id(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn discovery(&self) -> Discovery;
    fn duplicates(&self) -> Duplicates;
    fn catalog(&self) -> CatalogForm;
    fn budget(&self) -> OwnBudget;
    fn activation(&self) -> ActivationForm;
    fn arguments(&self) -> ArgumentForm;
    fn has_agents(&self) -> bool {
        false
    }
    fn max_skills(&self) -> Option<usize> {
        None
    }
    /// `limit` is for a client that only warns of a long description.
    fn judge(&self, folder: &FolderName, reading: &Reading, limit: Option<u64>) -> Verdict;
}

impl Profile {
    /// All profiles, the default first.
    pub const ALL: [Self; 13] = [
        Self::Kaged,
        Self::KagedStrict,
        Self::MyCodeAgent,
        Self::AgentSkills,
        Self::ClaudeCode,
        Self::Codex,
        Self::OpenCode,
        Self::GeminiCli,
        Self::Cline,
        Self::Roo,
        Self::Goose,
        Self::VsCodeCopilot,
        Self::Zed,
    ];

    fn client(self) -> &'static dyn Client {
        match self {
            Self::Kaged => &kaged::Kaged,
            Self::KagedStrict => &kaged_strict::KagedStrict,
            Self::MyCodeAgent => &mycodeagent::MyCodeAgent,
            Self::AgentSkills => &agentskills::AgentSkills,
            Self::ClaudeCode => &claude_code::ClaudeCode,
            Self::Codex => &codex::Codex,
            Self::OpenCode => &opencode::OpenCode,
            Self::GeminiCli => &gemini_cli::GeminiCli,
            Self::Cline => &cline::Cline,
            Self::Roo => &roo::Roo,
            Self::Goose => &goose::Goose,
            Self::VsCodeCopilot => &vscode_copilot::VsCodeCopilot,
            Self::Zed => &zed::Zed,
        }
    }

    /// Its name on the command line, in JSON and on the screen.
    pub fn id(self) -> &'static str {
        self.client().id()
    }

    /// What it is, in one line.
    pub fn about(self) -> &'static str {
        self.client().about()
    }

    /// How deep it looks.
    pub fn discovery(self) -> Discovery {
        self.client().discovery()
    }

    /// Which of two skills with one name it keeps.
    pub fn duplicates(self) -> Duplicates {
        self.client().duplicates()
    }

    /// How it lays out its catalog.
    pub fn catalog(self) -> CatalogForm {
        self.client().catalog()
    }

    /// The budget of its catalog.
    pub fn own_budget(self) -> OwnBudget {
        self.client().budget()
    }

    /// How it puts arguments into a body.
    pub fn arguments(self) -> ArgumentForm {
        self.client().arguments()
    }

    /// Whether the text of its catalog and of its activation is its own, and not
    /// only whether and how a skill loads.
    pub fn is_whole(self) -> bool {
        self.catalog() != CatalogForm::Whole
    }

    /// The form of its activation.
    pub fn activation(self) -> ActivationForm {
        self.client().activation()
    }

    /// Whether files that are touched suggest skills by their `globs`: what kaged alone
    /// does (seed B, section 6).
    pub fn has_hints(self) -> bool {
        self.client().has_agents()
    }

    /// Whether the `skills` filters of `project.yaml` apply.
    pub fn has_agents(self) -> bool {
        self.client().has_agents()
    }

    /// The number of an agent's skills after which the rest are refused.
    pub fn max_skills(self) -> Option<usize> {
        self.client().max_skills()
    }

    /// What the client makes of one skill.
    pub fn judge(self, folder: &FolderName, reading: &Reading) -> Verdict {
        self.judge_within(folder, reading, None)
    }

    /// The same where the user says from how many characters on `kaged` warns
    /// of a description. The other clients have a limit of their own or none.
    pub fn judge_within(
        self,
        folder: &FolderName,
        reading: &Reading,
        description_limit: Option<u64>,
    ) -> Verdict {
        self.client().judge(folder, reading, description_limit)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl serde::Serialize for Profile {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.id())
    }
}

/// No profile has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile `{0}`; there are {known}", known = known())]
pub struct UnknownProfile(String);

fn known() -> String {
    Profile::ALL.map(Profile::id).join(", ")
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|p| p.id() == id)
            .ok_or_else(|| UnknownProfile(crate::skill::text::shown(id).into_string()))
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of all clients need.

    use super::*;
    use crate::skill::{Code, Level};

    /// Status, name, description, and the codes that are more than notes.
    pub(super) type Seen = (Status, Option<String>, Option<String>, Vec<Code>);

    /// What a client makes of a file with these lines between its fences.
    pub(super) fn head(profile: Profile, folder: &str, head: &str) -> Seen {
        text(profile, folder, &format!("---\n{head}\n---\n\n# Title\n\nDo it now.\n"))
    }

    /// What a client makes of a file.
    pub(super) fn text(profile: Profile, folder: &str, text: &str) -> Seen {
        let verdict =
            profile.judge(&FolderName::new(folder.as_ref()), &Reading::of(text.as_bytes()));
        let codes = verdict.findings.iter().filter(|f| f.level > Level::Note);
        let codes = codes.map(|f| f.code).collect();
        (verdict.status(), verdict.name, verdict.description, codes)
    }

    /// The same, as a table writes it.
    pub(super) fn seen(status: Status, name: &str, description: &str, codes: &[Code]) -> Seen {
        let text = |text: &str| (text != "-").then(|| text.to_owned());
        (status, text(name), text(description), codes.to_vec())
    }
}
