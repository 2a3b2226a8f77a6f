//! The config file: what it sets, what is said of its mistakes, and that they stop nothing.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use skilldeck::config;
use skilldeck::profile::Profile;
use skilldeck::project::{Agents, Deck, Project, View, scan};
use support::{BUDGET, Fixture, Output, codes, good, raw_controls, row, with_head};

/// A skill with a note, and a long description.
fn project() -> Fixture {
    let project = Fixture::new();
    project.skill("a", with_head(&format!("name: a\ndescription: {}\nalwaysApply: true", long())));
    project.good(&["b"]);
    project
}

/// 100 characters.
fn long() -> String {
    "x".repeat(100)
}

fn file(project: &Fixture) -> PathBuf {
    project.config_home().join("skilldeck/config.toml")
}

/// Writes the config file.
fn set(project: &Fixture, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(file(project).parent().unwrap()).unwrap();
    fs::write(file(project), bytes).unwrap();
}

/// The `line:column` and message of each line, which begins with the path.
#[track_caller]
fn mistakes<'a>(project: &Fixture, text: &'a str, start: &str) -> Vec<(&'a str, &'a str)> {
    let start = format!("{start}{}:", file(project).display());
    text.lines()
        .map(|line| {
            let rest = line.strip_prefix(&start).unwrap_or_else(|| panic!("{line:?}"));
            rest.split_once(": ").unwrap()
        })
        .collect()
}

/// A config file, and the place and a part of the message of all that is wrong in it.
type Wrong = (&'static [u8], &'static [(&'static str, &'static str)]);

const PROFILES: &str = "write one of \"kaged\", \"kaged-strict\", \"mycodeagent\"";
const BUDGETS: &str = "write a number of characters, 0 or more, as in 12000";
const LIMITS: &str = "write a whole number from 1 to 1024";

