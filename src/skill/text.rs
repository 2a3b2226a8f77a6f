//! Text that comes from a file, and the one way it may be shown.
//!
//! A skill is somebody else's text. It may hold escape sequences, text that
//! reverses the reading order, or characters that cannot be seen. [`shown`] is
//! the single function through which such text goes on its way to a screen, a
//! message or a log; what it returns, [`Shown`], is what the faces accept.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;

/// Text made safe to show: no control bytes, no reordering, nothing invisible.
///
/// The only ways to get one are [`shown`] and its two siblings for names and
/// for fixed words of the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Shown(String);

impl Shown {
    /// A word of the program's own, which needs no escaping.
    pub fn fixed(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text, ready for a terminal.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, ready for a terminal.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What makes a character unfit to be drawn as it is (CONTRACT §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hazard {
    /// C0, DEL or C1: a terminal may obey it.
    Control,
    /// Reorders the text around it.
    Bidi,
    /// Cannot be seen.
    Invisible,
}

/// The hazard of `c` between its neighbours, if any.
///
/// The two joiners U+200C and U+200D are ordinary letters of Persian, Kannada
/// and of joined emoji; only between ASCII neighbours, or at an edge, do they
/// hide something.
pub fn hazard(c: char, before: Option<char>, after: Option<char>) -> Option<Hazard> {
    match c {
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Hazard::Control),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Hazard::Bidi),
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => {
            Some(Hazard::Invisible)
        }
        '\u{200c}' | '\u{200d}' => {
            let joins_nothing = |n: char| n.is_ascii() || matches!(n, '\u{200c}' | '\u{200d}');
            let plain = |n: Option<char>| n.is_none_or(joins_nothing);
            (plain(before) && plain(after)).then_some(Hazard::Invisible)
        }
        _ => None,
    }
}

/// The first place, in bytes, of each hazard in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hazards {
    /// A control character.
    pub control: Option<(usize, char)>,
    /// A character that reorders text.
    pub bidi: Option<(usize, char)>,
    /// A character that cannot be seen.
    pub invisible: Option<(usize, char)>,
}

/// Looks for hazards. Tab, LF and CR are the lay-out of a text, not hazards in it.
pub fn hazards(text: &str) -> Hazards {
    let mut found = Hazards::default();
    let bytes = text.as_bytes();
    // Most files are plain ASCII; the letters that can start a hazard are few.
    let suspicious = |b: u8| {
        (b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r'))
            || matches!(b, 0x7f | 0xc2 | 0xe2 | 0xef | 0xf3)
    };
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|b| suspicious(*b)) {
        at += step;
        let Some(c) = text[at..].chars().next() else { break };
        let before = text[..at].chars().next_back();
        let after = text[at + c.len_utf8()..].chars().next();
        let slot = match hazard(c, before, after) {
            Some(Hazard::Control) => Some(&mut found.control),
            Some(Hazard::Bidi) => Some(&mut found.bidi),
            Some(Hazard::Invisible) => Some(&mut found.invisible),
            None => None,
        };
        if let Some(slot) = slot {
            slot.get_or_insert((at, c));
        }
        at += c.len_utf8();
    }
    found
}

/// Makes text from a file safe to show, every hazard written as a visible escape.
///
/// Also escapes the two Unicode line separators, tab and line breaks: what is
/// shown is one line. Text of several lines is split before it comes here.
pub fn shown(text: &str) -> Shown {
    Shown(escape(text).into_owned())
}

/// Like [`shown`], for a file name, which need not be UTF-8: other bytes are
/// written as `\xHH`.
pub fn shown_name(name: &OsStr) -> Shown {
    Shown(escape(&name_text(name)).into_owned())
}

/// A file name as text; bytes that are not UTF-8 are written as `\xHH`, never dropped.
pub fn name_text(name: &OsStr) -> Cow<'_, str> {
    if let Some(text) = name.to_str() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            push_byte(&mut out, *byte);
        }
    }
    Cow::Owned(out)
}

/// Whether [`shown`] would change the text.
pub fn is_plain(text: &str) -> bool {
    matches!(escape(text), Cow::Borrowed(_))
}

fn escape(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut kept = 0;
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        let separator = matches!(c, '\u{2028}' | '\u{2029}');
        if separator || hazard(c, before, after).is_some() {
            out.push_str(&text[kept..at]);
            push_escape(&mut out, c);
            kept = at + c.len_utf8();
        }
        before = Some(c);
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

fn push_escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\u{ff}' => push_byte(out, c as u8),
        _ => out.push_str(&format!("\\u{{{:04X}}}", c as u32)),
    }
}

fn push_byte(out: &mut String, byte: u8) {
    out.push_str(&format!("\\x{byte:02X}"));
}

/// The first `max` characters of `text`, with `…` when something was left out.
pub fn head(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
    }
}

/// The characters hidden in Unicode tag characters (U+E0000–E007F), as plain ASCII.
pub fn hidden_tags(text: &str) -> String {
    text.chars()
        .filter_map(|c| (c as u32).checked_sub(0xe0000))
        .filter(|n| (0x20..0x7f).contains(n))
        .filter_map(char::from_u32)
        .collect()
}

/// A number of characters as people read it: `12,000`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// `1 skill`, `2 skills`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n as u64), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hazard_is_written_visibly() {
        for (text, want) in [
            ("plain", "plain"),
            ("审 é 🚀", "审 é 🚀"),
            ("\u{1b}[31mred\u{7}", "\\x1B[31mred\\x07"),
            ("\u{7f}\u{9b}31m", "\\x7F\\x9B31m"),
            ("a\tb\nc\r", "a\\tb\\nc\\r"),
            (
                "safe \u{202e}exe\u{202c} \u{2066}x\u{2069}",
                "safe \\u{202E}exe\\u{202C} \\u{2066}x\\u{2069}",
            ),
            ("ad\u{200b}min\u{2060}\u{feff}", "ad\\u{200B}min\\u{2060}\\u{FEFF}"),
            ("x\u{e0041}", "x\\u{E0041}"),
            ("a\u{2028}b", "a\\u{2028}b"),
            ("a\u{200d}b", "a\\u{200D}b"),
            ("\u{200d}", "\\u{200D}"),
            ("a\u{200d}\u{200d}b", "a\\u{200D}\\u{200D}b"),
            ("👩\u{200d}💻 ್\u{200c}ರ", "👩\u{200d}💻 ್\u{200c}ರ"),
            ("", ""),
        ] {
            assert_eq!(shown(text).as_str(), want);
            assert_eq!(is_plain(text), text == want, "{text:?}");
        }
    }

    #[test]
    fn hazards_are_found_where_they_are() {
        let found = hazards("é\u{1b} \u{202e} \u{200b}");
        assert_eq!(found.control, Some((2, '\u{1b}')));
        assert_eq!(found.bidi, Some((4, '\u{202e}')));
        assert_eq!(found.invisible, Some((8, '\u{200b}')));
        assert_eq!(hazards("tab\t lf\n cr\r 审 👩\u{200d}💻"), Hazards::default());
    }

    #[test]
    fn names_that_are_not_utf8_keep_every_byte_visible() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(shown_name(OsStr::from_bytes(b"bad\xff\x1b.bin")).as_str(), "bad\\xFF\\x1B.bin");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(12_000), "12,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(head("审审审", 2), "审审…");
        assert_eq!(hidden_tags("x\u{e0068}\u{e0069}"), "hi");
    }
}
