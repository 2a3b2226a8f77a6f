//! What a model is told of, and where the budget cuts it (CONTRACT §4).

mod support;

use serde_json::{Value, json};
use support::{BUDGET, Fixture, codes, each, good, row, strings, with_head};

/// Each of the seventeen lines takes 26 characters with its line end.
const COST: u64 = 26;
const ALL: u64 = 17 * COST;

fn name(n: usize) -> String {
    format!("skill-{n:02}")
}

fn line(n: usize) -> String {
    format!("- skill-{n:02}: Does step {n:02}.")
}

fn lines(count: usize) -> String {
    (1..=count).map(line).collect::<Vec<_>>().join("\n")
}

fn seventeen() -> Fixture {
    let project = Fixture::new();
    for n in 1..=17 {
        project.skill(name(n), good(&name(n), &format!("Does step {n:02}.")));
    }
    project
}

/// A budget: its text, the limit, how many lines it lets through, whether it
/// counts at all, and what the project's findings are beside `more-than-16`.
struct Given {
    text: Option<&'static str>,
    limit: Option<u64>,
    listed: usize,
    counts: bool,
    code: &'static str,
}

const fn given(
    text: &'static str,
    limit: Option<u64>,
    listed: usize,
    counts: bool,
    code: &'static str,
) -> Given {
    Given { text: Some(text), limit, listed, counts, code }
}

const FIRST: &str = "first-line-over-budget";
const DEFAULT: Option<u64> = Some(12_000);

const BUDGETS: [Given; 17] = [
    Given { text: None, limit: DEFAULT, listed: 17, counts: false, code: "" },
    given("", DEFAULT, 17, false, ""),
    given(" \t", DEFAULT, 17, false, ""),
    given("442", Some(ALL), 17, true, ""),
    given("441", Some(ALL - 1), 16, true, ""),
    given(" 442 ", Some(ALL), 17, true, ""),
    given("+442", Some(ALL), 17, true, ""),
    given("26", Some(COST), 1, true, ""),
    given("25", Some(25), 1, true, FIRST),
    given("1", Some(1), 1, true, FIRST),
    given("0", Some(0), 1, true, FIRST),
    given("-5", Some(0), 1, true, "budget-negative first-line-over-budget"),
    given("abc", DEFAULT, 17, false, "budget-not-an-integer"),
    given("12k", DEFAULT, 17, false, "budget-not-an-integer"),
    given("12_000", DEFAULT, 17, false, "budget-not-an-integer"),
    given("9223372036854775807", Some((1 << 63) - 1), 17, true, ""),
    given("9223372036854775808", None, 17, true, ""),
];

/// Runs `judge` with each budget, given by the environment and by the flag.
fn with_each_budget(judge: impl Fn(&Fixture, &[&str], &Given, &str)) {
    let mut project = seventeen();
    for given in &BUDGETS {
        let text = given.text.unwrap_or("");
        match given.text {
            Some(text) => project.env(BUDGET, text),
            None => project.unset(BUDGET),
        };
        judge(&project, &[], given, if given.counts { "env" } else { "default" });
        // The flag is what counts, whatever the environment says.
        if given.text.is_some_and(|text| !text.trim().is_empty()) {
            project.env(BUDGET, "77");
            let flag = if given.counts { "flag" } else { "default" };
            judge(&project, &["--budget", text], given, flag);
        }
    }
}

#[test]
fn the_list_tells_what_the_budget_does_to_each_skill() {
    with_each_budget(|project, args, given, source| {
        let what = format!("{:?} by {source}", given.text);
        let list = project.list_as(args);
        let used = COST * given.listed as u64;
        let budget = json!({
            "limit": given.limit, "used": used, "listed": given.listed,
            "cut": 17 - given.listed, "source": source,
        });
        assert_eq!(list["budget"], budget, "{what}");
        let codes = codes(&list);
        let others = codes.split(' ').filter(|code| *code != "more-than-16");
        assert_eq!(others.collect::<Vec<_>>().join(" "), given.code, "{what}");
        for (i, row) in list["skills"].as_array().unwrap().iter().enumerate() {
            let place = if i < given.listed {
                json!({"state": "listed", "cost": COST, "total": COST * (i as u64 + 1)})
            } else {
                json!({"state": "cut", "cost": COST, "total": null})
            };
            assert_eq!(row["catalog"], place, "{what}: skill {}", i + 1);
            assert_eq!(row["status"], "valid", "{what}: a cut is no fault of the skill");
        }
    });
}

