//! Each fix mends what its finding says, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

use proptest::prelude::*;
use skilldeck::edit::fixes::{Fixed, fix_judged, fix_one, fix_text};
use skilldeck::profile::{FolderName, Profile, Reading};
use skilldeck::skill::{Code, Finding, Fix, document};

fn judge(profile: Profile, bytes: &[u8]) -> Vec<Finding> {
    profile.judge(&FolderName::new("x".as_ref()), &Reading::of(bytes)).findings
}

/// Makes all fixes under `kaged`, twice.
fn fixed(bytes: &[u8]) -> Fixed {
    let fixed = fix_judged(bytes, |bytes| judge(Profile::Kaged, bytes));
    let again = fix_judged(&fixed.bytes, |bytes| judge(Profile::Kaged, bytes));
    assert_eq!(again.applied, [], "{}", String::from_utf8_lossy(&fixed.bytes));
    fixed
}

/// `before` becomes `after` by these fixes, and no finding offers one of them
/// any more. The same with other line ends and a byte-order mark.
fn table(cases: &[(&str, &[Fix], &str)]) {
    for (before, fixes, after) in cases {
        for end in ["\n", "\r\n"] {
            let with = |text: &str| text.replace('\n', end);
            let got = fixed(with(before).as_bytes());
            let text = String::from_utf8(got.bytes).unwrap();
            assert_eq!(text, with(after), "{before:?}");
            assert_eq!(got.applied, *fixes, "{before:?}");
            let left = judge(Profile::Kaged, text.as_bytes());
            let offered = left.iter().find(|f| f.fix.as_ref().is_some_and(|f| fixes.contains(f)));
            assert_eq!(offered, None, "{before:?}");
        }
    }
}

#[test]
fn a_value_is_quoted_as_it_stands() {
    let quote = &[Fix::QuoteValue];
    table(&[
        (
            "---\ndescription: Use when: x\n---\nb\n",
            quote,
            "---\ndescription: \"Use when: x\"\n---\nb\n",
        ),
        (
            "---\ndescription: a \"b\": c\n---\nb\n",
            quote,
            "---\ndescription: 'a \"b\": c'\n---\nb\n",
        ),
        ("---\ndescription: \"open\n---\nb\n", quote, "---\ndescription: \"open\"\n---\nb\n"),
        (
            "---\ndescription: x\nhint: [a] [b]\n---\nb\n",
            quote,
            "---\ndescription: x\nhint: \"[a] [b]\"\n---\nb\n",
        ),
        (
            "---\ndescription: one: x\n  two\n# c\nk: v\n---\nb\n",
            quote,
            "---\ndescription: \"one: x two\"\n# c\nk: v\n---\nb\n",
        ),
        (
            "---\ndescription: one: x\n# c\n  two\n---\nb\n",
            quote,
            "---\ndescription: \"one: x two\"\n# c\n---\nb\n",
        ),
        (
            "---\nm: {e: \"\\uD83D\\uDD2D\"}\ndescription: d\n---\nb\n",
            quote,
            "---\nm: '{e: \"\\uD83D\\uDD2D\"}'\ndescription: d\n---\nb\n",
        ),
        (
            "---\ndescription: fix # the issue\n---\nb\n",
            quote,
            "---\ndescription: \"fix # the issue\"\n---\nb\n",
        ),
        ("---\ndescription: 007 # c\n---\nb\n", quote, "---\ndescription: \"007 # c\"\n---\nb\n"),
        ("---\ndescription: true\n---\nb\n", quote, "---\ndescription: \"true\"\n---\nb\n"),
        (
            "---\ndescription: a: b\nhint: c: d\n---\nb\n",
            &[Fix::QuoteValue, Fix::QuoteValue],
            "---\ndescription: \"a: b\"\nhint: \"c: d\"\n---\nb\n",
        ),
    ]);
}

#[test]
fn a_frontmatter_is_closed_where_its_fields_end() {
    let close = &[Fix::AddClosingFence];
    table(&[
        (
            "---\ndescription: x\n\n# Body\n\nNote: y\n",
            close,
            "---\ndescription: x\n---\n\n# Body\n\nNote: y\n",
        ),
        ("---\ndescription: x\nProse here.\n", close, "---\ndescription: x\n---\nProse here.\n"),
        (
            "---\n# c\ndescription: >\n  a\n\n  b\n\nProse: here, with words.\nk\n",
            close,
            "---\n# c\ndescription: >\n  a\n\n  b\n\nProse: here, with words.\n---\nk\n",
        ),
        (
            "---\nglobs:\n- a\n- b\n# c\ndescription: x\n\n- item\n",
            close,
            "---\nglobs:\n- a\n- b\n# c\ndescription: x\n---\n\n- item\n",
        ),
        ("---\ndescription: x\n...\n\nBody\n", close, "---\ndescription: x\n---\n\nBody\n"),
        ("---\ndescription: x\n-----\nBody\n", close, "---\ndescription: x\n---\nBody\n"),
        ("---\ndescription: x\n+++\nBody\n", close, "---\ndescription: x\n---\nBody\n"),
        ("---\ndescription: x\n ---\nBody\n", close, "---\ndescription: x\n---\nBody\n"),
        (
            "---\ndescription: |\n  a\n  ---\n  b\nBody text.\n",
            close,
            "---\ndescription: |\n  a\n  ---\n  b\n---\nBody text.\n",
        ),
    ]);
    // A file of one line has no line end to keep.
    for (before, after) in
        [("---\r\ndescription: x", "---\r\ndescription: x\r\n---\r\n"), ("---", "---\n---\n")]
    {
        assert_eq!(fixed(before.as_bytes()).bytes, after.as_bytes());
    }
}