const WRONG: &[Wrong] = &[
    // Syntax, amid other mistakes.
    (
        b"budget = \"many\"\nprofile = kaged\nmouse = 1\n= 3\ntheme\n",
        &[
            ("1:10", "`budget` is \"many\"; "),
            ("2:11", "no valid TOML: string values must be quoted"),
            ("3:9", "`mouse` is 1; write true or false"),
            ("4:1", "no valid TOML: unquoted keys cannot be empty"),
            ("5:6", "no valid TOML: key with no value, expected `=`"),
        ],
    ),
    (
        b"editor = \"vi\nascii = 0\n[keys\nquit = 1\n",
        &[
            ("1:13", "no valid TOML: invalid basic string"),
            ("2:9", "`ascii` is 0"),
            ("3:6", "no valid TOML: unclosed table, expected `]`"),
        ],
    ),
    (
        b"[silence]\na = [\n  \"long-body\",\n  word,\n  1,\n]\nb = 2\n",
        &[("4:3", "no valid TOML: string values must be quoted"), ("7:5", "`b` is 2")],
    ),
    // Names.
    (b"profil = \"kaged\"\n", &[("1:1", "there is no setting `profil`; did you mean `profile`?")]),
    (
        b"\n  zzz = 1\n",
        &[(
            "2:3",
            "no setting `zzz`; there are profile, budget, description_limit, editor, metrics, mouse, ascii, theme, keys, silence",
        )],
    ),
    (b"[screen]\nmouse = true\n[screen.more]\nx = 1\n", &[("1:2", "there is no setting `screen`")]),
    (
        b"mouse = true\nmouse = false\n[keys]\nquit = \"x\"\nquit = \"y\"\n",
        &[
            ("2:1", "`mouse` is set twice"),
            ("5:1", "`quit` is set twice, and the first one counts"),
        ],
    ),
    // A wrong type of each.
    (b"profile = 1\n", &[("1:11", PROFILES)]),
    (b"budget = 1.5\n", &[("1:10", "`budget` is 1.5; write a number of characters")]),
    (b"description_limit = \"280\"\n", &[("1:21", "`description_limit` is \"280\"; ")]),
    (b"editor = [\"vi\"]\n", &[("1:10", "`editor` is a list; write the name of a program")]),
    (b"mouse = \"yes\"\n", &[("1:9", "`mouse` is \"yes\"; write true or false")]),
    (b"ascii = 1979-05-27\n", &[("1:9", "`ascii` is a date or time; write true or false")]),
    (b"theme = true\n", &[("1:9", "write one of \"terminal\", \"light\", \"dark\", \"mono\"")]),
    (b"keys = \"q\"\n", &[("1:8", "`keys` is \"q\"; write a table [keys]")]),
    (b"[[silence]]\na = []\n", &[("1:1", "`silence` is a list; write a table [silence]")]),
    (
        b"[profile]\nname = \"kaged\"\n[budget]\n",
        &[("1:1", "`profile` is a table; "), ("3:1", "`budget` is a table; ")],
    ),
    // Wrong values.
    (b"profile = \"claude\"\n", &[("1:11", "`profile` is \"claude\"; write one of \"kaged\"")]),
    (b"theme = \"Dark\"\n", &[("1:9", "`theme` is \"Dark\"")]),
    (b"editor = \"  \"\n", &[("1:10", "`editor` is \"  \"")]),
    (b"description_limit = -1\n", &[("1:21", LIMITS)]),
    (b"description_limit = 0\n", &[("1:21", LIMITS)]),
    (b"description_limit = 1025\n", &[("1:21", LIMITS)]),
    (b"description_limit = 99999999999999999999999\n", &[("1:21", LIMITS)]),
    (b"budget = \"12k\"\n", &[("1:10", BUDGETS)]),
    (b"budget = -5\n", &[("1:10", BUDGETS)]),
    (
        b"[keys]\nquit = 1\nopen = [\"o\", 2, []]\nhelp = { a = 1 }\n",
        &[
            ("2:8", "`quit` is 1; write a key as in"),
            ("3:14", "a key of `open` is 2; "),
            ("3:17", "a key of `open` is a list; "),
            ("4:8", "`help` is a table; "),
        ],
    ),
    // Silence.
    (
        b"[silence]\na = [\"name-mismatch\", \"long-body\", \"missing-description\"]\n",
        &[
            (
                "2:6",
                "`name-mismatch` is of level warning; only notes can be silenced; these are mixed-eol, ",
            ),
            ("2:36", "`missing-description` is of level error; only notes"),
        ],
    ),
    (
        b"[silence]\n\"*\" = [\"long-bodi\", \"qqq\", 7]\n",
        &[
            ("2:8", "there is no finding `long-bodi`; did you mean `long-body`?"),
            ("2:21", "there is no finding `qqq`; only notes can be silenced"),
            ("2:28", "what is silenced of `*` is 7; only notes can be silenced"),
        ],
    ),
    (
        b"[silence]\na = \"long-body\"\nb.c = []\n",
        &[
            ("2:5", "`a` is \"long-body\"; write a list of notes"),
            ("3:1", "`b` is a table; write a list of notes"),
        ],
    ),
    // What a file may look like.
    (b"\xef\xbb\xbfmouse = 1\nnonsense = 2\n", &[("1:9", "`mouse` is 1"), ("2:1", "`nonsense`")]),
    (
        b"# \xe5\xae\xa1\r\nmouse = 1\r\n\r\n\"\xe5\xae\xa1\" = 1\r\ntheme = \"\xe5\xae\xa1\"\r\n",
        &[("2:9", "`mouse`"), ("4:1", "no setting `审`"), ("5:9", "`theme` is \"审\"")],
    ),
    (
        b"theme = \"\\u001b[2Jx\\u202e\"\n\"a\\u0007\" = 1\nmouse = \"\x1b\"\n",
        &[
            ("1:9", "`theme` is \"\\x1B[2Jx\\u{202E}\"; "),
            ("2:1", "no setting `a\\x07`"),
            ("3:10", "no valid TOML: invalid basic string"),
        ],
    ),
    (b"mouse = 1\ntheme = \"\xe5\xae\xa1\xff\"\n", &[("2:11", "the file is not UTF-8 here")]),
];