#[test]
fn the_catalog_is_exact_and_says_on_the_side_what_is_cut() {
    with_each_budget(|project, args, given, source| {
        let what = format!("{:?} by {source}", given.text);
        let output = project.run(&[&["catalog"], args].concat());
        assert_eq!(output.code, 0, "{what}");
        assert_eq!(output.stdout, lines(given.listed), "{what}");
        let mut said = output.stderr.lines();
        if given.code.starts_with("budget-") {
            let warning = said.next().unwrap_or("");
            let text = given.text.unwrap_or("").trim();
            assert!(warning.contains(text), "{what}: names the value: {warning}");
        }
        let cut = 17 - given.listed;
        if cut > 0 {
            let past = COST * (given.listed as u64 + 1) - given.limit.unwrap_or(0);
            let of = if past == 1 { "1 character".into() } else { format!("{past} characters") };
            let first = name(given.listed + 1);
            let want = format!(
                "cut: {cut} of 17 skills do not reach the model, from `{first}` on ({of} past the \
                 cut)"
            );
            assert_eq!(said.next(), Some(want.as_str()), "{what}");
        }
        assert_eq!(said.next(), None, "{what}");
    });
}

#[test]
fn the_catalog_as_json_holds_the_text_and_each_place() {
    with_each_budget(|project, args, given, source| {
        let what = format!("{:?} by {source}", given.text);
        let catalog = project.run(&[&["catalog", "--json"], args].concat()).json();
        let text = lines(given.listed);
        assert_eq!(catalog["text"], text, "{what}");
        assert_eq!(catalog["text_chars"], text.len(), "{what}");
        assert_eq!(catalog["budget"]["limit"], json!(given.limit), "{what}");
        assert_eq!(catalog["budget"]["source"], source, "{what}");
        let past = |i: usize| {
            let reach = COST * (i as u64 + 1);
            (i >= given.listed).then(|| reach - given.limit.unwrap_or(0))
        };
        let got: Vec<_> =
            catalog["skills"].as_array().unwrap().iter().map(|s| &s["past"]).collect();
        let want: Vec<_> = (0..17).map(|i| json!(past(i))).collect();
        assert_eq!(got, want.iter().collect::<Vec<_>>(), "{what}");
    });
}

#[test]
fn a_budget_that_is_no_number_is_warned_of_by_every_command_that_uses_one() {
    let project = seventeen();
    for command in [
        &["list"][..],
        &["check"],
        &["catalog"],
        &["catalog", "--json"],
        &["catalog", "--explain"],
        &["tool"],
    ] {
        let output = project.run(&[command, &["--budget", "12k"]].concat());
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains("`12k`"), "{command:?}: {output:?}");
    }
}

#[test]
fn characters_are_counted_and_not_bytes() {
    let project = Fixture::new();
    project.skill("aa", good("aa", "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀"));
    project.skill("bb", good("bb", "审查"));
    for (budget, listed) in [("26", 2), ("25", 1)] {
        let list = project.list_as(&["--budget", budget]);
        assert_eq!(list["budget"]["listed"], listed, "{budget}");
    }
}

#[test]
fn the_catalog_stops_at_the_first_line_that_does_not_fit() {
    let project = Fixture::new();
    let huge = "y".repeat(500);
    project.skill("a-small", good("a-small", "tiny"));
    project.skill("b-huge", good("b-huge", &huge));
    project.skill("c-small", good("c-small", "tiny"));
    let output = project.run(&["catalog", "--budget", "60"]);
    assert_eq!(output.stdout, "- a-small: tiny");
    assert!(output.stderr.starts_with("cut: 2 of 3 skills"), "{}", output.stderr);
}

#[test]
fn lines_stand_in_the_order_of_their_bytes() {
    let project = Fixture::new();
    project.good(&["ab", "a1", "a-b", "a", "0"]);
    let output = project.run(&["catalog"]);
    let names: Vec<_> = output.stdout.lines().filter_map(|l| l.split(':').next()).collect();
    assert_eq!(names, ["- 0", "- a", "- a-b", "- a1", "- ab"]);
}

