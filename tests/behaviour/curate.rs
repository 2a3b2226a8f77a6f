//! Creating, renaming, copying, deleting, mending, and taking it all back.

use std::fs;

use crate::atlas::Atlas;
use crate::atlas::screen::Screen;

const SIZE: (u16, u16) = (120, 36);

fn says(screen: &Screen, text: &str) {
    assert!(screen.text().contains(text), "no {text} in\n{}", screen.text());
}

/// Takes back everything that was done.
pub fn undo_all(screen: &mut Screen) {
    for _ in 0..500 {
        screen.press("u");
        if screen.toast().contains("there is nothing to undo") {
            return;
        }
        assert!(screen.toast().contains("undone"), "{}", screen.text());
    }
    panic!("there is no end to it");
}

#[test]
fn a_skill_is_made_written_saved_and_previewed() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.press("n").press("Bad Name");
    says(&screen, "`bad-name` would do");
    screen.press("<ctrl-u>code-review");
    says(&screen, "exists already");
    screen.press("<ctrl-u>brand-new<tab>Does something new.");
    says(&screen, "description: 19 characters; +33 characters: nobody is cut for it");
    says(&screen, "+description: Does something new.");
    screen.press("<enter>");
    says(&screen, "brand-new/SKILL.md");
    assert!(atlas.read("brand-new/SKILL.md").contains("description: Does something new."));
    screen.press("<ctrl-end>Do $ARGUMENTS.<enter>");
    says(&screen, "not saved");
    assert!(screen.draft.is_some());
    screen.press("<ctrl-s>");
    assert!(atlas.read("brand-new/SKILL.md").ends_with("Do $ARGUMENTS.\n"));
    assert!(screen.draft.is_none(), "what is saved needs no draft");
    screen.press("<esc>a").press("this");
    says(&screen, "Arguments for brand-new");
    screen.press("<enter>");
    says(&screen, "Do this.");
    says(&screen, "Listed: ");
    undo_all(&mut screen);
    assert_eq!(atlas.tree(), before);
}

#[test]
fn a_rename_shows_its_parts_and_leaves_out_what_one_wants() {
    let atlas = Atlas::new();
    atlas.project_yaml("primary:\n  skills: [code-review, \"*\"] # all\n");
    atlas.skill("other", "---\ndescription: Other.\n---\n\nSee skills/code-review.\n");
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("code-review").press("r").press("<ctrl-u>review");
    for part in [
        "`code-review` in .kaged/project.yaml:2",
        "`code-review` in .kaged/skills/other/SKILL.md:5",
        "`name` in its SKILL.md",
        "the folder",
    ] {
        says(&screen, part);
    }
    // The mention stays as it is.
    screen.press("<tab><down> ");
    says(&screen, "other/SKILL.md:5  left out");
    screen.press("<enter>");
    assert!(atlas.read("review/SKILL.md").contains("name: review\n"));
    assert!(atlas.read("other/SKILL.md").contains("skills/code-review"));
    let yaml = fs::read_to_string(atlas.dir().join(".kaged/project.yaml")).unwrap();
    assert_eq!(yaml, "primary:\n  skills: [review, \"*\"] # all\n");
    assert_eq!(screen.state.selected_key().as_deref(), Some("review"));
    let after = atlas.tree();
    assert!(screen.toast().contains("u takes it back"), "{}", screen.text());
    screen.press("u");
    assert!(screen.toast().contains("ctrl-r makes it again"), "{}", screen.text());
    assert_eq!(atlas.tree(), before);
    assert_eq!(screen.state.selected_key().as_deref(), Some("code-review"));
    screen.press("<ctrl-r>");
    assert_eq!(atlas.tree(), after);
}

#[test]
fn marked_skills_are_deleted_and_mended_as_one_step() {
    let atlas = Atlas::new();
    atlas.skill("quotes", "---\nname: quotes\ndescription: one: two\n---\n\nBody.\n");
    atlas.skill("more", "---\nname: mroe\ndescription: Three.\n---\n\nBody.\n");
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("quotes").press("<space>").choose("more").press("<space>");
    says(&screen, "2 marked");
    screen.press("f");
    says(&screen, "Fix 2 skills?");
    says(&screen, "fix `quotes`");
    screen.press("<enter>");
    assert!(atlas.read("quotes/SKILL.md").contains("description: \"one: two\"\n"));
    assert!(atlas.read("more/SKILL.md").contains("name: more\n"));
    screen.press("u");
    assert_eq!(atlas.tree(), before);
    screen.choose("quotes").press("<space>").choose("more").press("<space>d");
    says(&screen, "Delete 2 skills?");
    screen.press("<esc>");
    assert_eq!(atlas.tree(), before, "nothing is done before one agrees");
    screen.press("d<enter>");
    assert!(!atlas.root().join("quotes").exists() && !atlas.root().join("more").exists());
    screen.press("U");
    says(&screen, "delete 2 skills");
    screen.press("u<esc>");
    assert_eq!(atlas.tree(), before);
}

#[test]
fn what_was_deleted_comes_back_from_the_trash() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("deploy-runbook").press("d");
    says(&screen, "`deploy-runbook` with 3 files");
    screen.press("<enter>T");
    says(&screen, "In the trash");
    screen.press("<enter>");
    assert_eq!(atlas.tree(), before);
    undo_all(&mut screen);
    assert_eq!(atlas.tree(), before);
}

