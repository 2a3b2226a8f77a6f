//! Every change of the state: a message in, effects out.

mod detail;
mod dialog;
mod editing;
mod list;
mod mouse;
mod report;
mod sheet;

pub use sheet::{file as chosen_file, is_about_files, is_file_chosen, nothing_to_fix};

use crossterm::event::KeyEvent;

use super::command::{self, Command};
use super::key::Key;
use super::message::{Effect, Message};
use super::reports::Report;
use super::state::{Overlay, Pane, Reading, State};
use super::view;
use crate::project::watch::Mode;
use crate::skill::text::{Shown, counted, shown};

/// Takes a message; returns what is to be done outside the state.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(event) => key(state, event),
        Message::Mouse(event) => mouse::mouse(state, event),
        Message::Paste(text) => dialog::paste(state, &text),
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            editing::resized(state);
            list::keep_in_view(state);
            detail::keep_scroll(state);
            let mut effects = detail::read(state);
            // Also at the same size: it may have been another for a moment.
            effects.push(Effect::Redraw);
            effects
        }
        Message::Deck { deck, scanning, news } => list::new_deck(state, deck, scanning, news),
        Message::Listing(listing) => list::new_rows(state, listing),
        Message::Settle => detail::settle(state),
        Message::Progress(count) => {
            if state.reading != Reading::Scanning(0) {
                state.reading = Reading::Again(count);
            }
            Vec::new()
        }
        Message::Stopped(left, view) => {
            let unread = state.deck.as_ref().map_or(0, |deck| deck.unread);
            state.reading = if unread > 0 { Reading::Stopped(unread) } else { Reading::Done };
            state.view = view;
            state.toast = Some(shown(&format!(
                "stopped with {} left; what is shown is from before ({} reads again)",
                counted(left, "folder", "folders"),
                state.keys.name(Command::Rescan)
            )));
            Vec::new()
        }
        Message::NothingNew => {
            if matches!(state.reading, Reading::Again(_)) {
                state.reading = Reading::Done;
            }
            state.toast = Some(Shown::fixed("read again: nothing has changed"));
            Vec::new()
        }
        Message::Hush => {
            state.toast = None;
            Vec::new()
        }
        Message::Compared(number, item, outcome) => {
            dialog::compared(state, number, item, outcome);
            Vec::new()
        }
        Message::Told(told) => {
            report::told(state, *told);
            Vec::new()
        }
        Message::Trouble(message) => list::trouble(state, message),
        Message::AgentGone { agent, message } => {
            // Another may have been chosen since.
            if state.view.agent == agent {
                state.view.agent = None;
            }
            state.toast = Some(message);
            Vec::new()
        }
        Message::Pages(pages) => {
            detail::pages(state, *pages);
            Vec::new()
        }
        Message::Mode(mode) => {
            if let Mode::Polling(reason) = &mode {
                state.toast = Some(shown(&format!("changes are looked for every 2 s: {reason}")));
            }
            state.mode = Some(mode);
            Vec::new()
        }
        Message::Proposed(number, proposed) => sheet::proposed(state, number, proposed),
        Message::Tried(number, trial) => {
            editing::tried(state, number, *trial);
            Vec::new()
        }
        Message::Made { title, folder, is_undo } => sheet::made(state, title, folder, is_undo),
        Message::NotMade(why) => sheet::not_made(state, why),
        Message::Changes(items) => sheet::changes(state, items),
        Message::Trash(deleted) => sheet::trash(state, deleted),
        Message::Opened(opened) => match opened {
            Ok(opened) => editing::opened(state, opened),
            Err(why) => say(state, why),
        },
        Message::Outside(opened) => match opened {
            Ok(opened) => vec![Effect::Outside(opened)],
            Err(why) => say(state, why),
        },
        Message::Returned(opened, trouble) => editing::returned(state, opened, trouble),
        Message::OnDisk(at, content) => editing::on_disk(state, &at, content),
        Message::Saved { at, content } => editing::saved(state, &at, content),
        Message::NotSaved(why) => editing::not_saved(state, &why),
        Message::Conflict { at, theirs, merged, items } => {
            editing::conflict(state, &at, theirs, merged, items)
        }
        Message::Compare(number, lines) => {
            sheet::compared(state, number, &lines);
            Vec::new()
        }
        Message::FixedText(text, item) => editing::fixed(state, text, item),
        Message::Drafts(drafts) => sheet::drafts(state, drafts),
        Message::Said(text) => say(state, text),
        Message::Looked => {
            state.is_own_news = false;
            editing::looked(state)
        }
        Message::Died(worker) => vec![Effect::Fail(worker)],
    }
}

fn say(state: &mut State, text: Shown) -> Vec<Effect> {
    state.toast = Some(text);
    Vec::new()
}

fn key(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    Key::pressed(event).into_iter().flat_map(|(key, event)| one_key(state, key, event)).collect()
}

