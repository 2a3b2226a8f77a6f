//! The library, shared between the server and the watcher.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use tokio::sync::watch;

use super::{Say, Word, files};
use crate::harness::Library;
use crate::project::watch::{Notice, Watcher};
use crate::prompt::tool::Definition;

/// How often what a client sees has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// The definition of the tool.
    pub tool: u64,
    /// The list of files.
    pub files: u64,
}

/// The library, and word of its changes.
#[derive(Debug, Clone)]
pub struct Live {
    library: Arc<Mutex<Library>>,
    changes: watch::Receiver<Changes>,
}

impl Live {
    /// Follows the disk on a thread of its own, which only counts what has changed: a
    /// client that reads slowly, or not at all, never keeps it waiting.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn follow(library: Library, poll: bool, say: Say) -> io::Result<Self> {
        let (notices, inbox) = mpsc::channel();
        let project = library.project().clone();
        let watcher = Watcher::start(project, poll, move |n| notices.send(n).is_ok())?;
        watcher.follow(library.facts());
        let library = Arc::new(Mutex::new(library));
        let (sender, changes) = watch::channel(Changes::default());
        let shared = Arc::clone(&library);
        let run = move || {
            let mut trouble = None;
            for notice in inbox {
                let change = match notice {
                    Notice::Mode(mode) => {
                        say(Word::Mode(mode));
                        continue;
                    }
                    Notice::Changed(change) => change,
                };
                let mut library = lock(&shared);
                let before = seen(&library);
                // Each trouble is said once, until it is over.
                let now = library.refresh_in(&change.scope).err().map(|e| e.to_string());
                if let Some(why) = now.clone().filter(|_| now != trouble) {
                    say(Word::Trouble(why));
                }
                trouble = now;
                watcher.follow(library.facts());
                let after = seen(&library);
                drop(library);
                sender.send_if_modified(|changes| {
                    changes.tool += u64::from(before.0 != after.0);
                    changes.files += u64::from(before.1 != after.1);
                    before != after
                });
                if sender.is_closed() {
                    return;
                }
            }
        };
        thread::Builder::new().name("serve".into()).spawn(run)?;
        Ok(Self { library, changes })
    }

    /// The library, when nobody else has it.
    pub fn library(&self) -> MutexGuard<'_, Library> {
        lock(&self.library)
    }

    /// Word of changes from now on.
    pub fn changes(&self) -> watch::Receiver<Changes> {
        let mut changes = self.changes.clone();
        changes.mark_unchanged();
        changes
    }
}

fn lock(library: &Mutex<Library>) -> MutexGuard<'_, Library> {
    // What a panic left is a library all the same: it is put in place whole.
    library.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a client sees of a library: the definition of the tool, and the files.
fn seen(library: &Library) -> (Option<Definition>, Vec<String>) {
    (library.tool_definition(), files::uris(library))
}
