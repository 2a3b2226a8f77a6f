//! A list to choose from.

use ratatui::layout::Rect;

use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::{Choice, Picker, State};

/// Draws it in the middle of the screen.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, picker: &Picker) {
    let (columns, rows) = state.size;
    let name = picker.items.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let about = picker.items.iter().map(|(_, about)| width(about)).max().unwrap_or(0);
    let wanted = (name + about + 7).clamp(30, 90);
    let size = (wanted as u16).min(columns.saturating_sub(2));
    let height = (picker.items.len() as u16 + 2).min(rows.saturating_sub(4)).max(3);
    let area = Rect { x: (columns - size) / 2, y: (rows - height) / 2, width: size, height };
    canvas.clear(area);
    let title = match picker.choice {
        Choice::Profile => "Look as which client?",
        Choice::Agent => "Look as which agent?",
    };
    let inside = canvas.frame(area, &[Piece::new(title, Tone::Strong)], true);
    let shown = usize::from(inside.height);
    let first = (picker.selected + 1).saturating_sub(shown);
    for (y, (i, (item, about))) in
        picker.items.iter().enumerate().skip(first).take(shown).enumerate()
    {
        let pad = " ".repeat(name.saturating_sub(width(item)));
        let pieces = [Piece::plain(format!(" {item}{pad}  ")), Piece::dim(about)];
        if i == picker.selected {
            canvas.chosen_row(inside, y, &pieces, Tone::Chosen);
        } else {
            canvas.row(inside, y, &pieces);
        }
    }
}
