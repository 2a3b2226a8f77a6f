//! The editor: keys into it, its text to disk, and what happens underneath.

use std::path::Path;
use std::time::Instant;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};

use crate::edit::{Content, Draft};
use crate::project::trial::Trial;
use crate::skill::text::{Shown, shown};
use crate::tui::command::Command;
use crate::tui::editing::{Editing, Search, Underneath};
use crate::tui::editor::find::{Needle, next};
use crate::tui::editor::glyphs::Signs;
use crate::tui::editor::{Editor, Mark, Pos, Took};
use crate::tui::field::Field;
use crate::tui::message::Effect;
use crate::tui::session::{Opened, Opening, Task};
use crate::tui::sheet::{Ask, Item, Sheet, Standing};
use crate::tui::state::{Overlay, Pane, State, Tab};
use crate::tui::trial::Attempt;
use crate::tui::view;
use crate::tui::yank::LIMIT;

/// Opens a file that was read.
pub fn opened(state: &mut State, opened: Opened) -> Vec<Effect> {
    let bytes = opened.content.as_ref().map_or(&[] as &[u8], Content::as_bytes).to_vec();
    let signs = Signs { invisibles: state.lay.invisibles, ascii: state.theme.ascii };
    let editor = match Editor::open(&bytes, opened.below.as_deref(), signs) {
        Ok(editor) => editor,
        Err(why) => {
            let key = state.keys.name(Command::Outside);
            state.toast = Some(shown(&format!("it is not opened here: {why} ({key})")));
            return Vec::new();
        }
    };
    state.overlay = None;
    state.editing = Some(Box::new(Editing {
        editor,
        file: opened,
        underneath: Underneath::Same,
        trial: None,
        number: 0,
        saving: None,
        is_leaving: false,
    }));
    resized(state);
    attempt(state)
}

/// Opens a draft of a session that is gone, not saved yet, over what its file
/// held when it was opened.
pub fn take_up(state: &mut State, at: usize, draft: Draft) -> Vec<Effect> {
    let Draft { folder, below, at: file, base, text, boundary } = draft;
    let path = boundary.join(&file);
    let mut effects = opened(state, Opened { folder, below, at: file, path, content: base });
    if state.editing.is_none() {
        return effects;
    }
    // It is kept by this session before the old one is forgotten.
    effects.extend(replace(state, &text, None));
    effects.push(Effect::Discard(at));
    effects.extend(looked(state));
    effects
}

/// The editor gets the room there is.
pub fn resized(state: &mut State) {
    let size = view::editor::size(state);
    if let Some(editing) = &mut state.editing {
        editing.editor.resize(size);
    }
}

/// A key that is no command.
pub fn typed(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    let Some(editing) = &mut state.editing else { return Vec::new() };
    let took = editing.editor.key(event, Instant::now());
    took_in(state, took)
}

/// Pasted text.
pub fn paste(state: &mut State, text: &str) -> Vec<Effect> {
    let Some(editing) = &mut state.editing else { return Vec::new() };
    let took = editing.editor.paste(text, Instant::now());
    took_in(state, took)
}

fn took_in(state: &mut State, took: Took) -> Vec<Effect> {
    match took {
        Took::Nothing => Vec::new(),
        Took::Edited => edited(state),
        Took::Refused(why) => {
            state.toast = Some(shown(&format!("it was not taken: with it, {why}")));
            Vec::new()
        }
    }
}

/// The text is another: what it would change is asked for, and it is kept safe.
fn edited(state: &mut State) -> Vec<Effect> {
    let mut effects = attempt(state);
    let Some(editing) = &state.editing else { return effects };
    effects.push(if editing.editor.buffer.is_changed() {
        Effect::Draft(Some(Draft {
            boundary: state.boundary.clone(),
            folder: editing.file.folder.clone(),
            below: editing.file.below.clone(),
            at: editing.file.at.clone(),
            base: editing.file.content.clone(),
            text: String::from_utf8_lossy(&editing.editor.buffer.bytes()).into_owned(),
        }))
    } else {
        Effect::Draft(None)
    });
    effects
}

