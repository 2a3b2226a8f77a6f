//! Which agent may use which skill: `project.yaml` overlaid by
//! `project.local.yaml` (CONTRACT §6).

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::file::Readable;
use super::locate::Project;
use crate::skill::text::{head, shown};
use crate::skill::yaml::{self, Kind, Limits, Node, Tree, Trouble, Value};
use crate::skill::{Code, Finding, Place};

/// Far more agents than any project has; a file that names more is cut there.
const MAX_AGENTS: usize = 1_000;
const MAX_DEPTH: usize = 120;
/// A project's own file is not somebody else's: only what would hang is refused.
const YAML_LIMITS: Limits = Limits { anchors: 10_000, levels: 250, directives: true };

/// The agent that is looked at when none is named.
pub const PRIMARY: &str = "primary";

/// The agents of a project.
#[derive(Debug, Clone)]
pub struct Agents {
    list: Vec<Agent>,
    /// What is wrong with the files; each names its file relative to the project.
    pub findings: Vec<Finding>,
    broken: bool,
    files: [FileText; 2],
}

impl Default for Agents {
    fn default() -> Self {
        Self { list: Vec::new(), findings: Vec::new(), broken: false, files: [Ok(None), Ok(None)] }
    }
}

/// Two readings are the same when the files were.
impl PartialEq for Agents {
    fn eq(&self, other: &Self) -> bool {
        self.files == other.files
    }
}

/// The text of a file, `None` if there is no file, or why it cannot be read.
pub type FileText = Result<Option<String>, String>;

/// One agent.
#[derive(Debug, Clone)]
pub struct Agent {
    address: String,
    patterns: Vec<Pattern>,
    set: GlobSet,
}

/// One glob of an agent's `skills`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    text: String,
    file: &'static str,
    place: Place,
}

/// The agent asked for is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent `{name}` in .kaged/project.yaml; {known}")]
pub struct UnknownAgent {
    name: String,
    known: String,
}

impl Agent {
    /// Its address: `primary`, `primary/reviewer`, …
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether it may use the skill of a folder.
    pub fn may_use(&self, folder: &str) -> bool {
        self.set.is_match(folder)
    }
}

impl Agents {
    /// Reads the two files of a project; a missing one says nothing.
    pub fn load(project: &Project) -> Self {
        let [base, local] = project.agent_files().map(|path| {
            if !path.is_symlink() && !path.exists() {
                return Ok(None);
            }
            let why = |finding: Finding| finding.message.into_string();
            let readable = Readable::find(&path, project.boundary()).map_err(why)?;
            let (_, bytes) = readable.read().map_err(why)?;
            String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
        });
        Self::parse(base, local)
    }

    /// Reads the texts of the two files; an error says why one could not be read.
    pub fn parse(base: FileText, local: FileText) -> Self {
        let mut agents = Self { files: [base.clone(), local.clone()], ..Self::default() };
        let files = [(base, ".kaged/project.yaml"), (local, ".kaged/project.local.yaml")];
        let [base, local] = files.map(|(text, file)| {
            let read = match text {
                Ok(text) => Layer::read(&text?, file),
                Err(why) => Err(unreadable(file, &why)),
            };
            read.map_err(|finding| agents.findings.push(finding)).ok()
        });
        // A filter must not be guessed from half of what was written.
        agents.broken = !agents.findings.is_empty();
        let root = Overlay {
            base: base.as_ref().and_then(Layer::root),
            local: local.as_ref().and_then(Layer::root),
        };
        if let Some(primary) = root.get(PRIMARY) {
            agents.add(PRIMARY, primary, 0);
        }
        agents
    }

    fn add(&mut self, address: &str, node: Overlay<'_>, depth: usize) {
        if self.list.len() >= MAX_AGENTS || depth > MAX_DEPTH {
            let is_said = |f: &Finding| f.code == Code::UnknownAgentSkills && f.place.is_none();
            if !self.findings.iter().any(is_said) {
                let message = format!(
                    "there are more than {MAX_AGENTS} agents, or more than {MAX_DEPTH} levels of \
                     them; the rest is left out"
                );
                self.findings.push(
                    Finding::new(Code::UnknownAgentSkills, message).file(".kaged/project.yaml"),
                );
            }
            return;
        }
        let patterns = if self.broken { None } else { self.patterns(address, node) };
        let set = patterns.as_deref().map_or_else(all, |patterns| self.set(address, patterns));
        self.list.push(Agent {
            address: address.to_owned(),
            patterns: patterns.unwrap_or_default(),
            set,
        });
        if let Some(subagents) = node.get("subagents") {
            for name in subagents.keys() {
                if let Some(sub) = subagents.get(name) {
                    self.add(&format!("{address}/{name}"), sub, depth + 1);
                }
            }
        }
    }

