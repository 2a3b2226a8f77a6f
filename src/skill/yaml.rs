//! YAML with places: a tree of nodes that know where they stand.
//!
//! Read from the events of the parser under `serde_yaml`, so that a value can
//! be taken as its source text, every problem has its place, and nothing that
//! an alias stands for is ever expanded.

use std::ops::Range;

use serde_yaml::granit_parser::{ErrorKind, Event, Parser, ScalarStyle, Tag, options};

/// More anchors, aliases or levels than this are refused (CONTRACT §3).
pub const LIMIT: usize = 32;

/// More nodes than this are not kept for aliases to find.
pub const MAX_KEPT: usize = 50_000;

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands, in bytes of the text that was read.
    pub span: Range<usize>,
    /// Its tag, if one is written.
    pub tag: Option<NodeTag>,
    /// Where the tag stands, in bytes; the node itself without one.
    pub tag_at: usize,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A scalar, as text.
    Scalar {
        /// The text after YAML's escapes and folding; not resolved to a type.
        text: String,
        /// How it is written.
        style: Style,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping, in source order, repeated keys included.
    Mapping {
        /// Its keys and values.
        pairs: Vec<(Node, Node)>,
        /// Whether it is written with braces.
        flow: bool,
    },
    /// An alias; the number finds the anchor's node with [`Tree::target`].
    Alias(usize),
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// A block scalar, `|` or `>`.
    Block,
}

/// The tag of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeTag {
    /// A tag of YAML's core schema, by its short name (`str`, `int`, …).
    Core(String),
    /// Any other.
    Other(String),
}

/// The type that the core schema of YAML 1.2 gives a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: empty, `~` or `null`.
    Null,
    /// `true` or `false`; `yes` is a string.
    Bool(bool),
    /// An integer or a float.
    Number,
    /// Everything else.
    String,
}

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// Not YAML.
    Syntax {
        /// YAML's own message.
        message: String,
        /// The place, in bytes.
        at: usize,
    },
    /// More than [`LIMIT`] anchors, aliases or levels.
    Limit {
        /// Which of the three.
        what: &'static str,
        /// The place, in bytes.
        at: usize,
    },
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The document's node; `None` when the text holds nothing.
    pub root: Option<Node>,
    anchors: Vec<(usize, Node)>,
}

impl Tree {
    /// The node itself, or what the alias stands for.
    pub fn target<'a>(&'a self, node: &'a Node) -> &'a Node {
        match node.value {
            Value::Alias(id) => {
                self.anchors.iter().find(|(a, _)| *a == id).map_or(node, |(_, n)| n)
            }
            _ => node,
        }
    }
}

impl Node {
    /// The type of a scalar under the core schema; `None` for a list or a map.
    pub fn kind(&self) -> Option<Kind> {
        let Value::Scalar { text, style } = &self.value else { return None };
        Some(match &self.tag {
            Some(NodeTag::Core(tag)) => match tag.as_str() {
                "null" => Kind::Null,
                "bool" => match plain_kind(text) {
                    Kind::Bool(value) => Kind::Bool(value),
                    _ => Kind::String,
                },
                "int" | "float" => Kind::Number,
                _ => Kind::String,
            },
            None if *style == Style::Plain => plain_kind(text),
            Some(NodeTag::Other(_)) | None => Kind::String,
        })
    }

    /// The nodes it is made of, itself included.
    fn count(&self) -> usize {
        1 + match &self.value {
            Value::Sequence(items) => items.iter().map(Self::count).sum(),
            Value::Mapping { pairs, .. } => {
                pairs.iter().map(|(key, value)| key.count() + value.count()).sum()
            }
            Value::Scalar { .. } | Value::Alias(_) => 0,
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The value of a key of a mapping; the last of equal keys.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs()?.iter().rev().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v)
    }

    /// The pairs of a mapping.
    pub fn pairs(&self) -> Option<&[(Node, Node)]> {
        match &self.value {
            Value::Mapping { pairs, .. } => Some(pairs),
            _ => None,
        }
    }
}

/// The core schema of YAML 1.2.2 (§10.3.2) for a plain scalar.
fn plain_kind(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Kind::Null,
        "true" | "True" | "TRUE" => return Kind::Bool(true),
        "false" | "False" | "FALSE" => return Kind::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Kind::Number,
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let radix = |prefix: &str, digit: fn(&u8) -> bool| {
        text.strip_prefix(prefix).is_some_and(|d| !d.is_empty() && d.bytes().all(|b| digit(&b)))
    };
    let number = matches!(unsigned, ".inf" | ".Inf" | ".INF")
        || is_decimal(unsigned)
        || radix("0o", |b| matches!(b, b'0'..=b'7'))
        || radix("0x", u8::is_ascii_hexdigit);
    if number { Kind::Number } else { Kind::String }
}

