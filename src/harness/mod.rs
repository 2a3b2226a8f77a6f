//! What a program that runs agents needs of skilldeck: the stable surface of the
//! library (CONTRACT §10; `docs/library.md` maps the article's functions to it).
//!
//! A [`Library`] holds the skills of a project as one client and one agent see
//! them. It reads the disk when it is opened and when it is told to; what it
//! says in between is of one moment.
//!
//! ```
//! use skilldeck::harness::{Library, Slot};
//! use skilldeck::project::{Project, View};
//! use skilldeck::prompt::arguments::Arguments;
//!
//! let project = Project::open(env!("CARGO_MANIFEST_DIR").as_ref())?;
//! let mut library = Library::open(project, View::default())?;
//!
//! // The catalog goes into the prompt, which is made anew only when it changed.
//! let mut prompt = Slot::new("Available skills\n{{available_skills}}\n");
//! assert!(prompt.fill(library.catalog().text()).contains("- reviewing-a-change: "));
//!
//! // The tool is registered only when there is a skill to use.
//! let tool = library.tool_definition().expect("this project has skills");
//! assert!(tool.description().starts_with("Activate a skill"));
//!
//! // An activation is read from disk at this moment.
//! let activation = library.activate("reviewing-a-change", Arguments::Given("src/main.rs"))?;
//! assert!(activation.content.starts_with("<skill_content name=\"reviewing-a-change\">"));
//!
//! // Between turns: cheap when nothing changed.
//! assert!(library.refresh()?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod call;
mod library;
mod slot;

pub use call::{Call, Reply, refreshes_on_call};
pub use library::{Activated, Catalog, Library, OpenError};
pub use slot::Slot;
