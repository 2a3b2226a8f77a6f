//! What is at a place of the screen, for the mouse.

use ratatui::layout::{Position, Rect};

use super::{Areas, detail, inside, palette, picker};
use crate::tui::state::{Overlay, State, Tab};

/// A thing on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A row of the list.
    Row(usize),
    /// The list, beside its rows.
    List,
    /// The line between the panes.
    Divider,
    /// A tab.
    Tab(Tab),
    /// The page of the detail, so many rows down.
    Detail(usize),
    /// A row of the list that is open over the screen.
    Choice(usize),
    /// Nothing that takes a click.
    Nothing,
}

/// What is at column `x` and row `y`.
pub fn hit(state: &State, x: u16, y: u16) -> Target {
    let at = Position { x, y };
    match &state.overlay {
        None | Some(Overlay::Filter(_)) => {}
        Some(Overlay::Picker(open)) => {
            let rows = inside(picker::area(state, open));
            let item = rows.contains(at).then(|| picker::at(state, open, y - rows.y)).flatten();
            return item.map_or(Target::Nothing, Target::Choice);
        }
        Some(Overlay::Palette { selected, .. }) => {
            let (_, list) = palette::areas(state);
            let row =
                palette::first(*selected, list.height) + usize::from(y.saturating_sub(list.y));
            let is_there = list.contains(at) && row < palette::found(state).len();
            return if is_there { Target::Choice(row) } else { Target::Nothing };
        }
        Some(Overlay::Sheet(_)) => {
            return super::sheet::item_at(state, y).map_or(Target::Nothing, Target::Choice);
        }
        Some(_) => return Target::Nothing,
    }
    let areas = Areas::of(state);
    if let Some(list) = areas.list.filter(|area| area.contains(at)) {
        if state.has_two_panes() && x + 1 == list.right() {
            return Target::Divider;
        }
        return row(state, inside(list), at);
    }
    match areas.detail.filter(|area| area.contains(at)) {
        Some(area) if state.has_two_panes() && x == area.x => Target::Divider,
        Some(area) => page(state, inside(area), at),
        None => Target::Nothing,
    }
}

fn row(state: &State, rows: Rect, at: Position) -> Target {
    let row = state.offset + usize::from(at.y.saturating_sub(rows.y));
    if rows.contains(at) && row < state.rows.len() { Target::Row(row) } else { Target::List }
}

fn page(state: &State, page: Rect, at: Position) -> Target {
    let Some(row) = at.y.checked_sub(page.y) else { return Target::Detail(0) };
    if row == 0 {
        // The tabs begin a column further in than the frame.
        return detail::tab_at(state, at.x.saturating_sub(page.x + 1))
            .map_or(Target::Detail(0), Target::Tab);
    }
    Target::Detail(usize::from(row).saturating_sub(detail::HEAD))
}
