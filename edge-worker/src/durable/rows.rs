//! Stored rows, and how they survive upgrades and rollbacks.
//!
//! Stored data and messages change only by these rules:
//!
//! - New fields and columns have a default, so that data of earlier versions can be read. Unknown stored fields are
//!   ignored, so that earlier versions can read data of later ones.
//! - No field changes its name, type or meaning, and none is removed while rows can contain it.
//! - A new enum variant is first written one version after the one that can read it: until then an earlier version, in
//!   the same deployment or after a rollback, could not read the row at all.
//! - The formats are pinned in `tests/service/pins.rs`. Old formats stay there when a format changes.
//!
//! An unreadable row is skipped, counted, and logged by kind: it never makes an object unusable. The admin routes
//! report it as `unreadable`. The one exception is the record of a key, without which nothing is known of the key: its
//! requests are answered with 503, and the key can only be deleted.

use std::collections::BTreeMap;
use std::fmt;

/// Rows that could not be read, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unreadable(BTreeMap<&'static str, u32>);

impl Unreadable {
    /// Returns the rows of a kind that can be read, and counts the others.
    pub fn leave_out<T, E>(&mut self, kind: &'static str, rows: impl IntoIterator<Item = Result<T, E>>) -> Vec<T> {
        let mut count = |_| *self.0.entry(kind).or_default() += 1;
        rows.into_iter().filter_map(|row| row.map_err(&mut count).ok()).collect()
    }

    /// Returns the number of unreadable rows.
    pub fn total(&self) -> u32 {
        self.0.values().sum()
    }
}

/// The log message: kinds and numbers, without contents.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.0.iter().map(|(kind, count)| format!("{count} of {kind}")).collect();
        write!(f, "rows that cannot be read are left out: {}", kinds.join(", "))
    }
}

/// Tells whether a field is left out of its row or message: one that came with a later version is written only where it
/// says something.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_rows_are_skipped_and_counted() {
        let mut unreadable = Unreadable::default();
        assert_eq!(unreadable.leave_out("entries", ["1", "2"].iter().map(read)), [1, 2]);
        assert_eq!(unreadable.total(), 0);
        assert_eq!(unreadable.leave_out("entries", ["1", "secret", "3"].iter().map(read)), [1, 3]);
        assert!(unreadable.leave_out("months", ["", "x"].iter().map(read)).is_empty());
        assert_eq!(unreadable.total(), 3);
        assert_eq!(unreadable.to_string(), "rows that cannot be read are left out: 1 of entries, 2 of months");
    }

    fn read(text: &&str) -> Result<u32, std::num::ParseIntError> {
        text.parse()
    }
}
