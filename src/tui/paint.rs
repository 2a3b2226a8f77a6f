//! Cells to bytes, as few as will do.
//!
//! A slow line carries some ten kilobytes a second. ratatui finds out which
//! cells changed; this backend writes them with the shortest sequences that
//! every terminal of the last decades knows: blank runs are erased, small gaps
//! written over, the cursor moved within the row, a style changed in one
//! sequence. A frame in which nothing changed is no byte at all.

use std::collections::BTreeMap;
use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::ink::other_half;

/// A backend that keeps what it would write until it is taken.
#[derive(Debug)]
pub struct Painter {
    bytes: Vec<u8>,
    /// What the terminal shows.
    shadow: Buffer,
    /// Where the terminal's cursor is, if that is certain.
    at: Option<Position>,
    /// Whether all since the last absolute move is as wide as one thinks.
    is_certain: bool,
    pen: Pen,
    wanted: Cursor,
    told: Option<Cursor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    is_shown: bool,
    at: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }
}

/// The SGR codes of the modifiers that the screen uses.
const MODIFIERS: [(Modifier, &str); 6] = [
    (Modifier::BOLD, "1"),
    (Modifier::DIM, "2"),
    (Modifier::ITALIC, "3"),
    (Modifier::UNDERLINED, "4"),
    (Modifier::REVERSED, "7"),
    (Modifier::CROSSED_OUT, "9"),
];

impl Painter {
    /// A painter for a blank terminal of so many columns and rows.
    pub fn new((width, height): (u16, u16)) -> Self {
        Self {
            bytes: Vec::new(),
            shadow: Buffer::empty(Rect { x: 0, y: 0, width, height }),
            at: None,
            is_certain: true,
            pen: Pen::default(),
            wanted: Cursor { is_shown: false, at: Position::ORIGIN },
            told: None,
        }
    }

    /// The bytes of the frame; none when nothing changed.
    pub fn take(&mut self) -> Vec<u8> {
        let has_moved = self.wanted.is_shown && self.at != Some(self.wanted.at);
        if self.told != Some(self.wanted) || (has_moved && !self.bytes.is_empty()) {
            self.set_pen(Pen::default());
            if self.wanted.is_shown {
                let Position { x, y } = self.wanted.at;
                self.at = None;
                self.move_to(x, y);
            }
            if self.told.is_none_or(|told| told.is_shown != self.wanted.is_shown) {
                let switch: &[u8] = if self.wanted.is_shown { b"\x1b[?25h" } else { b"\x1b[?25l" };
                self.bytes.extend_from_slice(switch);
            }
            self.told = Some(self.wanted);
        }
        self.set_pen(Pen::default());
        std::mem::take(&mut self.bytes)
    }

