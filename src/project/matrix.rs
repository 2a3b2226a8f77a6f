//! What every client makes of every skill, side by side.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Serialize;

use super::agents::Agents;
use super::deck::{Deck, Skill, View};
use super::facts::Facts;
use super::locate::Project;
use super::scan::{Scanner, Scope};
use super::section::{Line, Mood, Section};
use crate::profile::{ArgumentForm, Discovery, FolderName, Profile, Reading};
use crate::prompt::catalog::State;
use crate::skill::frontmatter::TextField;
use crate::skill::text::{counted, thousands};
use crate::skill::{Code, Document, Finding, Level};

/// What a client makes of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It reaches a model as its author wrote it.
    Loads,
    /// It loads, but a model gets something else: what.
    Changed(Vec<String>),
    /// It loads, but the catalog leaves it out, so no model is told of it: why.
    Untold(Vec<String>),
    /// It does not load: why.
    Skipped(String),
}

/// The outcomes, for counting and for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // as in `Outcome`
pub enum Word {
    Loads,
    Changed,
    Untold,
    Skipped,
}

impl Word {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [Self::Loads, Self::Changed, Self::Untold, Self::Skipped];

    /// The word, everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Changed => "changed",
            Self::Untold => "untold",
            Self::Skipped => "skipped",
        }
    }
}

impl Outcome {
    /// Which it is.
    pub fn word(&self) -> Word {
        match self {
            Self::Loads => Word::Loads,
            Self::Changed(_) => Word::Changed,
            Self::Untold(_) => Word::Untold,
            Self::Skipped(_) => Word::Skipped,
        }
    }

    /// What is changed, why it is left out, or why it is skipped.
    pub fn how(&self) -> Vec<&str> {
        match self {
            Self::Loads => Vec::new(),
            Self::Changed(how) | Self::Untold(how) => how.iter().map(String::as_str).collect(),
            Self::Skipped(why) => vec![why],
        }
    }
}

/// A client as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Which.
    pub profile: Profile,
    /// How many skills there are of each of [`Word::ALL`].
    pub counts: [usize; 4],
    /// Why nothing is known of it.
    pub trouble: Option<String>,
}

/// What every client makes of every skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// The clients, in the order of [`Profile::ALL`].
    pub clients: Vec<Client>,
    /// By folder, an outcome for each client, in that order.
    pub rows: BTreeMap<String, Vec<Outcome>>,
}

impl Matrix {
    /// Looks at a project as every client. `facts` reads it as deep as is asked
    /// and is called once for each depth.
    pub fn of(
        project: &Project,
        agents: &Arc<Agents>,
        view: &View,
        mut facts: impl FnMut(Discovery) -> Result<Arc<Facts>, String>,
    ) -> Self {
        let mut known: HashMap<Discovery, Result<Arc<Facts>, String>> = HashMap::new();
        let mut columns: Vec<HashMap<String, Outcome>> = Vec::new();
        let mut clients = Vec::new();
        for profile in Profile::ALL {
            let depth = profile.discovery();
            let facts = known.entry(depth).or_insert_with(|| facts(depth));
            let as_client = View { profile, ..view.clone() };
            let deck = facts.as_ref().map_err(Clone::clone).and_then(|facts| {
                Deck::new(project, facts, agents, &as_client).map_err(|error| error.to_string())
            });
            let (column, trouble) = match deck {
                Ok(deck) => (column(&deck), None),
                Err(why) => (HashMap::new(), Some(why)),
            };
            let count = |word| column.values().filter(|outcome| outcome.word() == word).count();
            let counts = Word::ALL.map(count);
            columns.push(column);
            clients.push(Client { profile, counts, trouble });
        }
        let mut rows: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
        for folder in columns.iter().flat_map(HashMap::keys) {
            rows.entry(folder.clone()).or_default();
        }
        for (folder, row) in &mut rows {
            for (i, column) in columns.iter_mut().enumerate() {
                row.push(column.remove(folder).unwrap_or_else(|| {
                    clients[i].counts[Word::Skipped as usize] += 1;
                    Outcome::Skipped(not_found(clients[i].profile, folder))
                }));
            }
        }
        Self { clients, rows }
    }

    /// What the clients make of the skill of a folder, each with its outcome.
    pub fn row(&self, folder: &str) -> impl Iterator<Item = (Profile, &Outcome)> {
        let outcomes = self.rows.get(folder).into_iter().flatten();
        self.clients.iter().map(|client| client.profile).zip(outcomes)
    }
}

