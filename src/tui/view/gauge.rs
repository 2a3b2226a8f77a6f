//! The budget: how much of it the catalog uses.

use ratatui::layout::Rect;

use crate::prompt::catalog::State as Catalogued;
use crate::skill::text::thousands;
use crate::tui::ink::{Canvas, Piece, Tone};
use crate::tui::state::State;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(deck) = &state.deck else { return };
    let theme = canvas.theme();
    let limit = deck.budget.limit;
    let numbers = match limit {
        Some(limit) => format!("{} / {} characters", thousands(deck.used), thousands(limit)),
        None => format!("{} characters, no limit", thousands(deck.used)),
    };
    let mut counts = vec![format!("{} listed", deck.count(Catalogued::Listed))];
    for (state, word) in [
        (Catalogued::Cut, "cut"),
        (Catalogued::Hidden, "hidden"),
        (Catalogued::Filtered, "filtered"),
    ] {
        if deck.count(state) > 0 {
            counts.push(format!("{} {word}", deck.count(state)));
        }
    }
    let failed = super::list::not_loadable(deck);
    if failed > 0 {
        counts.push(format!("{failed} not loadable"));
    }
    let counts = counts.join(" · ");
    let over = limit.is_some_and(|limit| deck.used > limit) || deck.count(Catalogued::Cut) > 0;
    let tone = if over { Tone::Warn } else { Tone::Good };
    let text = format!("  {numbers}   {counts}");
    let room = usize::from(area.width).saturating_sub(" Budget ".len() + text.chars().count() + 1);
    let mut pieces = vec![Piece::new(" Budget ", Tone::Strong)];
    if let Some(limit) = limit.filter(|_| room >= 6) {
        let filled = if limit == 0 {
            room
        } else {
            let share = u128::from(deck.used) * room as u128 / u128::from(limit);
            usize::try_from(share).unwrap_or(room).min(room)
        };
        pieces.push(Piece::new(theme.sign("━", "=").repeat(filled), tone));
        pieces.push(Piece::dim(theme.sign("─", "-").repeat(room - filled)));
    }
    pieces.push(Piece::plain(format!("  {numbers}")));
    pieces.push(Piece::new(format!("   {counts}"), if over { Tone::Warn } else { Tone::Plain }));
    canvas.row(area, 0, &pieces);
}
