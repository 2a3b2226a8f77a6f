//! What is done on a sheet: typing, leaving parts out, agreeing.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::{editing, moved};
use crate::edit::Draft;
use crate::edit::diff::DiffLine;
use crate::edit::record::Id;
use crate::project::agents::PRIMARY;
use crate::project::tree::Kind;
use crate::skill::frontmatter::{TextField, one_line};
use crate::skill::text::{Shown, shown};
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::session::{Opened, Opening, Task};
use crate::tui::sheet::{Ask, Input, Item, Proposed, Sheet, Standing};
use crate::tui::state::{Overlay, Pane, Row, State, Tab};
use crate::tui::trial::Attempt;

/// Does a command that is about changing files; `None` when it is another.
pub fn command(state: &mut State, command: Command) -> Option<Vec<Effect>> {
    Some(match command {
        Command::Create => create(state),
        Command::Edit => open_file(state, false),
        Command::Outside => open_file(state, true),
        Command::Rename => rename(state),
        Command::Copy => copy(state),
        Command::Toggle => toggle(state),
        Command::Describe => describe(state),
        Command::Delete => delete(state),
        Command::Mark => mark(state),
        Command::Fix => fix(state),
        Command::Undo => vec![Effect::Session(Task::Undo)],
        Command::Redo => vec![Effect::Session(Task::Redo)],
        Command::Changes => vec![Effect::Session(Task::Changes)],
        Command::Trash => vec![Effect::Session(Task::Trash)],
        Command::Import => import(state),
        Command::Export => export(state),
        Command::Accept => accept(state),
        Command::NextInput | Command::PreviousInput => {
            step_focus(state, if command == Command::NextInput { 1 } else { -1 });
            Vec::new()
        }
        Command::LeaveOut => leave_out(state),
        Command::Discard => discard(state),
        _ => return None,
    })
}

/// Opens a sheet and asks what would be done.
fn open(state: &mut State, sheet: Sheet) -> Vec<Effect> {
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    propose(state)
}

/// Asks what would be done, with what is typed now.
pub fn propose(state: &mut State) -> Vec<Effect> {
    let Some(deck) = state.deck.clone() else { return Vec::new() };
    state.asked += 1;
    let number = state.asked;
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    let Some(operation) = sheet.operation() else { return Vec::new() };
    sheet.number = number;
    sheet.standing = Standing::Waiting;
    sheet.is_agreed = false;
    vec![Effect::Session(Task::Propose { operation, deck, number })]
}

/// Takes what would be done.
pub fn proposed(
    state: &mut State,
    number: u64,
    proposed: Result<Box<Proposed>, Shown>,
) -> Vec<Effect> {
    let (deck, view) = (state.deck.clone(), state.view.clone());
    let Some(sheet) = state.sheet_mut().filter(|sheet| sheet.number == number) else {
        return Vec::new();
    };
    if sheet.standing == Standing::Making {
        return Vec::new();
    }
    sheet.take(proposed.map(|proposed| *proposed));
    if std::mem::take(&mut sheet.is_agreed) && sheet.standing == Standing::Ready {
        return agree(state);
    }
    // What a new skill costs, and who pays for it.
    let described = sheet.described();
    let (Some((folder, content)), Some(deck)) = (described, deck) else { return Vec::new() };
    let bytes = content.as_bytes().to_vec();
    vec![Effect::Try(Attempt { deck, view, folder, bytes, number })]
}

/// A key that is no command, on a sheet.
pub fn typed(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    let turn = match event.code {
        KeyCode::Left => -1,
        KeyCode::Right | KeyCode::Char(' ') => 1,
        _ => 0,
    };
    if let Some(input @ Input::Choice { .. }) = sheet.inputs.get_mut(sheet.focus) {
        input.turn(turn);
        return if turn == 0 { Vec::new() } else { propose(state) };
    }
    if sheet.focus == sheet.inputs.len() && event.code == KeyCode::Char(' ') {
        return leave_out(state);
    }
    let is_changed = sheet.field().is_some_and(|field| field.key(event));
    if is_changed { changed(state) } else { Vec::new() }
}

