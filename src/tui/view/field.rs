//! A place where one types, with the hardware cursor in it.

use ratatui::layout::Rect;

use crate::tui::editor::glyphs::{Signs, place, rows};
use crate::tui::field::Field;
use crate::tui::ink::{Canvas, Piece, Tone, skip};

/// Everything has a sign, as in the editor.
const SIGNS: Signs = Signs { invisibles: false, ascii: true };

/// The rows that a field of one line takes when it is wrapped.
pub fn wrapped_rows(field: &Field, width: usize) -> usize {
    let line = field.rows().first().map_or("", String::as_str);
    rows(line, width, SIGNS, |_| Tone::Plain).len()
}

/// Draws a field of one line, wrapped, the cursor always in it.
pub fn draw_wrapped(canvas: &mut Canvas<'_>, area: Rect, field: &Field) {
    let line = field.rows().first().map_or("", String::as_str);
    let rows = rows(line, area.width.into(), SIGNS, |_| Tone::Plain);
    let (row, cell) = place(&rows, field.cursor().1);
    let first = (row + 1).saturating_sub(area.height.into());
    for (y, row) in rows.iter().skip(first).take(area.height.into()).enumerate() {
        let text: String = row.glyphs.iter().map(|glyph| glyph.text.as_ref()).collect();
        canvas.row(area, y, &[Piece::plain(text)]);
    }
    canvas.set_cursor(area.x + cell as u16, area.y + (row - first) as u16);
}

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
