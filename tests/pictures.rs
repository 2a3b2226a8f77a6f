//! The pictures of the documents are what the program draws.
//!
//! `UPDATE_PICTURES=1 cargo test --test pictures` draws them anew.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod atlas;

use std::fs;
use std::path::Path;

use atlas::Atlas;
use atlas::screen::Screen;
use atlas::svg;
use skilldeck::tui::ink::Theme;

const WIDE: (u16, u16) = (120, 36);

/// Its name, what it shows, its size, the chosen skill, and the keys.
type Picture = (&'static str, &'static str, (u16, u16), &'static str, &'static str);

const PICTURES: [Picture; 9] = [
    ("list", "The list, and what is known of a skill that is cut", WIDE, "release-notes", ""),
    ("catalog", "The exact catalog, and where it is cut", WIDE, "deploy-runbook", "4"),
    (
        "activation",
        "The text a model gets, with sample arguments",
        WIDE,
        "code-review",
        "ajust src/main.rs<enter>",
    ),
    ("problems", "What is wrong, where, and the way out", WIDE, "deploy-runbook", "6l"),
    ("profile", "The choice of a client", WIDE, "deploy-runbook", "Pj"),
    ("agent", "The choice of an agent", WIDE, "deploy-runbook", "Aj"),
    ("filter", "The filter while it is typed", WIDE, "deploy-runbook", "/notes is:valid"),
    ("narrow", "One pane on a terminal of 80 columns", (80, 24), "deploy-runbook", "<enter>"),
    ("ascii", "Drawn with ASCII only", (80, 24), "deploy-runbook", ""),
];

/// Holds a file against what it should be, or writes it.
fn hold(path: &str, want: &str) {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::create_dir_all(whole.parent().unwrap()).unwrap();
        fs::write(&whole, want).unwrap();
        return;
    }
    let is = fs::read_to_string(&whole).unwrap_or_default();
    assert!(
        is == want,
        "{path} is old; `UPDATE_PICTURES=1 cargo test --test pictures` draws it anew"
    );
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    let atlas = Atlas::new();
    for (name, title, size, folder, keys) in PICTURES {
        let theme = Theme { ascii: name == "ascii", ..Theme::default() };
        let mut screen = Screen::open_with(atlas.dir(), "600", size, theme);
        screen.choose(folder).press(keys);
        hold(&format!("docs/pictures/{name}.svg"), &svg::picture(&screen.buffer(), title));
        hold(&format!("docs/pictures/{name}.txt"), &screen.text());
    }
    is_on_the_page();
}

#[test]
fn the_readme_shows_what_the_program_draws() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (104, 20));
    screen.choose("deploy-runbook");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("<!-- picture -->\n").expect("a picture in README.md");
    let (_, after) = rest.split_once("<!-- /picture -->").expect("the picture's end");
    let picture = format!("```text\n{}\n```\n", screen.text().trim_end());
    hold("README.md", &format!("{before}<!-- picture -->\n{picture}<!-- /picture -->{after}"));
}

/// Every picture is on the page, and nothing else lies beside them.
fn is_on_the_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("screen.md")).unwrap();
    let mut want = Vec::new();
    for (name, ..) in PICTURES {
        assert!(page.contains(&format!("](pictures/{name}.svg)")), "{name}");
        assert!(page.contains(&format!("](pictures/{name}.txt)")), "{name}");
        want.extend([format!("{name}.svg"), format!("{name}.txt")]);
    }
    let files = fs::read_dir(docs.join("pictures")).unwrap();
    let mut files: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    want.sort();
    files.sort();
    assert_eq!(files, want);
}
