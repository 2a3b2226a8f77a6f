//! What is wrong in a config file.

use crate::skill::Place;
use crate::skill::text::{Shown, shown};

/// One thing that is wrong. It never stops a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where in the file.
    pub place: Place,
    /// What is wrong, and what would be right; safe to show.
    pub message: Shown,
}

impl Mistake {
    /// A mistake; the message is made safe to show.
    pub fn new(place: Place, message: impl AsRef<str>) -> Self {
        Self { place, message: shown(message.as_ref()) }
    }
}
