//! The budget: how much of it the catalog uses.

use ratatui::layout::Rect;

use crate::prompt::budget::Source;
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::thousands;
use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::{Overlay, State};

/// Draws it; while a filter is typed, what can be typed takes its place.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    if matches!(state.overlay, Some(Overlay::Filter(_))) {
        let room = usize::from(area.width).saturating_sub(2);
        let said = match state.filter.complaint() {
            Some(complaint) => Piece::new(format!(" {complaint}"), Tone::Warn),
            None => Piece::dim(format!(" {}", state.filter.words(room))),
        };
        canvas.row(area, 0, &[said]);
        return;
    }
    let Some(deck) = &state.deck else { return };
    let theme = canvas.theme();
    let limit = deck.budget.limit;
    let numbers = match limit {
        Some(limit) => format!("{} / {}", thousands(deck.used), thousands(limit)),
        None => format!("{} of no limit", thousands(deck.used)),
    };
    let count = |state, word| {
        let count = deck.count(state);
        (count > 0 || state == Catalogued::Listed)
            .then(|| format!("{} {word}", thousands(count as u64)))
    };
    let failed = deck.count_status(Status::Error);
    let counts: Vec<String> = [
        count(Catalogued::Listed, "listed"),
        (deck.count_shortened() > 0)
            .then(|| format!("{} shortened", thousands(deck.count_shortened() as u64))),
        count(Catalogued::Cut, "cut"),
        (failed > 0).then(|| format!("{failed} not loadable")),
        count(Catalogued::Hidden, "hidden"),
        count(Catalogued::Filtered, "filtered"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let is_over = limit.is_some_and(|limit| deck.used > limit) || deck.count(Catalogued::Cut) > 0;
    let room = usize::from(area.width);
    // What is said, from the most to the least, until it fits.
    let texts = [
        format!("  {numbers} characters   {}", counts.join(" · ")),
        format!("  {numbers}  {}", counts.join(" · ")),
        format!(" {} {}", numbers.replace(" / ", "/"), counts.join("·")),
    ];
    // What is tried out, or set by hand, is no default and must not look like one.
    let label = match deck.budget.source {
        Source::Trial => " What-if budget",
        _ => " Budget",
    };
    let fits = |text: &&String| label.len() + width(text) < room;
    let text = texts.iter().find(fits).or(texts.last()).cloned().unwrap_or_default();
    // The numbers count for more than what they are called.
    let is_real = deck.budget.source != Source::Trial;
    let label = if is_real && label.len() + width(&text) > room { "" } else { label };
    let left = room.saturating_sub(label.len() + width(&text) + 2);
    let tone = if is_over { Tone::Warn } else { Tone::Good };
    let mut pieces = vec![Piece::new(label, Tone::Strong)];
    if let Some(limit) = limit.filter(|_| left >= 6) {
        let share = u128::from(deck.used) * left as u128 / u128::from(limit.max(1));
        let filled = usize::try_from(share).unwrap_or(left).min(left);
        pieces.push(Piece::plain(" "));
        pieces.push(Piece::new(theme.sign("━", "=").repeat(filled), tone));
        pieces.push(Piece::dim(theme.sign("─", "-").repeat(left - filled)));
    }
    let text = if theme.ascii { text.replace(" · ", ", ").replace('·', ",") } else { text };
    pieces.push(Piece::new(text, if is_over { Tone::Warn } else { Tone::Plain }));
    canvas.row(area, 0, &pieces);
}
