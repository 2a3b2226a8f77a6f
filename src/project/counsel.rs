//! Notes that one skill alone does not show: descriptions that compete or do not
//! say when, globs that overlap, instructions that contradict, and what a
//! manifest says. None changes a status; each can be silenced in the config.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use globset::{GlobBuilder, GlobSetBuilder};

use super::deck::{Deck, Skill, View};
use super::manifest;
use crate::prompt::catalog::State;
use crate::skill::frontmatter::Frontmatter;
use crate::skill::text::head;
use crate::skill::{Code, Document, Finding, Place};

/// Notes by the folder of their skill.
pub type Notes = BTreeMap<String, Vec<Finding>>;

/// So many others are named of each kind.
const NAMED: usize = 3;

/// Descriptions are near-duplicates from this share of common words on, in percent.
const SIMILAR: usize = 75;

/// A description with fewer different words says too little to be compared.
const WORDS: usize = 5;

/// So many candidates are compared with one skill; where more are alike, that is
/// said of some.
const COMPARED: usize = 64;

/// Words that say when a skill is to be used.
const WHEN: [&str; 15] = [
    "when", "whenever", "use this", "use it", "use for", "use to", "used for", "used to", "if you",
    "if the", "asks", "trigger", "before ", "after ", "while ",
];

/// The notes on the skills of a deck.
pub fn notes(deck: &Deck, view: &View) -> Notes {
    let mut notes = Notes::new();
    let mut say = |skill: &Skill, finding: Finding| {
        if !view.silenced.hides(skill.folder(), &finding) {
            notes.entry(skill.folder().to_owned()).or_default().push(finding);
        }
    };
    let listed: Vec<_> = deck
        .skills
        .iter()
        .filter(|s| matches!(s.place.state, State::Listed | State::Cut))
        .collect();
    let usable: Vec<_> = deck.skills.iter().filter(|s| s.loads()).collect();
    for skill in &listed {
        if let Some(finding) = no_when(skill) {
            say(skill, finding);
        }
    }
    for skill in &deck.skills {
        for finding in manifest::findings(&skill.entry) {
            say(skill, finding);
        }
    }
    similar(deck, &listed, &mut say);
    overlapping(deck, &usable, &mut say);
    contradicting(deck, &usable, &mut say);
    notes
}

/// Whether some agent may use both; without agents whoever runs gets all.
fn meet(deck: &Deck, a: &Skill, b: &Skill) -> bool {
    let mut agents = deck.agents.iter().peekable();
    if !deck.profile.has_agents() || agents.peek().is_none() {
        return true;
    }
    agents.any(|agent| agent.may_use(a.folder()) && agent.may_use(b.folder()))
}

fn document(skill: &Skill) -> Option<&Document> {
    skill.entry.file.as_ref().ok().map(|file| &file.reading.document)
}

fn front(skill: &Skill) -> Option<&Frontmatter> {
    document(skill)?.frontmatter.as_ref()
}

fn description_place(skill: &Skill) -> Place {
    front(skill).map_or(Place::START, |front| front.description.place())
}

fn no_when(skill: &Skill) -> Option<Finding> {
    let text = skill.description.as_deref()?.to_lowercase();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    // The words are those of one language.
    if letters == 0 || latin * 10 < letters * 9 || WHEN.iter().any(|word| text.contains(word)) {
        return None;
    }
    Some(
        Finding::new(
            Code::DescriptionNoWhen,
            "the description does not say when to use the skill, and a model has nothing else to \
             go by; add `Use when …`",
        )
        .at(description_place(skill)),
    )
}

/// The different words of a text, as numbers in order.
fn words(text: &str) -> Vec<u64> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    let mut words: Vec<_> = words
        .map(|word| {
            let mut hasher = DefaultHasher::new();
            word.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The share of common words, in percent of all.
fn share(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    100 * common / (a.len() + b.len() - common).max(1)
}

/// Descriptions that are nearly the same. Two of them share one of their rarest
/// words, so only those that do are compared: this is what keeps it linear.
fn similar(deck: &Deck, skills: &[&Skill], say: &mut impl FnMut(&Skill, Finding)) {
    let texts: Vec<_> =
        skills.iter().map(|s| words(s.description.as_deref().unwrap_or(""))).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for word in texts.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut with: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut alike: Vec<Vec<(usize, usize)>> = vec![Vec::new(); skills.len()];
    for (i, text) in texts.iter().enumerate().filter(|(_, text)| text.len() >= WORDS) {
        let mut rarest = text.clone();
        rarest.sort_by_key(|word| (counts.get(word).copied().unwrap_or(0), *word));
        rarest.truncate(text.len() - text.len() * SIMILAR / 100 + 1);
        let mut seen = HashSet::new();
        for word in &rarest {
            let known = with.entry(*word).or_default();
            for j in known.iter().rev().copied() {
                if seen.len() >= COMPARED {
                    break;
                }
                if seen.insert(j) {
                    let share = share(text, &texts[j]);
                    if share >= SIMILAR && meet(deck, skills[i], skills[j]) {
                        alike[i].push((share, j));
                        alike[j].push((share, i));
                    }
                }
            }
            known.push(i);
        }
    }
    for (skill, mut others) in skills.iter().zip(alike) {
        others.sort_unstable_by(|a, b| b.cmp(a));
        let names: Vec<_> = others
            .iter()
            .take(NAMED)
            .map(|(share, j)| format!("`{}` ({share} % of the words)", skills[*j].folder()))
            .collect();
        if !names.is_empty() {
            let finding = Finding::new(
                Code::DescriptionSimilar,
                format!(
                    "the description is nearly that of {}; a model cannot tell which to use, so \
                     say what only this one does",
                    names.join(", ")
                ),
            );
            say(skill, finding.at(description_place(skill)));
        }
    }
}

/// A path that a glob matches, if it is a plain one.
fn sample(glob: &str) -> String {
    let mut out = String::new();
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '*' if rest.starts_with('*') => {
                rest = rest.trim_start_matches('*');
                rest = rest.strip_prefix('/').unwrap_or(rest);
                if rest.is_empty() {
                    out.push_str("any");
                }
            }
            '*' => out.push_str("any"),
            '?' => out.push('x'),
            '{' => {
                let (inside, after) = rest.split_once('}').unwrap_or((rest, ""));
                out.push_str(inside.split(',').next().unwrap_or(""));
                rest = after;
            }
            '[' => {
                let (inside, after) = rest.split_once(']').unwrap_or((rest, ""));
                out.extend(inside.chars().find(|c| !matches!(c, '!' | '^')));
                rest = after;
            }
            '\\' => {}
            c => out.push(c),
        }
    }
    out
}

