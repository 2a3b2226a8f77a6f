//! The name rule (CONTRACT §3; seed A's regular expression).

/// Names longer than this are reported (characters).
pub const MAX_CHARS: usize = 64;

/// `^[a-z0-9]+(?:-[a-z0-9]+)*$`
pub fn is_valid(name: &str) -> bool {
    !name.is_empty()
        && name.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// The slot pattern of the ADR's first text, `^[a-z][a-z0-9-]{0,62}[a-z0-9]$`.
pub fn is_slot(name: &str) -> bool {
    let bytes = name.as_bytes();
    let end = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (2..=64).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.last().is_some_and(end)
        && bytes.iter().all(|b| end(b) || *b == b'-')
}

/// The valid name closest to a text: lower case, every other run a hyphen.
pub fn nearest(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(MAX_CHARS);
    let name = name.trim_end_matches('-');
    is_valid(name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_the_regular_expression() {
        for name in ["a", "0", "a-b", "007", "a1-2b-c", "yes"] {
            assert!(is_valid(name), "{name}");
        }
        for name in ["", "-", "-a", "a-", "a--b", "A", "a_b", "a b", "é", "a/b", "a\n"] {
            assert!(!is_valid(name), "{name:?}");
        }
    }

    #[test]
    fn the_slot_pattern_is_narrower_and_wider() {
        for name in ["ab", "a1", "a--b", &"a".repeat(64)] {
            assert!(is_slot(name), "{name}");
        }
        for name in ["", "a", "1a", "a-", "-a", "A1", &"a".repeat(65)] {
            assert!(!is_slot(name), "{name}");
        }
    }

    #[test]
    fn the_nearest_valid_name_is_offered() {
        for (text, want) in [
            ("Anvil", Some("anvil")),
            ("my tool", Some("my-tool")),
            ("group/child", Some("group-child")),
            ("name--double", Some("name-double")),
            ("trailing-", Some("trailing")),
            ("Pdf_Processing", Some("pdf-processing")),
            ("审查", None),
            ("", None),
        ] {
            assert_eq!(nearest(text).as_deref(), want, "{text:?}");
        }
    }
}
