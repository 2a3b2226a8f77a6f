//! MyCodeAgent as printed in seed A: a flat parser that knows one-line values.

use super::kaged::{folder_hazards, push_wrapper_tag};
use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};
use crate::skill::body::push_hazards;
use crate::skill::document::Text;
use crate::skill::frontmatter::quoted;
use crate::skill::text::head;
use crate::skill::{Code, Finding, Fix, Level, Place, name};

pub(super) struct MyCodeAgent;

/// A file as the flat parser reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flat {
    /// Its `name` and `description`, where they are there.
    Read {
        /// The last `name:` of any indentation.
        name: Option<Value>,
        /// The last `description:` of any indentation.
        description: Option<Value>,
    },
    /// The parser returns nothing, and this is why.
    Rejected(Finding),
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The text, white space and quotes trimmed.
    pub text: String,
    /// Where its line stands.
    pub place: Place,
}

/// What makes Python's `str.splitlines` break a line.
fn is_python_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// What Python's `str.strip` removes.
fn is_python_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Python's `str.strip`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_python_space)
}

/// Python's `str.splitlines`, with the byte offset of each line.
fn python_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let start = at;
        let rest = &text[start..];
        match rest.find(is_python_break) {
            None => {
                at = text.len();
                Some((start, rest))
            }
            Some(len) => {
                let end = rest[len..].chars().next().map_or(0, char::len_utf8);
                let end = if rest[len..].starts_with("\r\n") { 2 } else { end };
                at = start + len + end;
                Some((start, &rest[..len]))
            }
        }
    })
}

/// Reads a file as seed A's `_parse_frontmatter` does.
pub fn read(bytes: &[u8]) -> Flat {
    let text = match Text::of(bytes) {
        Ok(Text { bom: true, .. }) => {
            return Flat::Rejected(
                Finding::new(
                    Code::Bom,
                    "the byte-order mark stands before the fence, so this client does not see the \
                     frontmatter; save the file without",
                )
                .level(Level::Error)
                .at(Place::START)
                .fix(Fix::DropBom),
            );
        }
        Ok(Text { text, .. }) => text,
        Err(finding) => return Flat::Rejected(finding),
    };
    flat(text)
}

fn flat(text: &str) -> Flat {
    let mut lines = python_lines(text);
    let first = lines.next();
    if first.is_none_or(|(_, line)| strip(line) != "---") {
        let code = if text.is_empty() { Code::EmptyFile } else { Code::NoFrontmatter };
        return Flat::Rejected(
            Finding::new(code, "the first line is not `---`, so this client drops the file")
                .at(Place::START),
        );
    }
    let mut name = None;
    let mut description = None;
    let mut bad: Option<usize> = None;
    for (at, line) in lines {
        let stripped = strip(line);
        if stripped == "---" {
            return match bad {
                Some(at) => Flat::Rejected(
                    Finding::new(
                        Code::FrontmatterParse,
                        format!(
                            "{} has no colon, and this client drops a file for any such line \
                             (lists, and texts of several lines)",
                            quoted(head(strip(line_at(text, at)), 40).as_ref())
                        ),
                    )
                    .at(Place::of(text, at)),
                ),
                None => Flat::Read { name, description },
            };
        }
        if stripped.is_empty() || stripped.starts_with('#') {
            continue;
        }
        let Some((key, value)) = stripped.split_once(':') else {
            bad.get_or_insert(at);
            continue;
        };
        let slot = match strip(key) {
            "name" => &mut name,
            "description" => &mut description,
            _ => continue,
        };
        let text_of = strip(value).trim_matches(['"', '\'']);
        *slot = Some(Value { text: text_of.to_owned(), place: Place::of(text, at) });
    }
    Flat::Rejected(
        Finding::new(
            Code::UnclosedFrontmatter,
            "no line `---` closes the frontmatter, so this client drops the file",
        )
        .at(Place::START)
        .fix(Fix::AddClosingFence),
    )
}

fn line_at(text: &str, at: usize) -> &str {
    python_lines(&text[at..]).next().map_or("", |(_, line)| line)
}

/// The body as seed A cuts it out: everything behind the closing fence, lines
/// joined by LF.
pub fn body(text: &str) -> Option<String> {
    let mut lines = python_lines(text);
    lines.next().filter(|(_, line)| strip(line) == "---")?;
    lines.find(|(_, line)| strip(line) == "---")?;
    Some(lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n"))
}

impl Client for MyCodeAgent {
    fn id(&self) -> &'static str {
        "mycodeagent"
    }
    fn about(&self) -> &'static str {
        "any depth, one-line values, the last of a name wins"
    }
    fn discovery(&self) -> Discovery {
        Discovery::Recursive
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::LastPathWins
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Stop
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::Shared
    }
    fn arguments(&self) -> ArgumentForm {
        ArgumentForm::Rule
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::BaseDirectory
    }

    fn judge(&self, folder: &FolderName, reading: &Reading, _: Option<u64>) -> Verdict {
        let mut findings: Vec<Finding> =
            reading.document.findings.iter().filter(|f| is_about_text(f.code)).cloned().collect();
        folder_hazards(folder, &mut findings);
        let (name, description) = match &reading.flat {
            Flat::Rejected(finding) => {
                findings.insert(0, finding.clone());
                return Verdict { findings, ..Verdict::default() };
            }
            Flat::Read { name, description } => (name.as_ref(), description.as_ref()),
        };
        Verdict {
            name: judge_name(name, &mut findings),
            description: judge_description(description, &mut findings),
            hidden: false,
            findings,
        }
    }
}

