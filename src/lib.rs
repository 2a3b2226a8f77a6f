//! skilldeck
pub mod profile;
pub mod prompt;
pub mod skill;
