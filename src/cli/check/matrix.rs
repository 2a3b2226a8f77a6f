//! What each client makes of each skill, in words and as JSON.

use serde::Serialize;

use crate::profile::Profile;
use crate::project::Deck;
use crate::project::matrix::{self, Matrix, Word};
use crate::project::report::SCHEMA;
use crate::project::section::Section;
use crate::skill::text::Shown;

/// The lines for the skills of some folders; of the whole project, also a line for each client.
pub fn text(matrix: &Matrix, wanted: &[&str], whole: bool) -> Vec<Shown> {
    let section = |folder: &&str| Section::new(*folder, folder, matrix.of_skill(folder));
    let mut lines = Section::text(&wanted.iter().map(section).collect::<Vec<_>>());
    if whole {
        lines.extend(matrix.by_client().into_iter().map(|section| section.title));
    }
    lines
}

/// `check --matrix --format json`.
#[derive(Serialize)]
pub struct MatrixReport<'a> {
    schema: u32,
    project: &'a str,
    root: &'a str,
    agent: Option<&'a str>,
    clients: Vec<ClientReport<'a>>,
    skills: Vec<MatrixRow<'a>>,
}

#[derive(Serialize)]
struct ClientReport<'a> {
    profile: Profile,
    loads: usize,
    changed: usize,
    untold: usize,
    skipped: usize,
    trouble: Option<&'a str>,
}

#[derive(Serialize)]
struct MatrixRow<'a> {
    folder: &'a str,
    verdicts: Vec<VerdictReport<'a>>,
}

#[derive(Serialize)]
struct VerdictReport<'a> {
    profile: Profile,
    verdict: Word,
    how: Vec<&'a str>,
}

/// The same as JSON.
pub fn report<'a>(matrix: &'a Matrix, deck: &'a Deck, wanted: &[&'a str]) -> MatrixReport<'a> {
    let clients = matrix.clients.iter().map(|client| {
        let [loads, changed, untold, skipped] = client.counts;
        let trouble = client.trouble.as_deref();
        ClientReport { profile: client.profile, loads, changed, untold, skipped, trouble }
    });
    let verdict = |(profile, outcome): (Profile, &'a matrix::Outcome)| VerdictReport {
        profile,
        verdict: outcome.word(),
        how: outcome.how(),
    };
    let row = |folder: &&'a str| MatrixRow {
        folder,
        verdicts: matrix.row(folder).map(verdict).collect(),
    };
    MatrixReport {
        schema: SCHEMA,
        project: &deck.project,
        root: &deck.root,
        agent: deck.agent.as_deref(),
        clients: clients.collect(),
        skills: wanted.iter().map(row).collect(),
    }
}
