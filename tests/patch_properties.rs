//! What holds for a change of any field of any file.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::select;
use skilldeck::edit::patch::{FieldValue, PatchError, remove, set};
use skilldeck::skill::document::{self, Text};
use skilldeck::skill::fences;
use skilldeck::skill::frontmatter::{TextField, lenient};
use skilldeck::skill::yaml::{self, Kind, Node, Tree, Value};

const KEYS: [&str; 8] = ["name", "description", "globs", "hide", "tags", "k", "odd key", "z"];

fn word() -> impl Strategy<Value = String> {
    let fixed = vec![
        "word",
        "two words",
        "审查",
        "👩\u{200d}💻",
        "it's",
        "a-b",
        "C#",
        "x/y",
        "1.5",
        "**/*.rs",
        "a \"b\" c",
        "é",
        "$1",
        "a:b",
    ];
    select(fixed).prop_map(str::to_owned)
}

/// A value as an author writes it behind `key:`, with the white space before it.
fn written() -> impl Strategy<Value = String> {
    let plain = (
        select(vec!["word", "two words", "审查", "it's", "a-b", "7", "true", "~", "x\"y"]),
        comment(),
    )
        .prop_map(|(w, c)| format!(" {w}{c}\n"));
    let quoted = (word(), comment(), any::<bool>()).prop_map(|(w, c, single)| {
        if single {
            format!(" '{}'{c}\n", w.replace('\'', "''"))
        } else {
            format!(" \"{}\"{c}\n", w.replace('"', "\\\""))
        }
    });
    let block = (
        select(vec![">", "|", ">-", "|-", ">+", "|+", ">2", "|4-"]),
        comment(),
        proptest::collection::vec(
            select(vec!["a line", "审: x", "", "# no comment", "- item", "  deeper", "---"]),
            0..4,
        ),
        select(vec!["", "\n", "\n\n"]),
    )
        .prop_map(|(header, comment, lines, blank)| {
            let indent = if header.contains('2') { "  " } else { "    " };
            let lines: String = lines
                .iter()
                .map(|l| if l.is_empty() { "\n".to_owned() } else { format!("{indent}{l}\n") })
                .collect();
            format!(" {header}{comment}\n{lines}{blank}")
        });
    let fixed = select(vec![
        "\n",
        " \n",
        " # c\n",
        "\n  later\n  and on\n",
        " one\n  two\n\n  three # c\n",
        " 'one\n  two'\n",
        " \"one \\\n  two\" # c\n",
        " [a, b]\n",
        " [a, # c\n  b]\n",
        " []\n",
        " {a: b, c: [d]} # c\n",
        "\n- a\n- b # c\n",
        "\n  - a\n  # c\n  - 'b'\n",
        "\n  - |\n    x\n\n",
        "\n  a: b\n  c: |\n    x\n\n",
        " # c\n  a:\n    - b\n",
        " &x anchored\n",
        " &x\n",
        " &x [a]\n",
        " *x\n",
        " !!str 5\n",
        " !mine x\n",
        " \"\"\n",
        "\ttabbed\t# c\n",
        "   wide\n",
        " &x |\n  a\n",
        "\n  &x\n  - a\n",
        " !!seq\n- a\n",
        " ? \n",
        "\n  ? a\n  : b\n",
        "\n-\n- \n",
        "\n  a: b\n  c: \n",
        "\n  a:\n    b: &x\n  c:\n",
        "\n  - a:\n    b: # c\n",
        "\n  ? a\n",
        "\n  - - a\n    - {b: c}\n",
    ])
    .prop_map(str::to_owned);
    let broken = select(vec![
        " Use when: x\n",
        " \"open\n",
        " [a] [b]\n",
        " 'a' b\n",
        "\u{a0}odd\n",
        " @x\n",
        " a: b # c\n  more\n",
        " *none\n",
        " \"C:\\path\"\n",
        " %x: y\n",
    ])
    .prop_map(str::to_owned);
    prop_oneof![6 => plain, 4 => quoted, 4 => block, 8 => fixed, 1 => broken]
}

fn comment() -> impl Strategy<Value = String> {
    select(vec!["", "", "", " # c", "   # 审: c", "\t# c", " "]).prop_map(str::to_owned)
}

