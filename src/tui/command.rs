//! The commands of the screen, as data.
//!
//! One table says what each is called, which keys it has, where it applies and
//! what it does. The dispatch of keys, the footer, the palette, the help and the
//! config file read it; nothing else knows a key.

use super::filter::Filter;
use super::sheet::Ask;
use super::state::{Overlay, Pane, Reading, State, Tab};
use super::update::is_about_files;
use crate::skill::{Code, Level};

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
    Filter,
    KeepFilter,
    ClearFilter,
    Sort,
    NextProblem,
    PreviousProblem,
    Arguments,
    AcceptArguments,
    NoArguments,
    Profile,
    Agent,
    Clients,
    Agents,
    Hints,
    Lab,
    Budget,
    More,
    Fewer,
    MuchMore,
    MuchLess,
    KeepBudget,
    RealBudget,
    Find,
    NextMatch,
    PreviousMatch,
    Wrap,
    ShiftLeft,
    ShiftRight,
    Invisibles,
    Tool,
    Preview,
    ClosePreview,
    Yank,
    Palette,
    RunChosen,
    Choose,
    Rescan,
    Stop,
    Create,
    Edit,
    Outside,
    Rename,
    Copy,
    Toggle,
    Describe,
    Delete,
    Mark,
    Fix,
    Undo,
    Redo,
    Changes,
    Trash,
    Import,
    Export,
    Accept,
    NextInput,
    PreviousInput,
    LeaveOut,
    Discard,
    Save,
    LeaveEditor,
    UndoTyping,
    RedoTyping,
    FindText,
    NextFinding,
    PreviousFinding,
    FixText,
    ShowUnsaved,
    OutsideText,
    CutText,
    CopyText,
    PasteText,
    SelectAll,
    OtherField,
    ReplaceOne,
    ReplaceAll,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the help
pub enum Context {
    /// On the screen itself, whichever pane has the focus.
    Screen,
    List,
    /// In the list, while a filter is kept.
    Filtered,
    /// While the disk is read.
    Reading,
    Detail,
    /// In the detail, while a file is previewed.
    Previewing,
    Help,
    /// In a list to choose from.
    Picker,
    /// Where a filter is typed.
    Filter,
    /// Where commands are looked for.
    Palette,
    /// Where arguments are typed.
    Arguments,
    /// Where a budget is tried out.
    Budget,
    /// Where a text to find is typed.
    Find,
    /// Where something must be named before it is done.
    Form,
    /// Where something is about to be done.
    Sheet,
    /// In the editor.
    Editor,
    /// Where something is looked for in the editor.
    Search,
    /// In the drafts of sessions that are gone.
    Drafts,
    /// In the changes of the session.
    Changes,
    /// In the trash.
    Trash,
    /// In something told at length.
    Report,
    /// Where the program says something at length.
    Notice,
    /// Wherever nothing is typed.
    Everywhere,
    /// Also where something is typed.
    Always,
}

