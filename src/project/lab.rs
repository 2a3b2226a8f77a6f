//! The truncation lab: where the catalog is cut and why, and what would bring
//! back what is cut.

use serde::Serialize;

use super::deck::{Deck, Skill};
use super::section::{Line, Mood, Section};
use crate::profile::CatalogForm;
use crate::prompt::catalog::{self, State};
use crate::skill::text::{counted, thousands};

/// A description keeps so many characters where that is enough; less says too
/// little to choose a skill by.
const KEPT: u64 = 60;

/// Skills that are named one by one.
const NAMED: usize = 8;

/// Budgets that are put side by side with the one in use.
const LIMITS: [u64; 5] = [1_000, 4_000, 8_000, 12_000, 16_000];

/// A description to make shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trim {
    /// The folder of the skill.
    pub folder: String,
    /// Characters of its description now.
    pub from: u64,
    /// The most it may have.
    pub to: u64,
}

/// What brings skills back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WayBack {
    /// The folders that come back, in the order of the list.
    pub back: Vec<String>,
    /// The characters that must go.
    pub need: u64,
    /// The fewest descriptions that give them; empty when no trims are enough.
    pub trims: Vec<Trim>,
    /// The smallest budget that lists them as they are.
    pub budget: u64,
}

/// The skill at which the list stops, though others behind it would fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// Its folder.
    pub folder: String,
    /// What its line costs, in characters.
    pub cost: u64,
    /// The characters that are left for it.
    pub left: u64,
    /// The folders that would be listed if it were not there.
    pub behind: Vec<String>,
}

/// What another budget would list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Other {
    /// Its limit.
    pub limit: u64,
    /// Skills listed.
    pub listed: usize,
    /// Skills cut.
    pub cut: usize,
    /// Descriptions of listed skills that are not whole.
    pub shortened: usize,
}

/// The lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lab {
    /// Where the list stops; `None` where nothing is cut, or the client does not stop.
    pub misfit: Option<Misfit>,
    /// What brings back the first cut skill, the first two, …, and all.
    pub ways: Vec<WayBack>,
    /// Budgets side by side, the one in use among them.
    pub budgets: Vec<Other>,
}

fn in_list(deck: &Deck) -> Vec<&Skill> {
    let counts = |s: &&Skill| matches!(s.place.state, State::Listed | State::Cut);
    deck.skills.iter().filter(counts).collect()
}

fn folder(skill: &Skill) -> String {
    skill.folder().to_owned()
}

fn chars(skill: &Skill) -> u64 {
    skill.description.as_deref().unwrap_or("").chars().count() as u64
}

impl Lab {
    /// What there is to say of a deck.
    pub fn of(deck: &Deck) -> Self {
        let cut = deck.count(State::Cut);
        let steps = [1, 2, 3, 5, 10, 20, cut];
        let mut counts: Vec<_> = steps.into_iter().filter(|n| (1..=cut).contains(n)).collect();
        counts.dedup();
        Self {
            misfit: misfit(deck),
            ways: counts.into_iter().filter_map(|count| way_back(deck, count)).collect(),
            budgets: budgets(deck),
        }
    }

    /// In words: the cut, the ways back, the budgets.
    pub fn sections(&self, deck: &Deck) -> Vec<Section> {
        let mut sections = vec![self.cut(deck)];
        sections.extend(self.ways.iter().map(|way| way.section(deck)));
        let unit = deck.budget.unit.word();
        let lines = self.budgets.iter().map(|other| {
            let is_own = deck.budget.limit == Some(other.limit);
            let mood = if is_own { Mood::Head } else { Mood::Plain };
            let shortened = if other.shortened > 0 {
                format!(
                    ", {} of them without all of their description",
                    thousands(other.shortened as u64)
                )
            } else {
                String::new()
            };
            let text = format!(
                "{:>9} {unit}: {} listed{shortened}, {} cut",
                thousands(other.limit),
                thousands(other.listed as u64),
                thousands(other.cut as u64)
            );
            Line::new(mood, text)
        });
        sections.push(Section::new("Budgets side by side", "", lines.collect()));
        sections.extend(unused(deck));
        sections
    }

