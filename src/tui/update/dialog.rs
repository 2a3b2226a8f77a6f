//! What is open over the screen: dialogs, and what is typed in them.

use crossterm::event::{KeyCode, KeyEvent};

use super::{detail, editing, list, moved, run, sheet};
use crate::profile::Profile;
use crate::project::View;
use crate::project::agents::Agent;
use crate::prompt::Budget;
use crate::skill::Code;
use crate::skill::text::{Shown, shown};
use crate::tui::command::Command;
use crate::tui::field::Field;
use crate::tui::message::Effect;
use crate::tui::state::{Choice, Outcome, Overlay, Pane, Picker, PickerItem, Sort, State, Tab};
use crate::tui::view;

/// A key that is no command goes to where one types.
pub fn typed(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    if let Some(Overlay::Budget { field, is_fresh, .. }) = &mut state.overlay {
        let is_digit = matches!(event.code, KeyCode::Char(c) if c.is_ascii_digit());
        if std::mem::take(is_fresh) && is_digit {
            field.set("");
        }
    }
    let field = state.overlay.as_mut().and_then(Overlay::field);
    let is_changed = field.is_some_and(|field| field.key(event));
    if is_changed { changed(state) } else { Vec::new() }
}

/// Pasted text goes to where one types, and nowhere else.
pub fn paste(state: &mut State, text: &str) -> Vec<Effect> {
    if state.overlay.is_none() && state.editing.is_some() {
        return editing::paste(state, text);
    }
    let Some(field) = state.overlay.as_mut().and_then(Overlay::field) else {
        return Vec::new();
    };
    if !field.paste(text) {
        state.toast = Some(Shown::fixed("it was too long for a line; its beginning was taken"));
    }
    changed(state)
}

/// What follows from another text in the field.
fn changed(state: &mut State) -> Vec<Effect> {
    match &mut state.overlay {
        Some(Overlay::Filter(field)) => {
            let text = field.text();
            list::set_filter(state, &text)
        }
        Some(Overlay::Find(_)) => detail::read(state),
        Some(Overlay::Budget { field, .. }) => {
            let text = field.text();
            try_budget(state, &text)
        }
        Some(Overlay::Palette { selected, .. }) => {
            *selected = 0;
            Vec::new()
        }
        Some(Overlay::Help { scroll, .. }) => {
            *scroll = 0;
            Vec::new()
        }
        Some(Overlay::Sheet(_)) => sheet::changed(state),
        // One goes to a place by a key, not by every letter.
        Some(Overlay::Search(_)) => Vec::new(),
        Some(Overlay::Arguments { .. } | Overlay::Picker(_) | Overlay::Notice { .. }) | None => {
            Vec::new()
        }
    }
}

/// One level out.
pub fn back(state: &mut State) -> Vec<Effect> {
    match state.overlay.take() {
        None => {
            state.focus = Pane::List;
            Vec::new()
        }
        // The marks go with it.
        Some(Overlay::Find(_)) => detail::read(state),
        Some(Overlay::Budget { before, .. }) => set_budget(state, before),
        Some(_) => Vec::new(),
    }
}

/// Moves by rows in what is open.
pub fn step(state: &mut State, by: isize) {
    if state.sheet_mut().is_some() {
        sheet::step(state, by);
        return;
    }
    let last_of_help = match &state.overlay {
        Some(Overlay::Help { .. }) => view::help::last_scroll(state),
        Some(Overlay::Palette { .. }) => view::palette::found(state).len().saturating_sub(1),
        Some(Overlay::Notice { .. }) => view::notice::last_scroll(state),
        _ => 0,
    };
    match &mut state.overlay {
        Some(Overlay::Help { scroll, .. } | Overlay::Notice { scroll, .. }) => {
            *scroll = moved(*scroll, by, last_of_help);
        }
        Some(Overlay::Palette { selected, .. }) => *selected = moved(*selected, by, last_of_help),
        Some(Overlay::Picker(picker)) => {
            picker.selected = moved(picker.selected, by, picker.items.len().saturating_sub(1));
        }
        _ => {}
    }
}

/// Runs the chosen command of the palette.
pub fn run_chosen(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Palette { selected, .. }) = &state.overlay else { return Vec::new() };
    let Some(entry) = view::palette::found(state).get(*selected).copied() else {
        return Vec::new();
    };
    state.overlay = None;
    run(state, entry.command)
}

