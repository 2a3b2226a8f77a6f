//! The loop: one queue in, the state changed, effects out, and a frame when the
//! queue is empty.

use std::future::poll_fn;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream, KeyEventKind};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::{Stream as _, StreamExt as _};

use super::drafts::Keep;
use super::message::{Effect, Message};
use super::outside;
use super::pace::{Due, Pace};
use super::session::Opened;
use super::state::State;
use super::terminal::Terminal;
use super::update::update;
use super::view;
use super::work::Workers;
use crate::project::Project;
use crate::skill::text::Shown;

/// How the screen was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By a command, or because the terminal went away.
    Quit,
    /// By a signal of this number.
    Signal(i32),
}

/// How the screen is run.
#[derive(Debug)]
pub struct How {
    /// The disk is polled.
    pub poll: bool,
    /// The mouse is followed.
    pub mouse: bool,
    /// Where activations are recorded.
    pub records: Option<PathBuf>,
    /// Where text is kept that is not saved yet.
    pub recovery: Option<PathBuf>,
}

/// Runs the screen until it is left.
///
/// # Errors
/// When the terminal cannot be taken, or a worker dies.
pub fn run(project: Project, how: How, mut state: State) -> anyhow::Result<(End, State)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut terminal = Terminal::take(how.mouse)?;
    state.size = terminal.size()?;
    // The first frame, before anything is read.
    view::draw_frame(&mut terminal, &state)?;
    let (sender, queue) = unbounded_channel();
    let end = runtime.block_on(async {
        let workers = Workers::start(
            project,
            state.view.clone(),
            how.poll,
            how.records,
            how.recovery,
            sender.clone(),
        )?;
        let mut screen = Loop {
            terminal: &mut terminal,
            pace: Pace::new(is_far()),
            inputs: 0,
            state,
            workers,
            queue,
            sender,
        };
        let end = screen.run().await;
        // Whatever ended it, what was to be written is written.
        let Loop { workers, state, .. } = screen;
        workers.finish();
        Ok((end?, state))
    });
    drop(terminal);
    // A worker may be deep in a slow disk; nobody waits for it.
    runtime.shutdown_background();
    end
}

/// Whether the terminal is at the other end of a line that may be slow.
fn is_far() -> bool {
    ["SSH_CONNECTION", "SSH_TTY"].iter().any(|name| std::env::var_os(name).is_some())
}

struct Loop<'a> {
    terminal: &'a mut Terminal,
    pace: Pace,
    /// Events of the terminal taken since the loop went round.
    inputs: usize,
    state: State,
    workers: Workers,
    queue: UnboundedReceiver<Message>,
    sender: UnboundedSender<Message>,
}

/// What the loop does next.
enum Next {
    Go,
    Suspend,
    Outside(Opened),
    End(End),
}