fn judge_name(value: Option<&Value>, findings: &mut Vec<Finding>) -> Option<String> {
    let Some(value) = value.filter(|v| !v.text.is_empty()) else {
        findings.push(
            Finding::new(
                Code::NameEmpty,
                "there is no `name`, and this client does not take the folder's; write one",
            )
            .level(Level::Error)
            .at(value.map_or(Place::START, |v| v.place)),
        );
        return None;
    };
    if name::is_valid(&value.text) {
        return Some(value.text.clone());
    }
    let finding = Finding::new(
        Code::NameInvalid,
        format!(
            "the name {} is not valid, so this client drops the skill (lower-case letters, \
             digits, single hyphens between them)",
            quoted(&value.text)
        ),
    )
    .level(Level::Error)
    .at(value.place);
    findings.push(match name::nearest(&value.text) {
        Some(name) => finding.fix(Fix::SetName(name)),
        None => finding,
    });
    None
}

fn judge_description(value: Option<&Value>, findings: &mut Vec<Finding>) -> Option<String> {
    let Some(value) = value.filter(|v| !v.text.is_empty()) else {
        findings.push(
            Finding::new(
                Code::MissingDescription,
                "there is no `description` on one line, so this client drops the skill; write one",
            )
            .at(value.map_or(Place::START, |v| v.place)),
        );
        return None;
    };
    if value.text.starts_with(['|', '>']) && value.text.len() <= 3 {
        findings.push(
            Finding::new(
                Code::DescriptionMultiline,
                format!(
                    "this client reads one line only: the description it lists is {}; write it \
                     behind the colon",
                    quoted(&value.text)
                ),
            )
            .at(value.place),
        );
    }
    push_hazards(findings, "the description", &value.text, |_| Some(value.place));
    push_wrapper_tag(findings, "description", &value.text, value.place);
    Some(value.text.clone())
}

/// Findings about the text itself, which hold for every client.
fn is_about_text(code: Code) -> bool {
    matches!(
        code,
        Code::ControlChars
            | Code::BidiControl
            | Code::InvisibleChar
            | Code::EmptyBody
            | Code::LongBody
            | Code::OperatorLocal
            | Code::MixedEol
    )
}

#[cfg(test)]
mod tests {
    use super::super::{FolderName, Profile, Reading};
    use super::*;
    use crate::skill::Status;

    fn judge(text: &str) -> (Status, Option<String>, Option<String>, Vec<Code>) {
        let verdict = Profile::MyCodeAgent
            .judge(&FolderName::new("x".as_ref()), &Reading::of(text.as_bytes()));
        let codes = verdict.findings.iter().map(|f| f.code).collect();
        (verdict.status(), verdict.name, verdict.description, codes)
    }

    #[test]
    fn the_flat_parser_reads_as_printed() {
        use Code as C;
        use Status::{Error, Valid, Warning};
        for (head, status, name, description, codes) in [
            ("name: a\ndescription: d", Valid, Some("a"), Some("d"), vec![]),
            ("name: 'a'\ndescription: \"d: e\"", Valid, Some("a"), Some("d: e"), vec![]),
            ("name: a\ndescription: x: y # z", Valid, Some("a"), Some("x: y # z"), vec![]),
            ("name: a\ndescription: &d text", Valid, Some("a"), Some("&d text"), vec![]),
            ("name: a\ndescription: d\nm:\n  description: e", Valid, Some("a"), Some("e"), vec![]),
            (
                "name: a\ndescription: >\n  T: x",
                Warning,
                Some("a"),
                Some(">"),
                vec![C::DescriptionMultiline],
            ),
            ("name: a\ndescription: >\n  T", Error, None, None, vec![C::FrontmatterParse]),
            ("name: a\ndescription: d\nl:\n- x", Error, None, None, vec![C::FrontmatterParse]),
            ("description: d", Error, None, Some("d"), vec![C::NameEmpty]),
            ("name: A\ndescription: d", Error, None, Some("d"), vec![C::NameInvalid]),
            ("name: a", Error, Some("a"), None, vec![C::MissingDescription]),
            ("name: a\ndescription: b\u{2028}c", Error, None, None, vec![C::FrontmatterParse]),
        ] {
            let got = judge(&format!("---\n{head}\n---\n\nBody.\n"));
            let want = (status, name.map(str::to_owned), description.map(str::to_owned), codes);
            assert_eq!(got, want, "{head:?}");
        }
    }

    #[test]
    fn fences_are_stripped_lines() {
        assert_eq!(judge(" --- \nname: a\ndescription: d\n  ---\nBody.\n").0, Status::Valid);
        assert_eq!(judge("\u{feff}---\nname: a\ndescription: d\n---\nB\n").3[0], Code::Bom);
        assert_eq!(judge("# x\n").3, [Code::NoFrontmatter]);
        assert_eq!(judge("---\nname: a\n").3, [Code::UnclosedFrontmatter]);
    }

    #[test]
    fn the_body_is_joined_by_lf() {
        assert_eq!(body("---\r\nname: a\r\n---\r\n\r\nx\r\ny\r\n").as_deref(), Some("\nx\ny"));
        assert_eq!(body("---\na: b\n---\nx\u{c}y\u{2028}z").as_deref(), Some("x\ny\nz"));
        assert_eq!(body("---\na: b\n---\n").as_deref(), Some(""));
        assert_eq!(body("no fence"), None);
    }
}