#[test]
fn every_mistake_is_said_and_stops_nothing() {
    let project = project();
    let without = project.run(&["list"]);
    assert_eq!((without.code, without.stderr.as_str()), (0, ""));
    for (bytes, wanted) in WRONG {
        set(&project, bytes);
        let what = String::from_utf8_lossy(bytes);
        let check = project.run(&["config", "--check"]);
        assert_eq!((check.code, check.stderr.as_str()), (1, ""), "{what}");
        assert!(raw_controls(&check.stdout).is_empty(), "{what}");
        let got = mistakes(&project, &check.stdout, "");
        let places: Vec<_> = got.iter().map(|(place, _)| *place).collect();
        let wanted_places: Vec<_> = wanted.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, wanted_places, "{what}\n{}", check.stdout);
        for ((_, message), (place, part)) in got.iter().zip(*wanted) {
            assert!(message.contains(part), "{what}\n{place}: {message}");
        }
        // A command says the same on standard error, and does what it does.
        let list = project.run(&["list"]);
        assert_eq!((list.code, &list.stdout), (0, &without.stdout), "{what}");
        assert_eq!(mistakes(&project, &list.stderr, "skilldeck: "), got, "{what}");
    }
}

#[test]
fn the_exit_code_is_that_of_the_command() {
    let project = project();
    project.skill("broken", with_head("name: broken"));
    set(&project, "nonsense = 1\n");
    for (args, code) in [
        (&["check"][..], 1),
        (&["check", "b", "--strict"], 0),
        (&["list", "--json"], 0),
        (&["preview", "broken"], 1),
        (&["preview", "nothing"], 2),
        (&["tool"], 0),
    ] {
        let output = project.run(args);
        assert_eq!(output.code, code, "{args:?}");
        assert!(output.stderr.contains("config.toml:1:1: there is no setting"), "{output:?}");
        assert!(!output.stdout.contains("nonsense"), "{output:?}");
    }
}

#[test]
fn what_is_no_file_is_said_and_never_waited_for() {
    let check = |project: &Fixture, code: i32, said: &str| {
        let output = project.run(&["config", "--check"]);
        assert_eq!(output.code, code, "{output:?}");
        assert!(output.stdout.contains(said), "{said}: {output:?}");
        assert_eq!(output.stdout.lines().count(), 1, "{output:?}");
        assert_eq!(project.run(&["list"]).code, 0);
    };
    let project = project();
    let path = file(&project);
    check(&project, 0, "there is no such file; `skilldeck config --init` writes one");
    set(&project, "");
    check(&project, 0, ": no mistakes");
    set(&project, "\n# nothing set\n");
    check(&project, 0, ": no mistakes");
    set(&project, vec![b'#'; 256 * 1024]);
    check(&project, 0, ": no mistakes");
    set(&project, vec![b'#'; 256 * 1024 + 1]);
    check(&project, 1, ":1:1: the file has more than 262,144 bytes");
    fs::remove_file(&path).unwrap();
    symlink("nowhere", &path).unwrap();
    check(&project, 1, ":1:1: the link leads to nothing");
    fs::write(path.with_file_name("nowhere"), "mouse = 1").unwrap();
    check(&project, 1, ":1:9: `mouse` is 1");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check(&project, 1, ":1:1: this is a folder");
    fs::remove_dir(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    check(&project, 1, ":1:1: this is no regular file");
}

#[test]
fn a_file_that_may_not_be_read_is_said() {
    let project = project();
    set(&project, "mouse = 1");
    fs::set_permissions(file(&project), fs::Permissions::from_mode(0o000)).unwrap();
    let Some(output) = project.run_powerless(&["list"]) else { return };
    assert_eq!(output.code, 0);
    let said = mistakes(&project, &output.stderr, "skilldeck: ");
    assert_eq!(said, [("1:1", "no permission to read the file; change its mode or owner")]);
}

fn list(project: &Fixture, args: &[&str]) -> Value {
    project.list_as(args)
}

#[test]
fn a_flag_counts_over_the_variable_over_the_file_over_the_default() {
    let mut project = project();
    let of = |project: &Fixture, args: &[&str]| {
        let list = list(project, args);
        let budget = &list["budget"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&list["profile"]), budget["limit"].as_u64().unwrap(), text(&budget["source"]))
    };
    let (kaged, strict, other) = ("kaged", "kaged-strict", "mycodeagent");
    let is = |profile: &str, limit, source: &str| (profile.to_owned(), limit, source.to_owned());
    assert_eq!(of(&project, &[]), is(kaged, 12_000, "default"));
    set(&project, "profile = \"kaged-strict\"\nbudget = 300\n");
    assert_eq!(of(&project, &[]), is(strict, 300, "config"));
    assert_eq!(of(&project, &["--profile", other]), is(other, 300, "config"));
    assert_eq!(of(&project, &["--profile", kaged]), is(kaged, 300, "config"));
    project.env(BUDGET, "200");
    assert_eq!(of(&project, &[]), is(strict, 200, "env"));
    assert_eq!(of(&project, &["--budget", "100"]), is(strict, 100, "flag"));
    project.env(BUDGET, " ");
    assert_eq!(of(&project, &[]), is(strict, 300, "config"));
    project.unset(BUDGET);
    set(&project, "profile = \"kaged-strict\"\nbudget = \"x\"\n");
    assert_eq!(of(&project, &[]), is(strict, 12_000, "default"));
    set(&project, "budget = \" 0x10 \"\n");
    assert_eq!(of(&project, &[]), is(kaged, 12_000, "default"));
    set(&project, "budget = 0x10\n");
    assert_eq!(of(&project, &[]), is(kaged, 16, "config"));
}

