//! What is wrong with a skill, and with the project.

use crate::project::Deck;
use crate::prompt::catalog::State as Catalogued;
use crate::skill::{Finding, Level};
use crate::tui::ink::{Piece, Tone, wrap};
use crate::tui::state::State;

/// The rows of the page.
pub fn rows(state: &State, width: usize) -> Vec<Vec<Piece>> {
    let Some(deck) = &state.deck else { return Vec::new() };
    let mut rows = Vec::new();
    let Some(skill) = state.selected_skill() else {
        rows.push(vec![Piece::dim("There is no skill to say anything of.")]);
        project(&mut rows, state, deck, width);
        return rows;
    };
    // What is right with the file may still keep it from the model.
    if skill.loads() && skill.place.state != Catalogued::Listed {
        let (verdict, tone) = super::overview::verdict(deck, skill);
        rows.extend(wrap(&[Piece::new(verdict, tone)], width));
        rows.push(Vec::new());
    }
    if skill.findings.is_empty() {
        rows.push(vec![Piece::new("Nothing is wrong with its files.", Tone::Good)]);
    }
    let mut findings: Vec<&Finding> = skill.findings.iter().collect();
    findings.sort_by_key(|f| (std::cmp::Reverse(f.level), f.place));
    for finding in findings {
        let file = deck.file(skill, finding);
        push(&mut rows, state, finding, Some(&file), width);
    }
    project(&mut rows, state, deck, width);
    rows
}

fn project(rows: &mut Vec<Vec<Piece>>, state: &State, deck: &Deck, width: usize) {
    if deck.findings.is_empty() {
        return;
    }
    rows.push(Vec::new());
    rows.push(vec![Piece::new("The project", Tone::Strong)]);
    for finding in &deck.findings {
        push(rows, state, finding, finding.file.as_deref(), width);
    }
}

fn push(
    rows: &mut Vec<Vec<Piece>>,
    state: &State,
    finding: &Finding,
    file: Option<&str>,
    width: usize,
) {
    let (sign, tone) = match finding.level {
        Level::Error => (state.theme.sign("✖", "x"), Tone::Bad),
        Level::Warning => (state.theme.sign("▲", "!"), Tone::Warn),
        Level::Note => (state.theme.sign("·", "."), Tone::Dim),
    };
    if rows.last().is_some_and(|row| !row.is_empty()) && rows.len() > 1 {
        rows.push(Vec::new());
    }
    let place = match (file, finding.place) {
        (Some(file), Some(place)) => format!("  {file}:{}:{}", place.line, place.column),
        (Some(file), None) => format!("  {file}"),
        _ => String::new(),
    };
    let head = [
        Piece::new(format!("{sign} {} ", finding.level.word()), tone),
        Piece::new(finding.code.as_str(), Tone::Strong),
        Piece::dim(place),
    ];
    rows.extend(wrap(&head, width));
    let mut indented = |piece: Piece| {
        for row in wrap(&[piece], width.saturating_sub(2)) {
            let mut pieces = vec![Piece::plain("  ")];
            pieces.extend(row);
            rows.push(pieces);
        }
    };
    indented(Piece::plain(finding.message.as_str()));
    if let Some(fix) = &finding.fix {
        indented(Piece::new(format!("fix: {fix}"), Tone::Accent));
    }
}