#[test]
fn what_stands_before_the_fence_begins_the_body() {
    let first = &[Fix::MoveFenceFirst];
    table(&[
        ("\n\n---\ndescription: x\n---\n\nBody\n", first, "---\ndescription: x\n---\n\n\n\nBody\n"),
        (
            "<!-- c -->\n---\ndescription: x\n---\n\nBody\n",
            first,
            "---\ndescription: x\n---\n<!-- c -->\n\nBody\n",
        ),
        ("# T\n\n---\ndescription: x\n---", first, "---\ndescription: x\n---\n# T\n\n"),
        (" ---\ndescription: x\n---\nBody\n", first, "---\ndescription: x\n---\nBody\n"),
        (
            " ---\ndescription: x\n ---\nBody\n",
            &[Fix::MoveFenceFirst, Fix::AddClosingFence],
            "---\ndescription: x\n---\nBody\n",
        ),
        (
            "prose\n---\ndescription: a: b\n---\nBody\n",
            &[Fix::MoveFenceFirst, Fix::QuoteValue],
            "---\ndescription: \"a: b\"\n---\nprose\nBody\n",
        ),
    ]);
}

#[test]
fn of_equal_keys_the_one_that_counts_stays() {
    let remove = &[Fix::RemoveDuplicateKey];
    table(&[
        (
            "---\ndescription: >\n  a\n  b\n# c\nk: v\ndescription: 'd' # e\n---\nb\n",
            remove,
            "---\n# c\nk: v\ndescription: 'd' # e\n---\nb\n",
        ),
        (
            "---\ndescription: a\ndescription: b\ndescription: c\n---\nb\n",
            &[Fix::RemoveDuplicateKey, Fix::RemoveDuplicateKey],
            "---\ndescription: c\n---\nb\n",
        ),
        (
            "---\ndescription: d\nm:\n  a: 1\n  # c\n  a: 2\n---\nb\n",
            remove,
            "---\ndescription: d\nm:\n  # c\n  a: 2\n---\nb\n",
        ),
        (
            "---\ndescription: d\nl:\n  - a: 1\n    a: 2\n  - b: {c: 1, c: 2}\n---\nb\n",
            &[Fix::RemoveDuplicateKey, Fix::RemoveDuplicateKey],
            "---\ndescription: d\nl:\n  - a: 2\n  - b: {c: 2}\n---\nb\n",
        ),
        (
            "---\ndescription: a: b\nk: 1\nk: 2\n---\nb\n",
            &[Fix::QuoteValue, Fix::RemoveDuplicateKey],
            "---\ndescription: \"a: b\"\nk: 2\n---\nb\n",
        ),
    ]);
    // An alias needs the earlier one.
    let kept = "---\ndescription: &a x\nk: *a\ndescription: y\n---\nb\n";
    assert_eq!(fixed(kept.as_bytes()).bytes, kept.as_bytes());
}

#[test]
fn marks_spaces_tabs_and_names() {
    table(&[
        ("\u{feff}---\ndescription: x\n---\nb\n", &[Fix::DropBom], "---\ndescription: x\n---\nb\n"),
        (
            "\u{feff}\u{feff}---\ndescription: x\n---\nb\n",
            &[Fix::DropBom],
            "---\ndescription: x\n---\nb\n",
        ),
        (
            "---\nname:\u{a0}x\ndescription:\u{3000}審査\n---\nb\n",
            &[Fix::PlainSpace, Fix::PlainSpace],
            "---\nname: x\ndescription: 審査\n---\nb\n",
        ),
        (
            "---\ndescription: x\nm:\n\ta: 1\n\tb:\n\t\tc: d\n---\n\tcode\n",
            &[Fix::ReplaceTab],
            "---\ndescription: x\nm:\n  a: 1\n  b:\n    c: d\n---\n\tcode\n",
        ),
        (
            "---\n\tdescription: x\n\tk: v\n---\nb\n",
            &[Fix::ReplaceTab],
            "---\n  description: x\n  k: v\n---\nb\n",
        ),
        (
            "---\nname: Big Name # c\ndescription: x\n---\nb\n",
            &[Fix::SetName("x".into())],
            "---\nname: x # c\ndescription: x\n---\nb\n",
        ),
        (
            "---\nname: \"y\"\ndescription: x\n---\nb\n",
            &[Fix::SetName("x".into())],
            "---\nname: \"x\"\ndescription: x\n---\nb\n",
        ),
    ]);
    let units: Vec<u8> = "\u{feff}---\r\ndescription: naïve: x\r\n---\r\nBody.\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let got = fixed(&units);
    assert_eq!(
        String::from_utf8(got.bytes).unwrap(),
        "---\r\ndescription: \"naïve: x\"\r\n---\r\nBody.\r\n"
    );
    assert_eq!(got.applied, [Fix::Transcode, Fix::QuoteValue]);
    assert_eq!(fixed(&units[2..]).applied, [Fix::Transcode, Fix::QuoteValue]);
    let latin = fixed(b"---\ndescription: na\xefve\n---\nb\n");
    assert_eq!(latin.bytes, "---\ndescription: naïve\n---\nb\n".as_bytes());
}

