//! The list: the filter, the order, the choice, the problems, and reloads.

use skilldeck::tui::message::Message;
use skilldeck::tui::state::{Row, Sort};

use crate::atlas::Atlas;
use crate::atlas::screen::Screen;

#[test]
fn seventeen_skills_are_cut_where_the_budget_ends() {
    let tmp = tempfile::tempdir().unwrap();
    for i in 1..=17 {
        let folder = tmp.path().join(format!(".kaged/skills/skill-{i:02}"));
        std::fs::create_dir_all(&folder).unwrap();
        // Each line takes 25 characters with its line end.
        let text = "---\ndescription: Twelve chars\n---\n\nBody.\n";
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    for (budget, used, limit, listed) in [
        ("425", "425", "425", 17),
        ("424", "400", "424", 16),
        ("0", "25", "0", 1),
        ("1", "25", "1", 1),
        ("-5", "25", "0", 1),
        ("abc", "425", "12,000", 17),
        ("", "425", "12,000", 17),
    ] {
        let screen = Screen::open(tmp.path(), budget, (120, 36));
        let text = screen.text();
        assert!(text.contains(&format!("{used} / {limit} characters   {listed} listed")), "{text}");
        let cut = screen.state.rows.iter().position(|row| *row == Row::Cut);
        assert_eq!(cut, (listed < 17).then_some(listed), "{budget:?}");
        assert_eq!(text.contains(&format!("{limit} characters end here")), listed < 17, "{text}");
        let list = |line: &str| line.chars().take(51).collect::<String>();
        let cuts = text.lines().filter(|line| list(line).contains("  cut ")).count();
        assert_eq!(cuts, 17 - listed, "{text}");
    }
}

#[test]
fn the_cut_cannot_be_chosen() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let cut = screen.state.rows.iter().position(|r| *r == Row::Cut).expect("a cut");
    for _ in 0..screen.state.rows.len() {
        assert_ne!(screen.state.selected, cut);
        screen.press("j");
    }
    assert_eq!(screen.state.selected, screen.state.rows.len() - 1);
    for _ in 0..screen.state.rows.len() {
        assert_ne!(screen.state.selected, cut);
        screen.press("k");
    }
    assert_eq!(screen.state.selected, 0);
}

#[test]
fn the_choice_stays_when_the_disk_changes() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press("jjj");
    let chosen = screen.state.selected_key().unwrap();
    atlas.skill("aaa-first", "---\ndescription: Comes before all.\n---\n\nBody.\n");
    screen.look(true);
    assert_eq!(screen.state.selected_key().unwrap(), chosen);
    let told = screen.row(34);
    assert!(told.contains("running kaged sessions keep their catalog"), "{told}");
    atlas.remove(&chosen);
    let at = screen.state.selected;
    screen.press("l");
    screen.look(true);
    assert_eq!(screen.state.selected, at, "the next one takes its place");
    assert!(!screen.row(34).contains("running"), "said once");
}

#[test]
fn the_place_in_the_list_stays_while_the_detail_hides_it() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("jj<enter>");
    atlas.skill("zz-last", "---\ndescription: Comes after all.\n---\n\nBody.\n");
    screen.look(true);
    screen.press("<esc>");
    assert_eq!(screen.state.offset, 0, "{}", screen.text());
}

#[test]
fn the_choice_survives_a_root_that_is_away_for_a_moment() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (80, 24));
    screen.press("jj<enter>");
    let (root, aside) = (atlas.dir().join(".kaged/skills"), atlas.dir().join("aside"));
    std::fs::rename(&root, &aside).unwrap();
    screen.look(true);
    std::fs::write(&root, "x").unwrap();
    screen.look(true);
    assert!(screen.text().contains("not-a-directory"), "{}", screen.text());
    std::fs::remove_file(&root).unwrap();
    std::fs::rename(&aside, &root).unwrap();
    screen.look(true);
    assert_eq!(screen.state.selected_key().as_deref(), Some("deploy-runbook"));
}

#[test]
fn an_empty_and_a_missing_root_say_what_to_do() {
    let tmp = tempfile::tempdir().unwrap();
    std::fs::create_dir(tmp.path().join(".kaged")).unwrap();
    let screen = Screen::open(tmp.path(), "600", (80, 24));
    assert!(screen.text().contains("There is no skills root yet."), "{}", screen.text());
    std::fs::create_dir(tmp.path().join(".kaged/skills")).unwrap();
    let screen = Screen::open(tmp.path(), "600", (80, 24));
    assert!(screen.text().contains("There is no skill yet."), "{}", screen.text());
}

