//! The mouse: a click chooses, the wheel scrolls, the divider can be dragged.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::{detail, editing, list, run, sheet, step};
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::{Overlay, Pane, State, Tab};
use crate::tui::view::hit::{Target, hit};

/// Rows that the wheel moves by.
const WHEEL: isize = 3;

/// Takes what the mouse did.
pub fn mouse(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    if state.is_too_small() {
        return Vec::new();
    }
    if state.editing.is_some() && state.overlay.is_none() {
        editing::mouse(state, event);
        return Vec::new();
    }
    let target = hit(state, event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            state.toast = None;
            if matches!(state.overlay, Some(Overlay::Filter(_))) {
                // A click is as good as the key that keeps the filter.
                state.overlay = None;
            }
            click(state, target)
        }
        MouseEventKind::Drag(MouseButton::Left) if state.is_dragging => {
            state.divider = Some(event.column);
            list::keep_in_view(state);
            Vec::new()
        }
        MouseEventKind::Up(_) if std::mem::take(&mut state.is_dragging) => {
            // Laid out once, when it is known how wide the detail is to be.
            detail::keep_scroll(state);
            detail::read(state)
        }
        MouseEventKind::ScrollDown => wheel(state, target, WHEEL),
        MouseEventKind::ScrollUp => wheel(state, target, -WHEEL),
        _ => Vec::new(),
    }
}

fn click(state: &mut State, target: Target) -> Vec<Effect> {
    match target {
        Target::Choice(at) => match &mut state.overlay {
            Some(Overlay::Picker(picker)) if at == picker.selected => run(state, Command::Choose),
            Some(Overlay::Picker(picker)) => {
                picker.selected = at;
                Vec::new()
            }
            Some(Overlay::Sheet(sheet)) => {
                // Agreeing is for the key: a second click only leaves a part out.
                let is_again = at == sheet.selected;
                (sheet.selected, sheet.focus, sheet.scroll) = (at, sheet.inputs.len(), 0);
                if is_again { sheet::leave_out(state) } else { Vec::new() }
            }
            Some(Overlay::Palette { selected, .. }) if at == *selected => {
                run(state, Command::RunChosen)
            }
            Some(Overlay::Palette { selected, .. }) => {
                *selected = at;
                Vec::new()
            }
            _ => Vec::new(),
        },
        Target::Row(at) => {
            let is_again = state.selected == at && state.focus == Pane::List;
            state.focus = Pane::List;
            list::choose_row(state, at);
            if is_again { run(state, Command::Open) } else { detail::settle(state) }
        }
        Target::Divider => {
            state.is_dragging = true;
            Vec::new()
        }
        Target::Tab(tab) => {
            state.focus = Pane::Detail;
            detail::show_tab(state, tab)
        }
        Target::Detail(row) => {
            state.focus = Pane::Detail;
            if state.tab == Tab::Files && state.preview.is_none() {
                return file(state, row);
            }
            Vec::new()
        }
        Target::List => {
            state.focus = Pane::List;
            Vec::new()
        }
        Target::Nothing => Vec::new(),
    }
}

/// A file is chosen by the first click and shown by the second.
fn file(state: &mut State, row: usize) -> Vec<Effect> {
    let count = state.shown_pages().map_or(0, |pages| pages.tree.items.len());
    let at = (state.scroll + row).checked_sub(crate::tui::view::files::HEAD);
    match at.filter(|at| *at < count) {
        Some(at) if at == state.file => run(state, Command::Preview),
        Some(at) => {
            state.file = at;
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// The wheel moves what is under it, and leaves the focus where it is.
fn wheel(state: &mut State, target: Target, by: isize) -> Vec<Effect> {
    if state.overlay.is_some() && !matches!(state.overlay, Some(Overlay::Filter(_))) {
        return step(state, by.signum());
    }
    match target {
        Target::Row(_) | Target::List => list::step(state, by),
        Target::Detail(_) | Target::Tab(_) => {
            detail::step(state, by);
            Vec::new()
        }
        Target::Choice(_) | Target::Divider | Target::Nothing => Vec::new(),
    }
}
