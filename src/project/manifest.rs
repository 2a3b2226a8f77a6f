//! The `manifest.json` beside a `SKILL.md`: the form of kaged's registry. No
//! client reads it; it is shown, and checked against the skill.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::entry::Entry;
use super::file::{Readable, Stamp};
use crate::skill::frontmatter::{TextField, one_line};
use crate::skill::text::{counted, head, thousands};
use crate::skill::{Code, Finding, Place};

/// Its name in a skill's folder.
pub const NAME: &str = "manifest.json";

/// Characters of a description that the registry takes.
const DESCRIPTION: usize = 280;

/// Files that the registry takes.
const FILES: usize = 200;

/// Files of a message that are named one by one.
const NAMED: usize = 5;

/// A manifest that was read.
#[derive(Debug, Clone)]
pub struct Manifest {
    stamp: Stamp,
    /// What it says, or why it cannot be read.
    pub content: Result<Content, Finding>,
}

/// Two are the same when they say the same; when they were read does not count.
impl PartialEq for Manifest {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

impl Eq for Manifest {}

/// What a manifest says; a field of another kind than it should be is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // named as in the file
pub struct Content {
    #[serde(deserialize_with = "text")]
    pub name: Option<String>,
    #[serde(deserialize_with = "text")]
    pub namespace: Option<String>,
    #[serde(deserialize_with = "text")]
    pub version: Option<String>,
    #[serde(deserialize_with = "text")]
    pub description: Option<String>,
    #[serde(deserialize_with = "text")]
    pub category: Option<String>,
    #[serde(deserialize_with = "texts")]
    pub tags: Option<Vec<String>>,
    #[serde(deserialize_with = "texts")]
    pub files: Option<Vec<String>>,
    #[serde(deserialize_with = "text")]
    pub kaged_version: Option<String>,
    #[serde(deserialize_with = "text")]
    pub license: Option<String>,
}

fn text<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    let value = Value::deserialize(d)?;
    Ok(value.as_str().map(str::to_owned))
}

fn texts<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Vec<String>>, D::Error> {
    let value = Value::deserialize(d)?;
    let text = |item: &Value| item.as_str().map(str::to_owned);
    Ok(value.as_array().and_then(|items| items.iter().map(text).collect()))
}

impl Manifest {
    /// Reads the one in a folder; one that has not changed is not read again.
    pub fn read(dir: &Path, boundary: &Path, before: Option<&Arc<Self>>) -> Arc<Self> {
        let readable = match Readable::find(&dir.join(NAME), boundary) {
            Ok(readable) => readable,
            Err(finding) => return Self::unreadable(Stamp::default(), &finding),
        };
        if let Some(before) = before.filter(|before| before.stamp == readable.stamp()) {
            return Arc::clone(before);
        }
        match readable.read() {
            Ok((stamp, bytes)) => Arc::new(Self { stamp, content: parse(&bytes) }),
            Err(finding) => Self::unreadable(readable.stamp(), &finding),
        }
    }

    fn unreadable(stamp: Stamp, why: &Finding) -> Arc<Self> {
        let finding = Finding::new(Code::ManifestInvalid, why.message.as_str()).file(NAME);
        Arc::new(Self { stamp, content: Err(finding) })
    }

    /// `@namespace/name 1.0.0, 7 files, MIT`, or that it cannot be read.
    pub fn words(&self) -> String {
        let Ok(content) = &self.content else { return "it cannot be read".to_owned() };
        let name = content.name.as_deref().unwrap_or("no name");
        let whole = match &content.namespace {
            Some(space) => format!("{space}/{name}"),
            None => name.to_owned(),
        };
        let mut words = vec![match &content.version {
            Some(version) => format!("{whole} {version}"),
            None => whole,
        }];
        words.extend(content.category.iter().map(|category| format!("category {category}")));
        words.extend(content.files.iter().map(|files| counted(files.len(), "file", "files")));
        words.extend(content.kaged_version.iter().map(|version| format!("kaged {version}")));
        words.extend(content.license.clone());
        words.join(", ")
    }
}

fn parse(bytes: &[u8]) -> Result<Content, Finding> {
    let invalid = |why: String| Finding::new(Code::ManifestInvalid, why).file(NAME);
    let text = std::str::from_utf8(bytes)
        .map_err(|_| invalid("`manifest.json` is not UTF-8; save it as UTF-8".to_owned()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let place = Place {
            line: u32::try_from(error.line().max(1)).unwrap_or(1),
            column: u32::try_from(error.column().max(1)).unwrap_or(1),
        };
        invalid(format!("`manifest.json` is not JSON: {error}; mend it")).at(place)
    })?;
    // serde would take a list for the fields in their order.
    if !value.is_object() {
        return Err(invalid("`manifest.json` is not a JSON object; write one".to_owned()));
    }
    serde_json::from_value(value)
        .map_err(|error| invalid(format!("`manifest.json` cannot be read: {error}; mend it")))
}

