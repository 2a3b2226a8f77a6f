//! The body as written, with line numbers of the file.

use ratatui::layout::Rect;

use super::detail::waiting;
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::pages::{NUMBERS, Page};
use crate::tui::state::State;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(pages) = state.selected_pages() else {
        waiting(state, canvas, area);
        return;
    };
    page(canvas, area, &pages.body, state.scroll, true);
}

/// Draws a page from a row on.
pub fn page(canvas: &mut Canvas<'_>, area: Rect, page: &Page, scroll: usize, numbers: bool) {
    match page {
        Page::Nothing(why) => {
            let rows =
                crate::tui::ink::wrap(&[Piece::new(why.as_str(), Tone::Bad)], area.width.into());
            super::detail::rows(canvas, area, &rows, 0);
        }
        Page::Rows(rows) => {
            for (y, (number, row)) in rows.iter().skip(scroll).take(area.height.into()).enumerate()
            {
                let mut pieces = Vec::with_capacity(row.len() + 1);
                if numbers {
                    let number = number.map_or(String::new(), |n| n.to_string());
                    pieces.push(Piece::dim(format!("{number:>w$} ", w = NUMBERS - 1)));
                }
                pieces.extend_from_slice(row);
                canvas.row(area, y, &pieces);
            }
        }
    }
}
