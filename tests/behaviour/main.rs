//! What the screen does: keys and the mouse in, cells and effects out, no terminal.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

#[path = "../atlas/mod.rs"]
mod atlas;

mod curate;
mod detail;
mod dialogs;
mod editor;
mod keys;
mod layout;
mod list;
mod mouse;
mod random;
mod reports;
