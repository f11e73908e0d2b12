//! Weighs the places that a query found: what each costs, and the evidence for it.

use super::admission::Admission;
use super::areas::Location;
use super::candidate::{Candidate, Evidence, FoundBy, FoundName, Spelling};
use super::found::Found;
use super::interpretation::{Adjustment, NameInContext};
use super::marks::MarkedWords;
use super::penalties::*;
use crate::index::{Cost, Languages, Match, PlaceRef, Spelled, of_class, share};
use crate::query::{Mode, Search};
use crate::record::{NameClass, Role};
use crate::text::{are_of_one_script, fold};

/// Scores how well places fit a query.
#[derive(Clone, Copy)]
pub(crate) struct Scorer<'q> {
    pub search: &'q Search<'q>,
    pub mode: Mode,
    pub admission: &'q Admission<'q>,
    pub languages: &'q Languages,
    /// The words with marks; none in forward, where every name is meant as a whole.
    pub marked: &'q MarkedWords,
}

/// A place of which a name matched.
#[derive(Clone, Copy)]
pub(crate) struct Hit<'q> {
    pub place: PlaceRef<'q>,
    /// Cost of the place without any penalty, by the copy that has the name.
    pub importance: Cost,
    pub class: NameClass,
    pub matched: Match,
    pub name: FoundName,
}

/// Numbers of areas of a context in which a place lies, near which it lies, and of the others.
struct InContext {
    matched: usize,
    near: usize,
    unmatched: usize,
}

impl Scorer<'_> {
    /// Adds the place of a hit that the filter admits, unless it has to lie in a context and does not. `cost` is that of the name
    /// and the match.
    pub fn weigh(&self, hit: Hit, name: &NameInContext, cost: Cost, found: &mut Found) {
        let Some(context) = in_context(hit.place, name) else { return };
        let (cost, spelling) = self.cost_of_name(hit, name, &context, cost);
        let evidence = evidence(hit, name, &context, spelling);
        self.add((hit.place, hit.importance), cost, evidence, FoundBy::Name(hit.name), found);
    }

    /// Adds the penalties of a hit to `cost`. Also returns how likely the spelling is, if the text is one.
    fn cost_of_name(
        &self,
        Hit { place, importance, class, matched, .. }: Hit,
        name: &NameInContext,
        context: &InContext,
        mut cost: Cost,
    ) -> (Cost, Option<Spelling>) {
        cost += context.near as Cost * NEAR_CITY + context.unmatched as Cost * UNMATCHED_AREA + of_class(class);
        if class == NameClass::English && matched.prefix {
            cost += PREFIX_OF_SPELLING;
        }
        let is_state = matched.prefix && importance > STATE_NOT_KNOWN && place.role() == Role::State;
        if is_state && self.mode == Mode::Autocomplete {
            cost += PREFIX_OF_STATE;
        }
        if class.is_alternate() && self.is_in_language(place, matched, name) {
            cost -= IN_LANGUAGE;
            // In its language, the name is a usual one.
            let is_whole = matched.edits == 0 && !matched.prefix;
            let less = if is_whole { self.whole_name(NameClass::Primary, name.context.len(), importance) } else { 0 };
            cost = cost.saturating_sub(less);
        }
        let is_written = matched.edits == 0 && matched.spelled.is_none();
        if is_written && self.marked.are_missing(&name.name, place) {
            cost += WITHOUT_MARKS;
        }
        let spelling = matched.spelled.map(|spelled| {
            // Who writes about a known place uses the name that it has.
            let otherwise = if is_written_otherwise(place, &name.name) { WRITTEN_OTHERWISE } else { 0 };
            cost += otherwise;
            Spelling::new(Spelled { cost: spelled.cost + otherwise, ..spelled })
        });
        let roles = &name.adjustment.roles;
        if !roles.is_empty() && !roles.contains(&place.role()) {
            cost += OTHER_KIND;
        }
        (cost, spelling)
    }

    /// Returns what the cost of a whole name of a place is lowered by: of a usual one, without a context. `importance` is the cost
    /// of the place without any penalty.
    pub fn whole_name(&self, class: NameClass, parts: usize, importance: Cost) -> Cost {
        let is_lowered =
            self.mode == Mode::Autocomplete && parts == 0 && !class.is_alternate() && importance <= WHOLE_NAME_OF_KNOWN;
        if is_lowered { WHOLE_NAME } else { 0 }
    }

    /// Tells whether the name matched without edits and is the name in the language of the query.
    fn is_in_language(&self, place: PlaceRef, matched: Match, name: &NameInContext) -> bool {
        let names = place.names_in(self.languages);
        let matches = |folded: String| match name.prefix.filter(|_| matched.prefix) {
            Some(prefix) => folded.starts_with(&*prefix.of(&name.name)),
            None => folded == name.name,
        };
        matched.edits == 0 && names.map(fold).any(matches)
    }

    /// Tells whether the filter of the query admits a place.
    pub fn admits(&self, place: PlaceRef) -> bool {
        self.admission.admits(place)
    }

    /// Adds a place that something else than its name found, unless the filter excludes it.
    pub fn offer(&self, place: PlaceRef, cost: Cost, evidence: Evidence, found_by: FoundBy, found: &mut Found) {
        if self.admits(place) {
            self.add((place, place.cost()), cost, evidence, found_by, found);
        }
    }

    /// Adds a place that a code found at a cost that does not depend on its importance, unless the filter excludes it.
    pub fn offer_at(
        &self,
        place: PlaceRef,
        cost: Cost,
        evidence: Evidence,
        code: &str,
        found: &mut Found,
    ) -> Option<Candidate> {
        if !self.admits(place) {
            return None;
        }
        let candidate = Candidate { row: place.row, cost, evidence, found_by: FoundBy::code(code) };
        found.least_without_edits = found.least_without_edits.min(cost);
        found.add(candidate);
        Some(candidate)
    }

    /// Adds a candidate. `cost` gets the importance and the focus added.
    fn add(
        &self,
        (place, importance): (PlaceRef, Cost),
        cost: Cost,
        evidence: Evidence,
        found_by: FoundBy,
        found: &mut Found,
    ) {
        let parts = usize::from(evidence.matched + evidence.unmatched);
        let less = if evidence.is_whole_text() { self.whole_name(evidence.class, parts, importance) } else { 0 };
        let cost = (cost + importance + self.focus_penalty(place)).saturating_sub(less);
        let evidence = Evidence { matched: evidence.matched + self.admission.named_areas(), ..evidence };
        let is_mere_prefix = evidence.prefix && self.mode == Mode::Forward;
        if evidence.edits == 0 && evidence.spelling.is_none() && !is_mere_prefix {
            found.least_without_edits = found.least_without_edits.min(cost);
        }
        found.add(Candidate { row: place.row, cost, evidence, found_by });
    }

    /// Returns the penalty of the distance from the focus.
    fn focus_penalty(&self, place: PlaceRef) -> Cost {
        const HALF_CIRCUMFERENCE_M: f64 = 20_000_000.0;
        let Some(focus) = self.search.focus else { return 0 };
        let distance = focus.distance_m(place.position()).max(NEAR_FOCUS_M);
        share(FAR_FROM_FOCUS * libm::log(distance / NEAR_FOCUS_M) / libm::log(HALF_CIRCUMFERENCE_M / NEAR_FOCUS_M))
    }
}

