//! What a program that runs agents gets of the library.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use serde_json::{Value, json};
use skilldeck::harness::{Call, Library, OpenError, Reply};
use skilldeck::profile::Profile;
use skilldeck::project::activate::ErrorCode;
use skilldeck::project::{Project, View};
use skilldeck::prompt::Budget;
use skilldeck::prompt::arguments::Arguments;
use skilldeck::prompt::catalog::State;
use support::{Fixture, good, with_head};

fn open(project: &Fixture, view: View) -> Library {
    Library::open(Project::open(&project.project()).unwrap(), view).unwrap()
}

fn three() -> Fixture {
    let project = Fixture::new();
    project.skill("ask", with_head("name: ask\ndescription: Asks.") + "Ask $ARGUMENTS now.\n");
    project.skill("fix", good("fix", "Fixes."));
    project.skill("hush", with_head("description: Hush.\nhide: true"));
    project.skill("bad", "no fence");
    project
}

#[test]
fn what_is_said_is_of_one_moment_and_refresh_tells_what_changed() {
    let project = three();
    let mut library = open(&project, View::default());
    assert_eq!(library.catalog().text(), "- ask: Asks.\n- fix: Fixes.");
    assert_eq!(library.catalog().used(), 27);
    assert_eq!(library.refresh().unwrap(), None);
    project.skill("new", good("new", "New."));
    project.skill("fix", good("fix", "Fixes all."));
    std::fs::remove_dir_all(project.at(".kaged/skills/bad")).unwrap();
    assert_eq!(library.catalog().listed(), ["ask", "fix"], "not before it is told to look");
    let difference = library.refresh().unwrap().expect("something changed");
    let folders = |list: &[skilldeck::project::report::SkillReport]| -> Vec<String> {
        list.iter().map(|skill| skill.folder.clone()).collect()
    };
    assert_eq!(folders(&difference.added), ["new"]);
    assert_eq!(folders(&difference.changed), ["fix"]);
    assert_eq!(difference.removed, ["bad"]);
    assert_eq!(library.catalog().text(), "- ask: Asks.\n- fix: Fixes all.\n- new: New.");
    assert_eq!(library.refresh().unwrap(), None);
}

#[test]
fn agents_budgets_and_clients_are_looked_as_without_reading_again() {
    let project = three();
    project.file(".kaged/project.yaml", "primary:\n  subagents:\n    one:\n      skills: [fix]\n");
    let mut library = open(&project, View::default());
    let agent = Some("primary/one".to_owned());
    library.look_as(View { agent, ..View::default() }).unwrap();
    assert_eq!(library.catalog().listed(), ["fix"]);
    assert_eq!(library.tool_definition().unwrap().names(), ["fix"]);
    library.look_as(View { budget: Budget::trial(Some(13)), ..View::default() }).unwrap();
    assert_eq!(library.catalog().listed(), ["ask"]);
    let left: Vec<_> = library.catalog().left_out().to_vec();
    assert_eq!(
        left,
        [
            ("bad".to_owned(), State::Error),
            ("fix".to_owned(), State::Cut),
            ("hush".to_owned(), State::Hidden)
        ]
    );
    // A client that looks deeper reads what lies deeper.
    project.skill("group/deep", good("deep", "Deep."));
    library.look_as(View { profile: Profile::MyCodeAgent, ..View::default() }).unwrap();
    assert!(library.catalog().listed().contains(&"deep".to_owned()));
    // What cannot be done leaves everything as it was.
    let nobody = View { agent: Some("nobody".to_owned()), ..View::default() };
    let error = library.look_as(nobody.clone()).unwrap_err();
    assert!(matches!(error, OpenError::Agent(_)), "{error}");
    assert_eq!(library.profile(), Profile::MyCodeAgent);
    assert!(library.catalog().listed().contains(&"deep".to_owned()));
    assert_eq!(library.refresh().unwrap(), None);
    assert!(Library::open(Project::open(&project.project()).unwrap(), nobody).is_err());
}

#[test]
fn without_a_usable_skill_there_is_no_tool() {
    let project = Fixture::new();
    project.skill("bad", "no fence");
    let library = open(&project, View::default());
    assert_eq!(library.tool_definition(), None);
    assert_eq!(library.catalog().text(), "(none)");
}

