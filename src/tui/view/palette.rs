//! The palette: every command by name and by key, those that can do nothing now
//! with the reason.

use ratatui::layout::Rect;

use super::field;
use crate::tui::command::{Command, Context, Entry, unavailable};
use crate::tui::field::Field;
use crate::tui::ink::{Canvas, Piece, Tone, fit, width};
use crate::tui::state::{Overlay, State};

/// The widest it gets (columns).
const WIDTH: u16 = 80;
/// The most rows it shows.
const ROWS: u16 = 16;

/// The commands that what was typed finds: those of the screen, each once.
pub fn found(state: &State) -> Vec<&'static Entry> {
    let Some(Overlay::Palette { query, .. }) = &state.overlay else { return Vec::new() };
    let query = query.text();
    let mut out: Vec<&'static Entry> = Vec::new();
    for (entry, keys) in state.keys.entries() {
        let is_of_screen = !entry.context.is_typing() || entry.context == Context::Always;
        let is_dialog = matches!(entry.context, Context::Picker | Context::Notice);
        let is_known = out.iter().any(|e| e.command == entry.command);
        let is_itself = entry.command == Command::Palette;
        let is_found =
            matches(&query, entry, &keys.iter().map(ToString::to_string).collect::<Vec<_>>());
        if is_of_screen && !is_dialog && !is_known && !is_itself && is_found {
            out.push(entry);
        }
    }
    // The one that is called so comes first, then those that begin so.
    let rank = |entry: &&Entry| {
        let word = query.trim();
        (entry.name != word, !entry.name.starts_with(word), !entry.name.contains(word))
    };
    if !query.trim().is_empty() {
        out.sort_by_key(rank);
    }
    out
}

/// Whether an entry of the table has all the words that were typed: in its name,
/// its keys or what it does.
pub fn matches(query: &str, entry: &Entry, keys: &[String]) -> bool {
    query.split_whitespace().all(|word| {
        let lower = word.to_lowercase();
        keys.iter().any(|key| key == word)
            || entry.name.contains(&lower)
            || entry.about.to_lowercase().contains(&lower)
    })
}

/// Where it is, and where its rows are.
pub fn areas(state: &State) -> (Rect, Rect) {
    let (columns, rows) = state.size;
    let margin = if columns < super::NARROW { 0 } else { 2 };
    let width = (columns - margin).min(WIDTH);
    let height = (ROWS + 3).min(rows.saturating_sub(3));
    let area = Rect { x: (columns - width) / 2, y: 1, width, height };
    let list = Rect {
        x: area.x + 1,
        y: area.y + 2,
        width: width.saturating_sub(2),
        height: height.saturating_sub(3),
    };
    (area, list)
}

/// The first row shown, so that the chosen one is.
pub fn first(selected: usize, height: u16) -> usize {
    (selected + 1).saturating_sub(height.into())
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, query: &Field, selected: usize) {
    let (area, list) = areas(state);
    canvas.clear(area);
    let inside = canvas.frame(area, &[Piece::new("Commands", Tone::Strong)], true);
    let found = found(state);
    let name = found.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let keys = |entry: &Entry| state.keys.of(entry.name).join(" ");
    let key = found.iter().map(|e| width(&keys(e))).max().unwrap_or(0).min(12);
    if found.is_empty() {
        canvas.row(list, 0, &[Piece::dim("No command is called so.")]);
    }
    let skipped = first(selected, list.height);
    for (y, (i, entry)) in
        found.iter().enumerate().skip(skipped).take(list.height.into()).enumerate()
    {
        let why = unavailable(entry.command, state);
        let head = format!(" {:<name$}  {:<key$}  ", entry.name, fit(&keys(entry), key));
        let pieces = match why {
            None => vec![Piece::plain(head), Piece::dim(entry.about)],
            Some(why) => vec![Piece::dim(head), Piece::new(format!("not now: {why}"), Tone::Warn)],
        };
        if i == selected {
            canvas.chosen_row(list, y, &pieces, Tone::Chosen);
        } else {
            canvas.row(list, y, &pieces);
        }
    }
    let line = Rect { height: 1, ..inside };
    canvas.row(line, 0, &[Piece::new(":", Tone::Accent)]);
    field::draw(canvas, Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line }, query);
}
