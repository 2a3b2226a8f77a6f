//! Following the disk (CONTRACT §8).
//!
//! A plain thread: it sleeps until the system reports something, waits for the
//! burst to end, and hands one [`Change`] to its owner. It wakes for nothing
//! else. Where the system cannot report, it asks the owner to look every two
//! seconds and says why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::facts::Facts;
use super::locate::{Project, Root};
use super::scan::Scope;
use crate::skill::text::Shown;

/// A reload comes so long after the last event of a burst …
const QUIET: Duration = Duration::from_millis(50);
/// … and at the latest so long after its first.
const LATEST: Duration = Duration::from_millis(500);
/// How often to look where nobody reports changes.
const POLL: Duration = Duration::from_secs(2);

/// What the owner is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something changed, or may have.
    Changed(Change),
    /// From now on changes are noticed in this way.
    Mode(Mode),
}

/// What may have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which skills.
    pub scope: Scope,
    /// Whether `project.yaml` or `project.local.yaml` did.
    pub agents: bool,
}

/// How changes are noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The system reports them.
    Live,
    /// The owner looks every two seconds, for this reason.
    Polling(Shown),
}

/// Follows the disk until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    orders: Sender<Order>,
}

#[derive(Debug)]
enum Order {
    Event(notify::Result<notify::Event>),
    Follow(BTreeSet<Link>),
    Stop,
}

/// A followed link: where it leads, and the folder of the root it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    target: PathBuf,
    folder: std::ffi::OsString,
    is_file: bool,
}

impl Watcher {
    /// Starts to follow a project. `tell` runs on the watcher's thread and must
    /// not wait; it returns whether anybody still listens.
    ///
    /// With `poll`, the system is not asked to report.
    pub fn start(
        project: Project,
        poll: bool,
        tell: impl FnMut(Notice) -> bool + Send + 'static,
    ) -> Self {
        let (orders, inbox) = mpsc::channel();
        let events = orders.clone();
        let run = Run {
            project,
            poll,
            tell: Box::new(tell),
            events,
            inbox,
            watching: None,
            root: None,
            links: BTreeSet::new(),
            mode: None,
        };
        // A system that gives no thread has no watcher; `R` still rescans.
        let _ = thread::Builder::new().name("watch".into()).spawn(move || run.run());
        Self { orders }
    }

    /// Follows also what the links of a scan lead to.
    pub fn follow(&self, facts: &Facts) {
        let mut links = BTreeSet::new();
        for entry in &facts.entries {
            let folder = || entry.dir.file_name().unwrap_or_default().to_owned();
            if let Some(target) = &entry.link {
                links.insert(Link { target: target.clone(), folder: folder(), is_file: false });
            }
            if let Ok(file) = &entry.file
                && let Some(target) = &file.real
                && entry.link.as_ref().is_none_or(|link| !target.starts_with(link))
            {
                links.insert(Link { target: target.clone(), folder: folder(), is_file: true });
            }
        }
        let _ = self.orders.send(Order::Follow(links));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Stop);
    }
}

type Tell = Box<dyn FnMut(Notice) -> bool + Send>;

struct Run {
    project: Project,
    poll: bool,
    tell: Tell,
    events: Sender<Order>,
    inbox: Receiver<Order>,
    watching: Option<Watching>,
    root: Option<PathBuf>,
    links: BTreeSet<Link>,
    mode: Option<Mode>,
}

/// What the system has been asked to report.
struct Watching {
    watcher: RecommendedWatcher,
    links: BTreeSet<Link>,
}

/// Events that have come since the last reload.
#[derive(Default)]
struct Burst {
    since: Option<(Instant, Instant)>,
    folders: BTreeSet<std::ffi::OsString>,
    everything: bool,
    agents: bool,
    root: bool,
}