#[test]
fn a_root_that_must_not_be_read_is_a_state_of_the_screen() {
    let tmp = tempfile::tempdir().unwrap();
    std::fs::create_dir(tmp.path().join(".kaged")).unwrap();
    std::fs::write(tmp.path().join(".kaged/skills"), "x").unwrap();
    let mut screen = Screen::open(tmp.path(), "600", (100, 24));
    let text = screen.text();
    assert!(text.contains("not-a-directory") && text.contains("error"), "{text}");
    std::fs::remove_file(tmp.path().join(".kaged/skills")).unwrap();
    screen.press("R");
    assert!(screen.text().contains("There is no skills root yet."), "{}", screen.text());
}

/// Types a filter and keeps it.
fn filtered(screen: &mut Screen, typed: &str) -> Vec<String> {
    screen.press("/<ctrl-u>").press(typed).press("<enter>");
    screen.folders()
}

#[test]
fn a_filter_finds_by_name_by_description_and_by_what_a_skill_is_and_has() {
    let atlas = Atlas::new();
    atlas.skill(
        "reviews",
        "---\nname: code-review\ndescription: Takes the name.\n---\n\nBody of $ARGUMENTS.\n",
    );
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    for (typed, found) in [
        ("drb", "deploy-runbook"),
        ("DRB", "deploy-runbook"),
        ("dploy", "deploy-runbook"),
        ("IS:Error", "Pdf_Processing reviews"),
        ("pdf", "Pdf_Processing"),
        ("tag", "release-notes"),
        ("thanks everybody", "release-notes"),
        ("is:error", "Pdf_Processing reviews"),
        ("is:warning", "deploy-runbook"),
        ("is:cut", "release-notes"),
        ("is:hidden", "git-workflow"),
        ("is:listed", "code-review deploy-runbook incident-notes"),
        ("is:duplicate", "reviews"),
        ("is:filtered", ""),
        ("is:link", ""),
        ("has:args", "code-review reviews"),
        ("has:globs", "deploy-runbook"),
        ("has:resources", "deploy-runbook"),
        ("is:l notes", "incident-notes"),
        ("is:valid notes", "incident-notes release-notes"),
        ("notes is:c", "release-notes"),
        ("has:args is:error", "reviews"),
        ("is:foo", ""),
        ("zzzz", ""),
        (
            "  ",
            "Pdf_Processing code-review reviews deploy-runbook git-workflow incident-notes release-notes",
        ),
    ] {
        assert_eq!(filtered(&mut screen, typed).join(" "), found, "{typed}");
    }
    screen.press("/<ctrl-u>drb");
    assert_eq!(screen.state.selected_key().as_deref(), Some("deploy-runbook"), "the best fits");
    screen.press("<esc>");
    assert_eq!(screen.folders().len(), 7, "esc shows every skill again");
}

#[test]
fn words_that_take_letters_away_and_add_them_again_find_the_same() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    let mut found = Vec::new();
    screen.press("/");
    for c in "notes is:cut".chars() {
        screen.press(&c.to_string());
        found.push(screen.folders());
    }
    while let Some(before) = found.pop() {
        assert_eq!(screen.folders(), before);
        screen.press("<backspace>");
    }
    assert_eq!(screen.folders().len(), 6);
}

#[test]
fn filter_order_and_choice_outlive_reloads_and_renames() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.press("sjj<enter>/e<enter>").choose("incident-notes");
    let check = |screen: &Screen, found: &str, chosen: &str| {
        assert_eq!(screen.folders().join(" "), found);
        assert_eq!(screen.state.selected_key().as_deref(), Some(chosen));
        assert!(screen.text().contains(&format!("/e {} found", found.split(' ').count())));
    };
    let all = "deploy-runbook release-notes code-review git-workflow incident-notes Pdf_Processing";
    check(&screen, all, "incident-notes");
    screen.look(true);
    check(&screen, all, "incident-notes");
    std::fs::rename(atlas.root().join("git-workflow"), atlas.root().join("the-workflow")).unwrap();
    screen.look(true);
    check(&screen, &all.replace("git", "the"), "incident-notes");
    // The chosen one goes: what stands in its place is chosen, filter and order stay.
    atlas.remove("incident-notes");
    screen.look(true);
    let left = "deploy-runbook release-notes code-review the-workflow Pdf_Processing";
    check(&screen, left, "Pdf_Processing");
    // It comes back, and nobody has moved since.
    atlas.skill("incident-notes", "---\ndescription: How to write the notes.\n---\n\nBody.\n");
    screen.look(true);
    assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"));
}