#[test]
fn a_limit_of_the_users_own_warns_of_descriptions_under_kaged() {
    let project = project();
    let of = |limit: &str, profile: &str| {
        set(&project, limit);
        codes(row(&list(&project, &["--profile", profile]), "a"))
    };
    assert_eq!(of("", "kaged"), "always-apply");
    assert_eq!(of("description_limit = 100", "kaged"), "always-apply");
    assert_eq!(of("description_limit = 99", "kaged"), "always-apply description-over-280");
    assert_eq!(of("description_limit = 99", "kaged-strict"), "always-apply name-invalid");
    let check = |limit: &str| {
        set(&project, limit);
        project.run(&["check", "a", "--strict"])
    };
    let output = check("description_limit = 90");
    assert_eq!(output.code, 1);
    let said = "has 100 characters, 10 more than the 90 that the config file allows; shorten it";
    assert!(output.stdout.contains(said), "{}", output.stdout);
    assert_eq!(check("").code, 0);
}

#[test]
fn silenced_notes_are_absent_and_a_status_never_changes() {
    let project = project();
    project.skill("c", with_head("name: other\ndescription: d\nalwaysApply: true"));
    let of = |config: &str| {
        set(&project, config);
        let output = project.run(&["list", "--json"]);
        assert_eq!(output.stderr, "", "{config}");
        let list = output.json();
        let of = |folder| {
            let row = row(&list, folder);
            format!("{} {}", row["status"].as_str().unwrap(), codes(row))
        };
        [of("a"), of("c")]
    };
    let all = ["valid always-apply", "warning always-apply name-mismatch"];
    assert_eq!(of(""), all);
    let quiet = "[silence]\n\"*\" = [\"always-apply\"]\n";
    assert_eq!(of(quiet), ["valid ", "warning name-mismatch"]);
    let one = of("[silence]\nc = [\"always-apply\"]\nother = [\"always-apply\"]\n");
    assert_eq!(one, ["valid always-apply", "warning name-mismatch"], "by folder, not by name");
    assert_eq!(of("[silence]\n\"*\" = [\"long-body\"]\n"), all);
    for (quiet, notes) in [
        ("[silence]\n\"*\" = [\"always-apply\"]\n", "3 notes"),
        ("[silence]\n\"*\" = [\"always-apply\", \"description-no-when\"]\n", "0 notes"),
    ] {
        set(&project, quiet);
        let check = project.run(&["check"]).stdout;
        assert!(check.ends_with(&format!("0 errors, 1 warning, {notes}\n")), "{check}");
    }
}

#[test]
fn a_skill_knows_how_many_of_its_notes_are_silenced() {
    let project = project();
    let found = Project::find(&project.project(), Some(&project.project()), None, None).unwrap();
    let (config, mistakes) = config::read("silence.a = [\"always-apply\", \"long-body\"]");
    assert_eq!(mistakes, []);
    for (profile, counts) in [(Profile::Kaged, [1, 0]), (Profile::MyCodeAgent, [0, 0])] {
        let silenced = config.silenced.clone();
        let view = View { profile, silenced, ..View::default() };
        let facts = scan::scan(&found, profile.discovery()).unwrap();
        let deck = Deck::new(&found, &facts, &Agents::load(&found).into(), &view).unwrap();
        let got: Vec<_> = deck.skills.iter().map(|skill| skill.silenced).collect();
        assert_eq!(got, counts, "{profile}");
    }
}

