//! Arguments as words: white space parts them, quotes keep them together.

/// The words of `text`. Quotes of either kind hold a word together and go; one
/// that is never closed is a letter like any other.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match (c, rest.find(c)) {
            ('"' | '\'', Some(end)) => {
                word.push_str(&rest[..end]);
                rest = &rest[end + 1..];
            }
            _ => word.push(c),
        }
    }
    words.extend(word);
    words
}

/// The pieces of `text` as opencode finds them: what stands in quotes, and runs
/// without white space and quotes. A quote that is never closed goes.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        if c.is_whitespace() {
            rest = tail;
        } else if matches!(c, '"' | '\'') {
            let end = tail.find(c);
            pieces.extend(end.map(|end| tail[..end].to_owned()));
            rest = end.map_or(tail, |end| &tail[end + 1..]);
        } else {
            let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
            let (piece, tail) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
            pieces.push(piece.to_owned());
            rest = tail;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        for (text, want) in [
            ("", vec![]),
            ("  \t\n ", vec![]),
            ("a b", vec!["a", "b"]),
            ("\"hello world\" second", vec!["hello world", "second"]),
            ("'a \"b\" c' d", vec!["a \"b\" c", "d"]),
            ("--x=\"a b\" c", vec!["--x=a b", "c"]),
            ("it's fine", vec!["it's", "fine"]),
            ("\"\" b", vec!["", "b"]),
        ] {
            assert_eq!(words(text), want, "{text:?}");
        }
    }

    #[test]
    fn pieces_begin_at_quotes() {
        for (text, want) in [
            ("a b", vec!["a", "b"]),
            ("a\"b c\"d", vec!["a", "b c", "d"]),
            ("'' x", vec!["", "x"]),
            ("it's", vec!["it", "s"]),
        ] {
            assert_eq!(pieces(text), want, "{text:?}");
        }
    }
}