#[test]
fn files_of_a_skill_are_made_edited_renamed_and_deleted() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("deploy-runbook").press("5l");
    screen.press("n").press("<ctrl-u>notes/first.md<enter>");
    assert_eq!(atlas.read("deploy-runbook/notes/first.md"), "");
    screen.press("n").press("<ctrl-u>empty/<enter>");
    assert!(atlas.root().join("deploy-runbook/empty").is_dir());
    screen.press("gjjjjj");
    let open = |screen: &mut Screen, name: &str| {
        for _ in 0..9 {
            let file = screen.state.chosen_file().map(|item| item.name.clone());
            if file.as_deref() == Some(name) {
                return;
            }
            screen.press("j");
        }
        panic!("no {name} in\n{}", screen.text());
    };
    screen.press("g");
    open(&mut screen, "rollback.md");
    screen.press("e").press("First. <ctrl-s><esc>");
    assert_eq!(atlas.read("deploy-runbook/rollback.md"), "First. Roll back.\n");
    screen.press("r").press("<ctrl-u>docs/back.md<enter>");
    says(&screen, "is not there any more");
    screen.press("<ctrl-u>back.md<enter>");
    assert_eq!(atlas.read("deploy-runbook/back.md"), "First. Roll back.\n");
    screen.press("g");
    open(&mut screen, "back.md");
    screen.press("d");
    says(&screen, "Delete `back.md` of `deploy-runbook`?");
    screen.press("<enter>");
    assert!(!atlas.root().join("deploy-runbook/back.md").exists());
    screen.press("g");
    open(&mut screen, "SKILL.md");
    screen.press("d");
    says(&screen, "without its SKILL.md it would be no skill");
    screen.press("<esc>");
    undo_all(&mut screen);
    assert_eq!(atlas.tree(), before);
}

#[test]
fn an_undo_that_would_lose_something_is_refused_with_the_reason() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("code-review").press("e").press("<down><end>x<ctrl-s><esc>");
    let theirs = "---\ndescription: Theirs.\n---\n\nBody.\n";
    atlas.skill("code-review", theirs);
    screen.look(true);
    screen.press("u");
    assert!(screen.text().contains("has changed on disk"), "{}", screen.text());
    assert_eq!(atlas.read("code-review/SKILL.md"), theirs);
}

#[test]
fn an_empty_project_leads_to_the_first_skill_and_to_those_of_others() {
    let atlas = Atlas::empty();
    let dir = atlas.dir().join(".claude/skills/theirs");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("SKILL.md"), "---\ndescription: Theirs.\n---\n\nBody.\n").unwrap();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.state.others = vec![(".claude/skills".into(), "1 skill".into())];
    says(&screen, "n makes the first one.");
    says(&screen, "I imports the 1 skill of .claude/skills.");
    screen.press("I");
    says(&screen, "`theirs` with 1 file, listed");
    screen.press("<enter>");
    assert!(atlas.read("theirs/SKILL.md").contains("Theirs."));
    assert_eq!(screen.folders(), ["theirs"]);
    screen.press("u");
    assert_eq!(atlas.tree(), before);
}

#[test]
fn a_copy_has_the_files_of_its_skill_and_a_name_of_its_own() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("deploy-runbook").press("c");
    says(&screen, "copy `deploy-runbook` to `deploy-runbook-copy`");
    screen.press("<enter>");
    assert!(atlas.read("deploy-runbook-copy/SKILL.md").contains("name: deploy-runbook-copy\n"));
    assert_eq!(atlas.read("deploy-runbook-copy/scripts/check.sh"), "true\n");
    assert_eq!(screen.state.selected_key().as_deref(), Some("deploy-runbook-copy"));
    screen.press("u");
    assert_eq!(atlas.tree(), before);
}

#[test]
fn a_loose_file_becomes_a_skill() {
    let atlas = Atlas::new();
    atlas.file("loose.md", "---\ndescription: Loose.\n---\n\nBody.\n");
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("loose.md").press("f");
    says(&screen, "Make `loose.md` a skill?");
    screen.press("<enter>");
    assert!(atlas.read("loose/SKILL.md").contains("Loose."));
    screen.press("u");
    assert_eq!(atlas.tree(), before);
}

#[test]
fn a_click_on_a_part_leaves_it_out_and_never_agrees() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("code-review").press("r").press("<ctrl-u>review");
    screen.click_on("the folder").click_on("the folder");
    says(&screen, "the folder  left out");
    screen.click_on("the folder");
    says(&screen, "[✓] the folder");
    assert_eq!(atlas.tree(), before);
}

#[test]
fn skills_come_in_from_any_folder_or_archive_and_go_out_into_one() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    // Out: the chosen skill, into an archive in the project.
    screen.choose("code-review").press("W");
    says(&screen, "export 1 skill with 1 file to code-review.skill");
    screen.press("<enter>");
    assert!(atlas.dir().join("code-review.skill").is_file(), "{}", screen.text());
    // In: what is here already is said, and nothing is done.
    screen.press("I<ctrl-u>code-review.skill");
    says(&screen, "`code-review` is here already, byte for byte");
    screen.press("<esc>");
    screen.choose("code-review").press("d<enter>");
    assert!(!atlas.root().join("code-review").exists());
    screen.press("I<ctrl-u>code-review.skill");
    says(&screen, "`code-review` with 1 file, listed");
    screen.press("<enter>");
    assert!(atlas.read("code-review/SKILL.md").contains("Systematic"));
    // What is no archive, is not there, or lies outside is said.
    screen.press("I<ctrl-u>no/such/place");
    says(&screen, "cannot be read");
    screen.press("<esc>I<ctrl-u>.kaged/project.yaml");
    says(&screen, "is no .zip, .skill or .tar.gz");
    screen.press("<esc>W<ctrl-u>../out.zip");
    says(&screen, "name a file in the project");
    screen.press("<ctrl-u>code-review.skill");
    says(&screen, "exists already");
    screen.press("<ctrl-u>out.rar");
    says(&screen, "is no .zip, .skill or .tar.gz");
    screen.press("<esc>");
    undo_all(&mut screen);
    assert!(atlas.tree() == before);
}
