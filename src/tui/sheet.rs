//! A sheet: what is about to be done, or was, with everything it consists of and
//! the lines of each part. Where something must be named, it is typed at the top.

use std::path::PathBuf;

use super::field::Field;
use super::reports::Report;
use crate::edit::diff::DiffLine;
use crate::edit::record::Id;
use crate::edit::{Change, Content, Draft, Proposal};
use crate::project::curate::Operation;
use crate::project::trial::Trial;
use crate::skill::text::{Shown, shown};

/// A sheet over the screen.
#[derive(Debug)]
pub struct Sheet {
    /// What it is for.
    pub ask: Ask,
    /// What it is called; it names its object.
    pub title: Shown,
    /// Where one types, from the top.
    pub inputs: Vec<Input>,
    /// The input that has the focus; the list has it when it is behind the last.
    pub focus: usize,
    /// The parts of what is proposed, or what there is to choose.
    pub items: Vec<Item>,
    /// The chosen item.
    pub selected: usize,
    /// The first of its lines that is shown.
    pub scroll: usize,
    /// How far it is.
    pub standing: Standing,
    /// Whether one agreed to what one typed before it was known what it would do.
    pub is_agreed: bool,
    /// What is to be known.
    pub notes: Vec<Shown>,
    /// What a new skill would change in the catalog.
    pub trial: Option<Trial>,
    /// The number of the last request.
    pub number: u64,
    /// What is proposed.
    pub proposal: Option<Proposal>,
}

/// What a sheet is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// A new skill.
    Create,
    /// Another name for the skill in a folder.
    Rename(String),
    /// A copy of the skill in a folder.
    Copy(String),
    /// The skill in a folder is given to an agent, or taken from it.
    Toggle(String),
    /// Another description for the skill in a folder.
    Describe(String),
    /// The skills in folders go to the trash.
    Delete(Vec<String>),
    /// The skills in folders are mended.
    Fix(Vec<String>),
    /// A loose file becomes a skill.
    FixLoose(String),
    /// Skills are brought in from elsewhere.
    Import,
    /// The skills in folders are written into an archive.
    Export(Vec<String>),
    /// A new file or folder of the skill in a folder.
    NewFile(String),
    /// Another name for a file of a skill: its folder, and the path below it.
    RenameFile(String, String),
    /// A file of a skill goes to the trash: its folder, and the path below it.
    DeleteFile(String, String),
    /// What is to become of a file that changed while it was edited: what it holds
    /// now, and both changes in one text.
    Conflict {
        /// What it holds now; `None` when it was deleted.
        theirs: Option<Content>,
        /// Both changes in one text.
        merged: Option<String>,
    },
    /// What is to become of text that is not saved.
    Leave,
    /// What is not saved.
    Unsaved,
    /// The text that is edited is mended.
    FixText {
        /// What becomes of it.
        text: String,
        /// The revision that it is made from.
        revision: u64,
    },
    /// Drafts of sessions that are gone.
    Drafts(Vec<Draft>),
    /// The changes of the session.
    Changes,
    /// What is in the trash.
    Trash(Vec<Id>),
    /// Something told at length: what each part stands for.
    Report(Report, Vec<String>),
}

/// How far a sheet is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// What would be done is being looked at.
    Waiting,
    /// It can be done.
    Ready,
    /// It cannot, and this is why.
    Refused(Shown),
    /// It is being done.
    Making,
}

/// Where one types in a sheet, or chooses.
#[derive(Debug)]
pub enum Input {
    /// A line of text.
    Line {
        /// What it is called.
        label: &'static str,
        /// What is typed.
        field: Field,
    },
    /// One of several.
    Choice {
        /// What it is called.
        label: &'static str,
        /// Their names, and a word about each.
        options: Vec<(String, String)>,
        /// The chosen one.
        at: usize,
    },
}

/// A part of what is proposed, or something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub text: Shown,
    /// Its lines.
    pub lines: Vec<DiffLine>,
    /// Whether it is left out, or was taken back.
    pub is_out: bool,
}

/// What an operation would do, as the worker tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The proposal.
    pub proposal: Proposal,
    /// Its parts.
    pub items: Vec<Item>,
}

impl Input {
    /// A line that holds a text already.
    pub fn line(label: &'static str, text: &str) -> Self {
        Self::Line { label, field: Field::line(text) }
    }

