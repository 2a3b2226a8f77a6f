//! A prompt with a slot for the catalog.

use crate::prompt::catalog::{SLOT, fill};

/// A prompt whose `{{available_skills}}` is filled, and filled anew only when the
/// catalog is another text: the two layers of caching of seed A, of which this is
/// the second; the first is [`Library::refresh`](super::Library::refresh).
#[derive(Debug, Clone)]
pub struct Slot {
    template: String,
    catalog: Option<String>,
    filled: String,
    times: u64,
}

impl Slot {
    /// A prompt that was not filled yet. Without a slot it stays as it is.
    pub fn new(template: impl Into<String>) -> Self {
        Self { template: template.into(), catalog: None, filled: String::new(), times: 0 }
    }

    /// The prompt with the catalog in it.
    pub fn fill(&mut self, catalog: &str) -> &str {
        if self.catalog.as_deref() != Some(catalog) {
            self.filled = fill(&self.template, catalog);
            self.catalog = Some(catalog.to_owned());
            self.times += 1;
        }
        &self.filled
    }

    /// Whether there is a slot to fill.
    pub fn has_slot(&self) -> bool {
        self.template.contains(SLOT)
    }

    /// How often it was filled: a harness that caches what is made of the prompt
    /// makes it anew when this number has grown.
    pub fn times_filled(&self) -> u64 {
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_filled_anew_only_for_another_catalog() {
        let mut slot = Slot::new("a {{available_skills}} b {{available_skills}}");
        assert!(slot.has_slot());
        assert_eq!(slot.fill("x"), "a x b x");
        assert_eq!(slot.fill("x"), "a x b x");
        assert_eq!(slot.times_filled(), 1);
        // What the catalog holds is not filled again.
        assert_eq!(
            slot.fill("{{available_skills}}"),
            "a {{available_skills}} b {{available_skills}}"
        );
        assert_eq!(slot.times_filled(), 2);
        let mut plain = Slot::new("no slot");
        assert_eq!((plain.has_slot(), plain.fill("x")), (false, "no slot"));
    }
}
