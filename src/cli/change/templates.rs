//! What a new skill begins with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use walkdir::WalkDir;

use crate::config::Paths;
use crate::edit::ops::TemplateFile;
use crate::skill::text::shown_name;

/// A file of a template of the program: path, bytes, permission bits.
type BuiltIn = (&'static str, &'static [u8], u32);

/// The templates that come with the program.
const BUILT_IN: [(&str, &[BuiltIn]); 4] = [
    ("plain", &[("SKILL.md", include_bytes!("../../../assets/templates/plain/SKILL.md"), 0o644)]),
    (
        "arguments",
        &[("SKILL.md", include_bytes!("../../../assets/templates/arguments/SKILL.md"), 0o644)],
    ),
    (
        "resources",
        &[
            ("SKILL.md", include_bytes!("../../../assets/templates/resources/SKILL.md"), 0o644),
            (
                "references/notes.md",
                include_bytes!("../../../assets/templates/resources/references/notes.md"),
                0o644,
            ),
            (
                "scripts/check.sh",
                include_bytes!("../../../assets/templates/resources/scripts/check.sh"),
                0o755,
            ),
        ],
    ),
    (
        "runbook",
        &[("SKILL.md", include_bytes!("../../../assets/templates/runbook/SKILL.md"), 0o644)],
    ),
];

/// A template by its name: one of the user's (`templates/NAME/` in the config
/// folder), else one that comes with the program.
pub fn find(name: &str) -> anyhow::Result<Vec<TemplateFile>> {
    let own = own_folder();
    if let Some(dir) = own
        .as_ref()
        .map(|dir| dir.join(name))
        .filter(|dir| !name.contains('/') && name != ".." && dir.join("SKILL.md").is_file())
    {
        return read(&dir);
    }
    let Some((_, files)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) else {
        let mut names: Vec<_> = BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.extend(own.iter().flat_map(|dir| own_names(dir)));
        bail!("there is no template `{name}`; there are {}", names.join(", "));
    };
    Ok(files.iter().map(|(path, bytes, mode)| (path.into(), bytes.to_vec(), *mode)).collect())
}

fn own_folder() -> Option<PathBuf> {
    Some(Paths::from_env().config_file()?.parent()?.join("templates"))
}

fn own_names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter(|e| e.path().join("SKILL.md").is_file());
    let mut names: Vec<_> = names.map(|e| shown_name(&e.file_name()).into_string()).collect();
    names.sort();
    names
}

fn read(dir: &Path) -> anyhow::Result<Vec<TemplateFile>> {
    use std::os::unix::fs::PermissionsExt;
    let mut files = Vec::new();
    for entry in WalkDir::new(dir).follow_links(false).sort_by_file_name() {
        let entry = entry.context("the template cannot be read")?;
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(dir).unwrap_or(entry.path()).to_owned();
            let bytes = fs::read(entry.path()).context("the template cannot be read")?;
            let mode = entry.metadata().map_or(0o644, |meta| meta.permissions().mode() & 0o777);
            files.push((below, bytes, mode));
        }
    }
    Ok(files)
}
