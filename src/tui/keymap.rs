//! Which key means what: the defaults of the table, and what the config file says.

use super::command::{Command, Context, Entry, TABLE, unavailable};
use super::key::Key;
use super::state::State;
use crate::config::{Binding, Mistake};

/// The keys of every entry of the table, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    keys: Vec<Vec<Key>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = |entry: &Entry| entry.keys.iter().filter_map(|key| Key::parse(key)).collect();
        Self { keys: TABLE.iter().map(keys).collect() }
    }
}

impl Keymap {
    /// The defaults, changed as the config file says; and what it says wrongly.
    ///
    /// A key that the file gives to a command is taken from the command that
    /// has it by default.
    pub fn new(bindings: &[Binding]) -> (Self, Vec<Mistake>) {
        let mut map = Self::default();
        let mut mistakes = Vec::new();
        let mut given: Vec<(Context, Key, &'static str)> = Vec::new();
        for binding in bindings {
            let Some(at) = TABLE.iter().position(|entry| entry.name == binding.command) else {
                mistakes.push(unknown_command(binding));
                continue;
            };
            let entry = &TABLE[at];
            let mut keys = Vec::new();
            for (text, place) in &binding.keys {
                match key_for(entry, text, &given) {
                    Ok(key) => {
                        keys.push(key);
                        given.push((entry.context, key, entry.name));
                    }
                    Err(message) => mistakes.push(Mistake::new(*place, message)),
                }
            }
            let is_way_out = matches!(entry.command, Command::Quit | Command::Back);
            if keys.is_empty() && is_way_out {
                if binding.keys.is_empty() {
                    let message = format!("`{}` must keep a key; name one", entry.name);
                    mistakes.push(Mistake::new(binding.place, message));
                }
                continue;
            }
            if !keys.is_empty() || binding.keys.is_empty() {
                map.keys[at] = keys;
            }
        }
        map.give_way(&given);
        map.refuse_shadows(bindings, &mut mistakes);
        (map, mistakes)
    }

    /// Takes back the keys of the file that would hide another command, or be
    /// hidden by one, where two contexts count at once.
    fn refuse_shadows(&mut self, bindings: &[Binding], mistakes: &mut Vec<Mistake>) {
        for binding in bindings {
            let Some(at) = TABLE.iter().position(|entry| entry.name == binding.command) else {
                continue;
            };
            for (text, place) in &binding.keys {
                let Some(key) = Key::parse(text).filter(|key| self.keys[at].contains(key)) else {
                    continue;
                };
                let other = TABLE.iter().zip(&self.keys).find(|(entry, keys)| {
                    entry.context != TABLE[at].context
                        && entry.context.meets(TABLE[at].context)
                        && entry.command != TABLE[at].command
                        && keys.contains(&key)
                });
                let Some((other, _)) = other else { continue };
                let message = format!(
                    "`{text}` is `{}` at the same time; give that command another key, or name \
                     another here",
                    other.name
                );
                mistakes.push(Mistake::new(*place, message));
                self.keys[at].retain(|k| *k != key);
                if self.keys[at].is_empty() {
                    self.keys[at] = Self::default().keys[at].clone();
                }
            }
        }
    }

    /// Takes from every other command of a context the keys that the file gave.
    fn give_way(&mut self, given: &[(Context, Key, &'static str)]) {
        for (entry, keys) in TABLE.iter().zip(&mut self.keys) {
            let is_taken = |key: &Key| {
                given.iter().any(|(context, k, name)| {
                    *context == entry.context && k == key && *name != entry.name
                })
            };
            let left: Vec<_> = keys.iter().filter(|key| !is_taken(key)).copied().collect();
            let is_way_out = matches!(entry.command, Command::Quit | Command::Back);
            if !left.is_empty() || !is_way_out {
                *keys = left;
            }
        }
    }

    /// The entries of the table with their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Entry, &[Key])> {
        TABLE.iter().zip(self.keys.iter().map(Vec::as_slice))
    }

    /// The key to name for a command, wherever it applies.
    pub fn name(&self, command: Command) -> String {
        let mut keys = self.entries().filter(|(entry, _)| entry.command == command);
        let key = keys.find_map(|(_, keys)| keys.first());
        key.map_or_else(|| "no key".to_owned(), Key::to_string)
    }

    /// The keys of the entry of a name.
    pub fn of(&self, name: &str) -> Vec<String> {
        let mut entries = self.entries();
        let found = entries.find(|(entry, _)| entry.name == name);
        found.map_or_else(Vec::new, |(_, keys)| keys.iter().map(Key::to_string).collect())
    }

    /// The entry that a key means now. Of two in one context it is the one that
    /// can do something.
    pub fn entry(&self, key: Key, state: &State) -> Option<&'static Entry> {
        Context::current(state).into_iter().find_map(|context| {
            let mut meant = self
                .entries()
                .filter(|(entry, keys)| entry.context == context && keys.contains(&key))
                .map(|(entry, _)| entry);
            let first = meant.next()?;
            let is_able = |entry: &&Entry| unavailable(entry.command, state).is_none();
            Some(if is_able(&first) { first } else { meant.find(is_able).unwrap_or(first) })
        })
    }

    /// The entries that apply now and have a key, the nearest first; of those
    /// with one key only the one it means.
    pub fn applicable(&self, state: &State) -> Vec<(&'static Entry, Key)> {
        let mut taken: Vec<Key> = Vec::new();
        let mut out = Vec::new();
        for context in Context::current(state) {
            for (entry, keys) in self.entries().filter(|(entry, _)| entry.context == context) {
                let free: Vec<_> =
                    keys.iter().filter(|key| !taken.contains(key)).copied().collect();
                if let Some(first) = free.first() {
                    out.push((entry, *first));
                }
                taken.extend(free);
            }
        }
        out
    }
}

/// The key that a text names, if a command may have it.
fn key_for(
    entry: &Entry,
    text: &str,
    given: &[(Context, Key, &'static str)],
) -> Result<Key, String> {
    let Some(key) = Key::parse(text) else {
        return Err(format!(
            "`{text}` is no key that a terminal sends; write a character, `ctrl-` and a small letter \
             other than h, i, j and m, or one of {}",
            Key::names().collect::<Vec<_>>().join(" ")
        ));
    };
    if key == Key::CTRL_C {
        return Err("`ctrl-c` is `esc` everywhere and cannot be given; write `esc`".to_owned());
    }
    if entry.context.is_typing() && key.is_typed() {
        return Err(format!(
            "`{text}` could not be typed any more where `{}` applies; name a key that is no \
             character",
            entry.name
        ));
    }
    match given.iter().find(|(context, k, _)| *context == entry.context && *k == key) {
        Some((_, _, name)) => Err(format!("`{text}` is given to `{name}` already")),
        None => Ok(key),
    }
}

fn unknown_command(binding: &Binding) -> Mistake {
    let near = TABLE
        .iter()
        .map(|entry| (strsim::jaro_winkler(entry.name, &binding.command), entry.name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(score, _)| *score > 0.8)
        .map_or(String::new(), |(_, name)| format!(" (did you mean `{name}`?)"));
    let names: Vec<_> = TABLE.iter().map(|entry| entry.name).collect();
    Mistake::new(
        binding.place,
        format!("`{}` is no command{near}; these are: {}", binding.command, names.join(" ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::Place;

    fn bind(text: &[(&str, &[&str])]) -> (Keymap, Vec<String>) {
        let binding = |(line, (command, keys)): (usize, &(&str, &[&str]))| {
            let place = |column| Place { line: line as u32 + 1, column };
            let keys = keys.iter().map(|key| ((*key).to_owned(), place(9))).collect();
            Binding { command: (*command).to_owned(), place: place(1), keys }
        };
        let bindings: Vec<_> = text.iter().enumerate().map(binding).collect();
        let (map, mistakes) = Keymap::new(&bindings);
        (map, mistakes.iter().map(|m| format!("{}: {}", m.place.line, m.message)).collect())
    }

    #[test]
    fn the_file_changes_keys_and_takes_them_from_others() {
        let (map, mistakes) =
            bind(&[("quit", &["x", "ctrl-q"]), ("filter", &["b"]), ("sort", &[])]);
        assert_eq!(mistakes, [""; 0]);
        assert_eq!(map.of("quit"), ["x", "ctrl-q"]);
        assert_eq!(map.of("filter"), ["b"]);
        assert_eq!(map.of("budget"), [""; 0], "its key went to the filter");
        assert_eq!(map.of("sort"), [""; 0]);
        assert_eq!(map.name(Command::Budget), "no key");
    }

    #[test]
    fn no_key_hides_another_command_where_both_count() {
        let (map, mistakes) =
            bind(&[("quit", &["enter"]), ("open", &["/"]), ("help", &["ctrl-i"])]);
        let told = [
            "1: `enter` is `preview` at the same time",
            "2: `/` is `filter` at the same time",
            "3: `ctrl-i` is no key that a terminal sends",
        ];
        let mut mistakes = mistakes;
        mistakes.sort();
        assert_eq!(mistakes.len(), told.len(), "{mistakes:#?}");
        for (mistake, told) in mistakes.iter().zip(told) {
            assert!(mistake.starts_with(told), "{mistake} / {told}");
        }
        for (name, key) in [("quit", "q"), ("open", "enter"), ("filter", "/"), ("help", "?")] {
            assert_eq!(map.of(name), [key], "{name}");
        }
    }

    #[test]
    fn what_cannot_be_is_told_and_the_way_out_stays() {
        let (map, mistakes) = bind(&[
            ("qiut", &["x"]),
            ("down", &["hyper-x", "v"]),
            ("up", &["v"]),
            ("keep-filter", &["x"]),
            ("quit", &[]),
            ("help", &["ctrl-c"]),
            ("filter", &["q"]),
        ]);
        let told = [
            "1: `qiut` is no command (did you mean `quit`?)",
            "2: `hyper-x` is no key",
            "3: `v` is given to `down` already",
            "4: `x` could not be typed",
            "5: `quit` must keep a key",
            "6: `ctrl-c` is `esc`",
        ];
        assert_eq!(mistakes.len(), told.len(), "{mistakes:#?}");
        for (mistake, told) in mistakes.iter().zip(told) {
            assert!(mistake.starts_with(told), "{mistake} / {told}");
        }
        assert_eq!(map.of("quit"), ["q"], "quit keeps its key, whoever wants it");
        assert_eq!(
            (map.of("down"), map.of("up")),
            (vec!["v".to_owned()], vec!["k".to_owned(), "up".to_owned()])
        );
    }
}
