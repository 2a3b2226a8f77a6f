//! The worker that looks at the disk and lays out decks.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::compare::Comparison;
use super::message::Message;
use super::news::news;
use super::reports::{Report, Wanted};
use crate::profile::Discovery;
use crate::project::scan::Progress;
use crate::project::usage::{self, Usage};
use crate::project::watch::{Change, Notice, Watcher};
use crate::project::{Agents, Deck, Facts, Project, Scanner, View};
use crate::skill::text::{Shown, name_text, shown, shown_name};

/// A look that takes longer says how far it is.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often a look says how far it is.
const OFTEN: Duration = Duration::from_millis(50);

/// Something for the worker to do.
#[derive(Debug)]
pub enum Job {
    /// Look at what changed.
    Look {
        /// What did.
        change: Change,
        /// Whether the user asked for it, and waits for a word.
        asked: bool,
    },
    /// Lay out the deck for another view.
    View(View),
    /// Have decks laid out for other views.
    Compare(Vec<View>, u64),
    /// Have something told at length.
    Report(Report),
    /// Begin to follow the disk.
    Follow,
}

/// The worker.
#[derive(Debug)]
pub struct Disk {
    project: Project,
    poll: bool,
    /// The way to itself, for the watcher.
    own: Sender<Job>,
    compare: Sender<Comparison>,
    reports: Sender<Wanted>,
    /// Where activations are recorded.
    records: Option<PathBuf>,
    usage: usage::Known,
    /// What was read first, how deep, and the agents then.
    first: Option<(Facts, Discovery, Arc<Agents>)>,
    /// Set when the look under way is to stop.
    stop: Arc<AtomicBool>,
    queue: UnboundedSender<Message>,
    scanner: Scanner,
    view: View,
    agents: Arc<Agents>,
    facts: Option<Facts>,
    watcher: Option<Watcher>,
    /// What the screen was last told of: nothing else is worth a frame.
    told: Option<Told>,
}

#[derive(Debug)]
struct Told {
    view: View,
    agents: Arc<Agents>,
    facts: Facts,
    usage: usage::Known,
    deck: Arc<Deck>,
}

impl Disk {
    /// A worker that has read nothing yet.
    pub fn new(
        project: Project,
        view: View,
        poll: bool,
        own: Sender<Job>,
        (compare, reports): (Sender<Comparison>, Sender<Wanted>),
        stop: Arc<AtomicBool>,
        queue: UnboundedSender<Message>,
    ) -> Self {
        let scanner = Scanner::new(project.clone(), view.profile.discovery());
        Self {
            project,
            poll,
            own,
            compare,
            reports,
            records: None,
            usage: None,
            first: None,
            stop,
            queue,
            scanner,
            view,
            agents: Arc::default(),
            facts: None,
            watcher: None,
            told: None,
        }
    }

    /// The same, which also reads where activations are recorded.
    #[must_use]
    pub fn with_records(self, records: Option<PathBuf>) -> Self {
        Self { records, ..self }
    }

