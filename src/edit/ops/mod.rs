//! What can be done with skills, each as a plan that can be looked at first.

mod allow;
mod bring;
mod copy;
mod create;
mod filters;
mod name;
mod rename;
mod resource;
mod set;

use std::path::PathBuf;

pub use allow::{Allow, allow};
pub use bring::{Brought, Stands, bring};
pub use copy::{copy, tree_of};
pub use create::{TemplateFile, create};
pub use filters::{Reference, in_filters, mentions};
pub use name::{check as check_name, check_new};
pub use rename::rename;
pub use resource::{existing, new_file, path as file_path, rename_file, save, write as write_file};
pub use set::{remove, set};

/// A skill that is to be changed; its paths are relative to the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its folder as found: perhaps a link.
    pub folder: PathBuf,
    /// Its real folder.
    pub real: PathBuf,
    /// Its real `SKILL.md`, if there is one.
    pub file: Option<PathBuf>,
}
