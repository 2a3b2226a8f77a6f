//! The budget of the catalog, in characters (CONTRACT §4).

use serde::Serialize;

use crate::profile::{OwnBudget, Profile, Unit};
use crate::skill::text::{head, shown};
use crate::skill::{Code, Finding};

/// The environment variable that sets the budget (seed A, step 4).
pub const VARIABLE: &str = "SKILLS_PROMPT_CHAR_BUDGET";

/// The budget where nothing sets one.
pub const DEFAULT: u64 = 12_000;

/// From here on a budget is no limit.
const NO_LIMIT: u128 = 1 << 63;

/// Where the budget comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// `--budget`.
    Flag,
    /// [`VARIABLE`].
    Env,
    /// The config file.
    Config,
    /// [`DEFAULT`].
    Default,
    /// Tried out on the screen; no command has it.
    Trial,
}

impl Source {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "--budget",
            Self::Env => VARIABLE,
            Self::Config => "the budget of the config file",
            Self::Default => "the default budget",
            Self::Trial => "a budget tried out",
        }
    }
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The most that may be used, in units; `None` is no limit.
    pub limit: Option<u64>,
    /// What is counted.
    pub unit: Unit,
    /// Where it comes from.
    pub source: Source,
    /// The setting that was read for it; another than `source` when that is no
    /// number.
    pub read: Source,
    /// What is wrong with what was given.
    pub findings: Vec<Finding>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Some(DEFAULT), Source::Default)
    }
}

impl Budget {
    fn new(limit: Option<u64>, source: Source) -> Self {
        Self { limit, unit: Unit::Characters, source, read: source, findings: Vec::new() }
    }

    /// What a client makes of it: some have a budget of their own, which only
    /// what is asked for by name replaces. `window` is the context window of its
    /// model in tokens, where it is known.
    #[must_use]
    pub fn under(&self, profile: Profile, window: Option<u64>) -> Self {
        let asked = [self.source, self.read].iter().any(|s| matches!(s, Source::Flag));
        match profile.own_budget() {
            OwnBudget::Shared => self.clone(),
            OwnBudget::None => Self::new(None, Source::Default),
            OwnBudget::Window { .. } if matches!(self.source, Source::Flag | Source::Trial) => {
                self.clone()
            }
            OwnBudget::Window { default, percent, unit, per_token } => {
                let findings = if asked { self.findings.clone() } else { Vec::new() };
                let of_window = window.map(|window| {
                    (window.saturating_mul(per_token).saturating_mul(percent) / 100).max(1)
                });
                let unit = if of_window.is_some() { unit } else { Unit::Characters };
                let limit = Some(of_window.unwrap_or(default));
                Self { unit, findings, ..Self::new(limit, Source::Default) }
            }
        }
    }

    /// The budget that counts: flag over environment over config over the default.
    ///
    /// An unset or blank value is passed over silently. What is no integer is
    /// reported, and the default is used.
    pub fn choose(flag: Option<&str>, env: Option<&str>, config: Option<&str>) -> Self {
        [(Source::Flag, flag), (Source::Env, env), (Source::Config, config)]
            .into_iter()
            .find_map(|(source, value)| {
                let value = value?.trim();
                (!value.is_empty()).then(|| Self::parse(value, source))
            })
            .unwrap_or_default()
    }

    /// A budget to try out.
    pub fn trial(limit: Option<u64>) -> Self {
        Self::new(limit, Source::Trial)
    }

    /// `[+-]?[0-9]+`, as Python's `int` would read it, and nothing more.
    fn parse(value: &str, source: Source) -> Self {
        let (negative, digits) = match value.as_bytes() {
            [b'-', ..] => (true, &value[1..]),
            [b'+', ..] => (false, &value[1..]),
            _ => (false, value),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let finding = Finding::new(
                Code::BudgetNotAnInteger,
                format!(
                    "{} is `{}`, which is no whole number; the default is used; write \
                     plain digits",
                    source.name(),
                    shown(&head(value, 60))
                ),
            );
            return Self { findings: vec![finding], read: source, ..Self::default() };
        }
        if negative && digits.bytes().any(|b| b != b'0') {
            let finding = Finding::new(
                Code::BudgetNegative,
                format!(
                    "{} is {}, which counts as 0: only the first skill is listed",
                    source.name(),
                    head(value, 60)
                ),
            );
            return Self { findings: vec![finding], ..Self::new(Some(0), source) };
        }
        // More digits than fit a number are no limit, as from 2^63 on.
        let number = digits.parse::<u128>().unwrap_or(NO_LIMIT);
        let limit = if negative {
            Some(0)
        } else if number >= NO_LIMIT {
            None
        } else {
            u64::try_from(number).ok()
        };
        Self::new(limit, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_value_means() {
        for (value, limit, source, code) in [
            ("", Some(DEFAULT), Source::Default, None),
            ("  \t", Some(DEFAULT), Source::Default, None),
            ("65", Some(65), Source::Env, None),
            (" 65 ", Some(65), Source::Env, None),
            ("+65", Some(65), Source::Env, None),
            ("0", Some(0), Source::Env, None),
            ("-0", Some(0), Source::Env, None),
            ("-5", Some(0), Source::Env, Some(Code::BudgetNegative)),
            ("007", Some(7), Source::Env, None),
            ("abc", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("12k", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("12_000", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("1.5", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("-", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("１２", Some(DEFAULT), Source::Default, Some(Code::BudgetNotAnInteger)),
            ("9223372036854775807", Some((1 << 63) - 1), Source::Env, None),
            ("9223372036854775808", None, Source::Env, None),
            ("99999999999999999999999999999999999999999999", None, Source::Env, None),
        ] {
            let got = Budget::choose(None, Some(value), None);
            let codes: Vec<_> = got.findings.iter().map(|f| f.code).collect();
            assert_eq!(
                (got.limit, got.source, codes),
                (limit, source, code.into_iter().collect()),
                "{value:?}"
            );
        }
    }

    #[test]
    fn flag_over_environment_over_config() {
        let choose = |f, e, c| {
            let b = Budget::choose(f, e, c);
            (b.limit, b.source)
        };
        assert_eq!(choose(Some("1"), Some("2"), Some("3")), (Some(1), Source::Flag));
        assert_eq!(choose(None, Some("2"), Some("3")), (Some(2), Source::Env));
        assert_eq!(choose(None, Some(" "), Some("3")), (Some(3), Source::Config));
        assert_eq!(choose(None, None, None), (Some(DEFAULT), Source::Default));
    }

    #[test]
    fn a_message_names_the_value_safely() {
        let budget = Budget::choose(None, Some("x\u{1b}[2J"), None);
        let message = budget.findings[0].message.as_str();
        assert!(message.contains("`x\\x1B[2J`") && message.contains(VARIABLE), "{message}");
    }
}
