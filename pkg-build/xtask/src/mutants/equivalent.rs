//! The list of equivalent mutants: changes that no test can notice, because they do not change behaviour.

use std::collections::BTreeMap;

use anyhow::Result;

use super::super::workspace::Workspace;

/// The list, below the root.
pub const PATH: &str = "tests/mutants/equivalent.txt";

/// A change that cargo-mutants makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// In the form of cargo-mutants: `src/a.rs:26:5: replace f -> bool with true`.
    pub shown: String,
    /// The same without line and column, which change with every edit of the file.
    name: String,
}

impl Mutant {
    /// Parses a line of cargo-mutants.
    pub fn of_line(line: &str) -> Self {
        let mut parts = line.splitn(4, ':');
        let name = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
            _ => line.to_owned(),
        };
        Self { shown: line.to_owned(), name }
    }

    /// A regular expression that matches only this one.
    pub fn pattern(&self) -> String {
        // `\<` and `\>` would match word boundaries.
        let escape = |letter: char| letter.is_ascii_punctuation() && !"<>".contains(letter);
        let letters = self.shown.chars().flat_map(|letter| escape(letter).then_some('\\').into_iter().chain([letter]));
        format!("^{}$", letters.collect::<String>())
    }
}

/// How often each mutant may be missed: a function may contain the same operator twice.
#[derive(Debug, Default, PartialEq)]
pub struct Equivalent(BTreeMap<String, usize>);

impl Equivalent {
    /// Reads the list of the repository.
    pub fn read(workspace: &Workspace) -> Result<Self> {
        Ok(Self::of_text(&fs_err::read_to_string(workspace.root().join(PATH))?))
    }

    /// One mutant per line; lines that begin with `#` give the reason.
    fn of_text(text: &str) -> Self {
        let mut counts = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            *counts.entry(line.to_owned()).or_default() += 1;
        }
        Self(counts)
    }

    /// The mutants in `missed` that are not on the list.
    pub fn missed(&self, missed: &[Mutant]) -> Vec<Mutant> {
        let mut allowed = self.0.clone();
        let is_new = |mutant: &&Mutant| match allowed.get_mut(&mutant.name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        missed.iter().filter(is_new).cloned().collect()
    }

    /// The entries of the list that were not missed.
    pub fn stale(&self, missed: &[Mutant]) -> Vec<&str> {
        let count = |name: &str| missed.iter().filter(|mutant| mutant.name == name).count();
        self.0.iter().filter(|(name, allowed)| count(name) < **allowed).map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_passed_over_as_often_as_it_is_listed() {
        let list = "# why\nsrc/a.rs: replace < with <= in f\n\n# why\nsrc/a.rs: replace < with <= in f\nsrc/b.rs: delete ! in g\n";
        let known = Equivalent::of_text(list);
        let check = |missed: &[&str], new: &[&str], stale: &[&str]| {
            let missed: Vec<Mutant> = missed.iter().map(|line| Mutant::of_line(line)).collect();
            let found = known.missed(&missed);
            assert_eq!(found.iter().map(|mutant| mutant.shown.as_str()).collect::<Vec<_>>(), new);
            assert_eq!(known.stale(&missed), stale);
        };
        let (a, b) = ("src/a.rs: replace < with <= in f", "src/b.rs: delete ! in g");
        check(&[], &[], &[a, b]);
        check(&["src/a.rs:1:2: replace < with <= in f", "src/b.rs:3:4: delete ! in g"], &[], &[a]);
        let third = "src/a.rs:9:2: replace < with <= in f";
        check(&["src/a.rs:1:2: replace < with <= in f", "src/a.rs:5:2: replace < with <= in f", third], &[third], &[b]);
        check(&["src/a.rs:1:2: replace < with == in f"], &["src/a.rs:1:2: replace < with == in f"], &[a, b]);
        assert_eq!(
            Mutant::of_line("src/a.rs:1:2: replace <= with * in f").pattern(),
            r"^src\/a\.rs\:1\:2\: replace <\= with \* in f$"
        );
        let path = "src/a.rs:1:2: replace a::f -> b::C with Default::default()";
        assert_eq!(Mutant::of_line(path).name, "src/a.rs: replace a::f -> b::C with Default::default()");
    }

    #[test]
    fn every_paragraph_begins_with_its_reason() {
        let workspace = Workspace::find();
        let text = fs_err::read_to_string(workspace.root().join(PATH)).expect("the list is there");
        for paragraph in text.split("\n\n") {
            let mut entries = paragraph.lines().skip_while(|line| line.starts_with('#'));
            let is_in_order = paragraph.starts_with('#') && entries.all(|line| !line.starts_with('#'));
            assert!(is_in_order, "no reason, or one behind an entry: {paragraph}");
        }
    }
}
