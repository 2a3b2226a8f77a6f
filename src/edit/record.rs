//! What is written down of a change, so that it can be finished after a crash,
//! and a deleted skill brought back.

use std::ffi::{OsStr, OsString};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, Folder};
use super::site::Site;
use super::step::Plan;

/// A change as written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// How far it is.
    pub state: State,
    /// What it deleted, relative to the root, if it is a deletion.
    pub deleted: Option<String>,
    /// What it does.
    #[serde(flatten)]
    pub plan: Plan,
}

/// How far a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Some of its steps may have been done.
    Begun,
    /// All of them have.
    Done,
    /// What it deleted is being removed for good.
    Purging,
}

const SUFFIX: &str = ".json";

/// More bytes are not read as a record.
const MAX_BYTES: u64 = 256 << 20;

/// The name of a record: they sort by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// A name that no other record has.
    pub fn new(taken: impl Fn(&Self) -> bool) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut number = now.as_millis();
        loop {
            let id = Self(format!("{number:015}"));
            if !taken(&id) {
                return id;
            }
            number += 1;
        }
    }

    /// When the change was made: milliseconds since 1970.
    pub fn millis(&self) -> u64 {
        self.0.parse().unwrap_or(0)
    }

    /// The name of its record.
    pub fn file(&self) -> OsString {
        format!("{}{SUFFIX}", self.0).into()
    }

    /// The name of the folder that holds what it deleted.
    pub fn folder(&self) -> &OsStr {
        OsStr::new(&self.0)
    }

    fn of_file(name: &OsStr) -> Option<Self> {
        let id = name.to_str()?.strip_suffix(SUFFIX)?;
        let is_id = id.len() == 15 && id.bytes().all(|b| b.is_ascii_digit());
        is_id.then(|| Self(id.to_owned()))
    }
}

/// The records in a trash folder, the oldest first. One that is no record is
/// passed over: what it was to tell is not known, and nothing is done about it.
///
/// # Errors
/// When the folder or a record cannot be read.
pub fn all(disk: &Disk, trash: &Folder) -> std::io::Result<Vec<(Id, Record)>> {
    let mut records = Vec::new();
    for name in disk.names(trash)? {
        let Some(id) = Id::of_file(&name) else { continue };
        let bytes = disk.read(trash, &name, MAX_BYTES)?;
        if let Ok(record) = serde_json::from_slice(&bytes) {
            records.push((id, record));
        }
    }
    Ok(records)
}

/// What a change that was interrupted does, while nobody is making one. Only
/// looks; the next writing command finishes it.
pub fn unfinished(site: &Site) -> Option<String> {
    let disk = Disk::default();
    let boundary = disk.open(&site.boundary).ok()?;
    let trash = disk.below(&boundary, &site.trash()).ok()?;
    let records = all(&disk, &trash).ok()?;
    let (_, begun) = records.into_iter().find(|(_, record)| record.state != State::Done)?;
    // Whoever holds the lock is about to finish it.
    let _lock = disk.lock(&trash, OsStr::new("lock")).ok()??;
    Some(begun.plan.title)
}

impl Record {
    /// Writes it down.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, disk: &Disk, trash: &Folder, id: &Id) -> std::io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        disk.replace(trash, &id.file(), &bytes, 0o600)
    }
}
