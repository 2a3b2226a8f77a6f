//! The list: every skill, the cut where it falls, and what is not loaded.

use ratatui::layout::Rect;

use super::field;
use crate::project::report::modified;
use crate::project::{NotLoaded, Skill};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::thousands;
use crate::tui::command::Command;
use crate::tui::filter::Sieve;
use crate::tui::ink::{Canvas, Piece, Theme, Tone, fit, marked, width};
use crate::tui::state::{Overlay, Pane, Reading, Row, Sort, State};

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let is_typing = matches!(state.overlay, Some(Overlay::Filter(_)));
    let focused = state.focus == Pane::List && (state.overlay.is_none() || is_typing);
    let outer = area;
    let title = title(state, usize::from(area.width).saturating_sub(6));
    let area = canvas.frame(area, &title, focused);
    filter(state, canvas, outer);
    let Some(deck) = state.deck.as_ref().filter(|_| !state.rows.is_empty()) else {
        empty(state, canvas, area);
        return;
    };
    let mut sieve = Sieve::default();
    let visible = state.rows.iter().enumerate().skip(state.offset).take(area.height.into());
    for (y, (i, row)) in visible.enumerate() {
        let pieces = match row {
            Row::Cut => {
                let limit = deck.budget.limit.map_or(String::new(), thousands);
                canvas.rule(area, y, &format!("{limit} characters end here"), Tone::Warn);
                continue;
            }
            Row::Skill(n) => {
                skill(&deck.skills[*n], state, &mut sieve, area.width.into(), canvas.theme())
            }
            Row::NotLoaded(n) => not_loaded(&deck.not_loaded[*n], canvas.theme()),
        };
        if i == state.selected {
            let tone = if focused { Tone::Chosen } else { Tone::ChosenElsewhere };
            canvas.chosen_row(area, y, &pieces, tone);
            if focused {
                // Where a screen reader or a braille line looks.
                canvas.set_cursor(area.x, area.y + y as u16);
            }
        } else {
            canvas.row(area, y, &pieces);
        }
    }
}

/// The filter in the lower edge of the frame: as it is typed, or as it is kept.
fn filter(state: &State, canvas: &mut Canvas<'_>, frame: Rect) {
    if frame.width < 12 || frame.height < 3 {
        return;
    }
    let area = Rect { x: frame.x + 2, y: frame.bottom() - 1, width: frame.width - 4, height: 1 };
    let count = thousands(state.found as u64);
    let said = match state.filter.complaint() {
        Some(_) => Piece::new(" no such word ", Tone::Warn),
        None => Piece::dim(format!(" {count} found ")),
    };
    match &state.overlay {
        Some(Overlay::Filter(query)) => {
            let used = (said.width() as u16).min(area.width / 2);
            let line = Rect { width: area.width - used, ..area };
            canvas.clear(line);
            canvas.row(line, 0, &[Piece::new(" / ", Tone::Accent)]);
            let line = Rect { x: line.x + 3, width: line.width.saturating_sub(3), ..line };
            field::draw(canvas, line, query);
            canvas.row(Rect { x: area.right() - used, width: used, ..area }, 0, &[said]);
        }
        _ if !state.filter.is_empty() => {
            let text = Piece::new(format!(" /{}", state.filter.text()), Tone::Accent);
            canvas.row(area, 0, &[text, said]);
        }
        _ => {}
    }
}

