//! `skill.use` over the Model Context Protocol (CONTRACT §10): the catalog in the
//! description of the tool, the files of skills as resources, and a word to the
//! client whenever either changes on disk.

mod files;
mod live;
mod server;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ServiceExt as _;

use self::live::Live;
use self::server::Server;
use crate::harness::{Library, OpenError};
use crate::project::watch::Mode;
use crate::project::{Project, View};

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the tool is called.
    pub tool_name: String,
    /// Where activations are recorded.
    pub records: Option<PathBuf>,
    /// Do not ask the system to report changes, but look every two seconds.
    pub poll: bool,
}

/// What is said beside the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// How changes on disk are noticed from now on.
    Mode(Mode),
    /// An activation could not be recorded, and why.
    Unrecorded(String),
    /// The disk cannot be read at the moment, and why.
    Trouble(String),
}

/// Who is told what is to be said.
type Say = Arc<dyn Fn(Word) + Send + Sync>;

/// It cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The skills cannot be looked at.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(#[from] io::Error),
    /// A client that does not speak the protocol.
    #[error("the client does not begin as MCP does: {0}")]
    Client(String),
}

/// Serves the skills of a project on standard input and output until the client
/// goes away. `say` is told what is for a person to read; it must not wait.
///
/// # Errors
/// When the skills cannot be looked at, or the client does not speak the protocol.
pub fn serve(
    project: Project,
    view: View,
    options: Options,
    say: impl Fn(Word) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    let mut library = Library::open(project, view)?;
    if let Some(file) = options.records {
        library.record_to(file);
    }
    let say: Say = Arc::new(say);
    let live = Live::follow(library, options.poll, Arc::clone(&say))?;
    let server = Server::new(live, options.tool_name, say);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let client = |error: &dyn std::fmt::Display| ServeError::Client(error.to_string());
        let running = server.serve(rmcp::transport::stdio()).await.map_err(|e| client(&e))?;
        running.waiting().await.map_err(|e| client(&e))?;
        Ok(())
    });
    // A read of standard input that is under way cannot be taken back.
    runtime.shutdown_background();
    ended
}

/// Whether a tool may be called so: what clients accept lies between one and 128
/// of these characters.
pub fn is_tool_name(name: &str) -> bool {
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    (1..=128).contains(&name.len()) && name.chars().all(is_known)
}
