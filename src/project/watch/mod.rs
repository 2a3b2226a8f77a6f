//! Following the disk (CONTRACT §8).
//!
//! A plain thread: it sleeps until the system reports something, waits for the
//! burst to end, and hands one [`Change`] to its owner. It wakes for nothing
//! else. Where the system cannot report, it asks the owner to look every two
//! seconds and says why.

mod asked;
mod burst;
mod links;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::RecursiveMode;

use self::asked::{Refusal, Watching, is_reading, network_file_system, plain};
use self::burst::Burst;
use self::links::{Affects, Links, hops};
use super::facts::Facts;
use super::locate::{Project, Root};
use super::scan::Scope;
use crate::skill::text::Shown;

/// How often to look where nobody reports changes.
const POLL: Duration = Duration::from_secs(2);
/// After so many looks the system is asked once more whether it can report.
const LOOKS: u32 = 15;
/// How long to wait, at first and at most, once the system has lost count.
const LOST_COUNT: Duration = Duration::from_secs(2);
const LOST_COUNT_MOST: Duration = Duration::from_secs(30);

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

impl Change {
    /// Look at everything.
    pub fn everything() -> Self {
        Self { scope: Scope::All, agents: true }
    }

    /// Two changes as one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let scope = match (self.scope, other.scope) {
            (Scope::Folders(a), Scope::Folders(b)) => {
                Scope::Folders(a.into_iter().chain(b).collect())
            }
            _ => Scope::All,
        };
        Self { scope, agents: self.agents || other.agents }
    }
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
    project: Project,
    orders: Sender<Order>,
}

#[derive(Debug)]
enum Order {
    Event(notify::Result<notify::Event>),
    Follow(Links),
    Stop,
}

