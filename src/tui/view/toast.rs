//! What happened off the screen, said once, above the keys.

use ratatui::layout::Rect;

use crate::tui::ink::{Canvas, Piece, Tone, wrap};
use crate::tui::state::State;

/// The most rows it takes.
const ROWS: usize = 4;

/// Draws it over the budget's line, and above it what does not fit there.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, line: Rect) {
    let Some(toast) = &state.toast else { return };
    let room = usize::from(line.width).saturating_sub(2);
    let rows = wrap(&[Piece::new(toast.as_str(), Tone::Accent)], room);
    let height = rows.len().min(ROWS) as u16;
    let area = Rect { y: (line.y + 1).saturating_sub(height), height, ..line };
    canvas.clear(area);
    let text = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    super::detail::rows(canvas, text, &rows, 0);
}
