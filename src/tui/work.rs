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
use super::pages::lay_out;
use super::update::{merge, said};
use crate::project::activate::reread;
use crate::project::difference::Difference;
use crate::project::watch::{Change, Watcher};
use crate::project::{Agents, Deck, Facts, Project, Scanner, View};

/// The two threads.
#[derive(Debug)]
pub struct Workers {
    disk: Sender<Job>,
    files: Sender<Request>,
}

#[derive(Debug)]
enum Job {
    Look(Change, View),
    View(View),
    Follow,
}

impl Workers {
    /// Starts them.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        project: Project,
        poll: bool,
        queue: UnboundedSender<Message>,
    ) -> std::io::Result<Self> {
        let (disk, jobs) = mpsc::channel();
        let (files, requests) = mpsc::channel();
        let disk_project = project.clone();
        spawn("disk", queue.clone(), move |queue| {
            Disk::new(disk_project, poll, queue).run(&jobs);
        })?;
        spawn("files", queue, move |queue| read_files(&project, &requests, &queue))?;
        Ok(Self { disk, files })
    }

    /// Looks at the disk and lays out the deck.
    pub fn look(&self, change: Change, view: View) {
        let _ = self.disk.send(Job::Look(change, view));
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
    queue: UnboundedSender<Message>,
    scanner: Scanner,
    agents: Arc<Agents>,
    facts: Option<Facts>,
    watcher: Option<Watcher>,
    last: Option<Arc<Deck>>,
}

impl Disk {
    fn new(project: Project, poll: bool, queue: UnboundedSender<Message>) -> Self {
        let view = View::default();
        let scanner = Scanner::new(project.clone(), view.profile.discovery());
        Self {
            project,
            poll,
            queue,
            scanner,
            agents: Arc::default(),
            facts: None,
            watcher: None,
            last: None,
        }
    }

    fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut look = None;
            let mut view = None;
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Look(change, v) => {
                        look = Some(match look.take() {
                            Some(before) => merge(before, change),
                            None => change,
                        });
                        view = Some(v);
                    }
                    Job::View(v) => view = Some(v),
                    Job::Follow => self.follow(),
                }
            }
            if let Some(view) = view {
                self.look(look, &view);
            }
        }
    }

    fn follow(&mut self) {
        let queue = self.queue.clone();
        let watcher = Watcher::start(self.project.clone(), self.poll, move |notice| {
            queue.send(Message::Watch(notice)).is_ok()
        });
        if let Some(facts) = &self.facts {
            watcher.follow(facts);
        }
        self.watcher = Some(watcher);
    }

    fn look(&mut self, change: Option<Change>, view: &View) {
        let other_depth = self.scanner.set_discovery(view.profile.discovery());
        let reloaded = change.is_some() && self.facts.is_some();
        let change = match change {
            None if !other_depth && self.facts.is_some() => {
                self.show(view, false, None);
                return;
            }
            Some(change) if !other_depth => change,
            _ => super::update::everything(),
        };
        if change.agents {
            self.agents = Arc::new(Agents::load(&self.project));
        }
        let first = self.facts.is_none();
        let (project, agents, queue) = (&self.project, &self.agents, &self.queue);
        // The list fills in as the first scan goes.
        let mut progress = |facts: Facts| {
            if first && let Ok(deck) = Deck::new(project, &facts, agents, view) {
                let deck = Arc::new(deck);
                let _ = queue.send(Message::Deck { deck, scanning: true, reloaded: false });
            }
        };
        match self.scanner.refresh(&change.scope, &mut progress) {
            Ok(facts) => {
                if let Some(watcher) = &self.watcher {
                    watcher.follow(&facts);
                }
                let before = self.facts.replace(facts);
                self.show(view, reloaded, before.as_ref());
            }
            Err(error) => {
                self.facts = None;
                self.last = None;
                let _ = self.queue.send(Message::Trouble(said(&error)));
            }
        }
    }

    fn show(&mut self, view: &View, reloaded: bool, before: Option<&Facts>) {
        let Some(facts) = &self.facts else { return };
        match Deck::new(&self.project, facts, &self.agents, view) {
            Ok(deck) => {
                // A look that found nothing new is not worth a frame.
                let is_new = before.is_none_or(|before| before != facts)
                    || self.last.as_ref().is_none_or(|last| {
                        Difference::between(last, &deck).is_some() || last.used != deck.used
                    });
                if is_new {
                    let deck = Arc::new(deck);
                    self.last = Some(Arc::clone(&deck));
                    let message = Message::Deck { deck, scanning: false, reloaded };
                    let _ = self.queue.send(message);
                }
            }
            Err(error) => {
                let _ = self.queue.send(Message::AgentGone(said(&error)));
            }
        }
    }
}

fn read_files(project: &Project, requests: &Receiver<Request>, queue: &UnboundedSender<Message>) {
    while let Ok(first) = requests.recv() {
        let request = requests.try_iter().last().unwrap_or(first);
        let Some(skill) = request.deck.skills.get(request.skill) else { continue };
        let fresh = reread(project, skill);
        let pages = lay_out(
            &request.deck,
            skill,
            fresh.as_ref(),
            request.arguments.as_deref(),
            request.width,
            request.number,
        );
        if queue.send(Message::Pages(pages)).is_err() {
            return;
        }
    }
}
