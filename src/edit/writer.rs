//! The one writer: takes the lock, finishes what was interrupted, and makes
//! changes step by step, all of them or none.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::disk::{Disk, Folder, Kind, Lock, TEMPORARY};
use super::error::EditError;
use super::reader::Reader;
use super::record::{self, Id, Record, State};
use super::site::Site;
use super::step::{Plan, Step};
use crate::skill::text::shown_name;

/// So many records of changes that deleted nothing are kept.
const KEPT: usize = 100;

/// Changes files, as nobody else does while it lives.
#[derive(Debug)]
pub struct Writer {
    reader: Reader,
    trash: Folder,
    _lock: Lock,
    /// What was found interrupted, and finished or taken back.
    pub recovered: Vec<String>,
}

/// What a reader can tell, a writer can as well.
impl Deref for Writer {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl Writer {
    /// Takes the lock of a project, and finishes or takes back what was
    /// interrupted.
    ///
    /// # Errors
    /// When another program has the lock, or the folders cannot be used.
    pub fn open(disk: Disk, site: Site) -> Result<Self, EditError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| EditError::of(&path, &error)
        };
        let reader = Reader::open(disk, site)?;
        let (disk, trash_path) = (&reader.disk, reader.site.trash());
        make_all(disk, &reader.boundary, &trash_path).map_err(fail(&trash_path))?;
        let trash = disk.below(&reader.boundary, &trash_path).map_err(fail(&trash_path))?;
        let lock = disk.lock(&trash, OsStr::new("lock")).map_err(fail(&trash_path))?;
        let Some(lock) = lock else { return Err(EditError::Busy) };
        // What is deleted or changed here is nothing for version control.
        let ignore = OsStr::new(".gitignore");
        if disk.stat(&trash, ignore).map_err(fail(&trash_path))?.is_none() {
            disk.replace(&trash, ignore, b"*\n", 0o644).map_err(fail(&trash_path))?;
        }
        let mut writer = Self { reader, trash, _lock: lock, recovered: Vec::new() };
        writer.recover()?;
        Ok(writer)
    }

    /// Makes a change: all of its steps, or, when one cannot be done, none.
    ///
    /// # Errors
    /// When something is not as the plan expects, or cannot be done. Then
    /// everything is as it was; or, when not even that can be done, the next
    /// writing command finishes or takes back the rest.
    pub fn apply(&self, plan: Plan) -> Result<Id, EditError> {
        self.check(&plan)?;
        let id = self.new_id()?;
        self.apply_as(&id, plan, None)?;
        Ok(id)
    }

    /// Moves a skill's folder, or the link to it, or something in it, to the trash.
    ///
    /// # Errors
    /// As [`Writer::apply`].
    pub fn delete(&self, at: &Path) -> Result<Id, EditError> {
        let Some(name) = at.file_name() else {
            return Err(EditError::of(at, &io::ErrorKind::InvalidInput.into()));
        };
        let id = self.new_id()?;
        let shown = shown_name(name).into_string();
        let to = self.site.trash().join(id.folder()).join(name);
        let plan = Plan {
            title: format!("delete `{shown}`"),
            steps: vec![Step::Move { from: at.to_owned(), to }],
        };
        self.check(&plan)?;
        let below = at.strip_prefix(&self.site.root).unwrap_or(at);
        self.apply_as(&id, plan, Some(below.to_string_lossy().into_owned()))?;
        Ok(id)
    }

    fn new_id(&self) -> Result<Id, EditError> {
        let fail = |error: io::Error| EditError::of(&self.trash_path(), &error);
        let names: HashSet<OsString> =
            self.disk.names(&self.trash).map_err(fail)?.into_iter().collect();
        Ok(Id::new(|id| names.contains(&id.file()) || names.contains(id.folder())))
    }

    fn apply_as(&self, id: &Id, plan: Plan, deleted: Option<String>) -> Result<(), EditError> {
        let fail = |error: io::Error| EditError::of(&self.trash_path(), &error);
        let mut record = Record { state: State::Begun, deleted, plan };
        if record.deleted.is_some() {
            self.disk.make_folder(&self.trash, id.folder()).map_err(fail)?;
        }
        if let Err(error) = record.save(&self.disk, &self.trash, id) {
            self.forget(id);
            return Err(fail(error));
        }
        let failed = record.plan.steps.iter().enumerate().find_map(|(at, step)| {
            let error = self.perform(step).err()?;
            Some((at, error))
        });
        if let Some((at, error)) = failed {
            if self.take_back(&record.plan.steps, at).is_ok() {
                self.forget(id);
            }
            return Err(error);
        }
        record.state = State::Done;
        record.save(&self.disk, &self.trash, id).map_err(fail)?;
        self.prune();
        Ok(())
    }

    /// Removes a record. One that stays is found again, and does no harm.
    fn forget(&self, id: &Id) {
        let _ = self.disk.remove_file(&self.trash, &id.file());
        let _ = self.disk.remove_folder(&self.trash, id.folder());
    }

    fn trash_path(&self) -> PathBuf {
        self.site.trash()
    }

    /// Whether everything is as the steps expect, as far as it can be told
    /// before the first is done.
    fn check(&self, plan: &Plan) -> Result<(), EditError> {
        let mut made: Vec<&Path> = Vec::new();
        for step in &plan.steps {
            let is_new = |at: &Path| made.iter().any(|made| at.starts_with(made) && at != *made);
            match step {
                Step::Write { at, before, .. } if !is_new(at) && self.content(at)? != *before => {
                    return Err(changed(at, before.is_none()));
                }
                Step::MakeFolder(at) if !is_new(at) && self.kind(at)?.is_some() => {
                    return Err(changed(at, true));
                }
                Step::Move { from, to } => {
                    if self.kind(from)?.is_none() && !is_new(from) {
                        let path = shown_name(from.as_os_str()).into_string();
                        return Err(EditError::Gone { path });
                    }
                    // The folder that a record brings is not there yet.
                    if self.kind(to)?.is_some() {
                        return Err(changed(to, true));
                    }
                }
                _ => {}
            }
            if let Step::MakeFolder(at) | Step::Move { to: at, .. } = step {
                made.push(at);
            }
        }
        Ok(())
    }

    /// Does a step; one that is done already is left as it is.
    fn perform(&self, step: &Step) -> Result<(), EditError> {
        let fail = |error| EditError::of(step.path(), &error);
        match step {
            Step::Write { at, before, after } => {
                let (folder, name) = self.parent(at)?;
                let now = self.content_in(&folder, &name, at)?;
                if now == *after {
                    return Ok(());
                }
                if now != *before {
                    return Err(changed(at, before.is_none()));
                }
                match (before, after) {
                    (None, Some(new)) => {
                        self.disk.place(&folder, &name, new.as_bytes(), new.mode).map_err(fail)
                    }
                    (Some(old), Some(new)) => self
                        .disk
                        .swap(&folder, &name, old.as_bytes(), new.as_bytes(), new.mode)
                        .map_err(|error| match error.kind() {
                            io::ErrorKind::InvalidData => changed(at, false),
                            _ => fail(error),
                        }),
                    (_, None) => self.disk.remove_file(&folder, &name).map_err(fail),
                }
            }
            Step::MakeFolder(at) => {
                let (folder, name) = self.parent(at)?;
                match self.disk.stat(&folder, &name).map_err(fail)? {
                    Some(meta) if meta.kind == Kind::Folder => Ok(()),
                    _ => self.disk.make_folder(&folder, &name).map_err(fail),
                }
            }
            Step::RemoveFolder(at) => {
                let (folder, name) = self.parent(at)?;
                match self.disk.stat(&folder, &name).map_err(fail)? {
                    None => Ok(()),
                    Some(_) => self.disk.remove_folder(&folder, &name).map_err(fail),
                }
            }
            Step::Move { from, to } => {
                let (old, new) = (self.parent(from)?, self.parent(to)?);
                let is_there = |(folder, name): &(Folder, OsString)| {
                    self.disk.stat(folder, name).map_err(fail)
                };
                match (is_there(&old)?, is_there(&new)?) {
                    (None, Some(_)) => Ok(()),
                    _ => self.disk.rename((&old.0, &old.1), (&new.0, &new.1)).map_err(fail),
                }
            }
        }
    }

    /// Finishes what was interrupted; takes it back where it cannot be finished.
    fn recover(&mut self) -> Result<(), EditError> {
        let trash_path = self.trash_path();
        let fail = |error: io::Error| EditError::of(&trash_path, &error);
        let records = record::all(&self.disk, &self.trash).map_err(fail)?;
        self.sweep(&self.trash);
        self.sweep_folders(&records);
        for (id, mut record) in records {
            match record.state {
                // A file that took the place of another may have left it behind.
                State::Done => {
                    self.sweep_after(&record.plan.steps);
                }
                State::Purging => self.purge(&id)?,
                State::Begun => {
                    self.sweep_after(&record.plan.steps);
                    let steps = &record.plan.steps;
                    let failed = steps.iter().position(|step| self.perform(step).is_err());
                    let Some(failed) = failed else {
                        record.state = State::Done;
                        record.save(&self.disk, &self.trash, &id).map_err(fail)?;
                        self.recovered.push(format!("finished: {}", record.plan.title));
                        continue;
                    };
                    if let Err(step) = self.take_back(steps, failed) {
                        return Err(EditError::Stuck {
                            title: record.plan.title.clone(),
                            path: shown_name(step.path().as_os_str()).into_string(),
                            record: shown_name(trash_path.join(id.file()).as_os_str())
                                .into_string(),
                        });
                    }
                    self.forget(&id);
                    self.recovered.push(format!("taken back: {}", record.plan.title));
                }
            }
        }
        Ok(())
    }

    /// Takes the steps back of which the one at `failed` could not be done; those
    /// before it were, those behind it were not. Of the one that failed only what
    /// is there of it is taken back: what somebody else put there stays.
    fn take_back<'a>(&self, steps: &'a [Step], failed: usize) -> Result<(), &'a Step> {
        let half = &steps[failed];
        if self.is_done(half) && self.perform(&half.inverse()).is_err() {
            return Err(half);
        }
        let mut before = steps[..failed].iter().rev();
        before.find(|step| self.perform(&step.inverse()).is_err()).map_or(Ok(()), Err)
    }

    /// Whether what a step brings is there.
    fn is_done(&self, step: &Step) -> bool {
        match step {
            Step::Write { at, after, before } => {
                before != after && self.content(at).is_ok_and(|now| now == *after)
            }
            // It is empty, or it is not ours.
            Step::MakeFolder(at) => self.names(at).is_ok_and(|names| names.is_empty()),
            Step::RemoveFolder(at) => self.kind(at).is_ok_and(|kind| kind.is_none()),
            Step::Move { from, to } => {
                self.kind(from).is_ok_and(|kind| kind.is_none())
                    && self.kind(to).is_ok_and(|kind| kind.is_some())
            }
        }
    }

    /// Removes what a crash left of files that were being written.
    fn sweep(&self, folder: &Folder) {
        for name in self.disk.names(folder).unwrap_or_default() {
            if name.to_string_lossy().starts_with(TEMPORARY) {
                let _ = self.disk.remove_file(folder, &name);
            }
        }
    }

    /// Removes the empty folders of changes that were never written down.
    fn sweep_folders(&self, records: &[(Id, Record)]) {
        for name in self.disk.names(&self.trash).unwrap_or_default() {
            let is_known = records.iter().any(|(id, _)| id.folder() == name);
            if name.as_encoded_bytes().iter().all(u8::is_ascii_digit) && !is_known {
                // One that is not empty stays.
                let _ = self.disk.remove_folder(&self.trash, &name);
            }
        }
    }

    /// Looks for such files beside those that the steps wrote, also where a later
    /// step has moved them to.
    fn sweep_after(&self, steps: &[Step]) {
        for (n, step) in steps.iter().enumerate() {
            let Step::Write { at, .. } = step else { continue };
            let mut places = vec![at.clone()];
            for later in &steps[n..] {
                if let Step::Move { from, to } = later
                    && let Ok(below) = at.strip_prefix(from)
                {
                    places.push(to.join(below));
                }
            }
            for place in places {
                if let Ok((folder, _)) = self.parent(&place) {
                    self.sweep(&folder);
                }
            }
        }
    }

    /// Takes a change back, and its record away.
    ///
    /// # Errors
    /// When the disk is not as the change left it.
    pub fn undo(&self, id: &Id, record: &Record) -> Result<(), EditError> {
        self.apply(record.plan.inverse())?;
        self.forget(id);
        Ok(())
    }

    /// Removes for good what a change deleted.
    ///
    /// # Errors
    /// When something cannot be removed; the next writing command goes on.
    pub fn purge(&self, id: &Id) -> Result<(), EditError> {
        let fail = |error: io::Error| EditError::of(&self.trash_path(), &error);
        let records = record::all(&self.disk, &self.trash).map_err(fail)?;
        if let Some((_, record)) = records.into_iter().find(|(other, _)| other == id) {
            let record = Record { state: State::Purging, ..record };
            record.save(&self.disk, &self.trash, id).map_err(fail)?;
        }
        self.remove_tree(&self.trash, id.folder()).map_err(fail)?;
        self.disk.remove_file(&self.trash, &id.file()).map_err(fail)
    }

    fn remove_tree(&self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        match self.disk.stat(folder, name)? {
            None => Ok(()),
            Some(meta) if meta.kind == Kind::Folder => {
                let inner = self.disk.below(folder, Path::new(name))?;
                for name in self.disk.names(&inner)? {
                    self.remove_tree(&inner, &name)?;
                }
                self.disk.remove_folder(folder, name)
            }
            Some(_) => self.disk.remove_file(folder, name),
        }
    }

    /// Keeps the records of the last changes; a deletion stays until it is purged.
    fn prune(&self) {
        let Ok(records) = record::all(&self.disk, &self.trash) else { return };
        let old: Vec<_> = records
            .iter()
            .filter(|(_, r)| r.state == State::Done && r.deleted.is_none())
            .map(|(id, _)| id)
            .collect();
        for id in old.iter().rev().skip(KEPT) {
            self.forget(id);
        }
    }
}

/// The finding of a thing that is not as expected.
fn changed(at: &Path, was_absent: bool) -> EditError {
    let path = shown_name(at.as_os_str()).into_string();
    if was_absent { EditError::Exists { path } } else { EditError::Changed { path } }
}

/// Makes a folder and those above it.
fn make_all(disk: &Disk, boundary: &Folder, path: &Path) -> io::Result<()> {
    let mut above = PathBuf::new();
    for part in path.components() {
        let folder = disk.below(boundary, &above)?;
        let name = part.as_os_str();
        if disk.stat(&folder, name)?.is_none() {
            match disk.make_folder(&folder, name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => other?,
            }
        }
        above.push(part);
    }
    Ok(())
}
