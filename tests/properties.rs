//! What holds for every file there could be.

use proptest::prelude::*;
use skilldeck::config;
use skilldeck::profile::{
    ArgumentForm, CatalogForm, FolderName, Profile, Reading, Unit, mycodeagent,
};
use skilldeck::prompt::activation::{Frame, Source, render};
use skilldeck::prompt::arguments::{Arguments, Known, expand};
use skilldeck::prompt::catalog::{Item, lay};
use skilldeck::skill::document::Text;
use skilldeck::skill::frontmatter::{TextField, is_line_break, one_line};
use skilldeck::skill::place::{Place, lines};
use skilldeck::skill::text::{is_plain, shown};
use skilldeck::skill::{Level, document, name};

/// Pieces that mean something to a reader of config files, and some that do not.
fn config_piece() -> impl Strategy<Value = String> {
    let fixed: Vec<&'static str> = vec![
        "profile = ",
        "budget = ",
        "description_limit = ",
        "editor=",
        "mouse = ",
        "theme = ",
        "[keys]\n",
        "[silence]\n",
        "[[keys]]\n",
        "keys.a = ",
        "\"*\" = ",
        "a",
        ".",
        "=",
        "\"kaged\"\n",
        "12\n",
        "0x",
        "1.5\n",
        "true\n",
        "[\"long-body\"]\n",
        "[",
        "]",
        "{",
        "}",
        ",",
        "'",
        "\"",
        "\"\"\"",
        "\\u001b",
        "# c\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\u{feff}",
        "\u{1b}",
        "\u{0}",
        "审",
        "\u{202e}",
        "1979-05-27",
    ];
    prop_oneof![
        8 => proptest::sample::select(fixed).prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Pieces that mean something to a reader of skills, and some that do not.
fn piece() -> impl Strategy<Value = String> {
    let fixed: Vec<&'static str> = vec![
        "---\n",
        "--- \r\n",
        "---\r",
        "...\n",
        "+++\n",
        "\u{feff}",
        "name: ",
        "description: ",
        "description:\n",
        "globs: ",
        "hide: true\n",
        "a: b\n",
        "a: b: c\n",
        "- x\n",
        "  ",
        "\t",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "|\n",
        ">-\n",
        "&a ",
        "*a",
        "<<: ",
        "!x ",
        "!!str ",
        "# c\n",
        ": ",
        "\n",
        "\r\n",
        "\r",
        "$ARGUMENTS",
        "$1",
        "</skill_content>",
        "\u{0}",
        "\u{1b}[2J",
        "\u{9b}",
        "\u{202e}",
        "\u{200b}",
        "\u{2028}",
        "\u{ff1a}",
        "\u{a0}",
        "审",
        "👩\u{200d}💻",
        "\\uD83D",
        "word ",
        "%YAML 1.1\n",
        "? ",
        "@",
        "`",
    ];
    prop_oneof![
        8 => proptest::sample::select(fixed).prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
        1 => any::<char>().prop_map(String::from),
    ]
}

