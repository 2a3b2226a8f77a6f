//! The exact text a model gets, the arguments set off.

use ratatui::layout::Rect;

use crate::project::activate::size_text;
use crate::tui::command::{Command, unavailable};
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// Rows above the text: the size and the arguments, the place in the catalog, and
/// an empty one. They stay when the text is scrolled.
pub const HEAD: usize = 3;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let arguments = match state.shown_arguments() {
        None if unavailable(Command::Arguments, state).is_some() => Piece::dim("none"),
        None => Piece::dim(format!("none ({} gives some)", state.keys.name(Command::Arguments))),
        Some("") => Piece::dim("empty"),
        Some(text) => Piece::new(text, Tone::Mark),
    };
    // The size first: arguments may be long.
    let dot = canvas.theme().sign("  ·  ", "  ,  ");
    let size = state.page().map(|page| size_text(page.text.chars().count()));
    let dot = Piece::dim(if size.is_some() { dot } else { "" });
    let size = Piece::dim(size.unwrap_or_default());
    let arguments = [Piece::dim("arguments "), arguments];
    let wanted: usize =
        size.width() + dot.width() + arguments.iter().map(Piece::width).sum::<usize>();
    if wanted <= usize::from(area.width) {
        let [label, text] = arguments;
        canvas.row(area, 0, &[size, dot, label, text]);
    } else {
        // Each a row of its own, so that neither is cut for the other.
        canvas.row(area, 0, &[size]);
        canvas.row(area, 1, &arguments);
    }
    if let (Some(deck), Some(skill)) = (&state.deck, state.shown_skill()) {
        let row = usize::from(wanted > usize::from(area.width)) + 1;
        let (verdict, tone) = super::overview::verdict(state, deck, skill);
        canvas.row(
            area,
            row,
            &[Piece::new(verdict, if tone == Tone::Plain { Tone::Dim } else { tone })],
        );
    }
    let head = HEAD as u16;
    let text = Rect { y: area.y + head, height: area.height.saturating_sub(head), ..area };
    super::body::draw(state, canvas, text);
}
