//! Codex's rule: descriptions are shortened by turns, then all but the names go,
//! and a line that does not fit is passed over.

use super::{Item, Laid};
use crate::profile::{CatalogForm, Unit};

const FORM: CatalogForm = CatalogForm::Rotation;

/// Everything, if it fits. Else every line without its description, and what is
/// left of the budget goes to the descriptions, one character each in turn. Else
/// the lines without descriptions that fit.
pub(super) fn lay(items: &[Item<'_>], limit: u64, unit: Unit) -> Vec<Laid> {
    let whole: Vec<_> = items.iter().map(|item| item.whole(FORM, unit)).collect();
    if sum(&whole) <= limit {
        return whole;
    }
    let least: Vec<_> = items.iter().map(|item| item.cost(FORM, unit, 0)).collect();
    let used = least.iter().fold(0_u64, |sum, cost| sum.saturating_add(*cost));
    if used <= limit {
        return by_turns(items, &least, limit - used, unit);
    }
    let mut left = limit;
    let fits = |cost: &u64| {
        let is_in = *cost <= left;
        left -= if is_in { *cost } else { 0 };
        Laid { cost: *cost, kept: is_in.then_some(0) }
    };
    least.iter().map(fits).collect()
}

fn sum(laid: &[Laid]) -> u64 {
    laid.iter().fold(0, |sum, laid| sum.saturating_add(laid.cost))
}

/// Hands out `left`, one character to each description in turn, as long as the
/// next one of any fits.
fn by_turns(items: &[Item<'_>], least: &[u64], mut left: u64, unit: Unit) -> Vec<Laid> {
    let mut turns: Vec<_> =
        items.iter().zip(least).map(|(i, cost)| Turn::new(i, *cost, unit)).collect();
    let mut is_moving = true;
    while is_moving {
        is_moving = false;
        for turn in &mut turns {
            is_moving |= turn.take(&mut left, unit);
        }
    }
    turns.into_iter().map(|turn| Laid { cost: turn.cost, kept: Some(turn.kept) }).collect()
}

/// A description on its way.
struct Turn<'a> {
    rest: std::str::Chars<'a>,
    /// Characters and bytes of the line so far, with its end.
    counts: (u64, u64),
    cost: u64,
    kept: u64,
}

impl<'a> Turn<'a> {
    fn new(item: &'a Item<'a>, cost: u64, unit: Unit) -> Self {
        let line = item.lines(FORM, 0);
        let counts = (line.chars().count() as u64 + 1, line.len() as u64 + 1);
        debug_assert_eq!(cost, unit.of_counts(counts.0, counts.1));
        Self { rest: item.description.chars(), counts, cost, kept: 0 }
    }

    /// Takes the next character, if what it costs is left.
    fn take(&mut self, left: &mut u64, unit: Unit) -> bool {
        let mut rest = self.rest.clone();
        let Some(next) = rest.next() else { return false };
        // The first one brings the space before it.
        let space = u64::from(self.kept == 0);
        let counts = (self.counts.0 + space + 1, self.counts.1 + space + next.len_utf8() as u64);
        let cost = unit.of_counts(counts.0, counts.1);
        let more = cost.saturating_sub(self.cost);
        if more > *left {
            return false;
        }
        *left -= more;
        (self.rest, self.counts, self.cost, self.kept) = (rest, counts, cost, self.kept + 1);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn kept(
        skills: &[(&str, &str)],
        limit: impl Fn(u64, u64) -> u64,
        unit: Unit,
    ) -> Vec<Option<u64>> {
        let items: Vec<_> = skills
            .iter()
            .map(|(name, description)| Item {
                path: Cow::Owned(format!("/tmp/{name}/SKILL.md")),
                ..Item::new(name, description)
            })
            .collect();
        let least = items.iter().map(|i| i.cost(FORM, unit, 0)).sum();
        let whole = items.iter().map(|i| i.whole(FORM, unit).cost).sum();
        let limit = limit(least, whole);
        let laid = lay(&items, limit, unit);
        let used: u64 = laid.iter().filter(|l| l.kept.is_some()).map(|l| l.cost).sum();
        assert!(used <= limit, "{used} of {limit}");
        for (item, laid) in items.iter().zip(&laid) {
            assert_eq!(laid.cost, item.cost(FORM, unit, laid.kept.unwrap_or(0)));
        }
        laid.iter().map(|l| l.kept).collect()
    }

    #[test]
    fn descriptions_get_the_rest_by_turns() {
        let chars = Unit::Characters;
        let pair = [("alpha", "abcdef"), ("beta", "uvwxyz")];
        assert_eq!(kept(&pair, |_, whole| whole, chars), [Some(6), Some(6)]);
        assert_eq!(kept(&pair, |_, whole| whole - 1, chars), [Some(6), Some(5)]);
        assert_eq!(kept(&pair, |least, _| least + 6, chars), [Some(2), Some(2)]);
        assert_eq!(kept(&pair, |least, _| least + 1, chars), [Some(0), Some(0)]);
        assert_eq!(kept(&pair, |least, _| least, chars), [Some(0), Some(0)]);
        let uneven = [("long", "abcdefghi"), ("short", "x")];
        assert_eq!(kept(&uneven, |least, _| least + 11, chars), [Some(8), Some(1)]);
        // Of tokens, what a line leaves of its last one costs nothing.
        let wide = [("a", "審審審"), ("b", "xxxxxxxx")];
        assert_eq!(kept(&wide, |least, _| least + 2, Unit::Tokens), [Some(3), Some(2)]);
    }

    #[test]
    fn names_that_do_not_fit_are_passed_over() {
        let skills = [("a", "x"), ("a-very-long-name", "x"), ("b", "x")];
        let short = "- a: (file: /tmp/a/SKILL.md)\n".len() as u64;
        let fit = |_, _| 2 * short;
        assert_eq!(kept(&skills, fit, Unit::Characters), [Some(0), None, Some(0)]);
        assert_eq!(kept(&skills, |_, _| short, Unit::Characters), [Some(0), None, None]);
        assert_eq!(kept(&skills, |_, _| 0, Unit::Characters), [None, None, None]);
        assert_eq!(kept(&[], |_, _| 0, Unit::Characters), []);
    }
}