fn file() -> impl Strategy<Value = String> {
    let body = || proptest::collection::vec(piece(), 0..40).prop_map(|p| p.concat());
    prop_oneof![
        3 => body().prop_map(|b| format!("---\nname: x\ndescription: d\n{b}\n---\nBody\n")),
        1 => body().prop_map(|b| format!("---\n{b}")),
        1 => body(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_every_place_is_in_it(text in file(), folder in "[a-zA-Z-]{1,8}") {
        let reading = Reading::of(text.as_bytes());
        let folder = FolderName::new(folder.as_ref());
        let after_mark = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let line_count = lines(after_mark).count() as u32 + 1;
        for profile in Profile::ALL {
            let verdict = profile.judge(&folder, &reading);
            for finding in &verdict.findings {
                prop_assert!(is_plain(finding.message.as_str()), "{finding:?}");
                prop_assert!(!finding.message.as_str().is_empty());
                if let Some(place) = finding.place {
                    prop_assert!((1..=line_count).contains(&place.line), "{finding:?}");
                }
            }
            let loads = verdict.findings.iter().all(|f| f.level != Level::Error);
            if loads {
                // What loads can be listed on one line and activated.
                let keeps_rule = profile.catalog() == CatalogForm::Stop;
                let is_one = |name: &str| !name.is_empty() && !name.contains(is_line_break);
                let is_valid = |name| if keeps_rule { name::is_valid(name) } else { is_one(name) };
                prop_assert!(verdict.name.as_deref().is_some_and(is_valid), "{verdict:?}");
                let description = verdict.description.clone().unwrap_or_default();
                prop_assert!(!keeps_rule || !description.is_empty());
                let as_written = [Profile::MyCodeAgent, Profile::AgentSkills].contains(&profile);
                prop_assert!(as_written || !description.contains(is_line_break));
                let frame = Frame { name: "x", dir: "d", resources: &[], project: "/p" };
                let source = Source { text: Text::of(text.as_bytes()).unwrap(), names: &[] };
                prop_assert!(render(profile, source, frame, Arguments::NotGiven).is_some());
            }
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        Reading::of(&bytes);
    }

    #[test]
    fn what_is_shown_is_plain_and_stays(text in any::<String>()) {
        let once = shown(&text);
        prop_assert!(is_plain(once.as_str()));
        prop_assert_eq!(shown(once.as_str()), once);
    }

    #[test]
    fn plain_scalars_come_back_as_written(value in "[A-Za-z][A-Za-z ,.()/-]{0,60}[A-Za-z]") {
        let text = format!("---\nd: 1\ndescription: {value}\n---\nBody\n");
        let document = document::read(text.as_bytes());
        let is_word = |v: &str| ["true", "false", "null"].contains(&v.to_lowercase().as_str());
        prop_assume!(!is_word(&value));
        let frontmatter = document.frontmatter.expect("read");
        prop_assert_eq!(
            frontmatter.description,
            TextField::Text { text: value, place: Place { line: 3, column: 14 }, typed: false }
        );
    }

    #[test]
    fn arguments_are_put_in_literally_and_once(body in "[a-z$ ]{0,30}", args in "[ -~]{0,20}") {
        let body = format!("{body}$ARGUMENTS{body}");
        let got = expand(ArgumentForm::Rule, &body, Arguments::Given(&args), Known::default());
        let parts: Vec<&str> = body.split("$ARGUMENTS").collect();
        prop_assert_eq!(&got.text, &parts.join(mycodeagent::strip(&args)));
        for range in got.arguments {
            prop_assert_eq!(&got.text[range], mycodeagent::strip(&args));
        }
    }

    #[test]
    fn no_client_falls_over_a_placeholder(body in "[$A-Z0-9\\[\\]{}\\\\a審 ]{0,40}", args in "[ -~é]{0,20}") {
        for profile in Profile::ALL {
            for given in [Arguments::NotGiven, Arguments::Given(&args)] {
                let got = expand(profile.arguments(), &body, given, Known::default());
                for range in got.arguments {
                    prop_assert!(got.text.get(range).is_some(), "{profile}");
                }
            }
        }
    }

    #[test]
    fn a_catalog_keeps_to_its_budget_and_its_lines_are_what_it_uses(
        chars in proptest::collection::vec(0_usize..200, 0..40),
        limit in 0_u64..3000,
        tokens in any::<bool>(),
    ) {
        let unit = if tokens { Unit::Tokens } else { Unit::Characters };
        let text = "é".repeat(200);
        let items: Vec<_> = chars.iter().map(|n| Item::new("name", &text[..n * 2])).collect();
        for form in Profile::ALL.map(Profile::catalog) {
            let laid = lay(form, &items, Some(limit), unit);
            prop_assert_eq!(laid.len(), items.len());
            let listed = || laid.iter().zip(&items).filter_map(|(l, i)| Some((l, i, l.kept?)));
            let used: u64 = listed().map(|(l, ..)| l.cost).sum();
            for (laid, item, kept) in listed() {
                let line = item.lines(form, kept) + "\n";
                prop_assert_eq!(laid.cost, unit.of(&line));
            }
            let names: u64 = items.iter().map(|i| unit.of(&(i.lines(form, 0) + "\n"))).sum();
            match form {
                CatalogForm::Stop => {
                    let count = listed().count();
                    prop_assert!(used <= limit || count == 1);
                    prop_assert_eq!(count == 0, items.is_empty());
                    if let Some(next) = laid.get(count) {
                        prop_assert!(next.kept.is_none());
                        prop_assert!(used + next.cost > limit, "one more would have fitted");
                    }
                }
                CatalogForm::Names => {
                    prop_assert_eq!(listed().count(), items.len());
                    prop_assert!(used <= limit || used == names);
                }
                CatalogForm::Rotation => {
                    prop_assert!(used <= limit);
                    prop_assert!(names > limit || listed().count() == items.len());
                }
                CatalogForm::Xml | CatalogForm::Whole => {
                    prop_assert!(laid.iter().zip(&chars).all(|(l, n)| l.kept == Some(*n as u64)));
                }
            }
        }
    }

    #[test]
    fn a_folded_description_has_one_line(text in any::<String>()) {
        prop_assert!(!one_line(&text).contains(is_line_break));
    }

    #[test]
    fn places_and_lines_agree(text in "[a审\r\n]{0,60}", at in 0_usize..60) {
        let at = text.char_indices().map(|(i, _)| i).nth(at).unwrap_or(text.len());
        let place = Place::of(&text, at);
        let is_ended = |l: &skilldeck::skill::place::Line<'_>| l.next > l.start + l.text.len();
        let before = lines(&text).filter(|l| is_ended(l) && l.next <= at).count();
        prop_assert_eq!(place.line as usize, before + 1);
    }

    #[test]
    fn every_mistake_of_a_config_file_has_a_place_in_it(
        text in proptest::collection::vec(config_piece(), 0..40).prop_map(|p| p.concat()),
    ) {
        let (_, mistakes) = config::read(&text);
        prop_assert!(mistakes.is_sorted_by_key(|mistake| mistake.place));
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let end = Place::of(text, text.len());
        for mistake in &mistakes {
            prop_assert!(Place::START <= mistake.place && mistake.place <= end, "{mistake:?}");
            prop_assert!(is_plain(mistake.message.as_str()), "{mistake:?}");
        }
    }
}
