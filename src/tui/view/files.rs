//! The files that come with a skill, as they are named to the model.

use ratatui::layout::Rect;

use super::detail::{rows, waiting};
use crate::prompt::activation::MAX_RESOURCES;
use crate::skill::text::counted;
use crate::tui::ink::{Canvas, Piece};
use crate::tui::state::State;

/// Rows above the names: a count and an empty one.
pub const HEAD: usize = 2;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(pages) = state.selected_pages() else {
        waiting(state, canvas, area);
        return;
    };
    let count = pages.files.len();
    let named = if count > MAX_RESOURCES {
        format!("; the first {MAX_RESOURCES} are named to the model")
    } else {
        String::new()
    };
    let head = match count {
        0 => "No files beside SKILL.md.".to_owned(),
        _ => format!("{} beside SKILL.md{named}", counted(count, "file", "files")),
    };
    let heads = [vec![Piece::dim(head)], Vec::new()];
    // Only what is seen is made, however many files there are.
    let from = state.scroll.saturating_sub(HEAD);
    let files = pages.files.iter().skip(from).take(area.height.into());
    let mut lines: Vec<_> = heads.into_iter().skip(state.scroll).collect();
    lines.extend(files.map(|file| vec![Piece::plain("  "), Piece::plain(file.as_str())]));
    rows(canvas, area, &lines, 0);
}
