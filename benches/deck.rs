//! How fast the core is: `cargo bench`.
//!
//! Figures of one machine say little; compare two commits, or two programs, in
//! one run on the same machine.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed
#![allow(missing_docs)]

use std::fs;
use std::sync::{Arc, LazyLock};

use skilldeck::profile::{FolderName, Profile, Reading};
use skilldeck::project::{Agents, Deck, Facts, Project, Scanner, Scope, View, scan};
use skilldeck::skill::text::shown;
use tempfile::TempDir;

fn main() {
    divan::main();
}

const SKILLS: usize = 1_000;

struct Corpus {
    _dir: TempDir,
    project: Project,
    facts: Facts,
    agents: Arc<Agents>,
}

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for i in 0..SKILLS {
        let folder = dir.path().join(format!(".kaged/skills/skill-{i:05}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("SKILL.md"), skill(i)).expect("a file");
    }
    let project = Project::find(dir.path(), None, None, None).expect("a project");
    let facts = scan::scan(&project, Profile::Kaged.discovery()).expect("a scan");
    let agents = Arc::new(Agents::load(&project));
    Corpus { _dir: dir, project, facts, agents }
});

fn skill(i: usize) -> String {
    let step = "- Read the input carefully and list the assumptions you make.\n".repeat(45);
    format!(
        "---\nname: skill-{i:05}\ndescription: Reviews code with a repeatable checklist. Use when \
         the user asks for a review, mentions team work, or needs a second opinion.\n---\n\n# \
         Skill {i}\n\n{step}\nRun it on $ARGUMENTS.\n"
    )
}

#[divan::bench]
fn read_a_file(bencher: divan::Bencher<'_, '_>) {
    let text = skill(7);
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| Reading::of(divan::black_box(text.as_bytes())));
}

#[divan::bench(args = [Profile::Kaged, Profile::KagedStrict, Profile::MyCodeAgent])]
fn judge(bencher: divan::Bencher<'_, '_>, profile: Profile) {
    let reading = Reading::of(skill(7).as_bytes());
    let folder = FolderName::new("skill-00007".as_ref());
    bencher.bench(|| profile.judge(&folder, divan::black_box(&reading)));
}

#[divan::bench(sample_count = 20)]
fn scan_a_thousand() -> Facts {
    scan::scan(&CORPUS.project, Profile::Kaged.discovery()).expect("a scan")
}

#[divan::bench(sample_count = 20)]
fn rescan_a_thousand_unchanged(bencher: divan::Bencher<'_, '_>) {
    let mut scanner = Scanner::new(CORPUS.project.clone(), Profile::Kaged.discovery());
    scanner.refresh(&Scope::All, None).expect("a scan");
    bencher.bench_local(|| scanner.refresh(&Scope::All, None).expect("a scan"));
}

#[divan::bench(sample_count = 50)]
fn lay_out_a_deck_of_a_thousand() -> Deck {
    Deck::new(&CORPUS.project, &CORPUS.facts, &CORPUS.agents, &View::default()).expect("a deck")
}

#[cfg(feature = "tui")]
#[divan::bench(args = ["r", "review", "is:valid has:args", "zzz"])]
fn filter_a_thousand(bencher: divan::Bencher<'_, '_>, text: &str) {
    use skilldeck::tui::filter::Filter;
    use skilldeck::tui::listing::{Lister, Sort, Wanted};
    let deck = Arc::new(lay_out_a_deck_of_a_thousand());
    let filter = Filter::new(text);
    bencher.bench_local(|| {
        let (deck, filter) = (Arc::clone(&deck), filter.clone());
        Lister::default().list(&Wanted { deck, filter, sort: Sort::Cost, number: 1 })
    });
}

#[divan::bench]
fn show_plain_text() -> usize {
    shown(divan::black_box("Reviews code with a repeatable checklist.")).as_str().len()
}
