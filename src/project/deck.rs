//! The deck: every skill as one client and one agent see it.
//!
//! A value made of values: the facts on disk, the agents, and the view. It does
//! no I/O, so the screen can try out another profile, agent or budget freely.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::agents::{Agent, Agents, UnknownAgent};
use super::entry::Entry;
use super::facts::{Facts, NotLoaded};
use super::locate::Project;
use super::usage;
use crate::config::Silenced;
use crate::profile::{ActivationForm, CatalogForm, Duplicates, Profile};
use crate::prompt::activation::Frame;
use crate::prompt::catalog::{self, Item, State};
use crate::prompt::hints::Hints;
use crate::prompt::{Budget, tool};
use crate::skill::text::{counted, head, name_text, shown, thousands};
use crate::skill::{Code, Finding, Level, Status};

/// How one looks at a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// As which client.
    pub profile: Profile,
    /// As which agent; `None` is the primary one, if there is one.
    pub agent: Option<String>,
    /// Within which budget; a client may have one of its own.
    pub budget: Budget,
    /// The context window of the model in tokens, from which some clients take
    /// their budget.
    pub window: Option<u64>,
    /// The characters of a description beyond which `kaged` warns; `None` is 280.
    pub description_limit: Option<u64>,
    /// The notes on skills that are not to be seen.
    pub silenced: Arc<Silenced>,
}

/// A skill, or a folder that would be one.
#[derive(Debug, Clone)]
pub struct Skill {
    /// What is on disk.
    pub entry: Arc<Entry>,
    /// Its effective name; `None` when it has no valid one.
    pub name: Option<String>,
    /// Its description on one line.
    pub description: Option<String>,
    /// Its status under the profile.
    pub status: Status,
    /// Its place in the catalog.
    pub place: Place,
    /// What is to be said of it.
    pub findings: Vec<Finding>,
    /// How many notes on it are silenced, and so are not among the findings.
    pub silenced: usize,
}

/// The place of a skill in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Listed, or why not.
    pub state: State,
    /// What its lines take from the budget, in its units; `None` unless it loads.
    pub cost: Option<u64>,
    /// The running total with its line; `None` unless it is listed.
    pub total: Option<u64>,
    /// By how much its line ends past the budget; `Some` only when cut.
    pub past: Option<u64>,
    /// How many characters of its description are listed; `None` unless it is.
    pub kept: Option<u64>,
}

/// What a client and an agent see.
#[derive(Debug, Clone)]
pub struct Deck {
    /// The project's directory, for showing.
    pub project: String,
    /// The skills root, absolute.
    pub root: String,
    /// The skills root relative to the project.
    pub root_label: String,
    /// Whether the root is there.
    pub root_exists: bool,
    /// How many folders were not read because the reading was stopped.
    pub unread: usize,
    /// As which client.
    pub profile: Profile,
    /// As which agent; `None` is every skill.
    pub agent: Option<String>,
    /// The agents there are.
    pub agents: Arc<Agents>,
    /// The budget.
    pub budget: Budget,
    /// Characters of the budget that are used.
    pub used: u64,
    /// Every skill by effective name, then folder name.
    pub skills: Vec<Skill>,
    /// What lies beside the skills.
    pub not_loaded: Vec<NotLoaded>,
    /// What is to be said of the project.
    pub findings: Vec<Finding>,
    /// What is recorded of activations; set by who looks at such records.
    pub usage: usage::Known,
    counts: Counts,
}

/// How many skills are what; counted once, since the screen asks with each frame.
#[derive(Debug, Clone, Default)]
struct Counts {
    states: [usize; 6],
    statuses: [usize; 3],
    /// Listed skills of whose descriptions the catalog has not all.
    shortened: usize,
    /// Characters of the longest description that costs anything.
    longest: u64,
}

/// The characters of a description that costs something.
fn description_chars(skill: &Skill) -> u64 {
    let is_in = matches!(skill.place.state, State::Listed | State::Cut);
    let description = skill.description.as_deref().filter(|_| is_in);
    description.map_or(0, |text| text.chars().count() as u64)
}

