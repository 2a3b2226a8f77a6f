//! The lengths of a description at which clients begin to lose some of it.

/// Characters, and what happens beyond.
pub const MARKS: [(usize, &str); 4] = [
    (250, "short listings"),
    (280, "kaged-strict and kaged's registry"),
    (1_024, "the open standard"),
    (1_536, "Claude Code's listing"),
];

/// `, past 250 (short listings), 280 (…)`; nothing for a short one.
pub fn passed(chars: usize) -> String {
    let passed: Vec<_> = MARKS
        .iter()
        .filter(|(mark, _)| chars > *mark)
        .map(|(mark, who)| format!("{} ({who})", crate::skill::text::thousands(*mark as u64)))
        .collect();
    if passed.is_empty() { String::new() } else { format!(", past {}", passed.join(", ")) }
}
