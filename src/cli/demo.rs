//! `--demo`: built-in examples to try things on.

use crate::edit::WriteError;
use crate::edit::scratch::{Scratch, ScratchFile};

macro_rules! examples {
    ($($path:literal $(runs $runs:ident)?),+ $(,)?) => {
        &[$((
            $path,
            include_bytes!(concat!("../../assets/demo/", $path)),
            examples!(@ $($runs)?),
        )),+]
    };
    (@) => { false };
    (@ $runs:ident) => { $runs };
}

/// The files of the examples, as they lie in `assets/demo`.
const FILES: &[ScratchFile] = examples![
    ".kaged/project.yaml",
    ".kaged/skills/Deploy_Notes/SKILL.md",
    ".kaged/skills/api-review/SKILL.md",
    ".kaged/skills/changelog/SKILL.md",
    ".kaged/skills/commit-message/SKILL.md",
    ".kaged/skills/db-migration/SKILL.md",
    ".kaged/skills/flaky-tests/SKILL.md",
    ".kaged/skills/incident-runbook/SKILL.md",
    ".kaged/skills/incident-runbook/references/roles.md",
    ".kaged/skills/incident-runbook/scripts/status.sh" runs true,
    ".kaged/skills/release-checklist/SKILL.md",
    ".kaged/skills/sql-style/SKILL.md",
];

/// A copy of the examples that goes when this does.
///
/// # Errors
/// When it cannot be written.
pub fn project() -> Result<Scratch, WriteError> {
    Scratch::new("demo", FILES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use walkdir::WalkDir;

    #[test]
    fn every_example_is_in_it() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
        let files = WalkDir::new(&dir).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        let below = |path: &Path| path.strip_prefix(&dir).unwrap().to_string_lossy().into_owned();
        let found: Vec<_> = files.map(|entry| below(entry.path())).collect();
        let named: Vec<_> = FILES.iter().map(|(path, ..)| (*path).to_owned()).collect();
        assert_eq!(named, found);
    }
}