/// Opens the lines in which arguments are typed.
pub fn open_arguments(state: &mut State) -> Vec<Effect> {
    let Some(folder) = state.shown_skill().map(|s| s.folder().to_owned()) else {
        return Vec::new();
    };
    let field = Field::lines(state.shown_arguments().unwrap_or(""));
    // What they do is to be seen while one types.
    let effects = detail::show_tab(state, Tab::Activation);
    state.overlay = Some(Overlay::Arguments { field, folder });
    effects
}

/// Uses what was typed, for the skill it was typed for.
pub fn accept_arguments(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Arguments { field, folder }) = state.overlay.take() else {
        return Vec::new();
    };
    state.arguments.insert(folder.clone(), field.text());
    given(state, &folder)
}

/// Gives none at all, which is not the same as empty ones.
pub fn no_arguments(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Arguments { folder, .. }) = state.overlay.take() else {
        return Vec::new();
    };
    state.arguments.remove(&folder);
    given(state, &folder)
}

fn given(state: &mut State, folder: &str) -> Vec<Effect> {
    if state.shown_skill().is_some_and(|s| s.folder() == folder) {
        return detail::show_tab(state, Tab::Activation);
    }
    state.toast = Some(shown(&format!("kept for `{folder}`, which is not there at the moment")));
    Vec::new()
}

/// Opens the line in which a text to find is typed.
pub fn open_find(state: &mut State) -> Vec<Effect> {
    state.focus = Pane::Detail;
    state.at_match = 0;
    state.overlay = Some(Overlay::Find(Field::line("")));
    Vec::new()
}

/// Opens the choice of a client, and asks what each would change.
pub fn open_profiles(state: &mut State) -> Vec<Effect> {
    let current = state.view.profile;
    let items = Profile::ALL.iter().map(|p| (p.id().to_owned(), p.about().to_owned()));
    let selected = Profile::ALL.iter().position(|p| *p == current).unwrap_or(0);
    let views = Profile::ALL.iter().map(|p| View { profile: *p, ..state.view.clone() }).collect();
    open(state, Choice::Profile, items.collect(), selected, views)
}

/// Opens the choice of an agent, and asks what each would change.
pub fn open_agents(state: &mut State) -> Vec<Effect> {
    let Some(deck) = state.deck.clone() else { return Vec::new() };
    let loading: Vec<_> = deck.skills.iter().filter(|s| s.loads()).collect();
    let about = |agent: &Agent| {
        let usable = loading.iter().filter(|s| agent.may_use(s.folder())).count();
        format!("may use {usable} of {}", loading.len())
    };
    let items: Vec<_> = deck.agents.iter().map(|a| (a.address().to_owned(), about(a))).collect();
    let selected = items.iter().position(|(name, _)| deck.agent.as_deref() == Some(name));
    let views = items
        .iter()
        .map(|(name, _)| View { agent: Some(name.clone()), ..state.view.clone() })
        .collect();
    open(state, Choice::Agent, items, selected.unwrap_or(0), views)
}

/// Opens the choice of an order.
pub fn open_sort(state: &mut State) -> Vec<Effect> {
    let items = Sort::ALL.iter().map(|s| (s.name().to_owned(), s.about().to_owned())).collect();
    let selected = Sort::ALL.iter().position(|s| *s == state.sort).unwrap_or(0);
    open(state, Choice::Sort, items, selected, Vec::new())
}

fn open(
    state: &mut State,
    choice: Choice,
    items: Vec<(String, String)>,
    selected: usize,
    views: Vec<View>,
) -> Vec<Effect> {
    state.request += 1;
    let number = state.request;
    let item = |(name, about)| PickerItem { name, about, outcome: None };
    let items = items.into_iter().map(item).collect();
    state.overlay = Some(Overlay::Picker(Picker { choice, items, selected, number }));
    if views.is_empty() { Vec::new() } else { vec![Effect::Compare(views, number)] }
}

/// Asks once more what each choice would change: the deck is another one now.
pub fn ask_again(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Picker(picker)) = &mut state.overlay else { return Vec::new() };
    let views: Vec<View> = match picker.choice {
        Choice::Profile => {
            Profile::ALL.iter().map(|p| View { profile: *p, ..state.view.clone() }).collect()
        }
        Choice::Agent => picker
            .items
            .iter()
            .map(|item| View { agent: Some(item.name.clone()), ..state.view.clone() })
            .collect(),
        Choice::Sort => return Vec::new(),
    };
    state.request += 1;
    picker.number = state.request;
    for item in &mut picker.items {
        item.outcome = None;
    }
    vec![Effect::Compare(views, picker.number)]
}

