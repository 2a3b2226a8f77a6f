//! A sheet: what is asked, what would be done, and the lines of each part.

use ratatui::layout::Rect;

use super::field;
use crate::edit::diff::{DiffLine, LineKind};
use crate::skill::text::counted;
use crate::tui::ink::{Canvas, Piece, Tone, width, wrap};
use crate::tui::sheet::{Input, Item, Sheet, Standing};
use crate::tui::state::{Overlay, State};

/// Characters of a description beyond which clients begin to cut or to warn.
const LONG: usize = 280;

/// How the inside of a sheet is divided; rows from the top.
struct Layout {
    inside: Rect,
    inputs: usize,
    said: Vec<Vec<Piece>>,
    items: usize,
    lines: usize,
}

impl Layout {
    fn of(state: &State, sheet: &Sheet) -> Self {
        let area = area(state, sheet);
        let inside = super::inside(area);
        let room = usize::from(inside.height);
        let heights = heights(sheet, inside);
        let inputs = heights.iter().sum::<usize>().min(room);
        let mut said = said(sheet, usize::from(inside.width).saturating_sub(2));
        said.truncate(room.saturating_sub(inputs + 2).max(1));
        let left = room.saturating_sub(inputs + said.len() + usize::from(inputs > 0));
        // The list may take what its lines do not need, and at least a third.
        let needed = lines_of(sheet).len() + 1;
        let most = left.saturating_sub(needed.min(left)).max(left / 3).max(1);
        let items = sheet.items.len().min(most);
        Self { inside, inputs, said, items, lines: left.saturating_sub(items + 1) }
    }

    /// The first item that is shown.
    fn first(&self, sheet: &Sheet) -> usize {
        (sheet.selected + 1).saturating_sub(self.items.max(1))
    }
}

/// Where it is: at the top, so that it does not jump while one types.
fn area(state: &State, sheet: &Sheet) -> Rect {
    let (columns, rows) = state.size;
    // Where there is one pane it covers that wholly, lest two frames stand side by side.
    let width = if state.has_two_panes() { columns.min(114) - 4 } else { columns };
    let longest = sheet.items.iter().map(|item| item.lines.len()).max().unwrap_or(0);
    let inputs = sheet.inputs.len();
    let wanted = if sheet.is_form() {
        24
    } else {
        inputs + sheet.items.len() + sheet.notes.len() + longest + 6
    };
    let most = rows.saturating_sub(3);
    let height = u16::try_from(wanted).unwrap_or(most).clamp(8.min(most), most);
    Rect { x: (columns - width) / 2, y: 1, width, height }
}

/// The item in a row of the screen.
pub fn item_at(state: &State, row: u16) -> Option<usize> {
    let Some(Overlay::Sheet(sheet)) = &state.overlay else { return None };
    let layout = Layout::of(state, sheet);
    let top = usize::from(layout.inside.y) + layout.top_of_items();
    let at = usize::from(row).checked_sub(top)?;
    (at < layout.items).then(|| layout.first(sheet) + at).filter(|at| *at < sheet.items.len())
}

impl Layout {
    fn top_of_items(&self) -> usize {
        self.inputs + self.said.len() + usize::from(self.inputs > 0)
    }
}

