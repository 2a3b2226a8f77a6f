//! What a command looks at: the project, and as whom.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;

use crate::config::Config;
use crate::edit::record;
use crate::profile::Profile;
use crate::project::{Agents, Deck, Facts, Project, View, scan};
use crate::prompt::Budget;
use crate::prompt::budget::VARIABLE;
use crate::skill::{Code, Finding};

/// Which project.
#[derive(Debug, Clone, Default, Args)]
pub struct Target {
    /// The project's directory [default: found upwards by its `.kaged`]
    #[arg(long, global = true, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Another skills root than `.kaged/skills`
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
}

impl Target {
    /// What a command line names.
    pub fn named(project: Option<PathBuf>, root: Option<PathBuf>) -> Self {
        Self { project, root }
    }

    /// The project in a directory.
    pub fn of(dir: &Path) -> Self {
        Self { project: Some(dir.to_owned()), root: None }
    }
}

/// As whom one looks, and within which budget.
#[derive(Debug, Clone, Args)]
pub struct AsView {
    /// As which client; a wrong one lists those there are [default: kaged]
    #[arg(
        long,
        short = 'P',
        global = true,
        value_name = "PROFILE",
        add = crate::cli::complete::profiles()
    )]
    profile: Option<Profile>,
    /// As which agent of project.yaml [default: primary, if there is one]
    #[arg(
        long,
        short = 'A',
        global = true,
        value_name = "AGENT",
        add = crate::cli::complete::agents()
    )]
    agent: Option<String>,
    /// The catalog's budget in characters [env: SKILLS_PROMPT_CHAR_BUDGET] [default: 12000]
    #[arg(long, short = 'b', global = true, value_name = "N", allow_hyphen_values = true)]
    budget: Option<String>,
    /// The context window of the model in tokens; Claude Code and Codex take their budget from it
    #[arg(long, global = true, value_name = "TOKENS")]
    window: Option<u64>,
}

impl AsView {
    /// The view that is meant: what is said here counts over what the config
    /// file says.
    pub fn view(&self, config: &Config) -> View {
        let env = env::var_os(VARIABLE).map(|v| crate::skill::text::name_text(&v).into_owned());
        View {
            profile: self.profile.or(config.profile).unwrap_or_default(),
            agent: self.agent.clone(),
            budget: Budget::choose(
                self.budget.as_deref(),
                env.as_deref(),
                config.budget.as_deref(),
            ),
            window: self.window,
            description_limit: config.description_limit,
            silenced: Arc::clone(&config.silenced),
        }
    }
}

impl Target {
    /// Finds the project.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn project(&self) -> anyhow::Result<Project> {
        let here = env::current_dir().context("the current directory cannot be read")?;
        let home = env::var_os("HOME").map(PathBuf::from);
        Ok(Project::find(
            &here,
            self.project.as_deref(),
            self.root.as_deref(),
            home.as_deref().filter(|h| *h != Path::new("")),
        )?)
    }

    /// Reads the project and lays out its deck.
    ///
    /// # Errors
    /// When the root must not be read, or there is no such agent.
    pub fn deck(&self, view: &View) -> anyhow::Result<(Project, Deck)> {
        self.look(view).map(|look| (look.project, look.deck))
    }

    /// The same with what it was laid out from.
    ///
    /// # Errors
    /// When the root must not be read, or there is no such agent.
    pub fn look(&self, view: &View) -> anyhow::Result<Look> {
        let project = self.project()?;
        let facts = scan::scan(&project, view.profile.discovery())?;
        let agents = Arc::new(Agents::load(&project));
        let mut deck = Deck::new(&project, &facts, &agents, view)?;
        let unfinished = project.site().ok().and_then(|site| record::unfinished(&site));
        if let Some(title) = unfinished {
            deck.findings.push(Finding::new(
                Code::UnfinishedOperation,
                format!(
                    "a change was interrupted ({title}); the next command that writes, such as \
                     `skilldeck restore`, finishes it or takes it back"
                ),
            ));
        }
        Ok(Look { project, facts, agents, deck })
    }
}

/// What a command looks at, as it was read.
#[derive(Debug)]
pub struct Look {
    /// The project.
    pub project: Project,
    /// What is on disk.
    pub facts: Facts,
    /// The agents.
    pub agents: Arc<Agents>,
    /// What the client of the view sees.
    pub deck: Deck,
}
