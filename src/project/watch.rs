//! Following the disk (CONTRACT §8).
//!
//! A plain thread: it sleeps until the system reports something, waits for the
//! burst to end, and hands one [`Change`] to its owner. It wakes for nothing
//! else. Where the system cannot report, it asks the owner to look every two
//! seconds and says why.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::facts::Facts;
use super::locate::{Project, Root};
use super::scan::Scope;
use crate::skill::Code;
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
    Follow(BTreeSet<Link>),
    Stop,
}

/// Where a link leads, there or not, and what changes with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    target: PathBuf,
    affects: Affects,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Affects {
    Folder(OsString),
    Agents,
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
        let run = Run {
            project: project.clone(),
            poll,
            tell: Box::new(tell),
            events: orders.clone(),
            inbox,
            watching: None,
            root: None,
            waypoints: Vec::new(),
            links: BTreeSet::new(),
            mode: None,
        };
        // A system that gives no thread has no watcher; `R` still rescans.
        let _ = thread::Builder::new().name("watch".into()).spawn(move || run.run());
        Self { project, orders }
    }

    /// Follows also what the links of a scan lead to, or would lead to.
    pub fn follow(&self, facts: &Facts) {
        let mut links = BTreeSet::new();
        let mut add = |link: &Path, affects: Affects| {
            let hops = hops(link).into_iter();
            links.extend(hops.map(|target| Link { target, affects: affects.clone() }));
        };
        for entry in &facts.entries {
            let affects = || {
                let below = entry.dir.strip_prefix(self.project.root()).unwrap_or(&entry.dir);
                let first = below.components().next().map(|c| c.as_os_str().to_owned());
                Affects::Folder(first.unwrap_or_default())
            };
            let broken = matches!(&entry.file, Err(finding) if finding.code == Code::BrokenLink);
            let linked = matches!(&entry.file, Ok(file) if file.real.is_some());
            if entry.link.is_some() || broken {
                add(&entry.dir, affects());
            }
            if linked || broken {
                add(&entry.dir.join("SKILL.md"), affects());
            }
        }
        for file in self.project.agent_files() {
            add(&file, Affects::Agents);
        }
        let _ = self.orders.send(Order::Follow(links));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Stop);
    }
}

/// Every place that a link leads through, to the last, whether or not anything
/// is there; none for what is no link.
fn hops(link: &Path) -> Vec<PathBuf> {
    // More than any system follows.
    const MOST: usize = 40;
    let mut hops = Vec::new();
    let mut at = link.to_owned();
    while hops.len() < MOST {
        let Some(next) = led_to(&at) else { break };
        hops.push(next.clone());
        at = next;
    }
    if !hops.is_empty() {
        hops.extend(link.canonicalize());
    }
    hops
}

/// Where a link says it leads.
fn led_to(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    let mut path = link.parent()?.canonicalize().ok()?;
    for part in target.components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            // A root begins anew, which `push` does.
            other => path.push(other),
        }
    }
    Some(path)
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
    links: BTreeSet<Link>,
    mode: Option<Mode>,
}

/// What the system has been asked to report.
struct Watching {
    watcher: RecommendedWatcher,
    paths: BTreeMap<PathBuf, RecursiveMode>,
}

/// Events that have come since the last reload.
#[derive(Default)]
struct Burst {
    since: Option<(Instant, Instant)>,
    folders: BTreeSet<OsString>,
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
        let scope = if burst.everything { Scope::All } else { Scope::Folders(burst.folders) };
        (self.tell)(Notice::Changed(Change { scope, agents: burst.agents }))
    }

    /// Asks the system to report changes, anew: what it still knows of a folder
    /// that went and came back is not to be relied on.
    fn arm(&mut self) {
        self.watching = None;
        self.root = self.real_root();
        self.waypoints = self.find_waypoints();
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
        let mut watching = Watching { watcher, paths: BTreeMap::new() };
        watching.set(self.wanted())?;
        Ok(watching)
    }

    fn follow_links(&mut self) {
        let wanted = self.wanted();
        let Some(watching) = &mut self.watching else { return };
        if let Err(reason) = watching.set(wanted) {
            self.watching = None;
            self.set_mode(Mode::Polling(crate::skill::text::shown(&reason)));
        }
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
        for link in self.links.iter().filter(|link| link.target.starts_with(boundary)) {
            add_above(&link.target);
            if link.target.is_dir() {
                deep.insert(link.target.clone());
            }
        }
        let mut wanted = BTreeMap::new();
        for dir in &deep {
            if !deep.iter().any(|other| dir != other && dir.starts_with(other)) {
                wanted.insert(dir.clone(), RecursiveMode::Recursive);
            }
        }
        for dir in above {
            if !deep.iter().any(|other| dir.starts_with(other)) {
                wanted.insert(dir, RecursiveMode::NonRecursive);
            }
        }
        wanted
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
        let concerns =
            |link: &&Link| path.starts_with(&link.target) || link.target.starts_with(path);
        for link in self.links.iter().filter(concerns) {
            known = true;
            match &link.affects {
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

impl Watching {
    /// Changes what is reported, by what is different.
    fn set(&mut self, wanted: BTreeMap<PathBuf, RecursiveMode>) -> Result<(), String> {
        for (path, mode) in &self.paths {
            if wanted.get(path) != Some(mode) {
                // What is gone need not be let go of.
                let _ = self.watcher.unwatch(path);
            }
        }
        for (path, mode) in &wanted {
            if self.paths.get(path) == Some(mode) {
                continue;
            }
            match self.watcher.watch(path, *mode) {
                // A path that went away meanwhile is no failure: its parent tells.
                Err(error) if !is_gone(&error) => return Err(plain(&error)),
                _ => {}
            }
        }
        self.paths = wanted;
        Ok(())
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
