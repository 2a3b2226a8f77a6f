//! Every key, from the table of commands.

use ratatui::layout::Rect;

use crate::tui::command::{Place, TABLE, unavailable};
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// The widest the help gets (columns).
const WIDTH: u16 = 76;

fn lines(state: Option<&State>) -> Vec<Vec<Piece>> {
    let mut out = Vec::new();
    let places = [
        ("On the screen", &[Place::Screen, Place::List, Place::Detail] as &[_]),
        ("Everywhere", &[Place::Everywhere]),
        ("In a list to choose from", &[Place::Picker]),
        ("Where arguments are typed", &[Place::Arguments]),
    ];
    for (title, places) in places {
        if !out.is_empty() {
            out.push(Vec::new());
        }
        out.push(vec![Piece::new(title, Tone::Strong)]);
        for entry in TABLE.iter().filter(|e| places.contains(&e.place)) {
            let keys = entry.keys.join(" ");
            let why = state.and_then(|s| unavailable(entry.command, s));
            let mut row = vec![
                Piece::new(format!("  {keys:<12}"), Tone::Accent),
                Piece::plain(format!(" {:<14} ", entry.name)),
                Piece::new(entry.about, if why.is_some() { Tone::Dim } else { Tone::Plain }),
            ];
            if let Some(why) = why {
                row.push(Piece::new(format!(" (not now: {why})"), Tone::Warn));
            }
            out.push(row);
        }
    }
    out.push(Vec::new());
    for line in [
        "ctrl-c is esc.  The list is the home: esc leads back to it.",
        "Characters are Unicode characters; tokens are an estimate, a quarter of them.",
    ] {
        out.push(vec![Piece::dim(line)]);
    }
    out
}

fn area((columns, rows): (u16, u16)) -> Rect {
    let width = columns.min(WIDTH);
    let height = rows.saturating_sub(3).min(lines(None).len() as u16 + 2);
    Rect { x: (columns - width) / 2, y: 1, width, height }
}

/// The last row from which the help can be shown.
pub fn last_scroll(size: (u16, u16)) -> usize {
    lines(None).len().saturating_sub(usize::from(area(size).height).saturating_sub(2))
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, scroll: usize) {
    let area = area(state.size);
    canvas.clear(area);
    let inside = canvas.frame(area, &[Piece::new("Help", Tone::Strong)], true);
    for (y, line) in lines(Some(state)).iter().skip(scroll).take(inside.height.into()).enumerate() {
        canvas.row(inside, y, line);
    }
}