impl Context {
    /// Every one with its heading in the help.
    pub const ALL: [(Self, &'static str); 24] = [
        (Self::Screen, "On the screen"),
        (Self::List, "In the list"),
        (Self::Filtered, "In a list that is filtered"),
        (Self::Detail, "In the detail"),
        (Self::Previewing, "While a file is shown"),
        (Self::Reading, "While the disk is read"),
        (Self::Everywhere, "Wherever nothing is typed"),
        (Self::Always, "Everywhere"),
        (Self::Filter, "Where a filter is typed"),
        (Self::Find, "Where a text to find is typed"),
        (Self::Arguments, "Where arguments are typed"),
        (Self::Budget, "Where a budget is tried out"),
        (Self::Picker, "In a list to choose from"),
        (Self::Palette, "In the list of commands"),
        (Self::Help, "In the help"),
        (Self::Form, "Where something is named"),
        (Self::Sheet, "Before something is done"),
        (Self::Editor, "In the editor"),
        (Self::Search, "Where a text is found and replaced"),
        (Self::Drafts, "In text that was not saved"),
        (Self::Changes, "In the changes of the session"),
        (Self::Trash, "In the trash"),
        (Self::Report, "In a report"),
        (Self::Notice, "In a message"),
    ];

    /// Whether letters are typed there.
    pub fn is_typing(self) -> bool {
        matches!(
            self,
            Self::Filter
                | Self::Palette
                | Self::Arguments
                | Self::Budget
                | Self::Find
                | Self::Help
                | Self::Form
                | Self::Editor
                | Self::Search
                | Self::Always
        )
    }

    /// Whether the two can count at the same moment.
    pub fn meets(self, other: Self) -> bool {
        use Context as C;
        let is_far = |c| matches!(c, C::Screen | C::Everywhere | C::Always);
        let is_near =
            |c| matches!(c, C::List | C::Filtered | C::Reading | C::Detail | C::Previewing);
        self == other
            || (is_far(self) && (is_far(other) || is_near(other)))
            || (is_near(self) && is_far(other))
            || matches!((self, other), (C::Always, _) | (_, C::Always))
    }

    /// Those that count at this moment, the nearest first.
    pub fn current(state: &State) -> Vec<Self> {
        use Context as C;
        match &state.overlay {
            Some(Overlay::Help { .. }) => vec![C::Help, C::Always],
            Some(Overlay::Notice { .. }) => vec![C::Notice, C::Everywhere, C::Always],
            Some(Overlay::Picker(_)) => vec![C::Picker, C::Everywhere, C::Always],
            Some(Overlay::Filter(_)) => vec![C::Filter, C::Always],
            Some(Overlay::Palette { .. }) => vec![C::Palette, C::Always],
            Some(Overlay::Arguments { .. }) => vec![C::Arguments, C::Always],
            Some(Overlay::Budget { .. }) => vec![C::Budget, C::Always],
            Some(Overlay::Find(_)) => vec![C::Find, C::Always],
            Some(Overlay::Sheet(sheet)) => match sheet.ask {
                Ask::Changes => vec![C::Changes, C::Everywhere, C::Always],
                Ask::Trash(_) => vec![C::Trash, C::Everywhere, C::Always],
                Ask::Report(..) if !sheet.is_form() => vec![C::Report, C::Everywhere, C::Always],
                Ask::Drafts(_) => vec![C::Drafts, C::Everywhere, C::Always],
                _ if sheet.is_form() => vec![C::Form, C::Always],
                _ => vec![C::Sheet, C::Everywhere, C::Always],
            },
            Some(Overlay::Search(_)) => vec![C::Search, C::Always],
            None if state.editing.is_some() => vec![C::Editor, C::Always],
            None => {
                let mut contexts = Vec::new();
                match state.focus {
                    Pane::List => {
                        if state.is_reading() {
                            contexts.push(C::Reading);
                        }
                        if !state.filter.is_empty() {
                            contexts.push(C::Filtered);
                        }
                        contexts.push(C::List);
                    }
                    Pane::Detail => {
                        if state.preview.is_some() && state.tab == Tab::Files {
                            contexts.push(C::Previewing);
                        }
                        contexts.push(C::Detail);
                    }
                }
                contexts.extend([C::Screen, C::Everywhere, C::Always]);
                contexts
            }
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What it does.
    pub command: Command,
    /// Its name: in the palette and in the config file.
    pub name: &'static str,
    /// Its keys where the config file names no others, the one to show first.
    pub keys: &'static [&'static str],
    /// Where it applies.
    pub context: Context,
    /// What it does, in a line.
    pub about: &'static str,
    /// How it is named in the footer, and its weight there: the lightest goes
    /// first when there is no room.
    pub hint: Option<(&'static str, u8)>,
}

macro_rules! table {
    ($($command:expr, $name:literal, [$($key:literal),+], $context:ident, $about:literal, $hint:expr;)*) => {
        /// The table.
        pub const TABLE: &[Entry] = &[$(Entry {
            command: $command,
            name: $name,
            keys: &[$($key),+],
            context: Context::$context,
            about: $about,
            hint: $hint,
        },)*];
    };
}

table! {
    Command::Open, "open", ["enter"], List, "to the detail of the skill", Some(("open", 97));
    Command::Stop, "stop", ["esc"], Reading, "stop reading the disk", Some(("stop", 99));
    Command::ClearFilter, "clear-filter", ["esc"], Filtered, "show every skill again", Some(("show all", 98));
    Command::Preview, "preview", ["enter"], Detail, "show the chosen file (on the Files tab)", Some(("show", 97));
    Command::ClosePreview, "close-preview", ["esc"], Previewing, "back to the files", Some(("files", 98));
    Command::Back, "back", ["esc"], Detail, "back to the list", Some(("list", 96));
    Command::Edit, "edit", ["e"], Screen, "edit the skill or the chosen file here", Some(("edit", 90));
    Command::Create, "new", ["n"], Screen, "a new skill; on the Files tab a new file", Some(("new", 89));
    Command::Rename, "rename", ["r"], Screen, "rename the skill or the chosen file", Some(("rename", 80));
    Command::Delete, "delete", ["d"], Screen, "the marked skills, the chosen one or the file to the trash", Some(("delete", 79));
    Command::Fix, "fix", ["f"], Screen, "mend what can be mended safely, after a look at it", Some(("fix", 76));
    Command::Undo, "undo", ["u"], Screen, "take the last change back", Some(("undo", 70));
    Command::Filter, "filter", ["/"], Screen, "find skills by letters and words", Some(("filter", 72));
    Command::NextProblem, "next-problem", ["]"], Screen, "to the next problem, of whatever skill", Some(("next problem", 64));
    Command::PreviousProblem, "previous-problem", ["["], Screen, "to the problem before", None;
    Command::Sort, "sort", ["s"], Screen, "choose the order of the list", Some(("sort", 45));
    Command::ShowTab(Tab::Overview), "overview", ["1"], Screen, "what is known of the skill", Some(("overview", 31));
    Command::ShowTab(Tab::Body), "body", ["2"], Screen, "the body as written", Some(("body", 32));
    Command::ShowTab(Tab::Activation), "activation", ["3"], Screen, "the exact text a model gets", Some(("activation", 62));
    Command::ShowTab(Tab::Catalog), "catalog", ["4"], Screen, "the exact catalog with its cut", Some(("catalog", 61));
    Command::ShowTab(Tab::Files), "files", ["5"], Screen, "the files of the skill", Some(("files", 30));
    Command::ShowTab(Tab::Problems), "problems", ["6"], Screen, "what is wrong, and the way out", Some(("problems", 63));
    Command::Tool, "tool", ["t"], Screen, "prompt list or tool definition (on the Catalog tab)", Some(("list or tool", 66));
    Command::Find, "find", ["ctrl-f"], Screen, "find text in what is shown", Some(("find", 43));
    Command::Wrap, "wrap", ["w"], Screen, "wrap long lines, or cut them", Some(("wrap", 22));
    Command::ShiftRight, "shift-right", [">"], Screen, "show what is further right of lines that are not wrapped", None;
    Command::ShiftLeft, "shift-left", ["<"], Screen, "show what is further left", None;
    Command::Invisibles, "invisibles", ["i"], Screen, "show or hide tabs, trailing spaces and line ends", Some(("invisibles", 21));
    Command::Arguments, "arguments", ["a"], Screen, "sample arguments for the activation", Some(("args", 77));
    Command::Profile, "profile", ["P"], Screen, "look at the skills as another client", Some(("profile", 71));
    Command::Agent, "agent", ["A"], Screen, "look at the skills as another agent", Some(("agent", 49));
    Command::Lab, "lab", ["L"], Screen, "why a skill is cut, and which descriptions to shorten to bring it back", Some(("why cut", 51));
    Command::Clients, "clients", ["C"], Screen, "which clients lose something, and what", Some(("clients", 50));
    Command::Hints, "hints", ["H"], Screen, "which skills a touched file would suggest by their globs", Some(("hints", 28));
    Command::Agents, "agents", ["O"], Screen, "what each agent gets, and which skills none gets", Some(("agents", 29));
    Command::Budget, "budget", ["b"], Screen, "try out another budget", Some(("budget", 48));
    Command::Yank, "yank", ["y"], Screen, "send the shown text to the terminal's clipboard", Some(("yank", 42));
    Command::Mark, "mark", ["space"], Screen, "mark the skill, to delete or fix several at once", Some(("mark", 23));
    Command::Copy, "copy", ["c"], Screen, "copy the skill under another name", Some(("copy", 24));
    Command::Toggle, "toggle", ["x"], Screen, "turn the skill on or off for an agent", Some(("give or take", 47));
    Command::Describe, "describe", ["D"], Screen, "shorten or change the description: who comes back; enter writes it", Some(("describe", 46));
    Command::Outside, "edit-outside", ["E"], Screen, "edit it in $VISUAL or $EDITOR", Some(("outside", 25));
    Command::Redo, "redo", ["ctrl-r"], Screen, "make the change again that was taken back", None;
    Command::Changes, "changes", ["U"], Screen, "the changes of this session", Some(("changes", 26));
    Command::Trash, "trash", ["T"], Screen, "what was deleted, to bring it back", Some(("trash", 19));
    Command::Import, "import", ["I"], Screen, "bring skills in from a folder, a checkout or an archive", Some(("import", 18));
    Command::Export, "export", ["W"], Screen, "write the skill, or those marked, into an archive", Some(("export", 17));
    Command::Rescan, "rescan", ["R"], Screen, "read the disk again", Some(("rescan", 10));
    Command::OtherPane, "other-pane", ["tab", "backtab"], Screen, "to the other pane", Some(("pane", 20));
    Command::ListPane, "list", ["h", "left"], Screen, "to the list", None;
    Command::DetailPane, "detail", ["l", "right"], Screen, "to the detail", None;
    Command::HalfDown, "half-page-down", ["ctrl-d"], Screen, "half a page down", None;
    Command::HalfUp, "half-page-up", ["ctrl-u"], Screen, "half a page up", None;
    Command::Down, "down", ["j", "down"], Everywhere, "one row down", Some(("down", 12));
    Command::Up, "up", ["k", "up"], Everywhere, "one row up", Some(("up", 11));
    Command::Top, "top", ["g", "home"], Everywhere, "to the first row", None;
    Command::Bottom, "bottom", ["G", "end"], Everywhere, "to the last row", None;
    Command::PageDown, "page-down", ["pgdn"], Everywhere, "one page down", None;
    Command::PageUp, "page-up", ["pgup"], Everywhere, "one page up", None;
    Command::Palette, "commands", [":"], Screen, "every command by name", Some(("commands", 98));
    Command::Quit, "quit", ["q"], Screen, "leave skilldeck", Some(("quit", 95));
    Command::Help, "help", ["?"], Screen, "every key", Some(("help", 100));
    Command::Redraw, "redraw", ["ctrl-l"], Always, "draw the screen anew", None;
    Command::Suspend, "suspend", ["ctrl-z"], Always, "back to the shell; `fg` returns", None;
    Command::KeepFilter, "keep-filter", ["enter"], Filter, "keep the filter and go on", Some(("keep", 92));
    Command::ClearFilter, "drop-filter", ["esc"], Filter, "show every skill again", Some(("show all", 91));
    Command::Down, "filter-down", ["down"], Filter, "one row down", Some(("next", 60));
    Command::Up, "filter-up", ["up"], Filter, "one row up", None;
    Command::PageDown, "filter-page-down", ["pgdn"], Filter, "one page down", None;
    Command::PageUp, "filter-page-up", ["pgup"], Filter, "one page up", None;
    Command::NextMatch, "next-match", ["enter", "down"], Find, "to the next place", Some(("next", 92));
    Command::PreviousMatch, "previous-match", ["up"], Find, "to the place before", Some(("previous", 80));
    Command::Back, "leave-find", ["esc"], Find, "leave off finding", Some(("done", 91));
    Command::AcceptArguments, "use-arguments", ["enter"], Arguments, "use these arguments", Some(("use", 92));
    Command::NoArguments, "no-arguments", ["ctrl-d"], Arguments, "give no arguments at all", Some(("no arguments", 60));
    Command::Back, "leave-arguments", ["esc"], Arguments, "change nothing", Some(("back", 91));
    Command::More, "one-more", ["up"], Budget, "so much that one skill more is listed", Some(("one skill more", 94));
    Command::Fewer, "one-fewer", ["down"], Budget, "so little that one skill fewer is listed", Some(("one fewer", 93));
    Command::MuchMore, "budget-up", ["pgup"], Budget, "1,000 characters more", Some(("+1,000", 60));
    Command::MuchLess, "budget-down", ["pgdn"], Budget, "1,000 characters less", Some(("-1,000", 59));
    Command::RealBudget, "real-budget", ["ctrl-r"], Budget, "the real budget again", Some(("the real one", 70));
    Command::KeepBudget, "keep-budget", ["enter"], Budget, "go on with this budget", Some(("keep", 92));
    Command::Back, "leave-budget", ["esc"], Budget, "the budget from before", Some(("back", 91));
    Command::Choose, "choose", ["enter"], Picker, "take the chosen one", Some(("choose", 92));
    Command::Back, "leave-picker", ["esc"], Picker, "change nothing", Some(("back", 91));
    Command::RunChosen, "run", ["enter"], Palette, "do it", Some(("run", 92));
    Command::Back, "leave-commands", ["esc"], Palette, "back to the screen", Some(("back", 91));
    Command::Down, "commands-down", ["down"], Palette, "one row down", Some(("down", 60));
    Command::Up, "commands-up", ["up"], Palette, "one row up", Some(("up", 59));
    Command::PageDown, "commands-page-down", ["pgdn"], Palette, "one page down", None;
    Command::PageUp, "commands-page-up", ["pgup"], Palette, "one page up", None;
    Command::Back, "leave-help", ["esc"], Help, "close the help", Some(("close", 91));
    Command::Down, "help-down", ["down"], Help, "one row down", Some(("down", 60));
    Command::Up, "help-up", ["up"], Help, "one row up", Some(("up", 59));
    Command::PageDown, "help-page-down", ["pgdn"], Help, "one page down", Some(("page", 58));
    Command::PageUp, "help-page-up", ["pgup"], Help, "one page up", None;
    Command::Accept, "agree", ["enter"], Form, "do it", Some(("do it", 94));
    Command::Back, "leave-form", ["esc"], Form, "change nothing", Some(("back", 93));
    Command::NextInput, "next-field", ["tab"], Form, "to the next field", Some(("next field", 80));
    Command::PreviousInput, "previous-field", ["backtab"], Form, "to the field before", None;
    Command::Down, "form-down", ["down"], Form, "one row down", None;
    Command::Up, "form-up", ["up"], Form, "one row up", None;
    Command::PageDown, "form-page-down", ["pgdn"], Form, "one page down", Some(("page", 40));
    Command::PageUp, "form-page-up", ["pgup"], Form, "one page up", None;
    Command::Accept, "do-it", ["enter"], Sheet, "do it", Some(("do it", 94));
    Command::Back, "leave-sheet", ["esc"], Sheet, "change nothing", Some(("back", 93));
    Command::LeaveOut, "leave-out", ["space"], Sheet, "leave the chosen part out, or take it in again", Some(("leave out", 80));
    Command::Save, "save", ["ctrl-s"], Editor, "write the text to its file", Some(("save", 94));
    Command::LeaveEditor, "leave-editor", ["esc"], Editor, "leave the editor; asks when something is not saved", Some(("leave", 93));
    Command::UndoTyping, "undo-typing", ["ctrl-u"], Editor, "take the last typing back", Some(("undo", 80));
    Command::RedoTyping, "redo-typing", ["ctrl-r"], Editor, "type it again", Some(("redo", 60));
    Command::FindText, "find-text", ["ctrl-f"], Editor, "find and replace", Some(("find", 70));
    Command::NextFinding, "next-finding", ["ctrl-n"], Editor, "to the next finding", Some(("next finding", 75));
    Command::PreviousFinding, "previous-finding", ["ctrl-p"], Editor, "to the finding before", None;
    Command::FixText, "fix-text", ["ctrl-t"], Editor, "mend what can be mended safely, after a look at it", Some(("fix", 65));
    Command::ShowUnsaved, "unsaved", ["ctrl-d"], Editor, "show what is not saved yet", Some(("changes", 50));
    Command::OutsideText, "text-outside", ["ctrl-o"], Editor, "edit the file in $VISUAL or $EDITOR", Some(("outside", 45));
    Command::CutText, "cut", ["ctrl-x"], Editor, "cut the selection (shift and an arrow select), else the line", None;
    Command::CopyText, "copy-text", ["ctrl-y"], Editor, "copy the selection, else the line", None;
    Command::PasteText, "paste", ["ctrl-v"], Editor, "put in what was cut or copied", None;
    Command::SelectAll, "select-all", ["ctrl-a"], Editor, "select all of the text", None;
    Command::NextMatch, "next-place", ["enter", "down"], Search, "to the next place", Some(("next", 94));
    Command::PreviousMatch, "previous-place", ["up"], Search, "to the place before", Some(("previous", 70));
    Command::OtherField, "other-field", ["tab", "backtab"], Search, "to the other field", Some(("other field", 90));
    Command::ReplaceOne, "replace", ["ctrl-r"], Search, "replace it here and go on", Some(("replace", 85));
    Command::ReplaceAll, "replace-all", ["ctrl-a"], Search, "replace it everywhere", Some(("replace all", 80));
    Command::Back, "leave-search", ["esc"], Search, "back to the text", Some(("done", 93));
    Command::Accept, "open-draft", ["enter"], Drafts, "open it in the editor", Some(("open", 94));
    Command::Discard, "discard-draft", ["d"], Drafts, "remove it for good", Some(("discard", 92));
    Command::Back, "later", ["esc"], Drafts, "leave it for the next start", Some(("later", 93));
    Command::Accept, "close-changes", ["enter"], Changes, "back to the screen", Some(("close", 90));
    Command::Back, "leave-changes", ["esc"], Changes, "back to the screen", None;
    Command::Undo, "undo-here", ["u"], Changes, "take the last change back", Some(("undo", 94));
    Command::Redo, "redo-here", ["ctrl-r"], Changes, "make the change again that was taken back", Some(("redo", 93));
    Command::Accept, "restore", ["enter"], Trash, "bring the chosen one back", Some(("restore", 94));
    Command::Accept, "go-there", ["enter"], Report, "look as that client or agent, go to that skill", Some(("go there", 94));
    Command::PageDown, "report-page-down", ["pgdn"], Report, "the next lines of the part", Some(("more", 60));
    Command::PageUp, "report-page-up", ["pgup"], Report, "the lines before", None;
    Command::Back, "leave-report", ["esc"], Report, "back to the screen", Some(("back", 93));
    Command::Back, "leave-trash", ["esc"], Trash, "back to the screen", Some(("back", 93));
    Command::Back, "leave-message", ["esc", "enter"], Notice, "go on", Some(("go on", 91));
}

/// Why a command can do nothing now; `None` when it can.
pub fn unavailable(command: Command, state: &State) -> Option<&'static str> {
    let no_skill = || state.selected_skill().is_none().then_some("no skill is chosen");
    match command {
        Command::Arguments => no_skill().or_else(|| {
            let loads = state.selected_skill().is_some_and(crate::project::Skill::loads);
            (!loads).then_some("the skill does not load, so it cannot be activated")
        }),
        Command::Open | Command::DetailPane if state.selected_row().is_none() => {
            Some("there is nothing to open")
        }
        Command::Filter
        | Command::Sort
        | Command::Budget
        | Command::ShowTab(_)
        | Command::Create
            if state.deck.is_none() =>
        {
            Some("nothing has been read yet")
        }
        Command::NextProblem | Command::PreviousProblem => {
            let deck = state.deck.as_ref();
            let is_problem =
                |s: &crate::project::Skill| s.findings.iter().any(|f| f.level > Level::Note);
            (!deck.is_some_and(|deck| deck.skills.iter().any(is_problem)))
                .then_some("no skill has a problem")
        }
        Command::Rename | Command::Delete if is_about_files(state) => {
            let is_none = super::update::chosen_file(state).is_none();
            is_none.then_some("no file is chosen that can be named")
        }
        Command::Outside | Command::OutsideText if state.editor.is_none() => {
            Some("no editor is named; set $VISUAL, $EDITOR or `editor` in the config file")
        }
        Command::Edit | Command::Outside if is_about_files(state) => {
            (!super::update::is_file_chosen(state)).then_some("only a file can be edited")
        }
        Command::Delete | Command::Export if !state.marked.is_empty() => None,
        Command::Toggle if !state.view.profile.has_agents() => Some("this client knows no agents"),
        Command::Rename
        | Command::Delete
        | Command::Copy
        | Command::Toggle
        | Command::Describe
        | Command::Export
        | Command::Mark
        | Command::Edit
        | Command::Outside => no_skill(),
        Command::Fix => super::update::nothing_to_fix(state),
        Command::LeaveOut => {
            let Some(Overlay::Sheet(sheet)) = &state.overlay else {
                return Some("nothing is left out");
            };
            (!sheet.can_leave_out()).then_some("there is only this one part")
        }
        Command::Import => state.deck.is_none().then_some("nothing has been read yet"),
        Command::Tool => (state.tab != Tab::Catalog).then_some("only on the Catalog tab"),
        Command::Find => state
            .page()
            .is_none()
            .then_some("only in a Body, an Activation, a tool definition or a file"),
        Command::Wrap | Command::Invisibles => {
            (state.page().is_none()).then_some("only where the text of a file is shown")
        }
        Command::ShiftLeft | Command::ShiftRight => {
            (state.page().is_none() || state.lay.wrap).then_some("only where lines are not wrapped")
        }
        Command::Preview if state.tab == Tab::Files => {
            state.chosen_file().is_none().then_some("only a file can be shown")
        }
        Command::Preview => Some("only on a file of the Files tab"),
        Command::ClosePreview => state.preview.is_none().then_some("no file is shown"),
        Command::ClearFilter => (state.filter == Filter::default()
            && !matches!(state.overlay, Some(Overlay::Filter(_))))
        .then_some("there is no filter"),
        Command::Stop => (!state.is_reading()).then_some("nothing is being read"),
        Command::Rescan => {
            (matches!(state.reading, Reading::Scanning(_))).then_some("it is being read already")
        }
        Command::Yank => state.yank().is_none().then_some("there is no text to send"),
        Command::Agent if state.deck.is_none() => Some("nothing has been read yet"),
        Command::Agent if !state.view.profile.has_agents() => {
            Some("this client knows no agents; choose another profile")
        }
        Command::Agent => {
            let agents = state.deck.as_ref().map(|d| &d.agents)?;
            let is_broken = agents.findings.iter().any(|f| f.code == Code::ProjectYaml);
            match agents.iter().next() {
                Some(_) => None,
                None if is_broken => Some("project.yaml cannot be read; the Problems tab says why"),
                None => Some("no agent is named: .kaged/project.yaml has no `primary:`"),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::key::Key;
    use std::collections::HashSet;

    #[test]
    fn every_key_is_a_key_and_means_one_thing_in_a_context() {
        let (mut seen, mut names) = (HashSet::new(), HashSet::new());
        for entry in TABLE {
            assert!(!entry.about.is_empty() && !entry.keys.is_empty());
            assert!(names.insert(entry.name), "{} twice", entry.name);
            for key in entry.keys {
                let parsed = Key::parse(key).unwrap_or_else(|| panic!("{key}"));
                assert!(seen.insert((entry.context, *key)), "{key} twice");
                assert!(!(entry.context.is_typing() && parsed.is_typed()), "{key} is typed there");
            }
        }
    }

    #[test]
    fn every_context_is_in_the_help() {
        for entry in TABLE {
            assert!(Context::ALL.iter().any(|(context, _)| *context == entry.context));
        }
    }
}
