//! What is handed to the terminal's clipboard: the exact text of what is shown.

use super::pages::Pages;
use super::state::{State, Tab};
use super::view;
use crate::project::json;

/// A terminal takes so many bytes of text at most (xterm's limit, before base64).
pub const LIMIT: usize = 74_994;

/// A text and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Yank {
    /// What it is, for a message.
    pub what: String,
    /// The text.
    pub text: String,
}

impl State {
    /// The text of the tab in front; `None` when there is none, or not yet.
    pub fn yank(&self) -> Option<Yank> {
        let deck = self.deck.as_ref()?;
        let skill = self.shown_skill()?;
        let title = skill.title();
        let drawn = |rows: Vec<Vec<super::ink::Piece>>| {
            let line = |row: &Vec<super::ink::Piece>| {
                row.iter().map(super::ink::Piece::text).collect::<String>().trim_end().to_owned()
            };
            rows.iter().map(line).collect::<Vec<_>>().join("\n")
        };
        let page = || self.page().map(|page| page.text.clone());
        let width = view::detail_width(self);
        let (what, text) = match self.tab {
            Tab::Overview => {
                (format!("the overview of {title}"), drawn(view::overview::rows(self, width)))
            }
            Tab::Body => (format!("the body of {title}"), page()?),
            Tab::Activation => (format!("the activation of {title}"), page()?),
            Tab::Catalog if self.lay.tool => {
                ("the tool definition".to_owned(), json::to_string(&deck.tool()).ok()?)
            }
            Tab::Catalog => ("the catalog".to_owned(), deck.catalog()),
            Tab::Files => match &self.preview {
                Some(path) => {
                    let name = path.file_name().map(crate::skill::text::name_text);
                    (format!("the file {}", name.unwrap_or_default()), page()?)
                }
                None => (format!("the files of {title}"), files(self.shown_pages()?)),
            },
            Tab::Problems => {
                (format!("the problems of {title}"), drawn(view::problems::rows(self, width)))
            }
        };
        Some(Yank { what, text })
    }
}

fn files(pages: &Pages) -> String {
    let name =
        |item: &crate::project::tree::Item| format!("{}{}", "  ".repeat(item.depth), item.name);
    pages.tree.items.iter().map(name).collect::<Vec<_>>().join("\n")
}
