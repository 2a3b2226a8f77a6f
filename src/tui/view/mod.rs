//! Drawing: a pure function of the state.

pub mod activation;
pub mod body;
pub mod catalog;
pub mod detail;
pub mod dialog;
pub mod editor;
pub mod field;
pub mod files;
pub mod footer;
pub mod gauge;
pub mod header;
pub mod help;
pub mod hit;
pub mod list;
pub mod notice;
pub mod overview;
pub mod palette;
pub mod picker;
pub mod problems;
pub mod sheet;
pub mod toast;

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::ink::{Canvas, Piece, Tone};
use super::state::{Overlay, Pane, SMALLEST, State};
use super::terminal::Terminal;

/// Dialogs have the whole width below so many columns.
const NARROW: u16 = 60;

/// Where things are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    header: Rect,
    /// Where a pane has the whole width.
    middle: Rect,
    /// The list, when it is on the screen.
    list: Option<Rect>,
    /// The detail, when it is on the screen.
    detail: Option<Rect>,
    gauge: Rect,
    footer: Rect,
}

impl Areas {
    /// Divides the terminal.
    pub fn of(state: &State) -> Self {
        let (width, height) = state.size;
        let row = |y| Rect { x: 0, y, width, height: 1 };
        let middle = Rect { x: 0, y: 1, width, height: height.saturating_sub(3) };
        let left = state.divider.map_or_else(
            || (width * 17 / 40).clamp(46, 72),
            |x| (x + 1).clamp(30, width.saturating_sub(30).max(30)),
        );
        let (list, detail) = match (state.has_two_panes(), state.focus) {
            (true, _) => (
                Some(Rect { width: left, ..middle }),
                Some(Rect { x: left, width: width.saturating_sub(left), ..middle }),
            ),
            (false, Pane::List) => (Some(middle), None),
            (false, Pane::Detail) => (None, Some(middle)),
        };
        Self {
            header: row(0),
            middle,
            list,
            detail,
            gauge: row(height.saturating_sub(2)),
            footer: row(height.saturating_sub(1)),
        }
    }
}

/// What is within a frame.
fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

/// The rows that the list shows at once.
pub fn list_height(state: &State) -> usize {
    // Also while the other pane hides it.
    usize::from(inside(Areas::of(state).middle).height)
}

/// The cells of a row of the detail.
pub fn detail_width(state: &State) -> usize {
    let area = Areas::of(state).detail.unwrap_or(Rect { width: state.size.0, ..Rect::ZERO });
    usize::from(inside(area).width).saturating_sub(2)
}

/// The rows of the detail's text.
pub fn detail_height(state: &State) -> usize {
    usize::from(inside(Areas::of(state).middle).height).saturating_sub(detail::HEAD)
}

/// The rows of the detail's text that scroll.
pub fn page_height(state: &State) -> usize {
    let hidden = if matches!(state.overlay, Some(Overlay::Find(_))) { dialog::FIND } else { 0 };
    detail_height(state).saturating_sub(detail::pinned(state) + hidden)
}

/// A page of whatever has the focus, in rows.
pub fn page(state: &State) -> isize {
    let rows = match (&state.overlay, state.focus) {
        (Some(Overlay::Sheet(_)), _) => return sheet::page(state),
        (Some(Overlay::Filter(_)), _) | (None, Pane::List) => list_height(state),
        (Some(_), _) => usize::from(state.size.1) / 2,
        (None, Pane::Detail) => page_height(state),
    };
    isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1)
}

/// The last line from which the detail can be shown.
pub fn last_scroll(state: &State) -> usize {
    let is_list = state.tab == super::state::Tab::Catalog && !state.lay.tool;
    detail::length(state).saturating_sub(if is_list { 1 } else { page_height(state) })
}

/// Draws the state on a terminal; returns the bytes it took.
///
/// # Errors
/// When the terminal cannot be written any more.
pub fn draw_frame(terminal: &mut Terminal, state: &State) -> io::Result<usize> {
    terminal.draw(|frame| {
        if let Some(cursor) = draw(state, frame.buffer_mut()) {
            frame.set_cursor_position(cursor);
        }
    })
}

/// Draws the state; returns where the hardware cursor is wanted.
pub fn draw(state: &State, buffer: &mut Buffer) -> Option<Position> {
    let (width, height) = state.size;
    if buffer.area.width != width || buffer.area.height != height {
        // The size is about to be told; until then nothing fits.
        return None;
    }
    let mut canvas = Canvas::new(buffer, state.theme);
    if state.is_too_small() {
        too_small(state, &mut canvas);
        return None;
    }
    let areas = Areas::of(state);
    header::draw(state, &mut canvas, areas.header);
    if let Some(editing) = &state.editing {
        editor::draw(state, &mut canvas, editing);
        editor::budget(&mut canvas, areas.gauge, editing);
    } else {
        if let Some(area) = areas.list {
            list::draw(state, &mut canvas, area);
        }
        if let Some(area) = areas.detail {
            detail::draw(state, &mut canvas, area);
        }
        gauge::draw(state, &mut canvas, areas.gauge);
    }
    footer::draw(state, &mut canvas, areas.footer);
    match &state.overlay {
        Some(Overlay::Help { query, scroll }) => help::draw(state, &mut canvas, query, *scroll),
        Some(Overlay::Palette { query, selected }) => {
            palette::draw(state, &mut canvas, query, *selected);
        }
        Some(Overlay::Picker(picker)) => picker::draw(state, &mut canvas, picker),
        Some(Overlay::Arguments { field, folder }) => {
            dialog::arguments(state, &mut canvas, field, folder);
        }
        Some(Overlay::Find(text)) => dialog::find(state, &mut canvas, text),
        Some(Overlay::Budget { field, before, .. }) => {
            dialog::budget(state, &mut canvas, field, before);
        }
        Some(Overlay::Notice { title, lines, scroll }) => {
            notice::draw(state, &mut canvas, title, lines, *scroll);
        }
        Some(Overlay::Search(search)) => editor::search(state, &mut canvas, search),
        Some(Overlay::Sheet(sheet)) => sheet::draw(state, &mut canvas, sheet),
        // The list draws it.
        Some(Overlay::Filter(_)) | None => {}
    }
    toast::draw(state, &mut canvas, areas.gauge);
    let cursor = canvas.cursor();
    if state.overlay.is_some() || state.toast.is_some() {
        super::ink::mend(buffer);
    }
    cursor
}

fn too_small(state: &State, canvas: &mut Canvas<'_>) {
    let (width, height) = state.size;
    let area = Rect { x: 0, y: 0, width, height };
    let by = canvas.theme().sign("×", "x");
    let lines = [
        format!("{width}{by}{height} is too small"),
        format!("skilldeck needs {}{by}{}", SMALLEST.0, SMALLEST.1),
        format!("{} quits", state.keys.name(super::command::Command::Quit)),
    ];
    for (y, line) in lines.iter().enumerate() {
        canvas.row(area, y, &[Piece::new(line, Tone::Plain)]);
    }
}
