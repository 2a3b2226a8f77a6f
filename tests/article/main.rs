//! The profile `mycodeagent` beside the article's code, told again.
//!
//! The figures for the real projects that `SKILLDECK_PROJECTS` names are printed with
//! `--nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

#[path = "../support/mod.rs"]
mod support;

mod retold;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use skilldeck::profile::Profile;
use skilldeck::project::{Agents, Deck, Project, View, scan};
use skilldeck::prompt::Budget;
use support::{Fixture, real_projects};

const BUDGETS: [u64; 5] = [0, 80, 1_000, 12_000, 1_000_000_000];

/// What the profile lists within each budget; why it cannot look at all.
fn ours(dir: &Path) -> Result<Vec<String>, String> {
    let project = Project::find(dir, Some(dir), None, None).map_err(|e| e.to_string())?;
    let profile = Profile::MyCodeAgent;
    let facts = scan::scan(&project, profile.discovery()).map_err(|e| e.to_string())?;
    let agents = Arc::new(Agents::load(&project));
    let list = |limit| {
        let view = View { profile, budget: Budget::trial(Some(limit)), ..View::default() };
        Deck::new(&project, &facts, &agents, &view).unwrap().catalog()
    };
    Ok(BUDGETS.map(list).to_vec())
}

fn theirs(root: &Path) -> (Vec<String>, Vec<PathBuf>) {
    let loaded = retold::scan(root);
    let list = |limit| retold::format_skills_for_prompt(&loaded.skills, limit);
    (BUDGETS.map(list).to_vec(), loaded.files)
}

/// Lines that a flat parser and a YAML parser read differently, and some plain ones.
fn piece() -> impl Strategy<Value = String> {
    let fixed = vec![
        "name: a",
        "name: b",
        "name: 'c'",
        "name: \"a-b\"",
        "  name: d",
        "name:e",
        "name : f",
        "name: A",
        "name: -a",
        "name: ",
        "name",
        "description: D",
        "description: d: e # f",
        "description: 'q'",
        "description: \"''\"",
        "  description: inner",
        "description: |",
        "description: >-",
        "description:",
        "# a comment",
        "  # another: one",
        "",
        "  ",
        "- item",
        "key: value",
        "a:b:c",
        ": x",
        "text without",
        "---",
        " --- ",
        "--- #",
        "\u{feff}---",
        "\u{2028}",
        "name: g\u{85}description: h",
        "\u{1f}name: i\u{1f}",
        "name: j\u{a0}",
        "审: 查",
        "description: 审查\u{3000}",
    ];
    prop::sample::select(fixed).prop_map(str::to_owned)
}

fn file() -> impl Strategy<Value = Vec<u8>> {
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", "\u{b}"]);
    let lines = prop::collection::vec(piece(), 0..9);
    let plain = (0_u8..6, "[a-d]{1,3}", "[ -~]{1,60}").prop_map(|(n, name, text)| {
        format!("---\nname: {name}{n}\ndescription: {text}\n---\nBody\n").into_bytes()
    });
    let odd = (lines, end, any::<bool>(), any::<bool>()).prop_map(|(lines, end, opens, closes)| {
        let mut all: Vec<&str> = lines.iter().map(String::as_str).collect();
        if opens {
            all.insert(0, "---");
        }
        if closes {
            all.extend(["---", "Body"]);
        }
        all.join(end).into_bytes()
    });
    prop_oneof![4 => odd, 3 => plain, 1 => prop::collection::vec(any::<u8>(), 0..40)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_profile_lists_what_the_article_lists(
        files in prop::collection::btree_map("[a-c](/[a-c]){0,2}", file(), 1..7)
    ) {
        let project = Fixture::new();
        for (folder, bytes) in &files {
            project.file(format!(".kaged/skills/{folder}/SKILL.md"), bytes);
        }
        let root = project.project().join(".kaged/skills");
        prop_assert_eq!(ours(&project.project()).unwrap(), theirs(&root).0);
    }
}

/// Why the two may differ: what the article would do has no good end.
fn is_explained(dir: &Path, files: &[PathBuf]) -> Option<&'static str> {
    let boundary = dir.canonicalize().ok()?;
    let is_outside = |path: &Path| path.canonicalize().is_ok_and(|p| !p.starts_with(&boundary));
    if files.iter().any(|f| fs::metadata(f).is_ok_and(|m| m.len() > 1024 * 1024)) {
        return Some("a file over 1 MiB, which we refuse");
    }
    (files.iter().any(|f| is_outside(f)) || is_outside(&dir.join(".kaged/skills")))
        .then_some("a link out of the project, which we do not follow")
}

#[test]
fn real_projects_agree_or_differ_for_a_reason() {
    let (mut same, mut apart) = (0, Vec::new());
    for dir in real_projects() {
        let (want, files) = theirs(&dir.join(".kaged/skills"));
        let got = ours(&dir).unwrap_or_else(|_| vec!["(none)".to_owned(); BUDGETS.len()]);
        if got == want {
            same += 1;
            continue;
        }
        let why = is_explained(&dir, &files);
        apart.push((dir.file_name().map(|name| name.display().to_string()), why));
    }
    println!("{same} projects the same, {} apart: {apart:#?}", apart.len());
    assert!(apart.iter().all(|(_, why)| why.is_some()), "{apart:#?}");
}
