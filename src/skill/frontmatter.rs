//! The frontmatter: what the author wrote between the fences (CONTRACT §3).

use std::ops::Range;

use super::finding::{Code, Finding, Fix, Level};
use super::lenient;
use super::place::Place;
use super::text::{head, shown};
use super::yaml::{self, Kind, Node, NodeTag, Style, Tree, Trouble, Value};

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
    /// Every field in source order.
    pub fields: Vec<Field>,
}

/// Reads the frontmatter `range` of `text`; findings carry places in `text`.
///
/// `None` when it cannot be read; then one of the findings is an error.
pub fn read(text: &str, range: Range<usize>) -> (Option<Frontmatter>, Vec<Finding>) {
    let source = Source { text, head: &text[range.clone()], start: range.start };
    let mut findings = Vec::new();
    let frontmatter = source.read(&mut findings).map_err(|finding| findings.push(finding)).ok();
    (frontmatter, findings)
}

struct Source<'a> {
    text: &'a str,
    head: &'a str,
    start: usize,
}

impl Source<'_> {
    fn place(&self, at: usize) -> Place {
        Place::of(self.text, self.start + at)
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
            Err(Trouble::Limit { what, at }) => Err(Finding::new(
                Code::YamlLimit,
                format!(
                    "the frontmatter has more than {} {what}; a file like that is refused, not \
                     expanded",
                    yaml::LIMIT
                ),
            )
            .at(self.place(at))),
            Err(Trouble::Syntax { message, at }) => self.read_leniently(&message, at, findings),
        }
    }

    fn read_tree(&self, tree: &Tree, findings: &mut Vec<Finding>) -> Result<Frontmatter, Finding> {
        let Some(root) = &tree.root else { return Ok(Frontmatter::default()) };
        let Value::Mapping { pairs, flow } = &root.value else {
            if root.kind() == Some(Kind::Null) {
                return Ok(Frontmatter::default());
            }
            let what = if matches!(root.value, Value::Sequence(_)) { "a list" } else { "a text" };
            let hint =
                self.full_width_colon().map_or(String::new(), |(_, hint)| format!("{hint}; "));
            return Err(Finding::new(
                Code::FrontmatterNotAMapping,
                format!("{hint}the frontmatter is {what}, but must be lines of `key: value`"),
            )
            .at(self.place(root.span.start)));
        };
        if let Some(found) = self.duplicate(root) {
            if *flow {
                return Err(Finding {
                    code: Code::FrontmatterParse,
                    level: Level::Error,
                    message: shown("a key is there twice, which YAML refuses; remove one"),
                    ..found
                });
            }
            findings.push(found);
        }
        let mut fm = Frontmatter::default();
        for (key, node) in pairs {
            let Some(name) = key.text() else { continue };
            let node_target = tree.target(node);
            let place = self.place(key.span.start);
            if let Some((tag, at)) = odd_tag(node) {
                let interpreted = INTERPRETED.contains(&name);
                let finding = Finding::new(
                    Code::YamlTag,
                    format!(
                        "`{name}` carries the tag `{tag}`, which clients do not know; remove it"
                    ),
                )
                .at(self.place(at));
                if interpreted {
                    return Err(finding);
                }
                findings.push(finding.level(Level::Note));
            }
            fm.fields.retain(|f| f.key != name);
            fm.fields.push(self.field(name, node_target, place));
            match name {
                "name" => fm.name = self.text_field(node_target, node),
                "description" => {
                    fm.description = self.text_field(node_target, node);
                    self.comment_in_value(node, findings);
                }
                "hide" => fm.hide = self.hide(node_target, node, findings),
                "globs" => fm.globs = self.globs(tree, node_target, node, findings),
                "alwaysApply" => findings.push(always_apply(place)),
                _ => {}
            }
        }
        if is_missing(&fm.description) {
            findings.extend(self.missing_description_hint(&fm));
        }
        Ok(fm)
    }

    fn read_leniently(
        &self,
        message: &str,
        at: usize,
        findings: &mut Vec<Finding>,
    ) -> Result<Frontmatter, Finding> {
        let parse_error = |hint: &str| {
            Finding::new(Code::FrontmatterParse, format!("{hint}not valid YAML: {message}"))
                .at(self.place(at))
        };
        let entries = match lenient::read(self.head) {
            Ok(entries) => entries,
            Err(line_at) => {
                if let Some((colon_at, hint)) = self.full_width_colon() {
                    return Err(Finding::new(
                        Code::MissingDescription,
                        format!("{hint}; not valid YAML: {message}"),
                    )
                    .at(self.place(colon_at)));
                }
                let line = self.head[line_at..].lines().next().unwrap_or("");
                let hint = match line.split_once(':') {
                    Some((key, _)) if INTERPRETED.contains(&key) => {
                        format!("a space is missing after `{key}:`; ")
                    }
                    _ if line_at == at => String::new(),
                    _ => format!(
                        "line {} (`{}`) is no `key: value`; ",
                        self.place(line_at).line,
                        head(line.trim(), 40)
                    ),
                };
                return Err(parse_error(&hint));
            }
        };
        let mut fm = Frontmatter::default();
        let mut notes = Vec::new();
        let mut duplicate = None;
        for entry in &entries {
            let place = self.place(entry.key_at);
            let value_place = self.place(entry.value_at);
            if let Some(earlier) = fm.fields.iter().find(|f| f.key == entry.key) {
                duplicate.get_or_insert_with(|| duplicate_key(&entry.key, earlier.place, place));
                let key = entry.key.clone();
                fm.fields.retain(|f| f.key != key);
            }
            let field = Field {
                key: entry.key.clone(),
                kind: "text",
                value: head(&entry.text, 200).into_owned(),
                place,
            };
            fm.fields.push(field);
            let text = || {
                if entry.text.is_empty() {
                    TextField::Null(value_place)
                } else {
                    TextField::Text { text: entry.text.clone(), place: value_place, typed: false }
                }
            };
            match entry.key.as_str() {
                "name" => fm.name = text(),
                "description" => fm.description = text(),
                "hide" | "globs" => {
                    let inner = Source {
                        text: self.text,
                        head: &entry.source,
                        start: self.start + entry.value_at,
                    };
                    if let Ok(tree) = yaml::read(&entry.source)
                        && let Some(root) = &tree.root
                    {
                        let target = tree.target(root);
                        if entry.key == "hide" {
                            fm.hide = inner.hide(target, root, &mut notes);
                        } else {
                            fm.globs = inner.globs(&tree, target, root, &mut notes);
                        }
                    } else if entry.key == "hide" {
                        notes.push(hide_not_bool(value_place));
                    } else {
                        notes.push(globs_not_list(value_place));
                    }
                }
                "alwaysApply" => notes.push(always_apply(place)),
                _ => {}
            }
        }
        if is_missing(&fm.description) {
            let hint = self.missing_description_hint(&fm).map_or_else(
                || "no `description` was found in it; ".to_owned(),
                |f| format!("{}; ", f.message),
            );
            return Err(parse_error(&hint));
        }
        findings.push(duplicate.unwrap_or_else(|| self.lenient_warning(message, at)));
        findings.append(&mut notes);
        Ok(fm)
    }

    fn lenient_warning(&self, message: &str, at: usize) -> Finding {
        let line_start = self.head[..at].rfind(['\n', '\r']).map_or(0, |i| i + 1);
        // A white space that is not one makes YAML stop a line later.
        let odd = self
            .head
            .char_indices()
            .find(|(i, c)| self.head[..*i].ends_with(':') && c.is_whitespace() && !c.is_ascii());
        if let Some((odd_at, c)) = odd {
            return Finding::new(
                Code::YamlLenient,
                format!(
                    "U+{:04X} stands after the colon where a plain space belongs; many clients \
                     drop the skill for it",
                    c as u32
                ),
            )
            .at(self.place(odd_at))
            .fix(Fix::PlainSpace);
        }
        let line = self.head[line_start..].lines().next().unwrap_or("");
        let key = line.split_once(':').map_or("", |(key, _)| key);
        let what = if key.is_empty() || key.starts_with([' ', '\t']) {
            "quote the value".to_owned()
        } else {
            format!("put quotes around the value of `{}`", head(key, 40))
        };
        Finding::new(
            Code::YamlLenient,
            format!("not valid YAML ({message}); it loads where a client tries again leniently, others drop the skill: {what}"),
        )
        .at(self.place(at))
        .fix(Fix::QuoteValue)
    }

    /// The first repeated key of any mapping.
    fn duplicate(&self, node: &Node) -> Option<Finding> {
        match &node.value {
            Value::Mapping { pairs, .. } => {
                for (i, (key, value)) in pairs.iter().enumerate() {
                    let text = key.text();
                    let earlier =
                        pairs[..i].iter().find(|(k, _)| text.is_some() && k.text() == text);
                    if let (Some((first, _)), Some(text)) = (earlier, text) {
                        return Some(duplicate_key(
                            text,
                            self.place(first.span.start),
                            self.place(key.span.start),
                        ));
                    }
                    if let Some(found) = self.duplicate(value) {
                        return Some(found);
                    }
                }
                None
            }
            Value::Sequence(items) => items.iter().find_map(|item| self.duplicate(item)),
            Value::Scalar { .. } | Value::Alias(_) => None,
        }
    }

    fn field(&self, key: &str, node: &Node, place: Place) -> Field {
        let (kind, value) = match (&node.value, node.kind()) {
            (Value::Sequence(items), _) => ("list", inline(self.head, node, items.len())),
            (Value::Mapping { pairs, .. }, _) => ("map", inline(self.head, node, pairs.len())),
            (_, Some(Kind::Null)) => ("null", String::new()),
            (_, Some(Kind::Bool(_))) => ("boolean", node.text().unwrap_or("").to_owned()),
            (_, Some(Kind::Number)) => ("number", node.text().unwrap_or("").to_owned()),
            _ => ("text", node.text().unwrap_or("").to_owned()),
        };
        Field { key: key.to_owned(), kind, value: head(value.trim(), 200).into_owned(), place }
    }

    fn text_field(&self, node: &Node, written: &Node) -> TextField {
        let place = self.place(written.span.start);
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

    /// YAML ends a plain text at ` #`; what follows is lost without a word.
    fn comment_in_value(&self, node: &Node, findings: &mut Vec<Finding>) {
        if !matches!(node.value, Value::Scalar { style: Style::Plain, .. }) {
            return;
        }
        let rest = self.head[node.span.end..].lines().next().unwrap_or("");
        let comment = rest.trim_start_matches([' ', '\t']);
        if comment.len() == rest.len() || !comment.starts_with('#') {
            return;
        }
        let at = node.span.end + rest.len() - comment.len();
        findings.push(
            Finding::new(
                Code::CommentInValue,
                format!(
                    "YAML reads `{}` as a comment and cuts it from the description; put quotes \
                     around the description if it belongs to it",
                    head(comment, 40)
                ),
            )
            .at(self.place(at))
            .fix(Fix::QuoteValue),
        );
    }

    fn hide(&self, node: &Node, written: &Node, findings: &mut Vec<Finding>) -> bool {
        if let Some(Kind::Bool(value)) = node.kind() {
            return value;
        }
        findings.push(hide_not_bool(self.place(written.span.start)));
        false
    }

    fn globs(
        &self,
        tree: &Tree,
        node: &Node,
        written: &Node,
        findings: &mut Vec<Finding>,
    ) -> Vec<String> {
        let strings = match &node.value {
            Value::Sequence(items) => items
                .iter()
                .map(|item| tree.target(item))
                .map(|item| (item.kind() == Some(Kind::String)).then(|| item.text()).flatten())
                .map(|text| text.map(str::to_owned))
                .collect::<Option<Vec<_>>>(),
            _ => None,
        };
        strings.unwrap_or_else(|| {
            findings.push(globs_not_list(self.place(written.span.start)));
            Vec::new()
        })
    }

    /// A full-width colon that an input method wrote after a key.
    fn full_width_colon(&self) -> Option<(usize, String)> {
        let line = super::place::lines(self.head).find(|line| {
            line.text.split_once('\u{ff1a}').is_some_and(|(key, _)| {
                !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            })
        })?;
        let (key, _) = line.text.split_once('\u{ff1a}')?;
        let hint =
            format!("`{key}` is followed by a full-width colon (U+FF1A); type `:` and a space");
        Some((line.start + key.len(), hint))
    }

    /// What may have been meant for the `description` that is not there.
    fn missing_description_hint(&self, fm: &Frontmatter) -> Option<Finding> {
        let say = |message: String, place| {
            Some(Finding::new(Code::MissingDescription, message).at(place))
        };
        for field in &fm.fields {
            let key = field.key.as_str();
            if key != "description" && key.eq_ignore_ascii_case("description") {
                return say(
                    format!("`{key}` is not `description`: keys are lower case"),
                    field.place,
                );
            }
            if key.trim_start_matches(['+', '-', ' ']) == "description" && key != "description" {
                return say(
                    format!("`{key}` looks like a line of a patch; did you mean `description`?"),
                    field.place,
                );
            }
        }
        if let Some((at, hint)) = self.full_width_colon() {
            return say(hint, self.place(at));
        }
        if let Some(field) = fm.fields.iter().find(|f| f.key == "<<") {
            return say(
                "there is no `description` of its own, and merge keys (`<<`) are not part of YAML \
                 1.2; write it out"
                    .into(),
                field.place,
            );
        }
        let near = fm.fields.iter().find(|f| {
            f.key != "description" && strsim::damerau_levenshtein(&f.key, "description") <= 2
        })?;
        say(format!("`{}` is not `description`; a slip of the hand?", near.key), near.place)
    }
}