fn attempt(state: &mut State) -> Vec<Effect> {
    let (Some(deck), view) = (state.deck.clone(), state.view.clone()) else { return Vec::new() };
    state.asked += 1;
    let number = state.asked;
    let Some(editing) = state.editing.as_mut().filter(|editing| editing.is_skill()) else {
        return Vec::new();
    };
    editing.number = number;
    let (folder, bytes) = (editing.file.folder.clone(), editing.editor.buffer.bytes());
    vec![Effect::Try(Attempt { deck, view, folder, bytes, number })]
}

/// Takes what a text would change.
pub fn tried(state: &mut State, number: u64, trial: Trial) {
    if let Some(sheet) = state.sheet_mut().filter(|sheet| sheet.number == number) {
        sheet.trial = Some(trial);
        return;
    }
    let Some(editing) = state.editing.as_mut().filter(|editing| editing.number == number) else {
        return;
    };
    let of_file = trial
        .findings
        .iter()
        .filter(|finding| finding.file.as_deref().is_none_or(|file| file == "SKILL.md"));
    let mut marks: Vec<Mark> = of_file
        .map(|finding| {
            let place = finding.place.map(|place| {
                let zero = |n: u32| (n as usize).saturating_sub(1);
                Pos::new(zero(place.line), zero(place.column))
            });
            Mark {
                at: place.unwrap_or_default(),
                level: finding.level,
                message: finding.message.clone(),
            }
        })
        .collect();
    marks.sort_by_key(|mark| mark.at);
    editing.editor.marks = marks;
    editing.trial = Some(trial);
}

/// Does a command of the editor; `None` when it is another, or there is none.
pub fn command(state: &mut State, command: Command) -> Option<Vec<Effect>> {
    let now = Instant::now();
    let editor = &mut state.editing.as_mut()?.editor;
    Some(match command {
        Command::Save => save(state),
        Command::LeaveEditor => leave(state),
        Command::UndoTyping | Command::RedoTyping => {
            let took = editor.turn(command == Command::UndoTyping);
            took_in(state, took)
        }
        Command::CutText => {
            let text = editor.cut(now);
            let mut effects = edited(state);
            effects.extend(send(text));
            effects
        }
        Command::CopyText => {
            let text = editor.copy();
            state.toast = Some(Shown::fixed("copied, and sent to the terminal"));
            send(text).into_iter().collect()
        }
        Command::PasteText => {
            let took = editor.paste_own(now);
            took_in(state, took)
        }
        Command::SelectAll => {
            editor.buffer.select_all();
            Vec::new()
        }
        Command::NextFinding | Command::PreviousFinding => {
            match editor.next_mark(command == Command::NextFinding) {
                Some(at) => editor.go_to(at),
                None => state.toast = Some(Shown::fixed("there is nothing to be said of the text")),
            }
            Vec::new()
        }
        Command::FixText => fix(state),
        Command::ShowUnsaved => show(state, Ask::Unsaved, &["what would be saved"]),
        Command::OutsideText => outside(state),
        Command::FindText => search(state),
        Command::NextMatch | Command::PreviousMatch => {
            find(state, command == Command::NextMatch);
            Vec::new()
        }
        Command::OtherField => {
            if let Some(Overlay::Search(search)) = &mut state.overlay {
                search.is_replacing = !search.is_replacing;
            }
            Vec::new()
        }
        Command::ReplaceOne | Command::ReplaceAll => {
            put_in_place(state, command == Command::ReplaceAll)
        }
        _ => return None,
    })
}