fn entry() -> impl Strategy<Value = String> {
    let between = select(vec!["", "", "", "# about\n", "\n", "\n\n# c: d\n", "  # indented\n"]);
    let key =
        (select(KEYS.to_vec()), select(vec!["", "", "", " ", "\"", "'"])).prop_map(|(key, how)| {
            match how {
                "" | " " => format!("{key}{how}:"),
                quote => format!("{quote}{key}{quote}:"),
            }
        });
    let simple = (between, key, written()).prop_map(|(b, k, w)| format!("{b}{k}{w}"));
    prop_oneof![30 => simple, 1 => Just("? k\n: explicit\n".to_owned()), 1 => Just("&q z: keyed\n".to_owned())]
}

fn head() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec(entry(), 0..6).prop_map(|e| e.concat());
    let indented = proptest::collection::vec(entry(), 1..4).prop_map(|entries| {
        let all = entries.concat();
        all.lines().map(|l| if l.is_empty() { "\n".into() } else { format!("  {l}\n") }).collect()
    });
    let flow = (
        proptest::collection::vec(
            (
                select(KEYS.to_vec()),
                select(vec![
                    ": a",
                    ": \"x y\"",
                    ": [a, b]",
                    "",
                    ": ",
                    ":  'c' ",
                    ": {d: e}",
                    ": &x y",
                    ": *x",
                ]),
                any::<bool>(),
            ),
            0..5,
        ),
        select(vec![", ", ",", ",\n  ", " ,  # c\n  "]),
        select(vec!["{", "{ ", "{\n  "]),
        select(vec!["}\n", " }\n", "\n}\n", ",}\n", "} # c\n"]),
    )
        .prop_map(|(fields, between, open, close)| {
            let fields: Vec<_> = fields
                .iter()
                .map(|(k, v, q)| if *q { format!("\"{k}\"{v}") } else { format!("{k}{v}") })
                .collect();
            format!("{open}{}{close}", fields.join(between))
        });
    prop_oneof![12 => lines, 2 => indented, 3 => flow]
}

fn file() -> impl Strategy<Value = String> {
    let body = || {
        proptest::collection::vec(
            select(vec![
                "# T\n",
                "\n",
                "---\n",
                "text",
                "d: x\n",
                "\u{1b}[2J",
                "审",
                "```\n",
                "</skill_content>",
            ]),
            0..6,
        )
        .prop_map(|b| b.concat())
    };
    let whole = (head(), body(), select(vec!["---\n", "--- \n"]))
        .prop_map(|(head, body, fence)| format!("{fence}{head}{fence}{body}"));
    let shaped = prop_oneof![20 => whole, 1 => body()];
    (shaped, any::<bool>(), select(vec!["\n", "\n", "\r\n", "\r"])).prop_map(|(text, mark, end)| {
        let text = text.replace('\n', end);
        if mark { format!("\u{feff}{text}") } else { text }
    })
}

