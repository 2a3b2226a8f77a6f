//! Writing to disk. Nothing else of the program does.

pub mod atomic;

pub use atomic::WriteError;