/// Opens the lines in which one types what is looked for; what is selected is.
fn search(state: &mut State) -> Vec<Effect> {
    let Some(editing) = &state.editing else { return Vec::new() };
    let buffer = &editing.editor.buffer;
    let selected = buffer.selection().filter(|(from, to)| from.line == to.line);
    let text = selected.map(|(from, to)| buffer.text_between(from, to)).unwrap_or_default();
    let (find, replace) = (Field::line(&text), Field::line(""));
    let search = Search { find, replace, is_replacing: false };
    state.overlay = Some(Overlay::Search(Box::new(search)));
    Vec::new()
}

fn send(text: String) -> Option<Effect> {
    (!text.is_empty() && text.len() <= LIMIT).then_some(Effect::Yank(text))
}

fn save(state: &mut State) -> Vec<Effect> {
    let Some(editing) = &mut state.editing else { return Vec::new() };
    if editing.saving.is_some() {
        return Vec::new();
    }
    if !editing.editor.buffer.is_changed() && editing.underneath == Underneath::Same {
        state.toast = Some(Shown::fixed("nothing has changed, so there is nothing to save"));
        return finish(state);
    }
    editing.saving = Some(editing.editor.buffer.revision());
    let (at, before) = (editing.file.at.clone(), editing.file.content.clone());
    let bytes = editing.editor.buffer.bytes();
    vec![Effect::Session(Task::Save { at, before, bytes })]
}

/// Leaves the editor if that is what is wanted.
fn finish(state: &mut State) -> Vec<Effect> {
    match &state.editing {
        Some(editing) if editing.is_leaving => close(state),
        _ => Vec::new(),
    }
}

/// The editor goes; the skill that was edited is the chosen one.
fn close(state: &mut State) -> Vec<Effect> {
    let Some(editing) = state.editing.take() else { return Vec::new() };
    state.overlay = None;
    if state.selected_skill().is_none_or(|skill| skill.folder() != editing.file.folder) {
        state.remembered = Some(editing.file.folder.clone());
    }
    if editing.is_skill() && state.tab == Tab::Files && state.focus == Pane::List {
        state.tab = Tab::Overview;
    }
    let mut effects = vec![Effect::Draft(None), Effect::LookQuietly];
    effects.extend(super::list::want_rows(state));
    effects.extend(super::detail::read(state));
    effects
}

/// The text is on disk.
pub fn saved(state: &mut State, at: &Path, content: Content) -> Vec<Effect> {
    let Some(editing) = state.editing.as_mut().filter(|editing| editing.file.at == at) else {
        return vec![Effect::LookQuietly];
    };
    editing.saving = None;
    editing.underneath = Underneath::Same;
    editing.editor.buffer.set_saved(content.as_bytes());
    editing.file.content = Some(content);
    let title = shown(&format!("saved {}", editing.title()));
    let is_changed = editing.editor.buffer.is_changed();
    state.toast = Some(super::list::for_sessions(state, &title));
    state.is_own_news = true;
    let mut effects = vec![Effect::LookQuietly];
    if is_changed {
        // One has typed on meanwhile.
        effects.extend(edited(state));
    } else {
        effects.push(Effect::Draft(None));
        effects.extend(finish(state));
    }
    effects
}

/// The text is not on disk, and stays in the editor.
pub fn not_saved(state: &mut State, why: &Shown) -> Vec<Effect> {
    if let Some(editing) = &mut state.editing {
        editing.saving = None;
        editing.is_leaving = false;
    }
    state.toast = Some(shown(&format!("not saved: {why}")));
    Vec::new()
}

/// The file is another than the one that was opened: one says what is to be.
pub fn conflict(
    state: &mut State,
    at: &Path,
    theirs: Option<Content>,
    merged: Option<String>,
    items: Vec<Item>,
) -> Vec<Effect> {
    let Some(editing) = state.editing.as_mut().filter(|editing| editing.file.at == at) else {
        return Vec::new();
    };
    editing.saving = None;
    editing.underneath = if theirs.is_some() { Underneath::Changed } else { Underneath::Gone };
    let mut sheet = Sheet::new(Ask::Conflict { theirs, merged }, Vec::new());
    sheet.standing = Standing::Ready;
    sheet.items = items;
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    Vec::new()
}

