//! skilldeck reads the Agent Skills of a project and tells the truth about them:
//! each skill's status, the exact catalog a model is given and where it is cut,
//! and the text of an activation.
//!
//! The modules stand on each other; arrows point down only:
//!
//! ```text
//! cli           the commands; opens the screen
//! tui           the screen
//! project       a project on disk: root, scan, agents, the deck, changes
//! config        what a user wants everywhere: the config file
//! prompt        the texts a model gets: catalog, tool, activation
//! profile       clients and their rules, side by side
//! edit          writing to disk, whole or not at all
//! skill         what a skill is: frontmatter, body, findings; no I/O
//! ```
//!
//! ```no_run
//! use std::sync::Arc;
//! use skilldeck::project::{Agents, Deck, Project, View, scan};
//!
//! let project = Project::find(std::path::Path::new("."), None, None, None)?;
//! let view = View::default();
//! let facts = scan::scan(&project, view.profile.discovery())?;
//! let deck = Deck::new(&project, &facts, &Arc::new(Agents::load(&project)), &view)?;
//! println!("{}", deck.catalog());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod edit;
pub mod profile;
pub mod project;
pub mod prompt;
pub mod skill;
#[cfg(feature = "tui")]
pub mod tui;
