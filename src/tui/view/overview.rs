//! What is known of a skill, the verdict first.

use crate::profile::Unit;
use crate::project::advice::way_back;
use crate::project::report::modified;
use crate::project::section::{Line, Mood};
use crate::project::usage::Usage;
use crate::project::{Deck, Skill, activate};
use crate::prompt::catalog::State as Catalogued;
use crate::skill::Status;
use crate::skill::text::{counted, name_text, shown, thousands};
use crate::tui::command::Command;
use crate::tui::filter::Sieve;
use crate::tui::ink::{Piece, Tone, fit, marked, wrap};
use crate::tui::marks;
use crate::tui::state::{State, Tab};

const LABEL: usize = 13;

/// The rows of the page.
pub fn rows(state: &State, width: usize) -> Vec<Vec<Piece>> {
    let (Some(deck), Some(skill)) = (&state.deck, state.shown_skill()) else {
        return vec![vec![Piece::dim("There is no skill to show.")]];
    };
    let (verdict, tone) = verdict(state, deck, skill);
    let mut rows = wrap(&[Piece::new(verdict, tone)], width);
    rows.push(Vec::new());
    let mut pieces = |label: &str, value: Vec<Piece>| {
        let room = width.saturating_sub(LABEL);
        for (i, row) in wrap(&value, room).into_iter().enumerate() {
            let label = if i == 0 { label } else { "" };
            let mut pieces = vec![Piece::dim(format!("{label:<LABEL$}"))];
            pieces.extend(row);
            rows.push(pieces);
        }
    };
    if let Some(description) = &skill.description {
        pieces("description", with_marks(state, description));
        let chars = description.chars().count();
        let passed = marks::passed(chars);
        if !passed.is_empty() {
            let text = format!("{}{passed}", counted(chars, "character", "characters"));
            pieces("length", vec![Piece::new(text, Tone::Warn)]);
        }
    }
    let mut field = |label: &str, value: String| pieces(label, vec![Piece::plain(value)]);
    field("status", skill.status.word().to_owned());
    field("folder", deck.dir(skill));
    let path = |path: &std::path::Path| name_text(path.as_os_str()).into_owned();
    if let Some(real) = &skill.entry.link {
        field("link to", path(real));
    }
    if let Some(real) = skill.entry.file.as_ref().ok().and_then(|file| file.real.as_ref()) {
        field("SKILL.md is", format!("a link to {}", path(real)));
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
        let files = skill.entry.resources.files.len();
        let bytes = state.shown_pages().map(|pages| pages.tree.bytes);
        let bytes = bytes.map(|all| all.saturating_sub(file.stamp.size())).filter(|_| files > 0);
        let bytes = bytes.map(|b| format!(", {}", counted(b as usize, "byte", "bytes")));
        field(
            "resources",
            format!("{}{}", counted(files, "file", "files"), bytes.unwrap_or_default()),
        );
        field("SKILL.md", counted(file.stamp.size() as usize, "byte", "bytes"));
        if let Some(time) = modified(file.stamp.modified()) {
            field("modified", time);
        }
        if let Some((version, _)) = document.frontmatter.as_ref().and_then(|f| f.version.as_ref()) {
            field("version", version.clone());
        }
    }
    if let Some(manifest) = &skill.entry.manifest {
        field("manifest", manifest.words());
    }
    if deck.profile.has_agents() && deck.agents.iter().next().is_some() {
        let users: Vec<_> =
            deck.agents.users_of(skill.folder()).map(|a| a.address().to_owned()).collect();
        let users = if users.is_empty() { "no agent gets it".into() } else { users.join(", ") };
        field("agents", users);
    }
    if let Some(usage) = &deck.usage {
        field("used", used(usage, skill));
    }
    let notes = state.known().and_then(|known| known.notes.get(skill.folder()));
    if let Some(notes) = notes.filter(|notes| !notes.is_empty()) {
        let count = counted(notes.len(), "note", "notes");
        let more = state.keys.name(Command::ShowTab(Tab::Problems));
        field("think about", format!("{count}; {more} says more"));
    }
    clients(&mut rows, state, skill, width);
    frontmatter(&mut rows, skill, width);
    rows
}

/// How often it was activated, as far as that is recorded.
fn used(usage: &Usage, skill: &Skill) -> String {
    match (usage.of(skill.title()), usage.since()) {
        (Some(count), _) => format!(
            "{}, the last at {}",
            counted(usize::try_from(count.times).unwrap_or(usize::MAX), "time", "times"),
            count.last
        ),
        (None, Some(since)) => format!("never since {since}"),
        (None, None) => "nothing is recorded yet".to_owned(),
    }
}

/// What each client makes of the skill; clients that do the same stand together.
fn clients(rows: &mut Vec<Vec<Piece>>, state: &State, skill: &Skill, width: usize) {
    let lines = match state.known() {
        Some(known) => known.matrix.of_skill(skill.folder()),
        None => vec![Line::new(Mood::Quiet, "looking …")],
    };
    let room = width.saturating_sub(LABEL);
    let mut label = "clients";
    for line in lines {
        let tone = match line.mood {
            Mood::Good => Tone::Good,
            Mood::Bad => Tone::Warn,
            Mood::Quiet => Tone::Dim,
            Mood::Plain | Mood::Head => Tone::Plain,
        };
        for row in wrap(&[Piece::new(line.text.as_str(), tone)], room) {
            let mut pieces = vec![Piece::dim(format!("{label:<LABEL$}"))];
            pieces.extend(row);
            rows.push(pieces);
            label = "";
        }
    }
}