    /// What it says.
    pub fn text(&self) -> String {
        match self {
            Self::Line { field, .. } => field.text(),
            Self::Choice { options, at, .. } => {
                options.get(*at).map(|(name, _)| name.clone()).unwrap_or_default()
            }
        }
    }

    /// Chooses another one.
    pub fn turn(&mut self, by: isize) {
        if let Self::Choice { options, at, .. } = self
            && !options.is_empty()
        {
            *at = (*at + options.len()).saturating_add_signed(by) % options.len();
        }
    }
}

impl Sheet {
    /// A sheet that waits to hear what would be done.
    pub fn new(ask: Ask, inputs: Vec<Input>) -> Self {
        let title = shown(&ask.title());
        Self {
            ask,
            title,
            inputs,
            focus: 0,
            items: Vec::new(),
            selected: 0,
            scroll: 0,
            standing: Standing::Waiting,
            is_agreed: false,
            notes: Vec::new(),
            trial: None,
            number: 0,
            proposal: None,
        }
    }

    /// What it asks for, as an operation; `None` where it only shows something.
    pub fn operation(&self) -> Option<Operation> {
        let text = |at: usize| self.inputs.get(at).map(Input::text).unwrap_or_default();
        Some(match &self.ask {
            Ask::Create => {
                Operation::Create { name: text(0), description: text(1), template: text(2) }
            }
            Ask::Rename(folder) => Operation::Rename { folder: folder.clone(), new: text(0) },
            Ask::Copy(folder) => Operation::Copy { folder: folder.clone(), new: text(0) },
            Ask::Toggle(folder) => Operation::Toggle { agent: text(0), folder: folder.clone() },
            Ask::Describe(folder) => Operation::Describe { folder: folder.clone(), text: text(0) },
            Ask::Delete(folders) => Operation::Delete(folders.clone()),
            Ask::Fix(folders) => Operation::Fix(folders.clone()),
            Ask::FixLoose(path) => Operation::FixLoose(path.clone()),
            Ask::Import => Operation::Import(text(0)),
            Ask::Export(folders) => Operation::Export { folders: folders.clone(), file: text(0) },
            Ask::NewFile(folder) => Operation::NewFile { folder: folder.clone(), below: text(0) },
            Ask::RenameFile(folder, old) => {
                Operation::RenameFile { folder: folder.clone(), old: old.clone(), new: text(0) }
            }
            Ask::DeleteFile(folder, below) => {
                Operation::DeleteFile { folder: folder.clone(), below: below.clone() }
            }
            Ask::Conflict { .. }
            | Ask::Leave
            | Ask::Unsaved
            | Ask::FixText { .. }
            | Ask::Drafts(_)
            | Ask::Changes
            | Ask::Trash(_)
            | Ask::Report(..) => return None,
        })
    }