impl Watcher {
    /// Starts to follow a project. `tell` runs on the watcher's thread and must
    /// not wait; it returns whether anybody still listens.
    ///
    /// With `poll`, the system is not asked to report.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        project: Project,
        poll: bool,
        tell: impl FnMut(Notice) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, inbox) = mpsc::channel();
        let run = Run {
            project: project.clone(),
            poll,
            tell: Box::new(tell),
            events: orders.clone(),
            inbox,
            watching: None,
            root: None,
            waypoints: Vec::new(),
            links: Links::new(),
            mode: None,
            piecemeal: false,
            patience: LOST_COUNT,
            looks: 0,
        };
        thread::Builder::new().name("watch".into()).spawn(move || run.run())?;
        Ok(Self { project, orders })
    }

    /// Follows also what the links of a scan lead to, or would lead to.
    pub fn follow(&self, facts: &Facts) {
        let links = links::of(&self.project, facts);
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
    /// The real root, while it is there.
    root: Option<PathBuf>,
    /// Paths with which, or with whose parents, the root comes and goes.
    waypoints: Vec<PathBuf>,
    links: Links,
    mode: Option<Mode>,
    /// Folder by folder, because not all below the root could be watched at once.
    piecemeal: bool,
    /// How long to wait after the system lost count: reading all may make it lose
    /// count again.
    patience: Duration,
    /// How often it was looked since the system was last asked.
    looks: u32,
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
                        self.looks += 1;
                        burst.root = self.looks.is_multiple_of(LOOKS);
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
        // The root may be another directory now, or have come while the watch was set up.
        if burst.root || (burst.everything && self.real_root() != self.root) {
            self.arm();
        }
        if burst.not_before.is_some() {
            self.patience = (self.patience * 2).min(LOST_COUNT_MOST);
        } else {
            self.patience = LOST_COUNT;
        }
        if self.piecemeal {
            self.follow_links();
        }
        let scope = if burst.everything { Scope::All } else { Scope::Folders(burst.folders) };
        (self.tell)(Notice::Changed(Change { scope, agents: burst.agents }))
    }

    /// Asks the system to report changes, anew: what it still knows of a folder
    /// that went and came back is not to be relied on.
    fn arm(&mut self) {
        self.watching = None;
        self.root = self.real_root();
        self.waypoints = self.find_waypoints();
        self.piecemeal = false;
        let watching = self.watch_all().or_else(|refusal| match refusal {
            Refusal::Part => {
                self.piecemeal = true;
                self.watch_all()
            }
            Refusal::All(_) => Err(refusal),
        });
        let mode = match watching.map_err(Refusal::reason) {
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

    fn find_waypoints(&self) -> Vec<PathBuf> {
        let kaged = self.project.dir().join(".kaged");
        let root = self.project.root().to_owned();
        let real = |path: &Path| {
            let parent = path.parent()?.canonicalize().ok()?;
            Some(parent.join(path.file_name()?))
        };
        let mut waypoints = vec![kaged.clone(), root.clone()];
        waypoints.extend([real(&kaged), real(&root), self.root.clone()].into_iter().flatten());
        waypoints.extend(hops(&kaged));
        waypoints.extend(hops(&root));
        waypoints.sort();
        waypoints.dedup();
        waypoints
    }

    fn watch_all(&self) -> Result<Watching, Refusal> {
        if self.poll {
            return Err(Refusal::All("as asked".into()));
        }
        if let Some(system) = self.root.as_deref().and_then(network_file_system) {
            return Err(Refusal::All(format!("{system} does not report changes")));
        }
        let events = self.events.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if !event.as_ref().is_ok_and(|e| is_reading(e.kind)) {
                let _ = events.send(Order::Event(event));
            }
        })
        .map_err(|error| Refusal::All(plain(&error)))?;
        let mut watching = Watching { watcher, paths: BTreeMap::new() };
        watching.set(self.wanted(), self.piecemeal)?;
        Ok(watching)
    }

    fn follow_links(&mut self) {
        let wanted = self.wanted();
        let Some(watching) = &mut self.watching else { return };
        match watching.set(wanted, self.piecemeal) {
            Ok(()) => {}
            Err(Refusal::Part) => self.arm(),
            Err(Refusal::All(reason)) => self.poll_because(&reason),
        }
    }

    fn poll_because(&mut self, reason: &str) {
        self.watching = None;
        self.set_mode(Mode::Polling(crate::skill::text::shown(reason)));
    }

    /// The root and the folders that links lead to, with all below them; and
    /// the folders above these, in which they come and go.
    fn wanted(&self) -> BTreeMap<PathBuf, RecursiveMode> {
        let boundary = self.project.boundary();
        let mut deep: BTreeSet<PathBuf> = self.root.iter().cloned().collect();
        let mut above = BTreeSet::new();
        let mut add_above = |path: &Path| {
            for dir in path.ancestors().skip(1).filter(|dir| dir.is_dir()) {
                let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
                let is_top = !real.starts_with(boundary) || real == boundary;
                above.insert(real);
                if is_top {
                    break;
                }
            }
        };
        for waypoint in &self.waypoints {
            add_above(waypoint);
        }
        for file in self.project.agent_files() {
            add_above(&file);
        }
        for target in self.links.keys().filter(|target| target.starts_with(boundary)) {
            add_above(target);
            // By its real path: two names of one folder are one watch to the system.
            if let Some(real) = target.canonicalize().ok().filter(|real| real.is_dir()) {
                deep.insert(real);
            }
        }
        if self.piecemeal {
            let roots: Vec<_> = deep.iter().cloned().collect();
            for root in roots {
                deep.remove(&root);
                let folders = fs::read_dir(&root).into_iter().flatten().flatten();
                let is_folder = |e: &fs::DirEntry| e.file_type().is_ok_and(|kind| kind.is_dir());
                deep.extend(folders.filter(is_folder).map(|e| e.path()));
                above.insert(root);
            }
        }
        let is_below = |dir: &Path| dir.ancestors().skip(1).any(|above| deep.contains(above));
        let outer = deep.iter().filter(|dir| !is_below(dir));
        let mut wanted: BTreeMap<_, _> =
            outer.map(|dir| (dir.clone(), RecursiveMode::Recursive)).collect();
        for dir in above {
            if !deep.contains(&dir) && !is_below(&dir) {
                wanted.insert(dir, RecursiveMode::NonRecursive);
            }
        }
        wanted
    }

    fn note(&mut self, event: notify::Result<notify::Event>, burst: &mut Burst) {
        match event {
            Ok(event) if !event.need_rescan() && !event.paths.is_empty() => {
                for path in &event.paths {
                    self.note_path(path, burst);
                }
            }
            // The system lost count of what happened. A look at everything may
            // make it lose count again, so there is a pause before each.
            Ok(_) => {
                burst.everything();
                burst.not_before.get_or_insert_with(|| Instant::now() + self.patience);
            }
            // What comes from now on may not be reported.
            Err(error) => {
                burst.everything();
                self.poll_because(&plain(&error));
            }
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
        let through = path.ancestors().filter_map(|above| self.links.get(above));
        let below = self
            .links
            .range(path.to_owned()..)
            .map_while(|(target, affects)| target.starts_with(path).then_some(affects));
        for affects in through.chain(below).flatten() {
            known = true;
            match affects {
                Affects::Folder(folder) => {
                    burst.folders.insert(folder.clone());
                }
                Affects::Agents => burst.agents = true,
            }
        }
        let is_agents = |name: &OsStr| name == "project.yaml" || name == "project.local.yaml";
        if self.waypoints.iter().any(|waypoint| waypoint.starts_with(path)) {
            known = true;
            burst.root();
        } else if !known && path.file_name().is_some_and(is_agents) {
            known = true;
            burst.agents = true;
        }
        // Anything else beside the root nobody shows.
        if known {
            burst.extend(Instant::now());
        }
    }
}