/// What follows from another text in a sheet.
pub fn changed(state: &mut State) -> Vec<Effect> {
    super::report::typed(state).unwrap_or_else(|| propose(state))
}

/// To the next place of a form, or the one before.
pub fn step_focus(state: &mut State, by: isize) {
    if let Some(sheet) = state.sheet_mut() {
        let places = sheet.inputs.len() + usize::from(sheet.can_leave_out());
        sheet.focus = (sheet.focus + places).saturating_add_signed(by) % places.max(1);
    }
}

/// Moves in the list, by one, or in the lines of the chosen part, by more.
pub fn step(state: &mut State, by: isize) {
    let last = crate::tui::view::sheet::last_line(state);
    let Some(sheet) = state.sheet_mut() else { return };
    if by.unsigned_abs() == 1 {
        // What is typed in a report asks; there is nothing else to walk through.
        let is_report = matches!(sheet.ask, Ask::Report(..));
        let is_list = is_report || sheet.focus == sheet.inputs.len();
        let next = moved(sheet.selected, by, sheet.items.len().saturating_sub(1));
        if is_list && next != sheet.selected {
            sheet.selected = next;
            sheet.scroll = 0;
            return;
        }
    }
    sheet.scroll = moved(sheet.scroll, by, last);
}

/// Leaves the chosen part out, or takes it in again.
pub fn leave_out(state: &mut State) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    if !sheet.can_leave_out() {
        return Vec::new();
    }
    let at = sheet.selected;
    if let Some(item) = sheet.items.get_mut(at) {
        item.is_out = !item.is_out;
    }
    Vec::new()
}

/// Agrees.
pub fn accept(state: &mut State) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    match &sheet.ask {
        Ask::Changes | Ask::Unsaved => {
            state.overlay = None;
            Vec::new()
        }
        Ask::Trash(ids) => {
            let id = ids.get(sheet.selected).cloned();
            state.overlay = None;
            id.map(|id| Effect::Session(Task::Restore(id))).into_iter().collect()
        }
        Ask::Report(..) => super::report::go(state),
        Ask::Conflict { theirs, merged } => {
            let (choice, theirs, merged) = (sheet.selected, theirs.clone(), merged.clone());
            editing::settle(state, choice, theirs, merged)
        }
        Ask::Leave => {
            let choice = sheet.selected;
            editing::left(state, choice)
        }
        Ask::FixText { text, revision } => {
            let (text, revision) = (text.clone(), *revision);
            editing::take_fix(state, &text, revision)
        }
        Ask::Drafts(drafts) => {
            let at = sheet.selected;
            match drafts.get(at).cloned() {
                Some(draft) => editing::take_up(state, at, draft),
                None => Vec::new(),
            }
        }
        _ => agree(state),
    }
}

/// The lines of what is compared have come.
pub fn compared(state: &mut State, number: u64, lines: &[DiffLine]) {
    if let Some(sheet) = state.sheet_mut().filter(|sheet| sheet.number == number) {
        for item in &mut sheet.items {
            item.lines = lines.to_vec();
        }
    }
}

/// Offers drafts of sessions that are gone.
pub fn drafts(state: &mut State, drafts: Vec<(Draft, Item)>) -> Vec<Effect> {
    if state.overlay.is_some() || state.editing.is_some() || drafts.is_empty() {
        return Vec::new();
    }
    let (drafts, items): (Vec<_>, Vec<_>) = drafts.into_iter().unzip();
    let mut sheet = Sheet::new(Ask::Drafts(drafts), Vec::new());
    sheet.standing = Standing::Ready;
    sheet.items = items;
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    Vec::new()
}

/// A draft that is not wanted.
pub fn discard(state: &mut State) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    let Ask::Drafts(drafts) = &mut sheet.ask else { return Vec::new() };
    let at = sheet.selected;
    if at >= drafts.len() {
        return Vec::new();
    }
    drafts.remove(at);
    sheet.items.remove(at);
    sheet.selected = at.min(sheet.items.len().saturating_sub(1));
    if sheet.items.is_empty() {
        state.overlay = None;
    }
    vec![Effect::Discard(at)]
}