#[test]
fn an_activation_is_of_the_disk_as_it_is_now_and_a_miss_looks_once_more() {
    let project = three();
    let mut library = open(&project, View::default());
    project.skill("fix", good("fix", "Fixes.") + "Now.\n");
    let text = library.activate("fix", Arguments::NotGiven).unwrap().content;
    assert!(text.contains("Now."), "{text}");
    project.skill("late", good("late", "Late."));
    assert_eq!(library.activate(" late ", Arguments::NotGiven).unwrap().name, "late");
    let code = |library: &mut Library, name: &str| {
        library.activate(name, Arguments::NotGiven).unwrap_err().code
    };
    assert_eq!(code(&mut library, "gone"), ErrorCode::NotFound);
    assert_eq!(code(&mut library, " "), ErrorCode::InvalidParam);
    assert_eq!(code(&mut library, "bad"), ErrorCode::NotFound);
    assert_eq!(library.activate("hush", Arguments::NotGiven).unwrap().name, "hush");
    project.skill("fix", "no fence any more");
    assert_eq!(code(&mut library, "fix"), ErrorCode::NotFound);
    std::fs::remove_dir_all(project.at(".kaged/skills/ask")).unwrap();
    assert_eq!(code(&mut library, "ask"), ErrorCode::NotFound);
    // A name that now is another's.
    project.skill("ask", with_head("name: other\ndescription: Other."));
    assert_eq!(library.activate("other", Arguments::NotGiven).unwrap().name, "other");
}

#[test]
fn an_agent_activates_only_what_it_may_use() {
    let project = three();
    project.file(".kaged/project.yaml", "primary:\n  skills: [fix]\n");
    let mut library = open(&project, View::default());
    let error = library.activate("ask", Arguments::NotGiven).unwrap_err();
    assert_eq!(error.code, ErrorCode::PermissionDenied);
    assert!(error.message.contains("primary") && error.message.contains("ask"), "{error}");
    // What it may use from now on it may use at once.
    project.file(".kaged/project.yaml", "primary:\n  skills: [fix, ask]\n");
    assert!(library.activate("ask", Arguments::NotGiven).is_ok());
}

fn reply(library: &mut Library, parameters: Value) -> (Reply, Value) {
    let reply = library.call(&Call::new(parameters), false);
    let json = serde_json::to_value(&reply).unwrap();
    (reply, json)
}

#[test]
fn a_call_of_the_article_is_answered_in_its_form() {
    let project = three();
    let mut library = open(&project, View { profile: Profile::MyCodeAgent, ..View::default() });
    let (good, json) = reply(&mut library, json!({"name": " ask ", "args": " this "}));
    assert!(good.is_success());
    assert_eq!(json["status"], "success");
    assert_eq!(json["data"]["name"], "ask");
    assert_eq!(json["data"]["base_dir"], ".kaged/skills/ask");
    let content = json["data"]["content"].as_str().unwrap();
    assert!(content.starts_with("Base directory for this skill: .kaged/skills/ask\n\n"));
    assert!(content.ends_with("Ask this now."), "{content}");
    assert!(json["stats"]["time_ms"].is_u64() && json.get("error").is_none());
    assert_eq!(json["context"]["params_input"]["name"], " ask ");
    assert_eq!(json["context"]["path_resolved"], ".kaged/skills/ask/SKILL.md");
    assert_eq!(json["context"]["cwd"], project.project().to_str().unwrap());

    for (parameters, code, text) in [
        (json!({"name": "askk"}), "NOT_FOUND", "did you mean `ask`"),
        (json!({}), "INVALID_PARAM", "`name` is missing"),
        (json!({"name": ""}), "INVALID_PARAM", "`name` is missing"),
        (json!({"name": 7}), "INVALID_PARAM", "must be a string"),
        (json!({"name": "ask", "args": ["x"]}), "INVALID_PARAM", "must be a string"),
        (json!("ask"), "INVALID_PARAM", "`name` is missing"),
        (json!({"name": "bad"}), "NOT_FOUND", "bad"),
    ] {
        let (bad, json) = reply(&mut library, parameters.clone());
        assert!(!bad.is_success(), "{parameters}");
        assert_eq!(json["status"], "error", "{parameters}");
        assert_eq!(json["error"]["code"], code, "{parameters}");
        assert!(bad.content().contains(text), "{parameters}: {}", bad.content());
        assert_eq!(json["data"], json!({}), "{parameters}");
    }
}

#[test]
fn a_call_that_refreshes_sees_what_came_under_the_same_name() {
    let project = three();
    let mut library = open(&project, View::default());
    project.skill("aaa", with_head("name: ask\ndescription: Takes the name."));
    let call = Call::new(json!({"skill": "ask"}));
    let content = |reply: Reply| reply.content().to_owned();
    assert!(content(library.call(&call, false)).contains("skills/ask"));
    library.call(&call, true);
    assert_eq!(library.deck().skills.iter().filter(|s| s.title() == "ask").count(), 2);
}
