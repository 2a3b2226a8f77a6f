//! Changing files: what a changed text looks like, and writing it to disk.
//! Nothing else of the program writes.

pub mod atomic;
pub mod fixes;
pub mod patch;

pub use atomic::WriteError;
