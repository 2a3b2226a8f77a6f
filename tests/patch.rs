//! One field of a frontmatter is changed, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

use skilldeck::edit::patch::{FieldValue, PatchError, remove, set};

fn text(value: &str) -> FieldValue {
    FieldValue::Text(value.to_owned())
}

fn list(items: &[&str]) -> FieldValue {
    FieldValue::List(items.iter().map(|item| (*item).to_owned()).collect())
}

/// The file after a change, which can be taken back and made twice.
fn after_set(file: &str, field: &str, value: &FieldValue) -> String {
    let patch = set(file.as_bytes(), field, value).unwrap_or_else(|e| panic!("{file:?}: {e}"));
    let changed = patch.apply(file.as_bytes());
    assert_eq!(patch.inverse(file.as_bytes()).apply(&changed), file.as_bytes(), "{file:?}");
    let again = set(&changed, field, value).unwrap();
    assert!(again.is_empty(), "{file:?} twice: {again:?}");
    String::from_utf8(changed).unwrap()
}

fn after_remove(file: &str, field: &str) -> String {
    let patch = remove(file.as_bytes(), field).unwrap_or_else(|e| panic!("{file:?}: {e}"));
    let changed = patch.apply(file.as_bytes());
    assert_eq!(patch.inverse(file.as_bytes()).apply(&changed), file.as_bytes(), "{file:?}");
    assert!(remove(&changed, field).unwrap().is_empty());
    String::from_utf8(changed).unwrap()
}

/// `head` between fences, with a body that is not to change.
fn file(head: &str) -> String {
    format!("---\n{head}---\n\n# Body: x\n---\nd: no\n")
}

#[test]
fn a_value_keeps_its_place_its_style_and_its_comment() {
    for (head, value, want) in [
        ("d: old\n", "new", "d: new\n"),
        ("d :  old   # c\n", "new", "d :  new   # c\n"),
        ("d:\told\t# c\n", "new", "d:\tnew\t# c\n"),
        ("d: 'old'\n", "it's", "d: 'it''s'\n"),
        ("d: \"old\" # c\n", "a \"b\"", "d: \"a \\\"b\\\"\" # c\n"),
        ("\"d\": old\n'e': f\n", "new", "\"d\": new\n'e': f\n"),
        ("d:\n", "new", "d: new\n"),
        ("d: # c\n", "new", "d: new # c\n"),
        ("d:   \ne: f\n", "new", "d:   new\ne: f\n"),
        ("d: one\n  two\n\n  three # c\ne: f\n", "new", "d: new # c\ne: f\n"),
        ("d:\n  later\n  on\ne: f\n", "new", "d:\n  new\ne: f\n"),
        ("d: 'a\n  b' # c\n", "x", "d: 'x' # c\n"),
        ("d: >-  # c\n    a\n    b\n\n# e\ne: f\n", "new", "d: new  # c\n\n# e\ne: f\n"),
        ("d: |+\n  a\n\n\ne: f\n", "new", "d: new\ne: f\n"),
        ("d: |\ne: f\n", "new", "d: new\ne: f\n"),
        ("d: [a, b] # c\n", "new", "d: new # c\n"),
        ("d: {a: b}\n", "new", "d: new\n"),
        ("d: # c\n- a\n- b # e\n# f\ne: f\n", "new", "d: new # c # e\n# f\ne: f\n"),
        ("d:\n  a: b\n  c: |\n    x\n\ne: f\n", "new", "d: new\n\ne: f\n"),
        ("d:\n  a: b\n  c: \ne: f\n", "new", "d: new \ne: f\n"),
        ("a: &x t\nd: *x\n", "new", "a: &x t\nd: new\n"),
        ("d: &x t # c\n", "new", "d: new # c\n"),
        ("d: !!str 5\n", "new", "d: new\n"),
        ("d: &x\ne: f\n", "new", "d: new\ne: f\n"),
        ("d: 1\ne: f\nd: 2\n", "new", "d: 1\ne: f\nd: new\n"),
        ("? d\n: old\n", "new", "? d\n: new\n"),
        ("  d: old\n  e: f\n", "new", "  d: new\n  e: f\n"),
        ("{d: \"x\", e: f}\n", "a, b", "{d: \"a, b\", e: f}\n"),
        ("{d: x, e: f}\n", "a, b", "{d: \"a, b\", e: f}\n"),
        ("{\"d\":\"x\",\"e\":1}\n", "y", "{\"d\":\"y\",\"e\":1}\n"),
        ("{e: f, d}\n", "new", "{e: f, d: new}\n"),
        ("审: 查\nd: ö # ü\n", "👩‍💻", "审: 查\nd: 👩‍💻 # ü\n"),
    ] {
        let want = file(want);
        assert_eq!(after_set(&file(head), "d", &text(value)), want, "{head:?}");
        // Other line ends, and a mark, are kept.
        for end in ["\r\n", "\r"] {
            let with = |text: &str| format!("\u{feff}{}", text.replace('\n', end));
            let head = file(head);
            assert_eq!(after_set(&with(&head), "d", &text(value)), with(&want), "{head:?}");
        }
    }
}