impl Counts {
    fn of(skills: &[Skill]) -> Self {
        let mut counts = Self::default();
        for skill in skills {
            counts.states[skill.place.state as usize] += 1;
            counts.statuses[skill.status as usize] += 1;
            counts.shortened += usize::from(skill.is_shortened());
            counts.longest = counts.longest.max(description_chars(skill));
        }
        counts
    }
}

/// Looking for a skill by name found not exactly one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchSkill {
    /// None has that name.
    #[error("there is no skill `{name}`{}", near_text(.near))]
    Unknown {
        /// The name.
        name: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// Several have it.
    #[error("`{name}` is the name of several skills, in the folders {}; name the folder", .folders.join(", "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The folders.
        folders: Vec<String>,
    },
}

fn near_text(near: &[String]) -> String {
    if near.is_empty() {
        "; `skilldeck list` shows those there are".to_owned()
    } else {
        format!("; did you mean {}?", near.join(" or "))
    }
}

impl Skill {
    /// Whether it is listed without all of its description.
    pub fn is_shortened(&self) -> bool {
        self.place.state == State::Listed && self.lost_chars().is_some()
    }

    /// The folder's name.
    pub fn folder(&self) -> &str {
        self.entry.folder.as_str()
    }

    /// What it is sorted and shown by: its name, else the folder's.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.folder())
    }

    /// Whether the client loads it.
    pub fn loads(&self) -> bool {
        self.status != Status::Error
    }

    /// Whether the model may activate it: it loads, and the agent may use it.
    pub fn is_usable(&self) -> bool {
        matches!(self.place.state, State::Listed | State::Cut | State::Hidden)
    }

    fn listing(&self) -> (&str, &str) {
        (self.title(), self.description.as_deref().unwrap_or(""))
    }

    /// The skill as a catalog lists it.
    pub fn item(&self, form: CatalogForm) -> Item<'_> {
        let (name, description) = self.listing();
        let path = match form {
            CatalogForm::Rotation | CatalogForm::Xml => {
                let path = self.entry.file_path();
                Cow::Owned(name_text(path.as_os_str()).into_owned())
            }
            _ => Cow::Borrowed(""),
        };
        Item { path, ..Item::new(name, description) }
    }

    /// How many characters of its description the catalog leaves out, though it
    /// lists the skill.
    pub fn lost_chars(&self) -> Option<u64> {
        let whole = self.description.as_deref().unwrap_or("").chars().count() as u64;
        self.place.kept.map(|kept| whole.saturating_sub(kept)).filter(|lost| *lost > 0)
    }
}

impl Deck {
    /// Lays out the deck.
    ///
    /// # Errors
    /// When the view names an agent that is not there.
    pub fn new(
        project: &Project,
        facts: &Facts,
        agents: &Arc<Agents>,
        view: &View,
    ) -> Result<Self, UnknownAgent> {
        let profile = view.profile;
        let agent = if profile.has_agents() || view.agent.is_some() {
            agents.find(view.agent.as_deref())?
        } else {
            None
        };
        let filter = agent.filter(|_| profile.has_agents());
        let mut skills: Vec<_> = facts.entries.iter().map(|e| judge(view, e)).collect();
        shadow(profile, &mut skills);
        case_collisions(&mut skills);
        skills.sort_by(|a, b| (a.title(), a.folder()).cmp(&(b.title(), b.folder())));
        let budget = view.budget.under(profile, view.window);
        let mut findings = budget.findings.clone();
        if profile.has_agents() {
            findings.extend(agents.findings.iter().cloned());
            let folders: HashSet<_> = facts.entries.iter().map(|e| e.folder.as_str()).collect();
            findings.extend(agents.names_of_nothing(&folders, |name| {
                if let Some(same) = facts.same_as(name) {
                    return Some(same);
                }
                let named = skills.iter().find(|s| s.name.as_deref() == Some(name))?;
                folders.get(named.folder()).copied()
            }));
            limit_count(profile, filter, &mut skills, &mut findings);
        }
        let used = place(profile, &mut skills, filter, &budget);
        if profile.catalog() == CatalogForm::Stop && budget.limit.is_some_and(|limit| used > limit)
        {
            findings.push(Finding::new(
                Code::FirstLineOverBudget,
                format!(
                    "the first skill alone takes {} of {} characters and is listed all the same \
                     (MyCodeAgent's repository would list none); shorten its description",
                    thousands(used),
                    thousands(budget.limit.unwrap_or(0))
                ),
            ));
        }
        Ok(Self {
            project: name_text(project.dir().as_os_str()).into_owned(),
            root: name_text(project.root().as_os_str()).into_owned(),
            root_label: project.root_label().to_owned(),
            root_exists: facts.root_exists,
            unread: facts.unread,
            profile,
            agent: if profile.has_agents() {
                // Of agents that cannot be read, the one asked for is taken at its word.
                agent.map(|a| a.address().to_owned()).or_else(|| view.agent.clone())
            } else {
                None
            },
            agents: Arc::clone(agents),
            budget,
            used,
            usage: None,
            counts: Counts::of(&skills),
            skills,
            not_loaded: facts.not_loaded.clone(),
            findings,
        })
    }

