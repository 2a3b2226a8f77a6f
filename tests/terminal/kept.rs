//! What the program keeps from one start to the next, and what its user set.

use std::fs;
use std::path::Path;

use crate::atlas::Atlas;
use crate::pty::Terminal;

/// The program with folders of its user's own.
fn open(atlas: &Atlas, home: &Path) -> Terminal {
    let home = home.to_str().unwrap();
    let env = [("XDG_CONFIG_HOME", home), ("XDG_STATE_HOME", home)];
    Terminal::open_in(atlas.dir(), &[], &env)
}

#[test]
fn choice_tab_and_arguments_are_there_again_after_the_next_start() {
    let atlas = Atlas::new();
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(&atlas, home.path());
    terminal.wait_for("● live");
    terminal.press("jasrc/kept.rs\r");
    terminal.wait_for("Review src/kept.rs.");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    let mut terminal = open(&atlas, home.path());
    terminal.wait_for("● live");
    terminal.wait_for("[3 Activation]");
    terminal.wait_for("Review src/kept.rs.");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    // Another project knows nothing of it.
    let other = Atlas::new();
    let mut terminal = open(&other, home.path());
    terminal.wait_for("● live");
    terminal.wait_for("[1 Overview]");
    terminal.press("j3");
    terminal.wait_for("Review $ARGUMENTS.");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_config_file_with_mistakes_is_told_of_and_one_goes_on() {
    let atlas = Atlas::new();
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("skilldeck")).unwrap();
    let config = "theme = \"drak\"\n\n[keys]\nquit = \"Q\"\nbudgt = \"x\"\n";
    fs::write(home.path().join("skilldeck/config.toml"), config).unwrap();
    let mut terminal = open(&atlas, home.path());
    terminal.wait_for("The config file has mistakes");
    terminal.wait_for("config.toml:1:9");
    terminal.wait_for("did you mean `budget`?");
    terminal.press("\x1b");
    terminal.wait_until_gone("The config file has mistakes");
    terminal.wait_for("● live");
    // What is right in it counts.
    terminal.wait_for("Q quit");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
}
