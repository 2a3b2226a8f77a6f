//! What each client tells a model of the same skills, within five budgets each.
//! Every expectation is written by hand from the client's rules, not computed.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use serde_json::Value;
use support::{BUDGET, Fixture, with_head};

/// Four skills: a short one, a long one, one with a wide description, one that
/// some clients do not list.
fn project() -> Fixture {
    let project = Fixture::new();
    project.skill("alpha", with_head("name: alpha\ndescription: abcdef"));
    project.skill("beta", with_head("name: beta\ndescription: uvwxyz0123456789"));
    project.skill("delta", with_head("name: delta\ndescription: 審査"));
    let quiet = "name: quiet\ndescription: hush\nhide: true\ndisable-model-invocation: true";
    project.skill("quiet", with_head(quiet));
    project
}

/// The catalog under a profile, and what its report says is used and the limit.
fn catalog(project: &Fixture, profile: &str, more: &[&str]) -> (String, u64, Option<u64>) {
    let args = [&["catalog", "--profile", profile], more].concat();
    let text = project.run(&args);
    assert_eq!(text.code, 0, "{text:?}");
    let json = project.run(&[args.as_slice(), &["--json"]].concat());
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["text"], text.stdout.as_str());
    let used = json["budget"]["used"].as_u64().unwrap();
    (text.stdout, used, json["budget"]["limit"].as_u64())
}

/// Characters of the lines, each with its end.
fn characters(text: &str) -> u64 {
    text.lines().map(|line| line.chars().count() as u64 + 1).sum()
}

fn check(profile: &str, table: &[(&str, &str)], tokens: &[(&str, &str)]) {
    let project = project();
    let at = project.at(".kaged/skills");
    let path = |text: &str| text.replace('@', at.to_str().unwrap());
    let budget = |limit: &str| {
        // What a path adds is part of the budget, and not the same everywhere.
        let (count, rest) = limit.split_once('@').unwrap_or(("0", limit));
        let paths = count.parse::<usize>().unwrap() * at.to_str().unwrap().chars().count();
        (rest.parse::<usize>().unwrap() + paths).to_string()
    };
    for (limit, want) in table {
        let limit = budget(limit);
        let (text, used, reported) = catalog(&project, profile, &["--budget", &limit]);
        assert_eq!(text, path(want), "{profile} {limit}");
        if text == "(none)" {
            assert_eq!(used, 0, "{profile} {limit}");
        } else {
            assert_eq!(used, characters(&text), "{profile} {limit}");
        }
        if profile != "agentskills" {
            assert_eq!(reported, Some(limit.parse().unwrap()), "{profile}");
        }
    }
    for (window, want) in tokens {
        let (text, ..) = catalog(&project, profile, &["--window", window]);
        assert_eq!(text, path(want), "{profile} {window}");
    }
}

// 16, 25 and 12 characters with their ends.
const ALPHA: &str = "- alpha: abcdef";
const BETA: &str = "- beta: uvwxyz0123456789";
const DELTA: &str = "- delta: 審査";

#[test]
fn kaged_and_kaged_strict_stop_at_the_first_that_does_not_fit() {
    let all = format!("{ALPHA}\n{BETA}\n{DELTA}");
    let two = format!("{ALPHA}\n{BETA}");
    for profile in ["kaged", "kaged-strict"] {
        check(
            profile,
            &[("53", &all), ("52", &two), ("41", &two), ("40", ALPHA), ("0", ALPHA)],
            &[],
        );
    }
}

#[test]
fn mycodeagent_knows_no_hidden_skill() {
    // The line of the fourth has 14.
    let all = format!("{ALPHA}\n{BETA}\n{DELTA}\n- quiet: hush");
    let three = format!("{ALPHA}\n{BETA}\n{DELTA}");
    let two = format!("{ALPHA}\n{BETA}");
    check(
        "mycodeagent",
        &[("67", &all), ("66", &three), ("52", &two), ("40", ALPHA), ("1", ALPHA)],
        &[],
    );
}

