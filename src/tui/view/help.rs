//! Every key, from the table of commands.

use ratatui::layout::Rect;

use crate::tui::command::{Place, TABLE, unavailable};
use crate::tui::ink::{Canvas, Piece, Tone, wrap};
use crate::tui::state::State;

/// The widest the help gets (columns).
const WIDTH: u16 = 76;

/// The cells that the keys take.
const KEYS: usize = 14;

fn lines(state: &State, width: usize) -> Vec<Vec<Piece>> {
    let places = [
        ("On the screen", &[Place::Screen, Place::List, Place::Detail] as &[_]),
        ("Everywhere", &[Place::Everywhere]),
        ("In a list to choose from", &[Place::Picker]),
        ("Where arguments are typed", &[Place::Arguments]),
    ];
    let mut sections: Vec<(&str, Vec<Vec<Piece>>)> = Vec::new();
    for (title, places) in places {
        let mut rows = Vec::new();
        for entry in TABLE.iter().filter(|e| places.contains(&e.place)) {
            let keys = entry.keys.join(" ");
            rows.extend(entry_rows(&keys, Tone::Accent, entry.about, Tone::Plain, width));
            if let Some(why) = unavailable(entry.command, state) {
                rows.extend(entry_rows(
                    "",
                    Tone::Plain,
                    &format!("not now: {why}"),
                    Tone::Warn,
                    width,
                ));
            }
        }
        sections.push((title, rows));
    }
    let signs = [
        ("●  *", "valid and in the catalog"),
        ("▲  !", "a warning: it loads, but something is lost, changed or fragile"),
        ("✖  x", "an error: it is not loaded"),
        ("○ △  o ?", "not in the catalog; the last column says why"),
        ("cut", "past the budget: the line in the list shows where it ends"),
        ("hidden", "`hide: true`; an agent that knows the name can activate it"),
        ("filtered", "the agent's `skills` in project.yaml leave it out"),
        ("duplicate", "another skill of that name is kept"),
    ];
    let signs = signs
        .iter()
        .flat_map(|(sign, about)| entry_rows(sign, Tone::Strong, about, Tone::Plain, width));
    sections.push(("In the list", signs.collect()));
    let mut out = Vec::new();
    for (title, rows) in sections {
        out.push(vec![Piece::new(title, Tone::Strong)]);
        out.extend(rows);
        out.push(Vec::new());
    }
    for line in [
        "The numbers in the list: what a skill's line costs, and the running total.",
        "Characters are Unicode characters; tokens are a quarter of them, an estimate.",
        "ctrl-c is esc. The list is the home: esc leads back to it.",
    ] {
        out.extend(wrap(&[Piece::dim(line)], width));
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
    lines(state, width).len().saturating_sub(usize::from(area.height).saturating_sub(2))
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, scroll: usize) {
    let area = area(state.size);
    canvas.clear(area);
    let inside = canvas.frame(area, &[Piece::new("Help", Tone::Strong)], true);
    for (y, line) in
        lines(state, inside.width.into()).iter().skip(scroll).take(inside.height.into()).enumerate()
    {
        canvas.row(inside, y, line);
    }
}