/// Locates a place in the context of a name; `None` if it has to lie in all of it and does not.
fn in_context(place: PlaceRef, name: &NameInContext) -> Option<InContext> {
    // A code somewhere else than in its city is a mistake, and says less than the city: `75001 Berlin` means Berlin.
    let strict = name.strict || place.role() == Role::Postcode;
    let (mut unmatched, mut near) = (0, 0);
    for areas in &name.context {
        match areas.locate(place) {
            Location::Inside => {}
            Location::Near => near += 1,
            Location::Outside if strict => return None,
            Location::Outside => unmatched += 1,
        }
    }
    Some(InContext { matched: name.context.len() - unmatched, near, unmatched })
}

/// Collects the evidence for a hit.
fn evidence(hit: Hit, name: &NameInContext, context: &InContext, spelling: Option<Spelling>) -> Evidence {
    let Adjustment { dropped, dropped_numbers, respelled, ref roles, .. } = *name.adjustment;
    let role = hit.place.role();
    Evidence {
        edits: hit.matched.edits,
        prefix: hit.matched.prefix,
        matched: context.matched as u8,
        unmatched: context.unmatched as u8,
        dropped,
        dropped_numbers,
        respelled: respelled || spelling.is_some(),
        spelling,
        without_kind: !roles.is_empty(),
        mere_kind: name.is_mere_kind,
        role: roles.contains(&role).then_some(role),
        ..Evidence::of_exact(hit.class, name.name.chars().count())
    }
}

/// Tells whether the index knows a name of a place in the script of `text`, other than `text`.
fn is_written_otherwise(place: PlaceRef, text: &str) -> bool {
    let Some(letter) = text.chars().find(|c| !c.is_ascii()) else { return false };
    let is_like = |name: &str| name.chars().any(|c| !c.is_ascii() && are_of_one_script(c, letter));
    place.translations().any(|(_, name)| is_like(name))
}
