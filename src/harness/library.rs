//! The skills of a project, as one client and one agent see them.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::profile::Profile;
use crate::project::activate::{ActivateError, ErrorCode, activate, reread};
use crate::project::agents::UnknownAgent;
use crate::project::difference::Difference;
use crate::project::usage::Record;
use crate::project::{Agents, Deck, Facts, LocateError, Project, Scanner, Scope, Skill, View};
use crate::prompt::activation::Activation;
use crate::prompt::arguments::Arguments;
use crate::prompt::catalog::State;
use crate::prompt::hints::Hints;
use crate::prompt::tool::Definition;
use crate::skill::Finding;
use crate::skill::text::{shown, shown_name};

/// The skills of a project.
#[derive(Debug)]
pub struct Library {
    project: Project,
    view: View,
    scanner: Scanner,
    facts: Facts,
    agents: Arc<Agents>,
    deck: Deck,
    catalog: Catalog,
    records: Option<PathBuf>,
    trouble: Option<String>,
}

/// The catalog as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    text: String,
    used: u64,
    limit: Option<u64>,
    listed: Vec<String>,
    left_out: Vec<(String, State)>,
}

/// A skill that was activated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Activated {
    /// Its effective name.
    pub name: String,
    /// Its folder relative to the project, `/` between its parts.
    pub base_dir: String,
    /// What the model is given.
    pub content: String,
}

/// The skills cannot be looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The root cannot or must not be read.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// The view names an agent that is not there.
    #[error(transparent)]
    Agent(#[from] UnknownAgent),
}

impl Catalog {
    fn of(deck: &Deck) -> Self {
        let left_out = deck.skills.iter().filter(|s| s.place.state != State::Listed);
        Self {
            text: deck.catalog(),
            used: deck.used,
            limit: deck.budget.limit,
            listed: deck.listed().map(|skill| skill.title().to_owned()).collect(),
            left_out: left_out.map(|s| (s.title().to_owned(), s.place.state)).collect(),
        }
    }

    /// The exact text; `(none)` when no skill is listed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the listed skills take of the budget, in the unit of the client:
    /// characters, but bytes of tokens where it counts those.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The budget in the same unit; `None` for none.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// The effective names of the listed skills, in order.
    pub fn listed(&self) -> &[String] {
        &self.listed
    }

    /// The skills the model is not told of, each with the reason.
    pub fn left_out(&self) -> &[(String, State)] {
        &self.left_out
    }
}

impl Library {
    /// Reads the skills of a project.
    ///
    /// # Errors
    /// When the root cannot be read, or the view names an agent that is not there.
    /// Skills that are wrong are no error: they are in [`Library::deck`] with their
    /// findings.
    pub fn open(project: Project, view: View) -> Result<Self, OpenError> {
        let mut scanner = Scanner::new(project.clone(), view.profile.discovery());
        let facts = scanner.refresh(&Scope::All, None)?;
        let agents = Arc::new(Agents::load(&project));
        let deck = Deck::new(&project, &facts, &agents, &view)?;
        let catalog = Catalog::of(&deck);
        Ok(Self {
            project,
            view,
            scanner,
            facts,
            agents,
            deck,
            catalog,
            records: None,
            trouble: None,
        })
    }

    /// Looks at the disk again and tells what changed since the last look; `None`
    /// when nothing did. Of a file only the stamp (size, times, identity) is looked at while
    /// that stays the same.
    ///
    /// # Errors
    /// As [`Library::open`]. Then the library stays what it was.
    pub fn refresh(&mut self) -> Result<Option<Difference>, OpenError> {
        self.refresh_in(&Scope::All)
    }

    /// The same where only some folders are known to have changed, as
    /// [`watch`](crate::project::watch) tells.
    ///
    /// # Errors
    /// As [`Library::refresh`].
    pub fn refresh_in(&mut self, scope: &Scope) -> Result<Option<Difference>, OpenError> {
        let facts = self.scanner.refresh(scope, None)?;
        let agents = Agents::load(&self.project);
        let is_same = agents == *self.agents
            && facts.root_exists == self.facts.root_exists
            && facts.not_loaded == self.facts.not_loaded
            && facts.entries.len() == self.facts.entries.len()
            // An entry that did not change is the one that was there before.
            && facts.entries.iter().zip(&self.facts.entries).all(|(a, b)| Arc::ptr_eq(a, b));
        if is_same {
            return Ok(None);
        }
        let agents = Arc::new(agents);
        let deck = Deck::new(&self.project, &facts, &agents, &self.view)?;
        let difference = Difference::between(&self.deck, &deck);
        (self.facts, self.agents) = (facts, agents);
        self.catalog = Catalog::of(&deck);
        self.deck = deck;
        Ok(difference)
    }

