//! Changing files: what a changed text looks like, and writing it to disk.
//! Nothing else of the program writes.
//!
//! ```text
//! patch      one field of a frontmatter, by its bytes; pure
//! fixes      what a finding's fix does to a text; pure
//! ops        what can be done with skills, as plans
//! diff       what a change does, line by line
//! merge      two changes of one text put together; pure
//! proposal   a change before it is made, in parts
//! step       a change as a value: what is written, made, moved
//! site       where things of a project may be changed
//! history    the changes of a session, to take back and make again
//! reader     what is there, before it is changed
//! writer     the lock, and changes step by step: all of them or none
//! record     what is written down of a change
//! drafts     text that is not saved yet, outside of the project
//! disk       the calls, each beneath a folder that is held open
//! scratch    a folder that is thrown away
//! atomic     a file outside of a project, whole or not at all
//! ```

#[cfg(feature = "cli")]
pub mod archive;
pub mod atomic;
pub mod diff;
pub mod disk;
pub mod drafts;
pub mod error;
pub mod fixes;
pub mod history;
pub mod log;
pub mod merge;
pub mod ops;
pub mod patch;
pub mod proposal;
pub mod reader;
pub mod record;
#[cfg(feature = "cli")]
pub mod scratch;
pub mod site;
pub mod step;
pub mod writer;

pub use atomic::WriteError;
pub use drafts::{Draft, Drafts};
pub use error::EditError;
pub use history::History;
pub use proposal::{Change, Deed, Part, Proposal};
pub use reader::Reader;
pub use site::Site;
pub use step::{Content, Plan, Step};
pub use writer::Writer;