fn agree(state: &mut State) -> Vec<Effect> {
    let Some(sheet) = state.sheet_mut() else { return Vec::new() };
    let said = match &sheet.standing {
        Standing::Waiting => {
            // Who has typed a name knows what it is to be, however fast; a question
            // that was not seen is not answered.
            sheet.is_agreed = sheet.is_form();
            return Vec::new();
        }
        Standing::Making => return Vec::new(),
        Standing::Refused(why) => Some(why.clone()),
        Standing::Ready => None,
    };
    if let Some(said) = said {
        state.toast = Some(said);
        return Vec::new();
    }
    let Some(change) = sheet.change() else {
        state.toast = Some(Shown::fixed("every part is left out, so there is nothing to do"));
        return Vec::new();
    };
    sheet.standing = Standing::Making;
    let created = sheet.created();
    state.pending = created.map(|(folder, at, content)| {
        let path = state.boundary.join(&at);
        Opened { folder, below: None, at, path, content }
    });
    vec![Effect::Session(Task::Make(change))]
}

/// A change was made; what it left is chosen.
pub fn made(state: &mut State, title: Shown, folder: Option<String>, is_undo: bool) -> Vec<Effect> {
    let is_making = |sheet: &mut Sheet| sheet.standing == Standing::Making;
    if state.sheet_mut().is_some_and(is_making) {
        state.overlay = None;
        state.marked.clear();
    }
    state.toast = Some(if state.pending.is_some() {
        title
    } else {
        let back = if is_undo {
            format!("{} makes it again", state.keys.name(Command::Redo))
        } else {
            format!("{} takes it back", state.keys.name(Command::Undo))
        };
        let text = shown(&format!("{title}; {back}"));
        super::list::for_sessions(state, &text)
    });
    if folder.is_some() {
        state.remembered = folder;
    }
    state.is_own_news = true;
    let mut effects = vec![Effect::LookQuietly];
    if matches!(state.overlay, Some(Overlay::Sheet(ref sheet)) if sheet.ask == Ask::Changes) {
        effects.push(Effect::Session(Task::Changes));
    }
    if let Some(opened) = state.pending.take() {
        effects.extend(editing::opened(state, opened));
    }
    effects
}

/// A change was not made, and nothing was changed.
pub fn not_made(state: &mut State, why: Shown) -> Vec<Effect> {
    state.pending = None;
    if let Some(sheet) = state.sheet_mut().filter(|sheet| sheet.standing == Standing::Making) {
        sheet.standing = Standing::Refused(why);
        return Vec::new();
    }
    state.toast = Some(why);
    Vec::new()
}

/// The skills that an action is about: those that are marked, else the chosen one.
fn folders(state: &State) -> Vec<String> {
    if state.marked.is_empty() || state.focus == Pane::Detail {
        return state.selected_skill().map(|s| s.folder().to_owned()).into_iter().collect();
    }
    state.marked.iter().cloned().collect()
}

/// Marks the chosen skill, or takes its mark away, and goes on to the next.
pub fn mark(state: &mut State) -> Vec<Effect> {
    let Some(folder) = state.selected_skill().map(|skill| skill.folder().to_owned()) else {
        return Vec::new();
    };
    if !state.marked.remove(&folder) {
        state.marked.insert(folder);
    }
    super::list::step(state, 1)
}

/// The chosen file of the Files tab and its path below the skill's folder, when
/// the keys are about files.
pub fn file(state: &State) -> Option<(String, String)> {
    let skill = state.shown_skill().filter(|_| is_about_files(state))?;
    let pages = state.shown_pages()?;
    let path = match &state.preview {
        Some(path) => path,
        None => &pages.tree.items.get(state.file)?.path,
    };
    let below = path.strip_prefix(skill.entry.real_dir()).ok()?.to_str()?.to_owned();
    Some((skill.folder().to_owned(), below))
}

/// Whether the keys are about the files of a skill.
pub fn is_about_files(state: &State) -> bool {
    state.focus == Pane::Detail && state.tab == Tab::Files && state.shown_skill().is_some()
}

