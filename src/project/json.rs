//! JSON whose strings hold no raw control byte and nothing that reorders text.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::skill::text::hazard;

/// A value as JSON on one line. Every hazard of CONTRACT §3 is written as
/// `\uXXXX`, so that the document is safe on a terminal and exact to a parser.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Safe);
    value.serialize(&mut serializer)?;
    String::from_utf8(out).map_err(serde::ser::Error::custom)
}

struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // The control characters below U+0020 never come here: JSON itself
        // escapes them.
        if fragment.bytes().all(|b| b < 0x7f) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut chars = fragment.chars().peekable();
        let mut before = None;
        while let Some(c) = chars.next() {
            let odd = matches!(c, '\u{2028}' | '\u{2029}');
            if odd || hazard(c, before, chars.peek().copied()).is_some() {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                writer.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
            }
            before = Some(c);
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: serde_json::ser::CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hazards_are_escaped_and_come_back() {
        for text in [
            "plain",
            "审 \"quoted\" \\ / \n\t",
            "\u{0}\u{1b}[2J\u{7f}\u{9b}31m",
            "a\u{202e}b\u{200b}\u{feff}\u{e0041}\u{2028}",
            "👩\u{200d}💻",
        ] {
            let json = to_string(&text).unwrap();
            assert!(crate::skill::text::is_plain(&json), "{json}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
