//! The files of skills as resources: `skill://FOLDER/PATH`, percent-encoded.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::harness::Library;
use crate::project::Skill;
use crate::project::file::Readable;

/// The scheme of their addresses.
const SCHEME: &str = "skill://";

/// What is no plain character of a path in an address.
const ODD: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// The description itself, among the files of a skill.
const SKILL_MD: &str = "SKILL.md";

/// A file that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its address.
    pub uri: String,
    /// The skill's folder and its path below it.
    pub name: String,
    /// What the skill is for; of its description alone.
    pub description: Option<String>,
    /// What kind of text it is, where its name tells.
    pub mime_type: Option<&'static str>,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

fn uri(skill: &Skill, path: &str) -> String {
    let folder = utf8_percent_encode(skill.folder(), ODD);
    format!("{SCHEME}{folder}/{}", utf8_percent_encode(path, ODD))
}

fn paths(skill: &Skill) -> impl Iterator<Item = &str> {
    std::iter::once(SKILL_MD).chain(skill.entry.resources.files.iter().map(String::as_str))
}

/// The addresses of all files of the skills that the agent may use.
pub fn uris(library: &Library) -> Vec<String> {
    library.usable().flat_map(|skill| paths(skill).map(|path| uri(skill, path))).collect()
}

/// All files of the skills that the agent may use, by name.
pub fn list(library: &Library) -> Vec<File> {
    let file = |skill: &Skill, path: &str| File {
        uri: uri(skill, path),
        name: format!("{}/{path}", skill.folder()),
        description: skill.description.clone().filter(|_| path == SKILL_MD),
        mime_type: mime_type(path),
    };
    library.usable().flat_map(|skill| paths(skill).map(move |path| file(skill, path))).collect()
}

/// What kind of text a file is, by its name.
pub fn mime_type(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "html" | "htm" => "text/html",
        "csv" => "text/csv",
        _ => return None,
    })
}

/// Reads the file of an address. Only what is listed is read: an address that
/// leads elsewhere is none of them.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(library: &Library, address: &str) -> Result<Content, String> {
    let unknown =
        || format!("there is no file `{address}` of a skill that may be used; list the resources");
    let found = library.usable().find_map(|skill| {
        let path = paths(skill).find(|path| uri(skill, path) == address)?;
        Some((skill, path))
    });
    let found = found.or_else(|| otherwise_written(library, address));
    let (skill, path) = found.ok_or_else(unknown)?;
    let dir = skill.entry.real_dir().canonicalize().map_err(|e| format!("`{path}`: {e}"))?;
    let whole = dir.join(path);
    // A folder on the way may have become a link since the list was made.
    let parent = whole.parent().and_then(|parent| parent.canonicalize().ok());
    if !parent.is_some_and(|parent| parent.starts_with(&dir)) {
        return Err(format!("`{path}` leads out of the skill's folder, so it is not read"));
    }
    let read = Readable::find(&whole, &dir).and_then(|file| file.read());
    let (_, bytes) = read.map_err(|finding| format!("`{path}`: {}", finding.message))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => Content::Bytes(error.into_bytes()),
    })
}

/// The listed file that an address means which encodes other characters than ours.
fn otherwise_written<'a>(library: &'a Library, address: &str) -> Option<(&'a Skill, &'a str)> {
    let below = address.strip_prefix(SCHEME)?;
    let below = percent_decode_str(below).decode_utf8().ok()?;
    library.usable().find_map(|skill| {
        let rest = below.strip_prefix(skill.folder())?.strip_prefix('/')?;
        Some((skill, paths(skill).find(|path| *path == rest)?))
    })
}
