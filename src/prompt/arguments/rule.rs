//! Seed A's `_apply_arguments`.

use super::Expanded;
use crate::profile::mycodeagent;
use crate::skill::body::PLACEHOLDER;

/// Every placeholder is replaced literally and once; without one, arguments
/// that are not empty are appended.
pub(super) fn expand(body: &str, arguments: &str) -> Expanded {
    let arguments = mycodeagent::strip(arguments);
    let mut out = Expanded::default();
    let mut parts = body.split(PLACEHOLDER);
    out.push(parts.next().unwrap_or(""));
    let mut is_taken = false;
    for part in parts {
        is_taken = true;
        out.push_argument(arguments);
        out.push(part);
    }
    if !is_taken && !arguments.is_empty() {
        out.append(arguments);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_rule_of_the_article() {
        for (body, args, want) in [
            ("Check $ARGUMENTS, lint $ARGUMENTS.", "src/a.rs", "Check src/a.rs, lint src/a.rs."),
            ("Echo: $ARGUMENTS", "say $ARGUMENTS twice", "Echo: say $ARGUMENTS twice"),
            ("Cost: $ARGUMENTS", r"100$$ $& $1 \1 ${HOME}", r"Cost: 100$$ $& $1 \1 ${HOME}"),
            ("Run:\n$ARGUMENTS\nEnd.", "\n one\ntwo \n", "Run:\none\ntwo\nEnd."),
            ("Target: [$ARGUMENTS]", "  \t\n ", "Target: []"),
            ("Review.", "src/main.rs", "Review.\n\nARGUMENTS: src/main.rs"),
            ("Review.", "  ", "Review."),
            ("$ARGUMENTSX", "a", "aX"),
            ("$Arguments $ARG", "", "$Arguments $ARG"),
        ] {
            let expanded = expand(body, args);
            assert_eq!(expanded.text, want, "{body:?} {args:?}");
            for range in expanded.arguments {
                assert_eq!(&expanded.text[range], args.trim());
            }
        }
    }
}
