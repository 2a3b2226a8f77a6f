//! The exact text a model gets, the arguments set off.

use ratatui::layout::Rect;

use super::detail::waiting;
use crate::project::activate::size_text;
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// Rows above the text: the arguments and an empty one.
pub const HEAD: usize = 2;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(pages) = state.selected_pages() else {
        waiting(state, canvas, area);
        return;
    };
    let size = pages.activation_chars.map(size_text).unwrap_or_default();
    let arguments = match state.selected_arguments() {
        None => Piece::dim("none (a gives some)"),
        Some("") => Piece::dim("empty"),
        Some(text) => Piece::new(text, Tone::Mark),
    };
    // The size first: arguments may be long.
    let dot = canvas.theme().sign("  ·  ", "  ,  ");
    let size = if size.is_empty() { size } else { format!("{size}{dot}") };
    let head = [Piece::dim(size), Piece::dim("arguments "), arguments];
    if state.scroll == 0 {
        canvas.row(area, 0, &head);
    }
    let above = HEAD.saturating_sub(state.scroll);
    let below =
        Rect { y: area.y + above as u16, height: area.height.saturating_sub(above as u16), ..area };
    super::body::page(canvas, below, &pages.activation, state.scroll.saturating_sub(HEAD), false);
}
