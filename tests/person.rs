//! What somebody finds out from the screen alone, who knows none of its keys.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod atlas;

use atlas::large::{BUDGET, FAILING, NOT_LISTED, large};
use atlas::person::{Person, unbroken};
use atlas::screen::{SIZES, Screen};

#[test]
fn why_a_skill_is_not_listed_can_be_found_out() {
    let atlas = large();
    for size in SIZES {
        for (folder, typed, why) in NOT_LISTED {
            let mut person = Person::at(Screen::open(atlas.dir(), BUDGET, size));
            person.gets("filter", "filter");
            person.types(typed);
            person.does("keep");
            person.runs("top");
            // Two of one name: it is the one whose folder was asked for.
            let mut said = String::new();
            for _ in 0..person.list().len() {
                person.gets("open", "open");
                said = person.page();
                if said.contains(&format!(".kaged/skills/{folder}")) {
                    break;
                }
                person.does("list");
                person.gets("down", "down");
            }
            for words in why {
                assert!(said.contains(&unbroken(words)), "{folder} at {size:?}, {words}: {said}");
            }
        }
    }
}

#[test]
fn which_of_many_skills_fail_and_why_can_be_found_out() {
    let atlas = large();
    for size in SIZES {
        let mut person = Person::at(Screen::open(atlas.dir(), BUDGET, size));
        assert!(person.sees().contains("Skills 66"), "{}", person.sees());
        person.gets("filter", "filter");
        person.types_seen("is:error");
        assert!(person.sees().contains(&format!("{} found", FAILING.len())), "{}", person.sees());
        person.does("keep");
        person.runs("top");
        let count = person.list().len();
        let mut found = Vec::new();
        for at in 0..count {
            person.gets("open", "open");
            person.opens("Overview");
            let overview = person.page();
            person.opens("Problems");
            let problems = person.page();
            found.extend(FAILING.into_iter().filter(|(folder, code)| {
                overview.contains(&format!(".kaged/skills/{folder}"))
                    && problems.contains(&format!("error{code}"))
            }));
            person.does("list");
            if at + 1 < count {
                person.gets("down", "down");
            }
        }
        assert_eq!(found, FAILING, "at {size:?}");
    }
}