/// What is to be said of an entry's manifest and versions.
pub fn findings(entry: &Entry) -> Vec<Finding> {
    let mut findings = Vec::new();
    let front = entry.file.as_ref().ok().and_then(|f| f.reading.document.frontmatter.as_ref());
    let version = front.and_then(|front| front.version.as_ref());
    if let Some((text, place)) = version {
        findings.extend(not_semver(text).map(|finding| finding.at(*place)));
    }
    let Some(manifest) = &entry.manifest else { return findings };
    let content = match &manifest.content {
        Ok(content) => content,
        Err(finding) => {
            findings.push(finding.clone());
            return findings;
        }
    };
    let mut say = |code, message: String| findings.push(Finding::new(code, message).file(NAME));
    let missing: Vec<_> = [
        ("name", content.name.is_none()),
        ("namespace", content.namespace.is_none()),
        ("version", content.version.is_none()),
        ("description", content.description.is_none()),
        ("files", content.files.is_none()),
    ]
    .into_iter()
    .filter_map(|(field, is_missing)| is_missing.then_some(format!("`{field}`")))
    .collect();
    if !missing.is_empty() {
        let message = format!(
            "`manifest.json` has no {} of the right kind, which kaged's registry wants",
            missing.join(", ")
        );
        say(Code::ManifestInvalid, message);
    }
    if let Some(text) = &content.description
        && text.chars().count() > DESCRIPTION
    {
        let chars = thousands(text.chars().count() as u64);
        let message = format!(
            "the description of `manifest.json` has {chars} characters, more than the \
             {DESCRIPTION} that kaged's registry takes; shorten it"
        );
        say(Code::ManifestInvalid, message);
    }
    if let Some(finding) = content.version.as_deref().and_then(not_semver) {
        say(Code::VersionNotSemver, format!("in `manifest.json`, {}", finding.message));
    }
    differences(entry, content, &mut say);
    files(entry, content, &mut say);
    findings
}

fn not_semver(text: &str) -> Option<Finding> {
    semver::Version::parse(text.trim()).is_err().then(|| {
        Finding::new(
            Code::VersionNotSemver,
            format!(
                "the version `{}` is not one of Semantic Versioning; write three numbers, such as \
                 1.0.0, in quotes",
                head(text, 40)
            ),
        )
    })
}

fn differences(entry: &Entry, content: &Content, say: &mut impl FnMut(Code, String)) {
    let file = entry.file.as_ref().ok();
    let Some(front) = file.and_then(|file| file.reading.document.frontmatter.as_ref()) else {
        return;
    };
    let written = |field: &TextField| match field {
        TextField::Text { text, .. } => Some(one_line(text.trim())),
        _ => None,
    };
    let name = written(&front.name).unwrap_or_else(|| entry.folder.last().to_owned());
    if let Some(other) = content.name.as_ref().filter(|other| **other != name) {
        let message = format!(
            "`manifest.json` calls the skill `{}`, the skill itself `{}`; make them equal",
            head(other, 60),
            head(&name, 60)
        );
        say(Code::ManifestMismatch, message);
    }
    let description = written(&front.description);
    if let Some((other, own)) = content.description.as_ref().zip(description) {
        let other = one_line(other.trim());
        // The registry's own form of a long one: its beginning and three dots.
        let start = other.strip_suffix("...").or_else(|| other.strip_suffix('…'));
        let is_start = start.is_some_and(|start| own.starts_with(start.trim_end()));
        if other != own && !is_start {
            let message = "the description of `manifest.json` is another than that of the skill; \
                           make them equal"
                .to_owned();
            say(Code::ManifestMismatch, message);
        }
    }
    if let Some((version, (own, _))) = content.version.as_ref().zip(front.version.as_ref())
        && version != own
    {
        let message = format!(
            "`manifest.json` has the version `{}`, the skill `{}`; make them equal",
            head(version, 40),
            head(own, 40)
        );
        say(Code::ManifestMismatch, message);
    }
}

fn files(entry: &Entry, content: &Content, say: &mut impl FnMut(Code, String)) {
    let Some(listed) = &content.files else { return };
    if listed.len() > FILES {
        let count = thousands(listed.len() as u64);
        let message = format!(
            "`manifest.json` lists {count} files, more than the {FILES} that kaged's registry takes"
        );
        say(Code::ManifestFiles, message);
    }
    let there: Vec<&str> = entry
        .resources
        .files
        .iter()
        .map(String::as_str)
        .chain(["SKILL.md"])
        .filter(|name| *name != NAME)
        .collect();
    // Either may be long, and neither was written by a friend.
    let is_there: HashSet<&str> = there.iter().copied().collect();
    let is_listed: HashSet<&str> = listed.iter().map(String::as_str).collect();
    let gone: Vec<_> =
        listed.iter().map(String::as_str).filter(|name| !is_there.contains(name)).collect();
    let new: Vec<_> = there.iter().copied().filter(|name| !is_listed.contains(name)).collect();
    if !gone.is_empty() {
        say(
            Code::ManifestFiles,
            format!("`manifest.json` lists what is not there: {}", some(&gone)),
        );
    }
    if !new.is_empty() {
        say(Code::ManifestFiles, format!("`manifest.json` does not list {}", some(&new)));
    }
}

fn some(names: &[&str]) -> String {
    let text: Vec<_> =
        names.iter().take(NAMED).map(|name| format!("`{}`", head(name, 80))).collect();
    let more = names.len().saturating_sub(NAMED);
    if more == 0 {
        text.join(", ")
    } else {
        format!("{} and {} more", text.join(", "), thousands(more as u64))
    }
}
