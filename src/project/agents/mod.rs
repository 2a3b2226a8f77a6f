//! Which agent may use which skill: `project.yaml` overlaid by
//! `project.local.yaml` (CONTRACT §6).

mod filter;
mod overlay;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::filter::Filter;
use self::overlay::{Layer, Overlay, unreadable};
use super::file::Readable;
use super::locate::Project;
use crate::skill::text::{head, shown};
use crate::skill::{Code, Finding, Place};

/// Far more agents than any project has; a file that names more is cut there.
const MAX_AGENTS: usize = 1_000;
const MAX_DEPTH: usize = 120;

/// The two files, relative to the project; the second lies over the first.
pub const FILES: [&str; 2] = [".kaged/project.yaml", ".kaged/project.local.yaml"];

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
    filter: Arc<Filter>,
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

    /// The file that its list stands in; `None` when it has none.
    pub fn list_file(&self) -> Option<&'static str> {
        self.filter.file
    }

    /// Whether it may use the skill of a folder.
    pub fn may_use(&self, folder: &str) -> bool {
        self.filter.lets_through(folder)
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
        let mut agents = Self { files: [base, local], ..Self::default() };
        let names = FILES;
        let files = std::mem::replace(&mut agents.files, [Ok(None), Ok(None)]);
        {
            let [base, local] = [0, 1].map(|i| {
                let read = match &files[i] {
                    Ok(text) => Layer::read(text.as_deref()?, names[i]),
                    Err(why) => Err(unreadable(names[i], why)),
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
                agents.add(PRIMARY, primary, 0, &mut HashMap::new());
            }
        }
        agents.files = files;
        agents
    }

    /// Adds an agent and those below it. Agents that share a list by an alias
    /// share its filter.
    fn add(
        &mut self,
        address: &str,
        node: Overlay<'_>,
        depth: usize,
        filters: &mut HashMap<usize, Arc<Filter>>,
    ) {
        let skills = node.get("skills").and_then(Overlay::top).filter(|_| !self.broken);
        let filter = match skills {
            None => filters.entry(0).or_insert_with(|| Arc::new(Filter::all())),
            Some(at) => filters
                .entry(std::ptr::from_ref(at.node).addr())
                .or_insert_with(|| Arc::new(Filter::read(address, at, &mut self.findings))),
        };
        self.list.push(Agent { address: address.to_owned(), filter: Arc::clone(filter) });
        let Some(subagents) = node.get("subagents") else { return };
        for name in subagents.keys() {
            if self.list.len() >= MAX_AGENTS || depth >= MAX_DEPTH {
                self.too_many();
                return;
            }
            if let Some(sub) = subagents.get(name) {
                self.add(&format!("{address}/{name}"), sub, depth + 1, filters);
            }
        }
    }

    fn too_many(&mut self) {
        let is_said = |f: &Finding| f.code == Code::UnknownAgentSkills && f.place.is_none();
        if !self.findings.iter().any(is_said) {
            let message = format!(
                "there are more than {MAX_AGENTS} agents, or more than {MAX_DEPTH} levels of them; \
                 the rest is left out"
            );
            let finding = Finding::new(Code::UnknownAgentSkills, message);
            self.findings.push(finding.file(".kaged/project.yaml"));
        }
    }

    /// Whether one of the files cannot be read, so that every agent gets every skill.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// The texts of the two files, as they were read.
    pub fn texts(&self) -> &[FileText; 2] {
        &self.files
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

    /// The patterns that match none of the folders: the agent, the pattern, its
    /// file and place. Agents that share a list are named once.
    pub fn patterns_of_nothing<'a>(
        &'a self,
        folders: &'a HashSet<&str>,
    ) -> impl Iterator<Item = (&'a str, &'a str, &'static str, Place)> {
        let mut seen = HashSet::new();
        let filters = self.list.iter().filter(move |a| seen.insert(Arc::as_ptr(&a.filter)));
        filters.flat_map(move |agent| {
            let patterns = agent.filter.patterns.iter();
            let of_nothing =
                patterns.filter(|pattern| !folders.iter().any(|folder| pattern.matches(folder)));
            of_nothing.map(|p| (agent.address.as_str(), p.text.as_str(), p.file, p.place))
        })
    }

    /// Plain names in the filters that are no folder: typing errors, or a
    /// skill's effective name where its folder belongs.
    pub fn names_of_nothing<'a>(
        &self,
        folders: &HashSet<&'a str>,
        effective: impl Fn(&str) -> Option<&'a str>,
    ) -> Vec<Finding> {
        // Who mends twenty will look again.
        const SAID: usize = 20;
        let mut seen = HashSet::new();
        let filters = self.list.iter().filter(|a| seen.insert(Arc::as_ptr(&a.filter)));
        let named = filters.flat_map(|a| a.filter.patterns.iter().map(move |p| (a, p)));
        let of_nothing =
            named.filter(|(_, p)| p.is_literal() && !folders.contains(p.text.as_str()));
        of_nothing
            .take(SAID)
            .map(|(agent, pattern)| {
                let hint = match effective(&pattern.text) {
                    Some(folder) => {
                        format!("that skill lies in the folder `{folder}`: name that")
                    }
                    None => "mend or remove it".to_owned(),
                };
                let message = format!(
                    "`skills` of the agent `{}` names `{}`, but there is no such folder; {hint}",
                    head(&agent.address, 100),
                    head(&pattern.text, 60)
                );
                let finding = Finding::new(Code::UnknownAgentSkills, message);
                finding.file(pattern.file).at(pattern.place)
            })
            .collect()
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
        let findings = agents
            .names_of_nothing(&HashSet::from(["a"]), |name| (name == "d").then_some("folder-d"));
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

    #[test]
    fn a_flood_of_agents_and_globs_is_read_in_no_time() {
        // Each once took minutes.
        let many: String = (0..60_000).map(|i| format!("    a{i}: {{}}\n")).collect();
        let many = parse(Some(&format!("primary:\n  subagents:\n{many}")), None);
        assert_eq!(many.iter().count(), MAX_AGENTS);
        assert_eq!(many.findings.len(), 1);
        let globs: String = (0..90_000).map(|i| format!("g{i},")).collect();
        let globs = parse(Some(&format!("primary: {{skills: [{globs}]}}\n")), None);
        assert_eq!(globs.findings.len(), 1);
        assert!(globs.names_of_nothing(&HashSet::new(), |_| None).len() <= 20);
    }
}
