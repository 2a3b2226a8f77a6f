//! Every key, from the table of commands; what is typed narrows it.

use ratatui::layout::Rect;

use super::{field, palette};
use crate::tui::command::{Context, unavailable};
use crate::tui::field::Field;
use crate::tui::ink::{Canvas, Piece, Tone, wrap};
use crate::tui::state::{Overlay, State};

/// The widest the help gets (columns).
const WIDTH: u16 = 76;

/// The cells that the keys take.
const KEYS: usize = 14;

const SIGNS: [(&str, &str); 8] = [
    ("●  *", "valid and in the catalog"),
    ("▲  !", "a warning: it loads, but something is lost, changed or fragile"),
    ("✖  x", "an error: it is not loaded"),
    ("○ △  o ?", "not in the catalog; the last column says why"),
    ("cut", "past the budget: the line in the list shows where it ends"),
    ("hidden", "`hide: true`; an agent that knows the name can activate it"),
    ("filtered", "the agent's `skills` in project.yaml leave it out"),
    ("duplicate", "another skill of that name is kept"),
];

fn lines(state: &State, width: usize) -> Vec<Vec<Piece>> {
    let query = match &state.overlay {
        Some(Overlay::Help { query, .. }) => query.text(),
        _ => String::new(),
    };
    let mut sections: Vec<(&str, Vec<Vec<Piece>>)> = Vec::new();
    for (context, title) in Context::ALL {
        let mut rows = Vec::new();
        for (entry, keys) in state.keys.entries().filter(|(e, _)| e.context == context) {
            let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
            if !palette::matches(&query, entry, &keys) {
                continue;
            }
            rows.extend(entry_rows(&keys.join(" "), Tone::Accent, entry.about, Tone::Plain, width));
            if context == Context::Screen
                && let Some(why) = unavailable(entry.command, state)
            {
                let why = format!("not now: {why}");
                rows.extend(entry_rows("", Tone::Plain, &why, Tone::Warn, width));
            }
        }
        sections.push((title, rows));
    }
    let is_found = |text: &str| query.split_whitespace().all(|word| text.contains(word));
    let signs = SIGNS
        .iter()
        .filter(|(sign, about)| is_found(&format!("{sign} {about}")))
        .flat_map(|(sign, about)| entry_rows(sign, Tone::Strong, about, Tone::Plain, width));
    sections.insert(1, ("The signs of the list", signs.collect()));
    let mut out = Vec::new();
    for (title, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        out.push(vec![Piece::new(title, Tone::Strong)]);
        out.extend(rows);
        out.push(Vec::new());
    }
    if out.is_empty() {
        out.push(vec![Piece::dim("No key does that.")]);
    }
    if query.is_empty() {
        for line in [
            "The numbers in the list: what a skill's line costs, and the running total.",
            "Characters are Unicode characters; tokens are a quarter of them, an estimate.",
            "ctrl-c is esc. The list is the home: esc leads back to it.",
        ] {
            out.extend(wrap(&[Piece::dim(line)], width));
        }
    }
    out
}

/// Keys, and what they do in rows beside them.
fn entry_rows(
    keys: &str,
    tone: Tone,
    about: &str,
    about_tone: Tone,
    width: usize,
) -> Vec<Vec<Piece>> {
    let about = wrap(&[Piece::new(about, about_tone)], width.saturating_sub(KEYS));
    let rows = about.into_iter().enumerate().map(|(i, pieces)| {
        let keys = if i == 0 { keys } else { "" };
        let mut row = vec![Piece::new(format!("  {keys:<w$}", w = KEYS - 2), tone)];
        row.extend(pieces);
        row
    });
    rows.collect()
}

fn area((columns, rows): (u16, u16)) -> Rect {
    let width = columns.min(WIDTH);
    let height = rows.saturating_sub(3);
    Rect { x: (columns - width) / 2, y: 1, width, height }
}

/// The last row from which the help can be shown.
pub fn last_scroll(state: &State) -> usize {
    let area = area(state.size);
    let width = usize::from(area.width).saturating_sub(2);
    lines(state, width).len().saturating_sub(usize::from(area.height).saturating_sub(3))
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, query: &Field, scroll: usize) {
    let area = area(state.size);
    canvas.clear(area);
    let inside = canvas.frame(area, &[Piece::new("Help", Tone::Strong)], true);
    let rows = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    super::detail::rows(canvas, rows, &lines(state, inside.width.into()), scroll);
    let label = Piece::dim("Type to search: ");
    let used = label.width() as u16;
    canvas.row(inside, 0, &[label]);
    let line =
        Rect { x: inside.x + used, width: inside.width.saturating_sub(used), height: 1, ..inside };
    field::draw(canvas, line, query);
}