#[test]
fn a_text_is_quoted_when_yaml_needs_it() {
    for (value, want) in [
        ("Use when: x", "d: \"Use when: x\"\n"),
        ("a \"b\": c", "d: 'a \"b\": c'\n"),
        ("fix #1 # now", "d: \"fix #1 # now\"\n"),
        ("- x", "d: \"- x\"\n"),
        (" x ", "d: \" x \"\n"),
        ("true", "d: \"true\"\n"),
        ("007", "d: \"007\"\n"),
        ("~", "d: \"~\"\n"),
        ("no", "d: \"no\"\n"),
        ("2026-01-01", "d: \"2026-01-01\"\n"),
        ("", "d: \"\"\n"),
        ("[WIP] x", "d: \"[WIP] x\"\n"),
        ("a\u{1b}\u{2028}\u{85}\u{feff}b", "d: \"a\\x1B\\u2028\\x85\\uFEFFb\"\n"),
        ("\\uD83D: x", "d: '\\uD83D: x'\n"),
        ("a\nb", "d: |-\n  a\n  b\n"),
        ("a\n\nb\n", "d: |\n  a\n\n  b\n"),
        ("a\n\n", "d: |+\n  a\n\n"),
        (" a\nb", "d: |2-\n   a\n  b\n"),
        ("---\nx", "d: |-\n  ---\n  x\n"),
        ("\n", "d: \"\\n\"\n"),
        ("a\r\nb", "d: \"a\\r\\nb\"\n"),
    ] {
        assert_eq!(after_set(&file("d: old\n"), "d", &text(value)), file(want), "{value:?}");
    }
    let long = "word ".repeat(4_000) + "end";
    assert!(after_set(&file("d: old\n"), "d", &text(&long)).contains(&format!("d: {long}\n")));
}

#[test]
fn a_block_stays_a_block_when_the_text_has_lines() {
    for (head, want) in [
        ("d: >  # c\n    x\n    y\ne: f\n", "d: |-  # c\n    a\n    b\ne: f\n"),
        ("d: x # c\ne: f\n", "d: |- # c\n  a\n  b\ne: f\n"),
        ("  d: x\n  e: f\n", "  d: |-\n    a\n    b\n  e: f\n"),
        ("d:\n  later # c\ne: f\n", "d: |- # c\n  a\n  b\ne: f\n"),
        ("d: [x]\n", "d: |-\n  a\n  b\n"),
        ("d: \"x\"\n", "d: \"a\\nb\"\n"),
        ("{d: x}\n", "{d: \"a\\nb\"}\n"),
    ] {
        assert_eq!(after_set(&file(head), "d", &text("a\nb")), file(want), "{head:?}");
        let crlf = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(after_set(&crlf(&file(head)), "d", &text("a\nb")), crlf(&file(want)));
    }
    // Blank lines below would become part of the text.
    let kept = after_set(&file("d: x\n\ne: f\n"), "d", &text("a\n\n"));
    assert_eq!(kept, file("d: \"a\\n\\n\"\n\ne: f\n"));
}

