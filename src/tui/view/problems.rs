//! What is wrong with a skill, and with the project: the heaviest first, each
//! with the line it stands on.

use crate::project::Deck;
use crate::project::excerpt::Excerpt;
use crate::prompt::catalog::State as Catalogued;
use crate::skill::text::counted;
use crate::skill::{Finding, Level};
use crate::tui::ink::{Piece, Tone, width as cells, wrap};
use crate::tui::state::State;

/// The rows of the page.
pub fn rows(state: &State, width: usize) -> Vec<Vec<Piece>> {
    page(state, width).0
}

/// The rows on which findings begin.
pub fn starts(state: &State) -> Vec<usize> {
    page(state, super::detail_width(state)).1
}

fn page(state: &State, width: usize) -> (Vec<Vec<Piece>>, Vec<usize>) {
    let mut page = Page { state, width, rows: Vec::new(), starts: Vec::new() };
    let Some(deck) = &state.deck else { return (Vec::new(), Vec::new()) };
    let excerpts = state.shown_pages().map_or(&[] as &[_], |pages| &pages.excerpts);
    let Some(skill) = state.shown_skill() else {
        page.rows.push(vec![Piece::dim("There is no skill to say anything of.")]);
        page.project(deck, &[]);
        return (page.rows, page.starts);
    };
    // What is right with the file may still keep it from the model.
    if skill.loads() && skill.place.state != Catalogued::Listed {
        let (verdict, tone) = super::overview::verdict(state, deck, skill);
        page.rows.extend(wrap(&[Piece::new(verdict, tone)], width));
        page.rows.push(Vec::new());
    }
    if skill.findings.is_empty() {
        page.rows.push(vec![Piece::new("Nothing is wrong with its files.", Tone::Good)]);
    }
    let findings = Finding::by_weight(&skill.findings);
    for (i, finding) in findings.iter().enumerate() {
        if i == 0 || findings[i - 1].level != finding.level {
            let count = findings.iter().filter(|f| f.level == finding.level).count();
            page.group(finding.level, count);
        }
        let file = deck.file(skill, finding);
        page.finding(finding, Some(&file), excerpts.get(i).and_then(Option::as_ref));
    }
    let notes = state.known().and_then(|known| known.notes.get(skill.folder()));
    if let Some(notes) = notes.filter(|notes| !notes.is_empty()) {
        page.group_of(Level::Note, notes.len(), "to think about");
        for finding in notes {
            page.finding(finding, Some(&deck.file(skill, finding)), None);
        }
    }
    if skill.silenced > 0 {
        let notes = counted(skill.silenced, "note is", "notes are");
        page.rows.push(Vec::new());
        page.rows.push(vec![Piece::dim(format!("{notes} silenced in the config file."))]);
    }
    page.project(deck, excerpts.get(findings.len()..).unwrap_or_default());
    (page.rows, page.starts)
}

struct Page<'a> {
    state: &'a State,
    width: usize,
    rows: Vec<Vec<Piece>>,
    starts: Vec<usize>,
}

impl Page<'_> {
    fn tone(level: Level) -> Tone {
        match level {
            Level::Error => Tone::Bad,
            Level::Warning => Tone::Warn,
            Level::Note => Tone::Dim,
        }
    }

    fn group(&mut self, level: Level, count: usize) {
        if self.rows.last().is_some_and(|row| !row.is_empty()) {
            self.rows.push(Vec::new());
        }
        let (sign, many) = match level {
            Level::Error => (self.state.theme.sign("✖", "x"), "errors"),
            Level::Warning => (self.state.theme.sign("▲", "!"), "warnings"),
            Level::Note => (self.state.theme.sign("·", "."), "notes"),
        };
        let text = format!("{sign} {}", counted(count, level.word(), many));
        self.rows.push(vec![Piece::new(text, Self::tone(level))]);
    }

    /// The same with a word of what they are.
    fn group_of(&mut self, level: Level, count: usize, what: &str) {
        self.group(level, count);
        if let Some(row) = self.rows.last_mut() {
            row.push(Piece::dim(format!(" {what}")));
        }
    }

    fn project(&mut self, deck: &Deck, excerpts: &[Option<Excerpt>]) {
        if deck.findings.is_empty() {
            return;
        }
        self.rows.push(Vec::new());
        self.rows.push(vec![Piece::new("The project", Tone::Strong)]);
        for (i, finding) in Finding::by_weight(&deck.findings).into_iter().enumerate() {
            let excerpt = excerpts.get(i).and_then(Option::as_ref);
            self.finding(finding, finding.file.as_deref(), excerpt);
        }
    }

    fn finding(&mut self, finding: &Finding, file: Option<&str>, excerpt: Option<&Excerpt>) {
        if self.starts.last().is_some_and(|last| last + 1 < self.rows.len())
            && self.rows.last().is_some_and(|row| row.len() > 1)
        {
            self.rows.push(Vec::new());
        }
        self.starts.push(self.rows.len());
        let place = match (file, finding.place) {
            (Some(file), Some(place)) => format!("  {file}:{}:{}", place.line, place.column),
            (Some(file), None) => format!("  {file}"),
            _ => String::new(),
        };
        let head = [
            Piece::new(format!("  {} ", finding.level.word()), Self::tone(finding.level)),
            Piece::new(finding.code.as_str(), Tone::Strong),
            Piece::dim(place),
        ];
        self.rows.extend(wrap(&head, self.width));
        self.indented(&Piece::plain(finding.message.as_str()));
        if let Some(excerpt) = excerpt {
            self.excerpt(excerpt, finding.level);
        }
        if let Some(fix) = &finding.fix {
            self.indented(&Piece::new(format!("fix: {fix}"), Tone::Accent));
        }
    }

    fn indented(&mut self, piece: &Piece) {
        for row in wrap(std::slice::from_ref(piece), self.width.saturating_sub(4)) {
            let mut pieces = vec![Piece::plain("    ")];
            pieces.extend(row);
            self.rows.push(pieces);
        }
    }

    /// The line, and a caret under the place; of a long line what is around it.
    fn excerpt(&mut self, excerpt: &Excerpt, level: Level) {
        let number = format!("{:>6} ", excerpt.line);
        let bar = self.state.theme.sign("│ ", "| ");
        let room = self.width.saturating_sub(number.len() + 2).max(8);
        let before = excerpt.before.as_str();
        let hidden = (cells(before) + 1).saturating_sub(room * 2 / 3);
        let before = crate::tui::ink::skip(&[Piece::plain(before)], hidden);
        let caret: usize = before.iter().map(Piece::width).sum();
        let mut line = vec![Piece::dim(format!("{number}{bar}"))];
        line.extend(before);
        line.push(Piece::new(excerpt.after.as_str(), Tone::Plain));
        self.rows.push(line);
        let pad = " ".repeat(number.len());
        self.rows.push(vec![
            Piece::dim(format!("{pad}{bar}")),
            Piece::new(format!("{}^", " ".repeat(caret)), Self::tone(level)),
        ]);
    }
}
