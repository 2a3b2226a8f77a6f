//! What each client makes of the skills, the cut and the way back above it, the
//! agents, hints, and turning a skill on and off.

use std::fs;

use skilldeck::profile::Profile;
use skilldeck::project::View;
use skilldeck::project::usage::Record;
use skilldeck::tui::listing::Row;

use crate::atlas::Atlas;
use crate::atlas::screen::Screen;

const SIZE: (u16, u16) = (120, 36);
const YAML: &str = ".kaged/project.yaml";

fn says(screen: &Screen, text: &str) {
    assert!(screen.text().contains(text), "no {text} in\n{}", screen.text());
}

/// Turning a skill off (or on) for the agent, the list then, and taking it back.
fn toggled(yaml: &str, agent: Option<&str>, folder: &str, want: &str) {
    let atlas = Atlas::new();
    atlas.project_yaml(yaml);
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    if let Some(agent) = agent {
        screen.state.view.agent = Some(agent.to_owned());
        screen.look(false);
    }
    screen.choose(folder).press("x<enter>");
    let written = fs::read_to_string(atlas.dir().join(YAML)).unwrap();
    assert_eq!(written, want, "{}", screen.text());
    screen.press("u");
    assert!(screen.toast().contains("undone"), "{}", screen.text());
    assert!(atlas.tree() == before, "taking it back brings every byte back: {yaml}");
    screen.press("<ctrl-r>");
    assert_eq!(fs::read_to_string(atlas.dir().join(YAML)).unwrap(), want);
}

#[test]
fn a_skill_is_turned_on_and_off_for_an_agent_and_every_byte_comes_back() {
    // One by one in a list of lines, with comments.
    toggled(
        "primary: # me\n  skills:\n    - code-review  # first\n    - \"release-*\"\n",
        None,
        "code-review",
        "primary: # me\n  skills:\n    - \"release-*\"\n",
    );
    toggled(
        "primary:\r\n  skills: [code-review, 'release-notes'] # two\r\nother: 1\r\n",
        None,
        "incident-notes",
        "primary:\r\n  skills: [code-review, 'release-notes', incident-notes] # two\r\nother: 1\r\n",
    );
    // No list: all of the others are named.
    toggled(
        "primary:\n  model: m\n",
        None,
        "code-review",
        "primary:\n  skills:\n    - Pdf_Processing\n    - deploy-runbook\n    - git-workflow\n    \
         - incident-notes\n    - release-notes\n  model: m\n",
    );
    // Of another agent than the one that is looked at first.
    toggled(
        "primary:\n  subagents:\n    reviewer:\n      skills: [code-review]\n",
        Some("primary/reviewer"),
        "release-notes",
        "primary:\n  subagents:\n    reviewer:\n      skills: [code-review, release-notes]\n",
    );
}

#[test]
fn what_turning_off_writes_is_shown_before_and_nothing_is_written_by_leaving() {
    let atlas = Atlas::new();
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("code-review").press("x");
    says(&screen, "-  skills: [\"*\"]");
    says(&screen, "names skills one by one, so a new one is not in it");
    screen.press("<esc>");
    assert!(atlas.tree() == before);
    // Another agent by the arrows.
    screen.press("x<right>");
    says(&screen, "primary/reviewer");
    says(&screen, "-      skills: [\"code-*\"]");
    screen.press("<enter>");
    let yaml = fs::read_to_string(atlas.dir().join(YAML)).unwrap();
    assert!(yaml.contains("reviewer:\n      skills: []\n"), "{yaml}");
    assert!(yaml.starts_with("primary:\n  skills: [\"*\"]\n"), "{yaml}");
}

#[test]
fn a_broken_file_is_shown_where_it_breaks_and_not_changed() {
    let atlas = Atlas::new();
    atlas.project_yaml("primary:\n  skills: [a\nother: }\n");
    let before = atlas.tree();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.choose("code-review").press("x<enter>");
    says(&screen, "until then no skill can be turned on or off");
    assert!(atlas.tree() == before);
    screen.press("<esc>O");
    says(&screen, "What is wrong with the files");
    says(&screen, ".kaged/project.yaml:3:");
}

#[test]
fn each_client_says_what_it_loses_and_enter_looks_as_it() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", SIZE);
    screen.choose("code-review").press("C");
    says(&screen, "Which clients lose something, and what");
    let at = screen.text().lines().position(|line| line.contains("zed ")).unwrap();
    assert!(at > 0);
    screen.press("<end>");
    let chosen = screen.state.sheet_mut().unwrap().selected;
    screen.press("<enter>");
    assert!(screen.state.overlay.is_none());
    assert_eq!(screen.state.view.profile, Profile::ALL[chosen]);
}

#[test]
fn the_overview_has_a_row_for_what_clients_make_of_the_skill() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 60));
    screen.choose("Pdf_Processing");
    says(&screen, "clients");
    says(&screen, "skipped by kaged");
    screen.choose("code-review");
    says(&screen, "loads in every client");
}