fn title(state: &State, room: usize) -> Vec<Piece> {
    let Some(deck) = &state.deck else { return vec![Piece::new("Skills", Tone::Strong)] };
    let count = thousands(deck.skills.len() as u64);
    let mut pieces = vec![Piece::new(format!("Skills {count}"), Tone::Strong)];
    if state.sort != Sort::Name {
        pieces.push(Piece::new(format!(" by {}", state.sort.name()), Tone::Accent));
    }
    if !state.marked.is_empty() {
        let count = thousands(state.marked.len() as u64);
        pieces.push(Piece::new(format!(" {count} marked"), Tone::Accent));
    }
    let dot = state.theme.sign(" · ", ", ");
    let mut statuses: Vec<Piece> =
        [(Status::Valid, Tone::Good), (Status::Warning, Tone::Warn), (Status::Error, Tone::Bad)]
            .into_iter()
            .map(|(status, tone)| (deck.count_status(status), status, tone))
            .filter(|(count, ..)| *count > 0)
            .map(|(count, status, tone)| {
                Piece::new(format!("{} {}", thousands(count as u64), status.word()), tone)
            })
            .collect();
    let wanted: usize = pieces.iter().map(Piece::width).sum::<usize>()
        + statuses.iter().map(|piece| piece.width() + dot.len()).sum::<usize>();
    if wanted > room {
        // What is worst must not be what is cut.
        statuses.reverse();
    }
    for status in statuses {
        pieces.extend([Piece::dim(dot), status]);
    }
    pieces
}

/// The sign and tone of a skill.
pub fn sign(skill: &Skill, theme: Theme) -> (&'static str, Tone) {
    let past =
        matches!(skill.place.state, Catalogued::Cut | Catalogued::Hidden | Catalogued::Filtered);
    match (skill.status, past) {
        (Status::Error, _) => (theme.sign("✖", "x"), Tone::Bad),
        (Status::Warning, false) => (theme.sign("▲", "!"), Tone::Warn),
        (Status::Warning, true) => (theme.sign("△", "?"), Tone::Warn),
        (Status::Valid, false) => (theme.sign("●", "*"), Tone::Good),
        (Status::Valid, true) => (theme.sign("○", "o"), Tone::Dim),
    }
}

/// Sign, status, name, cost, and the running total or why there is none.
fn skill(skill: &Skill, state: &State, sieve: &mut Sieve, room: usize, theme: Theme) -> Vec<Piece> {
    const TOTAL: usize = 10;
    let width_of_cost = if state.sort == Sort::Modified { 11 } else { 7 };
    let (sign, tone) = sign(skill, theme);
    let word = if room >= 42 { format!("{:<8}", skill.status.word()) } else { String::new() };
    let cost = cost(skill, state);
    let total = match (skill.place.state, skill.place.total) {
        (Catalogued::Listed, Some(total)) => thousands(total),
        (state, _) => state.word().to_owned(),
    };
    let cost = theme_text(format!("{cost:>width_of_cost$}"), theme);
    let total = format!("{total:>TOTAL$}");
    let left = room.saturating_sub(4 + word.len() + width_of_cost + TOTAL);
    // Of several of one name it must be seen which is which.
    let title = if skill.place.state == Catalogued::Duplicate {
        format!("{} in {}", skill.title(), skill.folder())
    } else {
        skill.title().to_owned()
    };
    let title = fit(Piece::plain(title).text(), left);
    let pad = " ".repeat(left.saturating_sub(width(&title)));
    let listed = skill.place.state == Catalogued::Listed;
    let title_tone = if listed { Tone::Plain } else { Tone::Dim };
    let is_marked = state.marked.contains(skill.folder());
    let mark = if is_marked { theme.sign("┃", "#") } else { " " };
    let mut pieces = vec![
        Piece::new(mark, if is_marked { Tone::Accent } else { Tone::Plain }),
        Piece::new(sign, tone),
        Piece::new(format!(" {word}"), tone),
    ];
    if state.filter.has_text() {
        let marks = sieve.marks_in_name(&state.filter, &title);
        pieces.extend(marked(&title, &marks, title_tone, Tone::Found));
    } else {
        pieces.push(Piece::new(title, title_tone));
    }
    pieces.extend([
        Piece::dim(format!("{pad}{cost}")),
        Piece::new(total, if listed { Tone::Plain } else { tone }),
        Piece::plain(" "),
    ]);
    pieces
}

