//! Skills of another client are copied in.

use std::path::Path;

use super::check_new;
use super::copy::{Tree, tree};
use crate::edit::disk::Kind;
use crate::edit::{Deed, EditError, Part, Proposal, Reader, Step};
use crate::skill::text::{counted, shown_name};

/// Copies in every skill that lies directly in `from`, a folder relative to the
/// boundary: a part for each. What is not copied is named in the notes: links,
/// special files, and skills whose names are refused or taken.
///
/// # Errors
/// When the folder cannot be read.
pub fn copy_in(reader: &Reader, from: &Path) -> Result<Proposal, EditError> {
    let mut proposal = Proposal::default();
    let root = reader.site().root.clone();
    let mut has_root = reader.kind(&root)?.is_some();
    for name in reader.names(from)? {
        let dir = from.join(&name);
        let is_skill = reader.kind(&dir)? == Some(Kind::Folder)
            && reader.kind(&dir.join("SKILL.md"))? == Some(Kind::File);
        if !is_skill {
            continue;
        }
        let shown = shown_name(&name);
        if let Err(why) = check_new(reader, &name.to_string_lossy(), None) {
            proposal.notes.push(format!("`{shown}` is left where it is: {why}"));
            continue;
        }
        let to = root.join(&name);
        let mut found = Tree { steps: vec![Step::MakeFolder(to.clone())], left: Vec::new() };
        if !std::mem::replace(&mut has_root, true) {
            found.steps.insert(0, Step::MakeFolder(root.clone()));
        }
        tree(reader, &dir, Path::new(""), &to, &mut found)?;
        if !found.left.is_empty() {
            let left = found.left.join(", ");
            proposal.notes.push(format!(
                "links, special files and names that are not UTF-8 of `{shown}` stay: {left}"
            ));
        }
        let files = found.steps.iter().filter(|step| matches!(step, Step::Write { .. })).count();
        let about = format!("`{shown}` with {}", counted(files, "file", "files"));
        proposal.parts.push(Part { about, deed: Deed::Steps(found.steps) });
    }
    let count = counted(proposal.parts.len(), "skill", "skills");
    proposal.title = format!("copy {count} from {}", shown_name(from.as_os_str()));
    Ok(proposal)
}
