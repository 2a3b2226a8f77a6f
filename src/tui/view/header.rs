//! The first line: where one is, as whom one looks, and whether it is up to date.

use ratatui::layout::Rect;

use crate::project::watch::Mode;
use crate::skill::text::thousands;
use crate::tui::ink::{Canvas, Piece, Tone, fit};
use crate::tui::state::{Reading, State};

/// Draws it.
pub fn draw(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let theme = canvas.theme();
    // What the list is of, not what was asked for and is still being read.
    let profile = state.deck.as_ref().map_or(state.view.profile, |deck| deck.profile);
    let mut right = vec![Piece::dim("as "), Piece::plain(profile.id())];
    let agent = state.deck.as_ref().and_then(|d| d.agent.as_deref());
    let has_room = area.width >= 70;
    if let Some(agent) = agent.filter(|_| has_room && profile.has_agents()) {
        right.push(Piece::dim("  agent "));
        right.push(Piece::plain(fit(agent, 24)));
    }
    right.push(Piece::plain("  "));
    let wrong = |f: &&crate::skill::Finding| f.level > crate::skill::Level::Note;
    let wrong = state.deck.as_ref().map_or(0, |d| d.findings.iter().filter(wrong).count());
    if wrong > 0 {
        let of = if has_room { " of the project" } else { "" };
        let text = format!("{} {wrong}{of}  ", theme.sign("▲", "!"));
        right.push(Piece::new(text, Tone::Warn));
    }
    right.push(match (&state.reading, &state.mode) {
        (Reading::Scanning(0), _) => Piece::new("reading…", Tone::Accent),
        (Reading::Scanning(n), _) => {
            Piece::new(format!("reading… {}", thousands(*n as u64)), Tone::Accent)
        }
        (Reading::Again(n), _) => {
            let count = if *n > 0 { format!(" {}", thousands(*n as u64)) } else { String::new() };
            Piece::new(format!("reading again…{count}"), Tone::Accent)
        }
        (Reading::Stopped(left), _) => {
            Piece::new(format!("stopped, {} left", thousands(*left as u64)), Tone::Warn)
        }
        (Reading::Failed(_), _) => Piece::new(theme.sign("✖ error", "x error"), Tone::Bad),
        (Reading::Done, None) => Piece::dim(theme.sign("○ not yet live", "o not yet live")),
        (Reading::Done, Some(Mode::Live)) => Piece::new(theme.sign("● live", "* live"), Tone::Good),
        (Reading::Done, Some(Mode::Polling(reason))) => {
            // The project's name counts for more than the reason, which was said once.
            let reason = if area.width >= 100 { format!(": {reason}") } else { String::new() };
            Piece::new(format!("{} every 2 s{reason}", theme.sign("◌", "o")), Tone::Warn)
        }
    });
    right.push(Piece::plain(" "));
    let room = usize::from(area.width);
    // The project's name gives way, then the reason of polling.
    let name = " skilldeck  ";
    let used: usize = right.iter().map(Piece::width).sum();
    let used = used.min(room.saturating_sub(name.len() + 1));
    let left_room = room - used;
    let title = fit(state.title.as_str(), left_room.saturating_sub(name.len() + 1));
    canvas.row(area, 0, &[Piece::new(name, Tone::Strong), Piece::plain(title)]);
    let right_area = Rect {
        x: area.x + u16::try_from(left_room).unwrap_or(0),
        width: u16::try_from(used).unwrap_or(0),
        ..area
    };
    canvas.row(right_area, 0, &right);
}
