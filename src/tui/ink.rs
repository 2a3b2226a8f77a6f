//! Drawing: the only place that puts text on the screen.
//!
//! Views know a [`Canvas`] and [`Piece`]s of text with a [`Tone`]. Every piece
//! goes through [`shown`] here, so no view can draw a raw byte of a file.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::skill::text::{Shown, shown};

/// What a piece of text means; the theme gives it a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Ordinary text.
    #[default]
    Plain,
    /// Less important.
    Dim,
    /// A heading, a name.
    Strong,
    /// Valid.
    Good,
    /// A warning.
    Warn,
    /// An error.
    Bad,
    /// A key, a tab in front.
    Accent,
    /// Text that was put in, or will be: arguments and their placeholders.
    Mark,
    /// What a search or a filter found.
    Found,
    /// A key of a frontmatter, the marker of a list.
    Key,
    /// Code, and text in quotes.
    Code,
    /// The selected part of a text that is edited.
    Selected,
    /// A sign that stands for something that cannot be drawn as it is.
    Hidden,
    /// The chosen row.
    Chosen,
    /// The chosen row of a pane that has not the focus.
    ChosenElsewhere,
}

/// How tones look on a background.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Palette {
    /// The terminal's own colours.
    #[default]
    Terminal,
    /// Colours that stand out on white.
    Light,
    /// Colours that stand out on black.
    Dark,
    /// No colours.
    Mono,
}

/// How the screen looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Theme {
    /// The colours (`Mono` when `NO_COLOR` is set).
    pub palette: Palette,
    /// Only ASCII may be drawn by the program itself.
    pub ascii: bool,
}

impl Theme {
    fn style(self, tone: Tone) -> Style {
        let plain = Style::new();
        // Of the sixteen colours every terminal has: its own, for white, for black.
        let colour = |own: Color, light: Color, dark: Color| match self.palette {
            Palette::Terminal => plain.fg(own),
            Palette::Light => plain.fg(light),
            Palette::Dark => plain.fg(dark),
            Palette::Mono => plain,
        };
        match tone {
            Tone::Plain => plain,
            Tone::Dim => match self.palette {
                // What dims is not told apart on every terminal; grey is.
                Palette::Light => plain.fg(Color::DarkGray),
                Palette::Dark => plain.fg(Color::Gray),
                Palette::Terminal | Palette::Mono => plain.add_modifier(Modifier::DIM),
            },
            Tone::Strong => plain.add_modifier(Modifier::BOLD),
            Tone::Good | Tone::Code => colour(Color::Green, Color::Green, Color::LightGreen),
            Tone::Warn => colour(Color::Yellow, Color::Magenta, Color::LightYellow),
            Tone::Bad => {
                colour(Color::Red, Color::Red, Color::LightRed).add_modifier(Modifier::BOLD)
            }
            Tone::Accent => {
                colour(Color::Cyan, Color::Blue, Color::LightCyan).add_modifier(Modifier::BOLD)
            }
            Tone::Mark => colour(Color::Magenta, Color::Blue, Color::LightMagenta)
                .add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Tone::Hidden => {
                colour(Color::Blue, Color::Magenta, Color::LightBlue).add_modifier(Modifier::DIM)
            }
            Tone::Key => colour(Color::Cyan, Color::Blue, Color::LightCyan),
            Tone::Chosen | Tone::Selected => plain.add_modifier(Modifier::REVERSED),
            Tone::Found | Tone::ChosenElsewhere => {
                plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            }
        }
    }

    /// One of two ways to draw a sign.
    pub fn sign(self, sign: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { sign }
    }
}

/// Text with a tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    text: Shown,
    tone: Tone,
}

impl Piece {
    /// A piece of any text; it is made safe to show.
    pub fn new(text: impl AsRef<str>, tone: Tone) -> Self {
        Self { text: shown(text.as_ref()), tone }
    }

