//! Every change of the state: a message in, effects out.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use tui_textarea::{CursorMove, Input, TextArea};

use super::command::{self, Command};
use super::key::Key;
use super::message::{Effect, Message, Request};
use super::state::{Choice, Overlay, Pane, Picker, Reading, Row, State, Tab, rows};
use super::view;
use crate::profile::Profile;
use crate::project::Deck;
use crate::project::watch::Mode;
use crate::skill::text::{Shown, shown};

/// Takes a message; returns what is to be done outside the state.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(event) => key(state, event),
        Message::Paste(text) => paste(state, &text),
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            keep_in_view(state);
            keep_scroll(state);
            read(state)
        }
        Message::Deck { deck, scanning, reloaded } => new_deck(state, deck, scanning, reloaded),
        Message::Trouble(message) => {
            state.remembered = state.selected_key().or(state.remembered.take());
            state.reading = Reading::Failed(message);
            state.deck = None;
            state.rows.clear();
            state.selected = 0;
            state.overlay = None;
            // The list says what is wrong and what to do.
            state.focus = Pane::List;
            // Without a watcher nobody would tell when it can be read.
            follow(state)
        }
        Message::AgentGone { agent, message } => {
            // Another may have been chosen since.
            if state.view.agent == agent {
                state.view.agent = None;
            }
            state.toast = Some(message);
            Vec::new()
        }
        Message::Pages(pages) => {
            if pages.request == state.request {
                state.pages = Some(pages);
                keep_scroll(state);
            }
            Vec::new()
        }
        Message::Mode(mode) => {
            if let Mode::Polling(reason) = &mode {
                state.toast = Some(shown(&format!("changes are looked for every 2 s: {reason}")));
            }
            state.mode = Some(mode);
            Vec::new()
        }
        Message::Died(worker) => vec![Effect::Fail(worker)],
    }
}

fn new_deck(state: &mut State, deck: Arc<Deck>, scanning: bool, reloaded: bool) -> Vec<Effect> {
    let key = state.selected_key().or(state.remembered.take());
    let first = state.deck.is_none() && key.is_none();
    state.rows = rows(&deck);
    state.deck = Some(deck);
    // While the list fills in, the first row stays the chosen one until one moves.
    let stay = first || (matches!(state.reading, Reading::Scanning(_)) && state.selected == 0);
    if !stay {
        select_key(state, key.as_deref());
    }
    state.selected = state.selected.min(state.rows.len().saturating_sub(1));
    skip_cut(state, 1);
    let was_done = state.reading == Reading::Done;
    state.reading = if scanning {
        Reading::Scanning(state.deck.as_ref().map_or(0, |d| d.skills.len()))
    } else {
        Reading::Done
    };
    if reloaded && was_done && !state.told_sessions {
        state.told_sessions = true;
        state.toast = Some(Shown::fixed(
            "read again; running kaged sessions keep their catalog until they are restarted",
        ));
    }
    keep_in_view(state);
    if state.selected_key() == key {
        keep_scroll(state);
    } else {
        // Its folder may only be away for a moment.
        if state.rows.is_empty() {
            state.remembered = key;
        }
        close_orphan(state);
        show(state, state.tab);
    }
    let mut effects = read(state);
    if !scanning {
        effects.extend(follow(state));
    }
    effects
}

/// What is typed belongs to a skill; without it there is nothing to give it to.
fn close_orphan(state: &mut State) {
    if matches!(state.overlay, Some(Overlay::Arguments(_))) {
        state.overlay = None;
        state.toast =
            Some(Shown::fixed("the skill is gone, and with it the arguments typed for it"));
    }
}

/// The watcher starts after the first scan, and once.
fn follow(state: &mut State) -> Vec<Effect> {
    if state.is_following {
        return Vec::new();
    }
    state.is_following = true;
    vec![Effect::Follow]
}

fn select_key(state: &mut State, key: Option<&str>) {
    let Some((key, deck)) = key.zip(state.deck.as_ref()) else { return };
    let is_it = |row: &Row| match row {
        Row::Skill(i) => deck.skills[*i].folder() == key,
        Row::NotLoaded(i) => key.strip_prefix('/') == Some(deck.not_loaded[*i].path.as_str()),
        Row::Cut => false,
    };
    if let Some(i) = state.rows.iter().position(is_it) {
        state.selected = i;
    }
}

