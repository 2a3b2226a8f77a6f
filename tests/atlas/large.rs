//! A project of 66 skills, some of which the model is not told of.

use super::Atlas;

/// The budget under which exactly the last one does not fit.
pub const BUDGET: &str = "2178";

/// Why each is not listed: its folder, what is typed to find it, and the words
/// that say why.
pub const NOT_LISTED: [(&str, &str, &[&str]); 9] = [
    ("broken-description", "broken-desc", &["Not loaded", "description"]),
    ("broken-empty", "broken-emp", &["Not loaded", "empty"]),
    ("broken-encoding", "broken-enc", &["Not loaded", "UTF-8"]),
    ("broken-fence", "broken-fen", &["Not loaded", "`---`"]),
    ("broken-list", "broken-lis", &["Not loaded", "key"]),
    ("hidden-one", "hidden-one", &["Not listed", "hide: true"]),
    ("outsider", "outsider", &["Not listed", "`skills` of the agent primary", "add `outsider`"]),
    ("twin-b", "twin", &["Not loaded", "shadowed by the folder `twin-a`"]),
    ("zz-last", "zz-last", &["Not listed", "past the cut"]),
];

/// Which of them fail, and the code of what is wrong with each.
pub const FAILING: [(&str, &str); 6] = [
    ("broken-description", "missing-description"),
    ("broken-empty", "empty-file"),
    ("broken-encoding", "not-utf8"),
    ("broken-fence", "unclosed-frontmatter"),
    ("broken-list", "frontmatter-not-a-mapping"),
    ("twin-b", "duplicate-name"),
];

pub fn large() -> Atlas {
    let atlas = Atlas::empty();
    let good = |folder: &str, about: &str| {
        atlas.skill(folder, &format!("---\ndescription: {about}\n---\n\nDo it.\n"));
    };
    for i in 1..=56 {
        good(&format!("topic-{i:02}"), "All one must know of it.");
    }
    atlas.skill("broken-description", "---\nname: broken-description\n---\n\nDo it.\n");
    atlas.skill("broken-empty", "");
    atlas.bytes("broken-encoding/SKILL.md", b"---\ndescription: caf\xe9\n---\n\nDo it.\n");
    atlas.skill("broken-fence", "---\ndescription: Never closed.\n\nDo it.\n");
    atlas.skill("broken-list", "---\n- a list\n- of words\n---\n\nDo it.\n");
    atlas.skill("hidden-one", "---\ndescription: Not to be told of.\nhide: true\n---\n\nDo it.\n");
    good("outsider", "For others.");
    good("twin-a", "The first of a name.");
    atlas.skill("twin-b", "---\nname: twin-a\ndescription: The second.\n---\n\nDo it.\n");
    good("zz-last", "Comes after all the others, where nothing is left of the budget.");
    atlas.project_yaml(
        "primary:\n  skills: [\"topic-*\", \"broken-*\", \"hidden-*\", \"twin-*\", \"zz-*\"]\n",
    );
    atlas
}
