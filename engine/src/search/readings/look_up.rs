//! What a reading finds: names looked up in the tables, and their places weighed.

use super::{Mode, Reader, Reading};
use crate::index::{Cost, MAX_EDITS, Match, NameSearch, Names, Posting, share};
use crate::record::NameClass;
use crate::search::candidate::{Candidate, Evidence};
use crate::search::correction::{
    CORRECTED_SPREAD, CORRECTED_WELL, GUESS, GUESS_OF_TWO_EDITS, allowed_edits, edit_cost,
};
use crate::search::weights::*;
use crate::text::fold;

/// Names of a run that are looked at in about the time of one unit of the budget.
const NAMES_A_UNIT: u32 = 16;

impl<'q> Reader<'q> {
    /// The tables of names, each with what a name adds that is only begun. The better classes come first: what they give
    /// bounds how far the alternates are looked at.
    fn tables(&self) -> [(&'q Names, Cost); 2] {
        let begun = if self.mode == Mode::Autocomplete { UNFINISHED } else { BEGUN };
        let alternate = if self.is_latin { BEGUN_ALTERNATE } else { BEGUN_ALTERNATE_NOT_LATIN };
        [(&self.index.names, begun), (&self.index.alternates, begun + alternate)]
    }

    pub(super) fn look_up(&mut self, reading: &Reading) {
        if !self.budget.spend(1) {
            return;
        }
        for (names, _) in self.tables() {
            if let Some(id) = names.id(&reading.phrase) {
                self.take(names, Match { id, edits: 0, whole: true, floor: 0 }, reading, 0);
            }
        }
        if reading.prefix {
            for (names, begun) in self.tables() {
                self.look_up_begun(names, begun, reading);
            }
        }
    }

    /// Names that begin with the phrase. The best ones first, until enough are found; with a filter that few places pass, that
    /// may be never, and then a look at all of them takes less.
    fn look_up_begun(&mut self, names: &Names, begun: Cost, reading: &Reading) {
        let all = names.behind(&reading.phrase);
        let work_of_all = if self.search.countries.is_empty() { u32::MAX } else { all.len() as u32 / NAMES_A_UNIT };
        let search = NameSearch::begun(names, &reading.phrase, begun);
        let is_through = self.take_all(names, search, reading, (begun, 0), (0, work_of_all));
        if !is_through && self.budget.spend(work_of_all) {
            for id in all {
                self.take(names, Match { id, edits: 0, whole: false, floor: 0 }, reading, begun);
            }
        }
    }

    /// Names that are like the phrases but for some edits: all of them with one edit before any with two, until a good
    /// place is found.
    pub(super) fn look_up_corrected(&mut self, readings: &[&Reading]) {
        for edits in 1..=MAX_EDITS {
            for reading in readings.iter().filter(|reading| edits <= allowed_edits(&reading.phrase)) {
                let cost = edit_cost(&reading.phrase);
                for (names, begun) in self.tables() {
                    let search =
                        NameSearch::fuzzy(names, &reading.phrase, reading.prefix.then_some(begun), edits, cost);
                    self.take_all(names, search, reading, (begun, cost), (edits, u32::MAX));
                }
            }
            if self.pool.least().is_some_and(|least| least < CORRECTED_WELL) {
                return;
            }
        }
    }

    /// Takes what a search finds, as long as that costs at most `most` units; whether the search got through with less.
    fn take_all(
        &mut self,
        names: &Names,
        mut search: NameSearch,
        reading: &Reading,
        (begun, edit): (Cost, Cost),
        (edits, most): (u8, u32),
    ) -> bool {
        let sure = reading.cost + reading.ask.cost;
        while search.work < most {
            let limit = self.limit(edits).saturating_sub(sure);
            let Some(found) = self.budget.next(&mut search, limit) else { return true };
            let begun = if found.whole { 0 } else { begun };
            self.take(names, found, reading, begun + Cost::from(found.edits) * edit);
        }
        false
    }

    /// The cost from which on a search need not go on. What is corrected must beat what was found without correction,
    /// or, when that is nothing, be likely enough to be meant at all.
    fn limit(&self, edits: u8) -> Cost {
        let guess = if edits > 1 { GUESS_OF_TWO_EDITS } else { GUESS };
        let far = self.pool.least().map_or(guess, |least| least.saturating_add(CORRECTED_SPREAD).min(guess));
        if edits > 0 { self.pool.limit().min(far).min(self.exact_least) } else { self.pool.limit() }
    }

    /// Weighs the places of a name; `doubt` is what the match itself costs.
    fn take(&mut self, names: &Names, found: Match, reading: &Reading, doubt: Cost) {
        let cost = reading.cost + reading.ask.cost + doubt;
        let work = 1 + reading.pieces.iter().map(|piece| piece.work()).sum::<u32>();
        for posting in names.postings(found.id) {
            if cost + self.index.cost(posting) >= self.pool.limit() {
                break;
            }
            if self.is_wanted(posting.row) {
                if !self.budget.spend(work) {
                    break;
                }
                self.weigh(posting, found, reading, cost);
            }
        }
    }

    fn weigh(&mut self, posting: Posting, found: Match, reading: &Reading, mut cost: Cost) {
        let row = posting.row;
        let mut holding = reading.pieces.iter().map(|piece| piece.holds(self.index, row));
        let held = if reading.strict {
            if !holding.all(|holds| holds) {
                return;
            }
            reading.pieces.len()
        } else {
            holding.filter(|&holds| holds).count()
        };
        let unheld = reading.pieces.len() - held;
        cost += unheld as Cost * UNHELD + self.index.cost_of_class(posting.class);
        if posting.class == NameClass::English && !found.whole {
            cost += BEGUN_SPELLING;
        }
        if posting.class.is_alternate() && self.is_in_language(row, found, &reading.phrase) {
            cost -= IN_LANGUAGE;
        }
        let role = self.index.places.role(row);
        let asked = reading.ask.roles.contains(&role);
        if !reading.ask.roles.is_empty() && !asked {
            cost += OTHER_ROLE;
        }
        let evidence = Evidence {
            edits: found.edits,
            whole: found.whole,
            held: held as u8,
            unheld: unheld as u8,
            ignored: reading.ask.ignored,
            respelled: reading.ask.respelled,
            role: asked.then_some(role),
            ..evidence(posting.class, reading.phrase.chars().count(), false)
        };
        self.offer(row, cost, evidence);
    }

    /// Whether the name that matched without correction is the one in the language of the one who asks.
    fn is_in_language(&self, row: u32, found: Match, phrase: &str) -> bool {
        let names = self.languages.iter().filter_map(|&language| self.index.translations.name(row, language));
        let is_it = |name: String| if found.whole { name == phrase } else { name.starts_with(phrase) };
        found.edits == 0 && names.map(fold).any(is_it)
    }

    /// Whether a place passes the filter.
    pub(super) fn is_wanted(&self, row: u32) -> bool {
        let countries = self.search.countries;
        countries.is_empty() || countries.contains(&self.index.places.country(row).iso2)
    }

    pub(super) fn offer(&mut self, row: u32, cost: Cost, evidence: Evidence) {
        if !self.is_wanted(row) {
            return;
        }
        let cost = cost + self.index.cost_of_importance(row) + self.far(row);
        let is_begun = !evidence.whole && self.mode == Mode::Forward;
        if evidence.edits == 0 && !is_begun {
            self.exact_least = self.exact_least.min(cost);
        }
        self.pool.add(Candidate { row, cost, evidence });
    }

    /// What the distance from the focus costs.
    fn far(&self, row: u32) -> Cost {
        /// What the other side of the globe costs, and the distance within which nothing does.
        const FARTHEST: f64 = 0.30;
        const NEAR_M: f64 = 30_000.0;
        const HALF_ROUND_M: f64 = 20_000_000.0;
        let Some(focus) = self.search.focus else { return 0 };
        let distance = focus.distance_m(self.index.places.position(row)).max(NEAR_M);
        share(FARTHEST * libm::log(distance / NEAR_M) / libm::log(HALF_ROUND_M / NEAR_M))
    }
}

pub(super) fn evidence(class: NameClass, letters: usize, code: bool) -> Evidence {
    let letters = letters.min(usize::from(u8::MAX)) as u8;
    Evidence {
        class,
        edits: 0,
        whole: true,
        letters,
        held: 0,
        unheld: 0,
        ignored: 0,
        respelled: false,
        code,
        role: None,
    }
}
