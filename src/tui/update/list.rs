//! The list: what is in it, what is chosen, where it is.

use std::sync::Arc;

use super::{detail, dialog, moved};
use crate::project::Deck;
use crate::skill::Level;
use crate::skill::text::{Shown, shown};
use crate::tui::field::Field;
use crate::tui::filter::Filter;
use crate::tui::listing::{Listing, Row, Wanted};
use crate::tui::message::Effect;
use crate::tui::state::{Incoming, Overlay, Pane, Reading, Sort, State, Tab};
use crate::tui::view;

/// A deck waits for its rows, so that the two on the screen always agree.
pub fn new_deck(
    state: &mut State,
    deck: Arc<Deck>,
    scanning: bool,
    news: Option<Shown>,
) -> Vec<Effect> {
    let reading = match (scanning, deck.unread) {
        (true, _) => Reading::Scanning(deck.skills.len()),
        (false, 0) => Reading::Done,
        (false, left) => Reading::Stopped(left),
    };
    // What was done here was told already.
    let news = news.filter(|_| !state.is_own_news);
    let is_done = reading == Reading::Done;
    let earlier = state.incoming.take().and_then(|incoming| incoming.news);
    state.incoming = Some(Incoming { deck, reading, news: news.or(earlier) });
    let mut effects = want_rows(state);
    if is_done {
        effects.extend(follow(state));
    }
    effects
}

/// Asks for the rows of what was read last.
pub fn want_rows(state: &mut State) -> Vec<Effect> {
    let incoming = state.incoming.as_ref().map(|incoming| &incoming.deck);
    let Some(deck) = incoming.or(state.deck.as_ref()) else { return Vec::new() };
    state.rows_request += 1;
    vec![Effect::List(Wanted {
        deck: Arc::clone(deck),
        filter: state.filter.clone(),
        sort: state.sort,
        number: state.rows_request,
    })]
}

/// Takes rows, and the deck that waited for them.
pub fn new_rows(state: &mut State, listing: Listing) -> Vec<Effect> {
    if listing.number != state.rows_request {
        return Vec::new();
    }
    let (chosen, shown) = (state.selected_key(), state.shown_key());
    let is_first = state.deck.is_none();
    // While the list fills in, the first row stays the chosen one until one moves.
    let is_filling = matches!(state.reading, Reading::Scanning(_)) && state.selected == 0;
    let mut effects = Vec::new();
    if let Some(incoming) = state.incoming.take() {
        install(state, incoming);
        effects = dialog::ask_again(state);
        effects.extend(super::report::ask_again(state));
    }
    state.rows = listing.rows;
    state.found = listing.skills;
    let remembered = state.remembered.take();
    let best = listing.best.filter(|_| std::mem::take(&mut state.aims));
    let is_found = match best {
        Some(best) => select(state, |row| row == Row::Skill(best)),
        None => select_key(state, remembered.as_deref()),
    };
    if !is_found {
        let stays = is_first || is_filling || select_key(state, chosen.as_deref());
        // Its folder may only be away for a moment, or filtered out.
        state.remembered = remembered.or(chosen.filter(|_| !stays));
    }
    state.selected = state.selected.min(state.rows.len().saturating_sub(1));
    skip_cut(state, 1);
    keep_in_view(state);
    if shown.is_some() && state.selected_key() == shown {
        state.shown = state.selected_row();
        detail::keep_scroll(state);
        effects.extend(detail::read(state));
    } else {
        effects.extend(detail::follow_list(state));
    }
    if matches!(state.overlay, Some(Overlay::Budget { .. })) {
        keep_cut_in_view(state);
    }
    effects
}

fn install(state: &mut State, incoming: Incoming) {
    let Incoming { deck, reading, news } = incoming;
    state.deck = Some(deck);
    state.reading = reading;
    let Some(news) = news else { return };
    state.toast = Some(for_sessions(state, &news));
}

/// What is told of a change; with the first also what it means for sessions.
pub fn for_sessions(state: &mut State, text: &Shown) -> Shown {
    if std::mem::replace(&mut state.told_sessions, true) {
        return text.clone();
    }
    shown(&format!("{text}; running kaged sessions keep their catalog until restarted"))
}

/// The root cannot be read.
pub fn trouble(state: &mut State, message: Shown) -> Vec<Effect> {
    state.remembered = state.selected_key().or(state.remembered.take());
    state.reading = Reading::Failed(message);
    state.deck = None;
    state.incoming = None;
    // Rows that are still on their way belong to nothing now.
    state.rows_request += 1;
    state.rows.clear();
    state.found = 0;
    state.selected = 0;
    state.shown = None;
    // The list says what is wrong and what to do. What is being typed stays: its
    // letters must not become commands.
    state.focus = Pane::List;
    // Without a watcher nobody would tell when it can be read.
    follow(state)
}

/// The watcher starts after the first scan, and once.
fn follow(state: &mut State) -> Vec<Effect> {
    if std::mem::replace(&mut state.is_following, true) {
        return Vec::new();
    }
    vec![Effect::Follow]
}

fn select_key(state: &mut State, key: Option<&str>) -> bool {
    let Some((key, deck)) = key.zip(state.deck.clone()) else { return false };
    select(state, |row| match row {
        Row::Skill(i) => deck.skills[i].folder() == key,
        Row::NotLoaded(i) => key.strip_prefix('/') == Some(deck.not_loaded[i].path.as_str()),
        Row::Cut => false,
    })
}

fn select(state: &mut State, is_it: impl Fn(Row) -> bool) -> bool {
    let at = state.rows.iter().position(|row| is_it(*row));
    state.selected = at.unwrap_or(state.selected);
    at.is_some()
}

