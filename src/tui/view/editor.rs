//! The editor, over both panes.

use ratatui::layout::Rect;

use super::field;
use crate::skill::text::{counted, thousands};
use crate::skill::{Level, Status};
use crate::tui::editing::{Editing, Search, Underneath};
use crate::tui::editor::buffer::byte;
use crate::tui::editor::find::Needle;
use crate::tui::editor::glyphs::{place, rows};
use crate::tui::editor::syntax::{tones, zones};
use crate::tui::editor::{Editor, complete};
use crate::tui::ink::{Canvas, Piece, Theme, Tone, wrap};
use crate::tui::state::{Overlay, State};

/// Cells before the text: a sign and the number of the line.
const GUTTER: usize = 7;

/// Cells of a row of text, and rows.
pub fn size(state: &State) -> (usize, usize) {
    let area = text_area(state);
    (usize::from(area.width).saturating_sub(GUTTER), usize::from(area.height))
}

/// Where the text is; the last rows within the frame say where one is and what
/// there is to be said of the line.
fn text_area(state: &State) -> Rect {
    let inside = super::inside(super::Areas::of(state).middle);
    Rect { height: inside.height.saturating_sub(status_rows(inside)), ..inside }
}

/// Two rows, so that the way out is read too, where there is room for them.
fn status_rows(inside: Rect) -> u16 {
    if inside.height < 12 { 1 } else { 2 }
}

/// The row and cell of the text at a place of the screen.
pub fn at(state: &State, column: u16, row: u16) -> Option<(usize, usize)> {
    let area = text_area(state);
    let is_in = area.contains(ratatui::layout::Position { x: column, y: row });
    let x = usize::from(column.saturating_sub(area.x)).saturating_sub(GUTTER);
    is_in.then(|| (usize::from(row - area.y), x))
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, editing: &Editing) {
    let area = super::Areas::of(state).middle;
    let mut title = vec![Piece::new(editing.title().as_str(), Tone::Strong)];
    if editing.editor.buffer.is_changed() {
        title.push(Piece::new("  not saved", Tone::Warn));
    }
    match editing.underneath {
        Underneath::Same => {}
        Underneath::Changed => title.push(Piece::new("  changed on disk", Tone::Bad)),
        Underneath::Gone => title.push(Piece::new("  deleted on disk", Tone::Bad)),
    }
    let inside = canvas.frame(area, &title, state.overlay.is_none());
    let text = text_area(state);
    draw_text(state, canvas, &editing.editor, text);
    let status = Rect { y: text.bottom(), height: status_rows(inside), ..inside };
    let room = usize::from(status.width);
    let mut rows = wrap(&here(&editing.editor, canvas.theme()), room);
    if status.height == 1 {
        // Cut with a sign that it goes on.
        rows = vec![here(&editing.editor, canvas.theme())];
    }
    super::detail::rows(canvas, status, &rows, 0);
}

fn draw_text(state: &State, canvas: &mut Canvas<'_>, editor: &Editor, area: Rect) {
    let buffer = &editor.buffer;
    let (top, first) = editor.top;
    let needle = match &state.overlay {
        Some(Overlay::Search(search)) => Some(Needle::new(&search.find.text())),
        _ => None,
    };
    let cursor = buffer.cursor();
    let selection = buffer.selection();
    let room = usize::from(area.width).saturating_sub(GUTTER);
    let zones = zones(editor.syntax, buffer.lines()).enumerate().skip(top);
    let mut y = 0;
    for (at, zone) in zones {
        let line = buffer.line(at);
        let looks = tones(editor.syntax, zone, line);
        let found = needle.as_ref().map_or_else(Vec::new, |needle| needle.in_line(line));
        let selected = selection.map(|(from, to)| {
            let start = if at == from.line { byte(line, from.char) } else { 0 };
            let end = if at == to.line { byte(line, to.char) } else { line.len() };
            let is_in = (from.line..=to.line).contains(&at);
            if is_in { start..end } else { 0..0 }
        });
        let tone = |byte: usize| {
            if selected.as_ref().is_some_and(|range| range.contains(&byte)) {
                return Tone::Selected;
            }
            if found.iter().any(|range| range.contains(&byte)) {
                return Tone::Found;
            }
            let next = looks.partition_point(|(range, _)| range.start <= byte);
            let look = next.checked_sub(1).and_then(|i| looks.get(i));
            look.filter(|(range, _)| range.contains(&byte)).map_or(Tone::Plain, |(_, tone)| *tone)
        };
        let rows = rows(line, room, editor.signs, tone);
        let skipped = if at == top { first } else { 0 };
        let place = (at == cursor.line).then(|| place(&rows, cursor.char));
        for (n, row) in rows.iter().enumerate().skip(skipped) {
            if y >= usize::from(area.height) {
                return;
            }
            let mut pieces = gutter(editor, at, n == 0, canvas.theme());
            pieces.extend(
                row.glyphs
                    .iter()
                    .fold(Vec::new(), |mut pieces: Vec<_>, glyph| {
                        // One piece for all that looks alike.
                        match pieces.last_mut() {
                            Some((text, tone)) if *tone == glyph.tone => {
                                String::push_str(text, &glyph.text);
                            }
                            _ => pieces.push((glyph.text.clone().into_owned(), glyph.tone)),
                        }
                        pieces
                    })
                    .into_iter()
                    .map(|(text, tone)| Piece::new(text, tone)),
            );
            canvas.row(area, y, &pieces);
            if let Some((_, cell)) = place.filter(|(row, _)| *row == n) {
                let x = area.x + (GUTTER + cell) as u16;
                canvas.set_cursor(x.min(area.right().saturating_sub(1)), area.y + y as u16);
            }
            y += 1;
        }
    }
}

