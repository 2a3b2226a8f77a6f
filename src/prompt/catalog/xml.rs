//! The form of the open standard: XML, without a budget.

use super::Item;

pub(super) const OPEN: &str = "<available_skills>";
pub(super) const CLOSE: &str = "</available_skills>";

/// An element on a line of its own, as the reference library writes it.
pub(super) fn entry(item: &Item<'_>) -> String {
    format!(
        "<skill>\n<name>\n{}\n</name>\n<description>\n{}\n</description>\n<location>\n{}\n\
         </location>\n</skill>",
        escaped(item.name),
        escaped(item.description),
        item.path
    )
}

/// As Python's `html.escape` does it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_end_an_element() {
        let item =
            Item { path: "/p/a&b/SKILL.md".into(), ..Item::new("a", "x </skill> & 'y' \"z\"") };
        assert_eq!(
            entry(&item),
            "<skill>\n<name>\na\n</name>\n<description>\nx &lt;/skill&gt; &amp; &#x27;y&#x27; \
             &quot;z&quot;\n</description>\n<location>\n/p/a&b/SKILL.md\n</location>\n</skill>"
        );
    }
}
