//! kaged, with the ADR's amendment (seed B; CONTRACT §3).

use super::{
    ActivationForm, ArgumentForm, CatalogForm, Client, Discovery, Duplicates, FolderName,
    OwnBudget, Reading, Verdict,
};
use crate::skill::body::push_hazards;
use crate::skill::frontmatter::{TextField, one_line, quoted};
use crate::skill::name;
use crate::skill::{Code, Finding, Fix, Level, Place};

/// The limit of the ADR's first text, in characters.
const DESCRIPTION_SHORT: usize = 280;
/// The limit of the open standard, in characters.
const DESCRIPTION_LONG: usize = 1_024;

pub(super) struct Kaged;

impl Client for Kaged {
    fn id(&self) -> &'static str {
        "kaged"
    }
    fn about(&self) -> &'static str {
        "ADR-0044 as amended: skills of other clients load"
    }
    fn discovery(&self) -> Discovery {
        Discovery::OneLevel
    }
    fn duplicates(&self) -> Duplicates {
        Duplicates::FolderNameWins
    }
    fn catalog(&self) -> CatalogForm {
        CatalogForm::Stop
    }
    fn budget(&self) -> OwnBudget {
        OwnBudget::Shared
    }
    fn arguments(&self) -> ArgumentForm {
        ArgumentForm::RuleIfGiven
    }
    fn activation(&self) -> ActivationForm {
        ActivationForm::SkillContent
    }
    fn has_agents(&self) -> bool {
        true
    }

    fn judge(&self, folder: &FolderName, reading: &Reading, limit: Option<u64>) -> Verdict {
        let document = &reading.document;
        let mut findings = document.findings.clone();
        let Some(frontmatter) = &document.frontmatter else {
            folder_hazards(folder, &mut findings);
            let name = folder.is_valid_name().then(|| folder.as_str().to_owned());
            return Verdict { name, findings, ..Verdict::default() };
        };
        let name = effective_name(folder, &frontmatter.name, &mut findings);
        let description = description(&frontmatter.description, limit, &mut findings);
        Verdict { name, description, hidden: frontmatter.hide, findings }
    }
}

/// The frontmatter `name` if it is valid, else the folder's, if that is.
fn effective_name(
    folder: &FolderName,
    field: &TextField,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let folder_ok = folder.is_valid_name();
    let stands_in = if folder_ok {
        format!("the folder name `{}` is used instead", folder.as_str())
    } else {
        format!("and the folder name {} is not valid either", quoted(folder.as_str()))
    };
    let mut refused = false;
    let mut chosen = None;
    let place = field.place();
    match field {
        TextField::Absent => {}
        TextField::Text { text, typed, .. } if !text.trim().is_empty() => {
            let text = text.trim();
            if *typed {
                findings.push(
                    Finding::new(
                        Code::NameNotString,
                        format!(
                            "YAML reads `name: {text}` as a number or boolean; it is taken as \
                             text here, others drop the skill: put quotes around it"
                        ),
                    )
                    .at(place)
                    .fix(Fix::QuoteValue),
                );
            }
            if name::is_valid(text) {
                chosen = Some(text.to_owned());
                if text.chars().count() > name::MAX_CHARS {
                    findings.push(
                        Finding::new(
                            Code::NameTooLong,
                            format!(
                                "the name has {} characters; clients take at most {}, so shorten it",
                                text.chars().count(),
                                name::MAX_CHARS
                            ),
                        )
                        .at(place),
                    );
                }
            } else {
                refused = true;
                findings.push(invalid_name(folder, text, &stands_in).at(place));
            }
            if text != folder.as_str() {
                let finding = Finding::new(
                    Code::NameMismatch,
                    format!(
                        "`name` is {}, the folder is {}; three clients drop the skill for it, so \
                         make them equal",
                        quoted(text),
                        quoted(folder.as_str())
                    ),
                )
                .at(place);
                let fix = match (&chosen, folder_ok && !is_too_long(folder)) {
                    (_, true) => Some(Fix::SetName(folder.as_str().to_owned())),
                    (Some(name), false) => Some(Fix::RenameFolder(name.clone())),
                    // What no name comes near to is not made up.
                    (None, false) => name::nearest(text).map(Fix::SetName),
                };
                findings.push(match fix {
                    Some(fix) => finding.fix(fix),
                    None => finding,
                });
            }
            push_hazards(findings, "the name", text, |_| Some(place));
            push_wrapper_tag(findings, "name", text, place);
        }
        TextField::Null(_) | TextField::Text { .. } => {
            findings.push(
                Finding::new(Code::NameEmpty, format!("`name` is empty; {stands_in}")).at(place),
            );
        }
        TextField::Collection(_) => {
            findings.push(
                Finding::new(
                    Code::NameNotString,
                    format!("`name` is a list or a map, not a text; {stands_in}"),
                )
                .at(place),
            );
        }
    }
    folder_rules(folder, chosen.as_deref(), refused, findings);
    folder_hazards(folder, findings);
    chosen.or_else(|| folder_ok.then(|| folder.as_str().to_owned()))
}

