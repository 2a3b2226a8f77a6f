//! What lies in a skill's folder, as a tree; and a file of it.

use std::path::Path;

use ratatui::layout::Rect;

use super::detail::waiting;
use crate::project::tree::{Item, Kind, Tree};
use crate::skill::text::{counted, name_text, thousands};
use crate::tui::ink::{Canvas, Piece, Tone, fit, width};
use crate::tui::state::{Pane, State};

/// Rows above the tree: a count and an empty one.
pub const HEAD: usize = 2;

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(pages) = state.shown_pages() else {
        waiting(state, canvas, area);
        return;
    };
    let tree = &pages.tree;
    if let Some(path) = &state.preview {
        let item = tree.items.iter().find(|item| item.path == *path);
        let name = path.strip_prefix(dir(state)).unwrap_or(path);
        let size = match item.map(|item| &item.kind) {
            Some(Kind::File(bytes)) => format!("  {}", counted(*bytes as usize, "byte", "bytes")),
            _ => String::new(),
        };
        let name = Piece::new(name_text(name.as_os_str()), Tone::Strong);
        canvas.row(area, 0, &[name, Piece::dim(size)]);
        let head = HEAD as u16;
        let text = Rect { y: area.y + head, height: area.height.saturating_sub(head), ..area };
        super::body::draw(state, canvas, text);
        return;
    }
    let focused = state.focus == Pane::Detail && state.overlay.is_none();
    // Only what is seen is made, however many files there are.
    for y in 0..usize::from(area.height) {
        let row = state.scroll + y;
        let Some(at) = row.checked_sub(HEAD) else {
            if row == 0 {
                canvas.row(area, y, &[Piece::dim(head(tree))]);
            }
            continue;
        };
        if at == tree.items.len() && tree.more > 0 {
            let more = format!("  … and {} more", thousands(tree.more as u64));
            canvas.row(area, y, &[Piece::dim(more)]);
        }
        let Some(item) = tree.items.get(at) else { break };
        let pieces = line(item, area.width.into());
        if at == state.file && focused {
            canvas.chosen_row(area, y, &pieces, Tone::Chosen);
            canvas.set_cursor(area.x, area.y + y as u16);
        } else {
            canvas.row(area, y, &pieces);
        }
    }
}

/// The folder that the tree is of.
fn dir(state: &State) -> &Path {
    state.shown_skill().map_or(Path::new(""), |skill| skill.entry.real_dir())
}

fn head(tree: &Tree) -> String {
    let files = tree.items.iter().filter(|i| matches!(i.kind, Kind::File(_))).count() + tree.more;
    let named = tree.items.iter().filter(|i| i.is_named).count();
    format!(
        "{}, {}; {} named to the model",
        counted(files, "file", "files"),
        counted(tree.bytes as usize, "byte", "bytes"),
        thousands(named as u64)
    )
}

fn line(item: &Item, room: usize) -> Vec<Piece> {
    const SIZE: usize = 24;
    let (tone, said) = match &item.kind {
        Kind::Folder { is_litter: false } => (Tone::Accent, String::new()),
        Kind::Folder { is_litter: true } => (Tone::Dim, "not looked into".to_owned()),
        Kind::File(bytes) => {
            let named = if item.is_named { "  " } else { " –" };
            let named = if item.name == "SKILL.md" && item.depth == 0 { "  " } else { named };
            (Tone::Plain, format!("{}{named}", thousands(*bytes)))
        }
        Kind::Link(target) if item.is_named => (Tone::Plain, format!("link to {target}")),
        Kind::Link(target) => (Tone::Warn, format!("link to {target}")),
        Kind::Special(what) => (Tone::Warn, format!("a {what}, not opened")),
        Kind::Unreadable(why) => (Tone::Bad, why.clone()),
    };
    let slash = if matches!(item.kind, Kind::Folder { .. }) { "/" } else { "" };
    let said = fit(Piece::plain(said).text(), SIZE.min(room / 2));
    let left = room.saturating_sub(width(&said) + 1);
    let indent = "  ".repeat(item.depth.min(20));
    let shown = Piece::plain(format!("{indent}{}{slash}", item.name));
    let name = fit(shown.text(), left);
    let pad = " ".repeat(left.saturating_sub(width(&name)) + 1);
    vec![Piece::new(name, tone), Piece::dim(format!("{pad}{said}"))]
}