    /// The skills in the catalog, in order.
    pub fn listed(&self) -> impl Iterator<Item = &Skill> {
        self.skills.iter().filter(|s| s.place.state == State::Listed)
    }

    /// How many listed skills have not all of their description in the catalog.
    pub fn count_shortened(&self) -> usize {
        self.counts.shortened
    }

    /// How many skills are in a state.
    pub fn count(&self, state: State) -> usize {
        self.counts.states[state as usize]
    }

    /// How many skills have a status.
    pub fn count_status(&self, status: Status) -> usize {
        self.counts.statuses[status as usize]
    }

    /// The skills of which any one, its description made shorter by what the cut
    /// `skill` is past the cut, brings it back: those before it, and itself.
    /// None for a skill that is not cut.
    pub fn ways_back<'a>(&'a self, skill: &'a Skill) -> impl Iterator<Item = &'a Skill> {
        let is_stop = self.profile.catalog() == CatalogForm::Stop;
        let past = skill.place.past.filter(|past| is_stop && self.counts.longest > *past);
        // A description keeps at least one character.
        let is_long_enough = move |s: &&Skill| past.is_some_and(|past| description_chars(s) > past);
        let counts = |s: &&Skill| matches!(s.place.state, State::Listed | State::Cut);
        let at = || self.skills.iter().position(|s| std::ptr::eq(s, skill));
        let upto = past.and_then(|_| at()).map_or(0, |i| i + 1);
        self.skills[..upto].iter().rev().filter(counts).filter(is_long_enough)
    }

    /// The catalog as it would be with other descriptions, by folder. Nothing else
    /// is judged anew.
    #[must_use]
    pub fn with_descriptions(&self, texts: &HashMap<String, String>) -> Self {
        let mut deck = self.clone();
        for skill in &mut deck.skills {
            if matches!(skill.place.state, State::Listed | State::Cut) {
                let state = State::Listed;
                skill.place = Place { state, cost: None, total: None, past: None, kept: None };
            }
            if let Some(text) = texts.get(skill.folder()) {
                skill.description = Some(text.clone());
            }
        }
        deck.used = lay_out(deck.profile, &mut deck.skills, &deck.budget);
        deck.counts = Counts::of(&deck.skills);
        deck
    }

    /// The smallest budget in characters under which one skill more is listed.
    pub fn limit_for_one_more(&self) -> Option<u64> {
        let next = self.skills.iter().find(|s| s.place.state == State::Cut)?;
        Some(self.used.saturating_add(next.place.cost?))
    }

    /// The largest budget in characters under which one skill fewer is listed;
    /// the first is never cut.
    pub fn limit_for_one_fewer(&self) -> Option<u64> {
        let last = self.listed().last()?;
        let before = last.place.total?.checked_sub(last.place.cost?)?;
        (before > 0).then_some(before)
    }

