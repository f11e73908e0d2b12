//! How much work a query may cause: long and strange texts get a worse answer, never a slow one.

use std::cell::Cell;

use crate::index::{Cost, Match, NameSearch};

/// Most states that all searches of a query may look at. Texts with two slips come near it: tests/bench/RESULTS.md has
/// their times. With 16,000 one text in a hundred in other scripts gets no answer that has one with 20,000; 24,000 give no
/// more right first answers.
const MAX_VISITS: u32 = 20_000;

/// What is left to spend on one query.
#[derive(Debug)]
pub(crate) struct Effort(Cell<u32>);

impl Effort {
    pub fn of_a_query() -> Self {
        Self(Cell::new(MAX_VISITS))
    }

    /// The next match below `limit`, while there is something left to spend.
    pub fn next(&self, search: &mut NameSearch, limit: Cost) -> Option<Match> {
        let before = search.visited;
        let found = search.next_below(limit, self.0.get());
        self.0.set(self.0.get().saturating_sub(search.visited - before));
        found
    }
}
