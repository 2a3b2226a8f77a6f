//! The editor: what one types, what it would change, and what happens underneath.

use skilldeck::tui::message::Message;

use crate::atlas::Atlas;
use crate::atlas::screen::Screen;

const SIZE: (u16, u16) = (120, 36);

fn says(screen: &Screen, text: &str) {
    assert!(screen.text().contains(text), "no {text} in\n{}", screen.text());
}

fn editing(atlas: &Atlas, folder: &str, budget: &str) -> Screen {
    let mut screen = Screen::open(atlas.dir(), budget, SIZE);
    screen.choose(folder).press("e");
    screen
}

#[test]
fn typing_tells_who_pays_for_it_and_what_is_wrong() {
    let atlas = Atlas::new();
    let mut screen = editing(&atlas, "code-review", "600");
    screen.press("<down><down><end>").press(&" more words".repeat(20));
    says(&screen, "`incident-notes` would be cut");
    screen.press("<home><ctrl-k>");
    says(&screen, "this skill does not load");
    screen.press("<ctrl-n>");
    says(&screen, "✖");
    screen.press("<ctrl-u><ctrl-u><ctrl-u><ctrl-u>");
    assert!(screen.draft.is_some());
}

#[test]
fn undo_goes_by_words_and_a_paste_is_one_step() {
    let atlas = Atlas::new();
    let mut screen = editing(&atlas, "git-workflow", "600");
    let start = atlas.read("git-workflow/SKILL.md");
    screen.press("one two");
    screen.send(Message::Paste("a\r\nb\rc".into()));
    says(&screen, "    3 c---");
    screen.press("<ctrl-u>");
    says(&screen, "    1 one two---");
    screen.press("<ctrl-u>");
    says(&screen, "    1 one ---");
    screen.press("<ctrl-r><ctrl-u><ctrl-u>");
    assert!(!screen.text().contains("not saved"), "{}", screen.text());
    assert!(screen.draft.is_none());
    screen.press("<esc>");
    assert_eq!(atlas.read("git-workflow/SKILL.md"), start);
    assert!(screen.state.editing.is_none());
}

#[test]
fn line_ends_are_kept_and_what_is_pasted_gets_them() {
    let atlas = Atlas::empty();
    atlas.skill("dos", "\u{feff}---\r\ndescription: A.\r\n---\r\n\r\nBody.\n");
    let mut screen = editing(&atlas, "dos", "600");
    screen.press("<ctrl-end>");
    screen.send(Message::Paste("x\ny\r\n".into()));
    screen.press("<ctrl-s>");
    assert_eq!(
        atlas.read("dos/SKILL.md"),
        "\u{feff}---\r\ndescription: A.\r\n---\r\n\r\nBody.\nx\r\ny\r\n"
    );
}

#[test]
fn a_key_of_the_frontmatter_is_completed() {
    let atlas = Atlas::new();
    let mut screen = editing(&atlas, "git-workflow", "600");
    screen.press("<down><end><enter>gl");
    says(&screen, "tab globs: ");
    screen.press("<tab>");
    says(&screen, "    3 globs:");
}

#[test]
fn text_is_found_and_replaced() {
    let atlas = Atlas::new();
    let mut screen = editing(&atlas, "code-review", "600");
    screen.press("<ctrl-f>").press("review");
    says(&screen, "4 places");
    screen.press("<enter><enter>");
    says(&screen, "2 of 4");
    screen.press("<tab>look<ctrl-r>");
    says(&screen, "of 3");
    screen.press("<ctrl-a>");
    says(&screen, "replaced 3 times");
    screen.press("<esc>");
    says(&screen, "# Code look");
    screen.press("<ctrl-u><ctrl-u><esc>");
    assert!(screen.state.editing.is_none(), "nothing is left to save");
}

#[test]
fn leaving_asks_what_is_to_become_of_the_text() {
    let atlas = Atlas::new();
    let start = atlas.read("code-review/SKILL.md");
    let mut screen = editing(&atlas, "code-review", "600");
    screen.press("<ctrl-end>End.<esc>");
    says(&screen, "The text is not saved");
    says(&screen, "+End.");
    screen.press("<esc>");
    says(&screen, "not saved");
    screen.press("<esc><down><enter>");
    assert!(screen.state.editing.is_none() && screen.draft.is_none());
    assert_eq!(atlas.read("code-review/SKILL.md"), start);
    screen.press("e").press("<ctrl-end>End.<esc><enter>");
    assert!(screen.state.editing.is_none());
    assert_eq!(atlas.read("code-review/SKILL.md"), format!("{start}End."));
}

