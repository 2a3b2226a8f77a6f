//! A list to choose from, with what each choice would change.

use ratatui::layout::Rect;

use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::thousands;
use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::{Choice, Outcome, Picker, State};

/// Rows of an item: its name, and what it would change.
fn height(picker: &Picker) -> usize {
    if picker.choice == Choice::Sort { 1 } else { 2 }
}

/// Where it is.
pub fn area(state: &State, picker: &Picker) -> Rect {
    let (columns, rows) = state.size;
    let name = picker.items.iter().map(|i| width(&i.name)).max().unwrap_or(0);
    let about = picker.items.iter().map(|i| width(&i.about)).max().unwrap_or(0);
    let wanted = (name + about + 7).clamp(52, 90) as u16;
    let margin = if columns < super::NARROW { 0 } else { 2 };
    let size = wanted.min(columns - margin);
    let wanted = (picker.items.len() * height(picker) + 2) as u16;
    let height = wanted.min(rows.saturating_sub(4)).max(3);
    Rect { x: (columns - size) / 2, y: (rows - height) / 2, width: size, height }
}

/// The item in a row of the inside.
pub fn at(state: &State, picker: &Picker, row: u16) -> Option<usize> {
    let inside = usize::from(area(state, picker).height.saturating_sub(2));
    let at = first(picker, inside) + usize::from(row) / height(picker);
    (at < picker.items.len()).then_some(at)
}

fn first(picker: &Picker, rows: usize) -> usize {
    (picker.selected + 1).saturating_sub((rows / height(picker)).max(1))
}

/// Draws it in the middle of the screen.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, picker: &Picker) {
    let area = area(state, picker);
    canvas.clear(area);
    let title = match picker.choice {
        Choice::Profile => "Look as which client?",
        Choice::Agent => "Look as which agent?",
        Choice::Sort => "In which order?",
    };
    let inside = canvas.frame(area, &[Piece::new(title, Tone::Strong)], true);
    let name = picker.items.iter().map(|i| width(&i.name)).max().unwrap_or(0);
    let rows = usize::from(inside.height);
    let skipped = first(picker, rows);
    for (n, (i, item)) in picker.items.iter().enumerate().skip(skipped).enumerate() {
        let y = n * height(picker);
        if y >= rows {
            break;
        }
        let pad = " ".repeat(name.saturating_sub(width(&item.name)));
        let head = [Piece::plain(format!(" {}{pad}  ", item.name)), Piece::dim(&item.about)];
        if i == picker.selected {
            canvas.chosen_row(inside, y, &head, Tone::Chosen);
        } else {
            canvas.row(inside, y, &head);
        }
        if height(picker) == 2 && y + 1 < rows {
            let mut pieces = vec![Piece::plain("   ")];
            match &item.outcome {
                None => pieces.push(Piece::dim("looking …")),
                Some(Err(why)) => pieces.push(Piece::new(why.as_str(), Tone::Warn)),
                Some(Ok(outcome)) => pieces.extend(change(state, *outcome)),
            }
            canvas.row(inside, y + 1, &pieces);
        }
    }
}

/// `12 listed (+1)  1 cut  2 errors (-1)`
fn change(state: &State, outcome: Outcome) -> Vec<Piece> {
    let Some(deck) = &state.deck else { return Vec::new() };
    let now = [
        deck.count(Catalogued::Listed),
        deck.count_shortened(),
        deck.count(Catalogued::Cut),
        deck.count_status(Status::Error),
    ];
    let then = [
        (outcome.listed, "listed"),
        (outcome.shortened, "shortened"),
        (outcome.cut, "cut"),
        (outcome.errors, "errors"),
    ];
    let mut pieces = Vec::new();
    for ((count, word), now) in then.into_iter().zip(now) {
        // Most clients shorten nothing.
        if word == "shortened" && count == 0 && now == 0 {
            continue;
        }
        let by = count.abs_diff(now);
        let sign = if count > now { "+" } else { "-" };
        let word = if word == "errors" && count == 1 { "error" } else { word };
        pieces.push(Piece::plain(format!("{} {word}", thousands(count as u64))));
        if by > 0 {
            let is_worse = (count > now) != (word == "listed");
            let tone = if is_worse { Tone::Warn } else { Tone::Good };
            pieces.push(Piece::new(format!(" {sign}{}", thousands(by as u64)), tone));
        }
        pieces.push(Piece::plain("   "));
    }
    pieces
}
