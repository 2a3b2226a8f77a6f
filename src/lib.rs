//! skilldeck reads the Agent Skills of a project and tells the truth about them:
//! each skill's status, the exact catalog a model is given and where it is cut,
//! and the text of an activation.
//!
//! The modules stand on each other; arrows point down only:
//!
//! ```text
//! cli           the commands; opens the screen
//! tui           the screen
//! mcp           the tool `skill.use` over MCP
//! harness       what a program that runs agents needs: the stable surface
//! project       a project on disk: root, scan, agents, the deck, changes
//! config        what a user wants everywhere: the config file
//! prompt        the texts a model gets: catalog, tool, activation
//! profile       clients and their rules, side by side
//! edit          writing to disk, whole or not at all
//! skill         what a skill is: frontmatter, body, findings; no I/O
//! ```
//!
//! A program that embeds it begins at [`harness::Library`]; `docs/library.md` says
//! what is stable.
//!
//! ```
//! use skilldeck::harness::Library;
//! use skilldeck::project::{Project, View};
//!
//! let library = Library::open(Project::open(".".as_ref())?, View::default())?;
//! for skill in &library.deck().skills {
//!     println!("{}: {:?}", skill.folder(), skill.status);
//! }
//! println!("{}", library.catalog().text());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod edit;
pub mod harness;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod profile;
pub mod project;
pub mod prompt;
pub mod skill;
#[cfg(feature = "tui")]
pub mod tui;
