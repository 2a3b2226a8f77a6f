//! The commands of the screen, as data.
//!
//! One table says what each is called, which keys it has, where it applies and
//! what it does. The dispatch of keys, the footer and the help read it; nothing
//! else knows a key.

use super::key::Key;
use super::state::{Overlay, Pane, State, Tab};
use crate::skill::Code;

/// What can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the table says what each does
pub enum Command {
    Down,
    Up,
    Top,
    Bottom,
    PageDown,
    PageUp,
    HalfDown,
    HalfUp,
    OtherPane,
    ListPane,
    DetailPane,
    Open,
    Back,
    ShowTab(Tab),
    Arguments,
    Profile,
    Agent,
    Rescan,
    Help,
    Redraw,
    Suspend,
    Quit,
    Choose,
    AcceptArguments,
    NoArguments,
}

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the screen itself, whichever pane has the focus.
    Screen,
    /// In the list.
    List,
    /// In the detail.
    Detail,
    /// In the help.
    Help,
    /// In a list to choose from.
    Picker,
    /// Where arguments are typed.
    Arguments,
    /// Everywhere.
    Everywhere,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What it does.
    pub command: Command,
    /// Its name.
    pub name: &'static str,
    /// Its keys, the one to show first.
    pub keys: &'static [&'static str],
    /// Where it applies.
    pub place: Place,
    /// What it does, in a line.
    pub about: &'static str,
    /// How it is named in the footer, and its weight there: the lightest goes
    /// first when there is no room.
    pub hint: Option<(&'static str, u8)>,
}

macro_rules! table {
    ($($command:expr, $name:literal, [$($key:literal),+], $place:ident, $about:literal, $hint:expr;)*) => {
        /// The table.
        pub const TABLE: &[Entry] = &[$(Entry {
            command: $command,
            name: $name,
            keys: &[$($key),+],
            place: Place::$place,
            about: $about,
            hint: $hint,
        },)*];
    };
}

table! {
    Command::Down, "down", ["j", "down"], Everywhere, "one row down", None;
    Command::Up, "up", ["k", "up"], Everywhere, "one row up", None;
    Command::Top, "top", ["g", "home"], Everywhere, "to the first row", None;
    Command::Bottom, "bottom", ["G", "end"], Everywhere, "to the last row", None;
    Command::PageDown, "page down", ["pgdn"], Everywhere, "one page down", None;
    Command::PageUp, "page up", ["pgup"], Everywhere, "one page up", None;
    Command::HalfDown, "half page down", ["ctrl-d"], Screen, "half a page down", None;
    Command::HalfUp, "half page up", ["ctrl-u"], Screen, "half a page up", None;
    Command::Open, "open", ["enter"], List, "to the detail of the skill", Some(("open", 70));
    Command::Back, "back", ["esc"], Detail, "back to the list", Some(("list", 90));
    Command::OtherPane, "other pane", ["tab", "backtab"], Screen, "to the other pane", Some(("pane", 20));
    Command::ListPane, "list", ["h", "left"], Screen, "to the list", None;
    Command::DetailPane, "detail", ["l", "right"], Screen, "to the detail", None;
    Command::ShowTab(Tab::Overview), "overview", ["1"], Screen, "what is known of the skill", Some(("overview", 31));
    Command::ShowTab(Tab::Body), "body", ["2"], Screen, "the body as written", Some(("body", 32));
    Command::ShowTab(Tab::Activation), "activation", ["3"], Screen, "the exact text a model gets", Some(("activation", 62));
    Command::ShowTab(Tab::Catalog), "catalog", ["4"], Screen, "the exact catalog with its cut", Some(("catalog", 61));
    Command::ShowTab(Tab::Files), "files", ["5"], Screen, "the files of the skill", Some(("files", 30));
    Command::ShowTab(Tab::Problems), "problems", ["6"], Screen, "what is wrong, and the way out", Some(("problems", 63));
    Command::Arguments, "arguments", ["a"], Screen, "sample arguments for the activation", Some(("args", 60));
    Command::Profile, "profile", ["P"], Screen, "look at the skills as another client", Some(("profile", 50));
    Command::Agent, "agent", ["A"], Screen, "look at the skills as another agent", Some(("agent", 49));
    Command::Rescan, "rescan", ["R"], Screen, "read the disk again", Some(("rescan", 10));
    Command::Choose, "choose", ["enter"], Picker, "take the chosen one", Some(("choose", 90));
    Command::AcceptArguments, "use", ["enter"], Arguments, "use these arguments", Some(("use", 90));
    Command::NoArguments, "none", ["ctrl-d"], Arguments, "give no arguments at all", Some(("no arguments", 60));
    Command::Down, "scroll", ["j"], Help, "one row down", Some(("scroll", 80));
    Command::Back, "back", ["esc", "q", "?"], Help, "close the help", Some(("close", 90));
    Command::Back, "back", ["esc"], Picker, "change nothing", Some(("back", 80));
    Command::Back, "back", ["esc"], Arguments, "change nothing", Some(("back", 80));
    Command::Redraw, "redraw", ["ctrl-l"], Everywhere, "draw the screen anew", None;
    Command::Suspend, "suspend", ["ctrl-z"], Everywhere, "back to the shell; `fg` returns", None;
    Command::Quit, "quit", ["q"], Screen, "leave skilldeck", Some(("quit", 95));
    Command::Help, "help", ["?"], Screen, "every key", Some(("help", 100));
}

