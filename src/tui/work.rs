//! The workers: two threads on which everything that may take time runs.
//!
//! One looks at the disk and lays out decks, the other reads the files of the
//! chosen skill. Both answer into the one queue, and do only the latest of what
//! has piled up.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use super::message::{Message, Request};
use super::pages::{self, Pages};
use crate::project::guard::guarded;
use crate::project::watch::{Change, Notice, Watcher};
use crate::project::{Agents, Deck, Facts, Project, Scanner, View};
use crate::skill::text::shown;

/// The two threads.
#[derive(Debug)]
pub struct Workers {
    disk: Sender<Job>,
    files: Sender<Request>,
}

#[derive(Debug)]
enum Job {
    Look(Change),
    View(View),
    Follow,
}

impl Workers {
    /// Starts them, the first with a look at everything.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        project: Project,
        view: View,
        poll: bool,
        queue: UnboundedSender<Message>,
    ) -> std::io::Result<Self> {
        let (disk, jobs) = mpsc::channel();
        let (files, requests) = mpsc::channel();
        let (disk_project, own) = (project.clone(), disk.clone());
        spawn("disk", queue.clone(), move |queue| {
            Disk::new(disk_project, view, poll, own, queue).run(&jobs);
        })?;
        spawn("files", queue, move |queue| read_files(&project, &requests, &queue))?;
        let workers = Self { disk, files };
        workers.look();
        Ok(workers)
    }

    /// Looks at the disk.
    pub fn look(&self) {
        let _ = self.disk.send(Job::Look(Change::everything()));
    }

    /// Lays out the deck for another view.
    pub fn view(&self, view: View) {
        let _ = self.disk.send(Job::View(view));
    }

    /// Begins to follow the disk.
    pub fn follow(&self) {
        let _ = self.disk.send(Job::Follow);
    }

    /// Reads a skill's files.
    pub fn read(&self, request: Request) {
        let _ = self.files.send(request);
    }
}

/// A thread whose end by a panic is told, since nobody would notice otherwise.
fn spawn(
    name: &'static str,
    queue: UnboundedSender<Message>,
    work: impl FnOnce(UnboundedSender<Message>) + Send + 'static,
) -> std::io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(move || {
        let inner = queue.clone();
        let ended: Result<(), Box<dyn Any + Send>> =
            catch_unwind(AssertUnwindSafe(move || work(inner)));
        if ended.is_err() {
            let _ = queue.send(Message::Died(name));
        }
    })?;
    Ok(())
}

struct Disk {
    project: Project,
    poll: bool,
    /// The way to itself, for the watcher.
    own: Sender<Job>,
    queue: UnboundedSender<Message>,
    scanner: Scanner,
    view: View,
    agents: Arc<Agents>,
    facts: Option<Facts>,
    watcher: Option<Watcher>,
    /// What the screen was last told of: nothing else is worth a frame.
    told: Option<(View, Arc<Agents>, Facts)>,
}

impl Disk {
    fn new(
        project: Project,
        view: View,
        poll: bool,
        own: Sender<Job>,
        queue: UnboundedSender<Message>,
    ) -> Self {
        let scanner = Scanner::new(project.clone(), view.profile.discovery());
        Self {
            project,
            poll,
            own,
            queue,
            scanner,
            view,
            agents: Arc::default(),
            facts: None,
            watcher: None,
            told: None,
        }
    }

    fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut look: Option<Change> = None;
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Look(change) => {
                        look = Some(match look.take() {
                            Some(before) => before.and(change),
                            None => change,
                        });
                    }
                    Job::View(view) => self.view = view,
                    Job::Follow => self.follow(),
                }
            }
            self.look(look);
        }
    }

    /// The watcher tells this worker what changed, and the screen only how it knows.
    fn follow(&mut self) {
        let (own, queue) = (self.own.clone(), self.queue.clone());
        let watcher = Watcher::start(self.project.clone(), self.poll, move |notice| match notice {
            Notice::Changed(change) => own.send(Job::Look(change)).is_ok(),
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

    fn look(&mut self, change: Option<Change>) {
        let other_depth = self.scanner.set_discovery(self.view.profile.discovery());
        let reloaded = change.is_some() && self.facts.is_some();
        let change = match change {
            None if !other_depth && self.facts.is_some() => {
                self.tell(false);
                return;
            }
            Some(change) if !other_depth => change,
            _ => Change::everything(),
        };
        if change.agents {
            self.agents = Arc::new(Agents::load(&self.project));
        }
        let first = self.facts.is_none();
        let (project, agents, view, queue) = (&self.project, &self.agents, &self.view, &self.queue);
        // The list fills in as the first scan goes.
        let mut progress = |facts: Facts| {
            if first && let Ok(deck) = Deck::new(project, &facts, agents, view) {
                let deck = Arc::new(deck);
                let _ = queue.send(Message::Deck { deck, scanning: true, reloaded: false });
            }
        };
        match self.scanner.refresh(&change.scope, Some(&mut progress)) {
            Ok(facts) => {
                if let Some(watcher) = &self.watcher {
                    watcher.follow(&facts);
                }
                self.facts = Some(facts);
                self.tell(reloaded);
            }
            Err(error) => {
                self.facts = None;
                self.told = None;
                let message = shown(&error.to_string());
                let _ = self.queue.send(Message::Trouble(message));
            }
        }
    }

    /// Tells the screen of what is new to it.
    fn tell(&mut self, reloaded: bool) {
        let Some(facts) = &self.facts else { return };
        let is_known = self.told.as_ref().is_some_and(|(view, agents, told)| {
            *view == self.view && *agents == self.agents && told == facts
        });
        if is_known {
            return;
        }
        match Deck::new(&self.project, facts, &self.agents, &self.view) {
            Ok(deck) => {
                self.told = Some((self.view.clone(), Arc::clone(&self.agents), facts.clone()));
                let deck = Arc::new(deck);
                let _ = self.queue.send(Message::Deck { deck, scanning: false, reloaded });
            }
            Err(error) => {
                // The next best: the agent one looks as without asking for one.
                let gone = self.view.agent.take();
                let message = shown(&error.to_string());
                let _ = self.queue.send(Message::AgentGone { agent: gone, message });
                self.tell(reloaded);
            }
        }
    }
}

fn read_files(project: &Project, requests: &Receiver<Request>, queue: &UnboundedSender<Message>) {
    while let Ok(first) = requests.recv() {
        let request = requests.try_iter().last().unwrap_or(first);
        let Some(skill) = request.deck.skills.get(request.skill) else { continue };
        let pages = guarded(|| pages::read(project, &request)).flatten();
        let pages = pages.unwrap_or_else(|| Pages::failed(skill, request.number));
        if queue.send(Message::Pages(pages)).is_err() {
            return;
        }
    }
}
