//! A page of text: the body as written, with line numbers of the file, and every
//! other text that is shown row by row.

use ratatui::layout::Rect;

use super::detail::waiting;
use crate::tui::ink::{Canvas, Piece, Tone, skip, wrap};
use crate::tui::pages::{NUMBERS, Page};
use crate::tui::state::State;

/// Draws the page in front.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    match state.front() {
        None => waiting(state, canvas, area),
        Some(Page::Nothing(why)) => {
            let rows = wrap(&[Piece::new(why.as_str(), Tone::Bad)], area.width.into());
            super::detail::rows(canvas, area, &rows, 0);
        }
        Some(Page::Text(laid)) => {
            let visible = laid.rows.iter().skip(state.scroll).take(area.height.into());
            for (y, row) in visible.enumerate() {
                let mut pieces = Vec::with_capacity(row.pieces.len() + 1);
                if let Some(first) = laid.first {
                    let is_begin = row.is_begin;
                    let number =
                        if is_begin { (first + row.line).to_string() } else { String::new() };
                    pieces.push(Piece::dim(format!("{number:>w$} ", w = NUMBERS - 1)));
                }
                if state.lay.wrap {
                    pieces.extend_from_slice(&row.pieces);
                } else {
                    pieces.extend(skip(&row.pieces, state.shift));
                }
                canvas.row(area, y, &pieces);
            }
        }
    }
}