fn invalid_name(folder: &FolderName, text: &str, stands_in: &str) -> Finding {
    let finding = Finding::new(
        Code::NameInvalid,
        format!(
            "the name {} is not valid (lower-case letters, digits, single hyphens between them); \
             {stands_in}",
            quoted(text)
        ),
    );
    let nearest = name::nearest(text);
    if folder.is_valid_name() {
        return finding.fix(Fix::SetName(folder.as_str().to_owned()));
    }
    let finding = finding.level(Level::Error);
    match nearest {
        Some(name) if text == folder.as_str() => finding.fix(Fix::RenameFolder(name)),
        Some(name) => finding.fix(Fix::SetName(name)),
        None => finding,
    }
}

fn is_too_long(folder: &FolderName) -> bool {
    folder.as_str().chars().count() > name::MAX_CHARS
}

/// The folder name matters where it must be the name, and is fragile elsewhere.
fn folder_rules(
    folder: &FolderName,
    chosen: Option<&str>,
    refused: bool,
    findings: &mut Vec<Finding>,
) {
    let named = chosen.is_some();
    let level = if named { Level::Warning } else { Level::Error };
    let consequence = if named {
        "the frontmatter `name` stands in, but other clients want the two equal"
    } else {
        "and no frontmatter `name` stands in"
    };
    if !folder.is_utf8() {
        findings.push(
            Finding::new(
                Code::FolderNotUtf8,
                "the folder name is not UTF-8; rename the folder, many tools cannot open it",
            )
            .file(""),
        );
    }
    if !folder.is_valid_name() && !refused {
        let finding = Finding::new(
            Code::FolderInvalid,
            format!(
                "the folder name {} is not a valid skill name; {consequence}",
                quoted(folder.as_str())
            ),
        )
        .level(level)
        .file("");
        let better = chosen.map(str::to_owned).or_else(|| name::nearest(folder.as_str()));
        findings.push(match better {
            Some(name) if folder.is_utf8() => finding.fix(Fix::RenameFolder(name)),
            _ => finding,
        });
    }
    let chars = folder.as_str().chars().count();
    if is_too_long(folder) {
        findings.push(
            Finding::new(
                Code::FolderTooLong,
                format!(
                    "the folder name has {chars} characters, more than the {} a name may have; \
                     {consequence}",
                    name::MAX_CHARS
                ),
            )
            .level(level)
            .file(""),
        );
    }
}

pub(super) fn folder_hazards(folder: &FolderName, findings: &mut Vec<Finding>) {
    let before = findings.len();
    push_hazards(findings, "the folder name", folder.as_str(), |_| None);
    let line_break = folder.as_str().contains(['\t', '\n', '\r']);
    if line_break && !findings[before..].iter().any(|f| f.code == Code::ControlChars) {
        findings.push(Finding::new(
            Code::ControlChars,
            "the folder name holds a tab or a line break; rename the folder",
        ));
    }
    for finding in &mut findings[before..] {
        finding.file = Some(String::new());
    }
}