    /// Looks as another client, another agent, or with another budget, at what was
    /// read; the disk is read again only when the client looks to another depth.
    ///
    /// # Errors
    /// As [`Library::open`]. Then the library stays what it was.
    pub fn look_as(&mut self, view: View) -> Result<(), OpenError> {
        let facts = if self.scanner.set_discovery(view.profile.discovery()) {
            self.scanner.refresh(&Scope::All, None)
        } else {
            Ok(self.facts.clone())
        };
        let deck = facts
            .map_err(OpenError::from)
            .and_then(|facts| Ok((Deck::new(&self.project, &facts, &self.agents, &view)?, facts)));
        match deck {
            Ok((deck, facts)) => {
                self.catalog = Catalog::of(&deck);
                (self.deck, self.facts, self.view) = (deck, facts, view);
                Ok(())
            }
            Err(error) => {
                self.scanner.set_discovery(self.view.profile.discovery());
                Err(error)
            }
        }
    }

    /// The catalog, exactly as the client would give it to the model.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The definition of the tool `skill.use` (seed B, amendment 5); `None` when the
    /// agent can use no skill, for then no tool is registered.
    pub fn tool_definition(&self) -> Option<Definition> {
        self.deck.tool()
    }

    /// The effective names that a call may name, in order; also of skills that are
    /// hidden or cut.
    pub fn usable(&self) -> impl Iterator<Item = &Skill> {
        self.deck.skills.iter().filter(|skill| skill.is_usable())
    }

    /// Adds a record of each activation to a file from now on (`docs/metrics.md`): when,
    /// which agent, which skill, how long the arguments and the text were, and how it
    /// went; never the arguments themselves.
    pub fn record_to(&mut self, file: impl Into<PathBuf>) {
        self.records = Some(file.into());
    }

    /// Why the last record could not be written. An activation never fails for it.
    pub fn record_trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The text of an activation, from the disk as it is now. When there is no skill of
    /// that name, the disk is looked at once more (seed A).
    ///
    /// # Errors
    /// With the codes of seed A's tool results: the name is none, is that of no skill or of
    /// several, the agent may not use it, or it does not load (any more).
    pub fn activate(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
    ) -> Result<Activated, ActivateError> {
        let done = self.find_and_activate(name, arguments);
        let known = done.as_ref().map_or(name.trim(), |activated| &activated.name);
        let mut record = Record::now(&self.deck.project, self.deck.agent.as_deref(), known);
        let chars = |text: &str| text.chars().count() as u64;
        if let Arguments::Given(text) = arguments {
            record.args_chars = Some(chars(text));
        }
        match &done {
            Ok(activated) => record.chars = chars(&activated.content),
            Err(error) => record.outcome = error.code.as_str().to_owned(),
        }
        tracing::info!(
            target: "skilldeck::activation",
            agent = record.agent,
            skill = record.skill,
            args_chars = record.args_chars,
            chars = record.chars,
            outcome = record.outcome,
        );
        if let Some(file) = &self.records {
            let why = record.append(file).err();
            self.trouble = why.map(|error| format!("{}: {error}", shown_name(file.as_os_str())));
        }
        done
    }

    fn find_and_activate(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
    ) -> Result<Activated, ActivateError> {
        if name.trim().is_empty() {
            let message = "the name of the skill is empty".to_owned();
            return Err(ActivateError { code: ErrorCode::InvalidParam, message });
        }
        let is_known = |deck: &Deck| deck.find(name).is_ok_and(Skill::is_usable);
        if !is_known(&self.deck) {
            // A root that cannot be read now is told by the skill that is not found.
            self.refresh().ok();
        }
        let skill = self.deck.find(name)?;
        if skill.loads() && !skill.is_usable() {
            let message = format!(
                "the agent `{}` may not use `{}`",
                self.deck.agent.as_deref().map_or_else(String::new, |a| shown(a).into_string()),
                shown(skill.title())
            );
            return Err(ActivateError { code: ErrorCode::PermissionDenied, message });
        }
        let fresh = reread(&self.project, skill);
        let Activation { text, .. } = activate(&self.deck, skill, fresh.as_ref(), arguments)?;
        Ok(Activated {
            name: skill.title().to_owned(),
            base_dir: self.deck.dir_for_model(skill),
            content: text,
        })
    }

    /// What touching a file suggests, of the skills the agent may use. A
    /// [`HintTracker`](crate::prompt::hints::HintTracker) gives each once in a session.
    pub fn hints(&self) -> Hints {
        self.deck.hints()
    }

    /// Everything that is to be said of a skill, worst first; each finding has a
    /// stable code (`docs/findings.md`).
    pub fn findings_of<'a>(&'a self, skill: &'a Skill) -> Vec<&'a Finding> {
        Finding::by_weight(&skill.findings)
    }

    /// Every skill with its status, findings and place; also those that do not load.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// What was read of the disk.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// As whom one looks.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The client.
    pub fn profile(&self) -> Profile {
        self.view.profile
    }
}