/// A new skill, or a new file of the skill whose files are shown.
pub fn create(state: &mut State) -> Vec<Effect> {
    if is_about_files(state) {
        let folder = state.shown_skill().map(|s| s.folder().to_owned()).unwrap_or_default();
        // Beside the chosen one.
        let beside = file(state).map(|(_, below)| below).unwrap_or_default();
        let is_folder = chosen_kind(state).is_some_and(|k| matches!(k, Kind::Folder { .. }));
        let above = match (is_folder, beside.rfind('/')) {
            (true, _) => format!("{beside}/"),
            (false, Some(slash)) => beside[..=slash].to_owned(),
            (false, None) => String::new(),
        };
        let input = Input::line("path", &above);
        return open(state, Sheet::new(Ask::NewFile(folder), vec![input]));
    }
    let options = state.templates.clone();
    let inputs = vec![
        Input::line("name", ""),
        Input::line("description", ""),
        Input::Choice { label: "template", options, at: 0 },
    ];
    open(state, Sheet::new(Ask::Create, inputs))
}

fn chosen_kind(state: &State) -> Option<&Kind> {
    state.shown_pages()?.tree.items.get(state.file).map(|item| &item.kind)
}

/// Another name for the chosen skill or file.
pub fn rename(state: &mut State) -> Vec<Effect> {
    if is_about_files(state) {
        let Some((folder, below)) = file(state) else { return Vec::new() };
        let input = Input::line("path", &below);
        return open(state, Sheet::new(Ask::RenameFile(folder, below), vec![input]));
    }
    let Some(folder) = state.selected_skill().map(|s| s.folder().to_owned()) else {
        return Vec::new();
    };
    let input = Input::line("name", &folder);
    open(state, Sheet::new(Ask::Rename(folder), vec![input]))
}

/// A copy of the chosen skill.
pub fn copy(state: &mut State) -> Vec<Effect> {
    let Some(folder) = state.selected_skill().map(|s| s.folder().to_owned()) else {
        return Vec::new();
    };
    let input = Input::line("name", &format!("{folder}-copy"));
    open(state, Sheet::new(Ask::Copy(folder), vec![input]))
}

/// The chosen skill is given to an agent, or taken from it.
pub fn toggle(state: &mut State) -> Vec<Effect> {
    let (Some(skill), Some(deck)) = (state.selected_skill(), &state.deck) else {
        return Vec::new();
    };
    let folder = skill.folder().to_owned();
    let about = |agent: &crate::project::agents::Agent| {
        let word = if agent.may_use(&folder) { "gets it now" } else { "does not get it now" };
        (agent.address().to_owned(), word.to_owned())
    };
    let mut options: Vec<_> = deck.agents.iter().map(about).collect();
    if options.is_empty() {
        options.push((PRIMARY.to_owned(), "gets every skill now".to_owned()));
    }
    let at = options.iter().position(|(name, _)| deck.agent.as_deref() == Some(name)).unwrap_or(0);
    let input = Input::Choice { label: "agent", options, at };
    open(state, Sheet::new(Ask::Toggle(folder), vec![input]))
}

/// What another description of the chosen skill would change.
pub fn describe(state: &mut State) -> Vec<Effect> {
    let Some(skill) = state.selected_skill() else { return Vec::new() };
    let folder = skill.folder().to_owned();
    // As it is written, not as the client of the moment cuts it.
    let written = skill.entry.file.as_ref().ok().and_then(|file| {
        match &file.reading.document.frontmatter.as_ref()?.description {
            TextField::Text { text, .. } => Some(one_line(text.trim())),
            _ => None,
        }
    });
    let input = Input::line("description", &written.unwrap_or_default());
    open(state, Sheet::new(Ask::Describe(folder), vec![input]))
}

/// The marked skills, the chosen one, or the chosen file go to the trash.
pub fn delete(state: &mut State) -> Vec<Effect> {
    if is_about_files(state) {
        let Some((folder, below)) = file(state) else { return Vec::new() };
        return open(state, Sheet::new(Ask::DeleteFile(folder, below), Vec::new()));
    }
    let folders = folders(state);
    open(state, Sheet::new(Ask::Delete(folders), Vec::new()))
}

