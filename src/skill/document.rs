//! A `SKILL.md`, read from its bytes (CONTRACT §3).

use super::body::{self, Body};
use super::fences;
use super::finding::{Code, Finding, Fix};
use super::frontmatter::{self, Frontmatter};
use super::orders::{self, Order};
use super::place::{Place, lines};

/// Files larger than this many bytes are not read.
pub const MAX_BYTES: u64 = 1024 * 1024;

const BOM: &str = "\u{feff}";

/// What a `SKILL.md` says, without its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The size of the file.
    pub bytes: u64,
    /// The frontmatter; `None` when it cannot be read, and then an error says why.
    pub frontmatter: Option<Frontmatter>,
    /// Counts of the body; zero when there are no fences.
    pub body: Body,
    /// The first paragraph of the body on one line, where there is no description
    /// and some clients take it in its place.
    pub first_paragraph: Option<String>,
    /// What the body orders or forbids outright.
    pub orders: Vec<Order>,
    /// What is wrong with the file itself, levels as under `kaged`.
    pub findings: Vec<Finding>,
}

/// The text of a file: UTF-8, with one byte-order mark skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text behind the mark.
    pub text: &'a str,
    /// Whether there was a mark.
    pub bom: bool,
}

impl<'a> Text<'a> {
    /// Decodes a file.
    ///
    /// # Errors
    /// `not-utf8`, with the first byte that is not.
    pub fn of(bytes: &'a [u8]) -> Result<Self, Finding> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
        Ok(match text.strip_prefix(BOM) {
            Some(text) => Self { text, bom: true },
            None => Self { text, bom: false },
        })
    }

    /// The body: everything behind the closing fence; `None` without fences.
    pub fn body(&self) -> Option<&'a str> {
        fences::split(self.text).ok().map(|f| &self.text[f.body])
    }
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Document {
    let Text { text, bom } = match Text::of(bytes) {
        Ok(text) => text,
        Err(finding) => return Document { findings: vec![finding], ..Document::default() },
    };
    let mut document = Document { bytes: bytes.len() as u64, ..Document::default() };
    if bom {
        document.findings.push(
            Finding::new(
                Code::Bom,
                "the file begins with a byte-order mark, which makes many clients drop the skill; \
                 save it without",
            )
            .at(Place::START)
            .fix(Fix::DropBom),
        );
    }
    let fences = match fences::split(text) {
        Ok(fences) => fences,
        Err(finding) => {
            document.findings.push(finding);
            document.first_paragraph = body::first_paragraph(text);
            return document;
        }
    };
    document.findings.extend(line_ends(text, fences.body.start));
    if let Some(at) = fences.trailing_space {
        document.findings.push(
            Finding::new(
                Code::FenceTrailingSpace,
                "white space stands behind a fence; some clients then do not see the frontmatter",
            )
            .at(Place::of(text, at)),
        );
    }
    let (frontmatter, mut findings) = frontmatter::read(text, fences.head);
    document.findings.append(&mut findings);
    if frontmatter.as_ref().is_some_and(|front| front.description.is_missing()) {
        document.first_paragraph = body::first_paragraph(&text[fences.body.start..]);
    }
    document.frontmatter = frontmatter;
    let (body, mut findings) = body::read(text, fences.body.start);
    document.body = body;
    document.orders = orders::read(text, fences.body.start);
    document.findings.append(&mut findings);
    document
}

fn line_ends(text: &str, body: usize) -> Option<Finding> {
    if !text.contains('\r') {
        return None;
    }
    let lone = |line: &super::place::Line<'_>| text[line.start..line.next].ends_with('\r');
    if let Some(line) = lines(&text[..body]).find(lone) {
        return Some(
            Finding::new(
                Code::CrOnly,
                "lines of the frontmatter end with a lone carriage return (old Mac); kaged's own \
                 check and many tools see one long line, so save the file with LF",
            )
            .at(Place::of(text, line.start + line.text.len())),
        );
    }
    let end = |line: &super::place::Line<'_>| line.next - line.start - line.text.len();
    let mut seen = lines(text).filter(|line| end(line) > 0);
    let kind = |line: &super::place::Line<'_>| &text[line.start + line.text.len()..line.next];
    let first = kind(&seen.next()?);
    let other = seen.find(|line| kind(line) != first)?;
    Some(
        Finding::new(Code::MixedEol, "the file mixes line ends; save it with one kind")
            .at(Place::of(text, other.start + other.text.len())),
    )
}

fn not_utf8(bytes: &[u8], at: usize) -> Finding {
    let before = String::from_utf8_lossy(&bytes[..at]);
    let place = Place::of(&before, before.len());
    let looks_like = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => " (it looks like UTF-16)",
        _ if bytes.iter().take(200).filter(|b| **b == 0).count() > 20 => " (it looks like UTF-16)",
        _ => "",
    };
    Finding::new(
        Code::NotUtf8,
        format!(
            "byte {at} (0x{:02X}, line {}) is not UTF-8{looks_like}; save the file as UTF-8",
            bytes.get(at).copied().unwrap_or(0),
            place.line
        ),
    )
    .at(place)
    .fix(Fix::Transcode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<(Code, u32, u32)> {
        read(bytes)
            .findings
            .iter()
            .map(|f| (f.code, f.place.unwrap().line, f.place.unwrap().column))
            .collect()
    }

    #[test]
    fn bytes_and_line_ends() {
        for (bytes, want) in [
            (b"---\nd: x\n---\nb\n".as_slice(), vec![]),
            (b"---\r\nd: x\r\n---\r\nb\r\n", vec![]),
            (b"\xef\xbb\xbf---\nd: x\n---\nb\n", vec![(Code::Bom, 1, 1)]),
            (
                b"\xef\xbb\xbf\xef\xbb\xbf---\nd: x\n---\nb\n",
                vec![(Code::Bom, 1, 1), (Code::NoFrontmatter, 1, 1)],
            ),
            (b"---\rd: x\r---\rb\r", vec![(Code::CrOnly, 1, 4)]),
            (b"---\nd: x\n---\na\rb\n", vec![(Code::MixedEol, 4, 2)]),
            (b"---\r\nd: x\n---\nb\n", vec![(Code::MixedEol, 2, 5)]),
            (b"---\nd: \xff\n---\nb\n", vec![(Code::NotUtf8, 2, 4)]),
            (b"\xff\xfe-\0-\0-\0", vec![(Code::NotUtf8, 1, 1)]),
            (b"--- \nd: x\n---\nb\n", vec![(Code::FenceTrailingSpace, 1, 4)]),
        ] {
            assert_eq!(codes(bytes), want, "{:?}", String::from_utf8_lossy(bytes));
        }
        let utf16 = read(b"\xff\xfe-\0-\0-\0").findings.remove(0).message;
        assert!(utf16.as_str().contains("UTF-16"), "{utf16}");
    }

    #[test]
    fn an_empty_frontmatter_is_a_mapping_without_keys() {
        let document = read(b"---\n---\nbody\n");
        assert_eq!(document.frontmatter, Some(Frontmatter::default()));
    }
}