fn gutter(editor: &Editor, line: usize, is_begin: bool, theme: Theme) -> Vec<Piece> {
    let marks = editor.marks.iter().filter(|mark| mark.at.line == line);
    let worst = marks.map(|mark| mark.level).max().filter(|_| is_begin);
    let (sign, tone) = match worst {
        None => (" ", Tone::Dim),
        Some(level) => level_sign(level, theme),
    };
    let number = if is_begin { (line + 1).to_string() } else { String::new() };
    vec![Piece::new(sign, tone), Piece::dim(format!("{number:>w$} ", w = GUTTER - 2))]
}

fn level_sign(level: Level, theme: Theme) -> (&'static str, Tone) {
    match level {
        Level::Error => (theme.sign("✖", "x"), Tone::Bad),
        Level::Warning => (theme.sign("▲", "!"), Tone::Warn),
        Level::Note => (theme.sign("·", "."), Tone::Accent),
    }
}

/// Where one is, and what is to be said of it.
fn here(editor: &Editor, theme: Theme) -> Vec<Piece> {
    let cursor = editor.buffer.cursor();
    let place = format!(" {}:{}  ", thousands(cursor.line as u64 + 1), cursor.char + 1);
    let mut pieces = vec![Piece::dim(place)];
    if let Some((_, found)) = complete::candidates(&editor.buffer, editor.syntax) {
        pieces.push(Piece::new("tab ", Tone::Accent));
        for (n, (key, about)) in found.iter().take(4).enumerate() {
            let tone = if n == 0 { Tone::Strong } else { Tone::Dim };
            pieces.push(Piece::new(format!("{key}: "), tone));
            if n == 0 {
                pieces.push(Piece::dim(format!("{about}  ")));
            }
        }
        return pieces;
    }
    if let Some((from, to)) = editor.buffer.selection() {
        let count = editor.buffer.text_between(from, to).chars().count();
        pieces
            .push(Piece::plain(format!("{} selected", counted(count, "character", "characters"))));
        return pieces;
    }
    if let Some(mark) = editor.mark_here() {
        let (sign, tone) = level_sign(mark.level, theme);
        pieces.push(Piece::new(format!("{sign} "), tone));
        pieces.push(Piece::new(mark.message.as_str(), tone));
    }
    pieces
}

/// The line about the budget: what the text would change.
pub fn budget(canvas: &mut Canvas<'_>, area: Rect, editing: &Editing) {
    if !editing.is_skill() {
        let bytes = editing.editor.buffer.bytes().len();
        let text = format!(" {}", counted(bytes, "byte", "bytes"));
        canvas.row(area, 0, &[Piece::dim(text)]);
        return;
    }
    let Some(trial) = &editing.trial else { return };
    let tone = match (trial.status, trial.cut.is_empty()) {
        (Status::Error, _) => Tone::Bad,
        (_, false) => Tone::Warn,
        _ => Tone::Plain,
    };
    let findings = trial.findings.len();
    let said = match findings {
        0 => "nothing to find fault with".to_owned(),
        n => counted(n, "finding", "findings"),
    };
    canvas.row(
        area,
        0,
        &[
            Piece::new(" Budget ", Tone::Strong),
            Piece::new(trial.words(), tone),
            Piece::dim(format!("   {said}")),
        ],
    );
}

/// The lines in which one types what is looked for, and what takes its place.
pub fn search(state: &State, canvas: &mut Canvas<'_>, search: &Search) {
    let Some(editing) = &state.editing else { return };
    let title = [Piece::new("Find and replace", Tone::Strong)];
    let inside = super::dialog::open(state, canvas, &title, 2);
    let buffer = &editing.editor.buffer;
    let all = Needle::new(&search.find.text()).all(buffer);
    let at = buffer.selection().and_then(|selection| all.iter().position(|f| *f == selection));
    let said = match (all.len(), at) {
        (0, _) if search.find.text().is_empty() => String::new(),
        (0, _) => "nowhere".to_owned(),
        (n, Some(at)) => format!("{} of {}", at + 1, thousands(n as u64)),
        (n, None) => counted(n, "place", "places"),
    };
    let rows = [
        ("find    ", &search.find, !search.is_replacing),
        ("replace ", &search.replace, search.is_replacing),
    ];
    for (y, (label, text, has_focus)) in rows.into_iter().enumerate() {
        let tone = if has_focus { Tone::Accent } else { Tone::Dim };
        let area = Rect { y: inside.y + y as u16, height: 1, ..inside };
        canvas.row(area, 0, &[Piece::new(label, tone)]);
        let right = if y == 0 { said.chars().count() as u16 + 1 } else { 0 };
        let line = Rect { x: area.x + 8, width: area.width.saturating_sub(9 + right), ..area };
        let cursor = canvas.cursor();
        field::draw(canvas, line, text);
        if let (false, Some(cursor)) = (has_focus, cursor) {
            canvas.set_cursor(cursor.x, cursor.y);
        }
        if y == 0 {
            let area = Rect { x: line.right(), width: right + 1, ..area };
            canvas.row(area, 0, &[Piece::dim(format!(" {said}"))]);
        }
    }
}
