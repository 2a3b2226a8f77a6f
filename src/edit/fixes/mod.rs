//! The fixes that change only the text of a `SKILL.md`. Each puts what is
//! there in its place; none invents text.

mod encoding;
mod fences;
mod fields;

use crate::skill::document;
use crate::skill::finding::{Code, Finding, Fix};

/// No file needs more fixes one after another than this; one that still has
/// some then is left as it is at that point.
const MAX_FIXES: usize = 200;

/// A text with all its fixes made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The file afterwards.
    pub bytes: Vec<u8>,
    /// What was done, in this order.
    pub applied: Vec<Fix>,
}

/// Makes the fix of one finding; `None` when it has none that changes only the
/// text, and when that would change nothing.
pub fn fix_one(bytes: &[u8], finding: &Finding) -> Option<Vec<u8>> {
    if finding.file.is_some() {
        return None;
    }
    let new = match finding.fix.as_ref()? {
        Fix::QuoteValue => fields::quote_value(bytes, finding),
        Fix::DropBom => encoding::drop_bom(bytes),
        Fix::AddClosingFence => fences::add_closing(bytes),
        Fix::MoveFenceFirst => fences::move_first(bytes),
        Fix::RemoveDuplicateKey => fields::remove_duplicate(bytes),
        Fix::SetName(name) => fields::set_name(bytes, name),
        Fix::Transcode => encoding::transcode(bytes),
        Fix::PlainSpace => fields::plain_space(bytes),
        Fix::ReplaceTab => fields::replace_tab(bytes),
        Fix::RenameFolder(_) | Fix::RenameToSkillMd | Fix::FolderFromFile => None,
    };
    new.filter(|new| new != bytes)
}

/// Makes every fix that a judge offers, one after another; after each the
/// changed text is judged again, until none is left that changes it.
pub fn fix_judged(bytes: &[u8], judge: impl Fn(&[u8]) -> Vec<Finding>) -> Fixed {
    let mut fixed = Fixed { bytes: bytes.to_owned(), applied: Vec::new() };
    while fixed.applied.len() < MAX_FIXES {
        let findings = judge(&fixed.bytes);
        let next = findings.iter().find_map(|finding| {
            let new = fix_one(&fixed.bytes, finding)?;
            Some((new, finding.fix.clone()?))
        });
        let Some((new, fix)) = next else { break };
        fixed.bytes = new;
        fixed.applied.push(fix);
    }
    fixed
}

/// Makes every fix that the text itself and the given findings offer. Only
/// what the text itself says is judged again after each; a caller who knows a
/// profile uses [`fix_judged`].
pub fn fix_text(bytes: &[u8], findings: &[Finding]) -> Fixed {
    fix_judged(bytes, |bytes| {
        let mut all = document::read(bytes).findings;
        // Of the given ones those remain that only a profile makes.
        let of_profile = |finding: &&Finding| {
            matches!(finding.fix, Some(Fix::SetName(_)))
                || matches!(finding.code, Code::NameNotString | Code::DescriptionNotString)
        };
        all.extend(findings.iter().filter(of_profile).cloned());
        all
    })
}
