//! Reading a skills root, and reading it again after a change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use walkdir::WalkDir;

use super::entry::{Entry, Place, examine, examine_deep, missing};
use super::facts::{Facts, NotLoaded, dot_folders, loose_file};
use super::file::follow;
use super::guard::guarded;
use super::locate::{LocateError, Project, Root};
use super::resources::Resources;
use crate::profile::{Deep, Discovery, FolderName};
use crate::skill::text::{name_text, shown_name};
use crate::skill::{Code, Finding};

/// How much is looked at again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every folder; files with an unchanged stamp are not read again.
    All,
    /// The folders of these names, and those that came or went.
    Folders(BTreeSet<OsString>),
}

/// Reads a root and remembers what it read.
#[derive(Debug)]
pub struct Scanner {
    project: Project,
    discovery: Discovery,
    seen: HashMap<PathBuf, Arc<Entry>>,
}

/// How far a scan is.
#[allow(missing_debug_implementations)] // it holds a closure
pub struct Progress<'a> {
    /// Folders read so far.
    pub read: usize,
    /// What is known so far; making it takes time.
    pub facts: &'a dyn Fn() -> Facts,
}

/// Told how far a scan is; may stop it.
pub type Watch<'a> = &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>;

/// Reads the project's skills once.
///
/// # Errors
/// When the root is something that must not or cannot be read.
pub fn scan(project: &Project, discovery: Discovery) -> Result<Facts, LocateError> {
    Scanner::new(project.clone(), discovery).refresh(&Scope::All, None)
}

impl Scanner {
    /// A scanner that has read nothing yet.
    pub fn new(project: Project, discovery: Discovery) -> Self {
        Self { project, discovery, seen: HashMap::new() }
    }

    /// A scanner that reads nothing again of what is known of the same root, read
    /// to whatever depth.
    pub fn knowing(project: Project, discovery: Discovery, facts: &Facts) -> Self {
        let seen = facts.entries.iter().map(|e| (e.dir.clone(), Arc::clone(e))).collect();
        Self { project, discovery, seen }
    }

    /// How deep it looks from now on; whether that is another depth than before.
    pub fn set_discovery(&mut self, discovery: Discovery) -> bool {
        let is_other = self.discovery != discovery;
        // What was read stays known: the same folders are found by most depths.
        self.discovery = discovery;
        is_other
    }

