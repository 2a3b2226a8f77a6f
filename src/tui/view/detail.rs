//! The detail: a title, the tabs, and the page of the tab in front.

use ratatui::layout::Rect;

use super::{activation, body, catalog, files, overview, problems};
use crate::tui::command::Command;
use crate::tui::ink::{Canvas, Piece, Tone, width};
use crate::tui::state::{Pane, State, Tab};

/// Rows above the page: the tabs and an empty one.
pub const HEAD: usize = 2;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let focused = state.focus == Pane::Detail && state.overlay.is_none();
    let title = match (state.shown_skill(), state.shown_not_loaded()) {
        // Where a name is not the folder's, it may be that of several.
        (Some(skill), _) if skill.title() != skill.folder() => {
            format!("{} in {}", skill.title(), skill.folder())
        }
        (Some(skill), _) => skill.title().to_owned(),
        (None, Some(thing)) => thing.path.clone(),
        (None, None) => String::new(),
    };
    let inside = canvas.frame(area, &[Piece::new(title, Tone::Strong)], focused);
    if inside.height == 0 {
        return;
    }
    if state.scroll < super::last_scroll(state) {
        let more = Piece::dim(canvas.theme().sign(" more ↓ ", " more "));
        let x = inside.right().saturating_sub(more.width() as u16 + 1);
        let edge = Rect { x, y: area.bottom() - 1, width: more.width() as u16, height: 1 };
        canvas.row(edge, 0, &[more]);
    }
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if focused {
        canvas.set_cursor(inside.x, inside.y + HEAD as u16);
    }
    if state.shown_not_loaded().is_none() {
        canvas.row(inside, 0, &tabs(state, inside.width.into()));
    }
    let page = Rect {
        y: inside.y + HEAD as u16,
        height: inside.height.saturating_sub(HEAD as u16),
        ..inside
    };
    if let Some(thing) = state.shown_not_loaded() {
        let text = format!("Not loaded: {}", thing.finding.message);
        for (y, row) in
            crate::tui::ink::wrap(&[Piece::plain(text)], page.width.into()).iter().enumerate()
        {
            canvas.row(page, y, row);
        }
        return;
    }
    match state.tab {
        Tab::Overview => {
            rows(canvas, page, &overview::rows(state, page.width.into()), state.scroll);
        }
        Tab::Body => body::draw(state, canvas, page),
        Tab::Activation => activation::draw(state, canvas, page),
        Tab::Catalog => catalog::draw(state, canvas, page),
        Tab::Files => files::draw(state, canvas, page),
        Tab::Problems => {
            rows(canvas, page, &problems::rows(state, page.width.into()), state.scroll);
        }
    }
}

/// How many rows (of the catalog: skills) the page has.
pub fn length(state: &State) -> usize {
    let width = super::detail_width(state);
    match state.tab {
        Tab::Overview => overview::rows(state, width).len(),
        Tab::Problems => problems::rows(state, width).len(),
        Tab::Catalog if !state.lay.tool => catalog::length(state),
        Tab::Files if state.preview.is_none() => state
            .shown_pages()
            .map_or(0, |p| p.tree.items.len() + usize::from(p.tree.more > 0) + files::HEAD),
        Tab::Body | Tab::Activation | Tab::Catalog | Tab::Files => {
            state.page().map_or(0, |page| page.rows.len())
        }
    }
}

/// Rows of the page that stay when it is scrolled.
pub fn pinned(state: &State) -> usize {
    match state.tab {
        Tab::Activation => activation::HEAD,
        Tab::Files if state.preview.is_some() => files::HEAD,
        Tab::Catalog => catalog::HEAD,
        _ => 0,
    }
}

/// Draws rows from `scroll` on.
pub fn rows(canvas: &mut Canvas<'_>, area: Rect, rows: &[Vec<Piece>], scroll: usize) {
    for (y, row) in rows.iter().skip(scroll).take(area.height.into()).enumerate() {
        canvas.row(area, y, row);
    }
}

/// What a page shows until its files have been read.
pub fn waiting(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let text =
        if state.shown_skill().is_some() { "Reading …" } else { "There is no skill to show." };
    canvas.row(area, 0, &[Piece::dim(text)]);
}

/// The tab in a column of the row of tabs.
pub fn tab_at(state: &State, column: u16) -> Option<Tab> {
    let room = super::detail_width(state);
    let mut x = 0;
    tabs(state, room).chunks(2).zip(Tab::ALL).find_map(|(pieces, tab)| {
        x += pieces.iter().map(Piece::width).sum::<usize>();
        (usize::from(column) < x).then_some(tab)
    })
}

/// The tabs; when it is narrow only the one in front has its name.
fn tabs(state: &State, room: usize) -> Vec<Piece> {
    let problems = state.shown_skill().map_or(0, |s| s.findings.len());
    let name = |tab: Tab| match (tab, problems) {
        (Tab::Problems, 1..) => format!("{}·{problems}", tab.name()),
        _ => tab.name().to_owned(),
    };
    let key = |tab| state.keys.name(Command::ShowTab(tab));
    // Each with its key and a space, and brackets around the one in front.
    let whole: usize =
        Tab::ALL.iter().map(|t| width(&name(*t)) + width(&key(*t)) + 2).sum::<usize>() + 1;
    let mut pieces = Vec::new();
    for tab in Tab::ALL {
        let front = tab == state.tab;
        let tone = if front { Tone::Accent } else { Tone::Dim };
        let text =
            if front || whole <= room { format!("{} {}", key(tab), name(tab)) } else { key(tab) };
        let text = if state.theme.ascii { text.replace('·', ":") } else { text };
        // The tab in front is told without colour too.
        pieces.push(Piece::new(if front { format!("[{text}]") } else { text }, tone));
        pieces.push(Piece::plain(" "));
    }
    pieces
}
