//! Changing files: what a changed text looks like, and writing it to disk.
//! Nothing else of the program writes.
//!
//! ```text
//! patch      one field of a frontmatter, by its bytes; pure
//! fixes      what a finding's fix does to a text; pure
//! ops        what can be done with skills, as plans
//! proposal   a change before it is made, in parts
//! step       a change as a value: what is written, made, moved
//! site       where things of a project may be changed
//! history    the changes of a session, to take back and make again
//! reader     what is there, before it is changed
//! writer     the lock, and changes step by step: all of them or none
//! record     what is written down of a change
//! disk       the calls, each beneath a folder that is held open
//! atomic     a file outside of a project, whole or not at all
//! ```

pub mod atomic;
pub mod disk;
pub mod error;
pub mod fixes;
pub mod history;
pub mod ops;
pub mod patch;
pub mod proposal;
pub mod reader;
pub mod record;
pub mod site;
pub mod step;
pub mod writer;

pub use atomic::WriteError;
pub use error::EditError;
pub use history::History;
pub use proposal::{Change, Deed, Part, Proposal};
pub use reader::Reader;
pub use site::Site;
pub use step::{Content, Plan, Step};
pub use writer::Writer;
