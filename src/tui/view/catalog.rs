//! The exact catalog: each line, the chosen skill's marked, and the cut.

use ratatui::layout::Rect;

use crate::project::{Deck, Skill};
use crate::prompt::catalog::{NONE, State as Catalogued};
use crate::skill::text::{counted, thousands};
use crate::tui::command::Command;
use crate::tui::ink::{Canvas, Piece, Tone, wrap};
use crate::tui::state::State;

/// The skills whose lines are shown: those listed, then those that are cut.
fn shown(deck: &Deck) -> impl DoubleEndedIterator<Item = &Skill> {
    let is_shown = |s: &&Skill| matches!(s.place.state, Catalogued::Listed | Catalogued::Cut);
    deck.skills.iter().filter(is_shown)
}

/// How many lines the catalog and what is cut from it have.
pub fn length(state: &State) -> usize {
    state.deck.as_ref().map_or(0, |deck| shown(deck).count())
}

fn rows(deck: &Deck, skill: &Skill, width: usize) -> Vec<Vec<Piece>> {
    let form = deck.profile.catalog();
    let text = skill.item(form).lines(form, skill.place.kept.unwrap_or(u64::MAX));
    let tone = if skill.place.state == Catalogued::Cut { Tone::Dim } else { Tone::Plain };
    wrap(&[Piece::new(text, tone)], width)
}

/// The scroll that shows the chosen skill with some lines above it.
pub fn scroll_to_chosen(state: &State) -> usize {
    let (Some(deck), Some(chosen)) = (&state.deck, state.shown_skill()) else { return 0 };
    let Some(at) = shown(deck).position(|s| std::ptr::eq(s, chosen)) else {
        // A skill that has no line: where it would stand.
        return shown(deck).filter(|s| s.title() < chosen.title()).count().saturating_sub(1);
    };
    let width = super::detail_width(state).saturating_sub(2);
    let mut room = super::detail_height(state).saturating_sub(HEAD) / 3;
    let mut first = at;
    let before: Vec<_> = shown(deck).take(at).collect();
    for skill in before.into_iter().rev() {
        let height = rows(deck, skill, width).len();
        if height > room {
            break;
        }
        room -= height;
        first -= 1;
    }
    first
}

/// Rows above the list or the tool definition: which of the two it is, and an
/// empty one.
pub const HEAD: usize = 2;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(deck) = &state.deck else { return };
    let head = HEAD as u16;
    let below = Rect { y: area.y + head, height: area.height.saturating_sub(head), ..area };
    let key = state.keys.name(Command::Tool);
    let (what, other, chars) = if state.lay.tool {
        let chars = state.page().map(|page| page.text.chars().count());
        ("Tool definition", "the prompt list", chars)
    } else {
        ("Prompt list", "the tool definition", Some(length_in_chars(deck)))
    };
    let chars = chars.map(|n| format!(", {}", counted(n, "character", "characters")));
    canvas.row(
        area,
        0,
        &[
            Piece::new(what, Tone::Strong),
            Piece::dim(format!("{}  ({key} shows {other})", chars.unwrap_or_default())),
        ],
    );
    if state.lay.tool {
        super::body::draw(state, canvas, below);
    } else {
        list(state, deck, canvas, below);
    }
}

/// The characters of the prompt list: the last line has no line end.
fn length_in_chars(deck: &Deck) -> usize {
    match deck.used as usize {
        0 => NONE.len(),
        used => used - 1,
    }
}

fn list(state: &State, deck: &Deck, canvas: &mut Canvas<'_>, area: Rect) {
    let chosen = state.shown_skill();
    if deck.count(Catalogued::Listed) == 0 {
        canvas.row(area, 0, &[Piece::plain(NONE)]);
        canvas.row(area, 2, &[Piece::dim("No skill is listed; the list on the left says why.")]);
        return;
    }
    let theme = canvas.theme();
    let width = usize::from(area.width).saturating_sub(2);
    let text = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    let listed = deck.count(Catalogued::Listed);
    let mut y = 0;
    for (i, skill) in shown(deck).enumerate().skip(state.scroll) {
        if y >= usize::from(area.height) {
            break;
        }
        if i == listed {
            let limit = deck.budget.limit.map_or(String::new(), thousands);
            canvas.rule(area, y, &format!("cut: {limit} characters end here"), Tone::Warn);
            y += 1;
        }
        let is_chosen = chosen.is_some_and(|c| std::ptr::eq(c, skill));
        for row in rows(deck, skill, width) {
            if is_chosen {
                canvas.row(area, y, &[Piece::new(theme.sign("▌", ">"), Tone::Accent)]);
                canvas.chosen_row(text, y, &row, Tone::Strong);
            } else {
                // Told also when the line of the cut is out of sight.
                if i >= listed {
                    canvas.row(area, y, &[Piece::dim(theme.sign("○", "o"))]);
                }
                canvas.row(text, y, &row);
            }
            y += 1;
        }
    }
}