/// A description with a sign where a client begins to lose some of it.
fn with_marks(state: &State, description: &str) -> Vec<Piece> {
    if state.filter.has_text() {
        return found(state, description);
    }
    let mut pieces = Vec::new();
    let mut rest = description;
    let mut before = 0;
    for (mark, _) in marks::MARKS {
        let Some((at, _)) = rest.char_indices().nth(mark - before) else { break };
        let (head, tail) = rest.split_at(at);
        pieces.push(Piece::plain(shown(head).as_str()));
        let bar = state.theme.sign("┊", "|");
        let sign = format!("{bar}{}{bar}", thousands(mark as u64));
        pieces.push(Piece::new(sign, Tone::Accent));
        (rest, before) = (tail, mark);
    }
    pieces.push(Piece::plain(shown(rest).as_str()));
    pieces
}

/// A description with the letters marked that the filter found.
fn found(state: &State, description: &str) -> Vec<Piece> {
    let shown = shown(description);
    if !state.filter.has_text() {
        return vec![Piece::plain(shown.as_str())];
    }
    let marks = Sieve::default().marks_in_description(&state.filter, shown.as_str());
    marked(shown.as_str(), &marks, Tone::Plain, Tone::Found)
}

/// Every field of the frontmatter as YAML reads it, in the order of the file.
fn frontmatter(rows: &mut Vec<Vec<Piece>>, skill: &Skill, width: usize) {
    let file = skill.entry.file.as_ref().ok();
    let Some(front) = file.and_then(|file| file.reading.document.frontmatter.as_ref()) else {
        return;
    };
    rows.push(Vec::new());
    let title = format!("Frontmatter, {}", counted(front.fields.len(), "field", "fields"));
    rows.push(vec![Piece::new(title, Tone::Strong)]);
    let longest = front.fields.iter().map(|f| Piece::plain(&f.key).width()).max().unwrap_or(0);
    let label = longest.clamp(LABEL - 1, 24) + 1;
    for field in &front.fields {
        let key = fit(Piece::plain(&field.key).text(), label - 1);
        let pad = " ".repeat(label - Piece::plain(&key).width());
        // What stands above already is not written twice over a slow line.
        let is_above = field.key == "description" && skill.description.is_some();
        let value = if is_above { "as above" } else { &field.value };
        let value = [Piece::dim(format!("{:<8} ", field.kind)), Piece::plain(value)];
        for (i, row) in wrap(&value, width.saturating_sub(label)).into_iter().enumerate() {
            let head = if i == 0 { format!("{key}{pad}") } else { " ".repeat(label) };
            let mut pieces = vec![Piece::dim(head)];
            pieces.extend(row);
            rows.push(pieces);
        }
    }
}

/// Whether the model is told of the skill, and if not, why, in one sentence with
/// the keys that lead on.
pub fn verdict(state: &State, deck: &Deck, skill: &Skill) -> (String, Tone) {
    let key = |command| state.keys.name(command);
    let limit = deck.budget.limit.map_or("no limit".to_owned(), thousands);
    let problems = match skill.status {
        Status::Warning => {
            format!(", with a warning ({} says more)", key(Command::ShowTab(Tab::Problems)))
        }
        _ => String::new(),
    };
    match skill.place.state {
        Catalogued::Listed => {
            let total = skill.place.total.map_or(String::new(), thousands);
            let is_whole = skill.lost_chars().is_none();
            let is_good = is_whole && skill.status != Status::Warning;
            let kept = match (skill.place.kept, skill.lost_chars()) {
                (Some(0), Some(_)) => " by its name only".to_owned(),
                (Some(kept), Some(lost)) => format!(
                    " with {} of {} of its description ({} says why)",
                    thousands(kept),
                    counted((kept + lost) as usize, "character", "characters"),
                    key(Command::Lab)
                ),
                _ => String::new(),
            };
            let unit = deck.budget.unit.word();
            let used = if deck.budget.limit.is_some() {
                format!(": {total} of {limit} {unit} used so far.")
            } else {
                format!(": {total} {unit} so far, without a limit.")
            };
            let tone = if is_good { Tone::Good } else { Tone::Warn };
            (format!("Listed{kept}{problems}{used}"), tone)
        }
        Catalogued::Cut => {
            let past = skill.place.past.unwrap_or(0) as usize;
            (
                format!(
                    "Not listed{problems}: {} past the cut. {}{} tries another budget, {} says what \
                     would bring it back.",
                    match deck.budget.unit {
                        Unit::Characters => counted(past, "character", "characters"),
                        Unit::Tokens => counted(past, "token", "tokens"),
                    },
                    way_back(deck, skill).map_or(String::new(), |how| format!("It {how}. ")),
                    key(Command::Budget),
                    key(Command::Lab)
                ),
                Tone::Warn,
            )
        }
        Catalogued::Hidden if !deck.profile.has_agents() => (
            format!(
                "Not listed{problems}: hidden by `disable-model-invocation: true`; only a person can \
                 activate it."
            ),
            Tone::Warn,
        ),
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
                 out; add `{}` there. {} looks as another agent.",
                deck.agent.as_deref().unwrap_or("primary"),
                skill.folder(),
                key(Command::Agent)
            ),
            Tone::Warn,
        ),
        Catalogued::Error | Catalogued::Duplicate => {
            let cause = skill.findings.iter().max_by_key(|f| f.level);
            let cause = cause.map_or(String::new(), |f| f.message.as_str().to_owned());
            let more = key(Command::ShowTab(Tab::Problems));
            (format!("Not loaded: {cause} ({more} says more)"), Tone::Bad)
        }
    }
}
