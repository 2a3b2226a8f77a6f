//! The texts a model gets out of skills: catalog, tool definition, activation. Pure.

pub mod activation;
pub mod budget;
pub mod catalog;
pub mod tool;

pub use budget::Budget;
