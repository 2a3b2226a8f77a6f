//! A file that is being edited: the editor, what the file holds on disk, and what
//! the text would change.

use super::editor::Editor;
use super::field::Field;
use super::session::Opened;
use crate::project::trial::Trial;
use crate::skill::text::{Shown, shown};

/// A file that is being edited.
#[derive(Debug)]
pub struct Editing {
    /// The editor.
    pub editor: Editor,
    /// The file; its content is what it held when it was read or saved last.
    pub file: Opened,
    /// What has become of it on disk meanwhile.
    pub underneath: Underneath,
    /// What the text would change.
    pub trial: Option<Trial>,
    /// The number under which that was asked for last.
    pub number: u64,
    /// The revision that is being saved.
    pub saving: Option<u64>,
    /// Whether the editor is to be left once it is saved.
    pub is_leaving: bool,
}

/// What has become of a file since it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Underneath {
    /// Nothing.
    Same,
    /// It holds something else.
    Changed,
    /// It is not there any more.
    Gone,
}

/// What is looked for in the editor, and what is to take its place.
#[derive(Debug)]
pub struct Search {
    /// What is looked for.
    pub find: Field,
    /// What is to take its place.
    pub replace: Field,
    /// Whether one types the second.
    pub is_replacing: bool,
}

impl Editing {
    /// The skill and the file, for a title.
    pub fn title(&self) -> Shown {
        let name = self.file.below.as_deref().unwrap_or("SKILL.md");
        shown(&format!("{}/{name}", self.file.folder))
    }

    /// Whether the file is a `SKILL.md`, of which there is something to say.
    pub fn is_skill(&self) -> bool {
        self.file.below.is_none()
    }
}
