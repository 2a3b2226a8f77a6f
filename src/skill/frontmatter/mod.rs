//! The frontmatter: what the author wrote between the fences (CONTRACT §3).

mod hints;
pub mod lenient;
mod loose;
mod strict;
pub mod tabs;

use std::ops::Range;

use globset::GlobBuilder;

use super::finding::{Code, Finding, Fix};
use super::place::{Place, Places};
use super::text::{head, shown};
use super::yaml::{self, Kind, Node, Tree, Trouble, Value};

/// More than this many bytes of frontmatter are not read.
pub const MAX_BYTES: usize = 32 * 1024;

/// The fields that are interpreted; every other is kept and shown.
const INTERPRETED: [&str; 5] = ["name", "description", "globs", "hide", "alwaysApply"];

/// A field that should hold a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TextField {
    /// The key is not there.
    #[default]
    Absent,
    /// The key is there without a value, or with YAML's null.
    Null(Place),
    /// A text.
    Text {
        /// The text as YAML gives it; of a number or boolean, its source text.
        text: String,
        /// Where the value begins.
        place: Place,
        /// Whether YAML reads a number or a boolean there.
        typed: bool,
    },
    /// A list or a map.
    Collection(Place),
}

impl TextField {
    /// Where the value stands, or the start of the file.
    pub fn place(&self) -> Place {
        match self {
            Self::Absent => Place::START,
            Self::Null(place) | Self::Collection(place) | Self::Text { place, .. } => *place,
        }
    }

    /// Whether there is nothing in it.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Absent | Self::Null(_) => true,
            Self::Text { text, .. } => text.trim().is_empty(),
            Self::Collection(_) => false,
        }
    }
}

/// Any field, for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its key.
    pub key: String,
    /// What YAML reads there: `text`, `number`, `boolean`, `list`, `map`, `null`.
    pub kind: &'static str,
    /// The value in one line, cut to 200 characters.
    pub value: String,
    /// Where the key stands.
    pub place: Place,
}

/// The frontmatter of a skill that could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// `name`.
    pub name: TextField,
    /// `description`, not yet folded to one line.
    pub description: TextField,
    /// `hide: true`.
    pub hide: bool,
    /// `globs`, when it is a list of strings.
    pub globs: Vec<String>,
    /// `when_to_use`, which some clients add to the description.
    pub when_to_use: Option<String>,
    /// `disable-model-invocation: true`, with which some clients do not list it.
    pub disable_model_invocation: bool,
    /// `arguments`: names for the positions of arguments, in order.
    pub arguments: Vec<String>,
    /// `version`, else `metadata.version`, and its place.
    pub version: Option<(String, Place)>,
    /// Every field in source order; of a repeated key the last.
    pub fields: Vec<Field>,
}

/// Reads the frontmatter `range` of `text`; findings carry places in `text`.
///
/// `None` when it cannot be read; then one of the findings is an error.
pub fn read(text: &str, range: Range<usize>) -> (Option<Frontmatter>, Vec<Finding>) {
    let source = Source {
        head: &text[range.clone()],
        start: range.start,
        places: Places::new(&text[..range.end]),
    };
    let mut findings = Vec::new();
    let frontmatter = source.read(&mut findings).map_err(|finding| findings.push(finding)).ok();
    (frontmatter, findings)
}

/// The text of a frontmatter and where it stands in its file.
struct Source<'a> {
    head: &'a str,
    start: usize,
    places: Places<'a>,
}