#[test]
fn a_choice_that_the_filter_hides_comes_back_with_it() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.choose("incident-notes").press("/is:hidden<enter>");
    assert_eq!(screen.state.selected_key().as_deref(), Some("git-workflow"));
    screen.press("<esc>");
    assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"));
}

#[test]
fn orders_are_what_they_say() {
    let atlas = Atlas::new();
    for (days, folder) in (1u64..).zip(["git-workflow", "code-review", "release-notes"]) {
        let path = atlas.root().join(folder).join("SKILL.md");
        let day = std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(1_780_000_000 + days * 86_400);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(day).unwrap();
    }
    let name =
        "Pdf_Processing code-review deploy-runbook git-workflow incident-notes release-notes";
    let status =
        "Pdf_Processing deploy-runbook code-review git-workflow incident-notes release-notes";
    let cost =
        "deploy-runbook release-notes code-review git-workflow incident-notes Pdf_Processing";
    let modified =
        "release-notes code-review git-workflow Pdf_Processing deploy-runbook incident-notes";
    let size =
        "deploy-runbook release-notes code-review git-workflow incident-notes Pdf_Processing";
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    for (order, want) in [
        ("name", name),
        ("status", status),
        ("cost", cost),
        ("modified", modified),
        ("size", size),
        ("name", name),
    ] {
        let at = Sort::ALL.iter().position(|sort| sort.name() == order).unwrap();
        screen.choose("incident-notes").press("sg").press(&"j".repeat(at)).press("<enter>");
        assert_eq!(screen.state.sort.name(), order);
        assert_eq!(screen.folders().join(" "), want, "{order}");
        assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"), "{order}");
        let has_cut = screen.state.rows.contains(&Row::Cut);
        assert_eq!(has_cut, order == "name", "the cut has a place only in the catalog's order");
    }
}

#[test]
fn the_problems_are_gone_through_in_order_and_round() {
    let atlas = Atlas::new();
    atlas.skill("a-bom", "\u{feff}---\ndescription: Marked.\n---\n\nBody.\n");
    atlas.skill("zz-empty", "");
    let problems = ["Pdf_Processing", "a-bom", "deploy-runbook", "zz-empty"];
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.choose("Pdf_Processing");
    let chosen = |screen: &Screen| screen.state.selected_key().unwrap();
    for at in [1, 2, 3, 0, 1] {
        screen.press("]");
        assert_eq!(chosen(&screen), problems[at]);
        assert!(screen.said().contains(&format!("skill {} of 4 with a problem", at + 1)));
    }
    for at in [0, 3, 2] {
        screen.press("[");
        assert_eq!(chosen(&screen), problems[at]);
    }
    screen.press("/is:error<enter>g]");
    assert_eq!(chosen(&screen), "zz-empty", "only among those shown");
    screen.press("/<ctrl-u>is:hidden<enter>]");
    assert!(screen.said().contains("no problem among those shown"), "{}", screen.said());
}

#[test]
fn a_filter_finds_the_same_typed_and_pasted() {
    let atlas = Atlas::new();
    atlas.skill("zz-odd", "---\ndescription: We depl it to kubernetes.\n---\n\nx\n");
    for text in ["dpl", "kbern", "dploy", "prod", "is:valid notes", "thnks"] {
        let mut typed = Screen::open(atlas.dir(), "600", (120, 36));
        typed.press("/").press(text);
        let mut pasted = Screen::open(atlas.dir(), "600", (120, 36));
        pasted.press("/");
        pasted.send(Message::Paste(text.to_owned()));
        assert_eq!(typed.state.rows, pasted.state.rows, "{text}");
        pasted.look(true);
        assert_eq!(typed.state.rows, pasted.state.rows, "{text}, read again");
    }
}

#[test]
fn letters_on_the_way_to_a_word_leave_the_choice() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.choose("incident-notes");
    screen.press("/is:valid<enter>");
    assert_eq!(screen.state.selected_key().as_deref(), Some("incident-notes"));
}