fn description(
    field: &TextField,
    limit: Option<u64>,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let place = field.place();
    let text = match field {
        TextField::Collection(_) => {
            findings.push(
                Finding::new(
                    Code::DescriptionNotString,
                    "`description` is a list or a map; write it as one text",
                )
                .level(Level::Error)
                .at(place),
            );
            return None;
        }
        TextField::Text { text, typed, .. } if !text.trim().is_empty() => {
            if *typed {
                findings.push(
                    Finding::new(
                        Code::DescriptionNotString,
                        format!(
                            "YAML reads `description: {}` as a number or boolean; it is taken as \
                             text here: put quotes around it",
                            text.trim()
                        ),
                    )
                    .at(place)
                    .fix(Fix::QuoteValue),
                );
            }
            text.trim()
        }
        _ => {
            // A hint, where there is one, has been given by the reader.
            if !findings.iter().any(|f| f.code == Code::MissingDescription) {
                let what = if matches!(field, TextField::Absent) { "missing" } else { "empty" };
                findings.push(
                    Finding::new(
                        Code::MissingDescription,
                        format!(
                            "`description` is {what}; without it no agent can know when to use \
                             the skill, so write one or two sentences"
                        ),
                    )
                    .at(place),
                );
            }
            return None;
        }
    };
    // Also at an edge, where trimming takes it away.
    let whole = match field {
        TextField::Text { text, .. } => text.as_str(),
        _ => text,
    };
    if let Some(c) = whole.chars().find(|c| matches!(c, '\u{2028}' | '\u{2029}')) {
        findings.push(
            Finding::new(
                Code::OddLineSeparator,
                format!(
                    "the description holds the line separator U+{:04X}; it is listed as a space, \
                     others break the line or drop the skill: remove it",
                    c as u32
                ),
            )
            .at(place),
        );
    }
    let later_item = text
        .split(crate::skill::frontmatter::is_line_break)
        .skip(1)
        .any(|line| line.trim_start().starts_with("- "));
    if later_item {
        findings.push(
            Finding::new(
                Code::DescriptionMultiline,
                "a later line of the description starts with `- `: folded to one line the list is \
                 lost, and unfolded it looks like another skill of the catalog; write sentences",
            )
            .at(place),
        );
    }
    push_hazards(findings, "the description", text, |_| Some(place));
    push_wrapper_tag(findings, "description", text, place);
    let line = one_line(text);
    let chars = line.chars().count();
    if chars > DESCRIPTION_LONG {
        findings.push(
            Finding::new(
                Code::DescriptionOver1024,
                format!(
                    "the description has {chars} characters, {} more than the {DESCRIPTION_LONG} \
                     that the standard allows; shorten it",
                    chars - DESCRIPTION_LONG
                ),
            )
            .at(place),
        );
        return Some(line);
    }
    let (short, by) = match limit {
        None => {
            (DESCRIPTION_SHORT, "of the ADR's first text, which kaged's registry still refuses")
        }
        Some(limit) => {
            (usize::try_from(limit).unwrap_or(usize::MAX), "that the config file allows")
        }
    };
    if chars > short {
        findings.push(
            Finding::new(
                Code::DescriptionOver280,
                format!(
                    "the description has {chars} characters, {} more than the {short} {by}; \
                     shorten it",
                    chars - short
                ),
            )
            .at(place),
        );
    }
    Some(line)
}

