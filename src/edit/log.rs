//! A file to which lines are added, for as long as one likes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Where the lines are that had no more room: one file, the one before the current.
pub fn older(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

/// Adds a line, which has no line end in it. When the file would have more than `limit` bytes
/// with it, what is there becomes the [`older`] file, whose lines are gone. A line that a crash
/// tore is ended first, so that it spoils no other. Several programs may add at once; a
/// line that is just being added may look torn, and then an empty one comes between.
///
/// # Errors
/// When the file cannot be written, or is no regular file.
pub fn append_line(path: &Path, line: &str, limit: u64) -> io::Result<()> {
    let mut file = open(path)?;
    let mut bytes = Vec::with_capacity(line.len() + 2);
    let size = file.metadata()?.len();
    let end = line.len() as u64 + 1;
    // Who has the lock moves the file; who waits finds another one in its place.
    if size > 0 && size.saturating_add(end) > limit && file.try_lock().is_ok() {
        if is_at(&file, path) {
            fs::rename(path, older(path))?;
        }
        file = open(path)?;
    } else if size > 0 && last_byte(&mut file)? != b'\n' {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    // One call: with `append` no other line gets in between.
    file.write_all(&bytes)
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600).custom_flags(flags);
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let Ok((open, named)) = file.metadata().and_then(|m| Ok((m, fs::metadata(path)?))) else {
        return false;
    };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

fn last_byte(file: &mut File) -> io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_torn_line_spoils_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        append_line(&path, "one", 100).unwrap();
        fs::write(&path, "one\n{\"torn").unwrap();
        append_line(&path, "two", 100).unwrap();
        append_line(&path, "three", 100).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n{\"torn\ntwo\nthree\n");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn it_stays_within_its_bounds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        for i in 0..50 {
            append_line(&path, &format!("line {i:04}"), 100).unwrap();
        }
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        assert!(read(&path).len() <= 100 && read(&older(&path)).len() <= 100);
        assert!(read(&path).ends_with("line 0049\n"));
        let all = read(&older(&path)) + &read(&path);
        let lines: Vec<_> = all.lines().collect();
        assert!(lines.windows(2).all(|pair| pair[0] < pair[1]), "none is lost in between: {all}");
        // A line that is longer than the bound is there all the same.
        append_line(&path, &"x".repeat(200), 100).unwrap();
        assert_eq!(read(&path).len(), 201);
    }

    #[test]
    fn lines_of_several_writers_stay_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for i in 0..200 {
                        append_line(path, &format!("{writer} {i:03} end"), 1 << 20).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 800);
        assert!(lines.iter().all(|line| line.len() == 9 && line.ends_with(" end")), "{lines:?}");
    }

    #[test]
    fn what_is_no_file_is_refused_and_never_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        assert!(append_line(dir.path(), "x", 100).is_err());
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert!(append_line(&fifo, "x", 100).is_err());
        assert!(append_line(&dir.path().join("no/such/dir"), "x", 100).is_err());
    }
}
