//! What the system has been asked to report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// What the system has been asked to report.
pub(super) struct Watching {
    pub(super) watcher: RecommendedWatcher,
    pub(super) paths: BTreeMap<PathBuf, RecursiveMode>,
}

/// Why the system does not report what it was asked to.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A folder somewhere below could not be watched; the others can.
    Part,
    /// None of it, for this reason.
    All(String),
}

impl Refusal {
    pub(super) fn reason(self) -> String {
        match self {
            Self::Part => "some folders cannot be watched".into(),
            Self::All(reason) => reason,
        }
    }
}

impl Watching {
    /// Changes what is reported, by what is different. With `piecemeal`, a folder
    /// that cannot be watched wholly is watched by itself, and the rest all the same.
    pub(super) fn set(
        &mut self,
        wanted: BTreeMap<PathBuf, RecursiveMode>,
        piecemeal: bool,
    ) -> Result<(), Refusal> {
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
            let Err(error) = self.watcher.watch(path, *mode) else { continue };
            if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) {
                return Err(Refusal::All(plain(&error)));
            }
            // A path that went away meanwhile is no failure: its parent tells.
            if !path.exists() {
                continue;
            }
            if *mode == RecursiveMode::Recursive && !piecemeal {
                // One folder below went away or may not be read, and the watch of
                // all others was given up for it.
                return Err(Refusal::Part);
            }
            if *mode == RecursiveMode::Recursive {
                // A folder that may not be read by anybody changes for nobody.
                let _ = self.watcher.watch(path, RecursiveMode::NonRecursive);
            }
        }
        self.paths = wanted;
        Ok(())
    }
}

/// Reading a file is no change; we do it ourselves.
pub(super) fn is_reading(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

pub(super) fn plain(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system's limit of watches is reached".into(),
        notify::ErrorKind::Io(error) => format!("the system cannot watch: {error}"),
        _ => format!("the system cannot watch: {error}"),
    }
}

/// The name of a file system whose changes may be made elsewhere.
#[cfg(target_os = "linux")]
pub(super) fn network_file_system(path: &Path) -> Option<&'static str> {
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
pub(super) fn network_file_system(_: &Path) -> Option<&'static str> {
    None
}