/// `[0-9]+`, or a float: `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
fn is_decimal(text: &str) -> bool {
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e.strip_prefix(['-', '+']).unwrap_or(e))),
        None => (text, None),
    };
    let mantissa = match mantissa.split_once('.') {
        Some((whole, part)) => {
            digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty())
        }
        None => !mantissa.is_empty() && digits(mantissa),
    };
    mantissa && exponent.is_none_or(|e| !e.is_empty() && digits(e))
}

/// What is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Anchors, and as many aliases.
    pub anchors: usize,
    /// Levels below the document's own mapping, up to 254.
    pub levels: usize,
    /// Directives (`%YAML 1.2`) before the document.
    pub directives: bool,
}

impl Limits {
    /// Of a frontmatter (CONTRACT §3).
    pub const FRONTMATTER: Self = Self { anchors: LIMIT, levels: LIMIT, directives: false };
}

impl Default for Limits {
    fn default() -> Self {
        Self::FRONTMATTER
    }
}

/// Reads one document with the limits of a frontmatter.
///
/// # Errors
/// [`Trouble`] with its place in `text`.
pub fn read(text: &str) -> Result<Tree, Trouble> {
    read_within(text, Limits::FRONTMATTER)
}

/// Reads one document.
///
/// # Errors
/// [`Trouble`] with its place in `text`.
pub fn read_within(text: &str, limits: Limits) -> Result<Tree, Trouble> {
    let mut reader = Reader { limits, ..Reader::default() };
    let options = options! {
        disallow_directives: !limits.directives,
        flow_nesting_limit: limits.levels,
        block_nesting_limit: limits.levels + 1,
        emit_comments: false,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker().byte_offset().unwrap_or(0).min(text.len());
            match error.kind() {
                ErrorKind::RecursionLimitExceeded => Trouble::Limit { what: "levels", at },
                _ => Trouble::Syntax { message: error.kind().to_string(), at },
            }
        })?;
        let start = span.start.byte_offset().unwrap_or(0).min(text.len());
        let end = span.end.byte_offset().unwrap_or(start).clamp(start, text.len());
        let tag_at = span.tag_span().and_then(|tag| tag.start.byte_offset()).unwrap_or(start);
        reader.event(event, start..end, tag_at, text)?;
    }
    Ok(Tree { root: reader.root, anchors: reader.anchors })
}

#[derive(Default)]
struct Reader {
    root: Option<Node>,
    open: Vec<Open>,
    anchors: Vec<(usize, Node)>,
    aliases: usize,
    documents: usize,
    limits: Limits,
    kept: usize,
}

struct Open {
    node: Node,
    anchor: usize,
    key: Option<Node>,
}

impl Reader {
    fn event(
        &mut self,
        event: Event<'_>,
        span: Range<usize>,
        tag_at: usize,
        source: &str,
    ) -> Result<(), Trouble> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Trouble::Syntax {
                        message: "a second document begins here".into(),
                        at: span.start,
                    });
                }
            }
            Event::Alias(id) => {
                self.aliases += 1;
                if self.aliases > self.limits.anchors {
                    return Err(Trouble::Limit { what: "aliases", at: span.start });
                }
                self.add(Node { value: Value::Alias(id), span, tag: None, tag_at }, 0)?;
            }
            Event::Scalar(text, style, anchor, tag) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted => Style::Quoted,
                    ScalarStyle::DoubleQuoted => {
                        refuse_surrogates(source, &span)?;
                        Style::Quoted
                    }
                    _ => Style::Block,
                };
                // A key without a value is reported as a plain `~` of no width.
                let text = if span.is_empty() && style == Style::Plain {
                    String::new()
                } else {
                    text.into_owned()
                };
                let tag = tag.map(|t| short(&t));
                let node = Node { value: Value::Scalar { text, style }, span, tag, tag_at };
                self.add(node, anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.begin(Value::Sequence(Vec::new()), anchor, tag.as_deref(), span, tag_at)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                let flow = style == serde_yaml::granit_parser::StructureStyle::Flow;
                let value = Value::Mapping { pairs: Vec::new(), flow };
                self.begin(value, anchor, tag.as_deref(), span, tag_at)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(mut done) = self.open.pop() {
                    done.node.span.end = span.end;
                    self.add(done.node, done.anchor)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        value: Value,
        anchor: usize,
        tag: Option<&Tag>,
        span: Range<usize>,
        tag_at: usize,
    ) -> Result<(), Trouble> {
        if self.open.len() > self.limits.levels {
            return Err(Trouble::Limit { what: "levels", at: span.start });
        }
        let node = Node { value, span, tag: tag.map(short), tag_at };
        self.open.push(Open { node, anchor, key: None });
        Ok(())
    }

    fn add(&mut self, node: Node, anchor: usize) -> Result<(), Trouble> {
        if anchor != 0 {
            if self.anchors.len() >= self.limits.anchors {
                return Err(Trouble::Limit { what: "anchors", at: node.span.start });
            }
            // Anchors within anchors keep what they hold once for each.
            self.kept += node.count();
            if self.kept > MAX_KEPT {
                return Err(Trouble::Limit { what: "nodes below anchors", at: node.span.start });
            }
            self.anchors.push((anchor, node.clone()));
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(open) => match &mut open.node.value {
                Value::Sequence(items) => items.push(node),
                Value::Mapping { pairs, .. } => match open.key.take() {
                    None => open.key = Some(node),
                    Some(key) => pairs.push((key, node)),
                },
                Value::Scalar { .. } | Value::Alias(_) => {}
            },
        }
        Ok(())
    }
}

