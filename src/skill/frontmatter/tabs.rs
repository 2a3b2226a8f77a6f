//! Tabs where YAML wants spaces: it refuses them as indentation.

use crate::skill::place::lines;
use crate::skill::yaml;

/// The text with spaces for the tabs that indent its lines, when YAML then
/// reads it; `None` when no tab is the reason. `before` stands before the
/// text and is not part of it.
///
/// Of a line, first only the tabs at its start are replaced: behind spaces, a
/// tab may be text.
pub fn replaced(before: &str, text: &str) -> Option<String> {
    let is_yaml = |text: &str| yaml::read(&format!("{before}{text}")).is_ok();
    if is_yaml(text) {
        return None;
    }
    let all = |prefix: &str| prefix.len();
    let leading = |prefix: &str| prefix.bytes().take_while(|b| *b == b'\t').count();
    [leading as fn(&str) -> usize, all].into_iter().find_map(|part| {
        // As wide as tabs are drawn, for lines that have spaces beside them.
        [2, 4, 8].into_iter().find_map(|width| {
            let new = with_spaces(text, part, width);
            (new != text && is_yaml(&new)).then_some(new)
        })
    })
}

fn with_spaces(text: &str, part: fn(&str) -> usize, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in lines(text) {
        let prefix = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
        let end = part(&line.text[..prefix]);
        out.push_str(&line.text[..end].replace('\t', &" ".repeat(width)));
        out.push_str(&text[line.start + end..line.next]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_that_indent_become_spaces_and_no_others() {
        for (text, want) in [
            ("m:\n\ta: 1\n\tb:\n\t\tc: d\n", Some("m:\n  a: 1\n  b:\n    c: d\n")),
            ("m:\r\n\ta: 1\r\n", Some("m:\r\n  a: 1\r\n")),
            ("m:\n    a: 1\n\tb: 2\n", Some("m:\n    a: 1\n    b: 2\n")),
            ("m:\n  \ta: 1\n  \tb: 2\n", Some("m:\n    a: 1\n    b: 2\n")),
            ("m: |\n\tx\ty\n", Some("m: |\n  x\ty\n")),
            ("\tname: a\n\td: b\n", Some("  name: a\n  d: b\n")),
            ("m: |\n  \tx\n", None),
            ("m: a: b\n\tx\n", None),
            ("m: x\n", None),
        ] {
            assert_eq!(replaced("", text).as_deref(), want, "{text:?}");
        }
    }
}
