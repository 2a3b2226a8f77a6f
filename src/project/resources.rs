//! The files that come with a skill (CONTRACT §5).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use walkdir::WalkDir;

use crate::prompt::activation::MAX_RESOURCES;
use crate::skill::text::{is_plain, shown, shown_name};
use crate::skill::{Code, Finding};

/// Version-control, package and system litter that no skill means to ship.
const LITTER: [&str; 7] =
    [".git", ".hg", ".svn", "node_modules", "__pycache__", ".DS_Store", "Thumbs.db"];

/// What lies in a skill's folder beside its `SKILL.md`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// Paths relative to the folder, `/`-separated, sorted bytewise; bytes that
    /// are not UTF-8 as U+FFFD.
    pub files: Vec<String>,
    /// What is to be said of them.
    pub findings: Vec<Finding>,
}

/// What a walk through a folder finds.
#[derive(Debug, Default)]
pub struct Walk {
    /// The resources.
    pub resources: Resources,
    /// Whether `SKILL.md` is there, as whatever.
    pub has_skill_md: bool,
    /// A name that is `SKILL.md` in another case.
    pub wrong_case: Option<String>,
    /// How many `SKILL.md` lie deeper.
    pub nested: usize,
    /// The folder itself could not be read.
    pub unreadable: Option<std::io::Error>,
}

/// Walks a folder; follows no link into another folder.
pub fn walk(dir: &Path) -> Walk {
    let mut found = Walk::default();
    let mut files: Vec<Vec<u8>> = Vec::new();
    let mut links = Links::new(dir);
    let mut unreadable: Vec<String> = Vec::new();
    let mut entries = WalkDir::new(dir).follow_links(false).into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let depth = error.depth();
                let path = error.path().map(|p| relative(p, dir));
                match (depth, error.into_io_error()) {
                    (0, Some(error)) => found.unreadable = Some(error),
                    _ => unreadable.push(path.map(|p| lossy(&p)).unwrap_or_default()),
                }
                continue;
            }
        };
        if entry.depth() == 0 {
            continue;
        }
        let name = entry.file_name();
        let kind = entry.file_type();
        if entry.depth() == 1 {
            if name == "SKILL.md" {
                found.has_skill_md = true;
                if !kind.is_dir() {
                    continue;
                }
            } else if name.eq_ignore_ascii_case("SKILL.md") {
                // The same one of several on every machine.
                let name = shown_name(name).into_string();
                if found.wrong_case.as_ref().is_none_or(|before| name < *before) {
                    found.wrong_case = Some(name);
                }
            }
        }
        if is_litter(name) {
            if kind.is_dir() {
                entries.skip_current_dir();
            }
            continue;
        }
        let path = || relative(entry.path(), dir);
        if kind.is_symlink() {
            if links.is_listed(entry.path(), &path()) {
                files.push(path());
            }
        } else if kind.is_file() {
            if entry.depth() > 1 && name == "SKILL.md" {
                found.nested += 1;
            }
            files.push(path());
        }
    }
    files.sort_unstable();
    let findings = &mut found.resources.findings;
    links.findings.sort_by(|a, b| a.file.cmp(&b.file));
    findings.append(&mut links.findings);
    if let Some(first) = unreadable.first() {
        findings.push(
            Finding::new(
                Code::ResourcesIncomplete,
                format!(
                    "{} could not be read ({}), so its files are not named to the model; change \
                     the mode or owner",
                    shown(first),
                    if unreadable.len() == 1 {
                        "one folder".to_owned()
                    } else {
                        format!("one of {} folders", unreadable.len())
                    }
                ),
            )
            .file(first.clone()),
        );
    }
    findings.extend(odd_name(&files));
    if files.len() > MAX_RESOURCES {
        findings.push(
            Finding::new(
                Code::ResourcesTruncated,
                format!(
                    "the folder holds {} files; only the first {MAX_RESOURCES} are named to the \
                     model",
                    files.len()
                ),
            )
            .file(""),
        );
    }
    found.resources.files = files.iter().map(|path| lossy(path)).collect();
    found
}

/// Whether a name is that of litter.
pub fn is_litter(name: &OsStr) -> bool {
    LITTER.iter().any(|litter| name == *litter) || name.as_bytes().ends_with(b".pyc")
}

fn relative(path: &Path, dir: &Path) -> Vec<u8> {
    path.strip_prefix(dir).unwrap_or(path).as_os_str().as_bytes().to_vec()
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

/// Names that a listing can only show changed, or that a terminal would obey.
fn odd_name(files: &[Vec<u8>]) -> Option<Finding> {
    let is_odd = |path: &&Vec<u8>| match std::str::from_utf8(path) {
        Err(_) => true,
        Ok(text) => !is_plain(text) || text.contains(['&', '<', '>', '"']),
    };
    let count = files.iter().filter(is_odd).count();
    let first = files.iter().find(is_odd)?;
    let shown = shown_name(OsStr::from_bytes(first));
    let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
    Some(
        Finding::new(
            Code::OddResourceName,
            format!(
                "the file name `{shown}`{others} holds characters that the list of resources can \
                 only name escaped, or that a model can hardly type; rename the file"
            ),
        )
        .file(lossy(first)),
    )
}

/// Links among the resources; the folder's real path is asked for only once
/// there is a link.
struct Links<'a> {
    dir: &'a Path,
    real: Option<std::path::PathBuf>,
    findings: Vec<Finding>,
}

impl<'a> Links<'a> {
    fn new(dir: &'a Path) -> Self {
        Self { dir, real: None, findings: Vec::new() }
    }

    /// Whether the link counts as a file of the skill.
    fn is_listed(&mut self, path: &Path, relative: &[u8]) -> bool {
        let real = self
            .real
            .get_or_insert_with(|| self.dir.canonicalize().unwrap_or_else(|_| self.dir.to_owned()));
        let file = lossy(relative);
        let name = shown(&file);
        let skipped = |why: &str| {
            Finding::new(
                Code::ResourceLinkSkipped,
                format!("the link `{name}` {why} and is not named to the model"),
            )
            .file(file.clone())
        };
        let target = match path.canonicalize() {
            Ok(target) => target,
            Err(error) => {
                let hidden = error.kind() == std::io::ErrorKind::PermissionDenied;
                let why =
                    if hidden { "leads where nothing may be read" } else { "leads to nothing" };
                self.findings.push(skipped(why));
                return false;
            }
        };
        let inside = target.starts_with(&*real);
        let Ok(meta) = target.symlink_metadata() else {
            self.findings.push(skipped("leads to nothing"));
            return false;
        };
        if meta.is_dir() {
            self.findings.push(skipped("leads to a folder"));
            false
        } else if inside {
            meta.is_file()
        } else {
            self.findings.push(
                Finding::new(
                    Code::ResourceOutside,
                    format!(
                        "the link `{name}` leads out of the skill's folder and is not named to \
                         the model; put the file itself there"
                    ),
                )
                .file(file),
            );
            false
        }
    }
}
