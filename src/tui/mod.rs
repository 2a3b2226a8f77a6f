//! The screen.
//!
//! ```text
//!  skilldeck  atlas/.kaged/skills            as kaged  agent primary  ● live   view::header
//! ╭ Skills 3 · 2 valid · 1 warning ──╮╭ deploy-runbook ───────────────────────╮
//! │ ● valid   code-review  142   142 ││ 1 Overview 2 Body 3 Activation …      │ view::detail
//! │ ▲ warning deploy-runb… 271   413 ││                                       │
//! │ ┄┄┄ 12,000 characters end here ┄ ││ one of view::{overview, body,         │
//! │ ○ valid   release-not… 150   cut ││   activation, catalog, files,         │
//! │           view::list             ││   problems}                           │
//! ╰──────────────────────────────────╯╰───────────────────────────────────────╯
//!  Budget ━━━━━━━━━━──  11,866 / 12,000 characters  2 listed · 1 cut             view::gauge
//!  enter open  a args  P profile  ? help                                         view::footer
//! ```
//!
//! [`message::Message`]s come into one queue; [`update::update`] changes the
//! [`state::State`] and returns [`message::Effect`]s, which `work` carries out
//! on threads of its own; [`view`] draws the state. [`command`] is the table of
//! what can be done, [`ink`] the only way text reaches the screen.

pub mod command;
mod compare;
mod disk;
pub mod field;
pub mod filter;
pub mod ink;
pub mod key;
pub mod keymap;
pub mod listing;
pub mod message;
pub mod news;
pub mod pages;
mod run;
pub mod state;
pub mod terminal;
pub mod update;
pub mod view;
mod work;
pub mod yank;

use std::env;

use anyhow::bail;

use crate::project::{Project, View};
use crate::skill::text::{Shown, shown};
use ink::{Palette, Theme};
pub use run::End;
use state::State;

/// Opens the screen on a project.
///
/// # Errors
/// When standard output is no terminal, or the terminal cannot be used.
pub fn run(project: Project, view: View, ascii: bool, poll: bool) -> anyhow::Result<End> {
    if let Some(reason) = terminal::refusal() {
        bail!(reason);
    }
    let colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let palette = if colour { Palette::Terminal } else { Palette::Mono };
    let state = State::new(title(&project), Theme { palette, ascii }, view, (0, 0));
    run::run(project, poll, state)
}

/// `atlas/.kaged/skills`
fn title(project: &Project) -> Shown {
    let name = project.dir().file_name().map(crate::skill::text::name_text).unwrap_or_default();
    shown(&format!("{name}/{}", project.root_label()))
}
