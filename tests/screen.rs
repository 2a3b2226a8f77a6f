//! Every state of the screen as drawn: its text, and its styles with colours
//! and without, at three sizes. One file below `snapshots` a state.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod atlas;

use atlas::Atlas;
use atlas::screen::{SIZES, Screen};
use atlas::styles;
use skilldeck::config::Config;
use skilldeck::skill::text::{Shown, shown};
use skilldeck::tui::message::Message;
use skilldeck::tui::state::Overlay;

/// The budget under which the atlas is cut.
const BUDGET: &str = "600";

/// A state at one size, in both palettes.
fn told(screen: &mut Screen) -> String {
    let (colour, mono) = (screen.buffer(), screen.mono());
    let text = atlas::text(&colour);
    // What is meant is never told by colour alone.
    assert_eq!(text, atlas::text(&mono));
    assert!(styles::is_colourless(&mono), "{text}");
    let (width, height) = screen.state.size;
    let (colour, mono) = (styles::map(&colour), styles::map(&mono));
    format!("== {width}×{height}\n{text}-- in colour\n{colour}-- without\n{mono}\n")
}

fn shoot(name: &str, make: impl Fn(&Atlas, (u16, u16)) -> Screen) {
    let shots: String = SIZES
        .into_iter()
        .map(|size| {
            let atlas = Atlas::new();
            told(&mut make(&atlas, size))
        })
        .collect();
    insta::assert_snapshot!(name, shots);
}

/// States one comes to with keys: each has a name, what is put into the project
/// before, the skill that is chosen first, and the keys.
macro_rules! states {
    ($($name:ident: $setup:expr, $folder:literal, $keys:literal;)*) => {$(
        #[test]
        fn $name() {
            shoot(stringify!($name), |atlas, size| {
                let setup: fn(&Atlas) = $setup;
                setup(atlas);
                let mut screen = Screen::open(atlas.dir(), BUDGET, size);
                screen.choose($folder).press($keys);
                screen
            });
        }
    )*};
}

fn as_it_is(_: &Atlas) {}

/// One skill takes another's name.
fn doubled(atlas: &Atlas) {
    atlas.skill("reviews", "---\nname: code-review\ndescription: Takes the name.\n---\n\nBody.\n");
}

/// One text can be mended.
fn fixable(atlas: &Atlas) {
    atlas.skill("quotes", "---\nname: quotes\ndescription: one: two\n---\n\nSee it.\n");
}

/// One body has all that cannot be drawn as it is, and a long line.
fn odd(atlas: &Atlas) {
    let long = "A line that is longer than any of the three screens is wide, so that it is \
                wrapped, or cut and shifted to its end, which is here, after $ARGUMENTS and $1.";
    let text = format!(
        "---\nname: odd-body\ndescription: Odd in its body.\n---\n\n# Odd\n\n\tA tab, and two \
         spaces at the end  \nA line of DOS\r\n审查 and e\u{301} take their cells\nAn escape \
         \u{1b}[31m and a \u{202e}turn\n\n{long}\n\nThe last line has no end"
    );
    atlas.skill("odd-body", &text);
}

/// The project's own file is broken.
fn broken(atlas: &Atlas) {
    std::fs::write(atlas.dir().join(".kaged/project.yaml"), "primary:\n  skills: [\"*\"\n")
        .unwrap();
}

