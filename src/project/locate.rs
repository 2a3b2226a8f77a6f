//! Where the project and its skills root are (CONTRACT §1, §2).

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::skill::text::shown_name;

/// The skills root below a project.
const SKILLS: &str = ".kaged/skills";

/// A project and the skills root that is read in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    dir: PathBuf,
    boundary: PathBuf,
    root: PathBuf,
    label: String,
}

/// The root cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocateError {
    /// The directory given as the project is none.
    #[error("{0} is not a directory; name the project's directory with --project DIR")]
    NoProject(String),
    /// The root is something else than a directory.
    #[error(
        "not-a-directory: the skills root {0} is not a directory; move it away or name another with --root DIR"
    )]
    RootIsNoDirectory(String),
    /// The root is a link that leads nowhere.
    #[error("broken-link: the skills root {0} is a link to nothing; mend or remove the link")]
    RootIsBrokenLink(String),
    /// The root leads out of the project.
    #[error(
        "outside-project: the skills root {root} leads to {target}, out of the project; skills stay within the project, so use a directory in it"
    )]
    RootOutside {
        /// The root as named.
        root: String,
        /// Where it leads.
        target: String,
    },
    /// The system refused.
    #[error("cannot read {path}: {cause}; change its mode or owner, or name another project")]
    Io {
        /// What was to be read.
        path: String,
        /// Why not.
        cause: io::Error,
    },
}

/// The skills root as found on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// A directory; its real path.
    Present(PathBuf),
    /// Not there yet.
    Absent,
}

impl Project {
    /// The project of a directory: the directory itself or the nearest one above it
    /// that holds `.kaged`, no further than the first `.git` or the home directory;
    /// where there is none, the directory itself.
    ///
    /// # Errors
    /// When it is no directory.
    pub fn open(dir: &Path) -> Result<Self, LocateError> {
        Self::find(dir, None, None, std::env::home_dir().as_deref())
    }

    /// Finds the project of `start`, or takes `project`; `root` names another
    /// skills root, relative to `start` or else to the project.
    ///
    /// # Errors
    /// When the given project is no directory.
    pub fn find(
        start: &Path,
        project: Option<&Path>,
        root: Option<&Path>,
        home: Option<&Path>,
    ) -> Result<Self, LocateError> {
        let start = clean(&std::path::absolute(start).unwrap_or_else(|_| start.to_owned()));
        let (mut dir, is_project) = match project {
            Some(dir) => (clean(&start.join(dir)), true),
            None => upwards(&start, home),
        };
        if !dir.is_dir() {
            return Err(LocateError::NoProject(name(&dir)));
        }
        let mut boundary = real(&dir)?;
        let root = match root {
            None => dir.join(SKILLS),
            Some(root) => {
                let here = clean(&start.join(root));
                let there = clean(&dir.join(root));
                let root = if here.exists() || !there.exists() { here } else { there };
                let real_root = root.canonicalize().unwrap_or_else(|_| root.clone());
                let inside = root.starts_with(&dir) || real_root.starts_with(&boundary);
                if !inside || !is_project {
                    dir = root.parent().map_or_else(|| root.clone(), Path::to_owned);
                    // A parent that is not there yet has no other real path.
                    boundary = dir.canonicalize().unwrap_or_else(|_| dir.clone());
                }
                root
            }
        };
        let label = label(&root, &dir, &boundary);
        Ok(Self { dir, boundary, root, label })
    }

    /// The project's directory, absolute.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The real directory that links must not leave.
    pub fn boundary(&self) -> &Path {
        &self.boundary
    }

    /// The skills root, absolute, as named.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The skills root relative to the project, `/`-separated.
    pub fn root_label(&self) -> &str {
        &self.label
    }

    /// The two files that say which agent may use which skill, and the one that overlays it.
    pub fn agent_files(&self) -> [PathBuf; 2] {
        [self.dir.join(".kaged/project.yaml"), self.dir.join(".kaged/project.local.yaml")]
    }

