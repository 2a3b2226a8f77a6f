//! Something said at length, such as the mistakes in the config file.

use ratatui::layout::Rect;

use crate::skill::text::Shown;
use crate::tui::ink::{Canvas, Piece, Tone, wrap};
use crate::tui::state::{Overlay, State};

fn area((columns, rows): (u16, u16)) -> Rect {
    let width = columns.min(100);
    Rect { x: (columns - width) / 2, y: 1, width, height: rows.saturating_sub(3) }
}

fn rows(lines: &[Shown], width: usize) -> Vec<Vec<Piece>> {
    lines.iter().flat_map(|line| wrap(&[Piece::plain(line.as_str())], width)).collect()
}

/// The last row from which it can be shown.
pub fn last_scroll(state: &State) -> usize {
    let Some(Overlay::Notice { lines, .. }) = &state.overlay else { return 0 };
    let area = area(state.size);
    let count = rows(lines, usize::from(area.width).saturating_sub(2)).len();
    count.saturating_sub(usize::from(area.height).saturating_sub(2))
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, title: &Shown, lines: &[Shown], scroll: usize) {
    let area = area(state.size);
    canvas.clear(area);
    let inside = canvas.frame(area, &[Piece::new(title.as_str(), Tone::Warn)], true);
    super::detail::rows(canvas, inside, &rows(lines, inside.width.into()), scroll);
    canvas.set_cursor(inside.x, inside.y);
}
