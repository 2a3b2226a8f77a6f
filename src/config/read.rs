//! A config file's text as what it sets, and everything wrong in it.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::syntax::Syntax;
use super::{Binding, Config, Mistake, Silenced, ThemeName};
use crate::profile::Profile;
use crate::prompt::Budget;
use crate::prompt::budget::DEFAULT as DEFAULT_BUDGET;
use crate::skill::place::Places;
use crate::skill::text::head;
use crate::skill::{Code, Place};

/// Every setting.
const SETTINGS: [&str; 10] = [
    "profile",
    "budget",
    "description_limit",
    "editor",
    "metrics",
    "mouse",
    "ascii",
    "theme",
    "keys",
    "silence",
];

/// The open standard's limit of a description: beyond it a skill does not load.
const DESCRIPTION_LIMITS: std::ops::RangeInclusive<u64> = 1..=1024;

/// Reads a text. What is wrong is not used, and said, all of it, by place.
pub fn read(text: &str) -> (Config, Vec<Mistake>) {
    // A byte-order mark is no character of the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let places = Places::new(text);
    let mut syntax = Syntax::read(text, &places);
    let mistakes = std::mem::take(&mut syntax.mistakes);
    let mut reader = Reader { syntax: &syntax, places: &places, mistakes };
    let config = reader.config();
    let mut mistakes = reader.mistakes;
    mistakes.sort_by_key(|mistake| mistake.place);
    (config, mistakes)
}