/// Takes what another view would be.
pub fn compared(state: &mut State, number: u64, item: usize, outcome: Result<Outcome, Shown>) {
    if let Some(Overlay::Picker(picker)) = &mut state.overlay
        && picker.number == number
        && let Some(item) = picker.items.get_mut(item)
    {
        item.outcome = Some(outcome);
    }
}

/// Takes the chosen one.
pub fn choose(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Picker(picker)) = state.overlay.take() else { return Vec::new() };
    match picker.choice {
        Choice::Profile => {
            let Some(profile) = Profile::ALL.get(picker.selected) else { return Vec::new() };
            state.view.profile = *profile;
        }
        Choice::Agent => {
            let Some(agent) = picker.items.get(picker.selected) else { return Vec::new() };
            state.view.agent = Some(agent.name.clone());
        }
        Choice::Sort => {
            let Some(sort) = Sort::ALL.get(picker.selected) else { return Vec::new() };
            return list::set_sort(state, *sort);
        }
    }
    vec![Effect::View(state.view.clone())]
}

/// Opens the line in which a budget is tried out.
pub fn open_budget(state: &mut State) -> Vec<Effect> {
    // Of some clients the budget is their own.
    let own = state.deck.as_ref().map(|deck| deck.budget.limit);
    let limit = own.unwrap_or(state.view.budget.limit);
    let limit = limit.map_or(String::new(), |limit| limit.to_string());
    let before = state.view.budget.clone();
    // The cut is to be seen where it moves.
    state.focus = Pane::List;
    state.overlay = Some(Overlay::Budget { field: Field::line(&limit), before, is_fresh: true });
    list::keep_cut_in_view(state);
    Vec::new()
}

/// Another budget by a step.
pub fn step_budget(state: &mut State, command: Command) -> Vec<Effect> {
    const MUCH: u64 = 1_000;
    let Some(deck) = &state.deck else { return Vec::new() };
    let now = state.view.budget.limit;
    let next = match command {
        Command::More => deck.limit_for_one_more(),
        Command::Fewer => deck.limit_for_one_fewer(),
        Command::MuchMore => now.map(|limit| limit.saturating_add(MUCH)),
        _ => now.map(|limit| limit.saturating_sub(MUCH)),
    };
    let Some(next) = next else {
        let why = match command {
            Command::More => "every skill that may be is listed already",
            Command::Fewer => "the first skill is listed under any budget",
            _ => "there is no limit to step from; type one",
        };
        state.toast = Some(Shown::fixed(why));
        return Vec::new();
    };
    if let Some(Overlay::Budget { field, is_fresh, .. }) = &mut state.overlay {
        *is_fresh = false;
        field.set(&next.to_string());
    }
    set_budget(state, Budget::trial(Some(next)))
}

/// The budget that is typed, as far as it is one.
fn try_budget(state: &mut State, text: &str) -> Vec<Effect> {
    let text = text.trim().replace([',', '_'], "");
    if text.is_empty() {
        return set_budget(state, state.real_budget.clone());
    }
    // By the same rule as every other budget.
    let read = Budget::choose(Some(&text), None, None);
    if read.findings.iter().any(|f| f.code == Code::BudgetNotAnInteger) {
        state.toast = Some(shown(&format!(
            "`{text}` is no whole number of characters; the budget stays as it is"
        )));
        return Vec::new();
    }
    if let Some(finding) = read.findings.first() {
        state.toast = Some(finding.message.clone());
    }
    set_budget(state, Budget::trial(read.limit))
}

fn set_budget(state: &mut State, budget: Budget) -> Vec<Effect> {
    // What was tried out and is the real one is the real one.
    let is_real = budget.limit == state.real_budget.limit;
    let budget = if is_real { state.real_budget.clone() } else { budget };
    if budget == state.view.budget {
        return Vec::new();
    }
    state.view.budget = budget;
    vec![Effect::View(state.view.clone())]
}

/// The budget that counts outside of this screen.
pub fn real_budget(state: &mut State) -> Vec<Effect> {
    state.overlay = None;
    set_budget(state, state.real_budget.clone())
}

/// Goes on with the budget that was tried out.
pub fn keep_budget(state: &mut State) -> Vec<Effect> {
    state.overlay = None;
    if state.view.budget != state.real_budget {
        state.toast = Some(Shown::fixed("only this screen has the budget; nothing was changed"));
    }
    Vec::new()
}