fn one_key(state: &mut State, key: Key, event: KeyEvent) -> Vec<Effect> {
    if state.is_too_small() {
        // Nothing can be seen, so nothing but the way out is heard.
        let mut quits = state.keys.entries().filter(|(e, _)| e.command == Command::Quit);
        let is_quit = quits.any(|(_, keys)| keys.contains(&key));
        return if is_quit { vec![Effect::Quit] } else { Vec::new() };
    }
    let entry = state.keys.entry(key, state);
    if entry.is_none_or(|entry| entry.command != Command::Redraw) {
        state.toast = None;
    }
    match entry {
        Some(entry) => run(state, entry.command),
        None if state.overlay.is_none() && state.editing.is_some() => editing::typed(state, event),
        None if state.sheet_mut().is_some() => sheet::typed(state, event),
        None => dialog::typed(state, event),
    }
}

/// Does what a command says.
pub fn run(state: &mut State, command: Command) -> Vec<Effect> {
    if let Some(reason) = command::unavailable(command, state) {
        state.toast = Some(Shown::fixed(reason));
        return Vec::new();
    }
    // The detail may lag behind a list that is run through; nothing else does.
    let mut effects = if moves(command) { Vec::new() } else { detail::settle(state) };
    effects.extend(act(state, command));
    effects
}

fn moves(command: Command) -> bool {
    use Command as C;
    matches!(
        command,
        C::Down | C::Up | C::Top | C::Bottom | C::PageDown | C::PageUp | C::HalfDown | C::HalfUp
    )
}

fn act(state: &mut State, command: Command) -> Vec<Effect> {
    let changes = editing::command(state, command).or_else(|| sheet::command(state, command));
    changes.unwrap_or_else(|| look(state, command))
}

/// Does a command that changes nothing.
fn look(state: &mut State, command: Command) -> Vec<Effect> {
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
            let is_list = state.focus == Pane::List;
            run(state, if is_list { Command::DetailPane } else { Command::ListPane })
        }
        Command::ListPane => {
            state.focus = Pane::List;
            Vec::new()
        }
        Command::Open | Command::DetailPane => {
            state.focus = Pane::Detail;
            detail::read(state)
        }
        Command::Back => dialog::back(state),
        Command::ShowTab(tab) => detail::show_tab(state, tab),
        Command::Filter => list::open_filter(state),
        Command::KeepFilter => {
            state.overlay = None;
            Vec::new()
        }
        Command::ClearFilter => list::clear_filter(state),
        Command::Sort => dialog::open_sort(state),
        Command::NextProblem => list::problem(state, 1),
        Command::PreviousProblem => list::problem(state, -1),
        Command::Arguments => dialog::open_arguments(state),
        Command::AcceptArguments => dialog::accept_arguments(state),
        Command::NoArguments => dialog::no_arguments(state),
        Command::Profile => dialog::open_profiles(state),
        Command::Agent => dialog::open_agents(state),
        Command::Clients => report::open(state, Report::Clients),
        Command::Agents => report::open(state, Report::Agents),
        Command::Lab => report::lab(state),
        Command::Hints => report::hints(state),
        Command::Choose => dialog::choose(state),
        Command::Budget => dialog::open_budget(state),
        Command::More | Command::Fewer | Command::MuchMore | Command::MuchLess => {
            dialog::step_budget(state, command)
        }
        Command::RealBudget => dialog::real_budget(state),
        Command::KeepBudget => dialog::keep_budget(state),
        Command::Find => dialog::open_find(state),
        Command::NextMatch => {
            detail::next_match(state, 1);
            Vec::new()
        }
        Command::PreviousMatch => {
            detail::next_match(state, -1);
            Vec::new()
        }
        Command::Wrap => detail::relay(state, |lay| lay.wrap = !lay.wrap),
        Command::Invisibles => detail::relay(state, |lay| lay.invisibles = !lay.invisibles),
        Command::Tool => detail::relay(state, |lay| lay.tool = !lay.tool),
        Command::ShiftRight | Command::ShiftLeft => {
            detail::shift(state, command == Command::ShiftRight);
            Vec::new()
        }
        Command::Preview => detail::open_preview(state),
        Command::ClosePreview => {
            detail::close_preview(state);
            Vec::new()
        }
        Command::Yank => detail::yank(state),
        Command::Palette => {
            let query = super::field::Field::line("");
            state.overlay = Some(Overlay::Palette { query, selected: 0 });
            Vec::new()
        }
        Command::RunChosen => dialog::run_chosen(state),
        Command::Help => {
            let query = super::field::Field::line("");
            state.overlay = Some(Overlay::Help { query, scroll: 0 });
            Vec::new()
        }
        Command::Rescan => list::rescan(state),
        Command::Stop => vec![Effect::Stop],
        Command::Redraw => vec![Effect::Redraw],
        Command::Suspend => vec![Effect::Suspend],
        Command::Quit => vec![Effect::Quit],
        // The rest is about changing files.
        _ => Vec::new(),
    }
}

/// Moves by rows in whatever has the focus.
fn step(state: &mut State, by: isize) -> Vec<Effect> {
    match (&state.overlay, state.focus) {
        (Some(Overlay::Filter(_)), _) | (None, Pane::List) => list::step(state, by),
        (None, Pane::Detail) => {
            detail::step(state, by);
            Vec::new()
        }
        (Some(_), _) => {
            dialog::step(state, by);
            Vec::new()
        }
    }
}

/// `at`, moved by some rows and kept within the last.
fn moved(at: usize, by: isize, last: usize) -> usize {
    at.saturating_add_signed(by).min(last)
}
