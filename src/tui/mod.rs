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
mod drafts;
pub mod editing;
pub mod editor;
pub mod field;
pub mod filter;
pub mod ink;
pub mod key;
pub mod keymap;
pub mod listing;
mod marks;
pub mod memory;
pub mod message;
pub mod news;
pub mod outside;
mod pace;
pub mod pages;
pub mod paint;
pub mod reports;
mod run;
pub mod session;
pub mod sheet;
pub mod state;
pub mod terminal;
pub mod trial;
pub mod update;
pub mod view;
mod work;
pub mod yank;

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, bail};

use crate::config::ThemeName;
use crate::project::{Project, View};
use crate::skill::text::{Shown, counted, shown};
use ink::{Palette, Theme};
use keymap::Keymap;
use memory::Memory;
pub use run::End;
use state::{Overlay, State};

/// How the screen is to be.
#[derive(Debug, Default)]
pub struct Options {
    /// Its colours; `NO_COLOR` counts over them.
    pub theme: ThemeName,
    /// Only ASCII may be drawn.
    pub ascii: bool,
    /// The mouse is followed.
    pub mouse: bool,
    /// The disk is polled.
    pub poll: bool,
    /// Which key means what.
    pub keys: Keymap,
    /// The editor that the config file names.
    pub editor: Option<String>,
    /// The templates of a new skill: their names, and a word about each.
    pub templates: Vec<(String, String)>,
    /// Where activations are recorded.
    pub records: Option<PathBuf>,
    /// What is wrong in the config file, line by line.
    pub mistakes: Vec<Shown>,
    /// Where the program keeps what it remembers.
    pub state_dir: Option<PathBuf>,
}

/// Opens the screen on a project.
///
/// # Errors
/// When standard output is no terminal, the terminal cannot be used, or what is
/// to be remembered cannot be written.
pub fn run(project: &Project, view: View, options: Options) -> anyhow::Result<End> {
    if let Some(reason) = terminal::refusal() {
        bail!(reason);
    }
    let has_colour = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let palette = match options.theme {
        _ if !has_colour => Palette::Mono,
        ThemeName::Terminal => Palette::Terminal,
        ThemeName::Light => Palette::Light,
        ThemeName::Dark => Palette::Dark,
        ThemeName::Mono => Palette::Mono,
    };
    let theme = Theme { palette, ascii: options.ascii };
    let mut state = State::new(title(project), theme, view, (0, 0));
    state.keys = options.keys;
    state.boundary = project.boundary().to_owned();
    state.editor = outside::editor(options.editor);
    state.templates = options.templates;
    state.others = others(project);
    if !options.mistakes.is_empty() {
        state.overlay = Some(Overlay::Notice {
            title: Shown::fixed("The config file has mistakes; what is right in it counts"),
            lines: options.mistakes,
            scroll: 0,
        });
    }
    let state_dir = options.state_dir;
    let place = state_dir.as_deref().map(|dir| memory::place(dir, project));
    if let Some(place) = &place {
        match Memory::load(place, project) {
            Ok(memory) => memory.restore(&mut state),
            Err(error) => {
                let place = crate::skill::text::shown_name(place.as_os_str());
                state.toast = Some(shown(&format!("{place} is not used: {error}")));
            }
        }
    }
    let before = Memory::of(&state, project);
    let recovery = state_dir.map(|dir| dir.join("recovery"));
    let how =
        run::How { poll: options.poll, mouse: options.mouse, records: options.records, recovery };
    let (end, state) = run::run(project.clone(), how, state)?;
    let after = Memory::of(&state, project);
    if let Some(place) = place.filter(|_| before != after) {
        after.save(&place).context("what was chosen is not remembered")?;
    }
    Ok(end)
}

/// The folders of other clients' skills in a project, and how many lie there.
fn others(project: &Project) -> Vec<(String, String)> {
    let count = |path: &str| {
        let entries = std::fs::read_dir(project.dir().join(path)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().join("SKILL.md").is_file()).count()
    };
    let all = [".claude/skills", ".agents/skills"].map(|path| (path, count(path)));
    let some = all.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(path, count)| (path.to_owned(), counted(count, "skill", "skills"))).collect()
}

/// `atlas/.kaged/skills`
fn title(project: &Project) -> Shown {
    let name = project.dir().file_name().map(crate::skill::text::name_text).unwrap_or_default();
    shown(&format!("{name}/{}", project.root_label()))
}