fn key(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    state.toast = None;
    Key::pressed(event).into_iter().flat_map(|(key, event)| one_key(state, key, event)).collect()
}

fn one_key(state: &mut State, key: Key, event: KeyEvent) -> Vec<Effect> {
    if state.is_too_small() && !matches!(state.overlay, Some(Overlay::Arguments(_))) {
        let quits = command::TABLE.iter().find(|e| e.command == Command::Quit);
        let is_quit = quits.is_some_and(|e| e.keys.iter().any(|k| Key::parse(k) == Some(key)));
        return if is_quit { vec![Effect::Quit] } else { Vec::new() };
    }
    if let Some(command) = command::of_key(key, state) {
        return run(state, command);
    }
    if let Some(Overlay::Arguments(area)) = &mut state.overlay {
        area.input_without_shortcuts(Input::from(event));
    }
    Vec::new()
}

fn paste(state: &mut State, text: &str) -> Vec<Effect> {
    if let Some(Overlay::Arguments(area)) = &mut state.overlay {
        area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    Vec::new()
}

/// Does what a command says.
pub fn run(state: &mut State, command: Command) -> Vec<Effect> {
    if let Some(reason) = command::unavailable(command, state) {
        state.toast = Some(Shown::fixed(reason));
        return Vec::new();
    }
    match command {
        Command::Down => step(state, 1),
        Command::Up => step(state, -1),
        Command::Top => step(state, isize::MIN),
        Command::Bottom => step(state, isize::MAX),
        Command::PageDown => step(state, view::page(state)),
        Command::PageUp => step(state, -view::page(state)),
        Command::HalfDown => step(state, view::page(state) / 2),
        Command::HalfUp => step(state, -(view::page(state) / 2)),
        Command::OtherPane => {
            let other = match state.focus {
                Pane::List => Command::DetailPane,
                Pane::Detail => Command::ListPane,
            };
            run(state, other)
        }
        Command::ListPane => {
            state.focus = Pane::List;
            Vec::new()
        }
        Command::Open | Command::DetailPane => {
            state.focus = Pane::Detail;
            read(state)
        }
        Command::Back => {
            if state.overlay.take().is_none() {
                state.focus = Pane::List;
            }
            Vec::new()
        }
        Command::ShowTab(tab) => {
            show(state, tab);
            if !state.has_two_panes() {
                state.focus = Pane::Detail;
            }
            read(state)
        }
        Command::Arguments => {
            let mut area = TextArea::from(state.selected_arguments().unwrap_or("").split('\n'));
            area.move_cursor(CursorMove::Bottom);
            area.move_cursor(CursorMove::End);
            state.overlay = Some(Overlay::Arguments(Box::new(area)));
            Vec::new()
        }
        Command::AcceptArguments => accept_arguments(state),
        Command::NoArguments => {
            if let Some(folder) = state.selected_skill().map(|s| s.folder().to_owned()) {
                state.arguments.remove(&folder);
            }
            show_activation(state)
        }
        Command::Profile => {
            state.overlay = Some(Overlay::Picker(profiles(state.view.profile)));
            Vec::new()
        }
        Command::Agent => {
            state.overlay = agents(state).map(Overlay::Picker);
            Vec::new()
        }
        Command::Choose => choose(state),
        Command::Rescan => {
            if !matches!(state.reading, Reading::Done) {
                state.reading = Reading::Scanning(0);
            }
            state.toast = Some(Shown::fixed("reading the disk again …"));
            let mut effects = vec![Effect::Look];
            effects.extend(read(state));
            effects
        }
        Command::Help => {
            state.overlay = Some(Overlay::Help { scroll: 0 });
            Vec::new()
        }
        Command::Redraw => vec![Effect::Redraw],
        Command::Suspend => vec![Effect::Suspend],
        Command::Quit => vec![Effect::Quit],
    }
}

/// Moves by rows in whatever has the focus.
fn step(state: &mut State, by: isize) -> Vec<Effect> {
    let moved = |at: usize, last: usize| at.saturating_add_signed(by).min(last);
    let last_of_help = match &state.overlay {
        Some(Overlay::Help { .. }) => view::help::last_scroll(state),
        _ => 0,
    };
    match &mut state.overlay {
        Some(Overlay::Help { scroll }) => {
            *scroll = moved(*scroll, last_of_help);
            return Vec::new();
        }
        Some(Overlay::Picker(picker)) => {
            picker.selected = moved(picker.selected, picker.items.len().saturating_sub(1));
            return Vec::new();
        }
        Some(Overlay::Arguments(_)) => return Vec::new(),
        None => {}
    }
    if state.focus == Pane::Detail {
        state.scroll = moved(state.scroll, view::last_scroll(state));
        return Vec::new();
    }
    let before = state.selected;
    state.selected = moved(before, state.rows.len().saturating_sub(1));
    skip_cut(state, if by < 0 { -1 } else { 1 });
    keep_in_view(state);
    if state.selected == before {
        return Vec::new();
    }
    show(state, state.tab);
    read(state)
}

/// The line of the cut cannot be chosen; a skill is always above and below it.
fn skip_cut(state: &mut State, direction: isize) {
    if state.selected_row() == Some(Row::Cut) {
        state.selected = state.selected.saturating_add_signed(direction);
    }
}

fn keep_in_view(state: &mut State) {
    let height = view::list_height(state).max(1);
    let last = state.rows.len().saturating_sub(height);
    if state.selected < state.offset {
        state.offset = state.selected;
    } else if state.selected >= state.offset + height {
        state.offset = state.selected + 1 - height;
    }
    state.offset = state.offset.min(last);
}

/// What is shown may have become shorter.
fn keep_scroll(state: &mut State) {
    state.scroll = state.scroll.min(view::last_scroll(state));
}

/// Brings a tab to the front, at its beginning, or the catalog at the chosen skill.
fn show(state: &mut State, tab: Tab) {
    state.tab = tab;
    state.scroll = if tab == Tab::Catalog { view::catalog::scroll_to_chosen(state) } else { 0 };
}

/// Asks for the pages of the chosen skill where the tab in front needs them.
fn read(state: &mut State) -> Vec<Effect> {
    let is_seen = state.has_two_panes() || state.focus == Pane::Detail;
    if !state.tab.needs_pages() || !is_seen {
        return Vec::new();
    }
    read_again(state)
}

fn read_again(state: &mut State) -> Vec<Effect> {
    let (Some(Row::Skill(skill)), Some(deck)) = (state.selected_row(), &state.deck) else {
        return Vec::new();
    };
    state.request += 1;
    vec![Effect::Read(Request {
        deck: Arc::clone(deck),
        skill,
        arguments: state.selected_arguments().map(str::to_owned),
        width: view::detail_width(state),
        number: state.request,
    })]
}

fn accept_arguments(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Arguments(area)) = &state.overlay else { return Vec::new() };
    let text = area.lines().join("\n");
    if let Some(folder) = state.selected_skill().map(|s| s.folder().to_owned()) {
        state.arguments.insert(folder, text);
    }
    show_activation(state)
}

