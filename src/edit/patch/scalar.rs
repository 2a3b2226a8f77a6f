//! A text as a scalar of YAML.

/// Where a scalar is to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Context {
    /// On a line of its own field.
    Line,
    /// Between brackets, where commas and brackets mean something.
    Flow,
}

/// The text without quotes, when every reader of YAML takes it as this text.
///
/// Also readers of YAML 1.1, to which `yes` is a boolean and `2026-01-01` a date.
pub(in crate::edit) fn plain(text: &str, context: Context) -> Option<String> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let edge = |c: char| c.is_whitespace() || c == '\u{feff}';
    if edge(first) || text.ends_with(edge) || text.contains(is_unprintable) {
        return None;
    }
    let starts_item = matches!(first, '-' | '?' | ':')
        && chars.next().is_none_or(|c| c.is_whitespace() || context == Context::Flow);
    if starts_item
        || matches!(
            first,
            ',' | '['
                | ']'
                | '{'
                | '}'
                | '#'
                | '&'
                | '*'
                | '!'
                | '|'
                | '>'
                | '\''
                | '"'
                | '%'
                | '@'
                | '`'
                | '='
        )
    {
        return None;
    }
    // White space of other scripts is none to YAML, but it is to other readers.
    let mut before = first;
    for c in text.chars().skip(1) {
        let is_comment = c == '#' && before.is_whitespace();
        let is_key = before == ':' && c.is_whitespace();
        if is_comment || is_key {
            return None;
        }
        before = c;
    }
    let in_flow = context == Context::Flow && text.contains([',', '[', ']', '{', '}', ':', '#']);
    let is_marker = text.starts_with("---") || text.starts_with("...") || text == "<<";
    if text.ends_with(':') || text.contains('\t') || in_flow || is_marker || is_typed(text) {
        return None;
    }
    Some(text.to_owned())
}

/// What YAML 1.1 or 1.2 may take for something other than a text.
fn is_typed(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = ["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"];
    if words.contains(&lower.trim_start_matches(['-', '+'])) {
        return true;
    }
    let starts = lower.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let numeric = |c: char| c.is_ascii_hexdigit() || matches!(c, '-' | '+' | '.' | '_' | ':');
    let date = |c: char| numeric(c) || matches!(c, 'x' | 'o' | 't' | 'z' | ' ');
    starts && lower.contains(|c: char| c.is_ascii_digit()) && lower.chars().all(date)
}

/// The text in single quotes, when it can stand on one line of them.
pub(in crate::edit) fn single(text: &str) -> Option<String> {
    let fits = !text.contains(|c| is_unprintable(c) || c == '\t');
    fits.then(|| format!("'{}'", text.replace('\'', "''")))
}

/// The text in double quotes, on one line. Every text can be written so.
pub(in crate::edit) fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if !is_unprintable(c) => out.push(c),
            c if (c as u32) < 0x100 => out.push_str(&format!("\\x{:02X}", c as u32)),
            c => out.push_str(&format!("\\u{:04X}", c as u32)),
        }
    }
    out.push('"');
    out
}

/// What YAML does not print, and what some readers take for a line end.
fn is_unprintable(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}' | '\n'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}'
            | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// The quotes that need the fewest escapes: double ones, or single ones around
/// a text with double quotes or backslashes in it.
pub(in crate::edit) fn quoted(text: &str) -> String {
    match single(text) {
        Some(single) if text.contains(['"', '\\']) && !text.contains('\'') => single,
        _ => double(text),
    }
}

