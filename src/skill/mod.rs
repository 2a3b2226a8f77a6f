//! What a skill is: frontmatter, body, findings. No I/O in or below this module.

pub mod body;
pub mod document;
pub mod fences;
pub mod finding;
pub mod frontmatter;
pub mod name;
pub mod orders;
pub mod place;
pub mod text;
pub mod yaml;

pub use document::Document;
pub use finding::{Code, Finding, Fix, Level, Status};
pub use place::Place;
