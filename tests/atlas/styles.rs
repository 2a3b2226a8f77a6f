//! The styles of a buffer as text: which cells are bold, dim or coloured.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Color;

/// Every row that has styles, `rows: columns style, columns style`; rows that
/// are alike and follow each other are told once.
pub fn map(buffer: &Buffer) -> String {
    let mut out = String::new();
    let mut alike: Option<(u16, u16, String)> = None;
    for y in 0..=buffer.area.height {
        let row = if y < buffer.area.height { row(buffer, y) } else { String::new() };
        match &mut alike {
            Some((_, last, text)) if *text == row && !row.is_empty() => *last = y,
            _ => {
                if let Some((first, last, text)) = alike.take() {
                    out.push_str(&format!("{}: {text}\n", range(first, last)));
                }
                alike = (!row.is_empty()).then_some((y, y, row));
            }
        }
    }
    out
}

fn row(buffer: &Buffer, y: u16) -> String {
    let runs = runs(buffer, y).into_iter().filter(|(_, _, style)| !style.is_empty());
    let told = runs.map(|(first, last, style)| format!("{} {style}", range(first, last)));
    told.collect::<Vec<_>>().join(", ")
}

/// First and last column, and the style, of each run of cells of one style.
pub fn runs(buffer: &Buffer, y: u16) -> Vec<(u16, u16, String)> {
    let mut runs: Vec<(u16, u16, String)> = Vec::new();
    for x in 0..buffer.area.width {
        let style = words(&buffer[(x, y)]);
        match runs.last_mut() {
            Some((_, last, before)) if *before == style => *last = x,
            _ => runs.push((x, x, style)),
        }
    }
    runs
}

fn range(first: u16, last: u16) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// The style of a cell in words: `green bold`; none where it has none.
pub fn words(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(cell.fg.to_string().to_lowercase());
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg.to_string().to_lowercase()));
    }
    for (name, _) in cell.modifier.iter_names() {
        words.push(name.to_lowercase());
    }
    words.join(" ")
}

/// Whether nothing in it is of any colour.
pub fn is_colourless(buffer: &Buffer) -> bool {
    buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
}