/// Skills that one file suggests together.
fn overlapping(deck: &Deck, skills: &[&Skill], say: &mut impl FnMut(&Skill, Finding)) {
    let mut set = GlobSetBuilder::new();
    let mut globs: Vec<(usize, &str)> = Vec::new();
    for (i, skill) in skills.iter().enumerate() {
        for text in front(skill).map_or(&[] as &[String], |front| &front.globs) {
            if let Ok(glob) = GlobBuilder::new(text).literal_separator(true).build() {
                set.add(glob);
                globs.push((i, text));
            }
        }
    }
    let Ok(set) = set.build() else { return };
    let mut pairs: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (i, text) in &globs {
        for hit in set.matches(sample(text)) {
            let j = globs[hit].0;
            if j != *i && meet(deck, skills[*i], skills[j]) && seen.insert((*i, j)) {
                pairs.entry(*i).or_default().push((j, globs[hit].1));
                if seen.insert((j, *i)) {
                    pairs.entry(j).or_default().push((*i, text));
                }
            }
        }
    }
    for (i, others) in pairs {
        let names: Vec<_> = others
            .iter()
            .take(NAMED)
            .map(|(j, glob)| format!("`{}` (`{}`)", skills[*j].folder(), head(glob, 40)))
            .collect();
        let finding = Finding::new(
            Code::GlobsOverlap,
            format!(
                "a file that suggests this skill by its `globs` suggests {} too; narrow them if \
                 only one is meant",
                names.join(", ")
            ),
        );
        let field = front(skills[i]).and_then(|f| f.fields.iter().find(|f| f.key == "globs"));
        say(skills[i], finding.at(field.map_or(Place::START, |field| field.place)));
    }
}

/// Orders of two skills to do and not to do the same, in the same words.
fn contradicting(deck: &Deck, skills: &[&Skill], say: &mut impl FnMut(&Skill, Finding)) {
    type Said = (usize, Place);
    let mut orders: HashMap<&str, [Vec<Said>; 2]> = HashMap::new();
    for (i, skill) in skills.iter().enumerate() {
        for order in document(skill).map_or(&[] as &[_], |document| &document.orders) {
            let both = orders.entry(order.what.as_str()).or_default();
            both[usize::from(order.is_positive)].push((i, order.place));
        }
    }
    let mut found: Vec<_> =
        orders.into_iter().filter(|(_, b)| b.iter().all(|s| !s.is_empty())).collect();
    found.sort_by_key(|(what, _)| *what);
    for (what, both) in found {
        for (own, other) in [(0, 1), (1, 0)] {
            for (i, place) in &both[own] {
                let is_other = |(j, _): &&Said| j != i && meet(deck, skills[*i], skills[*j]);
                let against: Vec<_> = both[other].iter().filter(is_other).take(NAMED).collect();
                if against.is_empty() {
                    continue;
                }
                let places: Vec<_> = against
                    .iter()
                    .map(|(j, at)| format!("{}:{}:{}", deck.path(skills[*j]), at.line, at.column))
                    .collect();
                let (here, there) =
                    if own == 1 { ("orders", "forbids") } else { ("forbids", "orders") };
                let message = format!(
                    "this skill {here} “{what}”, which {} {there}; an agent that has both is told \
                     both: {}",
                    if places.len() == 1 { "another" } else { "others" },
                    places.join(", ")
                );
                say(skills[*i], Finding::new(Code::InstructionsContradict, message).at(*place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_a_path_that_its_glob_matches() {
        for glob in ["**/*.rs", "src/**/*.{ts,tsx}", "docs/**", "a?c/[xy]*.md", "Makefile", "*"] {
            let matcher = GlobBuilder::new(glob).literal_separator(true).build().unwrap();
            let path = sample(glob);
            assert!(matcher.compile_matcher().is_match(&path), "{glob}: {path}");
        }
    }

    #[test]
    fn the_share_is_of_all_words() {
        let share = |a, b| share(&words(a), &words(b));
        assert_eq!(share("one two six", "Two, one. six!"), 100);
        assert_eq!(share("one two six ten", "one two six old"), 60);
        assert_eq!(share("", ""), 0);
    }
}