    /// The prompt list, exactly.
    pub fn catalog(&self) -> String {
        let form = self.profile.catalog();
        let items: Vec<_> =
            self.listed().map(|s| (s.item(form), s.place.kept.unwrap_or(0))).collect();
        catalog::text(form, items.iter().map(|(item, kept)| (item, *kept)))
    }

    /// The tool definition; `None` when no tool is registered.
    pub fn tool(&self) -> Option<tool::Definition> {
        let usable: Vec<_> =
            self.skills.iter().filter(|s| s.is_usable()).map(Skill::title).collect();
        tool::definition(self.listed().map(Skill::listing), &usable)
    }

    /// What files suggest: of the skills that the agent may use.
    pub fn hints(&self) -> Hints {
        let globs = |skill: &Skill| {
            let file = skill.entry.file.as_ref().ok()?;
            Some(file.reading.document.frontmatter.as_ref()?.globs.clone())
        };
        let has_hints = self.profile.has_hints();
        let usable = self.skills.iter().filter(|s| has_hints && s.is_usable());
        let with_globs: Vec<_> = usable.filter_map(|s| Some((s.title(), globs(s)?))).collect();
        Hints::of(with_globs.iter().map(|(name, globs)| (*name, globs.as_slice())))
    }

    /// The skill's folder relative to the project.
    pub fn dir(&self, skill: &Skill) -> String {
        match skill.folder() {
            "." => self.root_label.clone(),
            folder => format!("{}/{folder}", self.root_label),
        }
    }

    /// The folder as it is named to a model: bytes that are not UTF-8 as U+FFFD.
    pub fn dir_for_model(&self, skill: &Skill) -> String {
        if self.profile.activation().names_absolute() {
            return skill.entry.real_dir().to_string_lossy().into_owned();
        }
        let folder = &skill.entry.folder;
        if folder.is_utf8() {
            return self.dir(skill);
        }
        let name = skill.entry.dir.file_name().unwrap_or_default().to_string_lossy();
        format!("{}/{name}", self.root_label)
    }

    /// The path of a skill's `SKILL.md` relative to the project.
    pub fn path(&self, skill: &Skill) -> String {
        format!("{}/SKILL.md", self.dir(skill))
    }

    /// The file of a finding relative to the project.
    pub fn file(&self, skill: &Skill, finding: &Finding) -> String {
        match finding.file.as_deref() {
            None => self.path(skill),
            Some("") => self.dir(skill),
            Some(file) => format!("{}/{file}", self.dir(skill)),
        }
    }

    /// What surrounds the body when a skill is activated.
    pub fn frame<'a>(&'a self, skill: &'a Skill, dir: &'a str) -> Frame<'a> {
        let resources = &skill.entry.resources.files;
        Frame { name: skill.title(), dir, resources, project: &self.project }
    }

    /// The skill of a name: an effective name, else a folder name. Of several
    /// with one effective name, the one whose folder is called so.
    ///
    /// # Errors
    /// When there is none, or several.
    pub fn find(&self, name: &str) -> Result<&Skill, NoSuchSkill> {
        let by_name: Vec<_> =
            self.skills.iter().filter(|s| s.name.as_deref() == Some(name)).collect();
        let by_folder = self.skills.iter().find(|s| s.folder() == name);
        let unknown = |deck: &Self| NoSuchSkill::Unknown {
            name: shown(&head(name, 100)).into_string(),
            near: deck.near(name),
        };
        match (by_name.as_slice(), by_folder) {
            ([skill], _) => Ok(skill),
            (_, Some(skill)) => Ok(skill),
            ([], None) if name.trim() != name => self.find(name.trim()),
            ([], None) => Err(unknown(self)),
            // Of several the client keeps one.
            (several, None) if several.iter().filter(|s| s.loads()).count() == 1 => {
                several.iter().find(|s| s.loads()).copied().ok_or_else(|| unknown(self))
            }
            (several, None) => Err(NoSuchSkill::Ambiguous {
                name: shown(name).into_string(),
                folders: several.iter().map(|s| shown(s.folder()).into_string()).collect(),
            }),
        }
    }

    /// The skill in a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn in_folder(&self, folder: &str) -> Result<&Skill, NoSuchSkill> {
        let found = self.skills.iter().find(|skill| skill.folder() == folder);
        found.ok_or_else(|| NoSuchSkill::Unknown {
            name: shown(&head(folder, 100)).into_string(),
            near: self.near(folder),
        })
    }

    fn near(&self, name: &str) -> Vec<String> {
        let mut near: Vec<_> = self
            .skills
            .iter()
            .flat_map(|s| [s.title(), s.folder()])
            .map(|title| (strsim::jaro_winkler(title, name), title))
            .filter(|(score, _)| *score > 0.8)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near.dedup_by(|a, b| a.1 == b.1);
        near.truncate(3);
        near.into_iter().map(|(_, title)| format!("`{}`", shown(title))).collect()
    }
}