fn lines_of(sheet: &Sheet) -> &[DiffLine] {
    sheet.items.get(sheet.selected).map_or(&[], |item| &item.lines)
}

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, sheet: &Sheet) {
    let area = area(state, sheet);
    canvas.clear(area);
    let layout = Layout::of(state, sheet);
    canvas.frame(area, &[Piece::new(sheet.title.as_str(), Tone::Strong)], true);
    let inside = layout.inside;
    if !sheet.is_form() {
        canvas.set_cursor(inside.x, inside.y);
    }
    let mut top = 0;
    for (y, (input, height)) in sheet.inputs.iter().zip(heights(sheet, inside)).enumerate() {
        let left = layout.inputs.saturating_sub(top);
        let height = height.min(left);
        let area = Rect { y: inside.y + top as u16, height: height as u16, ..inside };
        if height > 0 {
            draw_input(canvas, area, sheet, input, y == sheet.focus);
        }
        top += height;
    }
    let mut y = layout.inputs + usize::from(layout.inputs > 0);
    for row in &layout.said {
        let area = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
        canvas.row(area, y, row);
        y += 1;
    }
    let first = layout.first(sheet);
    for (at, item) in sheet.items.iter().enumerate().skip(first).take(layout.items) {
        let pieces = item_row(sheet, item, canvas);
        let has_focus = sheet.focus == sheet.inputs.len();
        if at == sheet.selected && (sheet.items.len() > 1 || sheet.proposal.is_none()) {
            let tone = if has_focus { Tone::Chosen } else { Tone::ChosenElsewhere };
            canvas.chosen_row(inside, y, &pieces, tone);
            if has_focus {
                canvas.set_cursor(inside.x, inside.y + y as u16);
            }
        } else {
            canvas.row(inside, y, &pieces);
        }
        y += 1;
    }
    draw_lines(canvas, inside, y, lines_of(sheet), sheet.scroll, layout.lines);
}

/// Draws the lines of a diff from `top` on, with a rule above that says where one is.
fn draw_lines(
    canvas: &mut Canvas<'_>,
    inside: Rect,
    top: usize,
    lines: &[DiffLine],
    scroll: usize,
    rows: usize,
) {
    if lines.is_empty() || rows == 0 {
        return;
    }
    let width = usize::from(inside.width);
    let mut y = 0;
    let mut shown = 0;
    // Only what is seen is broken into rows, however long the diff is.
    'lines: for line in &lines[scroll.min(lines.len())..] {
        for row in wrap(&[Piece::new(line.text.as_str(), tone(line.kind))], width) {
            if y >= rows {
                break 'lines;
            }
            canvas.row(inside, top + 1 + y, &row);
            y += 1;
        }
        shown += 1;
    }
    let is_part = scroll > 0 || shown < lines.len();
    // One of which only the beginning has room counts where there is no other.
    let last = scroll + shown.max(1);
    let place = format!("lines {} to {last} of {}", scroll + 1, lines.len());
    canvas.rule(inside, top, if is_part { &place } else { "" }, Tone::Dim);
}

/// The last line of a sheet from which its lines are shown.
pub fn last_line(state: &State) -> usize {
    let Some(Overlay::Sheet(sheet)) = &state.overlay else { return 0 };
    let layout = Layout::of(state, sheet);
    let room = usize::from(layout.inside.width);
    let lines = lines_of(sheet);
    let is_wrapped = lines.iter().any(|line| width(line.text.as_str()) > room);
    lines.len().saturating_sub(if is_wrapped { 1 } else { layout.lines })
}

/// How many lines one goes on by a page: those of which all was seen, at least one.
pub fn page(state: &State) -> isize {
    let Some(Overlay::Sheet(sheet)) = &state.overlay else { return 1 };
    let layout = Layout::of(state, sheet);
    let width = usize::from(layout.inside.width);
    let lines = lines_of(sheet);
    let mut left = layout.lines;
    let mut whole = 0;
    for line in &lines[sheet.scroll.min(lines.len())..] {
        let rows = wrap(&[Piece::plain(line.text.as_str())], width).len();
        if rows > left {
            break;
        }
        left -= rows;
        whole += 1;
    }
    whole.max(1)
}

/// How a line of a diff looks.
fn tone(kind: LineKind) -> Tone {
    match kind {
        LineKind::File => Tone::Strong,
        LineKind::Hunk => Tone::Dim,
        LineKind::Same => Tone::Plain,
        LineKind::Added => Tone::Good,
        LineKind::Removed => Tone::Bad,
        LineKind::Note => Tone::Accent,
    }
}

/// Cells of the labels, the widest of them counting.
fn label_width(sheet: &Sheet) -> usize {
    let labels = sheet.inputs.iter().map(|input| match input {
        Input::Line { label, .. } | Input::Choice { label, .. } => width(label),
    });
    labels.max().unwrap_or(0)
}

