//! Events that belong together.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// A reload comes so long after the last event of a burst …
const QUIET: Duration = Duration::from_millis(50);
/// … and at the latest so long after its first.
const LATEST: Duration = Duration::from_millis(500);

/// Events that have come since the last reload.
#[derive(Default)]
pub(super) struct Burst {
    pub(super) since: Option<(Instant, Instant)>,
    pub(super) folders: BTreeSet<OsString>,
    pub(super) everything: bool,
    pub(super) agents: bool,
    pub(super) root: bool,
    pub(super) not_before: Option<Instant>,
}

impl Burst {
    pub(super) fn extend(&mut self, now: Instant) {
        let first = self.since.map_or(now, |(first, _)| first);
        self.since = Some((first, now));
    }

    pub(super) fn everything(&mut self) {
        self.everything = true;
        self.agents = true;
        self.extend(Instant::now());
    }

    pub(super) fn root(&mut self) {
        self.everything();
        self.root = true;
    }

    pub(super) fn due(&self) -> Option<Instant> {
        let due = self.since.map(|(first, last)| (last + QUIET).min(first + LATEST));
        due.map(|due| self.not_before.map_or(due, |wait| due.max(wait)))
    }
}
