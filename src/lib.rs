//! skilldeck
pub mod profile;
pub mod skill;