    fn cut(&self, deck: &Deck) -> Section {
        let (listed, cut) = (deck.count(State::Listed), deck.count(State::Cut));
        let title =
            format!("The cut: {} listed, {} cut", thousands(listed as u64), thousands(cut as u64));
        let mut lines = Vec::new();
        if let Some(misfit) = &self.misfit {
            lines.push(Line::new(
                Mood::Bad,
                format!(
                    "the list stops at `{}`: its line takes {}, and {} are left",
                    misfit.folder,
                    counted(misfit.cost as usize, "character", "characters"),
                    thousands(misfit.left)
                ),
            ));
            if !misfit.behind.is_empty() {
                lines.push(Line::new(
                    Mood::Plain,
                    format!(
                        "without it, hidden or moved elsewhere, {} behind it would be listed: {}",
                        thousands(misfit.behind.len() as u64),
                        some(&misfit.behind)
                    ),
                ));
            }
        }
        let shortened = deck.count_shortened();
        if shortened > 0 {
            let missing = in_list(deck).iter().filter_map(|s| s.lost_chars()).sum::<u64>();
            lines.push(Line::new(
                Mood::Bad,
                format!(
                    "{} not whole; {} of them are not told",
                    counted(shortened, "description is", "descriptions are"),
                    counted(missing as usize, "character", "characters")
                ),
            ));
        }
        if lines.is_empty() {
            lines.push(Line::new(Mood::Good, "Nothing is cut."));
        }
        Section::new(title, "", lines)
    }
}

/// The listed skills that cost characters and were never activated, the dearest first;
/// `None` where nothing is recorded.
fn unused(deck: &Deck) -> Option<Section> {
    let usage = deck.usage.as_ref()?;
    let since = usage.since()?;
    let mut unused: Vec<_> = deck.listed().filter(|s| usage.of(s.title()).is_none()).collect();
    unused.sort_by_key(|skill| std::cmp::Reverse(skill.place.cost));
    let cost = unused.iter().filter_map(|s| s.place.cost).fold(0, u64::saturating_add);
    let line = |skill: &&Skill| {
        let cost = thousands(skill.place.cost.unwrap_or(0));
        Line::new(Mood::Plain, format!("{cost:>7}  {}", skill.folder()))
    };
    let title = format!(
        "Never used since {since}: {} for {} {}",
        counted(unused.len(), "listed skill", "listed skills"),
        thousands(cost),
        deck.budget.unit.word()
    );
    (!unused.is_empty()).then(|| Section::new(title, "", unused.iter().map(line).collect()))
}

/// Why a skill is where it is, and what would bring it back.
pub fn of_skill(deck: &Deck, folder: &str) -> Option<Section> {
    let at = deck.skills.iter().position(|skill| skill.folder() == folder)?;
    let skill = &deck.skills[at];
    if skill.place.state != State::Cut {
        return None;
    }
    let before = deck.skills[..=at].iter().filter(|s| s.place.state == State::Cut).count();
    Some(way_back(deck, before)?.section(deck))
}

/// What brings back the first `count` skills that are cut; `None` where the
/// client does not stop at the first that does not fit.
pub fn way_back(deck: &Deck, count: usize) -> Option<WayBack> {
    if deck.profile.catalog() != CatalogForm::Stop {
        return None;
    }
    let limit = deck.budget.limit?;
    let all = in_list(deck);
    let first = all.iter().position(|s| s.place.state == State::Cut)?;
    let upto = all.get(..first + count)?;
    let reach = upto.iter().filter_map(|s| s.place.cost).fold(0_u64, u64::saturating_add);
    let need = reach.saturating_sub(limit);
    let lengths: Vec<_> = upto.iter().map(|s| chars(s)).collect();
    let trims = choose(&lengths, need, KEPT).or_else(|| choose(&lengths, need, 1));
    let trims = trims.unwrap_or_default().into_iter().map(|(i, to)| Trim {
        folder: folder(upto[i]),
        from: lengths[i],
        to,
    });
    Some(WayBack {
        back: upto[first..].iter().map(|s| folder(s)).collect(),
        need,
        trims: trims.collect(),
        budget: reach,
    })
}

/// The fewest texts that, made shorter together by `need` characters, keep at
/// least `kept` each; the longest give first. Each with its new length.
fn choose(lengths: &[u64], need: u64, kept: u64) -> Option<Vec<(usize, u64)>> {
    let mut order: Vec<_> = (0..lengths.len()).collect();
    order.sort_by_key(|i| (std::cmp::Reverse(lengths[*i]), *i));
    let mut given = 0_u64;
    let count = order.iter().position(|i| {
        given = given.saturating_add(lengths[*i].saturating_sub(kept));
        given >= need
    });
    let chosen = &order[..=count?];
    let over = |level: u64| chosen.iter().map(|i| lengths[*i].saturating_sub(level)).sum::<u64>();
    // The highest length to which all of them are cut and still give enough.
    let (mut low, mut high) = (kept, lengths[chosen[0]]);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if over(middle) >= need { low = middle } else { high = middle - 1 }
    }
    let mut spare = over(low) - need;
    let mut trims = Vec::new();
    for i in chosen {
        let back = u64::from(spare > 0 && lengths[*i] > low);
        spare -= back;
        let to = (low + back).min(lengths[*i]);
        if to < lengths[*i] {
            trims.push((*i, to));
        }
    }
    Some(trims)
}

