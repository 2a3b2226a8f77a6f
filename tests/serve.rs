//! `skilldeck serve`: the tool `skill.use` and the files of skills over MCP.
//! `tests/other_client.py` does the same with a client of another make.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use support::{Fixture, good, with_head};
use tokio::sync::Notify;

/// Only a program that hangs takes so long.
const HANGS: Duration = Duration::from_secs(30);

fn project() -> Fixture {
    let project = Fixture::new();
    project.skill("ask", with_head("name: ask\ndescription: Asks.") + "Ask $ARGUMENTS now.\n");
    project.skill("fix", good("fix", "Fixes."));
    project.file(".kaged/skills/fix/notes.md", "Notes.\n");
    project
}

/// A client that hears of changes.
#[derive(Clone, Default)]
struct Ear {
    tools: Arc<Notify>,
    files: Arc<Notify>,
}

impl ClientHandler for Ear {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools.notify_one();
    }
    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.files.notify_one();
    }
}

async fn connect(project: &Fixture, args: &[&str], ear: &Ear) -> RunningService<RoleClient, Ear> {
    let mut command: tokio::process::Command = project.command(&[&["serve"], args].concat()).into();
    command.kill_on_drop(true);
    let transport = TokioChildProcess::new(command).unwrap();
    ear.clone().serve(transport).await.unwrap()
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(HANGS, test).await });
    runtime.shutdown_background();
    done.expect("it takes too long");
}

async fn names(client: &RunningService<RoleClient, Ear>) -> Vec<String> {
    let tools = client.list_all_tools().await.unwrap();
    let Some(tool) = tools.first() else { return Vec::new() };
    let names = tool.input_schema["properties"]["skill"]["enum"].as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap().to_owned()).collect()
}

async fn call(client: &RunningService<RoleClient, Ear>, arguments: Value) -> (bool, String) {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    let request = CallToolRequestParams::new("skill.use").with_arguments(arguments);
    let result = serde_json::to_value(client.call_tool(request).await.unwrap()).unwrap();
    let text = result["content"][0]["text"].as_str().unwrap().to_owned();
    (result["isError"].as_bool().unwrap_or(false), text)
}

#[test]
fn the_tool_is_that_of_the_catalog_and_a_call_gives_the_text_of_preview() {
    run(async {
        let project = project();
        let client = connect(&project, &[], &Ear::default()).await;
        assert_eq!(names(&client).await, ["ask", "fix"]);
        let tools = serde_json::to_value(client.list_all_tools().await.unwrap()).unwrap();
        let tool = project.run(&["tool"]).json();
        assert_eq!(tools[0]["name"], tool["name"]);
        assert_eq!(tools[0]["description"], tool["description"]);
        for args in [None, Some(""), Some("this")] {
            let mut parameters = json!({"skill": "ask"});
            let mut preview = vec!["preview", "ask"];
            if let Some(args) = args {
                parameters["args"] = json!(args);
                preview.extend(["--args", args]);
            }
            let want = project.run(&preview).stdout;
            assert_eq!(call(&client, parameters).await, (false, want), "{args:?}");
        }
        let (failed, text) = call(&client, json!({"skill": "fixx"})).await;
        assert!(failed && text.starts_with("NOT_FOUND: ") && text.contains("`fix`"), "{text}");
        client.cancel().await.unwrap();
    });
}

#[test]
fn changes_on_disk_are_told_and_a_body_alone_is_none() {
    run(async {
        let project = project();
        let ear = Ear::default();
        let client = connect(&project, &[], &ear).await;
        assert_eq!(names(&client).await.len(), 2);
        project.skill("late", good("late", "Late."));
        ear.tools.notified().await;
        ear.files.notified().await;
        assert_eq!(names(&client).await, ["ask", "fix", "late"]);
        // A file more is a change of the files alone, a body of neither.
        project.skill("fix", good("fix", "Fixes.") + "More.\n");
        assert!(call(&client, json!({"skill": "fix"})).await.1.contains("More."));
        project.file(".kaged/skills/fix/more.md", "More.\n");
        ear.files.notified().await;
        let is_told = tokio::time::timeout(Duration::ZERO, ear.tools.notified()).await.is_ok();
        assert!(!is_told, "the tool is what it was");
        client.cancel().await.unwrap();
    });
}

#[test]
fn an_agent_is_offered_what_it_may_use_and_nothing_else() {
    run(async {
        let project = project();
        project.file(".kaged/project.yaml", "primary:\n  skills: [ask]\n");
        let client = connect(&project, &["--agent", "primary"], &Ear::default()).await;
        assert_eq!(names(&client).await, ["ask"]);
        let (failed, text) = call(&client, json!({"skill": "fix"})).await;
        assert!(failed && text.starts_with("PERMISSION_DENIED: "), "{text}");
        let request = ReadResourceRequestParams::new("skill://fix/notes.md");
        assert!(client.read_resource(request).await.is_err(), "nor are its files");
        client.cancel().await.unwrap();
    });
}

