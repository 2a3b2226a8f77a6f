//! A file in the user's own editor, which has the terminal meanwhile.

use std::env;
use std::io;
use std::path::Path;
use std::process::ExitStatus;

use tokio::process::{Child, Command};

use crate::skill::text::{Shown, shown};

/// The editor that is named: in the config file, in `$VISUAL` or in `$EDITOR`.
pub fn editor(config: Option<String>) -> Option<String> {
    let is_named = |text: &String| !text.trim().is_empty();
    let from = |name| env::var(name).ok().filter(is_named);
    config.filter(is_named).or_else(|| from("VISUAL")).or_else(|| from("EDITOR"))
}

/// Starts the editor on a file. The shell takes the name apart, as it does for
/// git: `code --wait` and `"$HOME/bin/my editor"` are both right.
///
/// # Errors
/// When there is no shell.
pub fn start(editor: &str, file: &Path) -> io::Result<Child> {
    Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(file).spawn()
}

/// What is wrong with how it ended, and the way out.
pub fn complaint(editor: &str, ended: io::Result<ExitStatus>) -> Option<Shown> {
    let status = match ended {
        Ok(status) if status.success() => return None,
        Ok(status) => status,
        Err(error) => return Some(shown(&format!("`{editor}` could not be started: {error}"))),
    };
    let what = match status.code() {
        Some(127) => {
            "was not found; name another in $VISUAL, $EDITOR or `editor` of the config file"
                .to_owned()
        }
        Some(126) => "cannot be run; make it executable, or name another".to_owned(),
        Some(code) => format!("ended with status {code}; what it saved counts"),
        None => "was ended by a signal; what it saved counts".to_owned(),
    };
    Some(shown(&format!("`{editor}` {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn how_an_editor_ended_is_said_in_words() {
        for (raw, want) in [
            (0, None),
            (127 << 8, Some("not found")),
            (126 << 8, Some("executable")),
            (3 << 8, Some("status 3")),
            (9, Some("signal")),
        ] {
            let said = complaint("vi", Ok(ExitStatus::from_raw(raw)));
            match want {
                None => assert_eq!(said, None),
                Some(want) => assert!(said.unwrap().as_str().contains(want), "{raw}"),
            }
        }
    }
}
