//! Writing to disk. Nothing else of the program does.
//!
//! ```text
//! atomic     a file outside of a project, whole or not at all
//! site       where things of a project may be changed
//! step       a change as a value: what is written, made, moved
//! disk       the calls, each beneath a folder that is held open
//! record     what is written down of a change
//! writer     the lock, and changes step by step: all of them or none
//! ```

pub mod atomic;
pub mod disk;
pub mod error;
pub mod record;
pub mod site;
pub mod step;
pub mod writer;

pub use atomic::WriteError;
pub use error::EditError;
pub use site::Site;
pub use step::{Content, Plan, Step};
pub use writer::Writer;
