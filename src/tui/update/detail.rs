//! The detail: its tab, its place in the text, and what must be read for it.

use std::sync::Arc;

use super::moved;
use crate::skill::text::{Shown, counted, shown};
use crate::tui::ink::{Piece, Tone};
use crate::tui::message::{Effect, Request};
use crate::tui::pages::{Lay, NUMBERS, Page, Pages};
use crate::tui::state::{Overlay, Pane, Row, State, Tab};
use crate::tui::view;
use crate::tui::yank::{LIMIT, Yank};

/// Lets the detail follow the list.
pub fn settle(state: &mut State) -> Vec<Effect> {
    if state.is_settled() { Vec::new() } else { follow_list(state) }
}

/// Shows the chosen row in the detail, from its beginning.
pub fn follow_list(state: &mut State) -> Vec<Effect> {
    state.shown = state.selected_row();
    state.preview = None;
    state.file = 0;
    show(state, state.tab);
    read(state)
}

/// Brings a tab to the front, at its beginning, or the catalog at the chosen skill.
fn show(state: &mut State, tab: Tab) {
    state.tab = tab;
    state.shift = 0;
    state.at_match = 0;
    let is_list = tab == Tab::Catalog && !state.lay.tool;
    state.scroll = if is_list { view::catalog::scroll_to_chosen(state) } else { 0 };
}

/// Brings a tab to the front; on a narrow screen the detail with it.
pub fn show_tab(state: &mut State, tab: Tab) -> Vec<Effect> {
    state.preview = None;
    show(state, tab);
    if !state.has_two_panes() {
        state.focus = Pane::Detail;
    }
    read(state)
}

/// Asks for the pages of the skill that is shown, where the tab in front needs them.
pub fn read(state: &mut State) -> Vec<Effect> {
    let mut effects = super::report::want_known(state);
    if state.needs_pages() && state.shows_detail() {
        effects.extend(ask(state));
    }
    effects
}

fn ask(state: &mut State) -> Vec<Effect> {
    let (Some(Row::Skill(skill)), Some(deck)) = (state.shown, &state.deck) else {
        return Vec::new();
    };
    let find = match &state.overlay {
        Some(Overlay::Find(field)) => Some(field.text()),
        _ => None,
    };
    let deck = Arc::clone(deck);
    state.request += 1;
    vec![Effect::Read(Request {
        deck,
        skill,
        arguments: state.shown_arguments().map(str::to_owned),
        width: view::detail_width(state),
        lay: state.lay,
        find,
        preview: state.preview.clone(),
        number: state.request,
    })]
}

/// Takes pages.
pub fn pages(state: &mut State, pages: Pages) {
    if pages.request != state.request {
        return;
    }
    let file = state.shown_pages().and_then(|p| p.tree.items.get(state.file));
    let file = file.map(|item| item.path.clone());
    let before = state.pages.replace(pages);
    let was =
        before.as_ref().filter(|p| Some(&p.folder) == state.pages.as_ref().map(|p| &p.folder));
    let was = was.and_then(|pages| state.front_of(pages)).and_then(Page::text);
    if let Some((was, page)) = was.zip(state.page()) {
        state.scroll = page.row_as_in(was, state.scroll);
    }
    let matches = was.map(|page| page.matches.clone());
    keep_scroll(state);
    let last = state.shown_pages().map_or(0, |p| p.tree.items.len().saturating_sub(1));
    let items = state.shown_pages().map_or(&[] as &[_], |pages| &pages.tree.items);
    let same = items.iter().position(|item| Some(&item.path) == file.as_ref());
    state.file = same.unwrap_or(state.file.min(last));
    let is_finding = matches!(state.overlay, Some(Overlay::Find(_)));
    if is_finding && state.page().map(|page| &page.matches) != matches.as_ref() {
        let first = state.page().map_or(0, |p| p.matches.partition_point(|at| *at < state.scroll));
        go_to_match(state, first);
    }
}

/// To another place that was found.
pub fn next_match(state: &mut State, by: isize) {
    let count = state.page().map_or(0, |page| page.matches.len());
    if count > 0 {
        let at = (state.at_match + count).saturating_add_signed(by) % count;
        go_to_match(state, at);
    }
}

