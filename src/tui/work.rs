//! The workers: threads on which everything that may take time runs.
//!
//! `disk` looks at the disk and lays out decks, `files` reads the files of the
//! chosen skill, `list` makes the rows of the list, `compare` lays out decks for
//! other views, `reports` tells things at length, `session` changes files, `trial` tells what a text that is typed
//! would change. All answer into the one queue, and all but `session` do only the
//! latest of what has piled up.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::compare::{self, Comparison};
use super::disk::{Disk, Job};
use super::drafts::{self, Keep};
use super::listing::{Lister, Wanted};
use super::message::{Message, Request};
use super::pages::{self, Pages};
use super::reports::{self, Report};
use super::session::{Session, Task};
use super::trial::{self, Attempt};
use crate::project::guard::guarded;
use crate::project::watch::Change;
use crate::project::{Project, View};

/// How long the end waits for what is being written.
const PATIENCE: Duration = Duration::from_secs(3);

/// The threads.
#[derive(Debug)]
pub struct Workers {
    disk: Sender<Job>,
    stop: Arc<AtomicBool>,
    files: Sender<Request>,
    list: Sender<Wanted>,
    session: Sender<Task>,
    trial: Sender<Attempt>,
    drafts: Sender<Keep>,
    /// Held by those that write, until they have ended.
    writing: Receiver<()>,
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
        records: Option<PathBuf>,
        recovery: Option<PathBuf>,
        queue: UnboundedSender<Message>,
    ) -> std::io::Result<Self> {
        let (disk, jobs) = mpsc::channel();
        let (files, requests) = mpsc::channel();
        let (list, wanted) = mpsc::channel();
        let (compare, comparisons) = mpsc::channel::<Comparison>();
        let (reports, told) = mpsc::channel();
        let (alive, writing) = mpsc::channel();
        let (session, tasks) = mpsc::channel();
        let (trial, attempts) = mpsc::channel();
        let (drafts, kept) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (disk_project, own, flag) = (project.clone(), disk.clone(), Arc::clone(&stop));
        let compare_project = project.clone();
        spawn("disk", queue.clone(), move |queue| {
            Disk::new(disk_project, view, poll, own, (compare, reports), flag, queue)
                .with_records(records)
                .run(&jobs);
        })?;
        spawn("compare", queue.clone(), move |queue| {
            compare::run(&compare_project, &comparisons, &queue);
        })?;
        let reports_project = project.clone();
        spawn("reports", queue.clone(), move |queue| {
            reports::run(&reports_project, &told, &queue);
        })?;
        let held = alive.clone();
        let (session_project, trial_project) = (project.clone(), project.clone());
        spawn("session", queue.clone(), move |queue| {
            change_files(Session::new(session_project), &tasks, &queue);
            drop(alive);
        })?;
        let boundary = project.boundary().to_owned();
        if let Some(dir) = recovery {
            spawn("drafts", queue.clone(), move |queue| {
                drafts::run(&dir, &boundary, &kept, &queue);
                drop(held);
            })?;
        }
        spawn("trial", queue.clone(), move |queue| {
            trial::run(&trial_project, &attempts, &queue);
        })?;
        spawn("list", queue.clone(), move |queue| make_rows(&wanted, &queue))?;
        spawn("files", queue, move |queue| read_files(&project, &requests, &queue))?;
        let workers = Self { disk, stop, files, list, session, trial, drafts, writing };
        workers.look();
        Ok(workers)
    }

    /// Waits until what was to be written is, but not for ever: the disk may hang.
    pub fn finish(self) {
        let Self { session, drafts, writing, .. } = self;
        drop((session, drafts));
        let _ = writing.recv_timeout(PATIENCE);
    }

    /// Looks at the disk; the user wants to know what comes of it.
    pub fn look(&self) {
        self.stop.store(false, Ordering::Relaxed);
        let _ = self.disk.send(Job::Look { change: Change::everything(), asked: true });
    }

    /// Looks at the disk; nobody waits for a word.
    pub fn look_quietly(&self) {
        let _ = self.disk.send(Job::Look { change: Change::everything(), asked: false });
    }

    /// Has files changed, or tells what there is to change.
    pub fn session(&self, task: Task) {
        let _ = self.session.send(task);
    }

    /// Keeps text safe that is not saved yet.
    pub fn keep(&self, keep: Keep) {
        let _ = self.drafts.send(keep);
    }

    /// Tells what a text would change.
    pub fn attempt(&self, attempt: Attempt) {
        let _ = self.trial.send(attempt);
    }

    /// Stops the look that is under way.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Lays out the deck for another view.
    pub fn view(&self, view: View) {
        let _ = self.disk.send(Job::View(view));
    }

    /// Lays out decks for other views.
    pub fn compare(&self, views: Vec<View>, number: u64) {
        let _ = self.disk.send(Job::Compare(views, number));
    }

    /// Has something told at length.
    pub fn report(&self, report: Report) {
        let _ = self.disk.send(Job::Report(report));
    }

    /// Begins to follow the disk.
    pub fn follow(&self) {
        let _ = self.disk.send(Job::Follow);
    }

    /// Makes the rows of the list.
    pub fn list(&self, wanted: Wanted) {
        let _ = self.list.send(wanted);
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

fn read_files(project: &Project, requests: &Receiver<Request>, queue: &UnboundedSender<Message>) {
    while let Ok(first) = requests.recv() {
        let request = requests.try_iter().last().unwrap_or(first);
        let Some(skill) = request.deck.skills.get(request.skill) else { continue };
        let pages = guarded(|| pages::read(project, &request)).flatten();
        let pages = pages.unwrap_or_else(|| Pages::failed(skill, request.number));
        if queue.send(Message::Pages(Box::new(pages))).is_err() {
            return;
        }
    }
}

fn make_rows(wanted: &Receiver<Wanted>, queue: &UnboundedSender<Message>) {
    let mut lister = Lister::default();
    while let Ok(first) = wanted.recv() {
        let wanted = wanted.try_iter().last().unwrap_or(first);
        if queue.send(Message::Listing(lister.list(&wanted))).is_err() {
            return;
        }
    }
}

/// Does every task, in order: what is to be changed is never left out. Of
/// questions that have piled up only the last is answered.
fn change_files(mut session: Session, tasks: &Receiver<Task>, queue: &UnboundedSender<Message>) {
    if let Some(said) = session.unfinished() {
        let _ = queue.send(Message::Said(said));
    }
    while let Ok(first) = tasks.recv() {
        let all: Vec<_> = std::iter::once(first).chain(tasks.try_iter()).collect();
        let is_proposal = |task: &Task| matches!(task, Task::Propose { .. });
        let last = all.iter().rposition(is_proposal);
        for (at, task) in all.into_iter().enumerate() {
            // With every letter something else is asked; only the last is waited for.
            if is_proposal(&task) && Some(at) != last {
                continue;
            }
            for message in session.handle(task) {
                if queue.send(message).is_err() {
                    return;
                }
            }
        }
    }
}