fn judge(view: &View, entry: &Arc<Entry>) -> Skill {
    let profile = view.profile;
    let (name, description, hidden, mut findings) = match &entry.file {
        Ok(file) => {
            let (folder, limit) = (&entry.folder, view.description_limit);
            let verdict = profile.judge_within(folder, &file.reading, limit);
            (verdict.name, verdict.description, verdict.hidden, verdict.findings)
        }
        Err(finding) => {
            let name = entry.folder.is_valid_name().then(|| entry.folder.as_str().to_owned());
            (name, None, false, vec![finding.clone()])
        }
    };
    if matches!(
        profile.activation(),
        ActivationForm::SkillContent | ActivationForm::StandardContent
    ) {
        findings.extend(entry.resources.findings.iter().cloned());
    }
    let all = findings.len();
    findings.retain(|finding| !view.silenced.hides(entry.folder.as_str(), finding));
    let silenced = all - findings.len();
    let status = Status::of(&findings);
    let state = match status {
        Status::Error => State::Error,
        _ if hidden => State::Hidden,
        _ => State::Listed,
    };
    Skill {
        entry: Arc::clone(entry),
        name,
        description,
        status,
        place: Place { state, cost: None, total: None, past: None, kept: None },
        findings,
        silenced,
    }
}

impl Skill {
    fn refuse(&mut self, finding: Finding, state: State) {
        self.findings.insert(0, finding);
        self.status = Status::Error;
        self.place.state = state;
    }
}

/// Of loadable skills with one name, one is kept.
fn shadow(profile: Profile, skills: &mut [Skill]) {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, skill) in skills.iter().enumerate().filter(|(_, s)| s.loads()) {
        by_name.entry(skill.title()).or_default().push(i);
    }
    let groups: Vec<_> = by_name.into_values().filter(|group| group.len() > 1).collect();
    for mut group in groups {
        group.sort_by_key(|i| match skills[*i].folder() {
            // By the path of the file, which is what is walked over.
            "." => "SKILL.md".to_owned(),
            folder => format!("{folder}/SKILL.md"),
        });
        let named = group.iter().find(|i| skills[**i].folder() == skills[**i].title());
        let kept = match profile.duplicates() {
            Duplicates::FolderNameWins => named.or(group.first()),
            Duplicates::LastPathWins => group.last(),
            Duplicates::FirstPathWins => group.first(),
            Duplicates::AllStay => None,
        };
        let Some(kept) = kept.copied() else { continue };
        let keeper = skills[kept].folder().to_owned();
        for i in group.into_iter().filter(|i| *i != kept) {
            let message = format!(
                "shadowed by the folder `{keeper}`, which has the same name `{}`; give one of \
                 them another name",
                skills[i].title()
            );
            skills[i].refuse(Finding::new(Code::DuplicateName, message), State::Duplicate);
        }
    }
}

