//! A project on disk: finding its root, reading its skills, following changes,
//! and the deck that one client and one agent see of it.

pub mod activate;
pub mod advice;
pub mod agents;
pub mod change;
pub mod counsel;
pub mod curate;
pub mod deck;
pub mod difference;
pub mod entry;
pub mod excerpt;
#[cfg(feature = "cli")]
pub mod export;
pub mod facts;
pub mod file;
pub mod guard;
pub mod import;
pub mod json;
pub mod lab;
pub mod locate;
pub mod manifest;
pub mod matrix;
pub mod report;
pub mod resources;
pub mod roster;
pub mod scan;
pub mod section;
pub mod tree;
pub mod trial;
pub mod usage;
pub mod watch;

pub use agents::Agents;
pub use deck::{Deck, Skill, View};
pub use facts::{Facts, NotLoaded};
pub use locate::{LocateError, Project};
pub use scan::{Scanner, Scope};
