//! What is told at length: asked for, taken, and what `enter` does with a part.

use std::sync::Arc;

use super::list;
use crate::profile::Profile;
use crate::tui::message::Effect;
use crate::tui::reports::{Report, Told};
use crate::tui::sheet::{Ask, Sheet, Standing};
use crate::tui::state::{Overlay, Reading, State, Tab};

/// Opens a report, which comes when it is made.
pub fn open(state: &mut State, report: Report) -> Vec<Effect> {
    let sheet = Sheet::new(Ask::Report(report.clone(), Vec::new()), Vec::new());
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    vec![Effect::Report(report)]
}

/// Opens the lab, first of all for the chosen skill.
pub fn lab(state: &mut State) -> Vec<Effect> {
    let folder = state.selected_skill().map(|skill| skill.folder().to_owned());
    open(state, Report::Lab(folder))
}

/// Asks what each client makes of the skills, where that is in front and not
/// known yet.
pub fn want_clients(state: &mut State) -> Vec<Effect> {
    let is_read = !matches!(state.reading, Reading::Scanning(_));
    let is_shown = state.tab == Tab::Overview && state.shows_detail() && is_read;
    let Some(deck) = state.deck.clone().filter(|_| is_shown) else { return Vec::new() };
    let is_of = |asked: &Arc<crate::project::Deck>| Arc::ptr_eq(asked, &deck);
    if state.matrix().is_some() || state.clients_asked.as_ref().is_some_and(is_of) {
        return Vec::new();
    }
    state.clients_asked = Some(deck);
    vec![Effect::Report(Report::Clients)]
}

/// The deck is another one: what is told of the old one is told anew.
pub fn ask_again(state: &State) -> Vec<Effect> {
    match &state.overlay {
        Some(Overlay::Sheet(sheet)) => match &sheet.ask {
            Ask::Report(report, _) => vec![Effect::Report(report.clone())],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Takes a report.
pub fn told(state: &mut State, told: Told) {
    let Told { report, deck, parts, matrix } = told;
    if let Some(matrix) = matrix {
        state.clients = Some((deck, matrix));
    }
    let Some(sheet) = state.sheet_mut() else { return };
    if !matches!(&sheet.ask, Ask::Report(open, _) if *open == report) {
        return;
    }
    let chosen = match &sheet.ask {
        Ask::Report(_, keys) => keys.get(sheet.selected).filter(|key| !key.is_empty()).cloned(),
        _ => None,
    };
    let (keys, items): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let at = chosen.and_then(|chosen| keys.iter().position(|key| *key == chosen));
    sheet.selected = at.unwrap_or(sheet.selected).min(items.len().saturating_sub(1));
    sheet.ask = Ask::Report(report, keys);
    sheet.items = items;
    sheet.standing = Standing::Ready;
}

/// Goes to what the chosen part stands for.
pub fn go(state: &mut State) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    let Ask::Report(report, keys) = &sheet.ask else { return Vec::new() };
    let key = keys.get(sheet.selected).cloned().unwrap_or_default();
    let report = report.clone();
    state.overlay = None;
    if key.is_empty() {
        return Vec::new();
    }
    match report {
        Report::Clients => {
            let Ok(profile) = key.parse::<Profile>() else { return Vec::new() };
            state.view.profile = profile;
        }
        Report::Agents => state.view.agent = Some(key),
        Report::Lab(_) => return list::go_to(state, &key),
    }
    vec![Effect::View(state.view.clone())]
}