#[test]
fn many_files_come_page_by_page() {
    run(async {
        let project = project();
        for i in 0..400 {
            project.file(format!(".kaged/skills/fix/f{i:04}"), "");
            project.file(format!(".kaged/skills/ask/f{i:04}"), "");
        }
        let client = connect(&project, &[], &Ear::default()).await;
        let first = client.list_resources(None).await.unwrap();
        assert!(first.next_cursor.is_some());
        let all = client.list_all_resources().await.unwrap();
        let mut uris: Vec<_> = all.iter().map(|resource| resource.uri.clone()).collect();
        let count = uris.len();
        uris.sort();
        uris.dedup();
        assert!(count > 500 && uris.len() == count, "{count}, {} different", uris.len());
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_file_that_became_a_link_out_of_the_folder_is_not_read() {
    run(async {
        let project = project();
        project.file(".kaged/skills/fix/docs/a.md", "A.\n");
        project.file("secret/a.md", "Secret.\n");
        let client = connect(&project, &["--poll"], &Ear::default()).await;
        let read = |uri: &str| client.read_resource(ReadResourceRequestParams::new(uri));
        assert!(read("skill://fix/docs/a.md").await.is_ok());
        std::fs::remove_dir_all(project.at(".kaged/skills/fix/docs")).unwrap();
        project.link(".kaged/skills/fix/docs", "../../../secret");
        std::fs::remove_file(project.at(".kaged/skills/fix/notes.md")).unwrap();
        project.link(".kaged/skills/fix/notes.md", "../../../secret/a.md");
        // Between two looks at the disk both are still listed.
        for uri in ["skill://fix/docs/a.md", "skill://fix/notes.md"] {
            assert!(read(uri).await.is_err(), "{uri}");
        }
        client.cancel().await.unwrap();
    });
}

/// The program with its streams, spoken to by hand.
struct ByHand {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    /// Answers that came before they were asked for.
    early: BTreeMap<u64, Value>,
}

impl ByHand {
    fn start(project: &Fixture) -> Self {
        let mut child = project
            .command(&["serve"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut by_hand = Self { child, lines, early: BTreeMap::new() };
        let version = "2025-06-18";
        by_hand.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "hand", "version": "1"}}}));
        assert_eq!(by_hand.next()["result"]["protocolVersion"], version);
        by_hand.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        by_hand
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.lines.read_line(&mut line).unwrap() > 0, "the server is gone");
        serde_json::from_str(&line).unwrap()
    }

    /// What answers a request; notices before it are passed over.
    fn answer(&mut self, id: u64) -> Value {
        // They come in any order.
        while !self.early.contains_key(&id) {
            let message = self.next();
            if let Some(id) = message["id"].as_u64() {
                self.early.insert(id, message);
            }
        }
        self.early.remove(&id).unwrap()
    }

    fn ends(mut self) -> std::process::ExitStatus {
        drop(self.child.stdin.take());
        self.child.wait().unwrap()
    }
}

#[test]
fn a_client_that_does_not_read_keeps_nobody_waiting() {
    let project = project();
    let mut hand = ByHand::start(&project);
    // Far more answers than a pipe takes, none of them read.
    let long = "x".repeat(200_000);
    project.skill("long", with_head("name: long\ndescription: Long.") + &long);
    for id in 1..=8 {
        hand.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "skill.use", "arguments": {"skill": "long"}}}));
    }
    for i in 0..20 {
        project.skill(format!("new-{i:02}"), good(&format!("new-{i:02}"), "New."));
    }
    hand.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}));
    for id in 1..=8 {
        let text = hand.answer(id)["result"]["content"][0]["text"].as_str().unwrap().len();
        assert!(text > 200_000, "{id}: {text}");
    }
    let mut tools = hand.answer(9);
    let mut id = 10;
    // What changed while nobody listened is there in the end.
    while tools["result"]["tools"][0]["inputSchema"]["properties"]["skill"]["enum"]
        .as_array()
        .unwrap()
        .len()
        < 23
    {
        hand.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}));
        tools = hand.answer(id);
        id += 1;
    }
    assert!(hand.ends().success(), "the end of its input is the end of the server");
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let project = project();
    let hand = ByHand::start(&project);
    let ByHand { mut child, lines, .. } = hand;
    drop(lines);
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[test]
fn what_cannot_be_served_is_said_and_ends_with_2() {
    let project = project();
    for (args, word) in [
        (vec!["--tool-name", "a b"], "no name for a tool"),
        (vec!["--tool-name", ""], "no name for a tool"),
        (vec!["--agent", "nobody"], "there is no agent `nobody`"),
        // Standard input is empty: no client begins.
        (vec![], "client"),
    ] {
        let run = project.run(&[&["serve"], args.as_slice()].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{args:?}: {}", run.stderr);
    }
}
