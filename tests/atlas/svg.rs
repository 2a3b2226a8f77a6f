//! A drawn buffer as a picture: one text for each run of cells of one style.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The size of a cell in pixels, and where in it letters stand.
const CELL: (usize, usize) = (8, 17);
const BASE: usize = 13;
const EDGE: usize = 8;

const PAPER: &str = "#16181d";
const INK: &str = "#d8dbe2";

const HEAD: &str = "text{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;\
                    white-space:pre}.b{font-weight:700}.d{opacity:.62}\
                    .u{text-decoration:underline}";

/// The sixteen colours as they look on the picture's paper.
fn colour(colour: Color) -> &'static str {
    match colour {
        Color::Black => "#000",
        Color::Red | Color::LightRed => "#ff7b72",
        Color::Green | Color::LightGreen => "#7ee08a",
        Color::Yellow | Color::LightYellow => "#ecc94b",
        Color::Blue | Color::LightBlue => "#79b8ff",
        Color::Magenta | Color::LightMagenta => "#e29bff",
        Color::Cyan | Color::LightCyan => "#5fd7e0",
        Color::Gray => "#b0b4bd",
        Color::DarkGray => "#7d828c",
        _ => INK,
    }
}

/// A run of cells of one style in a row.
struct Run<'a> {
    style: &'a Cell,
    x: usize,
    cells: usize,
    text: String,
}

/// The picture; `title` is told to those who cannot see it.
pub fn picture(buffer: &Buffer, title: &str) -> String {
    let (columns, rows) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let (width, height) = (columns * CELL.0 + 2 * EDGE, rows * CELL.1 + 2 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" fill=\"{INK}\" xml:space=\"preserve\">\
         <title>{}</title><style>{HEAD}</style>\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{PAPER}\"/>\n",
        escaped(title)
    );
    for y in 0..buffer.area.height {
        for run in runs(buffer, y) {
            draw(&mut out, &run, usize::from(y));
        }
    }
    out.push_str("</svg>\n");
    out
}

fn runs(buffer: &Buffer, y: u16) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut covered = 0;
    for x in 0..buffer.area.width {
        if covered > 0 {
            covered -= 1;
            continue;
        }
        let cell = &buffer[(x, y)];
        let cells = cell.symbol().width().max(1);
        covered = cells - 1;
        match runs.last_mut() {
            Some(run) if is_alike(run.style, cell) => {
                run.cells += cells;
                run.text.push_str(cell.symbol());
            }
            _ => runs.push(Run { style: cell, x: x.into(), cells, text: cell.symbol().into() }),
        }
    }
    runs
}

fn is_alike(a: &Cell, b: &Cell) -> bool {
    (a.fg, a.bg, a.modifier) == (b.fg, b.bg, b.modifier)
}

fn draw(out: &mut String, run: &Run<'_>, row: usize) {
    let has = |modifier| run.style.modifier.contains(modifier);
    let is_reversed = has(Modifier::REVERSED);
    let (x, y) = (EDGE + run.x * CELL.0, EDGE + row * CELL.1);
    if is_reversed {
        let (width, ink) = (run.cells * CELL.0, colour(run.style.fg));
        let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\"", CELL.1);
        let _ = writeln!(out, "{rect} fill=\"{ink}\"/>");
    }
    // Blanks around a text need no ink.
    let text = if has(Modifier::UNDERLINED) { &*run.text } else { run.text.trim_end_matches(' ') };
    let blanks = if has(Modifier::UNDERLINED) { 0 } else { text.len() - text.trim_start().len() };
    let text = &text[blanks..];
    if text.is_empty() {
        return;
    }
    let mut class = String::new();
    for (modifier, name) in
        [(Modifier::BOLD, 'b'), (Modifier::DIM, 'd'), (Modifier::UNDERLINED, 'u')]
    {
        if has(modifier) {
            class.push_str(if class.is_empty() { "" } else { " " });
            class.push(name);
        }
    }
    let class = if class.is_empty() { class } else { format!(" class=\"{class}\"") };
    let ink = match (is_reversed, run.style.fg) {
        (true, _) => format!(" fill=\"{PAPER}\""),
        (false, Color::Reset) => String::new(),
        (false, other) => format!(" fill=\"{}\"", colour(other)),
    };
    let (x, y, length) = (x + blanks * CELL.0, y + BASE, text.width() * CELL.0);
    let place = format!("x=\"{x}\" y=\"{y}\" textLength=\"{length}\"");
    let _ = writeln!(out, "<text {place}{class}{ink}>{}</text>", escaped(text));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
