//! Which key means what: the defaults of the table, and what the config file says.

use super::command::{Command, Context, Entry, TABLE, unavailable};
use super::key::Key;
use super::state::State;

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