    /// Works until nobody is left to work for.
    pub fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut look: Option<Change> = None;
            let mut asked = false;
            let mut comparison = None;
            let mut reports = Vec::new();
            let mut is_other_view = false;
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Look { change, asked: by_user } => {
                        asked |= by_user;
                        look = Some(match look.take() {
                            Some(before) => before.and(change),
                            None => change,
                        });
                    }
                    Job::View(view) => {
                        self.view = view;
                        is_other_view = true;
                    }
                    Job::Compare(views, number) => comparison = Some((views, number)),
                    Job::Report(report) => reports.push(report),
                    Job::Follow => self.follow(),
                }
            }
            if look.is_some() || is_other_view {
                self.look(look, asked);
                let _ = self.queue.send(Message::Looked);
            }
            if let Some((views, number)) = comparison {
                self.compare(views, number);
            }
            for report in reports {
                self.report(report);
            }
        }
    }

    /// Has something told of what the screen was told last.
    fn report(&self, report: Report) {
        let Some(told) = &self.told else { return };
        let discovery = told.view.profile.discovery();
        let first = self.first.as_ref().filter(|(_, depth, _)| *depth == discovery);
        let wanted = Wanted {
            report,
            deck: Arc::clone(&told.deck),
            view: told.view.clone(),
            facts: told.facts.clone(),
            discovery,
            agents: Arc::clone(&told.agents),
            first: first.map(|(facts, _, agents)| (facts.clone(), Arc::clone(agents))),
        };
        let _ = self.reports.send(wanted);
    }

    /// The watcher tells this worker what changed, and the screen only how it knows.
    fn follow(&mut self) {
        let (own, queue) = (self.own.clone(), self.queue.clone());
        let watcher = Watcher::start(self.project.clone(), self.poll, move |notice| match notice {
            Notice::Changed(change) => own.send(Job::Look { change, asked: false }).is_ok(),
            Notice::Mode(mode) => queue.send(Message::Mode(mode)).is_ok(),
        });
        let Ok(watcher) = watcher else {
            let _ = self.queue.send(Message::Died("watch"));
            return;
        };
        if let Some(facts) = &self.facts {
            watcher.follow(facts);
        }
        self.watcher = Some(watcher);
    }

    fn compare(&self, views: Vec<View>, number: u64) {
        let Some(facts) = self.facts.clone() else {
            let why = || Err(Shown::fixed("nothing can be read"));
            for item in 0..views.len() {
                let _ = self.queue.send(Message::Compared(number, item, why()));
            }
            return;
        };
        let discovery = self.view.profile.discovery();
        let agents = Arc::clone(&self.agents);
        let _ = self.compare.send(Comparison { views, facts, discovery, agents, number });
    }

    fn look(&mut self, change: Option<Change>, asked: bool) {
        let other_depth = self.scanner.set_discovery(self.view.profile.discovery());
        let reloaded = change.is_some() && self.facts.is_some();
        let change = match change {
            None if !other_depth && self.facts.is_some() => {
                self.tell(false, false);
                return;
            }
            Some(change) if !other_depth => change,
            _ => Change::everything(),
        };
        if change.agents {
            self.agents = Arc::new(Agents::load(&self.project));
        }
        match self.scan(&change) {
            Ok(facts) if facts.unread > 0 && self.facts.is_some() => {
                // What is shown stays: half a look would show skills as gone.
                if let Some(told) = &self.told {
                    self.view = told.view.clone();
                }
                self.scanner.set_discovery(self.view.profile.discovery());
                let _ = self.queue.send(Message::Stopped(facts.unread, self.view.clone()));
            }
            Ok(facts) => {
                if let Some(watcher) = &self.watcher {
                    watcher.follow(&facts);
                }
                self.facts = Some(facts);
                self.read_records();
                self.tell(reloaded, asked);
            }
            Err(error) => {
                self.facts = None;
                self.told = None;
                let message = shown(&error.to_string());
                let _ = self.queue.send(Message::Trouble(message));
            }
        }
    }

    /// Reads how often skills were activated, where that is recorded.
    fn read_records(&mut self) {
        let Some(path) = &self.records else { return };
        match Usage::read(path, &name_text(self.project.dir().as_os_str())) {
            Ok(usage) if self.usage.as_deref() != Some(&usage) => {
                self.usage = Some(Arc::new(usage));
            }
            Ok(_) => {}
            Err(error) => {
                let text = format!("{} cannot be read: {error}", shown_name(path.as_os_str()));
                let _ = self.queue.send(Message::Said(shown(&text)));
            }
        }
    }

    fn scan(&mut self, change: &Change) -> Result<Facts, crate::project::LocateError> {
        let first = self.facts.is_none();
        let Self { project, agents, view, queue, stop, .. } = self;
        let start = Instant::now();
        let mut next = start + OFTEN;
        let mut watch = |progress: Progress<'_>| {
            if stop.swap(false, Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let told = Instant::now();
            if told < next {
                return ControlFlow::Continue(());
            }
            if first {
                // The list fills in as the first scan goes.
                if let Ok(deck) = Deck::new(project, &(progress.facts)(), agents, view) {
                    let deck = Arc::new(deck);
                    let _ = queue.send(Message::Deck { deck, scanning: true, news: None });
                }
            } else if start.elapsed() >= PATIENCE {
                let _ = queue.send(Message::Progress(progress.read));
            }
            // Telling takes time that reading does not get: a fifth of it is enough.
            next = Instant::now() + OFTEN.max(told.elapsed() * 4);
            ControlFlow::Continue(())
        };
        self.scanner.refresh(&change.scope, Some(&mut watch))
    }

    /// Tells the screen of what is new to it.
    fn tell(&mut self, reloaded: bool, asked: bool) {
        let Some(facts) = &self.facts else { return };
        let is_known = self.told.as_ref().is_some_and(|told| {
            told.view == self.view
                && told.agents == self.agents
                && told.facts == *facts
                && told.usage == self.usage
        });
        if is_known {
            if asked {
                let _ = self.queue.send(Message::NothingNew);
            }
            return;
        }
        match Deck::new(&self.project, facts, &self.agents, &self.view) {
            Ok(mut deck) => {
                deck.usage = self.usage.clone();
                let deck = Arc::new(deck);
                let before = self.told.as_ref().filter(|told| {
                    // What was not read the last time is not new.
                    reloaded && told.view == self.view && told.facts.unread == 0
                });
                let news = before.and_then(|told| news(&told.deck, &deck));
                if self.first.is_none() && facts.unread == 0 {
                    let depth = self.view.profile.discovery();
                    self.first = Some((facts.clone(), depth, Arc::clone(&self.agents)));
                }
                self.told = Some(Told {
                    view: self.view.clone(),
                    agents: Arc::clone(&self.agents),
                    facts: facts.clone(),
                    usage: self.usage.clone(),
                    deck: Arc::clone(&deck),
                });
                let _ = self.queue.send(Message::Deck { deck, scanning: false, news });
            }
            Err(error) => {
                // The next best: the agent one looks as without asking for one.
                let gone = self.view.agent.take();
                let message = shown(&error.to_string());
                let _ = self.queue.send(Message::AgentGone { agent: gone, message });
                self.tell(reloaded, asked);
            }
        }
    }
}