#[test]
fn lists_and_booleans() {
    for (head, value, want) in [
        ("d: [a, b]\n", list(&["x", "**/*.rs"]), "d: [x, \"**/*.rs\"]\n"),
        ("d: ['a'] # c\n", list(&["x", "y"]), "d: ['x', 'y'] # c\n"),
        ("d: [\"a\"]\n", list(&["x"]), "d: [\"x\"]\n"),
        (
            "d:\n  - a\n  - b # c\ne: f\n",
            list(&["x", "y: z"]),
            "d:\n  - x\n  - \"y: z\" # c\ne: f\n",
        ),
        ("d:\n- a\ne: f\n", list(&["x", "z"]), "d:\n- x\n- z\ne: f\n"),
        ("d:\n- a\n", list(&[]), "d: []\n"),
        ("d: x\n", list(&["a,b"]), "d: [\"a,b\"]\n"),
        ("d: false # c\n", FieldValue::Bool(true), "d: true # c\n"),
        ("d: 'true'\n", FieldValue::Bool(true), "d: true\n"),
        ("d:\n", FieldValue::Bool(false), "d: false\n"),
    ] {
        assert_eq!(after_set(&file(head), "d", &value), file(want), "{head:?}");
    }
}

#[test]
fn what_is_so_already_stays_as_it_is() {
    for (head, value) in [
        ("d: >\n  one\n  two\n", text("one two\n")),
        ("d: 'a'\n", text("a")),
        ("d: [ a,b ]\n", list(&["a", "b"])),
        ("d: True\n", FieldValue::Bool(true)),
    ] {
        assert!(set(file(head).as_bytes(), "d", &value).unwrap().is_empty(), "{head:?}");
    }
}

#[test]
fn a_new_field_has_its_place() {
    for (head, field, want) in [
        ("name: x\nlicense: y # c\n# end\n", "hide", "name: x\nlicense: y # c\nhide: v\n# end\n"),
        ("# top\nlicense: y\n", "name", "name: v\n# top\nlicense: y\n"),
        ("name: x # c\nz: y\n", "description", "name: x # c\ndescription: v\nz: y\n"),
        ("z: y\n", "description", "description: v\nz: y\n"),
        ("m:\n  a: b\n  # c\n", "k", "m:\n  a: b\nk: v\n  # c\n"),
        ("m: |+\n  a\n\n", "k", "m: |+\n  a\n\nk: v\n"),
        ("m: |\n  a\n\n", "k", "m: |\n  a\nk: v\n\n"),
        ("  a: b\n", "k", "  a: b\n  k: v\n"),
        ("", "k", "k: v\n"),
        ("# only\n", "k", "# only\nk: v\n"),
        ("a: b\n", "odd key: x", "a: b\n\"odd key: x\": v\n"),
        ("a: b\n", "true", "a: b\n\"true\": v\n"),
        ("{a: b}\n", "k", "{a: b, k: v}\n"),
        ("{a: b,}\n", "k", "{a: b, k: v,}\n"),
        ("{}\n", "k", "{k: v}\n"),
        ("{a: b}\n", "name", "{name: v, a: b}\n"),
        ("{\n  \"a\": \"b\"\n}\n", "k", "{\n  \"a\": \"b\",\n  \"k\": \"v\"\n}\n"),
    ] {
        assert_eq!(after_set(&file(head), field, &text("v")), file(want), "{head:?}");
    }
}

#[test]
fn a_file_without_frontmatter_gets_one() {
    for (before, want) in [
        ("# Title\r\n", "---\r\nname: v\r\n---\r\n\r\n# Title\r\n"),
        ("\n# Title\n", "---\nname: v\n---\n\n# Title\n"),
        ("\u{feff}text", "\u{feff}---\nname: v\n---\n\ntext"),
        ("", "---\nname: v\n---\n"),
        ("# T\n\n---\n\nprose\n\n---\n", "---\nname: v\n---\n\n# T\n\n---\n\nprose\n\n---\n"),
    ] {
        assert_eq!(after_set(before, "name", &text("v")), want);
        assert!(remove(before.as_bytes(), "name").unwrap().is_empty());
    }
}

