//! The last line: what can be done now, from the table of commands.

use ratatui::layout::Rect;

use crate::tui::command::{Command, unavailable};
use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::{Overlay, State};

/// Draws it. Nothing else ever takes its place: the keys are always to be seen.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let mut hints: Vec<(String, &str, u8)> = state
        .keys
        .applicable(state)
        .into_iter()
        .filter(|(entry, _)| unavailable(entry.command, state).is_none())
        .filter_map(|(entry, key)| {
            let (name, weight) = entry.hint?;
            let name = match &state.overlay {
                // What is agreed to is named.
                Some(Overlay::Sheet(sheet)) if entry.command == Command::Accept => sheet.ask.verb(),
                _ => name,
            };
            Some((key.to_string(), name, weight))
        })
        .collect();
    let size = |hints: &[(String, &str, u8)]| -> usize {
        hints.iter().map(|(key, name, _)| width(key) + width(name) + 3).sum::<usize>() + 1
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