    /// Looks at the root on disk.
    ///
    /// # Errors
    /// When it is something that must not or cannot be read.
    pub fn find_root(&self) -> Result<Root, LocateError> {
        let real = match self.root.canonicalize() {
            Ok(real) => real,
            Err(error) if is_absent(&error) => {
                return if self.root.is_symlink() {
                    Err(LocateError::RootIsBrokenLink(name(&self.root)))
                } else if self.root.ancestors().skip(1).any(Path::is_file) {
                    Err(LocateError::RootIsNoDirectory(name(&self.root)))
                } else {
                    Ok(Root::Absent)
                };
            }
            Err(cause) => return Err(LocateError::Io { path: name(&self.root), cause }),
        };
        if !real.starts_with(&self.boundary) {
            return Err(LocateError::RootOutside { root: name(&self.root), target: name(&real) });
        }
        if !real.is_dir() {
            return Err(LocateError::RootIsNoDirectory(name(&self.root)));
        }
        Ok(Root::Present(real))
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

fn real(dir: &Path) -> Result<PathBuf, LocateError> {
    dir.canonicalize().map_err(|cause| LocateError::Io { path: name(dir), cause })
}

/// A path for a message.
fn name(path: &Path) -> String {
    shown_name(path.as_os_str()).into_string()
}

/// Upwards to the directory that holds `.kaged`, no further than the first
/// `.git` or the home directory, and whether one was found; without one, where
/// the search ended at a `.git`, else where it began, so that the first skill
/// can be made there.
fn upwards(start: &Path, home: Option<&Path>) -> (PathBuf, bool) {
    let real_home = home.and_then(|home| home.canonicalize().ok());
    let is_home = |dir: &Path| {
        home == Some(dir) || (real_home.is_some() && dir.canonicalize().ok() == real_home)
    };
    for dir in start.ancestors() {
        if dir.join(".kaged").is_dir() {
            return (dir.to_owned(), true);
        }
        if dir.join(".git").exists() {
            return (dir.to_owned(), false);
        }
        if is_home(dir) {
            break;
        }
    }
    (start.to_owned(), false)
}

/// A path without `.` and `..`. What stands before a `..` is made real first,
/// for a link may lead elsewhere.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out = out.canonicalize().unwrap_or(out);
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn label(root: &Path, dir: &Path, boundary: &Path) -> String {
    let inside = root.strip_prefix(dir).ok().map(Path::to_owned).or_else(|| {
        let real = root.canonicalize().ok()?;
        real.strip_prefix(boundary).ok().map(Path::to_owned)
    });
    let path = inside.unwrap_or_else(|| root.to_owned());
    crate::skill::text::name_text(path.as_os_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_project_is_found_upwards() {
        let tmp = tempfile::tempdir().unwrap();
        let top = tmp.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("home/p/.kaged/skills")).unwrap();
        fs::create_dir_all(top.join("home/p/src/deep")).unwrap();
        fs::create_dir_all(top.join("home/p/sub/.git")).unwrap();
        fs::create_dir_all(top.join("home/p/sub/x")).unwrap();
        fs::create_dir_all(top.join("home/other")).unwrap();
        fs::create_dir_all(top.join(".kaged")).unwrap();
        let home = top.join("home");
        let find = |from: &str| {
            let project = Project::find(&top.join(from), None, None, Some(&home)).unwrap();
            project.dir().strip_prefix(&top).unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(find("home/p/src/deep"), "home/p");
        assert_eq!(find("home/p"), "home/p");
        assert_eq!(find("home/p/sub/x"), "home/p/sub", "stops at the first .git");
        assert_eq!(find("home/other"), "home/other", "stops at the home directory");
    }

    #[test]
    fn another_root_moves_the_boundary_only_when_it_is_outside() {
        let tmp = tempfile::tempdir().unwrap();
        let top = tmp.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("p/.kaged")).unwrap();
        fs::create_dir_all(top.join("p/skills")).unwrap();
        fs::create_dir_all(top.join("lib/skills")).unwrap();
        let find = |root: &str| {
            let p = Project::find(&top.join("p"), None, Some(Path::new(root)), None).unwrap();
            (p.dir().to_owned(), p.root_label().to_owned())
        };
        assert_eq!(find("skills"), (top.join("p"), "skills".into()));
        assert_eq!(find("../lib/skills"), (top.join("lib"), "skills".into()));
        assert_eq!(find("../no/skills").0, top.join("no"), "a parent that is not there");
        let from = |start: &str| {
            let root = top.join("lib/skills");
            Project::find(&top.join(start), None, Some(&root), None).unwrap().boundary().to_owned()
        };
        assert_eq!(from(""), top.join("lib"), "a directory without .kaged is no project");
        assert_eq!(from("lib"), top.join("lib"));
    }

    #[test]
    fn the_home_directory_stops_also_behind_a_link() {
        let tmp = tempfile::tempdir().unwrap();
        let top = tmp.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("real/u/p")).unwrap();
        fs::create_dir_all(top.join(".kaged")).unwrap();
        std::os::unix::fs::symlink("real", top.join("link")).unwrap();
        let home = top.join("link/u");
        let project = Project::find(&top.join("real/u/p"), None, None, Some(&home)).unwrap();
        assert_eq!(project.dir(), top.join("real/u/p"));
    }

    #[test]
    fn a_root_that_must_not_be_read_is_refused() {
        let tmp = tempfile::tempdir().unwrap();
        let top = tmp.path().canonicalize().unwrap();
        let project = |case: &str| {
            let dir = top.join(case);
            fs::create_dir_all(dir.join(".kaged")).unwrap();
            Project::find(&dir, None, None, None).unwrap()
        };
        let p = project("absent");
        assert_eq!(p.find_root().unwrap(), Root::Absent);
        let p = project("file");
        fs::write(p.root(), "x").unwrap();
        assert!(matches!(p.find_root(), Err(LocateError::RootIsNoDirectory(_))));
        let p = project("dangling");
        std::os::unix::fs::symlink("nowhere", p.root()).unwrap();
        assert!(matches!(p.find_root(), Err(LocateError::RootIsBrokenLink(_))));
        let p = project("loop");
        std::os::unix::fs::symlink("skills", p.root()).unwrap();
        assert!(matches!(p.find_root(), Err(LocateError::RootIsBrokenLink(_))));
        let p = project("outside");
        std::os::unix::fs::symlink(&top, p.root()).unwrap();
        assert!(matches!(p.find_root(), Err(LocateError::RootOutside { .. })));
        let p = project("inside");
        fs::create_dir_all(p.dir().join("real")).unwrap();
        std::os::unix::fs::symlink("../real", p.root()).unwrap();
        assert_eq!(p.find_root().unwrap(), Root::Present(p.dir().join("real")));
    }
}
