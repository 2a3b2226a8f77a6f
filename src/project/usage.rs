//! How often skills were activated: records of one line each, and what they say.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::edit::log;
use crate::skill::text::head;

/// Bytes of a file of records; with them it becomes the older of two.
const BYTES: u64 = 1 << 20;

/// Characters of a name that are kept: a model may ask for anything.
const NAME: usize = 100;

/// One activation, as a line of JSON. What the arguments were is never kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When, as RFC 3339 in UTC.
    pub time: String,
    /// The project's directory.
    pub project: String,
    /// The agent it was for.
    pub agent: Option<String>,
    /// The name that was asked for.
    pub skill: String,
    /// Characters of the arguments; `None` when there were none.
    pub args_chars: Option<u64>,
    /// Characters that were given.
    pub chars: u64,
    /// `OK`, or the code of seed A's tool results.
    pub outcome: String,
}

/// How often a skill was activated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// How often that went well.
    pub times: u64,
    /// When it last did, as RFC 3339.
    pub last: String,
}

/// What the records of a project say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    skills: HashMap<String, Count>,
    since: Option<String>,
}

impl Record {
    /// A record of now.
    pub fn now(project: &str, agent: Option<&str>, skill: &str) -> Self {
        Self {
            time: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            project: project.to_owned(),
            agent: agent.map(str::to_owned),
            skill: head(skill, NAME).into_owned(),
            args_chars: None,
            chars: 0,
            outcome: "OK".to_owned(),
        }
    }

    /// Adds it to a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&self, path: &Path) -> io::Result<()> {
        log::append_line(path, &super::json::to_string(self)?, BYTES)
    }
}

impl Usage {
    /// Reads the records of a project, the older ones too. A file that is not there
    /// has none; a line that is none is passed over, since a crash may have torn it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(path: &Path, project: &str) -> io::Result<Self> {
        let mut usage = Self::default();
        for path in [log::older(path), path.to_owned()] {
            let is_file = path.metadata().map(|meta| meta.is_file());
            match is_file {
                Ok(true) => {}
                Ok(false) => return Err(io::Error::other("it is no regular file")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            }
            let file = BufReader::new(File::open(&path)?);
            for line in file.split(b'\n') {
                if let Ok(record) = serde_json::from_slice::<Record>(&line?) {
                    usage.add(record, project);
                }
            }
        }
        Ok(usage)
    }

    fn add(&mut self, record: Record, project: &str) {
        if record.project != project {
            return;
        }
        let earlier = self.since.as_ref().is_none_or(|since| record.time < *since);
        if earlier {
            self.since = Some(record.time.clone());
        }
        if record.outcome != "OK" {
            return;
        }
        let count = self
            .skills
            .entry(record.skill)
            .or_insert_with(|| Count { times: 0, last: String::new() });
        count.times += 1;
        if record.time > count.last {
            count.last = record.time;
        }
    }

    /// How often the skill of an effective name was activated; `None` for never.
    pub fn of(&self, name: &str) -> Option<&Count> {
        self.skills.get(name)
    }

    /// How often; zero for never.
    pub fn times(&self, name: &str) -> u64 {
        self.of(name).map_or(0, |count| count.times)
    }

    /// The time of the first record, as RFC 3339; `None` when there is none.
    pub fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }
}

/// The records of a project, where a file of them was asked for.
pub type Known = Option<Arc<Usage>>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn record(time: &str, project: &str, skill: &str, outcome: &str) -> Record {
        let now = Record::now(project, Some("primary"), skill);
        Record { time: time.to_owned(), outcome: outcome.to_owned(), ..now }
    }

    #[test]
    fn records_are_counted_by_project_and_a_torn_line_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("metrics.jsonl");
        for made in [
            record("2026-01-02T00:00:00Z", "/a", "ask", "OK"),
            record("2026-01-01T00:00:00Z", "/b", "ask", "OK"),
            record("2026-01-03T00:00:00Z", "/a", "ask", "OK"),
            record("2026-01-01T12:00:00Z", "/a", "gone", "NOT_FOUND"),
        ] {
            made.append(&path).unwrap();
        }
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"time\":\"2026-\xff");
        fs::write(&path, text).unwrap();
        let usage = Usage::read(&path, "/a").unwrap();
        let count = Count { times: 2, last: "2026-01-03T00:00:00Z".to_owned() };
        assert_eq!(usage.of("ask"), Some(&count));
        assert_eq!((usage.of("gone"), usage.times("gone")), (None, 0));
        assert_eq!(usage.since(), Some("2026-01-01T12:00:00Z"));
        record("2026-01-04T00:00:00Z", "/a", "ask", "OK").append(&path).unwrap();
        assert_eq!(Usage::read(&path, "/a").unwrap().times("ask"), 3);
    }

    #[test]
    fn the_older_file_counts_too_and_none_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m");
        assert_eq!(Usage::read(&path, "/a").unwrap(), Usage::default());
        record("2026-01-02T00:00:00Z", "/a", "ask", "OK").append(&path).unwrap();
        fs::rename(&path, dir.path().join("m.1")).unwrap();
        record("2026-01-03T00:00:00Z", "/a", "ask", "OK").append(&path).unwrap();
        assert_eq!(Usage::read(&path, "/a").unwrap().times("ask"), 2);
        assert!(Usage::read(dir.path(), "/a").is_err());
    }

    #[test]
    fn a_name_of_a_model_is_cut() {
        assert_eq!(Record::now("/a", None, &"x".repeat(5_000)).skill.chars().count(), NAME + 1);
    }
}
