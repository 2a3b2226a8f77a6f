//! A place where one types, with the hardware cursor in it.

use ratatui::layout::Rect;

use crate::tui::field::Field;
use crate::tui::ink::{Canvas, Piece, skip};

/// Draws as much of a field as fits `area`, the cursor always in it.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, field: &Field) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let room = usize::from(area.width) - 1;
    let (row, column) = field.cursor();
    let first = (row + 1).saturating_sub(area.height.into());
    for (y, line) in field.rows().iter().skip(first).take(area.height.into()).enumerate() {
        let is_here = first + y == row;
        let before: String = line.chars().take(column).collect();
        let left = Piece::plain(before).width();
        let hidden = if is_here { left.saturating_sub(room) } else { 0 };
        canvas.row(area, y, &skip(&[Piece::plain(line)], hidden));
        if is_here {
            let x = left.saturating_sub(hidden).min(room);
            canvas.set_cursor(area.x + x as u16, area.y + y as u16);
        }
    }
}