/// A project with a skill in each state.
fn states() -> Fixture {
    let project = Fixture::new();
    project.skill("alpha", good("alpha", "Is listed."));
    project.skill("beta", with_head("name: beta\ndescription: Is hidden.\nhide: true"));
    project.skill("gamma", good("gamma", "Is not for this agent."));
    project.skill("delta", with_head("name: delta"));
    project.skill("epsilon", good("alpha", "Has another's name."));
    project.skill("omega", good("omega", "Is past the cut."));
    project.file(
        ".kaged/project.yaml",
        "primary:\n  skills: [alpha, beta, delta, epsilon, omega]\n  subagents:\n    none:\n      \
         skills: []\n    hidden:\n      skills: [beta]\n",
    );
    project
}

#[test]
fn each_skill_has_its_state_and_the_reason_is_said() {
    let project = states();
    let list = project.list_as(&["--budget", "20"]);
    let explained = project.run(&["catalog", "--explain", "--budget", "20"]);
    for (folder, state, cost, reason) in [
        ("alpha", "listed", json!(20), "listed"),
        ("beta", "hidden", json!(19), "hidden: `hide: true`"),
        ("gamma", "filtered", json!(32), "filtered: the agent's `skills` leave it out"),
        ("delta", "error", Value::Null, "error: `description` is missing"),
        ("epsilon", "duplicate", Value::Null, "shadowed by the folder `alpha`"),
        ("omega", "cut", json!(26), "cut: 26 characters past the cut"),
    ] {
        let place = &row(&list, folder)["catalog"];
        assert_eq!((place["state"].as_str(), &place["cost"]), (Some(state), &cost), "{folder}");
        let line = explained.stdout.lines().find(|line| line.contains(reason));
        assert!(line.is_some(), "{folder}: {reason}: {}", explained.stdout);
    }
    assert_eq!(explained.stderr, "", "it is said once");
    assert!(explained.stdout.contains("20 of 20 characters used"), "{}", explained.stdout);
}

#[test]
fn the_list_has_the_fields_that_scripts_rely_on() {
    let project = states();
    project.skill("oddity", good("other", "Has another name."));
    project.file(".kaged/skills/README.md", "x");
    let list = project.list_as(&["--budget", "abc"]);
    let finding = "code column file fix level line message";
    for (of, fields) in [
        (&list, "agent budget findings not_loaded profile project root schema skills"),
        (&list["budget"], "cut limit listed source used"),
        (&list["findings"][0], finding),
        (
            row(&list, "oddity"),
            "body_chars body_tokens catalog description findings folder modified name path status",
        ),
        (&row(&list, "oddity")["catalog"], "cost state total"),
        (&row(&list, "oddity")["findings"][0], finding),
        (&list["not_loaded"][0], "code message path"),
    ] {
        let mut got: Vec<_> = of.as_object().unwrap().keys().map(String::as_str).collect();
        got.sort_unstable();
        assert_eq!(got.join(" "), fields, "{of}");
    }
    let alpha = row(&list, "alpha");
    assert_eq!(
        (&list["schema"], &alpha["body_chars"], &alpha["body_tokens"]),
        (&json!(1), &json!(8), &json!(2))
    );
    assert_eq!(list["root"], project.at(".kaged/skills").to_str().unwrap());
    let modified = alpha["modified"].as_str().unwrap();
    assert!(
        modified.len() == 20 && modified.ends_with('Z') && &modified[10..11] == "T",
        "{modified}"
    );
}

#[test]
fn what_brings_a_cut_skill_back_is_said_and_true() {
    let project = Fixture::new();
    let long = "x".repeat(90);
    project.skill("a", good("a", &long)).skill("b", good("b", "short"));
    let explained = project.run(&["catalog", "--explain", "--budget", "96"]);
    let want = "To bring back `b`: 11 characters must go\n    shorten `a` from 90 to 79 characters, by \
                11\n    or a budget of 107 characters\n";
    assert!(explained.stdout.contains(want), "{}", explained.stdout);
    for (shorter, listed) in [(10, 1), (11, 2)] {
        project.skill("a", good("a", &long[shorter..]));
        let list = project.list_as(&["--budget", "96"]);
        assert_eq!(list["budget"]["listed"], listed, "{shorter} shorter");
    }
}

