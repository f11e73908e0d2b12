//! Rows that are stored, and how they live through upgrades and rollbacks.
//!
//! What objects store, and what Workers and objects say to each other, changes by these rules alone:
//!
//! - A field or a column is added with a default, so that what an earlier version wrote can be read. What is stored and is
//!   not known is ignored, so that an earlier version reads what a later one wrote.
//! - No field changes its name, its type or its meaning, and none is taken away while rows can hold it.
//! - A new variant of an enum is written one version after the one that can read it: until then an earlier version, in the same
//!   deployment or after a rollback, cannot read the row at all.
//! - The forms are pinned in `tests/service/pins.rs`. Old forms stay there when a form changes.
//!
//! A row that cannot be read is left out and counted, and logged by its kind: it never makes an object useless. What an
//! operator sees of it: `unreadable` in the answers of the admin routes. The one exception is the record of a key, without
//! which nothing is known of the key: its requests are answered 503, and the key can only be deleted.

use std::collections::BTreeMap;
use std::fmt;

/// Rows that could not be read, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unreadable(BTreeMap<&'static str, u32>);

impl Unreadable {
    /// The rows of a kind that can be read; the others are counted.
    pub fn leave_out<T, E>(&mut self, kind: &'static str, rows: impl IntoIterator<Item = Result<T, E>>) -> Vec<T> {
        let mut count = |_| *self.0.entry(kind).or_default() += 1;
        rows.into_iter().filter_map(|row| row.map_err(&mut count).ok()).collect()
    }

    /// How many there are.
    pub fn total(&self) -> u32 {
        self.0.values().sum()
    }
}

/// For the log: kinds and numbers, nothing of what the rows hold.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.0.iter().map(|(kind, count)| format!("{count} of {kind}")).collect();
        write!(f, "rows that cannot be read are left out: {}", kinds.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_left_out_and_counted() {
        let mut unreadable = Unreadable::default();
        let read = |text: &&str| text.parse::<u32>();
        assert_eq!(unreadable.leave_out("entries", ["1", "2"].iter().map(read)), [1, 2]);
        assert_eq!(unreadable.total(), 0);
        assert_eq!(unreadable.leave_out("entries", ["1", "secret", "3"].iter().map(read)), [1, 3]);
        assert!(unreadable.leave_out("months", ["", "x"].iter().map(read)).is_empty());
        assert_eq!(unreadable.total(), 3);
        assert_eq!(unreadable.to_string(), "rows that cannot be read are left out: 1 of entries, 2 of months");
    }
}
