//! What would bring a skill that is cut back into the catalog, in words.

use super::deck::{Deck, Skill};
use crate::profile::CatalogForm;
use crate::skill::text::counted;

/// How many skills are named at most.
const NAMED: usize = 5;

/// `comes back when one description gets 41 characters shorter: its own, …`;
/// `None` for a skill that is not cut, or where the client does
/// not stop at the first that does not fit. Not yet safe to show.
pub fn way_back(deck: &Deck, skill: &Skill) -> Option<String> {
    if deck.profile.catalog() != CatalogForm::Stop {
        return None;
    }
    let few = counted(skill.place.past? as usize, "character", "characters");
    let name = |s: &Skill| {
        if std::ptr::eq(s, skill) { "its own".to_owned() } else { format!("`{}`", s.title()) }
    };
    let names: Vec<_> = deck.ways_back(skill).take(NAMED).map(name).collect();
    Some(if names.is_empty() {
        format!("comes back when several descriptions get {few} shorter together")
    } else {
        format!("comes back when one description gets {few} shorter: {}", names.join(", "))
    })
}