/// Moves the choice by rows; the detail follows when it rests.
pub fn step(state: &mut State, by: isize) -> Vec<Effect> {
    state.remembered = None;
    state.home = None;
    state.selected = moved(state.selected, by, state.rows.len().saturating_sub(1));
    skip_cut(state, if by < 0 { -1 } else { 1 });
    keep_in_view(state);
    Vec::new()
}

/// Chooses a row.
pub fn choose_row(state: &mut State, at: usize) {
    if state.rows.get(at).is_some_and(|row| *row != Row::Cut) {
        state.remembered = None;
        state.selected = at;
        keep_in_view(state);
    }
}

/// The line of the cut cannot be chosen. A skill that is cut is always below it.
fn skip_cut(state: &mut State, direction: isize) {
    if state.selected_row() == Some(Row::Cut) {
        let is_first = state.selected == 0;
        state.selected = state.selected.saturating_add_signed(if is_first { 1 } else { direction });
    }
}

/// Scrolls the list so that the chosen row is seen.
pub fn keep_in_view(state: &mut State) {
    let height = view::list_height(state).max(1);
    let last = state.rows.len().saturating_sub(height);
    let more = if state.is_rushed { height / 2 } else { 0 };
    if state.selected < state.offset {
        state.offset = state.selected.saturating_sub(more);
    } else if state.selected >= state.offset + height {
        state.offset = state.selected + 1 + more - height;
    }
    // The line of the cut is seen with the row below it.
    if state.offset > 0
        && state.offset == state.selected
        && state.rows[state.offset - 1] == Row::Cut
    {
        state.offset -= 1;
    }
    state.offset = state.offset.min(last);
}

/// Scrolls the list so that the cut is seen, which moves with a budget.
pub fn keep_cut_in_view(state: &mut State) {
    let Some(at) = state.rows.iter().position(|row| *row == Row::Cut) else { return };
    let height = view::list_height(state);
    // The dialog covers the lowest rows.
    if at < state.offset + 1 || at + 8 > state.offset + height {
        let last = state.rows.len().saturating_sub(height);
        state.offset = at.saturating_sub(height / 3).min(last);
    }
}

/// Opens the line in which the filter is typed.
pub fn open_filter(state: &mut State) -> Vec<Effect> {
    state.focus = Pane::List;
    state.home = state.selected_key();
    state.overlay = Some(Overlay::Filter(Field::line(state.filter.text())));
    Vec::new()
}

/// Narrows the list to what is typed.
pub fn set_filter(state: &mut State, text: &str) -> Vec<Effect> {
    let filter = Filter::new(text);
    if filter == state.filter {
        return Vec::new();
    }
    state.aims = filter.has_text();
    if !state.aims && state.home.is_some() {
        // Letters on the way to a word, such as `is:`, have led nowhere.
        state.remembered.clone_from(&state.home);
    }
    state.filter = filter;
    want_rows(state)
}

/// Shows every skill again.
pub fn clear_filter(state: &mut State) -> Vec<Effect> {
    state.overlay = None;
    state.home = None;
    set_filter(state, "")
}

/// Puts the list in another order.
pub fn set_sort(state: &mut State, sort: Sort) -> Vec<Effect> {
    state.sort = sort;
    want_rows(state)
}

/// Reads the disk again, asked for by the user.
pub fn rescan(state: &mut State) -> Vec<Effect> {
    state.reading = if state.deck.is_some() { Reading::Again(0) } else { Reading::Scanning(0) };
    let mut effects = vec![Effect::Look];
    effects.extend(detail::read(state));
    effects
}

/// Chooses the skill of a folder, if it is among those shown.
pub fn go_to(state: &mut State, folder: &str) -> Vec<Effect> {
    let deck = state.deck.clone();
    let is_it = |row: &Row| match (row, &deck) {
        (Row::Skill(i), Some(deck)) => deck.skills[*i].folder() == folder,
        _ => false,
    };
    if let Some(at) = state.rows.iter().position(is_it) {
        choose_row(state, at);
        return detail::settle(state);
    }
    state.toast = Some(shown(&format!("`{folder}` is not among the skills that are shown")));
    Vec::new()
}

/// To the next problem: of the Problems tab when it has the focus, else of the list.
pub fn problem(state: &mut State, direction: isize) -> Vec<Effect> {
    if state.focus == Pane::Detail && state.tab == Tab::Problems {
        let starts = view::problems::starts(state);
        let next = if direction > 0 {
            starts.into_iter().find(|start| *start > state.scroll)
        } else {
            starts.into_iter().rfind(|start| *start < state.scroll)
        };
        if let Some(next) = next.filter(|next| *next <= view::last_scroll(state)) {
            state.scroll = next;
            return Vec::new();
        }
    }
    let Some(deck) = state.deck.clone() else { return Vec::new() };
    let is_problem = |row: &Row| match row {
        Row::Skill(i) => deck.skills[*i].findings.iter().any(|f| f.level > Level::Note),
        Row::Cut | Row::NotLoaded(_) => false,
    };
    let problems: Vec<usize> =
        (0..state.rows.len()).filter(|at| is_problem(&state.rows[*at])).collect();
    let count = problems.len();
    let next = if direction > 0 {
        problems.iter().position(|at| *at > state.selected).or((count > 0).then_some(0))
    } else {
        problems.iter().rposition(|at| *at < state.selected).or(count.checked_sub(1))
    };
    let Some(next) = next else {
        state.toast = Some(Shown::fixed("no problem among those shown; there are others"));
        return Vec::new();
    };
    choose_row(state, problems[next]);
    state.toast = Some(shown(&format!("skill {} of {count} with a problem", next + 1)));
    detail::settle(state)
}
