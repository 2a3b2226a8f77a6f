//! What is shown of a skill's files, laid out for a width.
//!
//! Made off the drawing thread from files that were just read, so that neither
//! reading nor breaking a long text into rows ever holds up a key.

mod lay;

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use lay::{Laid, Lay, NUMBERS, Page};
use lay::{Marks, lay_out};

use super::message::Request;
use crate::project::activate::{Fresh, activate, reread};
use crate::project::excerpt::{Excerpt, Excerpts};
use crate::project::tree::{self, Tree};
use crate::project::{Deck, Project, Skill};
use crate::prompt::arguments::Arguments;
use crate::skill::Finding;
use crate::skill::body::placeholders;
use crate::skill::document::Text;
use crate::skill::place::Place;
use crate::skill::text::{Shown, shown};

/// The pages of one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// The skill's folder name.
    pub folder: String,
    /// The request they answer.
    pub request: u64,
    /// The body with line numbers of the file.
    pub body: Page,
    /// The activation.
    pub activation: Page,
    /// The tool definition, where it was asked for.
    pub tool: Option<Page>,
    /// What lies in the folder.
    pub tree: Tree,
    /// The file that was asked for.
    pub preview: Option<(PathBuf, Page)>,
    /// The lines that the skill's findings stand on, in the order of
    /// [`Finding::by_weight`]; then those of the project's.
    pub excerpts: Vec<Option<Excerpt>>,
}

impl Pages {
    /// What is shown when the program failed on a skill's files.
    pub fn failed(skill: &Skill, request: u64) -> Self {
        let why = || {
            Page::Nothing(Shown::fixed("the program failed on this skill; please report its files"))
        };
        Self {
            folder: skill.folder().to_owned(),
            request,
            body: why(),
            activation: why(),
            tool: None,
            tree: Tree::default(),
            preview: None,
            excerpts: Vec::new(),
        }
    }
}

/// Reads the files of the skill that a request names, and lays out its pages;
/// `None` when the deck has no such skill.
pub fn read(project: &Project, request: &Request) -> Option<Pages> {
    let Request { deck, find, width, lay, .. } = request;
    let skill = deck.skills.get(request.skill)?;
    let fresh = reread(project, skill);
    let laid = |text: &str, ranges: &[Range<usize>], first| {
        let marks = Marks { ranges, find: find.as_deref(), first };
        Page::Text(lay_out(text, marks, *width, *lay))
    };
    let body = match &fresh {
        Ok(fresh) => body(&fresh.bytes, &laid),
        Err(finding) => Page::Nothing(finding.message.clone()),
    };
    let preview = request.preview.as_ref().map(|path| {
        let text = tree::text(path, project.boundary());
        let page = match text.as_deref() {
            Ok("") => Page::Nothing(Shown::fixed("The file is empty.")),
            Ok(text) => laid(text, &placeholders(text), Some(1)),
            Err(why) => Page::Nothing(why.clone()),
        };
        (path.clone(), page)
    });
    Some(Pages {
        folder: skill.folder().to_owned(),
        request: request.number,
        body,
        activation: activation(deck, skill, fresh.as_ref(), request, &laid),
        tool: lay.tool.then(|| tool(deck, &laid)),
        tree: tree_of(skill, fresh.as_ref().ok()),
        preview,
        excerpts: excerpts(project, deck, skill),
    })
}

/// A text, the ranges marked in it, and the number of its first line, laid out.
type Layer<'a> = &'a dyn Fn(&str, &[Range<usize>], Option<u32>) -> Page;

fn body(bytes: &[u8], laid: Layer<'_>) -> Page {
    let text = match Text::of(bytes) {
        Ok(text) => text,
        Err(finding) => return Page::Nothing(finding.message),
    };
    let Some(body) = text.body() else {
        return Page::Nothing(Shown::fixed(
            "there are no fences, so the file has no body; Problems says more",
        ));
    };
    if body.is_empty() {
        return Page::Nothing(Shown::fixed("the body is empty"));
    }
    let first = Place::of(text.text, text.text.len() - body.len()).line;
    laid(body, &placeholders(body), Some(first))
}

fn activation(
    deck: &Deck,
    skill: &Skill,
    fresh: Result<&Fresh, &Finding>,
    request: &Request,
    laid: Layer<'_>,
) -> Page {
    let given = request.arguments.as_deref().map_or(Arguments::NotGiven, Arguments::Given);
    match activate(deck, skill, fresh, given) {
        Ok(activation) => {
            let mut marks = activation.arguments;
            let left = placeholders(&activation.text);
            let is_apart =
                |a: &Range<usize>| marks.iter().all(|b| a.end <= b.start || b.end <= a.start);
            // Many arguments and many placeholders: those left are not worth the time.
            let left: Vec<_> = if marks.len() > 1_000 {
                Vec::new()
            } else {
                left.into_iter().filter(is_apart).collect()
            };
            marks.extend(left);
            marks.sort_by_key(|range| range.start);
            laid(&activation.text, &marks, None)
        }
        Err(error) => Page::Nothing(shown(&error.to_string())),
    }
}

/// The tool definition: its description as the model reads it, then the rest.
fn tool(deck: &Deck, laid: Layer<'_>) -> Page {
    match deck.tool() {
        None => Page::Nothing(Shown::fixed(
            "No tool is registered: no skill is loadable for this agent.",
        )),
        Some(tool) => laid(&tool.readable(), &[], None),
    }
}

fn tree_of(skill: &Skill, fresh: Option<&Fresh>) -> Tree {
    let dir = skill.entry.real_dir();
    let resources = fresh.map_or(&skill.entry.resources, |fresh| &fresh.resources);
    if Path::is_dir(dir) { tree::tree(dir, resources) } else { Tree::default() }
}

fn excerpts(project: &Project, deck: &Deck, skill: &Skill) -> Vec<Option<Excerpt>> {
    let mut excerpts = Excerpts::new(project);
    let of_skill = Finding::by_weight(&skill.findings)
        .into_iter()
        .map(|finding| (Some(deck.file(skill, finding)), finding));
    let of_project = Finding::by_weight(&deck.findings)
        .into_iter()
        .map(|finding| (finding.file.clone(), finding));
    of_skill
        .chain(of_project)
        .map(|(file, finding)| excerpts.at(file.as_deref()?, finding.place?))
        .collect()
}
