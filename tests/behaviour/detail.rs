//! The detail: its tabs, arguments, finding, layout, files, and what is yanked.

use skilldeck::tui::state::{Pane, Tab};

use crate::atlas::Atlas;
use crate::atlas::screen::{SIZES, Screen};

#[test]
fn the_other_pane_reads_what_it_shows() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("2<esc>j<tab>");
    assert!(screen.text().contains("# Code review"), "{}", screen.text());
}

#[test]
fn what_is_typed_for_a_skill_never_reaches_another() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press("jasec");
    atlas.remove("code-review");
    screen.look(true);
    // What is typed on must not become commands, and is kept for the skill.
    screen.press("ret q");
    assert!(!screen.quit);
    assert!(
        screen.text().contains("Arguments for code-review, which is gone"),
        "{}",
        screen.text()
    );
    screen.press("<enter>");
    assert!(screen.said().contains("kept for `code-review`"), "{}", screen.said());
    let kept: Vec<_> = screen.state.arguments.iter().collect();
    assert_eq!(kept, [(&"code-review".to_owned(), &"secret q".to_owned())]);
}

#[test]
fn what_is_typed_outlives_a_root_that_is_away() {
    let atlas = Atlas::new();
    let (root, aside) = (atlas.dir().join(".kaged/skills"), atlas.dir().join("aside"));
    for opens in ["/", "a", ":", "?", "b", "2<ctrl-f>"] {
        let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
        screen.press("j").press(opens).press("1");
        std::fs::rename(&root, &aside).unwrap();
        std::fs::write(&root, "x").unwrap();
        screen.look(true);
        screen.press("q1");
        assert!(!screen.quit && screen.state.overlay.is_some(), "{opens}");
        std::fs::remove_file(&root).unwrap();
        std::fs::rename(&aside, &root).unwrap();
        screen.look(true);
        screen.press("q");
        assert!(!screen.quit && screen.state.overlay.is_some(), "{opens}");
    }
}

#[test]
fn arguments_are_kept_for_each_skill() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let activation = |screen: &Screen| screen.text();
    screen.press("ja<ctrl-d>");
    assert!(activation(&screen).contains("Review $ARGUMENTS"), "verbatim without arguments");
    screen.press("a<enter>");
    assert!(activation(&screen).contains("Review ."), "empty arguments replace");
    screen.press("asrc/a.rs<enter>");
    assert!(activation(&screen).contains("Review src/a.rs."));
    screen.press("jk");
    assert!(activation(&screen).contains("Review src/a.rs."), "kept");
    screen.press("ax<esc>");
    assert!(activation(&screen).contains("Review src/a.rs."), "esc changes nothing");
}

#[test]
fn esc_leads_home_and_tabs_lead_on_narrow_screens() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("j4");
    assert_eq!((screen.state.focus, screen.state.tab), (Pane::Detail, Tab::Catalog));
    screen.press("<ctrl-c>");
    assert_eq!(screen.state.focus, Pane::List);
    screen.press("<enter>?<esc>");
    assert_eq!(screen.state.focus, Pane::Detail, "one level at a time");
    screen.press("q");
    assert!(screen.quit);
}

/// A body of many lines, some of them alike.
fn long(atlas: &Atlas) {
    let lines: String = (1..=200)
        .map(|i| if i % 50 == 0 { format!("Needle {i}\n") } else { format!("line {i}\n") })
        .collect();
    // The line where one types lies over the last rows of the text.
    let lines = lines + &"after\n".repeat(5);
    atlas.skill("long", &format!("---\ndescription: Long.\n---\n{lines}\tno needle, a tab  \n"));
}

#[test]
fn text_is_found_forwards_backwards_and_round() {
    let atlas = Atlas::new();
    long(&atlas);
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "12000", size);
        screen.choose("long").press("2<ctrl-f>Needle");
        for (keys, place, told) in [
            ("", "Needle 50", "row 1 of 4"),
            ("<enter>", "Needle 100", "row 2 of 4"),
            ("<down>", "Needle 150", "row 3 of 4"),
            ("<enter>", "Needle 200", "row 4 of 4"),
            ("<enter>", "Needle 50", "row 1 of 4"),
            ("<up>", "Needle 200", "row 4 of 4"),
        ] {
            screen.press(keys);
            let text = screen.text();
            assert!(text.contains(place) && text.contains(told), "{size:?} {place}\n{text}");
        }
        screen.press("<ctrl-u>needle");
        assert!(screen.text().contains("of 5"), "small letters find capitals: {}", screen.text());
        screen.press("<ctrl-u>absent");
        assert!(screen.text().contains("nowhere"), "{}", screen.text());
        screen.press("<esc>");
        assert!(screen.state.overlay.is_none());
    }
}

#[test]
fn what_was_found_is_never_hidden() {
    let atlas = Atlas::new();
    let lines: String = (1..=100).map(|i| format!("line {i}.\n")).collect();
    atlas.skill("long", &format!("---\ndescription: Long.\n---\n{lines}"));
    for size in SIZES {
        for i in 1..=100 {
            let mut screen = Screen::open(atlas.dir(), "12000", size);
            screen.choose("long").press("2<ctrl-f>").press(&format!("line {i}."));
            let text = screen.text();
            let found = text.lines().any(|l| l.contains(&format!(" line {i}. ")));
            assert!(found, "{size:?} {i}\n{text}");
        }
    }
}