struct Reader<'a> {
    syntax: &'a Syntax<'a>,
    places: &'a Places<'a>,
    mistakes: Vec<Mistake>,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl<'a> Reader<'a> {
    fn config(&mut self) -> Config {
        let mut config = Config::default();
        for (key, at, value) in self.entries(self.syntax.root.get_ref()) {
            match key {
                "profile" => config.profile = self.profile(value),
                "budget" => config.budget = self.budget(value),
                "description_limit" => config.description_limit = self.description_limit(value),
                "editor" => config.editor = self.editor(value),
                "metrics" => config.metrics = self.metrics(value),
                "mouse" => config.mouse = self.flag(key, value).unwrap_or(config.mouse),
                "ascii" => config.ascii = self.flag(key, value).unwrap_or(config.ascii),
                "theme" => config.theme = self.theme(value).unwrap_or_default(),
                "keys" => config.keys = self.keys(value),
                "silence" => config.silenced = Arc::new(self.silence(value)),
                _ => self.unknown(key, at),
            }
        }
        config
    }

    /// What is whole in a table.
    fn entries<'t>(&self, table: &'t DeTable<'a>) -> Vec<(&'t str, Range<usize>, &'t Value<'a>)> {
        table
            .iter()
            .map(|(key, value)| (&**key.get_ref(), key.span(), value))
            .filter(|(_, at, value)| !self.syntax.is_broken(at, value))
            .collect()
    }

    fn say(&mut self, at: Range<usize>, message: impl AsRef<str>) {
        self.mistakes.push(Mistake::new(self.places.of(at.start), message));
    }

    fn wrong(&mut self, key: &str, value: &Value, right: &str) {
        let what = described(value.get_ref());
        self.say(value.span(), format!("`{}` is {what}; {right}", head(key, 60)));
    }

    fn unknown(&mut self, key: &str, at: Range<usize>) {
        let hint = match near(key, SETTINGS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", SETTINGS.join(", ")),
        };
        self.say(at, format!("there is no setting `{}`; {hint}", head(key, 60)));
    }

    fn one_of<T>(
        &mut self,
        key: &str,
        value: &Value,
        names: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = value.get_ref().as_str();
        let found = text.and_then(parse);
        if found.is_none() {
            let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
            self.wrong(key, value, &format!("write one of {}", names.join(", ")));
        }
        found
    }

    fn profile(&mut self, value: &Value) -> Option<Profile> {
        let ids = Profile::ALL.map(Profile::id);
        self.one_of("profile", value, &ids, |id| Profile::from_str(id).ok())
    }

    fn theme(&mut self, value: &Value) -> Option<ThemeName> {
        let ids = ThemeName::ALL.map(ThemeName::id);
        let of = |id: &str| ThemeName::ALL.into_iter().find(|theme| theme.id() == id);
        self.one_of("theme", value, &ids, of)
    }

    /// Here a negative budget, too, is a mistake: nobody writes one on purpose.
    fn budget(&mut self, value: &Value) -> Option<String> {
        let text = match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => plain_digits(number),
            _ => None,
        };
        let is_right = |text: &String| Budget::choose(None, None, Some(text)).findings.is_empty();
        let text = text.filter(is_right);
        if text.is_none() {
            let right = format!("write a number of characters, 0 or more, as in {DEFAULT_BUDGET}");
            self.wrong("budget", value, &right);
        }
        text
    }

    fn description_limit(&mut self, value: &Value) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => plain_digits(number).and_then(|n| n.parse().ok()),
            _ => None,
        };
        let number = number.filter(|n| DESCRIPTION_LIMITS.contains(n));
        if number.is_none() {
            let (from, to) = DESCRIPTION_LIMITS.into_inner();
            let right = format!("write a whole number from {from} to {to}");
            self.wrong("description_limit", value, &right);
        }
        number
    }

    fn editor(&mut self, value: &Value) -> Option<String> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.wrong("editor", value, "write the name of a program, as in \"vi\"");
        }
        text.map(str::to_owned)
    }

    fn metrics(&mut self, value: &Value) -> Option<PathBuf> {
        let path = value.get_ref().as_str().and_then(|text| match text.strip_prefix("~/") {
            Some(below) => Some(std::env::home_dir()?.join(below)),
            None => Some(PathBuf::from(text)),
        });
        let path = path.filter(|path| path.is_absolute());
        if path.is_none() {
            self.wrong("metrics", value, "write a path that begins with / or ~/");
        }
        path
    }

    fn flag(&mut self, key: &str, value: &Value) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong(key, value, "write true or false");
        }
        flag
    }

    fn table<'t>(
        &mut self,
        key: &str,
        value: &'t Value<'a>,
        right: &str,
    ) -> Vec<(&'t str, Range<usize>, &'t Value<'a>)> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(key, value, right);
            return Vec::new();
        };
        self.entries(table)
    }

    fn keys(&mut self, value: &Value<'a>) -> Vec<Binding> {
        let right = "write a table [keys] with lines such as quit = \"x\"";
        let mut bindings = Vec::new();
        for (command, at, value) in self.table("keys", value, right) {
            if let Some(keys) = self.keys_of(command, value) {
                let place = self.places.of(at.start);
                bindings.push(Binding { command: command.to_owned(), place, keys });
            }
        }
        bindings.sort_by_key(|binding| binding.place);
        bindings
    }

    /// The keys of one command; `None` when none of them is right.
    fn keys_of(&mut self, command: &str, value: &Value) -> Option<Vec<(String, Place)>> {
        const RIGHT: &str = "write a key as in \"x\", or several as in [\"x\", \"ctrl-x\"]";
        let key = |value: &Value| {
            let key = value.get_ref().as_str()?;
            Some((key.to_owned(), self.places.of(value.span().start)))
        };
        if let Some(key) = key(value) {
            return Some(vec![key]);
        }
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(command, value, RIGHT);
            return None;
        };
        let keys: Vec<_> = list.iter().filter_map(key).collect();
        for value in list.iter().filter(|value| !value.get_ref().is_str()) {
            self.say(
                value.span(),
                format!(
                    "a key of `{}` is {}; {RIGHT}",
                    head(command, 60),
                    described(value.get_ref())
                ),
            );
        }
        // An empty list takes the keys away; one with nothing right in it does not.
        (list.is_empty() || !keys.is_empty()).then_some(keys)
    }

    fn silence(&mut self, value: &Value<'a>) -> Silenced {
        let right = "write a table [silence] with lines such as \"*\" = [\"long-body\"]";
        let mut silenced = Silenced::default();
        for (folder, _, value) in self.table("silence", value, right) {
            let Some(list) = value.get_ref().as_array() else {
                self.wrong(folder, value, "write a list of notes, as in [\"long-body\"]");
                continue;
            };
            for value in list {
                if let Some(code) = self.note(folder, value) {
                    silenced.add(folder, code);
                }
            }
        }
        silenced
    }

    /// The code of a note.
    fn note(&mut self, folder: &str, value: &Value) -> Option<Code> {
        let text = value.get_ref().as_str();
        let code = Code::ALL.iter().copied().find(|code| Some(code.as_str()) == text);
        if let Some(code) = code.filter(|code| Silenced::codes().any(|note| note == *code)) {
            return Some(code);
        }
        let all: Vec<_> = Silenced::codes().map(Code::as_str).collect();
        let near = text.and_then(|text| near(text, all.iter().copied()));
        let what = match (code, text) {
            (Some(code), _) => format!("`{code}` is of level {}", code.level().word()),
            (None, Some(text)) => format!("there is no finding `{}`", head(text, 60)),
            (None, None) => {
                let what = described(value.get_ref());
                format!("what is silenced of `{}` is {what}", head(folder, 60))
            }
        };
        let hint = match near.filter(|_| code.is_none()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("only notes can be silenced; these are {}", all.join(", ")),
        };
        self.say(value.span(), format!("{what}; {hint}"));
        None
    }
}