/// What was chosen of a conflict.
pub fn settle(
    state: &mut State,
    choice: usize,
    theirs: Option<Content>,
    merged: Option<String>,
) -> Vec<Effect> {
    state.overlay = None;
    let Some(editing) = &mut state.editing else { return Vec::new() };
    // Whatever is chosen, what is on disk now has been seen.
    let text = |content: &Content| String::from_utf8_lossy(content.as_bytes()).into_owned();
    editing.file.content.clone_from(&theirs);
    editing.underneath = Underneath::Same;
    match (choice, &theirs) {
        // Mine.
        (0, _) => {
            editing.saving = Some(editing.editor.buffer.revision());
            let bytes = editing.editor.buffer.bytes();
            let at = editing.file.at.clone();
            vec![Effect::Session(Task::Save { at, before: theirs, bytes })]
        }
        (1, None) => close(state),
        (1, Some(theirs)) => {
            let theirs_text = text(theirs);
            replace(state, &theirs_text, Some(theirs.as_bytes().to_vec()))
        }
        _ => {
            editing.is_leaving = false;
            let saved = theirs.as_ref().map(|content| content.as_bytes().to_vec());
            state.toast = Some(Shown::fixed("both are in the text; look at it, then save"));
            match merged {
                Some(merged) => replace(state, &merged, saved),
                None => Vec::new(),
            }
        }
    }
}

/// Puts another text in the editor, one that can be taken back; `saved` is what
/// is on disk.
fn replace(state: &mut State, text: &str, saved: Option<Vec<u8>>) -> Vec<Effect> {
    let Some(editing) = &mut state.editing else { return Vec::new() };
    if let Err(why) = editing.editor.buffer.replace_all(text, Instant::now()) {
        state.toast = Some(shown(&format!("it is not edited here: {why}")));
        return Vec::new();
    }
    if let Some(saved) = saved {
        editing.editor.buffer.set_saved(&saved);
    }
    editing.editor.keep_in_view();
    let mut effects = edited(state);
    effects.extend(finish_if_saved(state));
    effects
}

fn finish_if_saved(state: &mut State) -> Vec<Effect> {
    let is_saved = state.editing.as_ref().is_some_and(|e| !e.editor.buffer.is_changed());
    if is_saved { finish(state) } else { Vec::new() }
}

/// One level out: the selection first, then the editor, with a question when
/// something is not saved.
fn leave(state: &mut State) -> Vec<Effect> {
    let Some(editing) = &mut state.editing else { return Vec::new() };
    if editing.editor.buffer.selection().is_some() {
        editing.editor.buffer.clear_selection();
        return Vec::new();
    }
    if !editing.editor.buffer.is_changed() {
        return close(state);
    }
    let choices = ["save and leave", "leave without saving", "go on editing"];
    show(state, Ask::Leave, &choices)
}