impl Source<'_> {
    /// The place of a byte of the frontmatter in the file.
    fn place(&self, at: usize) -> Place {
        self.places.of(self.start + at)
    }

    fn read(&self, findings: &mut Vec<Finding>) -> Result<Frontmatter, Finding> {
        if self.head.len() > MAX_BYTES {
            return Err(Finding::new(
                Code::FrontmatterTooLarge,
                format!(
                    "the frontmatter has {} bytes, more than the {MAX_BYTES} that are read; move \
                     text from it to the body",
                    self.head.len()
                ),
            )
            .at(self.place(0)));
        }
        if let Some(at) = self.head.bytes().position(is_refused_control) {
            let byte = self.head.as_bytes()[at];
            return Err(Finding::new(
                Code::YamlControlChar,
                format!(
                    "a control character (U+{byte:04X}) stands in the frontmatter; YAML allows \
                     none but tab and line ends, so remove it"
                ),
            )
            .at(self.place(at)));
        }
        match yaml::read(self.head) {
            Ok(tree) => self.read_tree(&tree, findings),
            Err(Trouble::Limit { what, at }) => Err(self.over_limit(what, at)),
            Err(Trouble::Syntax { message, at }) => self.read_leniently(&message, at, findings),
        }
    }

    fn over_limit(&self, what: &str, at: usize) -> Finding {
        Finding::new(
            Code::YamlLimit,
            format!(
                "the frontmatter has more {what} than the {} allowed; a file like that is \
                 refused, not expanded",
                if what == "nodes below anchors" { yaml::MAX_KEPT } else { yaml::LIMIT }
            ),
        )
        .at(self.place(at))
    }

    fn odd_tag(&self, key: &str, tag: &str, at: usize) -> Finding {
        Finding::new(
            Code::YamlTag,
            format!("`{key}` carries the tag `{tag}`, which clients do not know; remove it"),
        )
        .at(self.place(at))
    }
}

/// What a text field holds; `place` is that of its value.
fn text_field(node: &Node, place: Place) -> TextField {
    match node.kind() {
        None => TextField::Collection(place),
        Some(Kind::Null) => TextField::Null(place),
        Some(kind) => TextField::Text {
            text: node.text().unwrap_or("").to_owned(),
            place,
            typed: kind != Kind::String,
        },
    }
}

/// `arguments`: a list of names, or a text with spaces between them.
fn argument_names(tree: &Tree, node: &Node) -> Vec<String> {
    match &node.value {
        Value::Sequence(items) => {
            let texts = items.iter().filter_map(|item| tree.target(item).text());
            texts.map(str::to_owned).collect()
        }
        _ => node.text().unwrap_or("").split_whitespace().map(str::to_owned).collect(),
    }
}

fn hide(node: &Node, place: Place, findings: &mut Vec<Finding>) -> bool {
    if let Some(Kind::Bool(value)) = node.kind() {
        return value;
    }
    findings.push(hide_not_bool(place));
    false
}

fn globs(
    tree: &Tree,
    node: &Node,
    place: Place,
    place_of: impl Fn(usize) -> Place,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let Value::Sequence(items) = &node.value else {
        findings.push(globs_not_list(place));
        return Vec::new();
    };
    let mut globs = Vec::new();
    let mut bad = Vec::new();
    for item in items {
        let start = item.span.start;
        let item = tree.target(item);
        let Some(text) = item.text().filter(|_| item.kind() == Some(Kind::String)) else {
            findings.push(globs_not_list(place));
            return Vec::new();
        };
        if let Err(error) = GlobBuilder::new(text).literal_separator(true).build() {
            bad.push(glob_invalid(text, error.kind()).at(place_of(start)));
        }
        globs.push(text.to_owned());
    }
    findings.append(&mut bad);
    globs
}

fn glob_invalid(text: &str, why: &globset::ErrorKind) -> Finding {
    Finding::new(
        Code::GlobInvalid,
        format!(
            "{} in `globs` is not a glob ({why}), so no file suggests the skill by it; mend it",
            quoted(head(text, 60).as_ref())
        ),
    )
}

fn is_refused_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')
}

fn duplicate_key(key: &str, earlier: Place, place: Place) -> Finding {
    Finding::new(
        Code::DuplicateKey,
        format!(
            "`{key}` is there twice (first at line {}); the last one is used here, but many \
             clients refuse the file: remove one",
            earlier.line
        ),
    )
    .at(place)
    .fix(Fix::RemoveDuplicateKey)
}

fn hide_not_bool(place: Place) -> Finding {
    Finding::new(
        Code::HideNotBool,
        "`hide` is neither true nor false, so the skill is not hidden; write `hide: true` or \
         remove the line",
    )
    .at(place)
}

fn globs_not_list(place: Place) -> Finding {
    Finding::new(
        Code::GlobsNotList,
        "`globs` is not a list of strings, so there are none; write `globs: [\"**/*.rs\"]`",
    )
    .at(place)
}

