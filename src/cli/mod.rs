//! The commands. Each has a file; this one knows what the command line is.

mod agents;
mod catalog;
mod change;
mod check;
mod colour;
mod complete;
mod config;
mod demo;
mod hint;
mod list;
mod man;
mod out;
mod preview;
#[cfg(feature = "mcp")]
mod serve;
mod target;
mod tool;
mod watch;

use std::ffi::OsString;
#[cfg(any(feature = "tui", feature = "mcp"))]
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

#[cfg(any(feature = "tui", feature = "mcp"))]
use crate::config::Config;
use crate::config::{Loaded, Paths, load};
use crate::project::View;
use crate::skill::text::shown;

pub use target::{AsView, Target};

/// Shows every skill of a project with its true status, and the exact text a model will get.
///
/// Without a command it opens the screen.
#[derive(Debug, Parser)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
#[command(
    name = "skilldeck",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "Examples:
  skilldeck                                 the screen, on the project one is in
  skilldeck --demo                          the screen, on examples that are thrown away
  skilldeck check --strict                  in CI
  skilldeck catalog --explain               what is cut, and what brings it back
  skilldeck COMMAND --help                  all about a command, with examples"
)]
struct Cli {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    view: AsView,
    /// Try things on built-in examples, in a copy that is thrown away at the end
    #[arg(long, global = true, conflicts_with_all = ["project", "root"])]
    demo: bool,
    /// Look at the disk every two seconds instead of asking the system to report changes
    #[arg(long, global = true)]
    poll: bool,
    /// Record activations in FILE (`serve`), or show how often skills were used by it (the screen)
    #[cfg(any(feature = "tui", feature = "mcp"))]
    #[arg(long, global = true, value_name = "FILE")]
    metrics: Option<PathBuf>,
    /// Draw the screen with ASCII only
    #[cfg(feature = "tui")]
    #[arg(long)]
    ascii: bool,
    /// Leave the mouse to the terminal
    #[cfg(feature = "tui")]
    #[arg(long)]
    no_mouse: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[cfg(any(feature = "tui", feature = "mcp"))]
impl Cli {
    /// Where activations are recorded: what is said here counts over the config file.
    fn records(&self, config: &Config) -> Option<PathBuf> {
        self.metrics.clone().or_else(|| config.metrics.clone())
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List every skill, and everything not loaded, with status and place in the catalog
    List(list::List),
    /// Say what is wrong, with file, line, column, excerpt and fix
    Check(check::Check),
    /// Print the prompt list exactly as a model gets it
    Catalog(catalog::Catalog),
    /// Print the `skill.use` tool definition as JSON
    #[command(after_help = "Examples:
  skilldeck tool | jq -r .description
  skilldeck tool --agent primary/reviewer")]
    Tool,
    /// Print the text a model gets when it activates a skill
    Preview(preview::Preview),
    /// Say which skills files would suggest by their `globs`
    Hint(hint::Hint),
    /// Say what each agent of project.yaml gets, and which skills none gets
    Agents(agents::Agents),
    /// Make a new skill
    New(change::New),
    /// Give a skill another name: its folder and `name:` together
    Rename(change::Rename),
    /// Copy a skill under another name
    Copy(change::Copy),
    /// Move a skill to the trash
    Rm(change::Rm),
    /// Bring a deleted skill back, or list those in the trash
    Restore(change::Restore),
    /// Bring skills in from a folder, a checkout or an archive, after saying what that does
    Import(change::Import),
    /// Write skills into one archive
    Export(change::Export),
    /// Set or remove one field of a skill's frontmatter
    Set(change::Set),
    /// Mend what can be mended without inventing text, and show it
    Fix(change::FixCommand),
    /// Follow the disk and say what was added, changed and removed
    Watch(watch::Watch),
    /// Serve the tool `skill.use` and the files of skills over MCP, on standard input and output
    #[cfg(feature = "mcp")]
    Serve(serve::Serve),
    /// Print what makes a shell complete commands, flags and names of skills
    #[command(after_help = "Examples:
  source <(skilldeck completions bash)                                    in ~/.bashrc
  source <(skilldeck completions zsh)                                     in ~/.zshrc
  skilldeck completions fish > ~/.config/fish/completions/skilldeck.fish
  eval (skilldeck completions elvish | slurp)                             in ~/.elvish/rc.elv
  skilldeck completions powershell >> $PROFILE")]
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: String,
    },
    /// Print a page for `man`, of skilldeck or of a command
    Man(man::Man),
    /// Write, check or name the config file
    Config(config::Config),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Done: exit 0.
    Done,
    /// The answer is no: exit 1.
    No,
    /// Some of it could not be done, and that was said: exit 2.
    Short,
    /// Ended by a signal: exit 128 and its number.
    #[cfg(feature = "tui")]
    Signal(i32),
}

/// Runs the program on its arguments.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    crate::project::guard::quiet_expected_panics();
    if complete::answer(Cli::command) {
        return ExitCode::SUCCESS;
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match run(&cli) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Ok(Outcome::Short) => ExitCode::from(2),
        #[cfg(feature = "tui")]
        Ok(Outcome::Signal(number)) => ExitCode::from(128_u8.saturating_add(number as u8)),
        Err(error) if error.is::<out::ReaderGone>() => ExitCode::from(128 + 13),
        Err(error) => {
            out::error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<Outcome> {
    let demo = if cli.demo { Some(demo::project()?) } else { None };
    match &demo {
        Some(demo) => run_on(cli, &Target::of(demo.path())),
        None => run_on(cli, &cli.target),
    }
}

fn run_on(cli: &Cli, target: &Target) -> anyhow::Result<Outcome> {
    let loaded = load(&Paths::from_env());
    // What is wrong in the file is said, and stops nothing. `config` says it
    // itself, and the screen on the screen.
    if !matches!(cli.command, Some(Command::Config(_)) | None) {
        let lines = config::lines(&loaded);
        out::notes(lines.iter().map(|line| shown(&format!("skilldeck: {line}"))));
    }
    let view = cli.view.view(&loaded.config);
    match &cli.command {
        Some(Command::List(command)) => command.run(target, &view),
        Some(Command::Check(command)) => command.run(target, &view),
        Some(Command::Catalog(command)) => command.run(target, &view),
        Some(Command::Tool) => tool::run(target, &view),
        Some(Command::Preview(command)) => command.run(target, &view),
        Some(Command::New(command)) => command.run(target, &view),
        Some(Command::Hint(command)) => command.run(target, &view),
        Some(Command::Agents(command)) => command.run(target, &view),
        Some(Command::Rename(command)) => command.run(target, &view),
        Some(Command::Copy(command)) => command.run(target, &view),
        Some(Command::Rm(command)) => command.run(target, &view),
        Some(Command::Restore(command)) => command.run(target, &view),
        Some(Command::Import(command)) => command.run(target, &view),
        Some(Command::Export(command)) => command.run(target, &view),
        Some(Command::Set(command)) => command.run(target, &view),
        Some(Command::Fix(command)) => command.run(target, &view),
        Some(Command::Watch(command)) => command.run(target, &view, cli.poll),
        #[cfg(feature = "mcp")]
        Some(Command::Serve(command)) => {
            command.run(target, &view, cli.records(&loaded.config), cli.poll)
        }
        Some(Command::Completions { shell }) => complete::print(shell),
        Some(Command::Man(command)) => command.run(Cli::command()),
        Some(Command::Config(command)) => command.run(&loaded),
        None => screen(cli, target, view, &loaded),
    }
}

#[cfg(feature = "tui")]
fn screen(cli: &Cli, target: &Target, view: View, loaded: &Loaded) -> anyhow::Result<Outcome> {
    let project = target.project()?;
    if view.agent.is_some() {
        crate::project::Agents::load(&project).find(view.agent.as_deref())?;
    }
    let config = &loaded.config;
    let options = crate::tui::Options {
        theme: config.theme,
        ascii: cli.ascii || config.ascii,
        mouse: config.mouse && !cli.no_mouse,
        poll: cli.poll,
        keys: crate::tui::keymap::Keymap::new(&config.keys).0,
        editor: config.editor.clone(),
        templates: crate::config::templates::all(),
        records: cli.records(config),
        mistakes: config::lines(loaded),
        // What is thrown away is not remembered.
        state_dir: Paths::from_env()
            .state_dir()
            .filter(|_| !cli.demo)
            .map(std::path::Path::to_owned),
    };
    match crate::tui::run(&project, view, options)? {
        crate::tui::End::Quit => Ok(Outcome::Done),
        crate::tui::End::Signal(number) => Ok(Outcome::Signal(number)),
    }
}

#[cfg(not(feature = "tui"))]
fn screen(_: &Cli, _: &Target, _: View, _: &Loaded) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no screen; name a command, `skilldeck --help` lists them")
}