/// The marked skills or the chosen one are mended; a loose file becomes a skill.
pub fn fix(state: &mut State) -> Vec<Effect> {
    if let (Some(Row::NotLoaded(at)), Some(deck)) = (state.selected_row(), &state.deck) {
        let path = deck.not_loaded.get(at).map(|thing| thing.path.clone()).unwrap_or_default();
        return open(state, Sheet::new(Ask::FixLoose(path), Vec::new()));
    }
    let folders = folders(state);
    open(state, Sheet::new(Ask::Fix(folders), Vec::new()))
}

/// Skills are brought in from elsewhere; what lies in the project for another client is
/// offered first.
pub fn import(state: &mut State) -> Vec<Effect> {
    let from = state.others.first().map_or(String::new(), |(path, _)| path.clone());
    open(state, Sheet::new(Ask::Import, vec![Input::line("from", &from)]))
}

/// The marked skills, or the chosen one, are written into an archive.
pub fn export(state: &mut State) -> Vec<Effect> {
    let folders = folders(state);
    let name = match folders.as_slice() {
        [folder] => format!("{}.skill", folder.replace('/', "-")),
        _ => "skills.zip".to_owned(),
    };
    open(state, Sheet::new(Ask::Export(folders), vec![Input::line("file", &name)]))
}

/// Opens the changes of the session.
pub fn changes(state: &mut State, items: Vec<Item>) -> Vec<Effect> {
    let selected = match &state.overlay {
        Some(Overlay::Sheet(sheet)) if sheet.ask == Ask::Changes => sheet.selected,
        None => 0,
        // Something else was opened meanwhile.
        Some(_) => return Vec::new(),
    };
    let mut sheet = Sheet::new(Ask::Changes, Vec::new());
    sheet.standing = Standing::Ready;
    sheet.selected = selected.min(items.len().saturating_sub(1));
    sheet.items = items;
    if sheet.items.is_empty() {
        state.overlay = None;
        state.toast = Some(Shown::fixed("nothing has been changed in this session"));
    } else {
        state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    }
    Vec::new()
}

/// Opens the trash.
pub fn trash(state: &mut State, deleted: Vec<(Id, Item)>) -> Vec<Effect> {
    if state.overlay.is_some() {
        return Vec::new();
    }
    let (ids, items): (Vec<_>, Vec<_>) = deleted.into_iter().unzip();
    if items.is_empty() {
        state.toast = Some(Shown::fixed("the trash is empty"));
        return Vec::new();
    }
    let mut sheet = Sheet::new(Ask::Trash(ids), Vec::new());
    sheet.standing = Standing::Ready;
    sheet.items = items;
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    Vec::new()
}

/// Has the chosen file read, to edit it here or outside.
pub fn open_file(state: &mut State, outside: bool) -> Vec<Effect> {
    let Some(deck) = &state.deck else { return Vec::new() };
    let (folder, below) = match file(state) {
        Some((folder, below)) if below != "SKILL.md" => (folder, Some(below)),
        Some((folder, _)) => (folder, None),
        None => match state.selected_skill() {
            Some(skill) => (skill.folder().to_owned(), None),
            None => return Vec::new(),
        },
    };
    let opening = Opening { deck: Arc::clone(deck), folder, below, outside };
    vec![Effect::Session(Task::Open(opening))]
}

/// Whether a file is chosen, or shown, that can be opened.
pub fn is_file_chosen(state: &State) -> bool {
    let is_file = state.chosen_file().is_some_and(|item| matches!(item.kind, Kind::File(_)));
    file(state).is_some() && (is_file || state.preview.is_some())
}

/// Why nothing can be mended; `None` when something may be.
pub fn nothing_to_fix(state: &State) -> Option<&'static str> {
    let deck = state.deck.as_ref()?;
    if let Some(Row::NotLoaded(at)) = state.selected_row() {
        let fix = deck.not_loaded.get(at).and_then(|thing| thing.finding.fix.as_ref());
        return fix.is_none().then_some("there is no safe fix for it");
    }
    let folders = folders(state);
    if folders.is_empty() {
        return Some("no skill is chosen");
    }
    let is_fixable = |skill: &crate::project::Skill| {
        folders.iter().any(|folder| folder == skill.folder())
            && skill.findings.iter().any(|finding| finding.fix.is_some())
    };
    (!deck.skills.iter().any(is_fixable)).then_some("there is no safe fix for it")
}