    /// Whether one types in it.
    pub fn is_form(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// Where one types, if the focus is there.
    pub fn field(&mut self) -> Option<&mut Field> {
        match self.inputs.get_mut(self.focus) {
            Some(Input::Line { field, .. }) => Some(field),
            _ => None,
        }
    }

    /// Takes what would be done.
    pub fn take(&mut self, proposed: Result<Proposed, Shown>) {
        match proposed {
            Ok(Proposed { proposal, mut items }) => {
                let nothing = proposal.change(&[]).is_empty();
                self.standing = if nothing {
                    Standing::Refused(Shown::fixed("there is nothing to change"))
                } else {
                    Standing::Ready
                };
                // What was left out stays so while one types.
                for item in &mut items {
                    item.is_out = self.items.iter().any(|old| old.is_out && old.text == item.text);
                }
                self.notes = proposal.notes.iter().map(|note| shown(note)).collect();
                self.items = items;
                self.proposal = Some(proposal);
            }
            Err(why) => {
                self.standing = Standing::Refused(why);
                self.items.clear();
                self.notes.clear();
                self.proposal = None;
                self.trial = None;
            }
        }
        self.selected = self.selected.min(self.items.len().saturating_sub(1));
        self.scroll = 0;
    }

    /// The change that it amounts to, when it can be made.
    pub fn change(&self) -> Option<Change> {
        let left_out: Vec<_> = self.items.iter().map(|item| item.is_out).collect();
        let change = self.proposal.as_ref()?.change(&left_out);
        (self.standing == Standing::Ready && !change.is_empty()).then_some(change)
    }

    /// Whether a part can be left out: there must be others.
    pub fn can_leave_out(&self) -> bool {
        self.proposal.is_some() && self.items.len() > 1
    }

    /// The folder of a skill whose description is typed, and what its file would hold.
    pub fn described(&self) -> Option<(String, Content)> {
        let folder = match &self.ask {
            Ask::Describe(folder) => folder.clone(),
            Ask::Create => {
                let (folder, _, content) = self.created()?;
                return Some((folder, content?));
            }
            _ => return None,
        };
        let steps = self.proposal.as_ref()?.plan().steps;
        steps.into_iter().find_map(|step| match step {
            crate::edit::Step::Write { after: Some(after), .. } => Some((folder.clone(), after)),
            _ => None,
        })
    }

    /// The description that is typed.
    pub fn description(&self) -> Option<String> {
        let at = match self.ask {
            Ask::Create => 1,
            Ask::Describe(_) => 0,
            _ => return None,
        };
        self.inputs.get(at).map(Input::text)
    }

    /// The folder of a skill that is created, its file relative to the boundary, and
    /// what that will hold.
    pub fn created(&self) -> Option<(String, PathBuf, Option<Content>)> {
        let Ask::Create = self.ask else { return None };
        let folder = self.inputs.first()?.text();
        let steps = self.proposal.as_ref()?.plan().steps;
        steps.into_iter().find_map(|step| match step {
            crate::edit::Step::Write { at, after, .. } if at.ends_with("SKILL.md") => {
                Some((folder.clone(), at, after))
            }
            _ => None,
        })
    }
}

impl Ask {
    /// What is asked, with the object it is about.
    fn title(&self) -> String {
        let several = |what: &str, folders: &[String]| match folders {
            [folder] => format!("{what} `{folder}`?"),
            folders => format!("{what} {} skills?", folders.len()),
        };
        match self {
            Self::Create => "A new skill".to_owned(),
            Self::Rename(folder) => format!("Rename `{folder}`"),
            Self::Copy(folder) => format!("Copy `{folder}`"),
            Self::Toggle(folder) => format!("Who gets `{folder}`"),
            Self::Describe(folder) => format!("What if `{folder}` were described so"),
            Self::Delete(folders) => several("Delete", folders),
            Self::Fix(folders) => several("Fix", folders),
            Self::FixLoose(path) => format!("Make `{path}` a skill?"),
            Self::Import => "Import skills from a folder or an archive".to_owned(),
            Self::Export(folders) => several("Export", folders),
            Self::NewFile(folder) => format!("A new file in `{folder}`"),
            Self::RenameFile(folder, old) => format!("Rename `{old}` of `{folder}`"),
            Self::DeleteFile(folder, below) => format!("Delete `{below}` of `{folder}`?"),
            Self::Conflict { theirs: Some(_), .. } => "The file has changed on disk".to_owned(),
            Self::Conflict { theirs: None, .. } => "The file was deleted on disk".to_owned(),
            Self::Leave => "The text is not saved".to_owned(),
            Self::Unsaved => "Not saved yet".to_owned(),
            Self::FixText { .. } => "Fix the text?".to_owned(),
            Self::Drafts(_) => "Text that was not saved when skilldeck ended".to_owned(),
            Self::Changes => "Changes of this session".to_owned(),
            Self::Trash(_) => "In the trash".to_owned(),
            Self::Report(report, _) => report.title().to_owned(),
        }
    }

    /// What `enter` does.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Create | Self::NewFile(_) => "create",
            Self::Rename(_) | Self::RenameFile(..) => "rename",
            Self::Copy(_) => "copy",
            Self::Import => "import",
            Self::Export(_) => "export",
            Self::Describe(_) => "write it",
            Self::Delete(_) | Self::DeleteFile(..) => "delete",
            Self::Fix(_) | Self::FixLoose(_) | Self::FixText { .. } => "fix",
            Self::Changes | Self::Unsaved => "close",
            Self::Toggle(_) | Self::Conflict { .. } | Self::Leave => "do it",
            Self::Drafts(_) => "open",
            Self::Trash(_) => "restore",
            Self::Report(..) => "go there",
        }
    }
}