/// Folder names that are one on file systems that ignore case.
fn case_collisions(skills: &mut [Skill]) {
    let mut by_lower: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, skill) in skills.iter().enumerate().filter(|(_, s)| s.loads()) {
        if skill.folder().bytes().any(|b| b.is_ascii_uppercase() || b >= 0x80) {
            by_lower.entry(skill.folder().to_lowercase()).or_default().push(i);
        }
    }
    if by_lower.is_empty() {
        return;
    }
    for (i, skill) in skills.iter().enumerate().filter(|(_, s)| s.loads()) {
        if let Some(group) = by_lower.get_mut(skill.folder())
            && !group.contains(&i)
        {
            group.push(i);
        }
    }
    for group in by_lower.into_values().filter(|group| group.len() > 1) {
        for i in &group {
            let others: Vec<_> = group
                .iter()
                .filter(|j| *j != i)
                .take(3)
                .map(|j| format!("`{}`", skills[*j].folder()))
                .collect();
            let message = format!(
                "the folder differs only by case from {}; on macOS and Windows the two are one, \
                 so rename one",
                others.join(", ")
            );
            let finding = Finding::new(Code::CaseCollision, message).file("");
            let skill = &mut skills[*i];
            skill.findings.push(finding);
            skill.status = Status::of(&skill.findings);
        }
    }
}

/// The ADR's first text allowed 16 skills an agent.
fn limit_count(
    profile: Profile,
    filter: Option<&Agent>,
    skills: &mut [Skill],
    findings: &mut Vec<Finding>,
) {
    const LIMIT: usize = 16;
    let usable = |s: &&mut Skill| s.loads() && filter.is_none_or(|agent| agent.may_use(s.folder()));
    let who = filter.map_or("the project".to_owned(), |a| format!("the agent `{}`", a.address()));
    if let Some(max) = profile.max_skills() {
        for skill in skills.iter_mut().filter(usable).skip(max) {
            let message = format!(
                "{who} has more than {max} skills, and by name this one comes after; narrow its \
                 `skills` filter"
            );
            let finding = Finding::new(Code::MoreThan16, message).level(Level::Error);
            skill.refuse(finding, State::Error);
        }
        return;
    }
    let count = skills.iter_mut().filter(usable).count();
    if count > LIMIT {
        findings.push(Finding::new(
            Code::MoreThan16,
            format!(
                "{who} has {}, more than the {LIMIT} that the ADR allowed before its amendment; \
                 all of them are used",
                counted(count, "skill", "skills")
            ),
        ));
    }
}

/// Puts the skills into the catalog, in order; returns what is used of the budget.
fn place(profile: Profile, skills: &mut [Skill], filter: Option<&Agent>, budget: &Budget) -> u64 {
    for skill in skills.iter_mut().filter(|s| s.loads()) {
        if filter.is_some_and(|agent| !agent.may_use(skill.folder())) {
            skill.place.state = State::Filtered;
        }
    }
    lay_out(profile, skills, budget)
}

/// Lays out those that are to be listed.
fn lay_out(profile: Profile, skills: &mut [Skill], budget: &Budget) -> u64 {
    let (form, unit) = (profile.catalog(), budget.unit);
    let (wanted, others): (Vec<_>, Vec<_>) = (0..skills.len())
        .filter(|i| skills[*i].loads())
        .partition(|i| skills[*i].place.state == State::Listed);
    for i in others {
        // What they would take, alone.
        let item = [skills[i].item(form)];
        let cost = catalog::lay(form, &item, None, unit)[0].cost;
        skills[i].place.cost = Some(cost);
    }
    let items: Vec<_> = wanted.iter().map(|i| skills[*i].item(form)).collect();
    let laid = catalog::lay(form, &items, budget.limit, unit);
    let (before, after) = catalog::around(form);
    let mut used = before;
    let mut reach = before;
    for (i, laid) in wanted.into_iter().zip(laid) {
        let place = &mut skills[i].place;
        place.cost = Some(laid.cost);
        place.kept = laid.kept;
        reach = reach.saturating_add(laid.cost);
        if laid.kept.is_some() {
            used = used.saturating_add(laid.cost);
            place.total = Some(used);
        } else {
            // Behind one that is passed over, what is used counts, not what would be.
            let end =
                if form == CatalogForm::Stop { reach } else { used.saturating_add(laid.cost) };
            place.state = State::Cut;
            place.past = Some(end.saturating_sub(budget.limit.unwrap_or(0)));
        }
    }
    used.saturating_add(after)
}