fn value() -> impl Strategy<Value = FieldValue> {
    let piece = prop_oneof![
        8 => select(vec![
            "word", " ", ": ", ":", " #", "#", "'", "\"", "\\", "\n", "\n\n", "\t", "- ", "-", "审",
            "👩\u{200d}💻", "\u{2028}", "\u{85}", "\u{feff}", "---", "*", "&", "[", "]", "{", "}", ",", "true",
            "5", "%", "?", "|", ">", "!", "@", "`", "~", "=", "<<", "\r\n", "\r", "\u{a0}", "\u{3000}", "  ",
            "\\uD83D", "\u{1b}", "$", ".", "null", "0x1F", "e3",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    let text = proptest::collection::vec(piece, 0..6).prop_map(|p| p.concat());
    prop_oneof![
        6 => text.clone().prop_map(FieldValue::Text),
        1 => any::<bool>().prop_map(FieldValue::Bool),
        2 => proptest::collection::vec(text, 0..4).prop_map(FieldValue::List),
    ]
}

/// What stands between the fences, and where.
fn head_of(text: &str) -> Option<(usize, &str)> {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let fences = fences::split(&text[mark..]).ok()?;
    Some((mark + fences.head.start, &text[mark..][fences.head]))
}

/// The fields as pairs of a key and what YAML reads, aliases by their target.
fn fields(tree: &Tree) -> Vec<(String, String)> {
    fn say(tree: &Tree, node: &Node, out: &mut String) {
        out.push_str(&format!("{:?}{:?}", node.tag, node.kind()));
        match &node.value {
            Value::Scalar { text, .. } => out.push_str(&format!("{text:?}")),
            Value::Alias(_) => say(tree, tree.target(node), out),
            Value::Sequence(items) => items.iter().for_each(|item| say(tree, item, out)),
            Value::Mapping { pairs, .. } => {
                for (key, value) in pairs {
                    say(tree, key, out);
                    say(tree, value, out);
                }
            }
        }
        out.push(';');
    }
    let pairs = tree.root.as_ref().and_then(Node::pairs).unwrap_or(&[]);
    pairs
        .iter()
        .map(|(key, value)| {
            let mut said = String::new();
            say(tree, value, &mut said);
            (tree.target(key).text().unwrap_or("").to_owned(), said)
        })
        .collect()
}

/// The same without the last entry of a field.
fn without(mut fields: Vec<(String, String)>, field: &str) -> Vec<(String, String)> {
    if let Some(at) = fields.iter().rposition(|(key, _)| key == field) {
        fields.remove(at);
    }
    fields
}

/// Where the scalars of the other fields stand in the file.
fn scalars(tree: &Tree, head: &str, start: usize, field: &str) -> Vec<Range<usize>> {
    fn spans(node: &Node, out: &mut Vec<Range<usize>>) {
        match &node.value {
            Value::Sequence(items) => items.iter().for_each(|item| spans(item, out)),
            Value::Mapping { pairs, .. } => pairs.iter().for_each(|(key, value)| {
                spans(key, out);
                spans(value, out);
            }),
            Value::Scalar { .. } | Value::Alias(_) => out.push(node.span.clone()),
        }
    }
    let mut out = Vec::new();
    let pairs = tree.root.as_ref().and_then(Node::pairs).unwrap_or(&[]);
    let last = pairs.iter().rposition(|(key, _)| tree.target(key).text() == Some(field));
    for (i, (key, value)) in pairs.iter().enumerate() {
        spans(key, &mut out);
        if Some(i) != last {
            spans(value, &mut out);
        }
    }
    // Of a block, the blank lines below are nobody's.
    let len = |span: &Range<usize>| head[span.clone()].trim_end().len();
    out.iter().map(|span| start + span.start..start + span.start + len(span)).collect()
}

fn node_is(tree: &Tree, node: &Node, value: &FieldValue) -> bool {
    let text =
        |node: &Node| (node.kind() == Some(Kind::String)).then(|| node.text().unwrap().to_owned());
    match (value, &node.value) {
        (FieldValue::Text(want), _) => text(node).as_ref() == Some(want),
        (FieldValue::Bool(want), _) => node.kind() == Some(Kind::Bool(*want)),
        (FieldValue::List(want), Value::Sequence(items)) => {
            items.iter().map(|i| text(tree.target(i))).eq(want.iter().map(|w| Some(w.clone())))
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_field_reads_as_it_was_set_and_all_else_as_before(
        text in file(), field in select(KEYS.to_vec()), value in value(),
    ) {
        let bytes = text.as_bytes();
        let before = head_of(&text);
        let tree = before.map(|(_, head)| yaml::read(head));
        let patch = match set(bytes, field, &value) {
            Ok(patch) => patch,
            Err(PatchError::Referred { .. }) => {
                prop_assert!(text.contains("*x"));
                return Ok(());
            }
            Err(PatchError::Unreadable { .. }) => {
                // Only what no reader can take apart is refused.
                let no_tree = match before {
                    None => true,
                    Some((_, head)) if head.contains('\u{1b}') => true,
                    Some((_, head)) => {
                        let is_map = |t: &Tree| t.root.as_ref().is_none_or(|r| r.pairs().is_some());
                        let lenient = lenient::read(head);
                        !tree.unwrap().as_ref().is_ok_and(is_map) && lenient.map_or(true, |e| e.is_empty())
                    }
                };
                prop_assert!(no_tree);
                return Ok(());
            }
            Err(error) => {
                // A quote in the new value would close one that was left open.
                let open = text.contains("\"open") && tree.is_none_or(|tree| tree.is_err());
                prop_assert!(open, "{error}");
                return Ok(());
            }
        };
        let changed = patch.apply(bytes);
        prop_assert_eq!(patch.inverse(bytes).apply(&changed), bytes);
        let after = std::str::from_utf8(&changed).unwrap();
        prop_assert!(set(&changed, field, &value).unwrap().is_empty() , "twice: {:?}", after);
        let body = |b: &[u8]| Text::of(b).unwrap().body().map(str::to_owned);
        let (_, head) = head_of(after).unwrap();
        if before.is_some() {
            prop_assert_eq!(body(&changed), body(bytes));
        } else {
            let whole = text.trim_start_matches('\u{feff}');
            prop_assert!(body(&changed).unwrap().ends_with(whole));
        }
        let new_tree = yaml::read(head);
        let is_map = |t: &Tree| t.root.as_ref().is_none_or(|r| r.pairs().is_some());
        if let (Some((start, old_head)), Some(Ok(tree))) = (before, &tree)
            && is_map(tree)
        {
            let new_tree = new_tree.as_ref().unwrap();
            prop_assert_eq!(without(fields(tree), field), without(fields(new_tree), field), "{:?}", after);
            for span in scalars(tree, old_head, start, field) {
                let apart = patch.range.end <= span.start || span.end <= patch.range.start;
                prop_assert!(apart || patch.is_empty(), "{:?} {:?} {:?}", span, patch, after);
            }
            let serde = |head: &str| serde_yaml::from_str::<std::collections::HashMap<String, serde_json::Value>>(head);
            let old = before.and_then(|(_, head)| serde(head).ok());
            if let (Some(mut old), Ok(mut new)) = (old, serde(head)) {
                let got = new.remove(field).unwrap();
                old.remove(field);
                prop_assert_eq!(old, new);
                let want = match &value {
                    FieldValue::Text(text) => serde_json::json!(text),
                    FieldValue::Bool(value) => serde_json::json!(value),
                    FieldValue::List(items) => serde_json::json!(items),
                };
                prop_assert_eq!(got, want, "{:?}", after);
            }
        }
        if let Ok(tree) = &new_tree && tree.root.as_ref().is_some_and(|r| r.pairs().is_some()) {
            let node = tree.root.as_ref().unwrap().get(field);
            let pairs = tree.root.as_ref().unwrap().pairs().unwrap();
            let node = node.unwrap_or_else(|| {
                &pairs.iter().rev().find(|(k, _)| tree.target(k).text() == Some(field)).unwrap().1
            });
            prop_assert!(node_is(tree, node, &value), "{:?}", after);
        } else {
            let entries = lenient::read(head).unwrap();
            let entry = entries.iter().rev().find(|e| e.key == field).unwrap();
            let alone = yaml::read(&format!("k: {}", entry.source)).unwrap();
            let node = &alone.root.as_ref().unwrap().pairs().unwrap()[0].1;
            prop_assert!(node_is(&alone, node, &value), "{:?}", after);
        }
        // What the program itself reads.
        if let Some(frontmatter) = document::read(&changed).frontmatter && new_tree.is_ok() {
            match (&value, field) {
                (FieldValue::Text(want), "name" | "description") => {
                    let got = if field == "name" { frontmatter.name } else { frontmatter.description };
                    let is_same = matches!(&got, TextField::Text { text, typed: false, .. } if text == want);
                    prop_assert!(is_same, "{:?} {:?}", got, after);
                }
                (FieldValue::Bool(want), "hide") => prop_assert_eq!(frontmatter.hide, *want),
                (FieldValue::List(want), "globs") => prop_assert_eq!(&frontmatter.globs, want),
                _ => {}
            }
        }
        // And away again.
        match remove(&changed, field) {
            Err(error) => prop_assert!(matches!(error, PatchError::Referred { .. }), "{} {:?}", error, after),
            Ok(patch) => {
                let gone = patch.apply(&changed);
                prop_assert_eq!(patch.inverse(&changed).apply(&gone), changed.clone());
                prop_assert!(remove(&gone, field).unwrap().is_empty());
                prop_assert_eq!(body(&gone), body(&changed));
                let gone = std::str::from_utf8(&gone).unwrap();
                let (_, gone) = head_of(gone).unwrap();
                if let Ok(tree) = &new_tree && is_map(tree) {
                    let all = |fields: Vec<(String, String)>| {
                        fields.into_iter().filter(|(k, _)| k != field).collect::<Vec<_>>()
                    };
                    let left = yaml::read(gone).unwrap();
                    prop_assert_eq!(all(fields(tree)), fields(&left), "{:?}", gone);
                }
            }
        }
    }

    #[test]
    fn any_bytes_may_be_patched_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..200), value in value(),
    ) {
        let framed = [b"---\n".as_slice(), &bytes, b"\n---\n"].concat();
        for bytes in [&bytes, &framed] {
            if let Ok(patch) = set(bytes, "k", &value) {
                let changed = patch.apply(bytes);
                prop_assert_eq!(&patch.inverse(bytes).apply(&changed), bytes);
            }
            let _ = remove(bytes, "k");
        }
    }
}