    /// Ordinary text.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::new(text, Tone::Plain)
    }

    /// Less important text.
    pub fn dim(text: impl AsRef<str>) -> Self {
        Self::new(text, Tone::Dim)
    }

    /// The same text with another tone.
    #[must_use]
    pub fn toned(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// What it means.
    pub fn tone(&self) -> Tone {
        self.tone
    }

    /// Cells.
    pub fn width(&self) -> usize {
        width(self.text.as_str())
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }
}

/// The cells a text takes.
pub fn width(text: &str) -> usize {
    // The half-width sound marks take a cell of their own where they are drawn.
    let marks = if text.is_ascii() { 0 } else { text.matches(['\u{ff9e}', '\u{ff9f}']).count() };
    text.width() + marks
}

/// The part of a text that fits `cells`, ended by `…` where something is left out.
pub fn fit(text: &str, cells: usize) -> String {
    if text.len() <= cells || width(text) <= cells {
        return text.to_owned();
    }
    if cells == 0 {
        return String::new();
    }
    let mut out = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        let w = width(grapheme);
        if used + w + 1 > cells {
            break;
        }
        used += w;
        out.push_str(grapheme);
    }
    out.push('…');
    out
}

/// A text already safe to show as pieces, the marked characters (counted from
/// 0, in order) in another tone. Whole characters as seen are marked.
pub fn marked(text: &str, marks: &[u32], tone: Tone, found: Tone) -> Vec<Piece> {
    let mut pieces: Vec<(String, Tone)> = Vec::new();
    let mut at = 0;
    for grapheme in text.graphemes(true) {
        let next = at + grapheme.chars().count() as u32;
        let is_marked = marks.iter().any(|m| (at..next).contains(m));
        let tone = if is_marked { found } else { tone };
        match pieces.last_mut() {
            Some((text, last)) if *last == tone => text.push_str(grapheme),
            _ => pieces.push((grapheme.to_owned(), tone)),
        }
        at = next;
    }
    pieces.into_iter().map(|(text, tone)| Piece::new(text, tone)).collect()
}

/// What is left of a row without its first `cells`.
pub fn skip(row: &[Piece], cells: usize) -> Vec<Piece> {
    let mut left = cells;
    let mut out = Vec::with_capacity(row.len());
    for piece in row {
        if left == 0 {
            out.push(piece.clone());
            continue;
        }
        let mut rest = String::new();
        for grapheme in piece.text().graphemes(true) {
            if left > 0 {
                left = left.saturating_sub(width(grapheme));
            } else {
                rest.push_str(grapheme);
            }
        }
        out.push(Piece::new(rest, piece.tone));
    }
    out
}

/// Breaks a line of pieces into rows of at most `cells`, after a space where
/// there is one. A line without text is one empty row.
pub fn wrap(pieces: &[Piece], cells: usize) -> Vec<Vec<Piece>> {
    let cells = cells.max(1);
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut used = 0;
    for piece in pieces {
        let mut text = String::new();
        for word in piece.text.as_str().split_inclusive(' ') {
            let bare = word.strip_suffix(' ').unwrap_or(word);
            let w = width(bare);
            if used > 0 && used + w > cells {
                flush(&mut row, &mut text, piece.tone);
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            if w <= cells {
                // A space at the very edge is the break itself.
                let fits = used + width(word) <= cells;
                text.push_str(if fits { word } else { bare });
                used += width(word);
                continue;
            }
            // A word longer than a row is broken where it must.
            for grapheme in word.graphemes(true) {
                let g = width(grapheme);
                if used > 0 && used + g > cells {
                    flush(&mut row, &mut text, piece.tone);
                    rows.push(std::mem::take(&mut row));
                    used = 0;
                }
                text.push_str(grapheme);
                used += g;
            }
        }
        flush(&mut row, &mut text, piece.tone);
    }
    if !row.is_empty() || rows.is_empty() {
        rows.push(row);
    }
    rows
}

fn flush(row: &mut Vec<Piece>, text: &mut String, tone: Tone) {
    if !text.is_empty() {
        row.push(Piece { text: shown(text), tone });
        text.clear();
    }
}

/// Takes out the wide characters of which something drawn later covers a half. The
/// other half of one that stays looks like it, as it does on a terminal.
pub fn mend(buffer: &mut Buffer) {
    let Rect { x: left, y: top, width: columns, height } = buffer.area;
    for y in top..top + height {
        for x in left..left + columns {
            let is_wide = !buffer[(x, y)].symbol().is_ascii() && width(buffer[(x, y)].symbol()) > 1;
            let is_cut = x + 1 >= left + columns || buffer[(x + 1, y)].symbol() != " ";
            if is_wide && is_cut {
                buffer[(x, y)].set_symbol(" ");
            } else if is_wide {
                buffer[(x + 1, y)] = other_half(&buffer[(x, y)]);
            }
        }
    }
}

/// The cell behind a wide one: blank, in its looks.
pub fn other_half(cell: &Cell) -> Cell {
    let mut half = cell.clone();
    half.set_symbol(" ");
    half
}

/// A part of the screen one can draw on.
#[derive(Debug)]
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: Theme,
    cursor: Option<Position>,
}

