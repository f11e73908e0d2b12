//! How much work a query may cause: long and strange texts get a worse answer, never a slow one.

use std::cell::Cell;

use crate::index::{Cost, Match, NameSearch};

/// Most states that all searches of a query may look at. Texts with two slips, which come near it, take 5 ms natively and
/// 7 ms in wasm at most (99 of 100, tests/bench/RESULTS.md). With 12,000 the alternates of a misspelt text are often not
/// reached; 24,000 and 100,000 give no more right first answers.
const MAX_VISITS: u32 = 16_000;

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