#[test]
fn a_file_that_changed_underneath_is_mine_theirs_or_both() {
    let base = "---\nname: a\ndescription: A.\n---\n\none\ntwo\nthree\n";
    let mine = "---\nname: a\ndescription: A.\n---\n\none\ntwo\nthree\nmine";
    let theirs = "---\nname: a\ndescription: Theirs.\n---\n\none\ntwo\nthree\n";
    let both = "---\nname: a\ndescription: Theirs.\n---\n\none\ntwo\nthree\nmine";
    for (keys, want) in
        [("<enter>", mine), ("<down><enter>", theirs), ("<down><down><enter><ctrl-s>", both)]
    {
        let atlas = Atlas::empty();
        atlas.skill("a", base);
        let mut screen = editing(&atlas, "a", "600");
        screen.press("<ctrl-end>mine");
        atlas.skill("a", theirs);
        screen.look(true);
        screen.send(Message::Looked);
        says(&screen, "changed on disk");
        screen.press("<ctrl-s>");
        says(&screen, "The file has changed on disk");
        screen.press(keys);
        assert_eq!(atlas.read("a/SKILL.md"), want, "{keys}");
        assert!(!screen.text().contains("not saved"), "{}", screen.text());
    }
}

#[test]
fn a_file_that_is_only_looked_at_is_read_again() {
    let atlas = Atlas::empty();
    atlas.skill("a", "---\ndescription: A.\n---\n\none\n");
    let mut screen = editing(&atlas, "a", "600");
    atlas.skill("a", "---\ndescription: A.\n---\n\ntwo\n");
    screen.send(Message::Looked);
    says(&screen, "read again");
    says(&screen, "    5 two");
}

#[test]
fn a_file_that_was_deleted_underneath_is_written_again() {
    let atlas = Atlas::empty();
    atlas.skill("a", "---\ndescription: A.\n---\n\none\n");
    let mut screen = editing(&atlas, "a", "600");
    screen.press("<ctrl-end>more");
    atlas.remove("a");
    screen.look(true);
    screen.send(Message::Looked);
    says(&screen, "deleted on disk");
    screen.press("<ctrl-s>");
    says(&screen, "The file was deleted on disk");
    screen.press("<enter>");
    assert_eq!(atlas.read("a/SKILL.md"), "---\ndescription: A.\n---\n\none\nmore");
}

#[test]
fn the_fixes_are_offered_in_the_editor() {
    let atlas = Atlas::empty();
    atlas.skill("a", "---\nname: a\ndescription: one: two\n---\n\nBody.\n");
    let mut screen = editing(&atlas, "a", "600");
    screen.press("<ctrl-t>");
    says(&screen, "+description: \"one: two\"");
    screen.press("<enter><ctrl-s>");
    assert!(atlas.read("a/SKILL.md").contains("description: \"one: two\"\n"));
    screen.press("<ctrl-t>");
    says(&screen, "there is no safe fix");
}

#[test]
fn what_is_no_text_or_too_large_is_not_opened() {
    let atlas = Atlas::empty();
    atlas.bytes("a/SKILL.md", b"---\ndescription: A.\n---\n\xff\n");
    let large = format!("---\ndescription: B.\n---\n{}", "x\n".repeat(150_000));
    atlas.skill("b", &large);
    for (folder, why) in [("a", "it is no text (UTF-8)"), ("b", "more than the 262,144")] {
        let screen = editing(&atlas, folder, "600");
        says(&screen, why);
        says(&screen, "(E)");
        assert!(screen.state.editing.is_none());
    }
    // Nor does a paste make it so.
    atlas.skill("c", "---\ndescription: C.\n---\n");
    let mut screen = editing(&atlas, "c", "600");
    screen.send(Message::Paste("y".repeat(60) + &"\n".repeat(300_000)));
    says(&screen, "it was not taken");
    assert!(!screen.text().contains("not saved"));
}