fn misfit(deck: &Deck) -> Option<Misfit> {
    if deck.profile.catalog() != CatalogForm::Stop {
        return None;
    }
    let limit = deck.budget.limit?;
    let all = in_list(deck);
    let at = all.iter().position(|s| s.place.state == State::Cut)?;
    let mut used = deck.used;
    let mut behind = Vec::new();
    for skill in &all[at + 1..] {
        let total = used.saturating_add(skill.place.cost.unwrap_or(0));
        if total > limit {
            break;
        }
        used = total;
        behind.push(folder(skill));
    }
    Some(Misfit {
        folder: folder(all[at]),
        cost: all[at].place.cost.unwrap_or(0),
        left: limit.saturating_sub(deck.used),
        behind,
    })
}

fn budgets(deck: &Deck) -> Vec<Other> {
    let form = deck.profile.catalog();
    let Some(own) = deck.budget.limit else { return Vec::new() };
    let mut limits: Vec<u64> = LIMITS.into_iter().chain([own]).collect();
    let all = in_list(deck);
    let items: Vec<_> = all.iter().map(|skill| skill.item(form)).collect();
    let unit = deck.budget.unit;
    let whole = catalog::lay(form, &items, None, unit);
    // The one that cuts nothing.
    limits.push(whole.iter().map(|laid| laid.cost).fold(0, u64::saturating_add));
    limits.sort_unstable();
    limits.dedup();
    let other = |limit: u64| {
        let laid = catalog::lay(form, &items, Some(limit), unit);
        let listed = laid.iter().filter(|laid| laid.kept.is_some()).count();
        let is_short = |(laid, whole): &(&catalog::Laid, &catalog::Laid)| {
            laid.kept.is_some() && laid.kept < whole.kept
        };
        let shortened = laid.iter().zip(&whole).filter(is_short).count();
        Other { limit, listed, cut: laid.len() - listed, shortened }
    };
    limits.into_iter().map(other).collect()
}

impl WayBack {
    fn section(&self, deck: &Deck) -> Section {
        let back = match self.back.as_slice() {
            [.., last] if self.back.len() > 2 => {
                format!(
                    "the first {} that are cut, up to `{last}`",
                    thousands(self.back.len() as u64)
                )
            }
            few => some(few),
        };
        let need = counted(self.need as usize, "character", "characters");
        let title = format!("To bring back {back}: {need} must go");
        let mut lines: Vec<_> = self
            .trims
            .iter()
            .map(|trim| {
                let text = format!(
                    "shorten `{}` from {} to {}, by {}",
                    trim.folder,
                    thousands(trim.from),
                    counted(trim.to as usize, "character", "characters"),
                    thousands(trim.from - trim.to)
                );
                Line::new(Mood::Good, text)
            })
            .collect();
        if lines.is_empty() {
            lines.push(Line::new(Mood::Bad, "no descriptions are long enough to give them"));
        }
        let budget = thousands(self.budget);
        lines.push(Line::new(
            Mood::Plain,
            format!("or a budget of {budget} {}", deck.budget.unit.word()),
        ));
        // One goes from it to what is to be made shorter first.
        let shorter = self.trims.first().map(|trim| &trim.folder);
        let key = shorter.or(self.back.last()).map_or("", String::as_str);
        Section::new(title, key, lines)
    }
}

/// `a`, `b` and 3 more
fn some(names: &[String]) -> String {
    let mut text: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        text.push(format!("{} more", thousands(more as u64)));
    }
    match text.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => text.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_give_and_the_longest_first() {
        for (lengths, need, kept, want) in [
            (vec![100, 200, 50], 40, 60, Some(vec![(1, 160)])),
            (vec![100, 200, 50], 140, 60, Some(vec![(1, 60)])),
            (vec![100, 200, 50], 141, 60, Some(vec![(1, 80), (0, 79)])),
            (vec![100, 200, 50], 180, 60, Some(vec![(1, 60), (0, 60)])),
            (vec![100, 200, 50], 181, 60, None),
            (vec![100, 100], 1, 1, Some(vec![(0, 99)])),
            (vec![], 1, 1, None),
            (vec![90, 90, 90], 61, 60, Some(vec![(0, 70), (1, 70), (2, 69)])),
        ] {
            assert_eq!(choose(&lengths, need, kept), want, "{lengths:?} {need}");
            if let Some(trims) = choose(&lengths, need, kept) {
                let given: u64 = trims.iter().map(|(i, to)| lengths[*i] - to).sum();
                assert_eq!(given, need);
            }
        }
    }
}