/// Why a client does not find a folder that another one does.
fn not_found(profile: Profile, folder: &str) -> String {
    match profile.discovery() {
        Discovery::OneLevel if folder.contains('/') => {
            "it lies deeper than this client looks".to_owned()
        }
        _ => "this client does not find it".to_owned(),
    }
}

fn column(deck: &Deck) -> HashMap<String, Outcome> {
    deck.skills.iter().map(|skill| (skill.folder().to_owned(), outcome(deck, skill))).collect()
}

/// What the client of a deck makes of a skill.
pub fn outcome(deck: &Deck, skill: &Skill) -> Outcome {
    if !skill.loads() {
        let cause = skill.findings.iter().max_by_key(|finding| finding.level);
        let why = cause.map_or("it does not load", |finding| finding.message.as_str());
        return Outcome::Skipped(why.to_owned());
    }
    let mut how = Vec::new();
    if let Ok(file) = &skill.entry.file {
        of_text(skill, &file.reading.document, &mut how);
        if eats_positions(deck.profile) && says(&file.reading.document, Code::PositionalArgument) {
            how.push("a `$` with a digit in the body is an argument".to_owned());
        }
    }
    let mut is_told = true;
    let whole = || skill.description.as_deref().unwrap_or("").chars().count() as u64;
    match (skill.place.state, skill.place.kept) {
        (State::Cut, _) => {
            let past = thousands(skill.place.past.unwrap_or(0));
            is_told = false;
            how.insert(0, format!("{past} {} past the cut", deck.budget.unit.word()));
        }
        (State::Hidden, _) => {
            is_told = false;
            how.insert(0, "hidden".to_owned());
        }
        (State::Filtered, _) => {
            is_told = false;
            how.insert(0, "the agent's filter leaves it out".to_owned());
        }
        (_, Some(0)) if whole() > 0 => how.push("its catalog has the name only".to_owned()),
        (_, Some(kept)) if kept < whole() => how.push(format!(
            "its catalog has {} of {} of the description",
            thousands(kept),
            counted(usize::try_from(whole()).unwrap_or(usize::MAX), "character", "characters")
        )),
        _ => {}
    }
    match (is_told, how.is_empty()) {
        (false, _) => Outcome::Untold(how),
        (true, true) => Outcome::Loads,
        (true, false) => Outcome::Changed(how),
    }
}

/// What of the fields differs from what is written.
fn of_text(skill: &Skill, document: &Document, how: &mut Vec<String>) {
    let written = |field: &TextField| match field {
        TextField::Text { text, .. } if !text.trim().is_empty() => Some(one_line(text)),
        _ => None,
    };
    let Some(front) = &document.frontmatter else {
        how.push("loads without the fields of its frontmatter".to_owned());
        return;
    };
    let name = written(&front.name).unwrap_or_else(|| skill.entry.folder.last().to_owned());
    if skill.title() != name {
        how.push(format!("its name is `{}`, not `{name}`", skill.title()));
    }
    let got = one_line(skill.description.as_deref().unwrap_or(""));
    match written(&front.description) {
        Some(text) if text == got => {}
        _ if got.is_empty() => how.push("it has no description".to_owned()),
        Some(text) if got.starts_with(&text) => {
            how.push("its description is longer by `when_to_use`".to_owned());
        }
        Some(text) if got.chars().count() < text.chars().count() => how.push(format!(
            "its description is cut to {} of {}",
            thousands(got.chars().count() as u64),
            counted(text.chars().count(), "character", "characters")
        )),
        Some(_) => how.push("its description is read otherwise".to_owned()),
        None => how.push("its description is the first paragraph of the body".to_owned()),
    }
}

fn one_line(text: &str) -> String {
    crate::skill::frontmatter::one_line(text.trim())
}

fn eats_positions(profile: Profile) -> bool {
    matches!(
        profile.arguments(),
        ArgumentForm::FromZero | ArgumentForm::FromOne | ArgumentForm::FromOneRest
    )
}

fn says(document: &Document, code: Code) -> bool {
    document.findings.iter().any(|finding| finding.code == code)
}

impl Matrix {
    /// Looks at a project of which something is known already.
    pub fn look(
        project: &Project,
        agents: &Arc<Agents>,
        view: &View,
        known: (&Facts, Discovery),
    ) -> Self {
        Self::of(project, agents, view, |depth| {
            if depth == known.1 {
                return Ok(Arc::new(known.0.clone()));
            }
            let facts =
                Scanner::knowing(project.clone(), depth, known.0).refresh(&Scope::All, None);
            facts.map(Arc::new).map_err(|error| error.to_string())
        })
    }

