//! What is told at length: asked for, taken, and what `enter` does with a part.

use std::sync::Arc;

use super::list;
use crate::profile::Profile;
use crate::tui::message::Effect;
use crate::tui::reports::{Report, Told};
use crate::tui::sheet::{Ask, Input, Sheet, Standing};
use crate::tui::state::{Overlay, Reading, State, Tab};

/// Opens a report, which comes when it is made.
pub fn open(state: &mut State, report: Report) -> Vec<Effect> {
    let sheet = Sheet::new(Ask::Report(report.clone(), Vec::new()), Vec::new());
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    vec![Effect::Report(report)]
}

/// Opens the line in which a path is typed.
pub fn hints(state: &mut State) -> Vec<Effect> {
    let report = Report::Hints(String::new());
    let ask = Ask::Report(report.clone(), Vec::new());
    let sheet = Sheet::new(ask, vec![Input::line("path", "")]);
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    vec![Effect::Report(report)]
}

/// What is typed in a report asks for another one; `None` where nothing is.
pub fn typed(state: &mut State) -> Option<Vec<Effect>> {
    let sheet = state.sheet_mut()?;
    let Ask::Report(Report::Hints(path), _) = &mut sheet.ask else { return None };
    *path = sheet.inputs.first().map(Input::text).unwrap_or_default();
    Some(vec![Effect::Report(Report::Hints(path.clone()))])
}

/// Opens the lab, first of all for the chosen skill.
pub fn lab(state: &mut State) -> Vec<Effect> {
    let folder = state.selected_skill().map(|skill| skill.folder().to_owned());
    open(state, Report::Lab(folder))
}

/// Asks for what one skill alone does not show, where that is in front and not
/// known yet.
pub fn want_known(state: &mut State) -> Vec<Effect> {
    let is_read = !matches!(state.reading, Reading::Scanning(_));
    let is_tab = matches!(state.tab, Tab::Overview | Tab::Problems);
    let is_shown = is_tab && state.shows_detail() && is_read;
    let Some(deck) = state.deck.clone().filter(|_| is_shown) else { return Vec::new() };
    let is_of = |asked: &Arc<crate::project::Deck>| Arc::ptr_eq(asked, &deck);
    if state.known().is_some() || state.known_asked.as_ref().is_some_and(is_of) {
        return Vec::new();
    }
    state.known_asked = Some(deck);
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
    let Told { report, deck, parts, known } = told;
    if let Some(known) = known {
        state.known = Some((deck, known));
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
        Report::Lab(_) | Report::Hints(_) => return list::go_to(state, &key),
    }
    vec![Effect::View(state.view.clone())]
}
