//! The config file: what a user wants everywhere.
//!
//! [`read()`] is pure: a text becomes a [`Config`] and every [`Mistake`] in it.
//! What is right counts beside what is wrong. [`load()`] is the edge to the
//! disk, [`Paths`] says where the file is. `docs/config.md` has every setting.

mod load;
mod mistake;
mod paths;
mod read;
mod silence;
mod syntax;
pub mod templates;

use std::path::PathBuf;
use std::sync::Arc;

use crate::profile::Profile;
use crate::skill::Place;

pub use load::{Loaded, load};
pub use mistake::Mistake;
pub use paths::Paths;
pub use read::read;
pub use silence::Silenced;

/// What a config file sets. `None` where it sets nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// As which client to look.
    pub profile: Option<Profile>,
    /// The budget, as [`crate::prompt::Budget::choose`] takes it, and right.
    pub budget: Option<String>,
    /// The characters of a description beyond which `kaged` warns.
    pub description_limit: Option<u64>,
    /// The program that edits a file.
    pub editor: Option<String>,
    /// The file to which activations are recorded.
    pub metrics: Option<PathBuf>,
    /// Whether the screen follows the mouse.
    pub mouse: bool,
    /// Whether the screen is drawn with ASCII only.
    pub ascii: bool,
    /// The colours of the screen.
    pub theme: ThemeName,
    /// Other keys for commands of the screen, in the order of the file.
    pub keys: Vec<Binding>,
    /// Notes that are not shown.
    pub silenced: Arc<Silenced>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            profile: None,
            budget: None,
            description_limit: None,
            editor: None,
            metrics: None,
            mouse: true,
            ascii: false,
            theme: ThemeName::default(),
            keys: Vec::new(),
            silenced: Arc::default(),
        }
    }
}

/// A set of colours for the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeName {
    /// The terminal's own.
    #[default]
    Terminal,
    /// For a light background.
    Light,
    /// For a dark background.
    Dark,
    /// None at all.
    Mono,
}

impl ThemeName {
    /// All there are, the default first.
    pub const ALL: [Self; 4] = [Self::Terminal, Self::Light, Self::Dark, Self::Mono];

    /// Its name in the file.
    pub fn id(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Mono => "mono",
        }
    }
}

/// A command of the screen with other keys. Neither is looked up here: the
/// screen knows which there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The command, as written.
    pub command: String,
    /// Where it stands.
    pub place: Place,
    /// Its keys as written, each with its place. None takes the command's keys away.
    pub keys: Vec<(String, Place)>,
}