    /// The globs of an agent; `None` is every skill.
    fn patterns(&mut self, address: &str, node: Overlay<'_>) -> Option<Vec<Pattern>> {
        let skills = node.get("skills")?;
        let at = skills.top()?;
        let Value::Sequence(items) = &at.node.value else {
            self.findings.push(
                Finding::new(
                    Code::UnknownAgentSkills,
                    format!(
                        "`skills` of the agent `{}` is not a list of globs, so it gets every \
                         skill; write `skills: [\"name\", \"deploy-*\"]`",
                        shown(address)
                    ),
                )
                .file(at.layer.file)
                .at(at.place()),
            );
            return None;
        };
        let mut patterns = Vec::new();
        for item in items {
            let item = At { node: at.layer.tree.target(item), layer: at.layer };
            match item.node.text() {
                Some(text) if item.node.kind() != Some(Kind::Null) => patterns.push(Pattern {
                    text: text.to_owned(),
                    file: at.layer.file,
                    place: item.place(),
                }),
                _ => self.findings.push(
                    Finding::new(
                        Code::UnknownAgentSkills,
                        format!(
                            "an entry of `skills` of the agent `{}` is not a text and matches \
                             nothing; write a glob",
                            shown(address)
                        ),
                    )
                    .file(at.layer.file)
                    .at(item.place()),
                ),
            }
        }
        Some(patterns)
    }

    fn set(&mut self, address: &str, patterns: &[Pattern]) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            match GlobBuilder::new(&pattern.text).literal_separator(true).build() {
                Ok(glob) => {
                    set.add(glob);
                }
                Err(error) => self.findings.push(
                    Finding::new(
                        Code::UnknownAgentSkills,
                        format!(
                            "`{}` in `skills` of the agent `{}` is not a glob ({}) and matches \
                             nothing",
                            head(&pattern.text, 60),
                            shown(address),
                            error.kind()
                        ),
                    )
                    .file(pattern.file)
                    .at(pattern.place),
                ),
            }
        }
        set.build().unwrap_or_else(|_| GlobSet::empty())
    }

    /// The agents, the primary one first.
    pub fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.list.iter()
    }

    /// The agent asked for; `None` asks for the primary one if there is one,
    /// and then the answer may be none: every skill is looked at.
    ///
    /// # Errors
    /// When it is not there.
    pub fn find(&self, address: Option<&str>) -> Result<Option<&Agent>, UnknownAgent> {
        let wanted = address.unwrap_or(PRIMARY);
        match self.list.iter().find(|a| a.address == wanted) {
            Some(agent) => Ok(Some(agent)),
            // In files that cannot be read, any agent may be.
            None if address.is_none() || self.broken => Ok(None),
            None => Err(UnknownAgent {
                name: shown(wanted).into_string(),
                known: if self.list.is_empty() {
                    "it names none".to_owned()
                } else {
                    let names: Vec<_> =
                        self.list.iter().map(|a| shown(&a.address).into_string()).collect();
                    format!("there are {}", names.join(", "))
                },
            }),
        }
    }

    /// The agents that may use the skill of a folder.
    pub fn users_of<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a Agent> {
        self.list.iter().filter(move |a| a.may_use(folder))
    }

    /// Plain names in the filters that are no folder: typing errors, or a
    /// skill's effective name where its folder belongs.
    pub fn names_of_nothing<'a>(
        &self,
        folders: &[&'a str],
        effective: impl Fn(&str) -> Option<&'a str>,
    ) -> Vec<Finding> {
        let is_literal = |p: &&Pattern| !p.text.contains(['*', '?', '[', '{', '\\']);
        let mut findings = Vec::new();
        for agent in &self.list {
            for pattern in agent.patterns.iter().filter(is_literal) {
                if folders.contains(&pattern.text.as_str()) {
                    continue;
                }
                let hint = match effective(&pattern.text) {
                    Some(folder) => {
                        format!("that skill lies in the folder `{folder}`: name that")
                    }
                    None => "mend or remove it".to_owned(),
                };
                findings.push(
                    Finding::new(
                        Code::UnknownAgentSkills,
                        format!(
                            "`skills` of the agent `{}` names `{}`, but there is no such folder; \
                             {hint}",
                            agent.address,
                            head(&pattern.text, 60)
                        ),
                    )
                    .file(pattern.file)
                    .at(pattern.place),
                );
            }
        }
        findings
    }
}