    /// Nothing is known of the terminal any more.
    pub fn forget(&mut self) {
        self.at = None;
        self.told = None;
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn set_pen(&mut self, pen: Pen) {
        if pen == self.pen {
            return;
        }
        let mut codes = String::new();
        let gone = self.pen.modifier - pen.modifier;
        let is_reset = !gone.is_empty() || pen == Pen::default();
        let before = if is_reset { Pen::default() } else { self.pen };
        if is_reset {
            codes.push('0');
        }
        let mut add = |code: &str| {
            if !codes.is_empty() {
                codes.push(';');
            }
            codes.push_str(code);
        };
        for (modifier, code) in MODIFIERS {
            if (pen.modifier - before.modifier).contains(modifier) {
                add(code);
            }
        }
        if pen.fg != before.fg {
            add(&colour(pen.fg, 30));
        }
        if pen.bg != before.bg {
            add(&colour(pen.bg, 40));
        }
        let text = if codes == "0" { "\x1b[m".to_owned() } else { format!("\x1b[{codes}m") };
        self.push(&text);
        self.pen = pen;
    }

    fn move_to(&mut self, x: u16, y: u16) {
        match self.at {
            Some(at) if at == (Position { x, y }) => {}
            Some(at) if at.y == y && at.x < x && self.is_certain => {
                let by = x - at.x;
                let text = if by == 1 { "\x1b[C".to_owned() } else { format!("\x1b[{by}C") };
                self.push(&text);
            }
            _ => {
                let text = match (x, y) {
                    (0, _) => format!("\x1b[{}H", y + 1),
                    _ => format!("\x1b[{};{}H", y + 1, x + 1),
                };
                self.push(&text);
                self.is_certain = true;
            }
        }
        self.at = Some(Position { x, y });
    }

    /// Puts a cell into the shadow. What a wide character there covered is to be
    /// written again: terminals differ in what they leave of its other half.
    fn uncover(&mut self, x: u16, y: u16, cell: &Cell, changed: &mut BTreeMap<u16, Cell>) {
        let wide = |cell: &Cell| (cell.symbol().width() as u16).max(1);
        let end = x + wide(cell);
        let reach = |x: u16| self.shadow.cell((x, y)).map_or(x, |before| x + wide(before));
        let uncovered = (x..end).map(reach).max().unwrap_or(end);
        for x in end..uncovered {
            if let Some(covered) = self.shadow.cell((x, y)) {
                changed.entry(x).or_insert_with(|| covered.clone());
            }
        }
        for x in x + 1..x + wide(cell) {
            if let Some(covered) = self.shadow.cell_mut((x, y)) {
                *covered = other_half(cell);
            }
        }
        if let Some(shadow) = self.shadow.cell_mut((x, y)) {
            *shadow = cell.clone();
        }
    }

    fn changed_row(&mut self, y: u16, changed: BTreeMap<u16, Cell>) {
        let changed: Vec<_> = changed.into_iter().collect();
        let cells = self.fill(y, &changed);
        self.row(y, &cells);
    }

    /// Writes the cells of one row, in order.
    fn row(&mut self, y: u16, cells: &[(u16, Cell)]) {
        let mut i = 0;
        while let Some((x, cell)) = cells.get(i) {
            let blanks = blank_run(&cells[i..]);
            let is_last = i + blanks == cells.len();
            // Erasing takes up to five bytes, and as many to go on behind it.
            if blanks > if is_last { 5 } else { 10 } {
                self.move_to(*x, y);
                self.set_pen(Pen::default());
                self.push(&format!("\x1b[{blanks}X"));
                i += blanks;
                continue;
            }
            self.move_to(*x, y);
            self.set_pen(Pen::of(cell));
            self.push(cell.symbol());
            let width = cell.symbol().width() as u16;
            let next = x + width.max(1);
            // Terminals differ in what they make of wide and joined characters.
            let is_plain = width == 1 && cell.symbol().chars().count() == 1;
            self.is_certain &= cell.symbol().is_ascii();
            let is_inside = next < self.shadow.area.width;
            self.at = (is_plain && is_inside).then_some(Position { x: next, y });
            i += 1;
        }
    }

    /// The changed cells of a row and those between them that are cheaper
    /// written again than jumped over.
    fn fill(&self, y: u16, changed: &[(u16, Cell)]) -> Vec<(u16, Cell)> {
        let mut out: Vec<(u16, Cell)> = Vec::with_capacity(changed.len());
        for (x, cell) in changed {
            if let Some((last, before)) = out.last().cloned() {
                let gap = last + 1..*x;
                let kept = |x| Some((x, self.shadow.cell((x, y))?.clone()));
                let between = || gap.clone().filter_map(kept);
                let is_erased = is_blank(&before)
                    && is_blank(cell)
                    && between().all(|(_, cell)| is_blank(&cell));
                let same = Pen::of(&before) == Pen::of(cell) && before.symbol().is_ascii();
                let is_cheap = gap.len() <= 4
                    && same
                    && between()
                        .all(|(_, c)| c.symbol().is_ascii() && Pen::of(&c) == Pen::of(cell));
                if !gap.is_empty() && (is_erased || is_cheap) {
                    out.extend(between());
                }
            }
            out.push((*x, cell.clone()));
        }
        out
    }
}

fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && Pen::of(cell) == Pen::default()
}

/// How many cells side by side are blank.
fn blank_run(cells: &[(u16, Cell)]) -> usize {
    let Some((first, _)) = cells.first() else { return 0 };
    cells
        .iter()
        .zip(*first..)
        .take_while(|((x, cell), expected)| x == expected && is_blank(cell))
        .count()
}