/// Opens a sheet about the text; its lines come when they have been compared.
fn show(state: &mut State, ask: Ask, choices: &[&'static str]) -> Vec<Effect> {
    let Some(editing) = &state.editing else { return Vec::new() };
    let before = editing.file.content.clone();
    let bytes = editing.editor.buffer.bytes();
    state.asked += 1;
    let mut sheet = Sheet::new(ask, Vec::new());
    sheet.number = state.asked;
    sheet.standing = Standing::Ready;
    let item =
        |text: &&'static str| Item { text: Shown::fixed(text), lines: Vec::new(), is_out: false };
    sheet.items = choices.iter().map(item).collect();
    let number = sheet.number;
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    vec![Effect::Session(Task::Compare { before, bytes, number })]
}

/// What was chosen on leaving.
pub fn left(state: &mut State, choice: usize) -> Vec<Effect> {
    state.overlay = None;
    match choice {
        0 => {
            if let Some(editing) = &mut state.editing {
                editing.is_leaving = true;
            }
            save(state)
        }
        1 => close(state),
        _ => Vec::new(),
    }
}

/// Asks what the safe fixes would make of the text.
fn fix(state: &mut State) -> Vec<Effect> {
    let (Some(editing), Some(deck)) = (&state.editing, &state.deck) else { return Vec::new() };
    if !editing.is_skill() {
        state.toast = Some(Shown::fixed("there are fixes for a SKILL.md only"));
        return Vec::new();
    }
    let (deck, folder) = (deck.clone(), editing.file.folder.clone());
    let bytes = editing.editor.buffer.bytes();
    vec![Effect::Session(Task::FixText { deck, folder, bytes })]
}

/// What the safe fixes would make of the text, to be agreed to.
pub fn fixed(state: &mut State, text: String, item: Item) -> Vec<Effect> {
    let Some(editing) = &state.editing else { return Vec::new() };
    if item.lines.is_empty() {
        state.toast = Some(Shown::fixed("there is no safe fix for the text"));
        return Vec::new();
    }
    let revision = editing.editor.buffer.revision();
    let mut sheet = Sheet::new(Ask::FixText { text, revision }, Vec::new());
    sheet.standing = Standing::Ready;
    sheet.items = vec![item];
    state.overlay = Some(Overlay::Sheet(Box::new(sheet)));
    Vec::new()
}

/// Takes the fixes in, as one step of the editor.
pub fn take_fix(state: &mut State, text: &str, revision: u64) -> Vec<Effect> {
    state.overlay = None;
    let is_same = state.editing.as_ref().is_some_and(|e| e.editor.buffer.revision() == revision);
    if is_same { replace(state, text, None) } else { Vec::new() }
}

/// The same file in the user's own editor.
fn outside(state: &mut State) -> Vec<Effect> {
    let Some(editing) = &state.editing else { return Vec::new() };
    if editing.editor.buffer.is_changed() {
        state.toast = Some(Shown::fixed("save the text first; the other editor reads the file"));
        return Vec::new();
    }
    let Some(deck) = state.deck.clone() else { return Vec::new() };
    let (folder, below) = (editing.file.folder.clone(), editing.file.below.clone());
    vec![Effect::Session(Task::Open(Opening { deck, folder, below, outside: true }))]
}

/// A program outside has ended.
pub fn returned(state: &mut State, opened: Opened, trouble: Option<Shown>) -> Vec<Effect> {
    let is_trouble = trouble.is_some();
    if is_trouble {
        state.toast = trouble;
    }
    vec![Effect::Session(Task::Note { at: opened.at, before: opened.content, is_trouble })]
}

/// The disk was looked at: is the file that is edited still the one it was?
pub fn looked(state: &mut State) -> Vec<Effect> {
    let Some(editing) = state.editing.as_ref().filter(|editing| editing.saving.is_none()) else {
        return Vec::new();
    };
    vec![Effect::Session(Task::Look(editing.file.at.clone()))]
}

/// What the file that is edited holds now.
pub fn on_disk(state: &mut State, at: &Path, content: Option<Content>) -> Vec<Effect> {
    let Some(editing) = state.editing.as_mut() else { return Vec::new() };
    if editing.file.at != at || editing.saving.is_some() {
        return Vec::new();
    }
    let bytes = |content: &Option<Content>| content.as_ref().map(|c| c.as_bytes().to_vec());
    let (now, base) = (bytes(&content), bytes(&editing.file.content));
    let underneath = match &now {
        _ if now == base => Underneath::Same,
        None => Underneath::Gone,
        Some(_) => Underneath::Changed,
    };
    if underneath == editing.underneath {
        return Vec::new();
    }
    if let (Underneath::Changed, Some(now), false) =
        (underneath, now, editing.editor.buffer.is_changed())
    {
        // Nothing of one's own is lost when it is read again.
        editing.file.content = content;
        state.toast = Some(Shown::fixed("it changed on disk and was read again"));
        let text = String::from_utf8_lossy(&now).into_owned();
        return replace(state, &text, Some(now));
    }
    editing.underneath = underneath;
    let name = editing.title();
    state.toast = match underneath {
        Underneath::Same => None,
        Underneath::Changed => {
            Some(shown(&format!("{name} has changed on disk; saving asks what is to be")))
        }
        Underneath::Gone => Some(shown(&format!(
            "{name} was deleted on disk; saving asks whether to write it again"
        ))),
    };
    Vec::new()
}

/// Goes to the next place that was found, or to the one before.
pub fn find(state: &mut State, forward: bool) {
    let (Some(Overlay::Search(search)), Some(editing)) = (&state.overlay, &mut state.editing)
    else {
        return;
    };
    let editor = &mut editing.editor;
    let all = Needle::new(&search.find.text()).all(&editor.buffer);
    let from = editor.buffer.cursor();
    match next(&all, from, forward) {
        Some(at) => editor.select(all[at]),
        None if search.find.text().is_empty() => {}
        None => state.toast = Some(Shown::fixed("it stands nowhere in the text")),
    }
}

/// Puts the other text in place of what was found, here or everywhere.
pub fn put_in_place(state: &mut State, everywhere: bool) -> Vec<Effect> {
    let (Some(Overlay::Search(search)), Some(editing)) = (&state.overlay, &mut state.editing)
    else {
        return Vec::new();
    };
    let (needle, new) = (Needle::new(&search.find.text()), search.replace.text());
    let buffer = &mut editing.editor.buffer;
    let all = needle.all(buffer);
    if !everywhere {
        let here = buffer.selection().filter(|selection| all.contains(selection));
        if let Some((from, to)) = here {
            buffer.replace_part(from, to, &new, Instant::now());
        }
        find(state, true);
        return if here.is_some() { edited(state) } else { Vec::new() };
    }
    if all.is_empty() {
        state.toast = Some(Shown::fixed("it stands nowhere in the text"));
        return Vec::new();
    }
    let lines = buffer.lines().iter().map(|line| {
        let mut out = String::with_capacity(line.len());
        let mut last = 0;
        for range in needle.in_line(line) {
            out.push_str(&line[last..range.start]);
            out.push_str(&new);
            last = range.end;
        }
        out.push_str(&line[last..]);
        out
    });
    let lines: Vec<String> = lines.collect();
    let replaced = buffer.replace_lines(&lines, Instant::now());
    editing.editor.keep_in_view();
    let said = match &replaced {
        Ok(()) => format!("replaced {} times", all.len()),
        Err(why) => format!("it was not replaced: with it, {why}"),
    };
    state.toast = Some(shown(&said));
    if replaced.is_ok() { edited(state) } else { Vec::new() }
}

/// A click puts the cursor somewhere, a drag selects, the wheel moves.
pub fn mouse(state: &mut State, event: MouseEvent) {
    let at = view::editor::at(state, event.column, event.row);
    let Some(editing) = &mut state.editing else { return };
    let editor = &mut editing.editor;
    match (event.kind, at) {
        (MouseEventKind::Down(MouseButton::Left), Some((row, cell))) => {
            let at = editor.at(row, cell);
            editor.go_to(at);
        }
        (MouseEventKind::Drag(MouseButton::Left), Some((row, cell))) => {
            let at = editor.at(row, cell);
            editor.buffer.move_to(at, true);
            editor.keep_in_view();
        }
        (MouseEventKind::ScrollDown, _) => editor.scroll(3),
        (MouseEventKind::ScrollUp, _) => editor.scroll(-3),
        _ => {}
    }
}