impl Loop<'_> {
    async fn run(&mut self) -> anyhow::Result<End> {
        let mut signals = Signals::new()?;
        let mut input = EventStream::new();
        loop {
            let next = tokio::select! {
                biased;
                number = signals.next() => match number {
                    SIGTSTP => Next::Suspend,
                    // Stopped by somebody else, and the shell has had the terminal.
                    SIGCONT => {
                        self.terminal.lend();
                        self.terminal.retake()?;
                        self.resized()?;
                        Next::Go
                    }
                    number => Next::End(End::Signal(number)),
                },
                event = input.next() => match event {
                    Some(Ok(event)) => self.input(event)?,
                    // The terminal went away.
                    Some(Err(_)) | None => Next::End(End::Quit),
                },
                message = self.queue.recv() => match message {
                    Some(message) => self.take(message)?,
                    None => Next::End(End::Quit),
                },
                due = self.pace.due() => match due {
                    Due::Frame => Next::Go,
                    Due::Settle => self.take(Message::Settle)?,
                    Due::Hush => self.take(Message::Hush)?,
                },
            };
            let mut next = match next {
                Next::Go => self.drain(&mut input).await?,
                other => other,
            };
            let is_first = self.inputs == 1 && !self.state.is_rushed;
            if matches!(next, Next::Go) && is_first && !self.state.is_settled() {
                // Keys that were sent together come together; the wait for the
                // second is not felt.
                std::thread::sleep(Duration::from_micros(300));
                next = self.drain(&mut input).await?;
            }
            match next {
                Next::End(end) => return Ok(end),
                Next::Suspend => {
                    // One left alive would eat the keys of the shell.
                    drop(input);
                    self.terminal.lend();
                    signals.stop().await;
                    self.terminal.retake()?;
                    input = listen();
                    self.resized()?;
                }
                Next::Outside(opened) => {
                    drop(input);
                    let (trouble, signal) = self.outside(&opened, &mut signals).await?;
                    if let Some(number) = signal {
                        return Ok(End::Signal(number));
                    }
                    input = listen();
                    self.resized()?;
                    let _ = self.sender.send(Message::Returned(opened, trouble));
                }
                Next::Go => {}
            }
            let for_key = self.inputs > 0;
            if for_key && self.pace.key(self.state.is_settled(), self.inputs > 1) {
                self.take(Message::Settle)?;
            }
            self.inputs = 0;
            self.pace.said(self.state.toast.as_ref());
            if for_key && !self.pace.is_frame_due() {
                continue;
            }
            let start = Instant::now();
            let Ok(bytes) = view::draw_frame(self.terminal, &self.state) else {
                // Nobody is left to draw for.
                return Ok(End::Quit);
            };
            self.pace.drawn(for_key, bytes, start.elapsed());
        }
    }

    /// Takes all that is waiting, so that a burst costs one frame.
    async fn drain(&mut self, input: &mut EventStream) -> anyhow::Result<Next> {
        loop {
            let waiting = poll_fn(|context| {
                // With the task's own waker: the stream remembers the one it got last.
                Poll::Ready(match Pin::new(&mut *input).poll_next(context) {
                    Poll::Ready(event) => Some(event),
                    Poll::Pending => None,
                })
            });
            let next = match waiting.await {
                Some(Some(Ok(event))) => self.input(event)?,
                Some(_) => return Ok(Next::End(End::Quit)),
                None => match self.queue.try_recv() {
                    Ok(message) => self.take(message)?,
                    Err(_) => return Ok(Next::Go),
                },
            };
            if !matches!(next, Next::Go) {
                return Ok(next);
            }
        }
    }

    fn input(&mut self, event: Event) -> anyhow::Result<Next> {
        self.inputs += 1;
        self.state.is_rushed = self.pace.is_rushed();
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.take(Message::Key(key)),
            Event::Mouse(mouse) => self.take(Message::Mouse(mouse)),
            Event::Paste(text) => self.take(Message::Paste(text)),
            Event::Resize(columns, rows) => self.take(Message::Resize(columns, rows)),
            _ => Ok(Next::Go),
        }
    }

    fn take(&mut self, message: Message) -> anyhow::Result<Next> {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Look => self.workers.look(),
                Effect::LookQuietly => self.workers.look_quietly(),
                Effect::Session(task) => self.workers.session(task),
                Effect::Draft(draft) => self.workers.keep(Keep::Text(draft)),
                Effect::Discard(at) => self.workers.keep(Keep::Discard(at)),
                Effect::Try(attempt) => self.workers.attempt(attempt),
                Effect::Outside(opened) => return Ok(Next::Outside(opened)),
                Effect::Stop => self.workers.stop(),
                Effect::View(view) => self.workers.view(view),
                Effect::Compare(views, number) => self.workers.compare(views, number),
                Effect::Report(report) => self.workers.report(report),
                Effect::List(wanted) => self.workers.list(wanted),
                Effect::Yank(text) => self.terminal.yank(&text)?,
                Effect::Follow => self.workers.follow(),
                Effect::Read(request) => self.workers.read(request),
                Effect::Redraw => self.terminal.forget()?,
                Effect::Suspend => return Ok(Next::Suspend),
                Effect::Quit => return Ok(Next::End(End::Quit)),
                Effect::Fail(worker) => anyhow::bail!(
                    "the {worker} worker stopped unexpectedly; please report what it printed"
                ),
            }
        }
        Ok(Next::Go)
    }

    /// Gives the terminal to the user's editor until it ends: what is wrong with
    /// that, and the signal that is to end this program too.
    async fn outside(
        &mut self,
        opened: &Opened,
        signals: &mut Signals,
    ) -> anyhow::Result<(Option<Shown>, Option<i32>)> {
        let Some(editor) = self.state.editor.clone() else { return Ok((None, None)) };
        self.terminal.lend();
        let mut end = None;
        let ended = match outside::start(&editor, &opened.path) {
            Err(error) => Err(error),
            Ok(mut child) => loop {
                tokio::select! {
                    status = child.wait() => break status,
                    number = signals.next() => match number {
                        // The editor stopped the whole job; the shell is to have it.
                        SIGTSTP => signals.stop().await,
                        SIGCONT | SIGINT | SIGQUIT => {}
                        number => {
                            end = Some(number);
                            pass_on(&child, number);
                        }
                    },
                }
            },
        };
        self.terminal.retake()?;
        Ok((outside::complaint(&editor, ended), end))
    }

    /// The terminal may have been resized while it was not ours.
    fn resized(&self) -> io::Result<()> {
        let (columns, rows) = self.terminal.size()?;
        let _ = self.sender.send(Message::Resize(columns, rows));
        Ok(())
    }
}