/// What the list is sorted by, where that is a number, else what the line costs.
fn cost(skill: &Skill, state: &State) -> String {
    let stamp = skill.entry.file.as_ref().ok().map(|file| file.stamp);
    let none = || "–".to_owned();
    match state.sort {
        Sort::Size => stamp.map_or_else(none, |stamp| thousands(stamp.size())),
        Sort::Modified => stamp
            .and_then(|stamp| modified(stamp.modified()))
            .and_then(|time| time.get(..10).map(str::to_owned))
            .unwrap_or_else(none),
        Sort::Used => state
            .deck
            .as_ref()
            .and_then(|deck| deck.usage.as_ref())
            .map_or_else(none, |usage| thousands(usage.times(skill.title()))),
        Sort::Name | Sort::Status | Sort::Cost => skill.place.cost.map_or_else(none, thousands),
    }
}

fn theme_text(text: String, theme: Theme) -> String {
    if theme.ascii { text.replace('–', "-") } else { text }
}

fn not_loaded(thing: &NotLoaded, theme: Theme) -> Vec<Piece> {
    vec![Piece::dim(format!(" {} {}  {}", theme.sign("·", "."), thing.path, thing.finding.message))]
}

/// What to do when there is nothing to list.
fn empty(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let key = |command| state.keys.name(command);
    let mut lines: Vec<(String, Tone)> = Vec::new();
    if state.deck.is_some() && !state.filter.is_empty() {
        let why = state.filter.complaint();
        lines.push((why.unwrap_or("No skill is like that.".into()), Tone::Strong));
        let is_typing = matches!(state.overlay, Some(Overlay::Filter(_)));
        let name = if is_typing { "drop-filter" } else { "clear-filter" };
        let keys = state.keys.of(name);
        lines.push((format!("{} shows all", keys.first().map_or("", String::as_str)), Tone::Dim));
        paragraphs(canvas, area, lines);
        return;
    }
    match (&state.reading, &state.deck) {
        (Reading::Failed(message), _) => {
            lines.push(("The skills cannot be read:".into(), Tone::Bad));
            lines.push((message.as_str().to_owned(), Tone::Plain));
            lines.push((String::new(), Tone::Plain));
            let (rescan, quit) = (key(Command::Rescan), key(Command::Quit));
            lines.push((format!("{rescan} tries again, {quit} quits."), Tone::Plain));
            lines.push(("Once it is mended it is read by itself.".into(), Tone::Dim));
        }
        (Reading::Scanning(_), _) | (_, None) => {
            lines.push(("Reading the skills …".into(), Tone::Accent));
            lines.push((format!("{} quits", key(Command::Quit)), Tone::Dim));
        }
        (Reading::Done | Reading::Again(_) | Reading::Stopped(_), Some(deck)) => {
            let what = if deck.root_exists {
                "There is no skill yet."
            } else {
                "There is no skills root yet."
            };
            lines.push((what.into(), Tone::Strong));
            lines.push((String::new(), Tone::Plain));
            let create = format!("{} makes the first one.", key(Command::Create));
            lines.push((create, Tone::Plain));
            for (path, about) in &state.others {
                let import = key(Command::Import);
                lines.push((format!("{import} imports the {about} of {path}."), Tone::Plain));
            }
            lines.push((String::new(), Tone::Plain));
            lines.push((format!("Or write {}/<name>/SKILL.md", deck.root_label), Tone::Dim));
            lines.push(("with these lines; it shows here at once:".into(), Tone::Dim));
            lines.push((String::new(), Tone::Plain));
            for line in ["---", "description: What it is for.", "---", "", "Instructions …"] {
                lines.push((format!("  {line}"), Tone::Dim));
            }
        }
    }
    paragraphs(canvas, area, lines);
}

fn paragraphs(canvas: &mut Canvas<'_>, area: Rect, lines: Vec<(String, Tone)>) {
    let mut y = 0;
    for (text, tone) in lines {
        for row in crate::tui::ink::wrap(&[Piece::new(text, tone)], usize::from(area.width) - 2) {
            let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
            canvas.row(area, y, &row);
            y += 1;
        }
    }
}
