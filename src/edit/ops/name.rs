//! The names that a new folder may have.

use std::path::Path;

use crate::edit::{EditError, Reader};
use crate::skill::name::{MAX_CHARS, is_valid, nearest};
use crate::skill::text::{head, shown, shown_name};

/// Names that Windows keeps for devices, in any case and with any ending.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Whether a skill may be called so: by the rule of names, and so that it is a
/// folder directly in the root on every system.
///
/// # Errors
/// Why not, with the nearest name that may be.
pub fn check(name: &str) -> Result<(), EditError> {
    let refused =
        |why: String| Err(EditError::Name { name: shown(&head(name, 80)).into_string(), why });
    if name.is_empty() {
        return refused("it is empty".to_owned());
    }
    if RESERVED.contains(&name.split('.').next().unwrap_or("").to_lowercase().as_str()) {
        return refused("Windows keeps it for a device".to_owned());
    }
    if name.contains(['/', '\\']) || name == "." || name == ".." {
        return refused("a skill is a folder directly in the root, so name no path".to_owned());
    }
    let count = name.chars().count();
    if count > MAX_CHARS {
        return refused(format!("it has {count} characters; at most {MAX_CHARS} are allowed"));
    }
    if !is_valid(name) {
        let near = nearest(name).map_or(String::new(), |near| format!("; `{near}` would do"));
        return refused(format!(
            "it must be lower-case letters and digits with single hyphens between them{near}"
        ));
    }
    Ok(())
}

/// Whether a new skill may be called so in this root.
///
/// # Errors
/// Why not; also when the name is taken in another case.
pub fn check_new(reader: &Reader, name: &str, besides: Option<&Path>) -> Result<(), EditError> {
    check(name)?;
    let root = &reader.site().root;
    let names = match reader.names(root) {
        Err(EditError::Gone { .. }) => Vec::new(),
        other => other?,
    };
    let own = besides.and_then(Path::file_name);
    let taken = names.iter().find(|other| {
        other.to_string_lossy().to_lowercase() == name && Some(other.as_os_str()) != own
    });
    match taken {
        Some(other) => {
            Err(EditError::Exists { path: shown_name(root.join(other).as_os_str()).into_string() })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_or_nowhere_are_refused() {
        for name in ["a", "code-review", "a1", &"a".repeat(64)] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, why) in [
            ("../x", "name no path"),
            ("/x", "name no path"),
            ("a/b", "name no path"),
            ("a\\b", "name no path"),
            (".", "name no path"),
            ("..", "name no path"),
            ("", "empty"),
            (&"a".repeat(65), "65 characters"),
            ("a\0b", "`a-b` would do"),
            ("a\nb", "lower-case"),
            ("CON", "Windows"),
            ("nul", "Windows"),
            ("com1.txt", "Windows"),
            ("My Skill", "`my-skill` would do"),
            (".hidden", "lower-case"),
        ] {
            let said = check(name).unwrap_err().to_string();
            assert!(said.contains(why), "{name:?}: {said}");
        }
    }
}