impl Run {
    fn run(mut self) {
        self.arm();
        // Between the owner's first scan and now nobody was listening.
        let mut burst = Burst::default();
        burst.everything();
        loop {
            let wait = match (burst.due(), &self.mode) {
                (Some(due), _) => Some(due.saturating_duration_since(Instant::now())),
                (None, Some(Mode::Polling(_))) => Some(POLL),
                (None, _) => None,
            };
            let order = match wait {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => self.inbox.recv_timeout(wait),
            };
            match order {
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Order::Event(event)) => self.note(event, &mut burst),
                Ok(Order::Follow(links)) => {
                    if self.links != links {
                        self.links = links;
                        self.follow_links();
                        burst.everything();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    // Nothing was reported: it is time to look.
                    if burst.since.is_none() {
                        burst.everything();
                        burst.root = self.real_root() != self.root;
                        if !self.reload(&mut burst) {
                            return;
                        }
                    }
                }
            }
            if burst.due().is_some_and(|due| due <= Instant::now()) && !self.reload(&mut burst) {
                return;
            }
        }
    }

    /// Hands a burst over; whether anybody still listens.
    fn reload(&mut self, burst: &mut Burst) -> bool {
        let burst = std::mem::take(burst);
        if burst.root {
            // The root may be another directory now.
            self.arm();
        }
        let scope = if burst.everything { Scope::All } else { Scope::Folders(burst.folders) };
        (self.tell)(Notice::Changed(Change { scope, agents: burst.agents }))
    }

    /// Asks the system to report changes, anew: what it still knows of a folder
    /// that went and came back is not to be relied on.
    fn arm(&mut self) {
        self.watching = None;
        self.root = self.real_root();
        let mode = match self.watch_all() {
            Ok(watching) => {
                self.watching = Some(watching);
                Mode::Live
            }
            Err(reason) => Mode::Polling(crate::skill::text::shown(&reason)),
        };
        self.set_mode(mode);
    }

    fn set_mode(&mut self, mode: Mode) {
        if self.mode.as_ref() != Some(&mode) {
            self.mode = Some(mode.clone());
            (self.tell)(Notice::Mode(mode));
        }
    }

    fn real_root(&self) -> Option<PathBuf> {
        match self.project.find_root() {
            Ok(Root::Present(real)) => Some(real),
            Ok(Root::Absent) | Err(_) => None,
        }
    }

    fn watch_all(&self) -> Result<Watching, String> {
        if self.poll {
            return Err("as asked".into());
        }
        if let Some(system) = self.root.as_deref().and_then(network_file_system) {
            return Err(format!("{system} does not report changes"));
        }
        let events = self.events.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if !event.as_ref().is_ok_and(|e| is_reading(e.kind)) {
                let _ = events.send(Order::Event(event));
            }
        })
        .map_err(|error| plain(&error))?;
        let mut watching = Watching { watcher, links: BTreeSet::new() };
        for dir in self.above() {
            watching.add(&dir, RecursiveMode::NonRecursive)?;
        }
        if let Some(root) = &self.root {
            watching.add(root, RecursiveMode::Recursive)?;
        }
        watching.follow(&self.links, self.root.as_deref())?;
        Ok(watching)
    }

    fn follow_links(&mut self) {
        let Some(watching) = &mut self.watching else { return };
        if let Err(reason) = watching.follow(&self.links, self.root.as_deref()) {
            self.watching = None;
            self.set_mode(Mode::Polling(crate::skill::text::shown(&reason)));
        }
    }

    /// The folders in which the root and the project files come and go.
    fn above(&self) -> Vec<PathBuf> {
        let kaged = self.project.dir().join(".kaged");
        let beside_root = self.project.root().parent().map(Path::to_owned);
        let mut above = BTreeSet::new();
        for dir in [Some(kaged), beside_root].into_iter().flatten() {
            // Of a folder that is not there the nearest one that is.
            let there = dir.ancestors().find(|d| d.is_dir()).unwrap_or(&dir);
            above.insert(there.canonicalize().unwrap_or_else(|_| there.to_owned()));
        }
        above.into_iter().collect()
    }

    fn note(&self, event: notify::Result<notify::Event>, burst: &mut Burst) {
        match event {
            Ok(event) if !event.need_rescan() && !event.paths.is_empty() => {
                for path in &event.paths {
                    self.note_path(path, burst);
                }
            }
            // The system lost count of what happened.
            _ => burst.everything(),
        }
    }

    fn note_path(&self, path: &Path, burst: &mut Burst) {
        let mut known = false;
        if let Some(below) = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok()) {
            known = true;
            match below.components().next() {
                Some(first) => {
                    burst.folders.insert(first.as_os_str().to_owned());
                }
                None => burst.root(),
            }
        }
        for link in self.links.iter().filter(|link| path.starts_with(&link.target)) {
            known = true;
            burst.folders.insert(link.folder.clone());
        }
        if !known {
            if path.file_name().is_some_and(|n| n == "project.yaml" || n == "project.local.yaml") {
                burst.agents = true;
            } else if self.leads_to_root(path) {
                burst.root();
            } else {
                // Something else beside the root, which nobody shows.
                return;
            }
        }
        burst.extend(Instant::now());
    }

    /// Whether a path is the root, or one of the folders above it that must be
    /// there first.
    fn leads_to_root(&self, path: &Path) -> bool {
        let above = |target: &Path| target.ancestors().any(|a| a == path);
        let real = |p: &Path| {
            let parent = p.parent().and_then(|parent| parent.canonicalize().ok());
            parent.zip(p.file_name()).map(|(parent, name)| parent.join(name))
        };
        let root = self.project.root();
        above(root)
            || real(root).is_some_and(|root| above(&root))
            || above(&self.project.dir().join(".kaged"))
            || above(&self.project.boundary().join(".kaged/skills"))
    }
}

