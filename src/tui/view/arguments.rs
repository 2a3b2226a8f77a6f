//! The line in which sample arguments are typed.

use ratatui::layout::Rect;
use tui_textarea::TextArea;

use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::State;

/// Draws it above the footer, named after the skill it is for.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, text: &TextArea<'_>) {
    let (columns, rows) = state.size;
    let lines = text.lines();
    let height = (lines.len() as u16).clamp(1, 5) + 2;
    let area = Rect {
        x: 1,
        y: rows.saturating_sub(3 + height),
        width: columns.saturating_sub(2).min(100),
        height,
    };
    canvas.clear(area);
    let skill = state.selected_skill().map(|s| s.title().to_owned()).unwrap_or_default();
    let title = [Piece::dim("Arguments for "), Piece::new(skill, Tone::Strong)];
    let inside = canvas.frame(area, &title, true);
    let room = usize::from(inside.width).saturating_sub(1);
    let cursor = text.cursor();
    let first = (cursor.0 + 1).saturating_sub(inside.height.into());
    for (y, line) in lines.iter().skip(first).take(inside.height.into()).enumerate() {
        // The part of the line that holds the cursor.
        let before: String = line.chars().take(cursor.1).collect();
        let is_here = first + y == cursor.0;
        let left = Piece::plain(&before);
        let skip = if is_here { left.width().saturating_sub(room) } else { 0 };
        let visible = drop_cells(Piece::plain(line).text(), skip);
        canvas.row(inside, y, &[Piece::plain(&visible)]);
        if is_here {
            let x = left.width().saturating_sub(skip).min(room);
            canvas.set_cursor(inside.x + x as u16, inside.y + y as u16);
        }
    }
}

fn drop_cells(text: &str, cells: usize) -> String {
    let mut dropped = 0;
    text.chars()
        .skip_while(|c| {
            let drop = dropped < cells;
            if drop {
                dropped += width(c.encode_utf8(&mut [0; 4]));
            }
            drop
        })
        .collect()
}