fn show_activation(state: &mut State) -> Vec<Effect> {
    state.overlay = None;
    show(state, Tab::Activation);
    if !state.has_two_panes() {
        state.focus = Pane::Detail;
    }
    read(state)
}

fn profiles(current: Profile) -> Picker {
    Picker {
        choice: Choice::Profile,
        items: Profile::ALL.iter().map(|p| (p.id().to_owned(), p.about().to_owned())).collect(),
        selected: Profile::ALL.iter().position(|p| *p == current).unwrap_or(0),
    }
}

fn agents(state: &State) -> Option<Picker> {
    let deck = state.deck.as_ref()?;
    let loading: Vec<_> = deck.skills.iter().filter(|s| s.loads()).collect();
    let about = |agent: &crate::project::agents::Agent| {
        let usable = loading.iter().filter(|s| agent.may_use(s.folder())).count();
        format!("{usable} of {} skills", loading.len())
    };
    let items: Vec<_> = deck.agents.iter().map(|a| (a.address().to_owned(), about(a))).collect();
    let selected = items.iter().position(|(name, _)| deck.agent.as_deref() == Some(name));
    Some(Picker { choice: Choice::Agent, items, selected: selected.unwrap_or(0) })
}

fn choose(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Picker(picker)) = state.overlay.take() else { return Vec::new() };
    match picker.choice {
        Choice::Profile => {
            let Some(profile) = Profile::ALL.get(picker.selected) else { return Vec::new() };
            state.view.profile = *profile;
        }
        Choice::Agent => {
            let Some((agent, _)) = picker.items.get(picker.selected) else { return Vec::new() };
            state.view.agent = Some(agent.clone());
        }
    }
    vec![Effect::View(state.view.clone())]
}