/// `</available_skills>` ends the catalog early for clients that write it as XML.
pub(super) fn push_wrapper_tag(findings: &mut Vec<Finding>, field: &str, text: &str, place: Place) {
    if text.contains("</available_skills>") {
        findings.push(
            Finding::new(
                Code::WrapperTag,
                format!(
                    "`{field}` holds `</available_skills>`, which ends the catalog early for \
                     clients that write it as XML; remove the tag"
                ),
            )
            .at(place),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FolderName, Profile, Reading};
    use super::*;
    use crate::skill::Status;

    /// Status, name and the codes with their levels, under both kaged profiles.
    fn judge(profile: Profile, folder: &str, head: &str) -> (Status, Option<String>, Vec<Code>) {
        let text = format!("---\n{head}\n---\n\nBody.\n");
        let verdict =
            profile.judge(&FolderName::new(folder.as_ref()), &Reading::of(text.as_bytes()));
        let codes = verdict.findings.iter().map(|f| f.code).collect();
        (verdict.status(), verdict.name, codes)
    }

    #[test]
    fn names() {
        use Code as C;
        use Status::{Error, Valid, Warning};
        let a64 = "a".repeat(64);
        let a65 = "a".repeat(65);
        for (folder, name, want_status, want_name, want_codes) in [
            ("x", "", Valid, Some("x"), vec![]),
            ("x", "name: x", Valid, Some("x"), vec![]),
            ("x", "name: \"x\\n\"", Valid, Some("x"), vec![]),
            ("yes", "name: yes", Valid, Some("yes"), vec![]),
            ("x", "name: y", Warning, Some("y"), vec![C::NameMismatch]),
            ("x", "name: ~", Warning, Some("x"), vec![C::NameEmpty]),
            ("x", "name: ''", Warning, Some("x"), vec![C::NameEmpty]),
            ("x", "name: [a, b]", Warning, Some("x"), vec![C::NameNotString]),
            ("007", "name: 007", Warning, Some("007"), vec![C::NameNotString]),
            ("true", "name: true", Warning, Some("true"), vec![C::NameNotString]),
            ("x", "name: X", Warning, Some("x"), vec![C::NameInvalid, C::NameMismatch]),
            ("x", "name: a--b", Warning, Some("x"), vec![C::NameInvalid, C::NameMismatch]),
            ("x", "name: a/b", Warning, Some("x"), vec![C::NameInvalid, C::NameMismatch]),
            ("Anvil", "name: Anvil", Error, None, vec![C::NameInvalid]),
            ("Anvil", "", Error, None, vec![C::FolderInvalid]),
            ("Anvil", "name: ~", Error, None, vec![C::NameEmpty, C::FolderInvalid]),
            (
                "my tool",
                "name: my-tool",
                Warning,
                Some("my-tool"),
                vec![C::NameMismatch, C::FolderInvalid],
            ),
            ("cafe\u{301}", "name: caf\u{e9}", Error, None, vec![C::NameInvalid, C::NameMismatch]),
            (&a64, &format!("name: {a64}"), Valid, Some(a64.as_str()), vec![]),
            (
                &a65,
                &format!("name: {a65}"),
                Warning,
                Some(a65.as_str()),
                vec![C::NameTooLong, C::FolderTooLong],
            ),
            (&a65, "", Error, Some(a65.as_str()), vec![C::FolderTooLong]),
            (
                "e\u{1b}\nx",
                "name: e",
                Warning,
                Some("e"),
                vec![C::NameMismatch, C::FolderInvalid, C::ControlChars],
            ),
            (
                "x",
                "name: \"x</available_skills>\"",
                Warning,
                Some("x"),
                vec![C::NameInvalid, C::NameMismatch, C::WrapperTag],
            ),
        ] {
            let head = format!("{name}\ndescription: d");
            let got = judge(Profile::Kaged, folder, head.trim());
            assert_eq!(
                got,
                (want_status, want_name.map(str::to_owned), want_codes),
                "{folder} {name}"
            );
        }
    }

    #[test]
    fn a_limit_of_the_users_own_moves_the_warning_under_kaged_alone() {
        for (profile, limit, chars, said) in [
            (Profile::Kaged, None, 281, Some("1 more than the 280 of the ADR's first text")),
            (Profile::Kaged, Some(300), 281, None),
            (Profile::Kaged, Some(300), 302, Some("2 more than the 300 that the config file")),
            (Profile::Kaged, Some(20), 20, None),
            (Profile::Kaged, Some(20), 21, Some("1 more than the 20 that the config file")),
            (Profile::Kaged, Some(1024), 1024, None),
            (Profile::Kaged, Some(1024), 1025, Some("1 more than the 1024 that the standard")),
            (Profile::KagedStrict, Some(300), 281, Some("1 more than the 280")),
            (Profile::KagedStrict, Some(20), 21, None),
            (Profile::MyCodeAgent, Some(20), 21, None),
        ] {
            let text = format!("---\nname: xx\ndescription: {}\n---\n\nB.\n", "审".repeat(chars));
            let folder = FolderName::new("xx".as_ref());
            let verdict = profile.judge_within(&folder, &Reading::of(text.as_bytes()), limit);
            let messages: Vec<_> = verdict.findings.iter().map(|f| f.message.as_str()).collect();
            match said {
                None => assert_eq!(messages, [""; 0], "{profile} {limit:?} {chars}"),
                Some(said) => {
                    assert!(messages.len() == 1 && messages[0].contains(said), "{messages:?}");
                }
            }
        }
    }

    #[test]
    fn descriptions() {
        use Code as C;
        use Status::{Error, Valid, Warning};
        let long = |n: usize| format!("description: {}", "审".repeat(n));
        for (head, want_status, want_codes) in [
            ("description: d".to_owned(), Valid, vec![]),
            (long(280), Valid, vec![]),
            (long(281), Warning, vec![C::DescriptionOver280]),
            (long(1024), Warning, vec![C::DescriptionOver280]),
            (long(1025), Error, vec![C::DescriptionOver1024]),
            ("name: x".into(), Error, vec![C::MissingDescription]),
            ("description:".into(), Error, vec![C::MissingDescription]),
            ("description: '  '".into(), Error, vec![C::MissingDescription]),
            ("description: |\nlicense: MIT".into(), Error, vec![C::MissingDescription]),
            ("Description: x".into(), Error, vec![C::MissingDescription]),
            ("description: [a]".into(), Error, vec![C::DescriptionNotString]),
            ("description: 5".into(), Warning, vec![C::DescriptionNotString]),
            ("description: \"a\\x1b[31m\"".into(), Warning, vec![C::ControlChars]),
            ("description: a\u{202e}b".into(), Warning, vec![C::BidiControl]),
            ("description: a\u{200b}b".into(), Warning, vec![C::InvisibleChar]),
            ("description: ್\u{200c}ರ 👩\u{200d}💻".into(), Valid, vec![]),
            ("description: a\u{2028}b".into(), Warning, vec![C::OddLineSeparator]),
            ("description: \"\\La\"".into(), Warning, vec![C::OddLineSeparator]),
            ("description: |\n  a\n  - b".into(), Warning, vec![C::DescriptionMultiline]),
            ("description: |\n  - a\n  b".into(), Valid, vec![]),
            ("description: a </available_skills>".into(), Warning, vec![C::WrapperTag]),
        ] {
            let (status, _, codes) = judge(Profile::Kaged, "x", &head);
            assert_eq!((status, codes), (want_status, want_codes), "{head}");
        }
    }

    #[test]
    fn the_hint_names_what_was_meant() {
        for (head, hint) in [
            ("Description: x", "lower case"),
            ("+description: x", "did you mean `description`"),
            ("a: b\ndescription\u{ff1a}x", "U+FF1A"),
            ("b: &b {description: x}\n<<: *b", "merge keys"),
        ] {
            let text = format!("---\n{head}\n---\nBody.\n");
            let verdict =
                Profile::Kaged.judge(&FolderName::new("x".as_ref()), &Reading::of(text.as_bytes()));
            let messages: Vec<_> = verdict.findings.iter().map(|f| f.message.as_str()).collect();
            assert!(messages.iter().any(|m| m.contains(hint)), "{head}: {messages:?}");
        }
    }

    #[test]
    fn strict_makes_errors_of_what_the_adr_refuses() {
        use Status::{Error, Valid, Warning};
        let long = format!("description: {}", "x".repeat(281));
        for (folder, head, want) in [
            ("ab", "description: d", Valid),
            ("ab", "name: ab\ndescription: d", Valid),
            ("ab", "name: X\ndescription: d", Error),
            ("ab", "name: cd\ndescription: d", Error),
            ("a", "description: d", Error),
            ("007", "description: d", Error),
            ("ab", &long, Error),
            ("ab", "description: a: b", Error),
            ("ab", "description: a\ndescription: b", Error),
            ("ab", "name: ~\ndescription: d", Warning),
            ("ab", "description: a # b", Warning),
        ] {
            assert_eq!(judge(Profile::KagedStrict, folder, head).0, want, "{folder} {head}");
        }
    }
}