fn is_missing(field: &TextField) -> bool {
    match field {
        TextField::Absent | TextField::Null(_) => true,
        TextField::Text { text, .. } => text.trim().is_empty(),
        TextField::Collection(_) => false,
    }
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

fn odd_tag(node: &Node) -> Option<(&str, usize)> {
    if let Some(NodeTag::Other(tag)) = &node.tag {
        return Some((tag, node.span.start));
    }
    match &node.value {
        Value::Sequence(items) => items.iter().find_map(odd_tag),
        Value::Mapping { pairs, .. } => {
            pairs.iter().find_map(|(k, v)| odd_tag(k).or_else(|| odd_tag(v)))
        }
        Value::Scalar { .. } | Value::Alias(_) => None,
    }
}

/// A list or map as written, on one line; the count when it is a block.
fn inline(source: &str, node: &Node, len: usize) -> String {
    let written = source.get(node.span.clone()).unwrap_or("").trim();
    if written.starts_with(['[', '{']) && !written.contains(['\n', '\r']) {
        written.to_owned()
    } else {
        format!("{len} {}", if len == 1 { "entry" } else { "entries" })
    }
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
            ("description: x: 1\na: 1\na: 2\n", (C::DuplicateKey, Warning, 4, 1)),
            ("{description: x, a: 1, a: 2}\n", (C::FrontmatterParse, Error, 2, 24)),
            ("description: fix # the issue\n", (C::CommentInValue, Warning, 2, 18)),
            ("description: x\nhide: maybe\n", (C::HideNotBool, Warning, 3, 7)),
            ("description: x\nhide: 'true'\n", (C::HideNotBool, Warning, 3, 7)),
            ("description: x\nglobs: '*.rs'\n", (C::GlobsNotList, Warning, 3, 8)),
            ("description: x\nglobs: [1]\n", (C::GlobsNotList, Warning, 3, 8)),
            ("description: x\nalwaysApply: true\n", (C::AlwaysApply, Note, 3, 1)),
            ("description: x\nextra: !mine {a: 1}\n", (C::YamlTag, Note, 3, 14)),
            ("description: !mine x\n", (C::YamlTag, Error, 2, 20)),
            ("description: x\nk: a\u{0}b\n", (C::YamlControlChar, Error, 3, 5)),
            ("# \u{c}\ndescription: x\n", (C::YamlControlChar, Error, 2, 3)),
            ("- a\n- b\n", (C::FrontmatterNotAMapping, Error, 2, 1)),
            ("just words\n", (C::FrontmatterNotAMapping, Error, 2, 1)),
            ("%YAML 1.1\ndescription: x\n", (C::FrontmatterParse, Error, 2, 1)),
            ("description: x\n\nSome prose here\n", (C::FrontmatterParse, Error, 4, 1)),
            ("name: x\na: b: c\n", (C::FrontmatterParse, Error, 3, 5)),
            ("name: x\ndescription\u{ff1a}text\n", (C::MissingDescription, Error, 3, 12)),
            ("Description: x\n", (C::MissingDescription, Error, 2, 1)),
            ("+description: x\n", (C::MissingDescription, Error, 2, 1)),
            ("descripton: x\n", (C::MissingDescription, Error, 2, 1)),
            ("b: &b {description: x}\n<<: *b\n", (C::MissingDescription, Error, 3, 1)),
        ] {
            assert_eq!(reading(head).1, [want], "{head:?}");
        }
    }

    #[test]
    fn floods_never_reach_the_lenient_reader() {
        let flood = format!("description: x\nk: {}\n", "[".repeat(100));
        assert_eq!(reading(&flood).1[0].0, Code::YamlLimit);
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