/// Passes a signal on that was meant for both.
fn pass_on(child: &tokio::process::Child, number: i32) {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some((pid, signal)) = pid.zip(Signal::from_named_raw(number)) {
        // One that has ended needs none.
        let _ = kill_process(pid, signal);
    }
}

/// Begins to read the terminal's input again, after a stream was dropped.
///
/// The thread of that was woken to end. Where there was none just then the
/// wake-up is still there, and would hide the key that comes with it. It may be
/// taken away only now: before, the thread may be about to wait for it, and would
/// wait for ever.
fn listen() -> EventStream {
    let input = EventStream::new();
    let _ = crossterm::event::poll(Duration::ZERO);
    input
}

const SIGTSTP: i32 = rustix::process::Signal::TSTP.as_raw();
const SIGCONT: i32 = rustix::process::Signal::CONT.as_raw();
const SIGINT: i32 = rustix::process::Signal::INT.as_raw();
const SIGQUIT: i32 = rustix::process::Signal::QUIT.as_raw();

struct Signals {
    all: Vec<(i32, Signal)>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let kinds = [
            SignalKind::terminate(),
            SignalKind::hangup(),
            SignalKind::interrupt(),
            SignalKind::quit(),
            SignalKind::from_raw(SIGTSTP),
            SignalKind::from_raw(SIGCONT),
        ];
        let all = kinds
            .into_iter()
            .map(|kind| Ok((kind.as_raw_value(), signal(kind)?)))
            .collect::<io::Result<_>>()?;
        Ok(Self { all })
    }

    /// Stops the whole job, as the shell expects of Ctrl-z; returns after `fg`.
    async fn stop(&mut self) {
        use rustix::process::{Signal, kill_current_process_group};
        let Some((_, continued)) = self.all.iter_mut().find(|(number, _)| *number == SIGCONT)
        else {
            return;
        };
        if kill_current_process_group(Signal::STOP).is_err() {
            return;
        }
        // Another thread may take the signal, so that this one runs on for a
        // moment; the terminal must not be taken back in it.
        continued.recv().await;
    }

    async fn next(&mut self) -> i32 {
        poll_fn(|context| {
            for (number, signal) in &mut self.all {
                if signal.poll_recv(context).is_ready() {
                    return Poll::Ready(*number);
                }
            }
            Poll::Pending
        })
        .await
    }
}