fn short(tag: &Tag) -> NodeTag {
    if let Some(name) = tag.core_suffix() {
        return NodeTag::Core(name.to_owned());
    }
    let text = tag.original();
    if text == "!" { NodeTag::Core("str".into()) } else { NodeTag::Other(text) }
}

/// JSON writes an emoji as two `\uD8xx` halves; in YAML 1.2 each half is an
/// invalid character, and most readers refuse the file.
fn refuse_surrogates(source: &str, span: &Range<usize>) -> Result<(), Trouble> {
    let quoted = &source[span.clone()];
    let mut rest = quoted;
    while let Some(at) = rest.find("\\u") {
        let here = quoted.len() - rest.len() + at;
        let escaped = quoted[..here].bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1;
        let digits = rest.get(at + 2..at + 6).unwrap_or("");
        let half = u32::from_str_radix(digits, 16).is_ok_and(|n| (0xd800..0xe000).contains(&n));
        if half && !escaped {
            return Err(Trouble::Syntax {
                message: format!(
                    "`\\u{digits}` is half of a character (JSON's way to write an emoji)"
                ),
                at: span.start + here,
            });
        }
        rest = &rest[at + 2..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Node {
        let tree = read(text).expect(text);
        let root = tree.root.clone().expect(text);
        tree.target(&root.pairs().expect(text)[0].1).clone()
    }

    #[test]
    fn scalars_have_the_types_of_yaml_1_2() {
        for (text, want) in [
            ("k: 007", Kind::Number),
            ("k: 0x1F", Kind::Number),
            ("k: -1.5e3", Kind::Number),
            ("k: .5", Kind::Number),
            ("k: 1.2.3", Kind::String),
            ("k: .", Kind::String),
            ("k: true", Kind::Bool(true)),
            ("k: False", Kind::Bool(false)),
            ("k: yes", Kind::String),
            ("k: 'true'", Kind::String),
            ("k: ~", Kind::Null),
            ("k:", Kind::Null),
            ("k: ''", Kind::String),
            ("k: !!str 5", Kind::String),
            ("k: !!int '5'", Kind::Number),
            ("k: !!bool True", Kind::Bool(true)),
            ("k: !!bool yes", Kind::String),
            ("k: ! 5", Kind::String),
            ("k: |\n  5", Kind::String),
        ] {
            assert_eq!(value(text).kind(), Some(want), "{text:?}");
        }
        assert_eq!(value("k: [a]").kind(), None);
        assert_eq!(value("k: 007").text(), Some("007"));
    }

    #[test]
    fn nodes_know_their_place() {
        let text = "a: b\ndescription: \"x y\"\n";
        let tree = read(text).unwrap();
        let (key, value) = &tree.root.as_ref().unwrap().pairs().unwrap()[1];
        assert_eq!(&text[key.span.clone()], "description");
        assert_eq!(&text[value.span.clone()], "\"x y\"");
    }

    #[test]
    fn aliases_are_followed_once_and_never_expanded() {
        let tree = read("d: &x text\nk: *x\n").unwrap();
        let alias = &tree.root.as_ref().unwrap().pairs().unwrap()[1].1;
        assert_eq!(tree.target(alias).text(), Some("text"));
    }

    #[test]
    fn floods_are_refused_at_their_place() {
        let deep = format!("k: {}", "[".repeat(40));
        let anchors = (0..40).map(|i| format!("k{i}: &a{i} v\n")).collect::<String>();
        let aliases =
            format!("a: &a v\n{}", (0..40).map(|i| format!("k{i}: *a\n")).collect::<String>());
        for (text, want) in [(deep, "levels"), (anchors, "anchors"), (aliases, "aliases")] {
            assert!(
                matches!(read(&text), Err(Trouble::Limit { what, .. }) if what == want),
                "{want}: {:?}",
                read(&text)
            );
        }
    }

    #[test]
    fn what_is_not_yaml_is_refused_at_its_place() {
        for (text, at) in [
            ("a: b\nd: x: y\n", 9),
            ("a: b\nd: \"open\n", 8),
            ("%YAML 1.1\na: b\n", 0),
            ("m: {e: \"\\uD83D\\uDD2D\"}\n", 8),
            ("a: b\n...\nc: d\n", 9),
        ] {
            match read(text) {
                Err(Trouble::Syntax { at: got, .. }) => assert_eq!(got, at, "{text:?}"),
                other => panic!("{text:?}: {other:?}"),
            }
        }
        assert!(read("m: \"a \\\\uD83D b\"\n").is_ok());
        assert!(read("a:\tb\n").is_ok());
    }
}
