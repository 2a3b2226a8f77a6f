//! Seed A's rule: stop at the first line that does not fit.

use super::{Item, Laid};
use crate::profile::{CatalogForm, Unit};

/// The lines up to the first that does not fit. The first is kept whatever it
/// costs.
pub(super) fn lay(items: &[Item<'_>], limit: u64, unit: Unit) -> Vec<Laid> {
    let mut used = 0_u64;
    let mut is_cut = false;
    let mut laid = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let whole = item.whole(CatalogForm::Stop, unit);
        let total = used.saturating_add(whole.cost);
        is_cut |= total > limit && i > 0;
        used = total;
        laid.push(if is_cut { Laid { kept: None, ..whole } } else { whole });
    }
    laid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_stops_at_the_first_line_that_does_not_fit() {
        let text = "x".repeat(500);
        // The line of a name of one letter costs six characters more than the description.
        for (chars, limit, listed) in [
            (vec![16, 15, 16], 65, 3),
            (vec![16, 15, 16], 64, 2),
            (vec![16, 15, 16], 0, 1),
            (vec![16, 15, 16], 1, 1),
            (vec![16, 15, 16], u64::MAX, 3),
            (vec![10, 500, 10], 60, 1),
            (vec![], 0, 0),
        ] {
            let items: Vec<_> = chars.iter().map(|n| Item::new("a", &text[..*n])).collect();
            let laid = lay(&items, limit, Unit::Characters);
            let kept: Vec<_> = laid.iter().map(|l| l.kept.is_some()).collect();
            let want: Vec<_> = (0..chars.len()).map(|i| i < listed).collect();
            assert_eq!(kept, want, "{chars:?} {limit}");
            assert!(laid.iter().zip(&chars).all(|(l, n)| l.cost == *n as u64 + 6));
        }
    }
}
