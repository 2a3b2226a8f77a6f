//! Where the files of the program are: as the XDG standard has it, on every system.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

/// The folder of the program within those of the user.
const NAME: &str = "skilldeck";

/// The folders of the program. `None` where the environment names none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    config_dir: Option<PathBuf>,
    state_dir: Option<PathBuf>,
}

impl Paths {
    /// Those that the environment names: `XDG_CONFIG_HOME` and
    /// `XDG_STATE_HOME`, or else the usual ones below `HOME`.
    pub fn from_env() -> Self {
        let Ok(xdg) = Xdg::new() else { return Self::default() };
        let is_set = |name| env::var_os(name).is_some_and(|dir| Path::new(&dir).is_absolute());
        // Without `HOME` the system's list of users would be asked, and an
        // empty one would make the folders relative.
        let dir = |name, dir: Option<PathBuf>| {
            dir.filter(|_| is_set(name) || is_set("HOME")).map(|dir| dir.join(NAME))
        };
        Self {
            config_dir: dir("XDG_CONFIG_HOME", Some(xdg.config_dir())),
            state_dir: dir("XDG_STATE_HOME", xdg.state_dir()),
        }
    }

    /// The config file, whether it is there or not.
    pub fn config_file(&self) -> Option<PathBuf> {
        self.config_dir.as_ref().map(|dir| dir.join("config.toml"))
    }

    /// The folder for what the program remembers, whether it is there or not.
    pub fn state_dir(&self) -> Option<&Path> {
        self.state_dir.as_deref()
    }
}
