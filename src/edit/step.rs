//! The steps of a change: values that can be looked at, done and undone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A step; its paths are relative to the boundary of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A file gets another content, comes or goes.
    Write {
        /// The file.
        at: PathBuf,
        /// What it holds; `None` when it is not there.
        before: Option<Content>,
        /// What it is to hold; `None` when it is to go.
        after: Option<Content>,
    },
    /// An empty folder comes.
    MakeFolder(PathBuf),
    /// An empty folder goes.
    RemoveFolder(PathBuf),
    /// A file, folder or link gets another name.
    Move {
        /// Its name.
        from: PathBuf,
        /// The name it is to have.
        to: PathBuf,
    },
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Its bytes.
    #[serde(flatten)]
    pub bytes: Bytes,
    /// Permission bits.
    pub mode: u32,
}

/// Bytes, written as text where they are text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl Content {
    /// The content of a file.
    pub fn new(bytes: Vec<u8>, mode: u32) -> Self {
        let bytes = String::from_utf8(bytes)
            .map_or_else(|error| Bytes::Raw(error.into_bytes()), Bytes::Text);
        Self { bytes, mode: mode & 0o7777 }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Text(text) => text.as_bytes(),
            Bytes::Raw(bytes) => bytes,
        }
    }
}

impl Step {
    /// The step that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::Write { at, before, after } => Self::Write { at, before: after, after: before },
            Self::MakeFolder(at) => Self::RemoveFolder(at),
            Self::RemoveFolder(at) => Self::MakeFolder(at),
            Self::Move { from, to } => Self::Move { from: to, to: from },
        }
    }

    /// Where something is moved from.
    pub fn origin(&self) -> Option<PathBuf> {
        match self {
            Self::Move { from, .. } => Some(from.clone()),
            _ => None,
        }
    }

    /// What it is about, for a message.
    pub fn path(&self) -> &Path {
        match self {
            Self::Write { at, .. } | Self::MakeFolder(at) | Self::RemoveFolder(at) => at,
            Self::Move { to, .. } => to,
        }
    }
}

/// A change that can be looked at before it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What it does, in a few words: `rename a to b`. Safe to show.
    pub title: String,
    /// What is done, in order.
    pub steps: Vec<Step>,
}

impl Plan {
    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            title: format!("undo: {}", self.title),
            steps: self.steps.iter().rev().map(Step::inverse).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_taken_back_twice_does_the_same() {
        let content = |text: &str| Some(Content::new(text.into(), 0o100_644));
        let plan = Plan {
            title: "t".into(),
            steps: vec![
                Step::MakeFolder("a".into()),
                Step::Write { at: "a/f".into(), before: None, after: content("x\u{1b}") },
                Step::Move { from: "a".into(), to: "b".into() },
            ],
        };
        assert_eq!(plan.inverse().inverse().steps, plan.steps);
        assert_eq!(plan.inverse().steps[0], Step::Move { from: "b".into(), to: "a".into() });
    }

    #[test]
    fn any_bytes_come_back_from_a_record() {
        for bytes in [b"text \xe2\x80\xae\x1b".to_vec(), b"raw \xff\0".to_vec(), Vec::new()] {
            let content = Content::new(bytes.clone(), 0o755);
            let text = serde_json::to_string(&content).unwrap();
            let back: Content = serde_json::from_str(&text).unwrap();
            assert_eq!((back.as_bytes(), back.mode), (&bytes[..], 0o755), "{text}");
        }
    }
}