    /// Reads what changed. `watch`, if given, is told every few folders how far
    /// it is, and may stop it; [`Facts::unread`] then says how many are left.
    ///
    /// # Errors
    /// When the root is something that must not or cannot be read.
    pub fn refresh(
        &mut self,
        scope: &Scope,
        mut watch: Option<Watch<'_>>,
    ) -> Result<Facts, LocateError> {
        let Root::Present(real) = self.project.find_root()? else {
            self.seen.clear();
            return Ok(Facts::default());
        };
        let listing = match self.discovery {
            Discovery::OneLevel => self.one_level()?,
            Discovery::Recursive => self.recursive(&real, None)?,
            Discovery::Deep(deep) => self.recursive(&real, Some(deep))?,
        };
        let Listing { jobs, mut ready, not_loaded } = listing;
        let (todo, kept): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|job| match (scope, self.seen.get(&job.dir)) {
                // A file directly in the root is below no folder.
                (Scope::Folders(names), Some(_)) => {
                    self.top(job).is_none_or(|name| names.contains(name))
                }
                _ => true,
            });
        // A file of two names changes under both, but only one of them is reported.
        let mut shared = HashSet::new();
        let mut left = todo.len();
        self.run(&todo, &mut |entries| {
            shared.extend(entries.iter().filter_map(|entry| shared_file(entry)));
            left -= entries.len();
            ready.extend(entries);
            let Some(watch) = &mut watch else { return ControlFlow::Continue(()) };
            let facts = || Facts::new(ready.clone(), not_loaded.clone());
            watch(Progress { read: todo.len() - left, facts: &facts })
        });
        let (twins, kept): (Vec<_>, Vec<_>) = kept.into_iter().partition(|job| {
            let file = self.seen.get(&job.dir).and_then(|entry| shared_file(entry));
            file.is_some_and(|file| shared.contains(&file))
        });
        self.run(&twins, &mut |entries| {
            ready.extend(entries);
            ControlFlow::Continue(())
        });
        ready.extend(kept.iter().filter_map(|job| self.seen.get(&job.dir).cloned()));
        self.seen = ready.iter().map(|e| (e.dir.clone(), Arc::clone(e))).collect();
        Ok(Facts { unread: left, ..Facts::new(ready, not_loaded) })
    }

    /// Examines folders on all cores, handing them over in batches until it is
    /// told to stop.
    fn run(&self, jobs: &[Job], done: &mut dyn FnMut(Vec<Arc<Entry>>) -> ControlFlow<()>) {
        const BATCH: usize = 64;
        /// Batches that may wait to be taken: all that is read in vain when it stops.
        const AHEAD: usize = 32;
        let work = |job: &Job| {
            let place =
                Place { boundary: self.project.boundary(), before: self.seen.get(&job.dir) };
            let looked = guarded(|| match &job.deep {
                Some(Found { folder, link }) => {
                    examine_deep(job.dir.clone(), folder.clone(), link.clone(), place)
                }
                None => examine(job.dir.clone(), job.is_link, place),
            });
            looked.unwrap_or_else(|| {
                let below = job.dir.strip_prefix(self.project.root()).unwrap_or(&job.dir);
                let message = "the program failed on this skill; please report its files";
                unread(self.project.root(), below, Finding::new(Code::ReadFailed, message))
            })
        };
        let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
        if threads == 1 || jobs.len() <= BATCH {
            for batch in jobs.chunks(BATCH) {
                if done(batch.iter().map(work).collect()).is_break() {
                    return;
                }
            }
            return;
        }
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next, work) = (sender.clone(), &next, &work);
                scope.spawn(move || {
                    loop {
                        let start = next.fetch_add(BATCH, Ordering::Relaxed);
                        let Some(rest) = jobs.get(start..) else { break };
                        if rest.is_empty() {
                            break;
                        }
                        let batch = &rest[..rest.len().min(BATCH)];
                        if sender.send(batch.iter().map(work).collect()).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut is_stopped = false;
            for batch in receiver {
                // What is under way when it stops is read all the same.
                if done(batch).is_break() && !is_stopped {
                    is_stopped = true;
                    next.store(jobs.len(), Ordering::Relaxed);
                }
            }
        });
    }

    /// The folders and links directly in the root.
    fn one_level(&self) -> Result<Listing, LocateError> {
        let root = self.project.root();
        let failed = |cause| self.unreadable(cause);
        let mut listing = Listing::default();
        let mut hidden = Vec::new();
        for entry in fs::read_dir(root).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            let dir = entry.path();
            let is_folder = kind.is_dir() || (kind.is_symlink() && leads_to_no_file(&dir));
            let text = name_text(&name).into_owned();
            if text.starts_with('.') {
                if is_folder {
                    hidden.push(text);
                }
            } else if is_folder {
                listing.jobs.push(Job { dir, is_link: kind.is_symlink(), deep: None });
            } else {
                listing.not_loaded.push(loose_file(&text));
            }
        }
        hidden.sort();
        listing.not_loaded.extend(dot_folders(&hidden));
        Ok(listing)
    }

    /// Every `SKILL.md` below the root. Without `deep` hidden folders are looked
    /// into and links are not followed.
    fn recursive(&self, real: &Path, deep: Option<Deep>) -> Result<Listing, LocateError> {
        let root = self.project.root();
        let mut listing = Listing::default();
        let mut tops: Vec<(PathBuf, bool)> = Vec::new();
        let mut with_skill = BTreeSet::new();
        let follows = deep.is_some();
        let mut linked = Linked::default();
        let mut walk = WalkDir::new(real).follow_links(follows);
        if let Some(levels) = deep.and_then(|deep| deep.levels) {
            // The file lies one level below the deepest folder.
            walk = walk.max_depth(usize::from(levels) + 1);
        }
        let mut walk = walk.into_iter();
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.depth() == 0 => {
                    let cause = error.into_io_error().unwrap_or_else(unknown);
                    return Err(self.unreadable(cause));
                }
                // A link into a folder that is walked through already, or to nothing.
                Err(_) if follows => continue,
                Err(error) => {
                    if let Some(path) = error.path() {
                        let below = path.strip_prefix(real).unwrap_or(path).to_owned();
                        let io = error.into_io_error().unwrap_or_else(unknown);
                        // The client passes over what it cannot look into.
                        let path = name_text(below.as_os_str()).into_owned();
                        let finding = super::file::trouble(&below, &io);
                        with_skill.insert(top(&below));
                        listing.not_loaded.push(NotLoaded { same_as: None, path, finding });
                    }
                    continue;
                }
            };
            let below = entry.path().strip_prefix(real).unwrap_or(entry.path()).to_owned();
            let is_link = entry.path_is_symlink();
            let is_folder =
                entry.file_type().is_dir() || (is_link && leads_to_no_file(entry.path()));
            if let Some(deep) = deep
                && entry.depth() > 0
                && entry.file_type().is_dir()
            {
                let name = entry.file_name();
                let is_hidden = if deep.hidden {
                    name == ".git" || name == ".hg" || name == ".svn"
                } else {
                    name.as_encoded_bytes().starts_with(b".")
                };
                let boundary = self.project.boundary();
                if is_hidden || (is_link && follow(entry.path(), boundary).is_err()) {
                    walk.skip_current_dir();
                } else if is_link {
                    linked.folders.push(entry.path().to_owned());
                }
            }
            let is_skill = entry.file_name() == "SKILL.md" && entry.depth() > 0;
            if is_skill && is_link && deep.is_some_and(|deep| !deep.file_links) {
                // This client follows links to folders only.
                let dir = top(&below);
                let finding = Finding::new(
                    Code::MissingSkillMd,
                    "the `SKILL.md` is a link, which this client does not follow; put the file \
                     itself there",
                );
                with_skill.insert(dir);
                let dir = below.parent().unwrap_or(Path::new(""));
                listing.ready.push(unread(root, dir, finding));
            } else if is_skill {
                let dir = below.parent().unwrap_or(Path::new("")).to_owned();
                let name = if dir.as_os_str().is_empty() { Path::new(".") } else { &dir };
                let folder = FolderName::new(name.as_os_str());
                with_skill.insert(top(&below));
                let link = linked.real(entry.path());
                let deep = Some(Found { folder, link });
                listing.jobs.push(Job { dir: root.join(dir), is_link: false, deep });
            } else if entry.depth() == 1 {
                if is_folder {
                    tops.push((below, is_link));
                } else if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                    let name = name_text(entry.file_name()).into_owned();
                    listing.not_loaded.push(loose_file(&name));
                }
            }
        }
        for (folder, is_link) in tops {
            let is_hidden = folder.as_os_str().as_encoded_bytes().starts_with(b".");
            if !with_skill.contains(&top(&folder)) && !is_hidden {
                let finding = if let Some(Err(broken)) =
                    is_link.then(|| follow(&root.join(&folder), self.project.boundary()))
                {
                    broken.file("")
                } else if is_link && !follows {
                    Finding::new(
                        Code::MissingSkillMd,
                        "the folder is a link, which this client does not follow; put the folder \
                         itself there",
                    )
                    .file("")
                } else {
                    missing(0)
                };
                listing.ready.push(unread(root, &folder, finding));
            }
        }
        Linked::merge(&mut listing);
        Ok(listing)
    }

    fn unreadable(&self, cause: io::Error) -> LocateError {
        let path = shown_name(self.project.root().as_os_str()).into_string();
        LocateError::Io { path, cause }
    }

    /// The first part of a folder's path below the root: what a change names.
    fn top<'a>(&self, job: &'a Job) -> Option<&'a OsStr> {
        let below = job.dir.strip_prefix(self.project.root()).ok()?;
        below.components().next().map(Component::as_os_str)
    }
}

