//! The terminal: taken over wholly, given back clean, whatever happens.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::Print;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::paint::Painter;

/// Whether the terminal is ours right now; the panic hook asks.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the mouse is followed while it is.
static MOUSE: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Text is drawn where its cells are: a terminal that puts right-to-left text in
/// order by itself would carry the columns beside a name away with it.
const AS_WRITTEN: &str = "\x1b[8l";
const AS_BEFORE: &str = "\x1b[8h";

/// Clicks, drags and the wheel, in numbers of any size; not every move, which
/// would flood a slow line.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// The terminal while it is ours. Dropping it gives it back.
#[derive(Debug)]
pub struct Terminal {
    inner: ratatui::Terminal<Painter>,
}

impl Terminal {
    /// Takes the terminal over, with the mouse if it is wanted.
    ///
    /// # Errors
    /// When it does not answer as a terminal does.
    pub fn take(mouse: bool) -> io::Result<Self> {
        MOUSE.store(mouse, Ordering::SeqCst);
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !crate::project::guard::is_guarded() {
                    give_back();
                }
                before(info);
            }));
        });
        seize()?;
        let inner =
            crossterm::terminal::size().and_then(|size| ratatui::Terminal::new(Painter::new(size)));
        match inner {
            Ok(inner) => Ok(Self { inner }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame; what changed goes out in one synchronized write, whose
    /// bytes are returned.
    ///
    /// # Errors
    /// When the terminal cannot be written any more.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<usize> {
        self.inner.draw(draw)?;
        let frame = self.inner.backend_mut().take();
        if frame.is_empty() {
            return Ok(0);
        }
        let mut whole = Vec::with_capacity(frame.len() + 16);
        queue!(whole, BeginSynchronizedUpdate)?;
        whole.extend(frame);
        queue!(whole, EndSynchronizedUpdate)?;
        let mut out = io::stdout().lock();
        out.write_all(&whole)?;
        out.flush()?;
        Ok(whole.len())
    }

    /// Columns and rows; a terminal that is gone has none.
    ///
    /// # Errors
    /// When the terminal does not tell.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.inner.size()?;
        Ok((size.width, size.height))
    }

    /// Forgets what is on the screen, so that the next frame draws everything.
    ///
    /// # Errors
    /// When the terminal cannot be written any more.
    pub fn forget(&mut self) -> io::Result<()> {
        // `clear` would ask the terminal where its cursor is, and wait.
        let (columns, rows) = self.size()?;
        self.inner.backend_mut().forget();
        self.inner.resize(Rect::new(0, 0, columns, rows))
    }

    /// Hands a text to the terminal's clipboard (OSC 52), which is all that a
    /// program far away can do; whether the terminal takes it is not told.
    ///
    /// # Errors
    /// When the terminal cannot be written any more.
    pub fn yank(&mut self, text: &str) -> io::Result<()> {
        let plain = clipboard(text);
        let mut out = io::stdout().lock();
        out.write_all(plain.as_bytes())?;
        if std::env::var_os("TMUX").is_some() {
            out.write_all(through_tmux(&plain).as_bytes())?;
        }
        out.flush()
    }

    /// Gives the terminal back for a while.
    pub fn lend(&mut self) {
        give_back();
    }

    /// Takes it again; the next frame draws everything.
    ///
    /// # Errors
    /// When it cannot be taken.
    pub fn retake(&mut self) -> io::Result<()> {
        seize()?;
        self.forget()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Whether standard output is a terminal that the screen can be drawn on; if
/// not, why.
pub fn refusal() -> Option<&'static str> {
    if !io::stdout().is_terminal() {
        return Some(
            "the screen needs a terminal on standard output; for a pipe or file use a command, \
             such as `skilldeck list` (`skilldeck --help` names them)",
        );
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Some(
            "the screen cannot be drawn on a terminal of type `dumb`; set TERM, or use a command, \
             such as `skilldeck list`",
        );
    }
    None
}

fn clipboard(text: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut out);
    out
}

/// tmux hands a sequence in this envelope to the terminal around it, where it
/// is set to (`allow-passthrough`); it obeys the plain one where it is set to
/// that (`set-clipboard`).
fn through_tmux(sequence: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
}

fn seize() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mouse = if MOUSE.load(Ordering::SeqCst) { MOUSE_ON } else { "" };
    let entered = execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        Print(AS_WRITTEN),
        Print(mouse),
        Hide
    );
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Switches off all that was switched on. Errors are passed over: a terminal
/// that is gone needs nothing back.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        Print(if MOUSE.load(Ordering::SeqCst) { MOUSE_OFF } else { "" }),
        Print(AS_BEFORE),
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yanked_text_goes_to_the_clipboard_also_through_tmux() {
        let plain = clipboard("Hi \u{1b}[2J");
        assert_eq!(plain, "\x1b]52;c;SGkgG1sySg==\x1b\\");
        let wrapped = through_tmux(&plain);
        assert_eq!(wrapped, "\x1bPtmux;\x1b\x1b]52;c;SGkgG1sySg==\x1b\x1b\\\x1b\\");
    }
}
