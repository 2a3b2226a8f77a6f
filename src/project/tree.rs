//! What lies in a skill's folder, for looking at: every file, folder and link.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::file::Readable;
use super::resources::{Resources, is_litter};
use crate::prompt::activation::MAX_RESOURCES;
use crate::skill::document::MAX_BYTES;
use crate::skill::text::{Shown, name_text, shown, thousands};

/// More than this many things are counted, not listed.
const MAX_ITEMS: usize = 2_000;

/// The contents of a folder, in the order of a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// The things in it.
    pub items: Vec<Item>,
    /// How many more there are.
    pub more: usize,
    /// Bytes of its regular files.
    pub bytes: u64,
}

/// One thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its path.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// How deep it lies, from 0.
    pub depth: usize,
    /// What it is.
    pub kind: Kind,
    /// Whether an activation names it to the model.
    pub is_named: bool,
}

/// What a thing in a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A folder; `is_litter` when it is not looked into.
    Folder {
        /// Left by version control, package managers and the like.
        is_litter: bool,
    },
    /// A regular file of so many bytes.
    File(u64),
    /// A link to this.
    Link(String),
    /// A FIFO, socket or device.
    Special(&'static str),
    /// It cannot be looked at, and this is why.
    Unreadable(String),
}

/// Looks at the folder `dir`, links not followed. `resources` tells what is
/// named to the model.
pub fn tree(dir: &Path, resources: &Resources) -> Tree {
    let mut tree = Tree::default();
    let named: std::collections::HashSet<&str> =
        resources.files.iter().take(MAX_RESOURCES).map(String::as_str).collect();
    let mut entries =
        WalkDir::new(dir).min_depth(1).follow_links(false).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let item = match entry {
            Ok(entry) => {
                let kind = kind(&entry);
                if kind == (Kind::Folder { is_litter: true }) {
                    entries.skip_current_dir();
                }
                if let Kind::File(bytes) = kind {
                    tree.bytes += bytes;
                }
                let below = entry.path().strip_prefix(dir).unwrap_or(entry.path());
                Item {
                    name: name_text(entry.file_name()).into_owned(),
                    depth: entry.depth() - 1,
                    is_named: named.contains(below.to_string_lossy().as_ref()),
                    path: entry.into_path(),
                    kind,
                }
            }
            Err(error) => {
                let path = error.path().map(Path::to_owned).unwrap_or_default();
                let name = path.file_name().map(|n| name_text(n).into_owned());
                Item {
                    name: name.unwrap_or_default(),
                    depth: error.depth().saturating_sub(1),
                    is_named: false,
                    path,
                    kind: Kind::Unreadable(
                        error.into_io_error().map(|e| e.to_string()).unwrap_or_default(),
                    ),
                }
            }
        };
        if tree.items.len() < MAX_ITEMS {
            tree.items.push(item);
        } else {
            tree.more += 1;
        }
    }
    tree
}

fn kind(entry: &walkdir::DirEntry) -> Kind {
    let kind = entry.file_type();
    if kind.is_symlink() {
        let target = std::fs::read_link(entry.path());
        return Kind::Link(
            target.map(|t| name_text(t.as_os_str()).into_owned()).unwrap_or_default(),
        );
    }
    if kind.is_dir() {
        return Kind::Folder { is_litter: is_litter(entry.file_name()) };
    }
    if kind.is_file() {
        return match entry.metadata() {
            Ok(meta) => Kind::File(Metadata::len(&meta)),
            Err(error) => {
                Kind::Unreadable(error.into_io_error().map(|e| e.to_string()).unwrap_or_default())
            }
        };
    }
    Kind::Special(if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else {
        "device"
    })
}

/// The text of a file in a skill's folder.
///
/// # Errors
/// Why there is no text to show: too large, no text, out of the boundary, gone.
pub fn text(path: &Path, boundary: &Path) -> Result<String, Shown> {
    let size = path.metadata().ok().filter(Metadata::is_file).map_or(0, |meta| meta.len());
    if size > MAX_BYTES {
        return Err(shown(&format!(
            "The file has {} bytes; only files of up to {} are shown.",
            thousands(size),
            thousands(MAX_BYTES)
        )));
    }
    if matches!(path.symlink_metadata(), Err(error) if error.kind() == ErrorKind::NotFound) {
        return Err(Shown::fixed("The file is not there any more."));
    }
    let readable = Readable::find(path, boundary).map_err(|finding| finding.message)?;
    let (_, bytes) = readable.read().map_err(|finding| finding.message)?;
    if bytes.contains(&0) {
        return Err(shown(&format!("A binary file of {} bytes.", thousands(bytes.len() as u64))));
    }
    String::from_utf8(bytes).map_err(|error| {
        shown(&format!(
            "The file has {} bytes and is not UTF-8 from byte {} on, so it is not shown as text.",
            thousands(error.as_bytes().len() as u64),
            thousands(error.utf8_error().valid_up_to() as u64)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::resources::walk;
    use std::fs;

    #[test]
    fn everything_in_a_folder_is_told_for_what_it_is() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().canonicalize().unwrap();
        fs::create_dir_all(dir.join("scripts")).unwrap();
        fs::create_dir_all(dir.join(".git/deep")).unwrap();
        fs::write(dir.join("SKILL.md"), "---\n").unwrap();
        fs::write(dir.join("scripts/a.sh"), "true\n").unwrap();
        fs::write(dir.join("z.bin"), b"a\0b").unwrap();
        std::os::unix::fs::symlink("../elsewhere", dir.join("out")).unwrap();
        let tree = tree(&dir, &walk(&dir).resources);
        let told: Vec<_> = tree
            .items
            .iter()
            .map(|i| (i.name.as_str(), i.depth, i.kind.clone(), i.is_named))
            .collect();
        assert_eq!(
            told,
            [
                (".git", 0, Kind::Folder { is_litter: true }, false),
                ("SKILL.md", 0, Kind::File(4), false),
                ("out", 0, Kind::Link("../elsewhere".into()), false),
                ("scripts", 0, Kind::Folder { is_litter: false }, false),
                ("a.sh", 1, Kind::File(5), true),
                ("z.bin", 0, Kind::File(3), true),
            ]
        );
        assert_eq!((tree.bytes, tree.more), (12, 0));
    }

    #[test]
    fn only_text_within_the_boundary_is_shown() {
        let tmp = tempfile::tempdir().unwrap();
        let top = tmp.path().canonicalize().unwrap();
        let dir = top.join("in");
        fs::create_dir(&dir).unwrap();
        fs::write(top.join("secret"), "s").unwrap();
        fs::write(dir.join("text"), "hello\n").unwrap();
        fs::write(dir.join("binary"), b"a\0").unwrap();
        fs::write(dir.join("latin"), b"ab\xe9").unwrap();
        fs::write(dir.join("large"), vec![b'x'; MAX_BYTES as usize + 1]).unwrap();
        std::os::unix::fs::symlink(top.join("secret"), dir.join("link")).unwrap();
        assert_eq!(text(&dir.join("text"), &dir).unwrap(), "hello\n");
        for (name, why) in [
            ("binary", "binary file of 2 bytes"),
            ("latin", "not UTF-8 from byte 2"),
            ("large", "only files of up to"),
            ("link", "out of the project"),
            ("gone", "not there any more"),
            (".", "a directory"),
        ] {
            let said = text(&dir.join(name), &dir).unwrap_err();
            assert!(said.as_str().contains(why), "{name}: {said}");
        }
    }
}
