//! What is known of a skill, the verdict first.

use crate::project::advice::way_back;
use crate::project::report::modified;
use crate::project::{Deck, Skill, activate};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::{counted, thousands};
use crate::tui::ink::{Piece, Tone, wrap};
use crate::tui::state::State;

const LABEL: usize = 13;

/// The rows of the page.
pub fn rows(state: &State, width: usize) -> Vec<Vec<Piece>> {
    let (Some(deck), Some(skill)) = (&state.deck, state.selected_skill()) else {
        return vec![vec![Piece::dim("There is no skill to show.")]];
    };
    let (verdict, tone) = verdict(deck, skill);
    let mut rows = wrap(&[Piece::new(verdict, tone)], width);
    rows.push(Vec::new());
    let mut field = |label: &str, value: String| {
        let room = width.saturating_sub(LABEL);
        for (i, row) in wrap(&[Piece::plain(value)], room).into_iter().enumerate() {
            let label = if i == 0 { label } else { "" };
            let mut pieces = vec![Piece::dim(format!("{label:<LABEL$}"))];
            pieces.extend(row);
            rows.push(pieces);
        }
    };
    if let Some(description) = &skill.description {
        field("description", description.clone());
    }
    field("status", skill.status.word().to_owned());
    field("folder", deck.dir(skill));
    if let Some(real) = &skill.entry.link {
        field("link to", crate::skill::text::name_text(real.as_os_str()).into_owned());
    }
    let number = |n: Option<u64>| n.map_or("none".to_owned(), thousands);
    if skill.place.cost.is_some() {
        field(
            "catalog",
            format!(
                "{}, costs {}, total {}",
                skill.place.state.word(),
                number(skill.place.cost),
                number(skill.place.total)
            ),
        );
    }
    if let Some(chars) = activate::size(deck, skill) {
        field("activation", activate::size_text(chars));
    }
    if let Ok(file) = &skill.entry.file {
        let document = &file.reading.document;
        let body = document.body;
        // Without fences nothing is known to be the body.
        if body.first_line > 0 {
            field(
                "body",
                format!(
                    "{} in {}, $ARGUMENTS {}",
                    counted(body.chars as usize, "character", "characters"),
                    counted(body.lines as usize, "line", "lines"),
                    match body.placeholders {
                        0 => "nowhere".to_owned(),
                        n => counted(n as usize, "time", "times"),
                    },
                ),
            );
        }
        let files = &skill.entry.resources.files;
        field("resources", counted(files.len(), "file", "files"));
        if let Some(front) = &document.frontmatter {
            if !front.globs.is_empty() {
                field("globs", front.globs.join("  "));
            }
            let others: Vec<_> = front
                .fields
                .iter()
                .filter(|f| !["name", "description", "globs"].contains(&f.key.as_str()))
                .map(|f| format!("{}: {}", f.key, f.value))
                .collect();
            if !others.is_empty() {
                field("other fields", others.join("  "));
            }
        }
        if let Some(time) = modified(file.stamp.modified()) {
            field("modified", time);
        }
    }
    if deck.profile.has_agents() && deck.agents.iter().next().is_some() {
        let users: Vec<_> =
            deck.agents.users_of(skill.folder()).map(|a| a.address().to_owned()).collect();
        let users = if users.is_empty() { "no agent gets it".into() } else { users.join(", ") };
        field("agents", users);
    }
    rows
}

/// Whether the model is told of the skill, and if not, why, in one sentence.
pub fn verdict(deck: &Deck, skill: &Skill) -> (String, Tone) {
    let limit = deck.budget.limit.map_or("no limit".to_owned(), thousands);
    let problems = match skill.status {
        Status::Warning => ", with a warning (6 says more)",
        _ => "",
    };
    match skill.place.state {
        Catalogued::Listed => {
            let total = skill.place.total.map_or(String::new(), thousands);
            let tone = if skill.status == Status::Warning { Tone::Warn } else { Tone::Good };
            (format!("Listed{problems}: {total} of {limit} characters used so far."), tone)
        }
        Catalogued::Cut => {
            let past = skill.place.past.unwrap_or(0) as usize;
            (
                format!(
                    "Not listed{problems}: {} past the cut. It {}.",
                    counted(past, "character", "characters"),
                    way_back(deck, skill).unwrap_or_default()
                ),
                Tone::Warn,
            )
        }
        Catalogued::Hidden => (
            format!(
                "Not listed{problems}: hidden by `hide: true`; an agent that knows the name can \
                 activate it."
            ),
            Tone::Warn,
        ),
        Catalogued::Filtered => (
            format!(
                "Not listed{problems}: the `skills` of the agent {} in .kaged/project.yaml leave it \
                 out; add `{}` there (A looks as another agent).",
                deck.agent.as_deref().unwrap_or("primary"),
                skill.folder()
            ),
            Tone::Warn,
        ),
        Catalogued::Error | Catalogued::Duplicate => {
            let cause = skill.findings.iter().max_by_key(|f| f.level);
            let cause = cause.map_or(String::new(), |f| f.message.as_str().to_owned());
            (format!("Not loaded: {cause} (6 says more)"), Tone::Bad)
        }
    }
}