impl Place {
    /// The places that count at this moment, the nearest first.
    pub fn current(state: &State) -> &'static [Self] {
        match (&state.overlay, state.focus) {
            (Some(Overlay::Help { .. }), _) => &[Self::Help, Self::Everywhere],
            (Some(Overlay::Picker(_)), _) => &[Self::Picker, Self::Everywhere],
            (Some(Overlay::Arguments(_)), _) => &[Self::Arguments],
            (None, Pane::List) => &[Self::List, Self::Screen, Self::Everywhere],
            (None, Pane::Detail) => &[Self::Detail, Self::Screen, Self::Everywhere],
        }
    }
}

/// The command that a key means now.
pub fn of_key(key: Key, state: &State) -> Option<Command> {
    let places = Place::current(state);
    let typing = matches!(state.overlay, Some(Overlay::Arguments(_)));
    // Where one types, only these two of the commands that are everywhere count.
    let everywhere = |e: &&Entry| typing && matches!(e.command, Command::Suspend | Command::Redraw);
    let has_key = |e: &&Entry| e.keys.iter().any(|k| Key::parse(k) == Some(key));
    places
        .iter()
        .find_map(|place| TABLE.iter().filter(|e| e.place == *place).find(has_key))
        .or_else(|| TABLE.iter().filter(everywhere).find(has_key))
        .map(|e| e.command)
}

/// Why a command can do nothing now; `None` when it can.
pub fn unavailable(command: Command, state: &State) -> Option<&'static str> {
    match command {
        Command::Arguments if state.selected_skill().is_none() => Some("no skill is chosen"),
        Command::Arguments if state.selected_skill().is_some_and(|s| !s.loads()) => {
            Some("the skill does not load, so it cannot be activated")
        }
        Command::Open | Command::DetailPane if state.selected_row().is_none() => {
            Some("there is nothing to open")
        }
        Command::Agent if !state.view.profile.has_agents() => {
            Some("this client knows no agents; P chooses another")
        }
        Command::Agent => {
            let agents = state.deck.as_ref().map(|d| &d.agents)?;
            let is_broken = agents.findings.iter().any(|f| f.code == Code::ProjectYaml);
            match agents.iter().next() {
                Some(_) => None,
                None if is_broken => Some("project.yaml cannot be read; 6 says why"),
                None => Some("no agent is named: .kaged/project.yaml has no `primary:`"),
            }
        }
        _ => None,
    }
}

/// The entries that apply now, each command once, in the order of the table.
pub fn applicable(state: &State) -> impl Iterator<Item = &'static Entry> {
    let places = Place::current(state);
    TABLE.iter().filter(move |e| places.contains(&e.place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_a_key_and_means_one_thing_in_a_place() {
        let mut seen = std::collections::HashSet::new();
        for entry in TABLE {
            assert!(!entry.about.is_empty() && !entry.keys.is_empty());
            for key in entry.keys {
                assert!(Key::parse(key).is_some(), "{key}");
                assert!(seen.insert((format!("{:?}", entry.place), *key)), "{key} twice");
            }
        }
    }
}