    /// A section for each client: what it loses, and of which skills.
    pub fn by_client(&self) -> Vec<Section> {
        let section = |(i, client): (usize, &Client)| {
            let [loads, changed, untold, skipped] = client.counts.map(|n| thousands(n as u64));
            let id = client.profile.id();
            if let Some(why) = &client.trouble {
                return Section::new(format!("{id:<15} nothing is known: {why}"), id, Vec::new());
            }
            let title = format!(
                "{id:<14} {skipped} skipped {untold} untold {changed} changed {loads} load"
            );
            let mut lines = Vec::new();
            for (folder, row) in &self.rows {
                let Some(outcome) = row.get(i) else { continue };
                let mood = match outcome.word() {
                    Word::Loads => continue,
                    Word::Changed => Mood::Plain,
                    Word::Untold | Word::Skipped => Mood::Bad,
                };
                let how = outcome.how().join("; ");
                lines
                    .push(Line::new(mood, format!("{folder}  {}: {how}", outcome.word().as_str())));
            }
            if lines.is_empty() {
                let all = format!("{id}: every skill reaches a model as it is written");
                lines.push(Line::new(Mood::Good, all));
            }
            Section::new(title, id, lines)
        };
        self.clients.iter().enumerate().map(section).collect()
    }

    /// The lines of one skill: clients that do the same with it stand together.
    pub fn of_skill(&self, folder: &str) -> Vec<Line> {
        let mut groups: Vec<(&Outcome, Vec<&str>)> = Vec::new();
        for (profile, outcome) in self.row(folder) {
            match groups.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, profiles)) => profiles.push(profile.id()),
                None => groups.push((outcome, vec![profile.id()])),
            }
        }
        groups.sort_by_key(|(outcome, _)| outcome.word() as u8);
        let line = |(outcome, profiles): (&Outcome, Vec<&str>)| {
            let is_all = profiles.len() == self.clients.len();
            let profiles = if is_all { "every client".to_owned() } else { profiles.join(", ") };
            match outcome {
                Outcome::Loads => Line::new(Mood::Good, format!("loads in {profiles}")),
                Outcome::Changed(how) => {
                    Line::new(Mood::Plain, format!("changed in {profiles}: {}", how.join("; ")))
                }
                Outcome::Untold(why) => {
                    let why = why.join("; ");
                    Line::new(Mood::Bad, format!("not in the catalog of {profiles}: {why}"))
                }
                Outcome::Skipped(why) => {
                    Line::new(Mood::Bad, format!("skipped by {profiles}: {why}"))
                }
            }
        };
        groups.into_iter().map(line).collect()
    }
}

/// Which clients a finding concerns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Concern {
    /// Those that skip the skill for it.
    pub error: Vec<Profile>,
    /// Those for which something is lost, changed or fragile.
    pub warning: Vec<Profile>,
}

/// What every client says of one file, to tell which of them a finding concerns.
#[derive(Debug)]
pub struct Voices(Vec<(Profile, Vec<(Code, Level)>)>);

impl Voices {
    /// Asks every client.
    pub fn of(folder: &FolderName, reading: &Reading) -> Self {
        let ask = |profile: Profile| {
            let findings = profile.judge(folder, reading).findings;
            (profile, findings.iter().map(|f| (f.code, f.level)).collect())
        };
        Self(Profile::ALL.map(ask).into())
    }

    /// The clients that a finding concerns.
    pub fn concern(&self, finding: &Finding) -> Concern {
        let mut concern = Concern::default();
        for (profile, said) in &self.0 {
            let said = said.iter().filter(|(code, _)| *code == finding.code);
            match said.map(|(_, level)| *level).max() {
                Some(Level::Error) => concern.error.push(*profile),
                Some(Level::Warning) => concern.warning.push(*profile),
                Some(Level::Note) | None => {}
            }
        }
        concern
    }
}

impl Concern {
    /// `skipped by cline, roo; matters to kaged`; `None` when no client minds.
    pub fn words(&self) -> Option<String> {
        let names = |profiles: &[Profile]| {
            if profiles.len() == Profile::ALL.len() {
                return "every client".to_owned();
            }
            profiles.iter().map(|profile| profile.id()).collect::<Vec<_>>().join(", ")
        };
        let mut parts = Vec::new();
        if !self.error.is_empty() {
            parts.push(format!("skipped by {}", names(&self.error)));
        }
        if !self.warning.is_empty() {
            parts.push(format!("matters to {}", names(&self.warning)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