#[test]
fn agentskills_cuts_nothing() {
    let entry = |name: &str, about: &str| {
        format!(
            "<skill>\n<name>\n{name}\n</name>\n<description>\n{about}\n</description>\n<location>\n\
             @/{name}/SKILL.md\n</location>\n</skill>\n"
        )
    };
    let all = format!(
        "<available_skills>\n{}{}{}{}</available_skills>",
        entry("alpha", "abcdef"),
        entry("beta", "uvwxyz0123456789"),
        entry("delta", "審査"),
        entry("quiet", "hush")
    );
    let budgets = ["100000", "8000", "100", "1", "0"].map(|limit| (limit, all.as_str()));
    check("agentskills", &budgets, &[]);
}

#[test]
fn claude_code_keeps_every_name() {
    // The names alone have 8, 7 and 8; the descriptions add 8, 18 and 4.
    let all = format!("{ALPHA}\n{BETA}\n{DELTA}");
    check(
        "claude-code",
        &[
            ("53", &all),
            ("52", &format!("{ALPHA}\n{BETA}\n- delta")),
            ("35", &format!("{ALPHA}\n- beta\n{DELTA}")),
            ("30", &format!("- alpha\n- beta\n{DELTA}")),
            ("0", "- alpha\n- beta\n- delta"),
        ],
        // 1 % of it, 4 characters a token.
        &[
            ("1325", &all),
            ("1300", &format!("{ALPHA}\n{BETA}\n- delta")),
            ("100", "- alpha\n- beta\n- delta"),
        ],
    );
}

#[test]
fn codex_shortens_by_turns() {
    let line = |name: &str, about: &str| {
        let about = if about.is_empty() { String::new() } else { format!("{about} ") };
        format!("- {name}: {about}(file: @/{name}/SKILL.md)")
    };
    let four = |about: [&str; 4]| {
        let names = ["alpha", "beta", "delta", "quiet"];
        names.iter().zip(about).map(|(n, a)| line(n, a)).collect::<Vec<_>>().join("\n")
    };
    // A line without description has 23 characters, twice its name and the path
    // of the root: 33, 31, 33 and 33 with those names, 130 in all. A description
    // adds itself and a space: 7, 17, 3 and 5.
    check(
        "codex",
        &[
            ("4@162", &four(["abcdef", "uvwxyz0123456789", "審査", "hush"])),
            ("4@161", &four(["abcdef", "uvwxyz012345678", "審査", "hush"])),
            ("4@145", &four(["abc", "uvw", "審査", "hus"])),
            ("4@130", &four(["", "", "", ""])),
            ("1@32", &line("beta", "")),
        ],
        &[],
    );
}

#[test]
fn codex_counts_tokens_of_a_window() {
    let project = project();
    let (text, ..) = catalog(&project, "codex", &["--window", "1000000"]);
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains(": uvwxyz0123456789 (file: "), "{text}");
    // 2 % of it are tokens, and a token is four bytes of a line with its end.
    let tokens = |line: &str| (line.len() as u64 + 1).div_ceil(4);
    let whole: u64 = text.lines().map(tokens).sum();
    let window = (whole * 50).to_string();
    let (again, used, limit) = catalog(&project, "codex", &["--window", &window]);
    assert_eq!((again.as_str(), used, limit), (text.as_str(), whole, Some(whole)));
    let window = ((whole - 1) * 50).to_string();
    let (less, used, _) = catalog(&project, "codex", &["--window", &window]);
    assert!(used < whole && less.len() < text.len(), "{less}");
    assert_eq!(less.lines().count(), 4);
}

#[test]
fn a_budget_of_the_environment_is_none_of_other_clients() {
    let mut project = project();
    project.env(BUDGET, "1");
    for (profile, limit) in [
        ("kaged", Some(1)),
        ("mycodeagent", Some(1)),
        ("claude-code", Some(8_000)),
        ("codex", Some(8_000)),
        ("agentskills", None),
        ("zed", None),
    ] {
        let (_, _, got) = catalog(&project, profile, &[]);
        assert_eq!(got, limit, "{profile}");
    }
}
