//! The real program in a real pseudo-terminal, as a person meets it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

#[path = "../atlas/mod.rs"]
mod atlas;

mod curate;
mod kept;
mod life;
mod pty;
mod sent;
