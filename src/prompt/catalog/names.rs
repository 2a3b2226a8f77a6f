//! Claude Code's rule: the names always stay, the descriptions go.

use super::{Item, Laid};
use crate::profile::{CatalogForm, Unit};

const FORM: CatalogForm = CatalogForm::Names;

/// Every name, and the descriptions that fit beside all of them, in the order of
/// the list: one that does not fit is passed over, not stopped at.
pub(super) fn lay(items: &[Item<'_>], limit: u64, unit: Unit) -> Vec<Laid> {
    let whole: Vec<_> = items.iter().map(|item| item.whole(FORM, unit)).collect();
    if sum(&whole) <= limit {
        return whole;
    }
    let names: Vec<_> =
        items.iter().map(|item| Laid { cost: item.cost(FORM, unit, 0), kept: Some(0) }).collect();
    let mut left = limit.saturating_sub(sum(&names));
    let choose = |(whole, name): (Laid, Laid)| {
        let more = whole.cost.saturating_sub(name.cost);
        if more > left {
            return name;
        }
        left -= more;
        whole
    };
    whole.into_iter().zip(names).map(choose).collect()
}

fn sum(laid: &[Laid]) -> u64 {
    laid.iter().fold(0, |sum, laid| sum.saturating_add(laid.cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_and_descriptions_go() {
        // Whole 22 + 10 + 14; the names alone 4 each; a description costs 2 more than itself.
        let items = [("a", "xxxxxxxxxxxxxxxx"), ("b", "xxxx"), ("c", "xxxxxxxx")]
            .map(|(n, d)| Item::new(n, d));
        for (limit, kept) in [
            (46, [16, 4, 8]),
            (45, [16, 4, 0]),
            (36, [16, 4, 0]),
            (35, [16, 0, 0]),
            (29, [0, 4, 8]),
            (18, [0, 4, 0]),
            (17, [0, 0, 0]),
            (0, [0, 0, 0]),
        ] {
            let laid = lay(&items, limit, Unit::Characters);
            let got: Vec<_> = laid.iter().filter_map(|l| l.kept).collect();
            assert_eq!(got, kept, "{limit}");
        }
    }
}