#[derive(Debug, Default)]
struct Listing {
    jobs: Vec<Job>,
    ready: Vec<Arc<Entry>>,
    not_loaded: Vec<NotLoaded>,
}

/// The links to folders that a walk went through.
#[derive(Debug, Default)]
struct Linked {
    folders: Vec<PathBuf>,
}

impl Linked {
    /// The real folder of a file that was found through a link.
    fn real(&self, file: &Path) -> Option<PathBuf> {
        let is_below = self.folders.iter().any(|folder| file.starts_with(folder));
        is_below.then(|| file.parent()?.canonicalize().ok()).flatten()
    }

    /// A folder found under several paths is one skill to the client: the path
    /// without a link stays, else the first.
    fn merge(listing: &mut Listing) {
        let real = |job: &Job| job.deep.as_ref().and_then(|deep| deep.link.clone());
        if listing.jobs.iter().all(|job| real(job).is_none()) {
            return;
        }
        let own = |job: &Job| job.dir.canonicalize().unwrap_or_else(|_| job.dir.clone());
        let mut seen: HashSet<_> =
            listing.jobs.iter().filter(|job| real(job).is_none()).map(own).collect();
        listing.jobs.retain(|job| real(job).is_none_or(|real| seen.insert(real)));
    }
}

/// A skill found at some depth.
#[derive(Debug)]
struct Found {
    folder: FolderName,
    /// Its real folder, where a link leads to it.
    link: Option<PathBuf>,
}