fn all() -> GlobSet {
    GlobBuilder::new("*")
        .literal_separator(true)
        .build()
        .ok()
        .and_then(|glob| GlobSetBuilder::new().add(glob).build().ok())
        .unwrap_or_else(GlobSet::empty)
}

fn unreadable(file: &str, why: &str) -> Finding {
    Finding::new(
        Code::ProjectYaml,
        format!("`{file}` could not be read ({why}), so every agent gets every skill"),
    )
    .file(file)
}

fn not_yaml(text: &str, file: &str, trouble: Trouble) -> Finding {
    let (message, at) = match trouble {
        Trouble::Syntax { message, at } => (message, at),
        Trouble::Limit { what, at } => (format!("too many {what}"), at),
    };
    Finding::new(
        Code::ProjectYaml,
        format!("`{file}` is not valid YAML ({message}), so every agent gets every skill; mend it"),
    )
    .file(file)
    .at(Place::of(text, at))
}

struct Layer {
    tree: Tree,
    text: String,
    file: &'static str,
}

impl Layer {
    fn read(text: &str, file: &'static str) -> Result<Self, Finding> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match yaml::read_within(text, YAML_LIMITS) {
            Ok(tree) => Ok(Self { tree, text: text.to_owned(), file }),
            Err(trouble) => Err(not_yaml(text, file, trouble)),
        }
    }

    fn root(&self) -> Option<At<'_>> {
        let root = self.tree.root.as_ref()?;
        Some(At { node: self.tree.target(root), layer: self })
    }
}

/// A node and the file it stands in.
#[derive(Clone, Copy)]
struct At<'a> {
    node: &'a Node,
    layer: &'a Layer,
}

impl<'a> At<'a> {
    fn get(self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        Some(At { node: self.layer.tree.target(node), layer: self.layer })
    }

    fn is_map(self) -> bool {
        matches!(self.node.value, Value::Mapping { .. })
    }

    fn is_null(self) -> bool {
        self.node.kind() == Some(Kind::Null)
    }

    fn place(self) -> Place {
        Place::of(&self.layer.text, self.node.span.start)
    }

    fn keys(self) -> Vec<&'a str> {
        self.node.pairs().unwrap_or(&[]).iter().filter_map(|(k, _)| k.text()).collect()
    }
}

/// A value of the base with what the local file lays over it: maps merge,
/// everything else replaces, null removes.
#[derive(Clone, Copy)]
struct Overlay<'a> {
    base: Option<At<'a>>,
    local: Option<At<'a>>,
}

impl<'a> Overlay<'a> {
    fn get(self, key: &str) -> Option<Self> {
        let base = self.base.and_then(|at| at.get(key));
        let local = self.local.and_then(|at| at.get(key));
        match (base, local) {
            (_, Some(local)) if local.is_null() => None,
            (Some(base), Some(local)) if base.is_map() && local.is_map() => {
                Some(Overlay { base: Some(base), local: Some(local) })
            }
            (_, Some(local)) => Some(Overlay { base: None, local: Some(local) }),
            (Some(base), None) => Some(Overlay { base: Some(base), local: None }),
            (None, None) => None,
        }
    }

