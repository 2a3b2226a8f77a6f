//! The last line: what can be done now, from the table of commands.

use ratatui::layout::Rect;

use crate::tui::command::{applicable, unavailable};
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// Draws it; a toast takes its place until the next key.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    if let Some(toast) = &state.toast {
        canvas.row(area, 0, &[Piece::plain(" "), Piece::new(toast.as_str(), Tone::Accent)]);
        return;
    }
    let mut hints: Vec<(&str, &str, u8)> = applicable(state)
        .filter(|e| unavailable(e.command, state).is_none())
        .filter_map(|e| e.hint.map(|(name, weight)| (e.keys[0], name, weight)))
        .collect();
    let size = |hints: &[(&str, &str, u8)]| -> usize {
        hints.iter().map(|(key, name, _)| key.len() + name.len() + 3).sum::<usize>() + 1
    };
    // The lightest goes first, and help last.
    while size(&hints) > usize::from(area.width) && hints.len() > 1 {
        let lightest = hints.iter().enumerate().min_by_key(|(_, (_, _, weight))| *weight);
        let Some((i, _)) = lightest else { break };
        hints.remove(i);
    }
    let mut pieces = vec![Piece::plain(" ")];
    for (key, name, _) in hints {
        pieces.push(Piece::new(key, Tone::Accent));
        pieces.push(Piece::plain(format!(" {name}  ")));
    }
    canvas.row(area, 0, &pieces);
}