#[test]
fn init_writes_a_file_once() {
    let project = project();
    let path = file(&project);
    let output = project.run(&["config", "--init"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(output.stdout.starts_with(&format!("wrote {}: ", path.display())), "{output:?}");
    assert_eq!(output.stdout.lines().count(), 1);
    let written = fs::read_to_string(&path).unwrap();
    let set: Vec<_> = written.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    assert_eq!(set, [""; 0], "nothing is set");
    assert_eq!(project.run(&["config", "--check"]).code, 0);
    fs::write(&path, "mouse = 1").unwrap();
    let again = project.run(&["config", "--init"]);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""), "{again:?}");
    assert!(again.stderr.contains("exists already and was left as it is"), "{again:?}");
    assert_eq!(again.stderr.lines().count(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "mouse = 1");
    let beside = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(beside, 1, "nothing is left over");
}

/// A comment begins with `# `, a setting that is commented out with `#`.
#[test]
fn the_file_that_init_writes_names_every_setting_and_has_no_mistake() {
    let project = project();
    project.run(&["config", "--init"]);
    let written = fs::read_to_string(file(&project)).unwrap();
    let plain = |line: &str| match line.strip_prefix('#') {
        Some(rest) if !rest.starts_with(' ') => format!("{rest}\n"),
        _ => format!("{line}\n"),
    };
    let text: String = written.lines().map(plain).collect();
    let page = fs::read_to_string("docs/config.md").unwrap();
    for name in [
        "profile",
        "budget",
        "description_limit",
        "editor",
        "mouse",
        "ascii",
        "theme",
        "keys",
        "silence",
    ] {
        let is_set =
            |line: &str| line.starts_with(&format!("{name} = ")) || line == format!("[{name}]");
        assert!(text.lines().any(is_set), "{name} is set\n{text}");
        assert!(page.contains(&format!("`{name}`")), "{name} is on the page");
    }
    set(&project, &text);
    let output = project.run(&["config", "--check"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.ends_with(": no mistakes\n"), "{output:?}");
    // The values are those that count without it.
    let default = list(&project, &[]);
    assert_eq!(
        (&default["profile"], &default["budget"]["limit"]),
        (&"kaged".into(), &12_000.into())
    );
}

#[test]
fn config_wants_one_thing_and_no_project() {
    let project = project();
    for args in [
        &["config"][..],
        &["config", "--init", "--check"],
        &["config", "--path", "--check"],
        &["config", "--path", "extra"],
    ] {
        let output = project.run(args);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{args:?}");
    }
    assert!(!file(&project).exists());
    let output = project.run(&["config", "--path", "--root", "/dev/null", "--agent", "nobody"]);
    assert_eq!(output.stdout, format!("{}\n", file(&project).display()));
}

#[test]
fn the_file_is_where_the_standard_has_it() {
    let path = |project: &Fixture| -> Output { project.run(&["config", "--path"]) };
    let mut project = Fixture::new();
    project.skill("b", good("b", "d"));
    let usual = format!("{}\n", project.home().join(".config/skilldeck/config.toml").display());
    for value in ["", "relative/path"] {
        project.env("XDG_CONFIG_HOME", value);
        assert_eq!(path(&project).stdout, usual, "{value:?}");
    }
    for home in ["", "relative"] {
        project.env("HOME", home);
        let output = path(&project);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{home:?}");
        assert!(output.stderr.contains("there is no place for a config file"), "{output:?}");
        assert_eq!(project.run(&["config", "--init"]).code, 2);
        let list = project.run(&["list"]);
        assert_eq!((list.code, list.stderr.as_str()), (0, ""), "{home:?}");
    }
    project.env("XDG_CONFIG_HOME", "/somewhere");
    assert_eq!(path(&project).stdout, "/somewhere/skilldeck/config.toml\n");
}