    fn top(self) -> Option<At<'a>> {
        self.local.or(self.base)
    }

    fn keys(self) -> Vec<&'a str> {
        let mut keys = self.base.map(At::keys).unwrap_or_default();
        for key in self.local.map(At::keys).unwrap_or_default() {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(base: Option<&str>, local: Option<&str>) -> Agents {
        Agents::parse(Ok(base.map(str::to_owned)), Ok(local.map(str::to_owned)))
    }

    fn gets(agents: &Agents, agent: &str) -> Vec<&'static str> {
        let agent = agents.find(Some(agent)).expect(agent).expect(agent);
        ["a", "deploy-x", "deploy-y", "x/y"].into_iter().filter(|f| agent.may_use(f)).collect()
    }

    fn codes(agents: &Agents) -> Vec<(Code, u32, u32)> {
        agents
            .findings
            .iter()
            .map(|f| (f.code, f.place.unwrap().line, f.place.unwrap().column))
            .collect()
    }

    #[test]
    fn each_agent_has_its_filter() {
        let agents = parse(
            Some(
                "primary:\n  model: m\n  skills: [a, \"deploy-*\"]\n  subagents:\n    all: {}\n    \
                 none:\n      skills: []\n      subagents:\n        deep: {skills: ['**']}\n",
            ),
            None,
        );
        assert_eq!(gets(&agents, "primary"), ["a", "deploy-x", "deploy-y"]);
        assert_eq!(gets(&agents, "primary/all"), ["a", "deploy-x", "deploy-y"]);
        assert_eq!(gets(&agents, "primary/none"), Vec::<&str>::new());
        assert_eq!(gets(&agents, "primary/none/deep"), ["a", "deploy-x", "deploy-y", "x/y"]);
        assert!(agents.find(Some("reviewer")).is_err());
        assert!(agents.findings.is_empty());
        assert_eq!(agents.users_of("a").count(), 3);
    }

    #[test]
    fn the_local_file_lies_over_the_other() {
        let base = "primary:\n  skills: [a]\n  subagents:\n    x: {skills: [a]}\n    y: {}\n";
        for (local, want) in [
            ("primary:\n  skills: [deploy-x]\n", vec!["deploy-x"]),
            ("primary:\n  skills: ~\n", vec!["a", "deploy-x", "deploy-y"]),
            ("primary:\n  model: other\n", vec!["a"]),
            ("other: 1\n", vec!["a"]),
        ] {
            let agents = parse(Some(base), Some(local));
            assert_eq!(gets(&agents, "primary"), want, "{local}");
        }
        let agents = parse(Some(base), Some("primary:\n  subagents:\n    x: ~\n    z: {}\n"));
        let names: Vec<_> = agents.iter().map(Agent::address).collect();
        assert_eq!(names, ["primary", "primary/y", "primary/z"]);
        assert!(parse(Some(base), Some("primary: ~")).find(None).unwrap().is_none());
        assert!(parse(None, None).find(None).unwrap().is_none());
    }

    #[test]
    fn what_is_not_understood_is_said_and_hides_nothing() {
        let agents = parse(Some("primary:\n  skills:\n    a: {mode: always}\n"), None);
        assert_eq!(codes(&agents), [(Code::UnknownAgentSkills, 3, 5)]);
        assert_eq!(gets(&agents, "primary"), ["a", "deploy-x", "deploy-y"]);

        let agents = parse(Some("primary:\n  skills: [a, [b], \"x[\"]\n"), None);
        assert_eq!(
            codes(&agents),
            [(Code::UnknownAgentSkills, 2, 15), (Code::UnknownAgentSkills, 2, 20)]
        );
        assert_eq!(gets(&agents, "primary"), ["a"]);

        let agents = parse(Some("primary: {skills: [a]}\n"), Some("primary: [\n"));
        assert_eq!(codes(&agents)[0].0, Code::ProjectYaml);
        assert!(agents.find(Some("primary/any")).unwrap().is_none(), "taken at its word");
        assert_eq!(gets(&agents, "primary"), ["a", "deploy-x", "deploy-y"]);
    }

    #[test]
    fn names_of_nothing_are_reported() {
        let agents = parse(Some("primary: {skills: [a, b, \"c*\", d]}\n"), None);
        let findings = agents.names_of_nothing(&["a"], |name| (name == "d").then_some("folder-d"));
        let messages: Vec<_> = findings.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].contains("`b`") && messages[1].contains("`folder-d`"));
    }

    #[test]
    fn aliases_cannot_blow_the_list_up() {
        let mut text = String::from("x0: &x0 {}\n");
        for i in 1..30 {
            text.push_str(&format!("x{i}: &x{i} {{subagents: {{a: *x{0}, b: *x{0}}}}}\n", i - 1));
        }
        text.push_str("primary: *x29\n");
        assert!(parse(Some(&text), None).iter().count() <= MAX_AGENTS);
    }
}