#[test]
fn lines_are_wrapped_or_shifted_and_what_is_invisible_is_shown_or_not() {
    let atlas = Atlas::new();
    let words: String = (0..60).map(|i| format!("word{i:02} ")).collect();
    atlas.skill("odd", &format!("---\ndescription: Odd.\n---\n{words}end\n\ttab  \r\n"));
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 36));
    screen.choose("odd").press("2");
    assert!(screen.text().contains("word59") && screen.text().contains("→   tab··"));
    assert!(screen.text().contains('␍'), "{}", screen.text());
    screen.press("i");
    let text = screen.text();
    assert!(!text.contains('→') && !text.contains("tab··") && !text.contains('␍'), "{text}");
    screen.press("iw");
    assert!(!screen.text().contains("word59"), "{}", screen.text());
    let mut steps = 0;
    while !screen.text().contains("word59") {
        screen.press(">");
        steps += 1;
        assert!(steps < 60, "never there\n{}", screen.text());
    }
    assert!(!screen.text().contains("word00"));
    for _ in 0..steps {
        screen.press("<");
    }
    assert!(screen.text().contains("word00"));
    screen.press("w>");
    assert!(screen.said().contains("only where lines are not wrapped"), "{}", screen.said());
}

#[test]
fn files_are_shown_or_it_is_said_why_not() {
    let atlas = Atlas::new();
    let top = atlas.dir().canonicalize().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "the secret").unwrap();
    atlas.file("files/SKILL.md", "---\ndescription: Files.\n---\n\nBody.\n");
    atlas.bytes("files/b-text.md", b"Plain text.\n");
    atlas.bytes("files/c-binary", b"a\0b");
    atlas.bytes("files/d-huge", &vec![b'x'; (1 << 20) + 1]);
    atlas.bytes("files/e-empty", b"");
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, atlas.root().join("files").join(name)).unwrap();
    };
    link(&outside.path().join("secret"), "f-link-out");
    link(&top.join(".kaged/project.yaml"), "g-link-in");
    link(std::path::Path::new("nowhere"), "h-link-broken");
    for size in SIZES {
        let mut screen = Screen::open(atlas.dir(), "12000", size);
        for (name, said) in [
            ("b-text.md", "1 Plain text."),
            ("c-binary", "A binary file of 3 bytes."),
            ("d-huge", "1,048,577 bytes"),
            ("e-empty", "The file is empty."),
            ("f-link-out", "out of the project"),
            ("g-link-in", "primary:"),
            ("h-link-broken", "nowhere"),
        ] {
            screen.press("<esc><esc>").choose("files").press("5l");
            let at = screen.state.pages.as_ref().unwrap();
            let at = at.tree.items.iter().position(|item| item.name == name).expect(name);
            screen.press(&"j".repeat(at)).press("<enter>");
            let text = screen.text().split_whitespace().collect::<Vec<_>>().join(" ");
            let text = text.replace(" │ │ ", " ");
            assert!(text.contains(said), "{size:?} {name}: {}", screen.text());
            assert!(!text.contains("the secret"));
            screen.press("<esc>");
            assert_eq!((screen.state.focus, screen.state.file), (Pane::Detail, at), "back at it");
        }
    }
}

#[test]
fn the_exact_text_of_each_tab_is_yanked() {
    let atlas = Atlas::new();
    let body = "\n# Review\n\n\tA tab, two spaces  \n\nLook at $ARGUMENTS \u{1b}[31m.";
    atlas.skill("exact", &format!("---\nname: exact\ndescription: To the byte.\n---\n{body}"));
    atlas.bytes("exact/notes.md", b"One\r\n\ttwo  \n");
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 36));
    screen.choose("exact");
    let mut yank = |keys: &str| {
        screen.yanked = None;
        screen.press(keys).press("y");
        assert!(screen.said().contains("sent to the terminal"), "{}", screen.said());
        screen.yanked.clone().expect("a text")
    };
    assert_eq!(yank("2"), body);
    let activation = yank("asrc/<enter>");
    assert!(activation.starts_with("<skill_content name=\"exact\">\n"), "{activation}");
    assert!(activation.contains("\tA tab, two spaces  \n\nLook at src/ \u{1b}[31m."));
    let catalog = yank("4");
    assert!(catalog.contains("- exact: To the byte.\n"), "{catalog}");
    let tool = yank("t");
    assert!(yank("1").contains("folder       .kaged/skills/exact"));
    assert_eq!(yank("5"), "SKILL.md\nnotes.md");
    assert_eq!(yank("5lj<enter>"), "One\r\n\ttwo  \n");
    assert!(yank("6").contains("Nothing is wrong") || yank("6").contains("warning"));
    let deck = screen.state.deck.clone().unwrap();
    assert_eq!(catalog, deck.catalog());
    let want: serde_json::Value = serde_json::to_value(deck.tool().unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&tool).unwrap(), want);
    // The same as the command writes, byte for byte.
    let skill = deck.find("exact").unwrap();
    let fresh = skilldeck::project::activate::reread(&screen.project, skill);
    let given = skilldeck::prompt::arguments::Arguments::Given("src/");
    let written = skilldeck::project::activate::activate(&deck, skill, fresh.as_ref(), given);
    assert_eq!(activation, written.unwrap().text);
}

#[test]
fn a_text_too_large_for_terminals_is_not_yanked() {
    let atlas = Atlas::new();
    let text = "x".repeat(74_994);
    atlas.skill("large", &format!("---\ndescription: Large.\n---\n{text}"));
    atlas.skill("larger", &format!("---\ndescription: Larger.\n---\n{text}x"));
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 36));
    screen.choose("large").press("2y");
    assert_eq!(screen.yanked.take().map(|text| text.len()), Some(74_994));
    screen.choose("larger").press("2y");
    assert_eq!(screen.yanked, None);
    assert!(screen.said().contains("74995 bytes"), "{}", screen.said());
    assert!(screen.said().contains("nothing was sent"), "{}", screen.said());
}
