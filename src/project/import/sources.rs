//! Where skills lie in a folder that is no project of ours.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::skill::text::name_text;

/// A skill that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The folder that holds its `SKILL.md`, by its real path.
    pub dir: PathBuf,
    /// What its folder is to be called.
    pub folder: String,
    /// Links of it must not leave this.
    pub boundary: PathBuf,
}

/// The roots that are known, the most particular first.
const ROOTS: [&str; 5] =
    [".kaged/skills", ".claude/skills", ".agents/skills", ".github/skills", "skills"];

/// How deep it is looked where there is no root that is known.
const DEPTH: usize = 6;

/// So many files and folders are looked at there by a command, which one waits for.
pub const FAR: usize = 200_000;

/// The same while a path is typed, when every beginning of it is looked at.
pub const NEAR: usize = 2_000;

/// Folders in which nobody keeps skills.
const PASSED: [&str; 3] = [".git", "node_modules", "target"];

/// The skills of a folder: itself when it holds a `SKILL.md`; those of the roots of clients
/// and of kaged's registry (`skills/@namespace/name`) that lie in it; those directly in it;
/// or else those deeper, among the first `reach` files and folders. `name` is what a skill
/// is called that is the folder itself.
pub fn find(dir: &Path, name: &str, reach: usize) -> Vec<Source> {
    let source = |at: PathBuf, folder: String| Source { dir: at, folder, boundary: dir.to_owned() };
    if is_skill(dir) {
        return vec![source(dir.to_owned(), name.to_owned())];
    }
    let named = |at: PathBuf| {
        let folder = at.file_name().map(|name| name_text(name).into_owned()).unwrap_or_default();
        source(at, folder)
    };
    let roots: Vec<_> = ROOTS.iter().flat_map(|root| children(&dir.join(root))).collect();
    if !roots.is_empty() {
        return roots.into_iter().map(named).collect();
    }
    let direct = children(dir);
    if !direct.is_empty() {
        return direct.into_iter().map(named).collect();
    }
    let is_wanted =
        |entry: &walkdir::DirEntry| !PASSED.iter().any(|passed| entry.file_name() == *passed);
    let walk = WalkDir::new(dir).max_depth(DEPTH).sort_by_file_name();
    let walked = walk.into_iter().filter_entry(is_wanted).take(reach);
    let found = walked.filter_map(Result::ok);
    found.map(walkdir::DirEntry::into_path).filter(|at| is_skill(at)).map(named).collect()
}

/// Whether a folder holds a `SKILL.md`; a link to a folder is none.
fn is_skill(dir: &Path) -> bool {
    dir.symlink_metadata().is_ok_and(|meta| meta.is_dir()) && dir.join("SKILL.md").is_file()
}

/// The skills directly in a root, and those in its folders of namespaces.
fn children(root: &Path) -> Vec<PathBuf> {
    let below = |dir: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let mut found = Vec::new();
    for at in below(root) {
        let is_namespace =
            at.file_name().is_some_and(|name| name.to_string_lossy().starts_with('@'));
        if is_skill(&at) {
            found.push(at);
        } else if is_namespace && at.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            found.extend(below(&at).into_iter().filter(|at| is_skill(at)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(files: &[&str], name: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        find(dir.path(), name, FAR).into_iter().map(|source| source.folder).collect()
    }

    #[test]
    fn the_roots_of_clients_are_known() {
        for (files, want) in [
            (vec!["SKILL.md"], vec!["one"]),
            (vec!["a/SKILL.md", "b/SKILL.md", "c/README.md"], vec!["a", "b"]),
            (vec![".kaged/skills/a/SKILL.md", "x/SKILL.md"], vec!["a"]),
            (vec![".claude/skills/a/SKILL.md", ".agents/skills/b/SKILL.md"], vec!["a", "b"]),
            (vec![".github/skills/a/SKILL.md"], vec!["a"]),
            (vec!["skills/a/SKILL.md", "skills/@me/b/SKILL.md"], vec!["b", "a"]),
            (vec!["deep/er/a/SKILL.md", "node_modules/b/c/SKILL.md"], vec!["a"]),
            (vec!["1/2/3/4/5/6/7/SKILL.md"], vec![]),
            (vec!["README.md"], vec![]),
        ] {
            assert_eq!(names(&files, "one"), want, "{files:?}");
        }
    }
}