states! {
    form_new: as_it_is, "code-review", "nbrand-new<tab>Does something new, when somebody asks for it.";
    form_new_long: as_it_is, "code-review", "nbrand-new<tab>Does something new, when somebody asks for it, and says what that is in so many words that no screen of this size has room for all of them in one line, which is why it is wrapped.";
    form_new_refused: as_it_is, "code-review", "nBad Name";
    form_rename: as_it_is, "code-review", "r<ctrl-u>review<tab><down>";
    sheet_delete: as_it_is, "deploy-runbook", "d";
    sheet_fix: fixable, "quotes", "f";
    sheet_changes: as_it_is, "code-review", "e<down><down><end>, kindly<ctrl-s><esc>U";
    marked: as_it_is, "code-review", "<space><space>";
    editor: odd, "odd-body", "e";
    editor_findings: fixable, "quotes", "e<ctrl-n>";
    editor_completion: as_it_is, "git-workflow", "e<down><end><enter>gl";
    editor_selection: odd, "odd-body", "e<down><down><home><shift-right><shift-right><shift-right>";
    editor_search: as_it_is, "code-review", "e<ctrl-f>review<enter>";
    editor_leave: as_it_is, "code-review", "e<ctrl-end>End.<esc>";
    list: as_it_is, "deploy-runbook", "";
    overview_listed: as_it_is, "code-review", "1";
    overview_warning: as_it_is, "deploy-runbook", "1";
    overview_cut: as_it_is, "release-notes", "1";
    report_clients: as_it_is, "code-review", "C";
    report_lab: as_it_is, "release-notes", "L";
    report_agents: as_it_is, "code-review", "O";
    report_hints: as_it_is, "code-review", "Hdeploy/prod.yaml";
    toggle: as_it_is, "code-review", "x";
    toggle_of_a_broken_file: broken, "code-review", "x";
    describe: as_it_is, "deploy-runbook", "D<ctrl-u>Deploys. Use it when asked to deploy.";
    describe_too_long: as_it_is, "code-review", "D and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more, and more";
    overview_hidden: as_it_is, "git-workflow", "1";
    overview_filtered: as_it_is, "deploy-runbook", "Aj<enter>1";
    overview_error: as_it_is, "Pdf_Processing", "1";
    overview_duplicate: doubled, "reviews", "1";
    overview_not_loaded: as_it_is, "README.md", "<enter>";
    body: odd, "odd-body", "2l";
    body_unwrapped: odd, "odd-body", "2w";
    body_shifted: odd, "odd-body", "2w>";
    body_as_read: odd, "odd-body", "2i";
    body_found: odd, "odd-body", "2<ctrl-f>line<enter>";
    body_found_nowhere: odd, "odd-body", "2<ctrl-f>nowhere";
    activation: as_it_is, "code-review", "ajust src/main.rs<enter>";
    activation_without_arguments: as_it_is, "code-review", "3";
    activation_of_an_error: as_it_is, "Pdf_Processing", "3";
    catalog: as_it_is, "deploy-runbook", "4";
    catalog_as_tool: as_it_is, "deploy-runbook", "4t";
    files: as_it_is, "deploy-runbook", "5lj";
    file_shown: as_it_is, "deploy-runbook", "5lj<enter>";
    problems: as_it_is, "deploy-runbook", "6";
    problems_none: as_it_is, "code-review", "6";
    problems_of_an_error: as_it_is, "Pdf_Processing", "6";
    problems_of_the_project: broken, "deploy-runbook", "6";
    pick_profile: as_it_is, "deploy-runbook", "Pj";
    pick_agent: as_it_is, "deploy-runbook", "Aj";
    pick_sort: as_it_is, "deploy-runbook", "sj";
    budget: as_it_is, "deploy-runbook", "b<up>";
    budget_kept: as_it_is, "deploy-runbook", "b<down><enter>";
    filter_typed: as_it_is, "deploy-runbook", "/rel is:c";
    filter_kept: as_it_is, "deploy-runbook", "/rel is:c<enter>";
    filter_finds_nothing: as_it_is, "deploy-runbook", "/zzzz";
    filter_wrong_word: as_it_is, "deploy-runbook", "/is:foo";
    sort_by_status: as_it_is, "deploy-runbook", "sj<enter>";
    sort_by_cost: as_it_is, "deploy-runbook", "sjj<enter>";
    sort_by_modified: as_it_is, "deploy-runbook", "sjjj<enter>";
    sort_by_size: as_it_is, "deploy-runbook", "sjjjj<enter>";
    palette: as_it_is, "deploy-runbook", ":";
    palette_searched: as_it_is, "deploy-runbook", ":agent";
    help: as_it_is, "deploy-runbook", "?";
    help_searched: as_it_is, "deploy-runbook", "?problem";
    arguments: as_it_is, "code-review", "asrc/main.rs";
    refusal: as_it_is, "Pdf_Processing", "a";
}

#[test]
fn a_client_that_knows_no_agents() {
    shoot("agents_unknown", |atlas, size| {
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        screen.press("PG<enter>A");
        screen
    });
}

#[test]
fn mistakes_in_the_config_file() {
    shoot("notice", |atlas, size| {
        let (_, mistakes): (Config, _) =
            skilldeck::config::read("theme = \"drak\"\n\n[keys]\nquit = \"ctrl-c\"\nbudgt = 1\n");
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        screen.state.overlay = Some(Overlay::Notice {
            title: Shown::fixed("The config file has mistakes; what is right in it counts"),
            lines: mistakes
                .iter()
                .map(|m| {
                    shown(&format!(
                        "config.toml:{}:{}: {}",
                        m.place.line, m.place.column, m.message
                    ))
                })
                .collect(),
            scroll: 0,
        });
        screen
    });
}

#[test]
fn a_change_on_disk() {
    shoot("toast", |atlas, size| {
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        atlas.skill("brand-new", "---\ndescription: Came while one looked.\n---\n\nBody.\n");
        screen.look(true);
        screen
    });
}

#[test]
fn an_empty_root() {
    shoot("root_empty", |atlas, size| {
        std::fs::remove_dir_all(atlas.root()).unwrap();
        std::fs::create_dir(atlas.root()).unwrap();
        Screen::open(atlas.dir(), BUDGET, size)
    });
}

#[test]
fn a_missing_root() {
    shoot("root_missing", |atlas, size| {
        std::fs::remove_dir_all(atlas.root()).unwrap();
        Screen::open(atlas.dir(), BUDGET, size)
    });
}

#[test]
fn a_root_that_cannot_be_read() {
    shoot("root_unreadable", |atlas, size| {
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        // As the program says it, but for the folder, which is never the same.
        screen.send(Message::Trouble(shown(
            "not-a-directory: the skills root /home/ada/atlas/.kaged/skills is not a directory; \
             move it away or name another with --root DIR",
        )));
        screen
    });
}

#[test]
fn before_anything_is_read() {
    shoot("first_frame", |atlas, size| Screen::unread(atlas.dir(), BUDGET, size));
}

#[test]
fn while_it_is_read() {
    shoot("reading", |atlas, size| {
        let mut screen = Screen::unread(atlas.dir(), BUDGET, size);
        let deck = screen.deck(&screen.state.view).unwrap();
        screen.send(Message::Deck { deck, scanning: true, news: None });
        screen
    });
}

#[test]
fn while_it_is_read_again() {
    shoot("reading_again", |atlas, size| {
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        screen.send(Message::Progress(3));
        screen
    });
}

#[test]
fn too_small() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), BUDGET, (39, 12));
    insta::assert_snapshot!("too_small", told(&mut screen));
}

#[test]
fn a_conflict() {
    shoot("editor_conflict", |atlas, size| {
        let mut screen = Screen::open(atlas.dir(), BUDGET, size);
        screen.choose("incident-notes").press("e<ctrl-end>Write down names.");
        atlas.skill(
            "incident-notes",
            "---\nname: incident-notes\ndescription: How to write notes.\n---\n\nWrite down \
             times.\n",
        );
        screen.look(true);
        screen.send(Message::Looked);
        screen.press("<ctrl-s><down><down>");
        screen
    });
}