/// The SGR code of a colour; `base` is 30 for text, 40 for what is behind it.
fn colour(colour: Color, base: u8) -> String {
    let simple = |n: u8| (base + n).to_string();
    let bright = |n: u8| (base + 60 + n).to_string();
    match colour {
        Color::Reset => simple(9),
        Color::Black => simple(0),
        Color::Red => simple(1),
        Color::Green => simple(2),
        Color::Yellow => simple(3),
        Color::Blue => simple(4),
        Color::Magenta => simple(5),
        Color::Cyan => simple(6),
        Color::Gray => simple(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Indexed(n) => format!("{};5;{n}", base + 8),
        Color::Rgb(r, g, b) => format!("{};2;{r};{g};{b}", base + 8),
    }
}

impl Backend for Painter {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut changed: BTreeMap<u16, Cell> = BTreeMap::new();
        let mut row = 0;
        for (x, y, cell) in content {
            if y != row {
                self.changed_row(row, std::mem::take(&mut changed));
            }
            row = y;
            self.uncover(x, y, cell, &mut changed);
            changed.insert(x, cell.clone());
        }
        self.changed_row(row, changed);
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.wanted.is_shown = false;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.wanted.is_shown = true;
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // Asking the terminal would mean waiting for it.
        Ok(self.wanted.at)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.wanted.at = position.into();
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        let Size { width, height } = self.size()?;
        self.shadow = Buffer::empty(Rect { x: 0, y: 0, width, height });
        self.pen = Pen::default();
        self.at = None;
        self.push("\x1b[m\x1b[2J");
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = crossterm::terminal::size()?;
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let pixels = Size { width: 0, height: 0 };
        Ok(WindowSize { columns_rows: self.size()?, pixels })
    }

    fn flush(&mut self) -> io::Result<()> {
        // A frame goes out whole, when it is taken.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Style;

    const WIDTH: u16 = 24;
    const HEIGHT: u16 = 4;

    /// What is to be on the screen: texts at places, each in a style.
    fn buffer(texts: &[(u16, u16, String, u8)]) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
        for (x, y, text, style) in texts {
            let style = match style {
                0 => Style::new(),
                1 => Style::new().fg(Color::Green),
                2 => Style::new().add_modifier(Modifier::REVERSED),
                _ => Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD),
            };
            buffer.set_stringn(*x, *y, text, usize::from(WIDTH - x), style);
        }
        crate::tui::ink::mend(&mut buffer);
        buffer
    }

    fn painter() -> Painter {
        Painter::new((WIDTH, HEIGHT))
    }

    fn frame(painter: &mut Painter, before: &Buffer, after: &Buffer) -> Vec<u8> {
        let changed: Vec<_> = before.diff(after);
        painter.draw(changed.into_iter()).unwrap();
        painter.take()
    }

    fn assert_shows(parser: &vt100::Parser, want: &Buffer) {
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let (cell, want) = (parser.screen().cell(y, x).unwrap(), &want[(x, y)]);
                let text = if cell.contents().is_empty() { " " } else { cell.contents() };
                if cell.is_wide_continuation() {
                    continue;
                }
                assert_eq!(text, want.symbol(), "{x},{y}");
                let is_bold = want.modifier.contains(Modifier::BOLD);
                let is_reversed = want.modifier.contains(Modifier::REVERSED);
                assert_eq!((cell.bold(), cell.inverse()), (is_bold, is_reversed), "{x},{y}");
                let fg = match want.fg {
                    Color::Green => vt100::Color::Idx(2),
                    Color::LightRed => vt100::Color::Idx(9),
                    _ => vt100::Color::Default,
                };
                assert_eq!(cell.fgcolor(), fg, "{x},{y}");
            }
        }
    }

    fn texts() -> impl Strategy<Value = Vec<(u16, u16, String, u8)>> {
        let text = "([ a-c]{0,18}|[ a─●审]{0,9})";
        proptest::collection::vec((0..WIDTH, 0..HEIGHT, text, 0..4_u8), 0..6)
    }

    fn assert_shows_all(frames: &[Vec<(u16, u16, String, u8)>]) {
        let cells = |n| std::num::NonZero::new(n).unwrap();
        let mut parser = vt100::Parser::new(cells(HEIGHT), cells(WIDTH), 0);
        let (mut painter, mut before) = (painter(), buffer(&[]));
        for texts in frames {
            let after = buffer(texts);
            parser.process(&frame(&mut painter, &before, &after));
            assert_shows(&parser, &after);
            before = after;
        }
    }

    proptest! {
        #[test]
        fn a_terminal_shows_what_was_painted(frames in proptest::collection::vec(texts(), 1..6)) {
            assert_shows_all(&frames);
        }
    }

    #[test]
    fn a_blank_in_another_look_over_half_of_a_wide_character_is_uncovered() {
        let text = |x, text: &str, style| (x, 2, text.to_owned(), style);
        let covered = vec![text(14, "审", 0), text(15, " ", 2)];
        assert_shows_all(&[covered, vec![text(12, "a   ", 2)]]);
    }

    #[test]
    fn nothing_new_is_no_byte_and_a_cursor_costs_its_move() {
        let (mut painter, empty) = (painter(), buffer(&[]));
        let some = buffer(&[(0, 0, "abc".into(), 0)]);
        assert_eq!(frame(&mut painter, &empty, &some), b"\x1b[1Habc\x1b[?25l");
        assert_eq!(frame(&mut painter, &some, &some), b"");
        painter.set_cursor_position((2, 1)).unwrap();
        painter.show_cursor().unwrap();
        assert_eq!(frame(&mut painter, &some, &some), b"\x1b[2;3H\x1b[?25h");
        assert_eq!(frame(&mut painter, &some, &some), b"");
    }

    #[test]
    fn blanks_are_erased_gaps_written_over_and_styles_set_at_once() {
        let at = |text: &str, style| buffer(&[(0, 0, text.into(), style)]);
        for (before, after, want) in [
            (at("abcdefghijkl", 0), at("ab", 0), "\x1b[1;3H\x1b[10X"),
            (at("abcdef", 0), at("xbcdey", 0), "\x1b[1Hxbcdey"),
            (at("abcdefgh", 0), at("xbcdefgy", 0), "\x1b[1Hx\x1b[6Cy"),
            (at("", 0), at("ab", 3), "\x1b[1H\x1b[1;91mab\x1b[m"),
        ] {
            let mut painter = painter();
            frame(&mut painter, &buffer(&[]), &before);
            assert_eq!(String::from_utf8(frame(&mut painter, &before, &after)).unwrap(), want);
        }
    }
}