impl Watching {
    /// A path that went away meanwhile is no failure: its parent tells.
    fn add(&mut self, path: &Path, mode: RecursiveMode) -> Result<(), String> {
        match self.watcher.watch(path, mode) {
            Err(error) if !is_gone(&error) => Err(plain(&error)),
            _ => Ok(()),
        }
    }

    /// Watches what links lead to, where the root's own watch does not reach.
    fn follow(&mut self, links: &BTreeSet<Link>, root: Option<&Path>) -> Result<(), String> {
        let outside: BTreeSet<_> = links
            .iter()
            .filter(|link| root.is_none_or(|root| !link.target.starts_with(root)))
            .cloned()
            .collect();
        for old in self.links.difference(&outside) {
            // What is gone need not be let go of.
            let _ = self.watcher.unwatch(old.watched());
        }
        for link in outside.difference(&self.links.clone()) {
            let mode =
                if link.is_file { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
            self.add(link.watched(), mode)?;
        }
        self.links = outside;
        Ok(())
    }
}

impl Link {
    /// Editors replace files, so of a file its folder is watched.
    fn watched(&self) -> &Path {
        if self.is_file { self.target.parent().unwrap_or(&self.target) } else { &self.target }
    }
}

impl Burst {
    fn extend(&mut self, now: Instant) {
        let first = self.since.map_or(now, |(first, _)| first);
        self.since = Some((first, now));
    }

    fn everything(&mut self) {
        self.everything = true;
        self.agents = true;
        self.extend(Instant::now());
    }

    fn root(&mut self) {
        self.everything();
        self.root = true;
    }

    fn due(&self) -> Option<Instant> {
        self.since.map(|(first, last)| (last + QUIET).min(first + LATEST))
    }
}

/// Reading a file is no change; we do it ourselves.
fn is_reading(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

fn plain(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system's limit of watches is reached".into(),
        notify::ErrorKind::Io(error) => format!("the system cannot watch: {error}"),
        _ => format!("the system cannot watch: {error}"),
    }
}

/// The name of a file system whose changes may be made elsewhere.
#[cfg(target_os = "linux")]
fn network_file_system(path: &Path) -> Option<&'static str> {
    let stat = rustix::fs::statfs(path).ok()?;
    Some(match stat.f_type as u64 & 0xffff_ffff {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x6573_5546 => "FUSE",
        0x0102_1997 => "9P",
        0x5346_414f => "AFS",
        0x00c3_6400 => "Ceph",
        _ => return None,
    })
}

#[cfg(not(target_os = "linux"))]
fn network_file_system(_: &Path) -> Option<&'static str> {
    None
}
