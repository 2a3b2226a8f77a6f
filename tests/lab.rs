//! What the truncation lab promises is what happens.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use skilldeck::profile::Profile;
use skilldeck::project::lab::{Lab, way_back};
use skilldeck::project::{Agents, Deck, Project, View, scan};
use skilldeck::prompt::Budget;
use skilldeck::prompt::catalog::State;
use support::{Fixture, good, real_projects, strings, with_head};
use tempfile::TempDir;

fn deck(project: &Fixture, view: &View) -> Deck {
    let project = Project::find(&project.project(), Some(&project.project()), None, None).unwrap();
    let facts = scan::scan(&project, view.profile.discovery()).unwrap();
    Deck::new(&project, &facts, &Arc::new(Agents::load(&project)), view).unwrap()
}

fn within(limit: u64) -> View {
    View { budget: Budget::trial(Some(limit)), ..View::default() }
}

/// A project with descriptions of these lengths, in the order of the list.
fn with_lengths(lengths: &[usize]) -> Fixture {
    let project = Fixture::new();
    for (i, length) in lengths.iter().enumerate() {
        let name = format!("s{i:02}");
        project.skill(&name, good(&name, &"x".repeat(*length)));
    }
    project
}

/// The fewest texts that can give so much, found by trying every set.
fn fewest(lengths: &[u64], need: u64, kept: u64) -> Option<usize> {
    let sets = 0_u32..(1 << lengths.len());
    let gives = |set: &u32| {
        let chosen = (0..lengths.len()).filter(|i| set & (1 << i) != 0);
        chosen.map(|i| lengths[i].saturating_sub(kept)).sum::<u64>() >= need
    };
    sets.filter(gives).map(|set| set.count_ones() as usize).min()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trims_bring_back_what_they_promise_and_are_the_fewest(
        lengths in proptest::collection::vec(1_usize..280, 1..9),
        limit in 0_u64..900,
    ) {
        let project = with_lengths(&lengths);
        let before = deck(&project, &within(limit));
        let cut = before.count(State::Cut);
        for count in 1..=cut {
            let way = way_back(&before, count).unwrap();
            prop_assert_eq!(way.back.len(), count);
            // What it promises of a budget.
            let more = deck(&project, &within(way.budget));
            prop_assert_eq!(more.count(State::Listed), before.count(State::Listed) + count);
            let less = deck(&project, &within(way.budget - 1));
            prop_assert!(less.count(State::Listed) < before.count(State::Listed) + count);
            let upto = before.count(State::Listed) + count;
            let upto: Vec<_> = lengths[..upto].iter().map(|n| *n as u64).collect();
            let best = fewest(&upto, way.need, 60).or_else(|| fewest(&upto, way.need, 1));
            if way.trims.is_empty() {
                prop_assert_eq!(best, None);
                continue;
            }
            prop_assert_eq!(Some(way.trims.len()), best);
            let given: u64 = way.trims.iter().map(|trim| trim.from - trim.to).sum();
            prop_assert_eq!(given, way.need, "not one character more than it takes");
            let texts: HashMap<_, _> = way
                .trims
                .iter()
                .map(|trim| (trim.folder.clone(), "x".repeat(trim.to as usize)))
                .collect();
            let listed = |deck: &Deck| -> BTreeSet<String> {
                deck.listed().map(|skill| skill.folder().to_owned()).collect()
            };
            let imagined = listed(&before.with_descriptions(&texts));
            for (folder, text) in &texts {
                project.skill(folder, good(folder, text));
            }
            let after = listed(&deck(&project, &within(limit)));
            prop_assert_eq!(&imagined, &after, "what is imagined is what happens");
            prop_assert!(way.back.iter().all(|folder| after.contains(folder)));
            for (i, length) in lengths.iter().enumerate() {
                let name = format!("s{i:02}");
                project.skill(&name, good(&name, &"x".repeat(*length)));
            }
        }
    }
}

#[test]
fn the_misfit_in_the_middle_is_named_with_those_behind_it() {
    let project = with_lengths(&[10, 200, 10, 10]);
    // Lines of 18, 208, 18 and 18.
    let lab = Lab::of(&deck(&project, &within(60)));
    let misfit = lab.misfit.unwrap();
    assert_eq!((misfit.folder.as_str(), misfit.cost, misfit.left), ("s01", 208, 42));
    assert_eq!(misfit.behind, ["s02", "s03"]);
    let all = lab.budgets.iter().find(|other| other.limit == 262).expect("the one of all");
    assert_eq!((all.listed, all.cut), (4, 0));
    assert!(lab.budgets.iter().any(|other| other.limit == 60), "the one in use");
    let whole = Lab::of(&deck(&project, &within(262)));
    assert_eq!((whole.misfit, whole.ways.len()), (None, 0));
}

