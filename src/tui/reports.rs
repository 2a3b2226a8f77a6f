//! The worker that tells things at length: what each client makes of the skills,
//! what each agent gets, where the catalog is cut and what brings it back.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use super::sheet::Item;
use crate::edit::diff::{DiffLine, LineKind, text_lines};
use crate::profile::Discovery;
use crate::project::counsel::{self, Notes};
use crate::project::lab::{self, Lab};
use crate::project::matrix::Matrix;
use crate::project::section::{Line, Mood, Section};
use crate::project::{Agents, Deck, Facts, Project, View, roster};
use crate::prompt::hints::text;
use crate::skill::text::{counted, shown};

/// So many lines of one thing are told; a whole project of them helps nobody.
const MOST: usize = 500;

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// What each client makes of the skills.
    Clients,
    /// What each agent gets.
    Agents,
    /// Which skills a path suggests.
    Hints(String),
    /// Where the catalog is cut; first of all for the skill of a folder.
    Lab(Option<String>),
}

impl Report {
    /// What it is called.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Clients => "Which clients lose something, and what",
            Self::Agents => "What each agent gets",
            Self::Hints(_) => "Which skills does a touched file suggest?",
            Self::Lab(_) => "Where the catalog is cut, and what brings it back",
        }
    }
}

/// What a report is made from.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The report.
    pub report: Report,
    /// The deck on the screen.
    pub deck: Arc<Deck>,
    /// How one looks.
    pub view: View,
    /// What was read, and how deep.
    pub facts: Facts,
    /// That depth.
    pub discovery: Discovery,
    /// The agents.
    pub agents: Arc<Agents>,
    /// What was read first in this session, as deep, and the agents then.
    pub first: Option<(Facts, Arc<Agents>)>,
}

/// A report that was made.
#[derive(Debug)]
pub struct Told {
    /// Which.
    pub report: Report,
    /// The deck it is about.
    pub deck: Arc<Deck>,
    /// What it says: each part with what it stands for.
    pub parts: Vec<(String, Item)>,
    /// What each client makes of each skill, and the notes that one skill alone
    /// does not show; where that was asked.
    pub known: Option<Arc<Known>>,
}

/// What is known of a deck beyond its skills.
#[derive(Debug)]
pub struct Known {
    /// What each client makes of each skill.
    pub matrix: Matrix,
    /// The notes that one skill alone does not show.
    pub notes: Notes,
}

/// Tells what is wanted, the last of it if more has piled up.
pub fn run(project: &Project, wanted: &Receiver<Wanted>, queue: &UnboundedSender<Message>) {
    while let Ok(first) = wanted.recv() {
        // Of each kind the last.
        let mut latest = vec![first];
        for next in wanted.try_iter() {
            let is_same = |w: &Wanted| {
                std::mem::discriminant(&w.report) == std::mem::discriminant(&next.report)
            };
            latest.retain(|wanted| !is_same(wanted));
            latest.push(next);
        }
        for wanted in latest {
            if queue.send(Message::Told(Box::new(tell(project, wanted)))).is_err() {
                return;
            }
        }
    }
}

/// Makes a report.
pub fn tell(project: &Project, wanted: Wanted) -> Told {
    let Wanted { report, deck, view, facts, discovery, agents, first } = wanted;
    let mut known = None;
    let sections = match &report {
        Report::Clients => {
            let made = Matrix::look(project, &agents, &view, (&facts, discovery));
            let sections = made.by_client();
            let notes = counsel::notes(&deck, &view);
            known = Some(Arc::new(Known { matrix: made, notes }));
            sections
        }
        Report::Agents => roster::roster(project, &facts, &agents, &view),
        Report::Hints(path) => hints(&deck, path),
        Report::Lab(folder) => {
            let mut sections = Lab::of(&deck).sections(&deck);
            if let Some(own) = folder.as_deref().and_then(|folder| lab::of_skill(&deck, folder)) {
                sections.retain(|section| *section != own);
                sections.insert(0, own);
            }
            sections
        }
    };
    let mut parts: Vec<_> = sections.into_iter().map(part).collect();
    if let (Report::Lab(_), Some((facts, agents))) = (&report, first)
        && let Ok(before) = Deck::new(project, &facts, &agents, &view)
    {
        parts.push((String::new(), since(&before, &deck)));
    }
    Told { report, deck, parts, known }
}

/// The skills that a path suggests, each with the globs that match.
fn hints(deck: &Deck, path: &str) -> Vec<Section> {
    let path = path.trim().trim_start_matches("./");
    let hints = deck.hints();
    let suggested: Vec<_> = hints.of_path(path).collect();
    let section = |skill: &&crate::project::Skill| {
        let file = skill.entry.file.as_ref().ok();
        let front = file.and_then(|file| file.reading.document.frontmatter.as_ref());
        let globs = front.map_or(String::new(), |front| front.globs.join("  "));
        let lines = vec![
            Line::new(Mood::Quiet, format!("globs  {globs}")),
            Line::new(Mood::Plain, text(skill.title())),
        ];
        Section::new(skill.title(), skill.folder(), lines)
    };
    let is_in =
        |skill: &&crate::project::Skill| skill.is_usable() && suggested.contains(&skill.title());
    let sections: Vec<_> = deck.skills.iter().filter(is_in).map(|s| section(&s)).collect();
    if !sections.is_empty() || path.is_empty() {
        return sections;
    }
    let why = match (deck.profile.has_hints(), hints.is_empty()) {
        (false, _) => "this client knows no hints",
        (true, true) => "no skill has `globs`",
        (true, false) => "no globs match it",
    };
    vec![Section::new(format!("{path} suggests no skill: {why}"), "", Vec::new())]
}

/// The catalog as it was when the session began, and as it is.
fn since(before: &Deck, after: &Deck) -> Item {
    let lines = text_lines(&(before.catalog() + "\n"), &(after.catalog() + "\n"));
    let text = match i64::try_from(after.used).ok().zip(i64::try_from(before.used).ok()) {
        _ if lines.is_empty() => "The catalog is what it was when this session began".to_owned(),
        Some((after, before)) => format!(
            "The catalog since this session began: {}{} characters",
            if after < before { "-" } else { "+" },
            after.abs_diff(before)
        ),
        None => "The catalog since this session began".to_owned(),
    };
    Item { text: shown(&text), lines, is_out: false }
}

fn part(section: Section) -> (String, Item) {
    let Section { title, key, lines } = section;
    let more = lines.len().saturating_sub(MOST);
    let mut lines: Vec<_> = lines.into_iter().take(MOST).map(line).collect();
    if more > 0 {
        let text = shown(&format!("… and {}", counted(more, "more", "more")));
        lines.push(DiffLine { kind: LineKind::Hunk, text });
    }
    (key, Item { text: title, lines, is_out: false })
}

/// A line in the looks of a sheet.
fn line(line: Line) -> DiffLine {
    let kind = match line.mood {
        Mood::Plain => LineKind::Same,
        Mood::Quiet => LineKind::Hunk,
        Mood::Good => LineKind::Added,
        Mood::Bad => LineKind::Removed,
        Mood::Head => LineKind::File,
    };
    DiffLine { kind, text: line.text }
}