#[test]
fn what_is_sound_or_no_matter_of_text_stays() {
    for text in [
        "---\ndescription: x\n---\nb\n",
        "---\ntags: [a, b\ndescription: d\n---\nb\n",
        "---\ndescription: 'Review' it\n---\nb\n",
        "no frontmatter\n",
        "",
    ] {
        let got = fixed(text.as_bytes());
        assert_eq!((got.bytes.as_slice(), got.applied.len()), (text.as_bytes(), 0));
    }
    let rename = Finding::new(Code::FolderInvalid, "x").fix(Fix::RenameFolder("y".into()));
    assert_eq!(fix_one(b"x", &rename), None);
    // Made for another file than the text.
    let other = Finding::new(Code::Bom, "x").fix(Fix::DropBom).file("a");
    assert_eq!(fix_one(b"\xef\xbb\xbfx", &other), None);
}

#[test]
fn without_a_profile_the_given_findings_are_mended_too() {
    let bytes = b"---\nname: Y\ndescription: a: b\n---\nb\n";
    let got = fix_text(bytes, &judge(Profile::Kaged, bytes));
    assert_eq!(got.bytes, b"---\nname: x\ndescription: \"a: b\"\n---\nb\n");
    assert_eq!(got.applied, [Fix::QuoteValue, Fix::SetName("x".into())]);
    let again = fix_text(&got.bytes, &judge(Profile::Kaged, bytes));
    assert_eq!(again.applied, []);
}

fn piece() -> impl Strategy<Value = String> {
    let fixed = vec![
        "---\n",
        " ---\n",
        "---",
        "...\n",
        "\u{feff}",
        "name: Y\n",
        "description: x\n",
        "description: a: b\n",
        "description: a # b\n",
        "description: 7\n",
        "name:\u{a0}x\n",
        "name: x\n",
        "k: \"open\n",
        "k: [a] [b]\n",
        "k: v\n",
        "m:\n\ta: 1\n",
        "m:\n  a: 1\n  a: 2\n",
        "{a: 1, a: 2}\n",
        "- x\n",
        "# T\n",
        "\n",
        "prose\n",
        "\t",
        "  more\n",
        "k: &a v\n",
        "l: *a\n",
        "k: |\n",
        "\u{e9}",
        "\u{1b}",
        "\r",
        "'",
        "\"",
    ];
    proptest::sample::select(fixed).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fixing_ends_and_loses_nothing(
        pieces in proptest::collection::vec(piece(), 0..12), fence in any::<bool>(),
        end in proptest::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let text = format!("{}{}", if fence { "---\n" } else { "" }, pieces.concat());
        let text = text.replace('\n', end);
        for profile in Profile::ALL {
            let got = fix_judged(text.as_bytes(), |bytes| judge(profile, bytes));
            prop_assert!(got.applied.len() < 60, "{:?}", got.applied);
            let again = fix_judged(&got.bytes, |bytes| judge(profile, bytes));
            prop_assert_eq!(again.applied, vec![], "{:?}", got.bytes);
            // No fix takes a skill away that was there.
            let reads = |bytes: &[u8]| document::read(bytes).frontmatter.is_some();
            prop_assert!(!reads(text.as_bytes()) || reads(&got.bytes), "{:?}", got);
            // Letters are only taken out with a key that another stands for.
            if !got.applied.contains(&Fix::RemoveDuplicateKey)
                && !got.applied.iter().any(|fix| matches!(fix, Fix::SetName(_)))
            {
                let letters = |bytes: &[u8]| {
                    let mut all: Vec<_> = String::from_utf8_lossy(bytes)
                        .chars().filter(|c| c.is_alphanumeric()).collect();
                    all.sort_unstable();
                    all
                };
                prop_assert_eq!(letters(text.as_bytes()), letters(&got.bytes));
            }
        }
    }
}
