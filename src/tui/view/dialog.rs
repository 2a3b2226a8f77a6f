//! The small dialogs above the footer in which one types, each named after what
//! it is for.

use ratatui::layout::Rect;

use super::field;
use crate::project::Deck;
use crate::prompt::Budget;
use crate::prompt::catalog::State as Catalogued;
use crate::skill::text::{counted, thousands};
use crate::tui::field::Field;
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// Rows of the text that the line for a text to find covers.
pub const FIND: usize = 3;

/// A box above the last two lines; returns its inside.
pub fn open(state: &State, canvas: &mut Canvas<'_>, title: &[Piece], rows: u16) -> Rect {
    let (columns, height) = state.size;
    // Where it is narrow it has the whole width, lest two frames stand side by side.
    let margin = u16::from(columns >= super::NARROW);
    let area = Rect {
        x: margin,
        y: height.saturating_sub(5 + rows),
        width: (columns - 2 * margin).min(100),
        height: rows + 2,
    };
    canvas.clear(area);
    canvas.frame(area, title, true)
}

/// Draws the lines for arguments.
pub fn arguments(state: &State, canvas: &mut Canvas<'_>, text: &Field, folder: &str) {
    let skill = state.shown_skill().filter(|s| s.folder() == folder);
    let name = skill.map_or(folder, |skill| skill.title());
    let gone = Piece::new(if skill.is_some() { "" } else { ", which is gone" }, Tone::Warn);
    let title = [Piece::dim("Arguments for "), Piece::new(name, Tone::Strong), gone];
    let inside = open(state, canvas, &title, (text.rows().len() as u16).clamp(1, 5));
    field::draw(canvas, inside, text);
}

/// Draws the line for a text to find, and how often it was found.
pub fn find(state: &State, canvas: &mut Canvas<'_>, text: &Field) {
    let title = [Piece::dim("Find in "), Piece::new(state.tab.name(), Tone::Strong)];
    let inside = open(state, canvas, &title, 1);
    let count = state.page().map_or(0, |page| page.matches.len());
    let said = match count {
        _ if text.text().is_empty() => Piece::dim("capitals count when there are some"),
        0 => Piece::new("nowhere", Tone::Warn),
        n => Piece::dim(format!("row {} of {}", state.at_match + 1, thousands(n as u64))),
    };
    let room = inside.width.saturating_sub(said.width() as u16 + 1);
    let right =
        Rect { x: inside.x + room + 1, width: inside.width - room.min(inside.width), ..inside };
    canvas.row(right, 0, &[said]);
    field::draw(canvas, Rect { width: room, ..inside }, text);
}

/// Draws the line for a budget, and what the catalog is under it.
pub fn budget(state: &State, canvas: &mut Canvas<'_>, text: &Field, before: &Budget) {
    let title = [Piece::new("What if the budget were", Tone::Strong), Piece::dim(" … characters")];
    let inside = open(state, canvas, &title, 2);
    field::draw(canvas, Rect { height: 1, ..inside }, text);
    let Some(deck) = &state.deck else { return };
    canvas.row(inside, 1, &outcome(state, deck, before));
}

fn outcome(state: &State, deck: &Deck, before: &Budget) -> Vec<Piece> {
    let cut = deck.count(Catalogued::Cut);
    let mut pieces = vec![
        Piece::plain(format!("{} listed", thousands(deck.count(Catalogued::Listed) as u64))),
        Piece::new(
            format!("  {} cut", thousands(cut as u64)),
            if cut > 0 { Tone::Warn } else { Tone::Plain },
        ),
        Piece::dim(format!("  {} used", counted(deck.used as usize, "character", "characters"))),
    ];
    let name = |budget: &Budget| budget.limit.map_or("no limit".to_owned(), thousands);
    pieces.push(Piece::dim(format!("   really {}", name(&state.real_budget))));
    if *before != state.real_budget {
        pieces.push(Piece::dim(format!(", tried before {}", name(before))));
    }
    pieces
}