#[test]
fn clients_that_do_not_stop_have_no_way_back_but_other_budgets() {
    let project = with_lengths(&[200, 200]);
    for profile in [Profile::ClaudeCode, Profile::Codex] {
        let deck = deck(&project, &View { profile, ..within(300) });
        let lab = Lab::of(&deck);
        assert_eq!((lab.misfit, lab.ways.len()), (None, 0), "{profile}");
        let own = lab.budgets.iter().find(|other| other.limit == 300).unwrap();
        assert!(own.shortened > 0, "{profile}");
    }
}

#[test]
fn explain_names_every_skill_once_and_says_why() {
    let project = with_lengths(&[10, 200, 10]);
    project.skill("quiet", with_head("description: hush\nhide: true"));
    project.skill("broken", "no fence");
    let run = project.run(&["catalog", "--explain", "--json", "--budget", "60"]).json();
    let folders: Vec<_> =
        run["skills"].as_array().unwrap().iter().map(|s| s["folder"].as_str().unwrap()).collect();
    assert_eq!(folders, ["broken", "quiet", "s00", "s01", "s02"]);
    let why = |at: usize| run["skills"][at]["why"].as_str().unwrap().to_owned();
    for (at, start) in
        [(0, "error: "), (1, "hidden: "), (2, "listed"), (3, "cut: 166 "), (4, "cut: 184 ")]
    {
        assert!(why(at).starts_with(start), "{}", why(at));
    }
    assert_eq!(run["misfit"]["folder"], "s01");
    assert_eq!(strings(&run["ways"][1]["back"]), ["s01", "s02"]);
    let text = project.run(&["catalog", "--explain", "--budget", "60"]).stdout;
    let (rows, rest) = text.split_once("\n\n").unwrap();
    for folder in folders {
        let is_named = |line: &&str| line.split_whitespace().nth(2) == Some(folder);
        assert_eq!(rows.lines().filter(is_named).count(), 1, "{folder}\n{rows}");
    }
    assert!(rest.starts_with("The cut: 1 listed, 2 cut\n"), "{rest}");
}

/// A real project, copied, with a budget.
struct Copied {
    top: TempDir,
    limit: &'static str,
}

impl Copied {
    fn of(original: &Path, limit: &'static str) -> Self {
        let copied = Self { top: tempfile::tempdir().unwrap(), limit };
        let mut command = Command::new("cp");
        assert!(command.arg("-a").arg(original).arg(copied.dir()).status().unwrap().success());
        copied
    }

    fn dir(&self) -> PathBuf {
        self.top.path().join("project")
    }

    fn run(&self, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skilldeck"));
        command.args(args).arg("--project").arg(self.dir()).args(["--budget", self.limit]);
        command.env("HOME", self.top.path()).env("XDG_CONFIG_HOME", self.top.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    /// The JSON of a command; `None` where it cannot be done.
    fn json(&self, args: &[&str]) -> Option<Value> {
        serde_json::from_str(&self.run(&[args, &["--json"]].concat())).ok()
    }

    /// Shortens what a way back says is to be shortened; how many that were.
    fn take(&self, way: &Value, list: &Value) -> usize {
        let trims = way["trims"].as_array().unwrap();
        for trim in trims {
            let folder = trim["folder"].as_str().unwrap();
            let to = usize::try_from(trim["to"].as_u64().unwrap()).unwrap();
            let text = of(list, folder)["description"].as_str().unwrap();
            let text: String = text.chars().take(to).collect();
            self.run(&["set", folder, "description", text.trim()]);
        }
        trims.len()
    }
}

/// The row of a skill.
fn of<'a>(report: &'a Value, folder: &str) -> &'a Value {
    report["skills"].as_array().unwrap().iter().find(|s| s["folder"] == folder).unwrap()
}

fn folders(report: &Value) -> Vec<&str> {
    let skills = report["skills"].as_array().unwrap().iter();
    let mut folders: Vec<_> = skills.map(|s| s["folder"].as_str().unwrap()).collect();
    folders.sort_unstable();
    folders
}

/// The figures are printed with `--nocapture`.
#[test]
fn in_real_projects_the_trims_bring_back_what_they_promise() {
    let (mut named, mut taken, mut shortened) = (0, 0, 0);
    for original in real_projects() {
        for limit in ["12000", "8000", "1000"] {
            let copied = Copied::of(&original, limit);
            let Some(lab) = copied.json(&["catalog", "--explain"]) else { continue };
            let list = copied.json(&["list"]).unwrap();
            assert_eq!(folders(&lab), folders(&list), "{}: each once", original.display());
            named += folders(&lab).len();
            // What brings back the first that is cut, and what brings back all.
            let ways = lab["ways"].as_array().unwrap();
            for way in ways.iter().take(1).chain(ways.iter().skip(1).last()) {
                let copied = Copied::of(&original, limit);
                match copied.take(way, &list) {
                    0 => continue,
                    count => shortened += count,
                }
                taken += 1;
                let after = copied.json(&["catalog"]).unwrap();
                for folder in strings(&way["back"]) {
                    let state = &of(&after, folder)["state"];
                    assert_eq!(state, "listed", "{} {limit}: {folder}", original.display());
                }
            }
        }
    }
    println!("{named} named, each once; {taken} ways taken, {shortened} descriptions shortened");
}