fn always_apply(place: Place) -> Finding {
    Finding::new(
        Code::AlwaysApply,
        "`alwaysApply` is read but changes nothing: every skill is loaded on demand",
    )
    .at(place)
}

/// The one line that a description takes in a catalog: trimmed, and when it
/// holds a line break, every run of white space one space.
pub fn one_line(description: &str) -> String {
    let trimmed = description.trim();
    if trimmed.contains(is_line_break) {
        trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        trimmed.to_owned()
    }
}

/// The line breaks of CONTRACT §3: LF, CR, VT, FF, U+0085, U+2028, U+2029.
pub fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A quoted piece of a value for a message.
pub fn quoted(text: &str) -> String {
    format!("`{}`", shown(&head(text, 60)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::finding::Level;

    type Said = Vec<(Code, Level, u32, u32)>;

    fn reading(head: &str) -> (Option<Frontmatter>, Said) {
        let text = format!("---\n{head}---\n");
        let (fm, findings) = read(&text, 4..4 + head.len());
        let findings = findings
            .into_iter()
            .map(|f| {
                let place = f.place.unwrap_or(Place { line: 0, column: 0 });
                (f.code, f.level, place.line, place.column)
            })
            .collect();
        (fm, findings)
    }

    fn description(head: &str) -> String {
        match reading(head).0.expect(head).description {
            TextField::Text { text, .. } => one_line(&text),
            other => panic!("{head:?}: {other:?}"),
        }
    }

    #[test]
    fn descriptions_are_read_as_yaml_reads_them() {
        for (head, want) in [
            ("description: plain text\n", "plain text"),
            ("description: 'it''s'\n", "it's"),
            ("description: \"a\\nb\"\n", "a b"),
            ("description: >\n  First\n  second.\n", "First second."),
            ("description: >2-\n  First\n  second.\n", "First second."),
            ("description: |\n  First\n  ---\n  last\n", "First --- last"),
            ("description:\n  Starts later\n  and goes on.\n", "Starts later and goes on."),
            ("d: &d Shared.\ndescription: *d\n", "Shared."),
            ("description: two  spaces stay\n", "two  spaces stay"),
            ("description: a\u{2028}b\n", "a b"),
            ("description:\tTabbed\n", "Tabbed"),
            ("description: !!str 5\n", "5"),
            ("{description: \"JSON-like, but YAML\"}\n", "JSON-like, but YAML"),
            (
                "description: >\n  Covers: a.\n  name: never-me\nname: x\n",
                "Covers: a. name: never-me",
            ),
            ("description: x\nargs:\n  - name: p\n    description: not this\n", "x"),
        ] {
            assert_eq!(description(head), want, "{head:?}");
            assert!(reading(head).1.is_empty(), "{head:?}: {:?}", reading(head).1);
        }
    }

    #[test]
    fn numbers_and_booleans_keep_their_source_text() {
        for (head, text, is_typed) in [
            ("name: 007\n", "007", true),
            ("name: true\n", "true", true),
            ("name: yes\n", "yes", false),
            ("name: '007'\n", "007", false),
            ("name: 1e3\n", "1e3", true),
        ] {
            let name = reading(head).0.unwrap().name;
            assert_eq!(
                name,
                TextField::Text {
                    text: text.into(),
                    place: Place { line: 2, column: 7 },
                    typed: is_typed
                },
                "{head:?}"
            );
        }
    }

    #[test]
    fn each_trouble_has_its_code_and_place() {
        use Code as C;
        use Level::{Error, Note, Warning};
        for (head, want) in [
            ("description: Use when: x\n", (C::YamlLenient, Warning, 2, 22)),
            ("description: \"open\n", (C::YamlLenient, Warning, 2, 14)),
            ("name:\u{a0}x\ndescription: y\n", (C::YamlLenient, Warning, 2, 6)),
            ("description: x\nhint: [a] [b]\n", (C::YamlLenient, Warning, 3, 11)),
            ("description: x\nm: {e: \"\\uD83D\\uDD2D\"}\n", (C::YamlLenient, Warning, 3, 9)),
            ("description: x\ndescription: y\n", (C::DuplicateKey, Warning, 3, 1)),
            ("description: x\nm:\n  a: 1\n  a: 2\n", (C::DuplicateKey, Warning, 5, 3)),
            ("{description: x, a: 1, a: 2}\n", (C::FrontmatterParse, Error, 2, 24)),
            ("description: fix # the issue\n", (C::CommentInValue, Warning, 2, 18)),
            ("description: x\nhide: maybe\n", (C::HideNotBool, Warning, 3, 7)),
            ("description: x\nhide: 'true'\n", (C::HideNotBool, Warning, 3, 7)),
            ("description: x\nglobs: '*.rs'\n", (C::GlobsNotList, Warning, 3, 8)),
            ("description: x\nglobs: [1]\n", (C::GlobsNotList, Warning, 3, 8)),
            ("description: x\nalwaysApply: true\n", (C::AlwaysApply, Note, 3, 1)),
            ("description: x\nextra: !mine {a: 1}\n", (C::YamlTag, Note, 3, 8)),
            ("description: !mine x\n", (C::YamlTag, Error, 2, 14)),
            ("description: x\nk: a\u{0}b\n", (C::YamlControlChar, Error, 3, 5)),
            ("# \u{c}\ndescription: x\n", (C::YamlControlChar, Error, 2, 3)),
            ("- a\n- b\n", (C::FrontmatterNotAMapping, Error, 2, 1)),
            ("just words\n", (C::FrontmatterNotAMapping, Error, 2, 1)),
            ("%YAML 1.1\ndescription: x\n", (C::FrontmatterParse, Error, 2, 1)),
            ("description: x\n\nSome prose here\n", (C::FrontmatterParse, Error, 4, 1)),
            ("name: x\na: b: c\n", (C::FrontmatterParse, Error, 3, 5)),
            ("name: x\ndescription\u{ff1a}text\n", (C::MissingDescription, Error, 3, 12)),
            ("name\u{ff1a}x\ndescription\u{ff1a}y\n", (C::MissingDescription, Error, 3, 12)),
            ("name\u{ff1a}x\ndescription: y\n", (C::FrontmatterParse, Error, 3, 12)),
            ("name:\u{a0}x\ndescription:\u{a0}y\n", (C::YamlLenient, Warning, 2, 6)),
            ("description: \"a:\u{3000}b\"\nz: [a] [b]\n", (C::YamlLenient, Warning, 3, 8)),
            ("# note:\u{a0}x\ndescription: a: b\n", (C::YamlLenient, Warning, 3, 15)),
            ("description: !mine x\nz: [a] [b]\n", (C::YamlTag, Error, 2, 14)),
            ("z: [a] [b]\ndescription: !mine x\n", (C::YamlTag, Error, 3, 14)),
            ("!mine\ndescription: x\n", (C::YamlTag, Note, 2, 1)),
            ("!mine description: x\n", (C::YamlTag, Error, 2, 1)),
            ("description: # nothing\n", (C::MissingDescription, Error, 2, 1)),
            ("description:text\n", (C::FrontmatterNotAMapping, Error, 2, 1)),
            ("description: x\nhide: !!bool yes\n", (C::HideNotBool, Warning, 3, 14)),
            ("Description: x\n", (C::MissingDescription, Error, 2, 1)),
            ("+description: x\n", (C::MissingDescription, Error, 2, 1)),
            ("descripton: x\n", (C::MissingDescription, Error, 2, 1)),
            ("b: &b {description: x}\n<<: *b\n", (C::MissingDescription, Error, 3, 1)),
        ] {
            assert_eq!(reading(head).1, [want], "{head:?}");
        }
    }

    #[test]
    fn of_a_repeated_key_only_the_last_is_judged() {
        for head in [
            "description: a # b\ndescription: c\n",
            "description: c\nhide: maybe\nhide: false\n",
            "description: c\nname: !mine x\nname: x\n",
        ] {
            let codes: Vec<_> = reading(head).1.iter().map(|f| f.0).collect();
            assert_eq!(codes, [Code::DuplicateKey], "{head:?}");
        }
        let codes: Vec<_> =
            reading("description: x: 1\na: 1\na: 2\n").1.iter().map(|f| f.0).collect();
        assert_eq!(codes, [Code::YamlLenient, Code::DuplicateKey], "both are to be mended");
    }

    #[test]
    fn beside_a_broken_line_values_keep_their_kind() {
        let broken = "z: [a] [b]\n";
        for (line, want) in [
            ("name: ~\n", TextField::Null(Place { line: 3, column: 7 })),
            ("name: [a]\n", TextField::Collection(Place { line: 3, column: 7 })),
            (
                "name: 007\n",
                TextField::Text {
                    text: "007".into(),
                    place: Place { line: 3, column: 7 },
                    typed: true,
                },
            ),
        ] {
            let head = format!("description: d\n{line}{broken}");
            assert_eq!(reading(&head).0.unwrap().name, want, "{line:?}");
        }
    }

    #[test]
    fn an_alias_may_be_a_key() {
        assert_eq!(description("a: &k description\n*k : hello\n"), "hello");
    }

    #[test]
    fn a_fix_is_offered_only_where_it_mends() {
        for (head, fix) in [
            ("description: Use when: x\n", Some(Fix::QuoteValue)),
            ("description: \"open\n", Some(Fix::QuoteValue)),
            ("description: x\nhint: [a] [b]\n", Some(Fix::QuoteValue)),
            ("name:\u{a0}x\ndescription: y\n", Some(Fix::PlainSpace)),
            ("tags: [a, b\ndescription: d\n", None),
            ("description: d\nm:\n\ta: b\n", Some(Fix::ReplaceTab)),
            ("description: d\nm:\n\ta: b: c\n", None),
            ("m: {e: \"\\uD83D\\uDD2D\"}\ndescription: d\n", Some(Fix::QuoteValue)),
            ("description: \"C:\\path\"\n", None),
        ] {
            let text = format!("---\n{head}---\n");
            let (_, findings) = read(&text, 4..4 + head.len());
            let lenient = findings.iter().find(|f| f.code == Code::YamlLenient);
            assert_eq!(lenient.map(|f| f.fix.clone()), Some(fix), "{head:?} {findings:?}");
        }
    }

    #[test]
    fn many_keys_are_read_in_no_time() {
        // Ten thousand keys once took a pass over all others for each.
        let head: String = (0..5_000).map(|i| format!("k{i}:\n")).collect();
        let head = format!("description: d\n{}", &head[..30_000]);
        let (fm, _) = reading(&head[..=head.rfind('\n').unwrap()]);
        assert!(fm.unwrap().fields.len() > 3_000);
    }

    #[test]
    fn floods_never_reach_the_lenient_reader() {
        let flood = format!("description: x\nk: {}\n", "[".repeat(100));
        assert_eq!(reading(&flood).1[0].0, Code::YamlLimit);
        let beside = format!("z: [a] [b]\n{flood}");
        assert_eq!(reading(&beside).1[0].0, Code::YamlLimit);
        let large = format!("description: {}\n", "x".repeat(MAX_BYTES));
        assert_eq!(reading(&large).1[0].0, Code::FrontmatterTooLarge);
        let largest = format!("description: {}\n", "x".repeat(MAX_BYTES - 14));
        assert!(reading(&largest).0.is_some());
    }

    #[test]
    fn hide_and_globs_are_read_also_beside_broken_lines() {
        let (fm, _) = reading("description: a: b\nhide: true\nglobs:\n  - \"**/*.rs\"\n  - x\n");
        let fm = fm.unwrap();
        assert!(fm.hide);
        assert_eq!(fm.globs, ["**/*.rs", "x"]);
    }

    #[test]
    fn every_field_is_kept_for_showing() {
        let (fm, _) = reading("description: x\nm: {a: 1}\nl:\n - a\nn: 1\nb: true\nz:\n");
        let fields: Vec<_> =
            fm.unwrap().fields.into_iter().map(|f| (f.key, f.kind, f.value)).collect();
        let want = [
            ("description", "text", "x"),
            ("m", "map", "{a: 1}"),
            ("l", "list", "1 entry"),
            ("n", "number", "1"),
            ("b", "boolean", "true"),
            ("z", "null", ""),
        ];
        let want: Vec<_> =
            want.iter().map(|(k, t, v)| (k.to_string(), *t, v.to_string())).collect();
        assert_eq!(fields, want);
    }
}
