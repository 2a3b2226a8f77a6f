//! skilldeck
pub mod skill;