#[test]
fn nothing_to_list_is_none_and_nothing_to_use_is_no_tool() {
    let project = states();
    for (what, args, enums) in [
        ("no skill for the agent", &["--agent", "primary/none"][..], None),
        ("a hidden one", &["--agent", "primary/hidden"], Some(vec!["beta"])),
    ] {
        assert_eq!(project.run(&[&["catalog"], args].concat()).stdout, "(none)", "{what}");
        let tool = project.run(&[&["tool"], args].concat()).json();
        let Some(enums) = enums else {
            assert_eq!(tool, Value::Null, "{what}");
            continue;
        };
        let about = tool["description"].as_str().unwrap();
        assert!(about.ends_with("\n\nAvailable skills:\n\n(none)"), "{what}: {about}");
        assert_eq!(strings(&tool["parameters"]["properties"]["skill"]["enum"]), enums, "{what}");
    }
    let project = Fixture::new();
    for command in [&["catalog"][..], &["catalog", "--budget", "0"], &["tool"]] {
        let output = project.run(command);
        let want = if command[0] == "tool" { "null" } else { "(none)" };
        assert_eq!((output.code, output.stdout.as_str()), (0, want), "no skill: {command:?}");
        assert_eq!(output.stderr, "", "no skill: {command:?}");
    }
    assert_eq!(codes(&project.list_as(&["--budget", "0"])), "", "no first line is over it");
}

#[test]
fn the_tool_is_exact_and_its_enum_holds_what_is_cut_and_hidden() {
    let project = states();
    let output = project.run(&["tool", "--budget", "20"]);
    assert_eq!(
        output.stdout,
        r#"{"name":"skill.use","description":"Activate a skill — load domain knowledge, methodology, or instructions into your context.\n\nAvailable skills:\n\n- **alpha**: Is listed.","parameters":{"type":"object","required":["skill"],"properties":{"skill":{"type":"string","enum":["alpha","beta","omega"]}}}}"#
    );
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
}

#[test]
fn the_tool_and_the_prompt_list_hold_the_same_skills() {
    let project = seventeen();
    for budget in ["60", "442", "0"] {
        let tool = project.run(&["tool", "--budget", budget]).json();
        let catalog = project.run(&["catalog", "--budget", budget]).stdout;
        let (_, list) = tool["description"].as_str().unwrap().split_once(":\n\n").unwrap();
        assert_eq!(list.replace("**", ""), catalog, "{budget}");
        let all: Vec<_> = (1..=17).map(name).collect();
        assert_eq!(strings(&tool["parameters"]["properties"]["skill"]["enum"]), all, "{budget}");
    }
}

#[test]
fn a_prompt_is_filled_where_its_slots_are() {
    let project = Fixture::new();
    project.skill("a", good("a", "Fills {{available_skills}} and {0}"));
    let list = "- a: Fills {{available_skills}} and {0}";
    for (what, prompt, want, said) in [
        ("a slot", "Use:\r\n{{available_skills}}\r\n", format!("Use:\r\n{list}\r\n"), ""),
        ("a slot in a line", "<{{available_skills}}>", format!("<{list}>"), ""),
        ("two slots", "{{available_skills}}{{available_skills}}", format!("{list}{list}"), ""),
        ("no slot", "{{ available_skills }}\n", "{{ available_skills }}\n".into(), "holds no {{"),
        ("an empty file", "", String::new(), "holds no {{"),
    ] {
        project.file("prompt.txt", prompt);
        let output = project.run(&["catalog", "--fill", "prompt.txt"]);
        assert_eq!((output.code, output.stdout), (0, want), "{what}");
        assert_eq!(output.stderr.is_empty(), said.is_empty(), "{what}: {}", output.stderr);
        assert!(output.stderr.contains(said), "{what}: {}", output.stderr);
    }
    project.file("prompt.txt", b"\xff{{available_skills}}");
    for file in ["prompt.txt", "none.txt", "."] {
        let output = project.run(&["catalog", "--fill", file]);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{file}");
        assert!(output.stderr.contains(file), "{file}: {}", output.stderr);
    }
}

#[test]
fn a_filled_prompt_says_what_is_cut() {
    let project = seventeen();
    project.file("prompt.txt", "{{available_skills}}\n");
    let output = project.run(&["catalog", "--fill", "prompt.txt", "--budget", "60"]);
    assert_eq!(output.stdout, format!("{}\n", lines(2)));
    assert!(output.stderr.starts_with("cut: 15 of 17 skills"), "{}", output.stderr);
}

#[test]
fn more_than_sixteen_skills_are_a_note_and_all_are_used() {
    let project = seventeen();
    let list = project.list();
    assert_eq!(each(&list["findings"], "level"), ["note"]);
    assert_eq!((codes(&list).as_str(), &list["budget"]["listed"]), ("more-than-16", &json!(17)));
    assert_eq!(project.run(&["check", "--strict"]).code, 0);
}
