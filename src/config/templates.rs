//! What a new skill begins with.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Paths;
use crate::edit::ops::TemplateFile;
use crate::skill::text::{counted, shown, shown_name};

/// A file of a template of the program: path, bytes, permission bits.
type BuiltInFile = (&'static str, &'static [u8], u32);

/// A template of the program.
struct BuiltIn {
    name: &'static str,
    about: &'static str,
    files: &'static [BuiltInFile],
}

/// The templates that come with the program.
const BUILT_IN: [BuiltIn; 4] = [
    BuiltIn {
        name: "plain",
        about: "instructions, and nothing else",
        files: &[("SKILL.md", include_bytes!("../../assets/templates/plain/SKILL.md"), 0o644)],
    },
    BuiltIn {
        name: "arguments",
        about: "what is asked for stands in $ARGUMENTS",
        files: &[("SKILL.md", include_bytes!("../../assets/templates/arguments/SKILL.md"), 0o644)],
    },
    BuiltIn {
        name: "resources",
        about: "with a reference and a script beside it",
        files: &[
            ("SKILL.md", include_bytes!("../../assets/templates/resources/SKILL.md"), 0o644),
            (
                "references/notes.md",
                include_bytes!("../../assets/templates/resources/references/notes.md"),
                0o644,
            ),
            (
                "scripts/check.sh",
                include_bytes!("../../assets/templates/resources/scripts/check.sh"),
                0o755,
            ),
        ],
    },
    BuiltIn {
        name: "runbook",
        about: "steps, checks, and the way back",
        files: &[("SKILL.md", include_bytes!("../../assets/templates/runbook/SKILL.md"), 0o644)],
    },
];

/// A template cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// There is none of that name.
    #[error("there is no template `{name}`; there are {}", .names.join(", "))]
    Unknown {
        /// The name, safe to show.
        name: String,
        /// Those there are.
        names: Vec<String>,
    },
    /// A file of it cannot be read.
    #[error("the template in {path} cannot be read: {cause}; mend it or choose another")]
    Unreadable {
        /// Where it is, safe to show.
        path: String,
        /// What the system said.
        cause: String,
    },
}

/// The templates there are, the user's own last: their names, and a word about each.
pub fn all() -> Vec<(String, String)> {
    let built_in = BUILT_IN.iter().map(|t| (t.name.to_owned(), t.about.to_owned()));
    let dir = own_folder();
    let names = dir.as_deref().map(own_names).unwrap_or_default();
    let own: Vec<_> = names
        .into_iter()
        .map(|name| {
            let files = dir.as_ref().map_or(Ok(Vec::new()), |dir| read(&dir.join(&name)));
            let count = files.map_or(0, |files| files.len());
            (name, format!("your own, {}", counted(count, "file", "files")))
        })
        .collect();
    // One of the user's takes the place of one of the program's.
    let is_own = |name: &str| own.iter().any(|(own, _)| own == name);
    built_in.filter(|(name, _)| !is_own(name)).chain(own.iter().cloned()).collect()
}

/// A template by its name: one of the user's (`templates/NAME/` in the config
/// folder), else one that comes with the program.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn find(name: &str) -> Result<Vec<TemplateFile>, TemplateError> {
    let own = own_folder();
    let is_name = !name.contains('/') && name != ".." && name != "." && !name.is_empty();
    let dir = own.map(|dir| dir.join(name)).filter(|_| is_name);
    if let Some(dir) = dir.filter(|dir| dir.join("SKILL.md").is_file()) {
        return read(&dir);
    }
    let Some(built_in) = BUILT_IN.iter().find(|template| template.name == name) else {
        let names = all().into_iter().map(|(name, _)| shown(&name).into_string()).collect();
        return Err(TemplateError::Unknown { name: shown(name).into_string(), names });
    };
    let file = |(path, bytes, mode): &BuiltInFile| (path.into(), bytes.to_vec(), *mode);
    Ok(built_in.files.iter().map(file).collect())
}

fn own_folder() -> Option<PathBuf> {
    Some(Paths::from_env().config_file()?.parent()?.join("templates"))
}

fn own_names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter(|e| e.path().join("SKILL.md").is_file());
    let mut names: Vec<_> = names.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn read(dir: &Path) -> Result<Vec<TemplateFile>, TemplateError> {
    use std::os::unix::fs::PermissionsExt;
    let fail = |cause: String| TemplateError::Unreadable {
        path: shown_name(dir.as_os_str()).into_string(),
        cause,
    };
    let mut files = Vec::new();
    for entry in WalkDir::new(dir).follow_links(false).sort_by_file_name() {
        let entry = entry.map_err(|error| fail(error.to_string()))?;
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(dir).unwrap_or(entry.path()).to_owned();
            let bytes = fs::read(entry.path()).map_err(|error| fail(error.to_string()))?;
            let mode = entry.metadata().map_or(0o644, |meta| meta.permissions().mode() & 0o777);
            files.push((below, bytes, mode));
        }
    }
    Ok(files)
}