/// The rows of each input: a text that is long is wrapped, so that all of it is
/// seen.
fn heights(sheet: &Sheet, inside: Rect) -> Vec<usize> {
    // What it amounts to is to be seen as well.
    let most = usize::from(inside.height / 3).clamp(1, 8);
    let room = usize::from(inside.width).saturating_sub(label_width(sheet) + 4);
    let height = |input: &Input| match input {
        Input::Line { field, .. } => field::wrapped_rows(field, room).min(most),
        Input::Choice { .. } => 1,
    };
    sheet.inputs.iter().map(height).collect()
}

fn draw_input(canvas: &mut Canvas<'_>, area: Rect, sheet: &Sheet, input: &Input, has_focus: bool) {
    let wide = label_width(sheet);
    let tone = if has_focus { Tone::Accent } else { Tone::Dim };
    let mark = if has_focus { canvas.theme().sign("▸", ">") } else { " " };
    match input {
        Input::Line { label, field } => {
            let head = Piece::new(format!("{mark}{label:<wide$}  "), tone);
            let left = head.width() as u16;
            canvas.row(area, 0, &[head]);
            let line =
                Rect { x: area.x + left, width: area.width.saturating_sub(left + 1), ..area };
            let cursor = canvas.cursor();
            if area.height > 1 {
                field::draw_wrapped(canvas, line, field);
            } else {
                field::draw(canvas, line, field);
            }
            if let (false, Some(cursor)) = (has_focus, cursor) {
                canvas.set_cursor(cursor.x, cursor.y);
            }
        }
        Input::Choice { label, options, at } => {
            let (name, about) =
                options.get(*at).map_or(("none", ""), |(name, about)| (name, about));
            let arrows = canvas.theme().sign("‹ ›", "< >");
            let (l, r) = arrows.split_once(' ').unwrap_or(("<", ">"));
            let text = if has_focus { format!("{l} {name} {r}") } else { name.to_owned() };
            canvas.row(
                area,
                0,
                &[
                    Piece::new(format!("{mark}{label:<wide$}  "), tone),
                    Piece::new(text, Tone::Strong),
                    Piece::dim(format!("  {about}")),
                ],
            );
            if has_focus {
                canvas.set_cursor(area.x, area.y);
            }
        }
    }
}

/// What is to be known before one agrees.
fn said(sheet: &Sheet, width: usize) -> Vec<Vec<Piece>> {
    let mut said = Vec::new();
    let mut push = |text: &str, tone| said.extend(wrap(&[Piece::new(text, tone)], width));
    match &sheet.standing {
        Standing::Refused(why) => push(why.as_str(), Tone::Bad),
        Standing::Making => push("doing it …", Tone::Dim),
        Standing::Waiting if sheet.proposal.is_none() && sheet.operation().is_some() => {
            push("looking …", Tone::Dim);
        }
        Standing::Waiting | Standing::Ready => {}
    }
    if let Some(text) = sheet.description() {
        let count = text.chars().count();
        let tone = if count > LONG { Tone::Warn } else { Tone::Dim };
        let passed = crate::tui::marks::passed(count);
        let count = format!("description: {}{passed}", counted(count, "character", "characters"));
        match &sheet.trial {
            Some(trial) => push(&format!("{count}; {}", trial.words()), tone),
            None => push(&count, tone),
        }
    }
    for note in &sheet.notes {
        push(note.as_str(), Tone::Warn);
    }
    said
}

fn item_row(sheet: &Sheet, item: &Item, canvas: &Canvas<'_>) -> Vec<Piece> {
    let tone = if item.is_out { Tone::Dim } else { Tone::Plain };
    if !sheet.can_leave_out() {
        return vec![Piece::new(format!(" {}", item.text), tone)];
    }
    let mark = if item.is_out { "[ ]" } else { canvas.theme().sign("[✓]", "[x]") };
    let said = if item.is_out { "  left out" } else { "" };
    vec![Piece::new(format!(" {mark} {}{said}", item.text), tone)]
}
