//! The list: every skill, the cut where it falls, and what is not loaded.

use ratatui::layout::Rect;

use crate::project::{NotLoaded, Skill};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::thousands;
use crate::tui::ink::{Canvas, Piece, Theme, Tone, fit, width};
use crate::tui::state::{Pane, Reading, Row, State};

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let focused = state.focus == Pane::List && state.overlay.is_none();
    let area = canvas.frame(area, &title(state), focused);
    let Some(deck) = state.deck.as_ref().filter(|_| !state.rows.is_empty()) else {
        empty(state, canvas, area);
        return;
    };
    let visible = state.rows.iter().enumerate().skip(state.offset).take(area.height.into());
    for (y, (i, row)) in visible.enumerate() {
        let pieces = match row {
            Row::Cut => {
                let limit = deck.budget.limit.map_or(String::new(), thousands);
                canvas.rule(area, y, &format!("{limit} characters end here"), Tone::Warn);
                continue;
            }
            Row::Skill(n) => skill(&deck.skills[*n], area.width.into(), canvas.theme()),
            Row::NotLoaded(n) => not_loaded(&deck.not_loaded[*n], canvas.theme()),
        };
        if i == state.selected {
            let tone = if focused { Tone::Chosen } else { Tone::ChosenElsewhere };
            canvas.chosen_row(area, y, &pieces, tone);
        } else {
            canvas.row(area, y, &pieces);
        }
    }
}

fn title(state: &State) -> Vec<Piece> {
    let Some(deck) = &state.deck else { return vec![Piece::new("Skills", Tone::Strong)] };
    let mut pieces =
        vec![Piece::new(format!("Skills {}", thousands(deck.skills.len() as u64)), Tone::Strong)];
    for (status, tone) in
        [(Status::Valid, Tone::Good), (Status::Warning, Tone::Warn), (Status::Error, Tone::Bad)]
    {
        let count = deck.count_status(status);
        if count > 0 {
            pieces.push(Piece::dim(state.theme.sign(" · ", ", ")));
            pieces.push(Piece::new(format!("{} {}", thousands(count as u64), status.word()), tone));
        }
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
fn skill(skill: &Skill, room: usize, theme: Theme) -> Vec<Piece> {
    const COST: usize = 7;
    const TOTAL: usize = 10;
    let (sign, tone) = sign(skill, theme);
    let word = if room >= 42 { format!("{:<8}", skill.status.word()) } else { String::new() };
    let cost = skill.place.cost.map_or("–".to_owned(), thousands);
    let total = match (skill.place.state, skill.place.total) {
        (Catalogued::Listed, Some(total)) => thousands(total),
        (state, _) => state.word().to_owned(),
    };
    let cost = theme_text(format!("{cost:>COST$}"), theme);
    let total = format!("{total:>TOTAL$}");
    let left = room.saturating_sub(4 + word.len() + COST + TOTAL);
    let title = fit(Piece::plain(skill.title()).text(), left);
    let pad = " ".repeat(left.saturating_sub(width(&title)));
    let listed = skill.place.state == Catalogued::Listed;
    let title_tone = if listed { Tone::Plain } else { Tone::Dim };
    vec![
        Piece::plain(" "),
        Piece::new(sign, tone),
        Piece::new(format!(" {word}"), tone),
        Piece::new(title, title_tone),
        Piece::dim(format!("{pad}{cost}")),
        Piece::new(total, if listed { Tone::Plain } else { tone }),
        Piece::plain(" "),
    ]
}

fn theme_text(text: String, theme: Theme) -> String {
    if theme.ascii { text.replace('–', "-") } else { text }
}

fn not_loaded(thing: &NotLoaded, theme: Theme) -> Vec<Piece> {
    vec![Piece::dim(format!(" {} {}  {}", theme.sign("·", "."), thing.path, thing.finding.message))]
}

/// What to do when there is nothing to list.
fn empty(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let mut lines: Vec<(String, Tone)> = Vec::new();
    match (&state.reading, &state.deck) {
        (Reading::Failed(message), _) => {
            lines.push(("The skills cannot be read:".into(), Tone::Bad));
            lines.push((message.as_str().to_owned(), Tone::Plain));
            lines.push((String::new(), Tone::Plain));
            lines.push((
                "Mend it; it is read again at once. R tries now, q quits.".into(),
                Tone::Dim,
            ));
        }
        (Reading::Scanning(_), _) | (_, None) => {
            lines.push(("Reading the skills …".into(), Tone::Accent));
            lines.push(("q quits".into(), Tone::Dim));
        }
        (Reading::Done, Some(deck)) => {
            let what = if deck.root_exists {
                "There is no skill yet."
            } else {
                "There is no skills root yet."
            };
            lines.push((what.into(), Tone::Strong));
            lines.push((String::new(), Tone::Plain));
            lines.push((format!("Create {}/<name>/SKILL.md", deck.root_label), Tone::Plain));
            lines.push(("with these lines; it shows here at once:".into(), Tone::Plain));
            lines.push((String::new(), Tone::Plain));
            for line in ["---", "description: What it is for.", "---", "", "Instructions …"] {
                lines.push((format!("  {line}"), Tone::Dim));
            }
        }
    }
    let mut y = 0;
    for (text, tone) in lines {
        for row in crate::tui::ink::wrap(&[Piece::new(text, tone)], usize::from(area.width) - 2) {
            let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
            canvas.row(area, y, &row);
            y += 1;
        }
    }
}