impl<'a> Canvas<'a> {
    /// A canvas over a buffer.
    pub fn new(buffer: &'a mut Buffer, theme: Theme) -> Self {
        Self { buffer, theme, cursor: None }
    }

    /// The look.
    pub fn theme(&self) -> Theme {
        self.theme
    }

    /// Where the hardware cursor is wanted.
    pub fn cursor(&self) -> Option<Position> {
        self.cursor
    }

    /// Puts the hardware cursor somewhere.
    pub fn set_cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some(Position { x, y });
    }

    /// Draws pieces in row `y` of `area` (from 0), cut with `…` at its edge.
    pub fn row(&mut self, area: Rect, y: usize, pieces: &[Piece]) {
        self.styled_row(area, y, pieces, None);
    }

    /// Draws a row that is chosen: over its whole width.
    pub fn chosen_row(&mut self, area: Rect, y: usize, pieces: &[Piece], tone: Tone) {
        self.styled_row(area, y, pieces, Some(tone));
    }

    fn styled_row(&mut self, area: Rect, y: usize, pieces: &[Piece], over: Option<Tone>) {
        let area = area.intersection(self.buffer.area);
        let Ok(dy) = u16::try_from(y) else { return };
        if dy >= area.height || area.width == 0 {
            return;
        }
        let (y, end) = (area.y + dy, area.right());
        let mut x = area.x;
        for (i, piece) in pieces.iter().enumerate() {
            let room = usize::from(end - x);
            if room == 0 {
                break;
            }
            let more = pieces[i + 1..].iter().any(|p| !p.text.as_str().is_empty());
            let text = if more && piece.width() >= room {
                // Not even the `…` of the next piece would fit.
                fit(&format!("{}  ", piece.text), room)
            } else {
                fit(piece.text.as_str(), room)
            };
            let text = if self.theme.ascii { text.replace('…', "~") } else { text };
            // Whatever stood there before leaves nothing of its look.
            let style = Style::reset().patch(self.theme.style(piece.tone));
            (x, _) = self.buffer.set_stringn(x, y, &text, room, style);
        }
        if let Some(tone) = over {
            let row = Rect { x: area.x, y, width: area.width, height: 1 };
            self.buffer.set_style(row, self.theme.style(tone));
        }
    }

    /// Draws a rule with a text in its middle.
    pub fn rule(&mut self, area: Rect, y: usize, text: &str, tone: Tone) {
        let sign = self.theme.sign("┄", "-");
        let room = usize::from(area.width);
        let text = if text.is_empty() { String::new() } else { fit(&format!(" {text} "), room) };
        let left = (room - width(&text)) / 2;
        let right = room - width(&text) - left;
        let line = format!("{}{text}{}", sign.repeat(left), sign.repeat(right));
        self.row(area, y, &[Piece::new(line, tone)]);
    }

    /// Draws a frame with a title in its top line; returns the inside.
    pub fn frame(&mut self, area: Rect, title: &[Piece], focused: bool) -> Rect {
        let area = area.intersection(self.buffer.area);
        if area.width < 2 || area.height < 2 {
            return Rect { width: 0, height: 0, ..area };
        }
        let tone = if focused { Tone::Accent } else { Tone::Dim };
        let t = self.theme;
        let inner = usize::from(area.width) - 2;
        let across = t.sign("─", "-").repeat(inner);
        let edge = |l: &str, r: &str| Piece::new(format!("{l}{across}{r}"), tone);
        let top = edge(t.sign("╭", "+"), t.sign("╮", "+"));
        let bottom = edge(t.sign("╰", "+"), t.sign("╯", "+"));
        self.row(area, 0, &[top]);
        self.row(area, usize::from(area.height) - 1, &[bottom]);
        let side = t.sign("│", "|");
        for y in 1..usize::from(area.height) - 1 {
            self.row(Rect { width: 1, ..area }, y, &[Piece::new(side, tone)]);
            self.row(Rect { x: area.right() - 1, width: 1, ..area }, y, &[Piece::new(side, tone)]);
        }
        if inner > 4 && !title.is_empty() {
            let room = Rect { x: area.x + 2, width: area.width - 4, ..area };
            let mut pieces = vec![Piece::plain(" ")];
            pieces.extend_from_slice(title);
            // The title must leave its closing space, also when it is cut.
            let used: usize = pieces.iter().map(Piece::width).sum();
            if used < usize::from(room.width) {
                pieces.push(Piece::plain(" "));
            }
            self.row(room, 0, &pieces);
        }
        Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
    }

    /// Wipes an area.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                self.buffer[(x, y)].reset();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[Vec<Piece>]) -> Vec<String> {
        rows.iter().map(|row| row.iter().map(Piece::text).collect()).collect()
    }

    #[test]
    fn text_is_cut_between_characters() {
        for (text, cells, want) in [
            ("plain", 5, "plain"),
            ("plain", 4, "pla…"),
            ("审查审查", 5, "审查…"),
            ("审查审查", 4, "审…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("👩\u{200d}💻👩\u{200d}💻", 3, "👩\u{200d}💻…"),
            ("x", 0, ""),
        ] {
            assert_eq!(fit(text, cells), want, "{text:?} {cells}");
            assert!(width(&fit(text, cells)) <= cells);
        }
    }

    #[test]
    fn lines_wrap_after_spaces() {
        for (text, cells, want) in [
            ("one two three", 7, vec!["one two", "three"]),
            ("one two three", 8, vec!["one two ", "three"]),
            ("abcdefgh", 3, vec!["abc", "def", "gh"]),
            ("", 3, vec![""]),
            ("审查审查", 5, vec!["审查", "审查"]),
            ("x", 0, vec!["x"]),
        ] {
            assert_eq!(texts(&wrap(&[Piece::plain(text)], cells)), want, "{text:?} {cells}");
        }
    }

    #[test]
    fn pieces_that_fit_are_one_row() {
        let pieces = [Piece::plain("abc"), Piece::new("de", Tone::Mark), Piece::plain("f")];
        assert_eq!(texts(&wrap(&pieces, 6)), ["abcdef"]);
        assert_eq!(texts(&wrap(&pieces, 5)), ["abcde", "f"]);
    }

    #[test]
    fn wrapping_keeps_tones_and_text() {
        let pieces =
            [Piece::plain("see "), Piece::new("src/main.rs", Tone::Mark), Piece::plain(" now")];
        let rows = wrap(&pieces, 8);
        assert_eq!(texts(&rows).concat(), "see src/main.rs now");
        assert!(rows.iter().flatten().any(|p| p.tone == Tone::Mark));
    }

    #[test]
    fn nothing_raw_reaches_the_buffer() {
        let area = Rect::new(0, 0, 40, 1);
        let mut buffer = Buffer::empty(area);
        let theme = Theme::default();
        Canvas::new(&mut buffer, theme).row(area, 0, &[Piece::plain("a\u{1b}[2J\u{202e}b\n")]);
        let text: String = buffer.content.iter().map(Cell::symbol).collect();
        assert_eq!(text.trim_end(), "a\\x1B[2J\\u{202E}b\\n");
    }
}
