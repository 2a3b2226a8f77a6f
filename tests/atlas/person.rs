//! A person at the screen, who knows nothing of its keys: presses only what the
//! screen names at that moment, and reads only what it draws.

use super::screen::Screen;

pub struct Person {
    screen: Screen,
}

impl Person {
    pub fn at(screen: Screen) -> Self {
        Self { screen }
    }

    /// What is on the screen.
    pub fn sees(&self) -> String {
        self.screen.text()
    }

    fn lines(&self) -> Vec<Vec<char>> {
        self.sees().lines().map(|line| line.chars().collect()).collect()
    }

    /// The keys that the last line names, each with what it does.
    fn hints(&self) -> Vec<(String, String)> {
        let sees = self.sees();
        let last = sees.lines().last().unwrap_or("");
        let hints = last.trim().split("  ").filter_map(|hint| hint.trim().split_once(' '));
        hints.map(|(key, name)| (key.to_owned(), name.to_owned())).collect()
    }

    fn key(&mut self, key: &str) {
        let is_named = key.chars().count() > 1;
        self.screen.press(&if is_named { format!("<{key}>") } else { key.to_owned() });
    }

    /// Whether the last line names a key that does this.
    fn can(&self, name: &str) -> bool {
        self.hints().iter().any(|(_, n)| n == name)
    }

    /// Presses the key that the last line names for this.
    pub fn does(&mut self, name: &str) {
        let key = self.hints().into_iter().find(|(_, n)| n == name);
        let (key, _) = key.unwrap_or_else(|| panic!("no key for {name}:\n{}", self.sees()));
        self.key(&key);
    }

    /// Looks for a command by its name and runs it.
    pub fn runs(&mut self, command: &str) {
        self.does("commands");
        self.types(command);
        let rows = self.frame("Commands");
        let at = rows.iter().skip(1).position(|row| row.split_whitespace().next() == Some(command));
        let at = at.unwrap_or_else(|| panic!("no command {command}:\n{}", self.sees()));
        for _ in 0..at {
            self.does("down");
        }
        self.does("run");
    }

    /// Does a thing by its key if the last line names one, else as a command.
    pub fn gets(&mut self, name: &str, command: &str) {
        if self.can(name) { self.does(name) } else { self.runs(command) }
    }

    /// Types a text of one's own.
    pub fn types(&mut self, text: &str) {
        for c in text.chars() {
            self.screen.press(&c.to_string());
        }
    }

    /// Types a word that is to be read on the screen.
    pub fn types_seen(&mut self, word: &str) {
        let sees = self.sees();
        let (kind, value) = word.split_once(':').unwrap();
        let line =
            sees.lines().find(|line| line.contains("is:") && line.contains('|')).unwrap_or("");
        let words = line.split_whitespace().find_map(|w| w.strip_prefix(&format!("{kind}:")));
        let is_seen = words.is_some_and(|words| words.split('|').any(|w| w == value));
        assert!(is_seen, "no word {word} to type:\n{sees}");
        self.types(word);
    }

    /// Brings a tab to the front by the number that stands before its name.
    pub fn opens(&mut self, tab: &str) {
        let sees = self.sees();
        let words: Vec<_> = sees.split_whitespace().map(|w| w.trim_matches(['[', '│'])).collect();
        let named = words.windows(2).find(|pair| pair[1].starts_with(tab) && pair[0].len() == 1);
        match named.map(|pair| pair[0].to_owned()) {
            Some(number) => self.key(&number),
            None => self.runs(&tab.to_lowercase()),
        }
    }

    /// The rows of the list that are seen.
    pub fn list(&self) -> Vec<String> {
        let rows = self.frame("Skills").into_iter().filter(|row| !row.is_empty());
        rows.filter(|row| !row.starts_with('┄')).collect()
    }

    /// The page of the detail, read from its beginning to its end, as
    /// [`unbroken`] text.
    pub fn page(&mut self) -> String {
        let mut all = self.part();
        let mut seen = all.clone();
        loop {
            self.runs("page-down");
            let page = self.part();
            if page == seen {
                break;
            }
            let most = page.len().min(all.len());
            let known = (0..=most).rev().find(|n| all[all.len() - n..] == page[..*n]);
            all.extend_from_slice(&page[known.unwrap_or(0)..]);
            seen = page;
        }
        unbroken(&all.join(" "))
    }

    /// The rows in the frame of a title.
    fn frame(&self, title: &str) -> Vec<String> {
        let lines = self.lines();
        let begin: Vec<char> = format!("╭─ {title} ").chars().collect();
        let at = |row: &Vec<char>| row.windows(begin.len()).position(|w| *w == begin[..]);
        let (top, left) =
            lines.iter().enumerate().find_map(|(y, row)| Some((y, at(row)?))).expect(title);
        let width = lines[top][left..].iter().position(|c| *c == '╮').unwrap();
        let rows = lines[top + 1..].iter().take_while(|row| row[left] == '│');
        rows.map(|row| row[left + 1..left + width].iter().collect::<String>().trim().to_owned())
            .collect()
    }

    /// What is seen of the page of the detail.
    fn part(&self) -> Vec<String> {
        let lines = self.lines();
        let left = lines[1].iter().rposition(|c| *c == '╭').unwrap();
        let rows = lines.iter().skip(4).take_while(|row| row.get(left) == Some(&'│'));
        rows.map(|row| row[left + 1..row.len() - 1].iter().collect::<String>().trim().to_owned())
            .collect()
    }
}

/// A text without spaces: where a line ends within a word is not to be told
/// from where it ends between two.
pub fn unbroken(text: &str) -> String {
    text.split_whitespace().collect()
}