#[derive(Debug)]
struct Job {
    dir: PathBuf,
    is_link: bool,
    deep: Option<Found>,
}

/// Of a link it matters what it leads to; one that leads nowhere is a row.
fn leads_to_no_file(link: &Path) -> bool {
    fs::metadata(link).map_or(true, |meta| meta.is_dir())
}

/// The file of an entry, if it has other names (hard links).
fn shared_file(entry: &Entry) -> Option<(u64, u64)> {
    entry.file.as_ref().ok().and_then(|file| file.stamp.shared_file())
}

fn unknown() -> io::Error {
    io::Error::other("a folder could not be read")
}

fn top(below: &Path) -> PathBuf {
    below.components().next().map(|c| PathBuf::from(c.as_os_str())).unwrap_or_default()
}

fn unread(root: &Path, below: &Path, finding: Finding) -> Arc<Entry> {
    Arc::new(Entry {
        folder: FolderName::new(below.as_os_str()),
        dir: root.join(below),
        link: None,
        file: Err(finding),
        resources: Resources::default(),
        manifest: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(skills: usize) -> (tempfile::TempDir, Project) {
        let tmp = tempfile::tempdir().unwrap();
        for i in 0..skills {
            let folder = tmp.path().join(format!(".kaged/skills/s{i}"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("SKILL.md"), "---\ndescription: d\n---\nb\n").unwrap();
        }
        let project = Project::find(tmp.path(), None, None, None).unwrap();
        (tmp, project)
    }

    #[test]
    fn a_scan_that_is_stopped_says_how_much_is_left_and_the_next_reads_it() {
        let (_tmp, project) = project(3_000);
        let mut scanner = Scanner::new(project, Discovery::OneLevel);
        let mut told = Vec::new();
        let mut stop = |progress: Progress<'_>| {
            told.push((progress.read, (progress.facts)().entries.len()));
            ControlFlow::Break(())
        };
        let facts = scanner.refresh(&Scope::All, Some(&mut stop)).unwrap();
        assert!(facts.unread > 0, "{}", facts.unread);
        assert_eq!(facts.entries.len() + facts.unread, 3_000);
        assert!(told.iter().all(|(read, known)| read == known && *read > 0), "{told:?}");
        let mut count = 0;
        let mut go_on = |progress: Progress<'_>| {
            count = progress.read;
            ControlFlow::Continue(())
        };
        let facts = scanner.refresh(&Scope::All, Some(&mut go_on)).unwrap();
        assert_eq!((facts.entries.len(), facts.unread, count), (3_000, 0, 3_000));
    }
}