#[test]
fn a_field_goes_with_its_own_lines() {
    for (head, want) in [
        ("# c\nd: x # e\n# f\ne: f\n", "# c\n# f\ne: f\n"),
        ("d: |\n  x\n\n  y\n\ne: f\n", "\ne: f\n"),
        ("d:\n  - a\n  # about b\n  - b\n  # more\n# f\ne: f\n", "# f\ne: f\n"),
        ("d:\n- a\n- b\ne: f\n", "e: f\n"),
        ("d: one\n  two\ne: f\n", "e: f\n"),
        ("d: 1\ne: f\nd: 2\ng: h\n", "e: f\ng: h\n"),
        ("e: f\nd: x\n", "e: f\n"),
        ("d: x\n", ""),
        ("a: |+\n  x\nd: y\n\ne: f\n", "a: |+\n  x\ne: f\n"),
        ("? d\n: x\ne: f\n", "e: f\n"),
        ("  d: >+\n\n  e: f\n", "  e: f\n"),
        ("  d: >+\n\n  d: x\n  e: f\n", "  e: f\n"),
        ("{d: x, e: f}\n", "{e: f}\n"),
        ("{e: f, d: x}\n", "{e: f}\n"),
        ("{a: b, d: x, e: f}\n", "{a: b, e: f}\n"),
        ("{d: x}\n", "{}\n"),
        ("{d: x, e: f, d: y}\n", "{e: f}\n"),
        ("e: f\n", "e: f\n"),
    ] {
        assert_eq!(after_remove(&file(head), "d"), file(want), "{head:?}");
    }
}

#[test]
fn beside_a_broken_line_the_lenient_reader_tells_what_is_there() {
    for (head, value, want) in [
        // The broken field itself is mended.
        ("d: Use when: x\n", "Use when: y", "d: \"Use when: y\"\n"),
        ("d: Use when: x\n", "Use when: x", "d: \"Use when: x\"\n"),
        ("d: a: b # c\ne: f\n", "plain", "d: plain\ne: f\n"),
        ("d: \"open\ne: f\n", "new", "d: \"new\"\ne: f\n"),
        ("d: first: line\n  second\ne: f\n", "new", "d: new\ne: f\n"),
        ("d: first: line\n# c\n  second\ne: f\n", "new", "d: new\n# c\ne: f\n"),
        ("d:\u{a0}x\n", "new", "d: new\n"),
        // Another broken line stays.
        ("z: [a] [b]\nd: old\n", "new", "z: [a] [b]\nd: new\n"),
        ("z: [a] [b]\nd: old\n", "a: \"b\"", "z: [a] [b]\nd: 'a: \"b\"'\n"),
        ("z: [a] [b]\nd: old\n", "it's: \"b\"", "z: [a] [b]\nd: |-\n  it's: \"b\"\n"),
        (
            "z: [a] [b]\nd: > # e\n  x\n  y\n\n# c\ne: f\n",
            "new",
            "z: [a] [b]\nd: |- # e\n  new\n\n# c\ne: f\n",
        ),
        ("z: [a] [b]\nd:\n- a\n- b\n# c\n", "new", "z: [a] [b]\nd: new\n# c\n"),
        ("z: [a] [b]\n", "new", "z: [a] [b]\nd: new\n"),
    ] {
        assert_eq!(after_set(&file(head), "d", &text(value)), file(want), "{head:?}");
    }
    assert_eq!(after_remove(&file("z: [a] [b]\nd: x: y\ne: f\n"), "d"), file("z: [a] [b]\ne: f\n"));
}

