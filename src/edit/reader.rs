//! Looking at the files of a project before they are changed: by the same calls
//! that change them, beneath the boundary, without a lock and without a trace.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::disk::{Disk, Folder, Kind};
use super::error::EditError;
use super::record::{self, Id, Record};
use super::site::Site;
use super::step::Content;
use crate::skill::text::shown_name;

/// Larger files are not changed.
pub const MAX_BYTES: u64 = 64 << 20;

/// Looks at the files of a project. What it says may have changed a moment
/// later; a plan that was made by it says so when it is carried out.
#[derive(Debug)]
pub struct Reader {
    pub(super) disk: Disk,
    pub(super) site: Site,
    pub(super) boundary: Folder,
}

impl Reader {
    /// Opens the boundary of a project.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(disk: Disk, site: Site) -> Result<Self, EditError> {
        let boundary =
            disk.open(&site.boundary).map_err(|error| EditError::of(&site.boundary, &error))?;
        Ok(Self { disk, site, boundary })
    }

    /// The places of the project.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// What a file holds, and its mode; `None` when it is not there. The path is
    /// relative to the boundary.
    ///
    /// # Errors
    /// When it is no regular file, too large, or cannot be read.
    pub fn content(&self, at: &Path) -> Result<Option<Content>, EditError> {
        let (folder, name) = match self.parent(at) {
            Err(EditError::Gone { .. }) => return Ok(None),
            other => other?,
        };
        self.content_in(&folder, &name, at)
    }

    pub(super) fn content_in(
        &self,
        folder: &Folder,
        name: &OsStr,
        at: &Path,
    ) -> Result<Option<Content>, EditError> {
        let fail = |error| EditError::of(at, &error);
        let Some(meta) = self.disk.stat(folder, name).map_err(fail)? else { return Ok(None) };
        if meta.kind != Kind::File {
            return Err(EditError::LeavesRoot { path: shown_name(at.as_os_str()).into_string() });
        }
        let bytes = self.disk.read(folder, name, MAX_BYTES).map_err(fail)?;
        Ok(Some(Content::new(bytes, meta.mode)))
    }

    /// What a name stands for; `None` when it is not there.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn kind(&self, at: &Path) -> Result<Option<Kind>, EditError> {
        let (folder, name) = match self.parent(at) {
            Err(EditError::Gone { .. }) => return Ok(None),
            other => other?,
        };
        let meta = self.disk.stat(&folder, &name).map_err(|e| EditError::of(at, &e))?;
        Ok(meta.map(|meta| meta.kind))
    }

    /// The names in a folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn names(&self, at: &Path) -> Result<Vec<OsString>, EditError> {
        let fail = |error| EditError::of(at, &error);
        let folder = self.disk.below(&self.boundary, at).map_err(fail)?;
        self.disk.names(&folder).map_err(fail)
    }

    pub(super) fn parent(&self, at: &Path) -> Result<(Folder, OsString), EditError> {
        let fail = |error| EditError::of(at, &error);
        let name = at.file_name().ok_or_else(|| fail(io::ErrorKind::InvalidInput.into()))?;
        let folder = self.disk.below(&self.boundary, at.parent().unwrap_or(Path::new("")));
        Ok((folder.map_err(fail)?, name.to_owned()))
    }

    /// The changes that were made, the oldest first.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub fn records(&self) -> Result<Vec<(Id, Record)>, EditError> {
        let path = self.site.trash();
        let fail = |error: io::Error| EditError::of(&path, &error);
        match self.disk.below(&self.boundary, &path) {
            Ok(trash) => record::all(&self.disk, &trash).map_err(fail),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(fail(error)),
        }
    }
}
