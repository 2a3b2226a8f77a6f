//! The texts a model gets out of skills: catalog, tool definition, activation
//! with its arguments. Pure.

pub mod activation;
pub mod arguments;
pub mod budget;
pub mod catalog;
pub mod hints;
pub mod tool;

pub use budget::Budget;