#[test]
fn what_cannot_be_done_is_said_with_the_way_out() {
    let large = format!("---\nd: {}\n---\n", "x".repeat(40_000));
    for (before, words) in [
        ("---\nd: x\n", "never closed"),
        ("<!-- c -->\n---\nd: x\n---\n", "must be the first line"),
        ("+++\nd = 1\n+++\n", "TOML"),
        ("\u{feff}\u{feff}---\nd: x\n---\n", "byte-order mark"),
        ("---\nd: a\u{0}b\n---\n", "control character"),
        ("---\n- a\n---\n", "the frontmatter is a list"),
        ("---\nd:x\n---\n", "the frontmatter is a text"),
        ("---\nd: x: y\n\nprose\n---\n", "not valid YAML"),
        ("---\nd: &x t\ne: *x\n---\n", "line 3 refers to its value"),
        ("---\nd: [&x t]\ne: {f: *x}\n---\n", "line 3 refers to its value"),
        (&large, "has 40004 bytes"),
        ("---\n  d: \"open\n---\n", "not valid YAML"),
        ("---\n~\n---\n", "change it in an editor"),
    ] {
        let error = set(before.as_bytes(), "d", &text("new")).unwrap_err();
        assert!(error.to_string().contains(words), "{before:?}: {error}");
    }
    for bytes in [b"---\nd: \xff\n---\n".as_slice(), b"\xff\xfe-\0-\0-\0"] {
        let error = set(bytes, "d", &text("new")).unwrap_err();
        assert!(error.to_string().contains("save the file as UTF-8"), "{error}");
    }
    assert!(matches!(
        remove(b"---\nd: &x t\ne: *x\n---\n", "d"),
        Err(PatchError::Referred { line: 3, .. })
    ));
    let long = text(&"x".repeat(33_000));
    assert!(matches!(
        set(b"---\nd: x\n---\n", "d", &long),
        Err(PatchError::TooLarge { bytes: 33_004, .. })
    ));
    assert!(matches!(set(b"text\n", "d", &long), Err(PatchError::TooLarge { .. })));
    let odd = set(b"+++\n", "a\u{1b}b", &text("x")).unwrap_err().to_string();
    assert!(odd.contains("`a\\x1Bb`"), "{odd}");
}

/// Every `SKILL.md` below the folder that `SKILLDECK_CORPUS` names is changed and changed back.
#[test]
#[ignore = "needs a folder of skills, named by SKILLDECK_CORPUS"]
fn the_files_of_others_are_changed_and_changed_back() {
    let root = std::env::var_os("SKILLDECK_CORPUS").expect("SKILLDECK_CORPUS names a folder");
    let (mut files, mut done, mut refused) = (0, 0, Vec::new());
    for entry in walkdir::WalkDir::new(root) {
        let entry = entry.unwrap();
        if entry.file_name() != "SKILL.md" || !entry.file_type().is_file() {
            continue;
        }
        let bytes = std::fs::read(entry.path()).unwrap();
        files += 1;
        let mut check =
            |what: &str, made: Result<skilldeck::edit::patch::Patch, PatchError>| match made {
                Ok(patch) => {
                    let changed = patch.apply(&bytes);
                    assert_eq!(patch.inverse(&bytes).apply(&changed), bytes);
                    done += 1;
                }
                Err(error) => refused.push(format!("{} {what}: {error}", entry.path().display())),
            };
        for (field, value) in [
            ("description", text("Use when: it is short")),
            ("description", text("two\n\nlines\n")),
            ("name", text("new-name")),
            ("globs", list(&["**/*.rs", "docs"])),
            ("hide", FieldValue::Bool(true)),
            ("license", text("MIT # or so")),
            ("allowed-tools", list(&["Bash", "Read"])),
            ("metadata", text("gone")),
        ] {
            check(field, set(&bytes, field, &value));
        }
        for field in ["description", "name", "license", "metadata", "allowed-tools"] {
            check(field, remove(&bytes, field));
        }
    }
    println!("{files} files, {done} changes, {} refused", refused.len());
    for line in refused {
        println!("{line}");
    }
}