fn go_to_match(state: &mut State, at: usize) {
    let Some(page) = state.page() else { return };
    let Some(row) = page.matches.get(at).or(page.matches.first()).copied() else { return };
    let at = if at < page.matches.len() { at } else { 0 };
    let pieces = &page.rows[row].pieces;
    let before = pieces.iter().take_while(|piece| piece.tone() != Tone::Found);
    let column: usize = before.map(Piece::width).sum();
    let width = view::detail_width(state).saturating_sub(NUMBERS + 1);
    state.at_match = at;
    if !state.lay.wrap && (column < state.shift || column >= state.shift + width) {
        state.shift = column.saturating_sub(width / 2);
    }
    let height = view::page_height(state);
    if row < state.scroll || row >= state.scroll + height {
        state.scroll = row.saturating_sub(height / 3);
    }
    keep_scroll(state);
}

/// What is shown may have become shorter.
pub fn keep_scroll(state: &mut State) {
    state.scroll = state.scroll.min(view::last_scroll(state));
}

/// Moves by rows: the chosen file of the Files tab, else the text.
pub fn step(state: &mut State, by: isize) {
    if state.tab != Tab::Files || state.preview.is_some() {
        state.scroll = moved(state.scroll, by, view::last_scroll(state));
        return;
    }
    let last = state.shown_pages().map_or(0, |p| p.tree.items.len().saturating_sub(1));
    choose_file(state, moved(state.file, by, last));
}

/// Chooses a thing of the Files tab, and scrolls so that it is seen.
pub fn choose_file(state: &mut State, at: usize) {
    state.file = at;
    let row = at + view::files::HEAD;
    let height = view::detail_height(state).max(1);
    if at == 0 {
        state.scroll = 0;
    } else if row < state.scroll {
        state.scroll = row;
    } else if row >= state.scroll + height {
        state.scroll = row + 1 - height;
    }
}

/// Lays the pages out in another way, and stays where one was reading.
pub fn relay(state: &mut State, change: impl FnOnce(&mut Lay)) -> Vec<Effect> {
    change(&mut state.lay);
    state.shift = 0;
    if state.tab == Tab::Catalog {
        show(state, Tab::Catalog);
    }
    read(state)
}

/// Shows another part of lines that are not wrapped, as far as one in sight
/// reaches.
pub fn shift(state: &mut State, right: bool) {
    let step = view::detail_width(state) / 2;
    if !right {
        state.shift = state.shift.saturating_sub(step);
        return;
    }
    let height = view::page_height(state);
    let rows = state.page().into_iter().flat_map(|page| &page.rows);
    let widths = rows
        .skip(state.scroll)
        .take(height)
        .map(|row| row.pieces.iter().map(Piece::width).sum::<usize>());
    if widths.max().is_some_and(|width| width > state.shift + step) {
        state.shift += step;
    }
}

/// Shows the chosen file.
pub fn open_preview(state: &mut State) -> Vec<Effect> {
    state.preview = state.chosen_file().map(|item| item.path.clone());
    state.scroll = 0;
    state.at_match = 0;
    read(state)
}

/// Back to the files.
pub fn close_preview(state: &mut State) {
    state.preview = None;
    state.scroll = 0;
    choose_file(state, state.file);
}

/// Sends what is shown to the terminal, if it is not too much.
pub fn yank(state: &mut State) -> Vec<Effect> {
    let Some(Yank { what, text }) = state.yank() else { return Vec::new() };
    if text.len() > LIMIT {
        state.toast = Some(shown(&format!(
            "{what} has {} bytes; terminals take no more than {LIMIT}, so nothing was sent",
            text.len()
        )));
        return Vec::new();
    }
    let chars = counted(text.chars().count(), "character", "characters");
    state.toast = Some(if text.is_empty() {
        Shown::fixed("there is no text to send")
    } else {
        shown(&format!("{what}, {chars}, sent to the terminal"))
    });
    if text.is_empty() { Vec::new() } else { vec![Effect::Yank(text)] }
}