/// The text as a literal block: its header, and its lines joined by `end`, the
/// last without one. `indent` is before each line, `levels` of it below the key.
///
/// `None` when a block cannot hold the text exactly.
pub(in crate::edit) fn literal(
    text: &str,
    indent: &str,
    levels: usize,
    end: &str,
) -> Option<(String, String)> {
    let odd = |c: char| is_unprintable(c) && c != '\n';
    let all = text.strip_suffix('\n').unwrap_or(text);
    let first = all.split('\n').find(|line| !line.is_empty())?;
    let is_blank = |line: &str| !line.is_empty() && line.trim().is_empty();
    if text.contains(odd) || first.starts_with('\t') || all.split('\n').any(is_blank) {
        return None;
    }
    let chomp = match text.strip_suffix('\n') {
        None => "-",
        Some(rest) if rest.ends_with('\n') => "+",
        Some(_) => "",
    };
    // The first line tells the indentation, unless it has one of its own.
    let level = if first.starts_with(' ') {
        if !(1..=9).contains(&levels) {
            return None;
        }
        levels.to_string()
    } else {
        String::new()
    };
    let lines = all.split('\n').map(|line| match line {
        "" => String::new(),
        line => format!("{indent}{line}"),
    });
    Some((format!("|{level}{chomp}"), lines.collect::<Vec<_>>().join(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_reader_takes_as_text_stays_plain() {
        for text in [
            "x",
            "Use it, when [needed].",
            "a:b",
            "C#",
            "it's \"so\"",
            "-x",
            "審查",
            "v1",
            "1.2 apples",
            "?x",
            ":x",
            "a {b}",
            "https://x.y/#z",
            "007a-b-g",
        ] {
            assert_eq!(plain(text, Context::Line).as_deref(), Some(text));
        }
        for text in [
            "",
            " x",
            "x ",
            "\u{a0}x",
            "- x",
            "-",
            "? x",
            ": x",
            "a: b",
            "a:\u{a0}b",
            "a:",
            "a #b",
            "#b",
            "&a",
            "*a",
            "!a",
            "|",
            ">x",
            "'a'",
            "\"a\"",
            "%a",
            "@a",
            "`a`",
            "[a]",
            "{a}",
            ",a",
            "null",
            "~",
            "True",
            "yes",
            "OFF",
            "y",
            "12",
            "0x1F",
            "1e3",
            "-.5",
            ".inf",
            "-.INF",
            "2026-01-01",
            "1:30",
            "1_000",
            "2026-01-01T10:00:00Z",
            "---",
            "...",
            "<<",
            "=",
            "a\tb",
            "a\nb",
            "a\u{2028}b",
            "a\u{85}b",
            "\u{feff}x",
            "a\u{1b}b",
        ] {
            assert_eq!(plain(text, Context::Line), None, "{text:?}");
        }
        for text in ["a,b", "a]", "{a", "a:b", "-x", "a#"] {
            assert_eq!(plain(text, Context::Flow), None, "{text:?}");
        }
    }

    #[test]
    fn quotes_are_chosen_for_the_fewest_escapes() {
        for (text, want) in [
            ("a: b", "\"a: b\""),
            ("it's: so", "\"it's: so\""),
            ("a \"b\": c", "'a \"b\": c'"),
            ("C:\\x: y", "'C:\\x: y'"),
            ("it's \"so\"", "\"it's \\\"so\\\"\""),
            ("a\nb\t\u{1b}\u{85}\u{2028}\u{feff}👩", "\"a\\nb\\t\\x1B\\x85\\u2028\\uFEFF👩\""),
        ] {
            assert_eq!(quoted(text), want);
        }
        assert_eq!(single("it's").as_deref(), Some("'it''s'"));
        assert_eq!(single("a\nb"), None);
    }

    #[test]
    fn a_block_holds_its_text_exactly_or_is_not_used() {
        let block = |text| literal(text, "  ", 2, "\r\n").map(|(h, b)| format!("{h}~{b}"));
        for (text, want) in [
            ("a\nb", Some("|-~  a\r\n  b")),
            ("a\n\nb\n", Some("|~  a\r\n\r\n  b")),
            ("a\n\n", Some("|+~  a\r\n")),
            (" a\nb\n", Some("|2~   a\r\n  b")),
            ("\n a", Some("|2-~\r\n   a")),
            ("\n", None),
            ("a\n  \nb", None),
            ("\ta\nb", None),
            ("a\r\nb", None),
            ("a\n\u{2028}", None),
        ] {
            assert_eq!(block(text).as_deref(), want, "{text:?}");
        }
    }
}
