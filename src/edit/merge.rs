//! Two changes of one text, put together.

use diffy::MergeOptions;

/// Two changes put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text, with both versions of what cannot be put together between marks.
    pub text: String,
    /// How often that is so.
    pub conflicts: usize,
}

/// The beginning of the mark before the first version.
const MINE: &str = "<<<<<<< ";

/// Puts together what became of `base` in `mine` and in `theirs`. Where both
/// changed the same lines, both versions stand between marks as git writes them.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Merged {
    if mine == theirs || theirs == base {
        return Merged { text: mine.to_owned(), conflicts: 0 };
    }
    if mine == base {
        return Merged { text: theirs.to_owned(), conflicts: 0 };
    }
    let mut options = MergeOptions::new();
    options.set_conflict_style(diffy::ConflictStyle::Merge);
    if let Ok(text) = options.merge(base, mine, theirs) {
        return Merged { text, conflicts: 0 };
    }
    // Without an end the last lines would run into the marks.
    let end = if theirs.contains("\r\n") { "\r\n" } else { "\n" };
    let [base, mine, theirs] = [base, mine, theirs].map(|text| ended(text, end));
    match options.merge(&base, &mine, &theirs) {
        Ok(text) => Merged { text, conflicts: 0 },
        Err(text) => named(&text),
    }
}

/// A text whose last line has an end.
fn ended(text: &str, end: &str) -> String {
    let is_whole = text.is_empty() || text.ends_with('\n');
    format!("{text}{}", if is_whole { "" } else { end })
}

/// The marks say whose version is whose, and end as the lines around them do.
fn named(text: &str) -> Merged {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut out, mut conflicts) = (String::with_capacity(text.len() + 64), 0);
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\r', '\n']);
        let mark = match bare {
            _ if bare.starts_with(MINE) && !is_open => {
                (is_open, conflicts) = (true, conflicts + 1);
                "<<<<<<< yours"
            }
            "=======" if is_open => "=======",
            _ if is_open && bare.starts_with(">>>>>>> ") => {
                is_open = false;
                ">>>>>>> on disk"
            }
            _ => {
                out.push_str(line);
                continue;
            }
        };
        out.push_str(mark);
        out.push_str(end);
    }
    Merged { text: out, conflicts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn changes_in_different_places_come_together() {
        let base = "a\nb\nc\nd\ne\n";
        let merged = merge(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
        assert_eq!(merged, Merged { text: "A\nb\nc\nd\nE\n".into(), conflicts: 0 });
    }

    #[test]
    fn changes_of_one_line_stand_between_marks() {
        for (base, mine, theirs, want) in [
            (
                "a\nb\nc\n",
                "a\nx\nc\n",
                "a\ny\nc\n",
                "a\n<<<<<<< yours\nx\n=======\ny\n>>>>>>> on disk\nc\n",
            ),
            (
                "a\r\nb\r\n",
                "a\r\nx\r\n",
                "a\r\ny\r\n",
                "a\r\n<<<<<<< yours\r\nx\r\n=======\r\ny\r\n>>>>>>> on disk\r\n",
            ),
            ("a", "b", "c", "<<<<<<< yours\nb\n=======\nc\n>>>>>>> on disk\n"),
        ] {
            assert_eq!(merge(base, mine, theirs), Merged { text: want.into(), conflicts: 1 });
        }
    }

    proptest! {
        #[test]
        fn one_change_alone_is_the_result(
            base in "([abc]\n){0,8}", other in "([abcd]\n){0,8}",
        ) {
            prop_assert_eq!(merge(&base, &other, &base).text, other.clone());
            prop_assert_eq!(merge(&base, &base, &other).text, other.clone());
            prop_assert_eq!(merge(&base, &other, &other).text, other);
        }

        #[test]
        fn no_line_of_either_is_lost_where_it_is_new(
            base in "([abc]\n){0,8}", mine in "([abcx]\n){0,8}", theirs in "([abcy]\n){0,8}",
        ) {
            let merged = merge(&base, &mine, &theirs).text;
            let count = |text: &str, line: &str| text.lines().filter(|l| *l == line).count();
            prop_assert!(count(&merged, "x") >= count(&mine, "x"));
            prop_assert!(count(&merged, "y") >= count(&theirs, "y"));
        }
    }
}