#[test]
fn from_a_cut_skill_to_why_and_what_brings_it_back_in_one_key() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", SIZE);
    screen.choose("release-notes").press("L");
    says(&screen, "To bring back `release-notes`: 52 characters must go");
    says(&screen, "shorten `deploy-runbook` from 289 to 237 characters, by 52");
    says(&screen, "The catalog is what it was when this session began");
    // Do as it says, from the same place.
    screen.press("<esc>").choose("deploy-runbook").press("D<ctrl-u>");
    screen.press(&format!("Use when deploying. {}", "x".repeat(217)));
    says(&screen, "release-notes");
    let before = atlas.read("deploy-runbook/SKILL.md");
    assert!(before.contains("Step-by-step"), "nothing is written while one types");
    screen.press("<enter>");
    let listed = |screen: &Screen, name: &str| {
        let deck = screen.state.deck.clone().unwrap();
        deck.listed().any(|skill| skill.folder() == name)
    };
    assert!(listed(&screen, "release-notes"), "{}", screen.text());
    screen.press("L");
    says(&screen, "Nothing is cut.");
    says(&screen, "The catalog since this session began: +149 characters");
    screen.press("<esc>u");
    assert_eq!(atlas.read("deploy-runbook/SKILL.md"), before);
    assert!(!listed(&screen, "release-notes"));
}

#[test]
fn a_typed_path_names_the_skills_that_it_suggests() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.press("H").press("deploy/prod.yaml");
    says(&screen, "matches the deploy-runbook skill's globs");
    screen.press("<ctrl-u>src/main.rs");
    says(&screen, "src/main.rs suggests no skill: no globs match it");
    screen.press("<ctrl-u>deploy/x<enter>");
    assert_eq!(screen.state.selected_key().as_deref(), Some("deploy-runbook"));
}

#[test]
fn the_agents_are_told_with_what_each_may_not_use() {
    let atlas = Atlas::new();
    atlas.project_yaml(
        "primary:\n  skills: [\"code-*\", nothing]\n  subagents:\n    reviewer:\n      skills: []\n",
    );
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 50));
    screen.press("O");
    for text in [
        "primary  may use 1 of 5  1 listed  0 cut",
        "primary/reviewer  may use 0 of 5",
        "No agent gets 4 skills",
        "1 pattern matches nothing",
    ] {
        says(&screen, text);
    }
    screen.press("<down><enter>");
    assert_eq!(screen.state.view.agent.as_deref(), Some("primary/reviewer"));
}

#[test]
fn how_often_a_skill_was_used_is_shown_sorted_by_and_told_of_what_costs_in_vain() {
    let atlas = Atlas::new();
    let file = atlas.dir().join("m.jsonl");
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 60));
    let project = screen.state.deck.clone().unwrap().project.clone();
    let used = |skill: &str, day: u8| {
        let now = Record::now(&project, None, skill);
        Record { time: format!("2026-06-{day:02}T00:00:00Z"), ..now }.append(&file).unwrap();
    };
    used("incident-notes", 1);
    used("release-notes", 2);
    used("release-notes", 3);
    assert!(!screen.text().contains("used  "), "nothing is said where nothing is recorded");
    screen.records = Some(file.clone());
    screen.look(false);
    screen.choose("release-notes");
    says(&screen, "used         2 times, the last at 2026-06-03T00:00:00Z");
    screen.choose("code-review");
    says(&screen, "used         never since 2026-06-01T00:00:00Z");
    screen.press("s").press("<end><enter>");
    let order: Vec<_> = screen.state.rows.iter().take(2).copied().collect();
    let deck = screen.state.deck.clone().unwrap();
    let name = |row: &Row| match row {
        Row::Skill(i) => deck.skills[*i].folder().to_owned(),
        _ => String::new(),
    };
    assert_eq!(order.iter().map(name).collect::<Vec<_>>(), ["release-notes", "incident-notes"]);
    screen.press("L");
    says(&screen, "Never used since 2026-06-01T00:00:00Z: 2 listed skills for 394 characters");
}

#[test]
fn clients_without_agents_are_not_said_to_have_any() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.state.view.profile = Profile::Codex;
    screen.look(false);
    screen.choose("code-review").press("O");
    says(&screen, "codex knows no agents");
    screen.press("<esc>x");
    assert!(screen.state.overlay.is_none(), "{}", screen.text());
    says(&screen, "this client knows no agents");
    screen.press("Hdeploy/x");
    says(&screen, "this client knows no hints");
}

#[test]
fn every_hit_of_a_path_can_be_gone_to() {
    let atlas = Atlas::new();
    atlas.skill("zz", "---\ndescription: Zz.\nglobs: [\"deploy/*\"]\n---\n\nZz.\n");
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.press("Hdeploy/x<down><enter>");
    assert_eq!(screen.state.selected_key().as_deref(), Some("zz"));
}

#[test]
fn the_lines_of_a_part_are_paged_without_a_gap() {
    let atlas = Atlas::new();
    for i in 0..30 {
        atlas.skill(&format!("bad-{i:02}"), "no fence at all, and no description either\n");
    }
    for size in [(120, 36), (80, 24), (40, 12)] {
        let mut screen = Screen::open(atlas.dir(), "12000", size);
        screen.press("C");
        let mut seen = String::new();
        for _ in 0..80 {
            seen.push_str(&screen.text());
            screen.press("<pgdn>");
        }
        for i in 0..30 {
            assert!(seen.contains(&format!("bad-{i:02}  skipped")), "bad-{i:02} at {size:?}");
        }
    }
}

#[test]
fn the_budget_that_is_tried_out_begins_with_that_of_the_client() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", SIZE);
    screen.state.view = View { profile: Profile::ClaudeCode, ..View::default() };
    screen.look(false);
    screen.press("b");
    says(&screen, "8000");
    // The first digit begins anew, the next goes on.
    screen.press("12");
    assert_eq!(screen.state.view.budget.limit, Some(12));
}

#[test]
fn the_overview_says_how_much_there_is_to_think_about() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "12000", (120, 60));
    screen.choose("code-review");
    says(&screen, "think about  1 note; 6 says more");
    screen.press("6");
    says(&screen, "description-no-when");
}
