//! Keys that the config file gives.

use skilldeck::tui::keymap::Keymap;
use skilldeck::tui::message::Message;

use crate::atlas::Atlas;
use crate::atlas::screen::Screen;

/// A key map from the lines of a config file.
fn keymap(lines: &str) -> Keymap {
    let (config, mistakes) = skilldeck::config::read(&format!("[keys]\n{lines}"));
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let (keys, mistakes) = Keymap::new(&config.keys);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    keys
}

#[test]
fn other_keys_are_obeyed_and_shown_everywhere() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (160, 36));
    screen.state.keys = keymap(
        "quit = \"Q\"\nproblems = \"p\"\nfilter = \"ctrl-s\"\narguments = \"x\"\nbudget = \"B\"\n\
         rescan = \"F\"\ntool = \"T\"\n",
    );
    let footer = screen.footer();
    screen.send(Message::Resize(120, 36));
    for hint in ["ctrl-s filter", "p problems", "Q quit"] {
        assert!(footer.contains(hint), "{hint}: {footer}");
    }
    assert!(!footer.contains("q quit") && !footer.contains("/ filter"), "{footer}");
    screen.press("q");
    assert!(!screen.quit, "q is no key any more");
    screen.press("?").press("leave skill");
    assert!(screen.text().contains("Q           leave skilldeck"), "{}", screen.text());
    screen.press("<esc>:").press("budget");
    assert!(screen.text().contains("budget  B  try out"), "{}", screen.text());
    screen.press("<esc>");
    // What is said names them too.
    screen.choose("release-notes");
    assert!(screen.text().contains("B tries another"), "{}", screen.text());
    screen.choose("deploy-runbook");
    assert!(screen.text().contains("(p says more)"), "{}", screen.text());
    screen.choose("Pdf_Processing");
    assert!(screen.text().contains("(p says more)"), "{}", screen.text());
    screen.press("6");
    assert!(screen.text().contains("[1 Overview]"), "6 is no key any more: {}", screen.text());
    screen.press("p");
    assert!(screen.text().contains("Problems·1]"), "{}", screen.text());
    screen.press("4");
    assert!(screen.text().contains("(T shows the tool"), "{}", screen.text());
    screen.choose("code-review");
    screen.press("3");
    assert!(screen.text().contains("(x gives some)"), "{}", screen.text());
    screen.press("<ctrl-s>zzz");
    assert!(screen.text().contains("No skill is like that."), "{}", screen.text());
    screen.press("<esc>Q");
    assert!(screen.quit);
}

#[test]
fn the_tabs_are_named_by_their_keys() {
    let atlas = Atlas::new();
    let mut screen = Screen::open(atlas.dir(), "600", (120, 36));
    screen.state.keys = keymap("problems = \"p\"\n");
    assert!(screen.text().contains(" p Problems"), "{}", screen.text());
    assert!(!screen.text().contains(" 6 Problems"), "{}", screen.text());
}
