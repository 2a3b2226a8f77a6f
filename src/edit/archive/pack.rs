//! Skills are put into one archive, the same bytes from the same files.

use std::io::{Cursor, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{ArchiveError, Form};
use crate::edit::atomic;
use crate::skill::text::{shown, shown_name};

/// A file to be put into an archive: its path there, with `/`, its bytes, and whether it
/// can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its path in the archive.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub can_run: bool,
}

/// Writes an archive in the form that its name asks for; it must not be there yet.
/// Order, times, owners and modes depend on nothing but the files.
///
/// # Errors
/// When the name asks for no form that is known, or the file is there or cannot be
/// written.
pub fn pack(path: &Path, files: &mut [Packed]) -> Result<(), ArchiveError> {
    Ok(atomic::create(path, &packed(path, files)?)?)
}

/// The bytes of an archive in the form that a name asks for.
///
/// # Errors
/// When it asks for no form that is known.
pub fn packed(path: &Path, files: &mut [Packed]) -> Result<Vec<u8>, ArchiveError> {
    let shown_path = || shown_name(path.as_os_str()).into_string();
    let (form, _) = Form::of(path).ok_or_else(|| ArchiveError::Unknown { path: shown_path() })?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let bytes = match form {
        Form::Zip => zip(files).map_err(|error| error.to_string()),
        Form::TarGz => tar_gz(files).map_err(|error| error.to_string()),
    };
    bytes.map_err(|why| ArchiveError::Broken { path: shown_path(), why: shown(&why).into_string() })
}

fn mode(file: &Packed) -> u32 {
    if file.can_run { 0o755 } else { 0o644 }
}

fn zip(files: &[Packed]) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        // 1980-01-01, the first day that the form knows.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(mode(file));
        writer.start_file(file.path.as_str(), options)?;
        writer.write_all(&file.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn tar_gz(files: &[Packed]) -> std::io::Result<Vec<u8>> {
    let stream = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    let mut builder = tar::Builder::new(stream);
    for file in files {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(file.bytes.len() as u64);
        header.set_mode(mode(file));
        header.set_mtime(0);
        builder.append_data(&mut header, &file.path, file.bytes.as_slice())?;
    }
    builder.into_inner()?.finish()
}