/// The number in decimal digits, unless it is too large for any number.
fn plain_digits(number: &DeInteger) -> Option<String> {
    if number.radix() == 10 {
        return Some(number.as_str().to_owned());
    }
    let number = u128::from_str_radix(number.as_str(), number.radix()).ok()?;
    Some(number.to_string())
}

/// What a value is, in words.
fn described(value: &DeValue) -> String {
    match value {
        DeValue::String(text) if text.is_empty() => "empty".to_owned(),
        DeValue::String(text) => format!("\"{}\"", head(text, 60)),
        DeValue::Integer(number) => head(&number.to_string(), 60).into_owned(),
        DeValue::Float(number) => head(&number.to_string(), 60).into_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn near<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names
        .into_iter()
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read() {
        let (config, mistakes) = read(
            "\u{feff}profile = \"kaged-strict\"\r\nbudget = 8_000\ndescription_limit = 0x40\n\
             editor = \"code --wait\"\nmetrics = \"/m.jsonl\"\nmouse = false\nascii = true\ntheme = \"mono\"\n\
             silence.a = [\"long-body\", \"mixed-eol\"]\n[keys]\nquit = \"x\"\n\
             open = [\"o\", \"enter\"]\nhelp = []\n",
        );
        assert_eq!(mistakes, []);
        let place = |line, column| Place { line, column };
        let binding = |command: &str, at, keys: &[(&str, Place)]| Binding {
            command: command.to_owned(),
            place: at,
            keys: keys.iter().map(|(key, at)| ((*key).to_owned(), *at)).collect(),
        };
        let mut silenced = Silenced::default();
        silenced.add("a", Code::LongBody);
        silenced.add("a", Code::MixedEol);
        let wanted = Config {
            profile: Some(Profile::KagedStrict),
            budget: Some("8000".to_owned()),
            description_limit: Some(64),
            editor: Some("code --wait".to_owned()),
            metrics: Some(PathBuf::from("/m.jsonl")),
            mouse: false,
            ascii: true,
            theme: ThemeName::Mono,
            keys: vec![
                binding("quit", place(11, 1), &[("x", place(11, 8))]),
                binding("open", place(12, 1), &[("o", place(12, 9)), ("enter", place(12, 14))]),
                binding("help", place(13, 1), &[]),
            ],
            silenced: Arc::new(silenced),
        };
        assert_eq!(config, wanted);
    }

    #[test]
    fn what_is_right_counts_beside_what_is_wrong() {
        let (config, mistakes) = read(
            "profile = kaged-strict\nbudget = \"70\"\nmouse = false\nmouse = true\ntheme = 1\n\
             [silence]\na = [\"long-body\", 1]\n[keys]\nquit = [\"x\", 2]\nopen = [2]\n[keys]\n\
             help = \"h\"\n[silence",
        );
        assert_eq!(mistakes.len(), 8, "{mistakes:?}");
        assert_eq!(config.profile, None, "made up from what is no TOML");
        assert_eq!((config.budget.as_deref(), config.mouse), (Some("70"), false));
        assert_eq!(config.theme, ThemeName::Terminal);
        assert!(config.silenced.hides("a", &crate::skill::Finding::new(Code::LongBody, "")));
        let commands: Vec<_> = config.keys.iter().map(|b| (&*b.command, b.keys.len())).collect();
        assert_eq!(commands, [("quit", 1), ("help", 1)]);
    }

    #[test]
    fn a_budget_means_what_it_means_everywhere() {
        for (value, budget) in [
            ("0", Some("0")),
            ("12_000", Some("12000")),
            ("0x10", Some("16")),
            ("\" 65 \"", Some(" 65 ")),
            ("\"\"", Some("")),
            ("9999999999999999999999999", Some("9999999999999999999999999")),
            ("-1", None),
            ("\"12k\"", None),
            ("1.5", None),
            ("true", None),
        ] {
            let (config, mistakes) = read(&format!("budget = {value}"));
            assert_eq!(config.budget.as_deref(), budget, "{value}");
            assert_eq!(mistakes.len(), usize::from(budget.is_none()), "{value}: {mistakes:?}");
        }
    }

    #[test]
    fn a_file_of_nothing_but_mistakes_is_read_in_time() {
        for part in ["=", "= \n", "a = [", "[", "\u{1}", "a.", "'", "x,", "a=1\n", "[a]\n", "{"] {
            let text = part.repeat(256 * 1024 / part.len());
            let start = std::time::Instant::now();
            let (config, mistakes) = read(&text);
            assert_eq!(config, Config::default(), "{part:?}");
            assert!(!mistakes.is_empty(), "{part:?}");
            assert!(start.elapsed().as_secs() < 20, "{part:?} took {:?}", start.elapsed());
        }
    }
}
