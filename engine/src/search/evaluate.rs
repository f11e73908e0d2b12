//! Evaluates interpretations: looks up their names in the tables and adds the places found as candidates.

use super::admission::Admission;
use super::areas::{Contexts, Likeness, Location};
use super::budget::{Budget, Budgets};
use super::candidate::{Candidate, Evidence, FoundBy, FoundName, Spelling};
use super::edit_distance::{allowed_edits, edit_cost};
use super::interpretation::{Adjustment, Interpretation, NameInContext, Splits};
use super::kind_terms::is_no_name;
use super::penalties::*;
use super::site_words::{Fit, SiteWords};
use super::sound::find_by_sound;
use super::terms::Terms;
use super::top_k::TopK;
use crate::index::{
    self, Cost, Index, Languages, MAX_EDITS, Match, NameSearch, Names, OrderedSearch, Part, Posting, Prefix, Spelled,
    SpelledSearch, of_class,
};
use crate::query::{Mode, Search};
use crate::record::{CodeScheme, NameClass, Role};
use crate::text::{are_of_one_script, fold};

/// Number of names of a range that are examined per unit of the budget.
const NAMES_PER_UNIT: u32 = 16;

/// A query and the index it searches. Only the remaining budget changes during evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Query<'q> {
    pub index: &'q Index,
    pub search: &'q Search<'q>,
    pub mode: Mode,
    pub is_latin: bool,
    pub admission: &'q Admission<'q>,
    /// Admits the city in `Munich airport`, which is not a result: of the filter, only the countries apply to it.
    pub admission_of_cities: &'q Admission<'q>,
    /// True if names that are not quite the text may be found too: longer names, and names with edits. False if the filter
    /// names an area and the text is the usual name of a place anywhere: Paris in Brazil is nowhere.
    pub corrects: bool,
    /// True if names with edits are looked for where the others are not enough.
    pub with_edits: bool,
    pub languages: &'q Languages,
    pub budgets: &'q Budgets,
}

/// A table of names of a part.
#[derive(Clone, Copy)]
struct Table<'q> {
    part: &'q Part,
    names: &'q Names,
    /// True if the names are alternates.
    is_alternate: bool,
    /// The budget of the part.
    budget: &'q Budget,
    /// Penalty of a prefix of one of its names.
    prefix: Cost,
}

/// The results so far.
#[derive(Debug)]
pub(crate) struct Found {
    pub top: TopK,
    /// Places whose whole name matched and that lie in every area of the context. They are kept apart, so that no famous
    /// namesake elsewhere takes their room.
    fitting: TopK,
    /// Lowest cost of a candidate without edits.
    least_without_edits: Cost,
    /// The airport with scheduled flights of which the text is the code.
    code: Option<Candidate>,
    /// True if names with edits would have been looked for.
    pub lacks_edits: bool,
}

impl Found {
    pub fn new(k: usize) -> Self {
        let (top, fitting) = (TopK::new(k), TopK::new(k));
        Self { top, fitting, least_without_edits: Cost::MAX, code: None, lacks_edits: false }
    }

    /// Returns the least cost at which exact matches are not kept.
    fn limit_of_exact(&self, name: &NameInContext) -> Cost {
        if name.context.is_empty() { self.top.limit() } else { self.top.limit().max(self.fitting.limit()) }
    }

    fn add(&mut self, candidate: Candidate) {
        if candidate.evidence.edits == 0 && candidate.evidence.fits_context() {
            self.fitting.add(candidate);
        }
        self.top.add(candidate);
    }

    /// Returns the candidates, cheapest first. A place that fits the context comes before all with more edits, and before
    /// those with as many edits that lie outside an area of the context or leave terms out.
    pub fn into_candidates(self) -> Vec<Candidate> {
        let mut ordered = TopK::new(self.top.capacity());
        let exact = self.fitting.into_candidates();
        let is_known = |row: u32| exact.iter().any(|candidate| candidate.row == row);
        let others: Vec<Candidate> =
            self.top.into_candidates().into_iter().filter(|candidate| !is_known(candidate.row)).collect();
        let with_edits = others.iter().copied().filter(|candidate| candidate.evidence.fits_context());
        let fitting: Vec<Candidate> = exact.iter().copied().chain(with_edits).collect();
        for candidate in exact.into_iter().chain(others) {
            let Evidence { edits, .. } = candidate.evidence;
            let leaves_out = !candidate.evidence.leaves_nothing_out();
            let fits_better =
                |fit: &&Candidate| fit.evidence.edits < edits || (leaves_out && fit.evidence.edits == edits);
            let last = fitting.iter().filter(fits_better).map(|fit| fit.cost + UNMATCHED_AREA).max();
            ordered.add(Candidate { cost: candidate.cost.max(last.unwrap_or(0)), ..candidate });
        }
        let mut ordered = ordered.into_candidates();
        if let Some(code) = self.code.filter(|code| !ordered.iter().take(CODE_AMONG).any(|other| other.row == code.row))
        {
            ordered.retain(|other| other.row != code.row);
            let at = ordered.len().min(CODE_AMONG - 1);
            let cost = ordered.get(at).map_or(code.cost, |next| next.cost);
            ordered.insert(at, Candidate { cost, ..code });
        }
        ordered
    }

    /// Tells whether a name was found as it is written, and not only a guess.
    pub fn is_written(&self) -> bool {
        self.least_without_edits <= GUESS
    }

    /// Returns the cost at which a search for names with this many edits stops. A match must be cheaper than the worst
    /// candidate that is kept. With edits it must also be cheaper than all without edits, not much costlier than the best
    /// candidate, and likely enough to be meant at all.
    fn limit(&self, edits: u8) -> Cost {
        let guess = if edits > 1 { GUESS_OF_TWO_EDITS } else { GUESS };
        let spread = self.top.least().map_or(guess, |least| least.saturating_add(EDITED_SPREAD).min(guess));
        if edits > 0 { self.top.limit().min(spread).min(self.least_without_edits) } else { self.top.limit() }
    }
}

impl Query<'_> {
    /// Adds the candidates of an interpretation to `found`.
    pub fn evaluate(&self, interpretation: &Interpretation, found: &mut Found) {
        match interpretation {
            Interpretation::Name(terms, adjustment) => self.look_up_names(terms, adjustment, found),
            Interpretation::PartOfName(terms) => self.look_up_part(terms, found),
            Interpretation::SiteOfCity(sought) => self.look_up_sites(sought, found),
            Interpretation::CodeOfCity { code, city } => self.look_up_airport_of_city(code, city, found),
            Interpretation::AirportCode(code) => self.look_up_airport(code, found),
            Interpretation::Spelled(terms, adjustment) => self.look_up_spelled(terms, adjustment, found),
            Interpretation::Sound { text, unfinished } => self.look_up_sound(text, *unfinished, found),
        }
    }

    /// Looks up the whole text as a code. Codes are written in capitals; only those of airports may be written otherwise.
    pub fn look_up_code(&self, found: &mut Found) {
        let text = self.search.text.trim();
        if !(2..=4).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
            return;
        }
        let is_upper = text.bytes().all(|b| b.is_ascii_uppercase());
        for (scheme, row) in self.index.meanings(&text.to_ascii_uppercase()) {
            let exact = Evidence::of_exact(NameClass::Primary, text.len());
            let evidence = Evidence { code: true, typed_code: !is_upper && scheme == CodeScheme::Iata, ..exact };
            let cost = match scheme {
                CodeScheme::Iata | CodeScheme::Icao if is_scheduled(self.index, row) => {
                    let is_first = is_upper && !self.is_country(text);
                    self.offer_at(row, if is_first { 0 } else { CODE_TYPED }, evidence, found);
                    continue;
                }
                CodeScheme::Iata | CodeScheme::Icao => AIRPORT_CODE,
                _ if !is_upper => continue,
                CodeScheme::Iso2 => COUNTRY_CODE,
                CodeScheme::Iso3 => COUNTRY_CODE_OF_THREE,
                CodeScheme::State => STATE_CODE,
            };
            self.offer(row, cost, evidence, FoundBy::code(text), found);
        }
    }

    /// Tells whether a country is usually called so: USA is also the code of an airport.
    fn is_country(&self, text: &str) -> bool {
        let name = fold(text);
        let of_part = |part: &Part| {
            let names = part.usual_names();
            let mut rows =
                names.id(&name).into_iter().flat_map(|id| names.postings(id)).map(|posting| part.in_index(posting.row));
            rows.any(|row| self.index.place(row).role() == Role::Country)
        };
        self.index.parts().iter().any(of_part)
    }

    /// Adds an airport by its code, with a cost that does not depend on its importance.
    fn offer_at(&self, row: u32, cost: Cost, evidence: Evidence, found: &mut Found) {
        if !self.passes_filter(row) {
            return;
        }
        let candidate = Candidate { row, cost, evidence, found_by: FoundBy::code(self.search.text.trim()) };
        found.code = Some(candidate);
        found.least_without_edits = found.least_without_edits.min(cost);
        found.add(candidate);
    }

    /// Looks up names as written. If nothing good is found, tries prefixes, then edits; if nothing at all, contexts with
    /// edits. Behind a comma, a context that is not an area's name is tried with edits at once.
    fn look_up_names(&self, terms: &Terms, adjustment: &Adjustment, found: &mut Found) {
        let contexts = &mut Contexts::new(self.index, terms, self.budgets);
        let unfinished = self.mode == Mode::Autocomplete;
        let prefix = terms.prefix(self.mode);
        let splits = Splits { terms, adjustment, unfinished, prefix, lexicon: self.index.lexicon() };
        // Terms with a comma are usually a name and its context, not one name.
        let has_comma = terms.has_comma(0..terms.len());
        let mut whole = splits.whole();
        let mut in_context = splits.in_context(contexts, Likeness::Same);
        // `Paris, Tennesee`: nothing is called what stands behind the name, so it is misspelt.
        let is_misspelt = has_comma && !unfinished && in_context.iter().all(|name| name.is_reversed);
        if is_misspelt {
            let with_edits = splits.in_context(contexts, Likeness::Edited).into_iter();
            in_context.extend(with_edits.filter(|name| !name.is_reversed));
        }
        for name in whole.iter().chain(&in_context) {
            self.look_up(name, found);
        }
        // `N/A` is not the beginning of a name for which somebody looks.
        let may_be_beginning = unfinished || !terms.are_initials();
        if self.corrects && found.least_without_edits > self.search_edits_above() && may_be_beginning {
            if let Some(whole) = &mut whole {
                // Behind a separator, a longer name may go on with another word.
                whole.prefix = prefix.or(Some(if unfinished { Prefix::Words } else { Prefix::Letters }));
                self.look_up(whole, found);
            }
            let (first, last) =
                if has_comma { (&in_context[..], whole.as_slice()) } else { (whole.as_slice(), &in_context[..]) };
            self.look_up_with_edits(&first.iter().chain(last).collect::<Vec<_>>(), found);
        }
        if found.top.is_empty() && !is_misspelt {
            for name in splits.in_context(contexts, Likeness::Edited) {
                self.look_up(&name, found);
            }
        }
    }

    /// Returns the cost of the best candidate above which names with edits are searched.
    fn search_edits_above(&self) -> Cost {
        match self.mode {
            Mode::Forward => SEARCH_EDITS_ABOVE,
            Mode::Autocomplete => SEARCH_EDITS_ABOVE_UNFINISHED,
        }
    }

    /// Looks up the longest part of the terms that is a name, and drops the other terms.
    fn look_up_part(&self, terms: &Terms, found: &mut Found) {
        for length in (1..terms.len()).rev() {
            for start in 0..=terms.len() - length {
                let dropped = (terms.len() - length) as u8;
                let penalty = Cost::from(dropped) * DROPPED_TERM;
                let adjustment = &Adjustment { penalty, dropped, ..Adjustment::default() };
                let Some(name) = terms.name(start..start + length) else { continue };
                if length == 1 && is_no_name(self.index.lexicon(), &name) {
                    continue;
                }
                let alone = NameInContext {
                    is_mere_kind: is_no_name(self.index.lexicon(), &name),
                    name,
                    context: Vec::new(),
                    adjustment,
                    penalty: 0,
                    prefix: None,
                    strict: true,
                    is_reversed: false,
                };
                self.look_up(&alone, found);
            }
            if !found.top.is_empty() {
                return;
            }
        }
    }

    /// Looks up sites of a kind near the cities that the other terms name.
    fn look_up_sites(&self, sought: &SiteWords, found: &mut Found) {
        let reaches: Vec<(Role, f64)> =
            sought.roles().iter().filter_map(|&role| Some((role, reach_m(role)?))).collect();
        if reaches.is_empty() {
            return;
        }
        let mut cities = Found::new(MAX_CITIES);
        let of_cities = Adjustment { roles: vec![Role::City], ..Adjustment::default() };
        Query { mode: Mode::Forward, admission: self.admission_of_cities, ..*self }.look_up_names(
            &sought.city,
            &of_cities,
            &mut cities,
        );
        found.lacks_edits |= cities.lacks_edits;
        let index = self.index;
        let is_city = |city: &Candidate| {
            let may_go_on = self.mode == Mode::Autocomplete;
            let exact =
                city.evidence.edits == 0 && city.evidence.unmatched == 0 && (may_go_on || !city.evidence.prefix);
            exact && matches!(index.place(city.row).role(), Role::City | Role::Quarter)
        };
        for city in cities.into_candidates().into_iter().filter(is_city) {
            let importance = index.cost_of_importance(city.row);
            let cost = city.cost.saturating_sub(importance) + importance / CITY_IN_SITE + SITE_OF_CITY;
            let centre = index.place(city.row).position();
            for &(role, reach) in &reaches {
                for site in index.sites_within(centre, reach, role) {
                    // Another part of the index may have some left for its own sites.
                    if !self.budgets.of_part(index.part_number(site.row)).spend(1) {
                        continue;
                    }
                    let place = index.place(site.row);
                    let unlike = match sought.fit(place) {
                        Fit::Named => 0,
                        Fit::OfKind => KIND_NOT_IN_NAME,
                        Fit::No => continue,
                    };
                    // How far an airport lies from the city that it serves says nothing.
                    let serves = place.ancestors().any(|area| area.row == city.row);
                    let far = if serves { FAR_SITE_OF_OWN_CITY } else { FAR_SITE };
                    let distance = index::share(far * site.distance_m / reach);
                    // The word for the kind is not left out: it is why the site is found.
                    let evidence = Evidence { role: Some(role), without_kind: false, ..city.evidence };
                    self.offer(site.row, cost + unlike + distance, evidence, FoundBy::Other, found);
                }
            }
        }
    }

    /// Looks up an airport by its code, if it lies near a city of this name.
    fn look_up_airport_of_city(&self, code: &str, city: &Terms, found: &mut Found) {
        let name = city.phrase(0..city.len());
        let centre_of = |part: &Part, row: u32| {
            let place = self.index.place(part.in_index(row));
            (place.role() == Role::City).then(|| place.position())
        };
        let centres = self.index.parts().iter().flat_map(|part| {
            let names = part.usual_names();
            let rows = names.id(&name).into_iter().flat_map(|id| names.postings(id));
            rows.take(MAX_CITIES).filter_map(|posting| centre_of(part, posting.row)).collect::<Vec<_>>()
        });
        let centres: Vec<_> = centres.collect();
        for (scheme, row) in self.index.meanings(&code.to_ascii_uppercase()) {
            let position = self.index.place(row).position();
            let is_near = centres.iter().any(|centre| centre.distance_m(position) <= AIRPORT_REACH_M);
            if is_near && matches!(scheme, CodeScheme::Iata | CodeScheme::Icao) {
                let exact = Evidence::of_exact(NameClass::Primary, code.len());
                let evidence = Evidence { code: true, matched: 1, ..exact };
                let candidate = Candidate { row, cost: CODE_OF_CITY, evidence, found_by: FoundBy::code(code) };
                if self.passes_filter(row) {
                    found.least_without_edits = found.least_without_edits.min(CODE_OF_CITY);
                    found.add(candidate);
                }
            }
        }
    }

    fn look_up_airport(&self, code: &str, found: &mut Found) {
        for (scheme, row) in self.index.meanings(&code.to_ascii_uppercase()) {
            if matches!(scheme, CodeScheme::Iata | CodeScheme::Icao) {
                let exact = Evidence::of_exact(NameClass::Primary, code.len());
                let evidence = Evidence { code: true, role: Some(Role::Airport), ..exact };
                self.offer(row, 0, evidence, FoundBy::code(code), found);
            }
        }
    }

    /// Looks up names that the terms may spell in another script, each part of the context by itself.
    fn look_up_spelled(&self, terms: &Terms, adjustment: &Adjustment, found: &mut Found) {
        let contexts = &mut Contexts::new(self.index, terms, self.budgets);
        let unfinished = self.mode == Mode::Autocomplete;
        let prefix = terms.prefix(self.mode);
        let splits = Splits { terms, adjustment, unfinished, prefix, lexicon: self.index.lexicon() };
        let in_context = splits.in_context(contexts, Likeness::Spelled);
        for name in &in_context {
            self.look_up(name, found);
        }
        for name in in_context.iter().chain(&splits.whole()) {
            let unfinished = name.prefix == Some(Prefix::Letters);
            let Some(lattice) = self.index.lattice(&name.name, unfinished) else { continue };
            for table in self.tables().filter(|table| !table.is_alternate) {
                let prefix = name.prefix.map(|prefix| (prefix, table.prefix));
                let search = SpelledSearch::new(table.names, &lattice, prefix);
                self.take_all(table, search, name, 0, (1, u32::MAX), found);
            }
        }
    }

    fn look_up_sound(&self, text: &str, unfinished: bool, found: &mut Found) {
        let letters = text.chars().count();
        for (part, budget) in self.budgets.with_parts(self.index) {
            let keep = |row: u32| self.passes_filter(part.in_index(row));
            for (posting, cost) in find_by_sound(part, text, unfinished, keep, budget) {
                let evidence = Evidence { respelled: true, edits: 2, ..Evidence::of_exact(posting.class, letters) };
                let cost = cost + of_class(posting.class);
                self.offer(part.in_index(posting.row), cost, evidence, FoundBy::Other, found);
            }
        }
    }

    /// Iterates over the tables of names. The usual names of all parts come first: their candidates lower the limit for the
    /// alternates.
    fn tables(&self) -> impl Iterator<Item = Table<'_>> {
        let prefix = if self.mode == Mode::Autocomplete { PREFIX_UNFINISHED } else { PREFIX };
        let alternate = if self.is_latin { PREFIX_OF_ALTERNATE } else { PREFIX_OF_ALTERNATE_NOT_LATIN };
        let parts = self.budgets.with_parts(self.index);
        let usual = parts.clone().map(move |(part, budget)| {
            let names = part.usual_names();
            Table { part, names, is_alternate: false, budget, prefix }
        });
        let prefix = prefix + alternate;
        usual.chain(parts.map(move |(part, budget)| {
            let names = part.alternates();
            Table { part, names, is_alternate: true, budget, prefix }
        }))
    }

    /// Looks up a name as written, and as a prefix if it may be one.
    fn look_up(&self, name: &NameInContext, found: &mut Found) {
        if !self.budgets.spend(1) {
            return;
        }
        for table in self.tables() {
            if let Some(id) = table.names.id(&name.name) {
                self.take(table, Match { id, edits: 0, prefix: false, spelled: None, floor: 0 }, name, 0, found);
            }
        }
        if let Some(prefix) = name.prefix {
            let beginning = prefix.of(&name.name);
            for table in self.tables() {
                self.look_up_prefix(table, name, &beginning, found);
            }
        }
    }

    /// Looks up names that start with `beginning`, cheapest first, until enough are found. If few places pass the filter, that
    /// may take longer than a scan of all names with the prefix; then it scans.
    fn look_up_prefix(&self, table: Table, name: &NameInContext, beginning: &str, found: &mut Found) {
        let (names, penalty) = (table.names, table.prefix);
        let all = names.starting_with(beginning);
        let scan_work = if self.admission.is_open() { u32::MAX } else { all.len() as u32 / NAMES_PER_UNIT };
        let search = NameSearch::prefix(names, beginning, penalty);
        let is_complete = self.take_all(table, search, name, 0, (0, scan_work), found);
        if !is_complete && table.budget.spend(scan_work) {
            for id in all {
                self.take(table, Match { id, edits: 0, prefix: true, spelled: None, floor: 0 }, name, penalty, found);
            }
        }
    }

    /// Looks up names within one edit of the texts, then, if no good place is found, within two.
    fn look_up_with_edits(&self, texts: &[&NameInContext], found: &mut Found) {
        if !self.with_edits {
            found.lacks_edits = true;
            return;
        }
        for edits in 1..=MAX_EDITS {
            for name in texts.iter().filter(|name| edits <= allowed_edits(&name.name)) {
                let cost = edit_cost(&name.name);
                for table in self.tables() {
                    let prefix = name.prefix.map(|prefix| (prefix, table.prefix));
                    let search = NameSearch::fuzzy(table.names, &name.name, prefix, edits, cost);
                    self.take_all(table, search, name, cost, (edits, u32::MAX), found);
                }
            }
            if found.top.least().is_some_and(|least| least < GOOD_WITH_EDITS) {
                return;
            }
        }
    }

    /// Takes the matches of a search until it has used `max_work` units. Returns whether it ended before that.
    fn take_all(
        &self,
        table: Table,
        mut search: impl OrderedSearch,
        name: &NameInContext,
        edit: Cost,
        (edits, max_work): (u8, u32),
        found: &mut Found,
    ) -> bool {
        let base = name.penalty + name.adjustment.penalty;
        while search.work() < max_work {
            let limit = found.limit(edits).saturating_sub(base);
            let Some(next) = table.budget.next(&mut search, limit) else { return true };
            let prefix = if next.prefix { table.prefix } else { 0 };
            let respelled = Cost::from(next.edits) * edit + next.spelled.map_or(0, |spelled| spelled.cost);
            self.take(table, next, name, prefix + respelled, found);
        }
        false
    }

    /// Weighs the places of a matching name, the cheapest first, as far as they can still be kept and the budget
    /// lasts. `penalty` is that of the match.
    fn take(&self, table: Table, matched: Match, name: &NameInContext, penalty: Cost, found: &mut Found) {
        let cost = name.penalty + name.adjustment.penalty + penalty;
        let work = 1 + name.context.iter().map(|areas| areas.work()).sum::<u32>();
        for posting in table.names.postings(matched.id) {
            let is_exact = matched.edits == 0 && !matched.prefix && matched.spelled.is_none();
            let limit = if is_exact { found.limit_of_exact(name) } else { found.top.limit() };
            let row = table.part.in_index(posting.row);
            // Until enough is found, the cost need not be looked up.
            let is_too_dear = || {
                let less = if is_exact { self.whole_name(posting.class, name.context.len(), row) } else { 0 };
                cost + table.part.cost(posting) >= limit.saturating_add(less)
            };
            if limit < Cost::MAX && is_too_dear() {
                break;
            }
            let posting = Posting { row, ..posting };
            if self.passes_filter(posting.row) {
                if !table.budget.spend(work) {
                    break;
                }
                self.weigh(posting, (table, matched), name, cost, found);
            }
        }
    }

    /// Computes the cost and evidence of one place and offers it as a candidate.
    fn weigh(
        &self,
        posting: Posting,
        (table, by): (Table, Match),
        name: &NameInContext,
        mut cost: Cost,
        found: &mut Found,
    ) {
        let row = posting.row;
        let role = self.index.place(row).role();
        // A code somewhere else than in its city is a mistake, and says less than the city: `75001 Berlin` means Berlin.
        let strict = name.strict || role == Role::Postcode;
        let (mut unmatched, mut near) = (0, 0);
        for areas in &name.context {
            match areas.locate(self.index, row) {
                Location::Inside => {}
                Location::Near => near += 1,
                Location::Elsewhere if strict => return,
                Location::Elsewhere => unmatched += 1,
            }
        }
        let matched = name.context.len() - unmatched;
        cost += near as Cost * NEAR_CITY + unmatched as Cost * UNMATCHED_AREA + of_class(posting.class);
        if posting.class == NameClass::English && by.prefix {
            cost += PREFIX_OF_SPELLING;
        }
        if posting.class.is_alternate() && self.is_in_language(row, by, name) {
            cost -= IN_LANGUAGE;
            // In its language, the name is a usual one.
            let is_whole = by.edits == 0 && !by.prefix;
            let less = if is_whole { self.whole_name(NameClass::Primary, name.context.len(), row) } else { 0 };
            cost = cost.saturating_sub(less);
        }
        let spelling = by.spelled.map(|spelled| {
            // Who writes about a known place uses the name that it has.
            let otherwise = if self.is_written_otherwise(row, &name.name) { WRITTEN_OTHERWISE } else { 0 };
            cost += otherwise;
            Spelling::new(Spelled { cost: spelled.cost + otherwise, ..spelled })
        });
        let Adjustment { dropped, dropped_numbers, respelled, ref roles, .. } = *name.adjustment;
        let is_asked_for = roles.contains(&role);
        if !roles.is_empty() && !is_asked_for {
            cost += OTHER_KIND;
        }
        let evidence = Evidence {
            edits: by.edits,
            prefix: by.prefix,
            matched: matched as u8,
            unmatched: unmatched as u8,
            dropped,
            dropped_numbers,
            respelled: respelled || spelling.is_some(),
            spelling,
            without_kind: !roles.is_empty(),
            mere_kind: name.is_mere_kind,
            role: is_asked_for.then_some(role),
            ..Evidence::of_exact(posting.class, name.name.chars().count())
        };
        let by = FoundName { part_at: table.part.first(), is_alternate: table.is_alternate, number: by.id };
        self.offer(row, cost, evidence, FoundBy::Name(by), found);
    }

    /// Returns what the cost of a whole name of a place is lowered by: of a usual one, without a context.
    fn whole_name(&self, class: NameClass, parts: usize, row: u32) -> Cost {
        let is_lowered = self.mode == Mode::Autocomplete
            && parts == 0
            && !class.is_alternate()
            && self.index.cost_of_importance(row) <= WHOLE_NAME_OF_KNOWN;
        if is_lowered { WHOLE_NAME } else { 0 }
    }

    /// Tells whether the name matched without edits and is the name in the language of the query.
    fn is_in_language(&self, row: u32, matched: Match, name: &NameInContext) -> bool {
        let names = self.index.place(row).names_in(self.languages);
        let matches = |folded: String| match name.prefix.filter(|_| matched.prefix) {
            Some(prefix) => folded.starts_with(&*prefix.of(&name.name)),
            None => folded == name.name,
        };
        matched.edits == 0 && names.map(fold).any(matches)
    }

    /// Tells whether the index knows a name of a place in the script of `text`, other than `text`.
    fn is_written_otherwise(&self, row: u32, text: &str) -> bool {
        let Some(letter) = text.chars().find(|c| !c.is_ascii()) else { return false };
        let is_like = |name: &str| name.chars().any(|c| !c.is_ascii() && are_of_one_script(c, letter));
        self.index.place(row).translations().any(|(_, name)| is_like(name))
    }

    /// Tells whether the filter of the query admits a place.
    fn passes_filter(&self, row: u32) -> bool {
        self.admission.admits(self.index.place(row))
    }

    /// Adds a candidate, unless the filter excludes it. `cost` gets importance and focus added.
    fn offer(&self, row: u32, cost: Cost, evidence: Evidence, found_by: FoundBy, found: &mut Found) {
        if !self.passes_filter(row) {
            return;
        }
        let parts = usize::from(evidence.matched + evidence.unmatched);
        let importance = match found_by {
            FoundBy::Name(FoundName { part_at, .. }) => self.index.cost_of_copy(row, part_at),
            FoundBy::Code(_) | FoundBy::Other => self.index.cost_of_importance(row),
        };
        let less = if evidence.is_whole_text() { self.whole_name(evidence.class, parts, row) } else { 0 };
        let cost = (cost + importance + self.focus_penalty(row)).saturating_sub(less);
        let evidence = Evidence { matched: evidence.matched + self.admission.named_areas(), ..evidence };
        let is_mere_prefix = evidence.prefix && self.mode == Mode::Forward;
        if evidence.edits == 0 && evidence.spelling.is_none() && !is_mere_prefix {
            found.least_without_edits = found.least_without_edits.min(cost);
        }
        found.add(Candidate { row, cost, evidence, found_by });
    }

    /// Returns the penalty of the distance from the focus.
    fn focus_penalty(&self, row: u32) -> Cost {
        const HALF_CIRCUMFERENCE_M: f64 = 20_000_000.0;
        let Some(focus) = self.search.focus else { return 0 };
        let distance = focus.distance_m(self.index.place(row).position()).max(NEAR_FOCUS_M);
        index::share(
            FAR_FROM_FOCUS * libm::log(distance / NEAR_FOCUS_M) / libm::log(HALF_CIRCUMFERENCE_M / NEAR_FOCUS_M),
        )
    }
}

/// Tells whether an airport has scheduled flights: those without are less important than any with them.
fn is_scheduled(index: &Index, row: u32) -> bool {
    index.cost_of_importance(row) < WITHOUT_SCHEDULED_FLIGHTS
}

/// Returns the distance in metres from the centre of its city within which a site of `role` may lie; `None` if such sites are
/// not named after cities.
fn reach_m(role: Role) -> Option<f64> {
    match role {
        Role::Airport => Some(AIRPORT_REACH_M),
        Role::Station => Some(STATION_REACH_M),
        Role::Landmark => Some(LANDMARK_REACH_M),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::areas::{AreaMatching, AreaSet, Likeness};
    use super::super::tests::{Line, index_of, index_of_records, record};
    use super::*;
    use crate::filter::Filter;

    /// Checks the limits of searches with no, one and two edits, by the costs of the best candidates and the least cost
    /// without edits.
    #[test]
    fn a_search_goes_on_to_what_may_still_be_meant() {
        let check = |costs: [Cost; 2], without_edits: Cost, expect: [Cost; 3]| {
            let mut found = Found { least_without_edits: without_edits, ..Found::new(2) };
            for (row, cost) in (0..).zip(costs).filter(|&(_, cost)| cost > 0) {
                let evidence = Evidence::of_exact(NameClass::Primary, 5);
                found.top.add(Candidate { row, cost, evidence, found_by: FoundBy::Other });
            }
            assert_eq!([0, 1, 2].map(|edits| found.limit(edits)), expect, "{costs:?} {without_edits}");
        };
        let none = Cost::MAX;
        check([0, 0], none, [none, GUESS, GUESS_OF_TWO_EDITS]);
        check([0, 0], 70_000, [none, 70_000, GUESS_OF_TWO_EDITS]);
        check([10_000, 0], none, [none, 10_000 + EDITED_SPREAD, 10_000 + EDITED_SPREAD]);
        check([60_000, 0], none, [none, GUESS, GUESS_OF_TWO_EDITS]);
        check([10_000, 0], 20_000, [none, 20_000, 20_000]);
        check([10_000, 15_000], 20_000, [15_000, 15_000, 15_000]);
    }

    /// Runs a search for places of some countries on a budget of its own; what it found, and what it took.
    fn run(index: &Index, countries: &[[u8; 2]], look_up: impl Fn(&Query, &mut Found)) -> (usize, u32) {
        let count = |budget: &Budget| (0..).take_while(|_| budget.spend(1)).count() as u32;
        let filter = Filter::in_countries(countries);
        let (search, budgets) = (Search { filter, ..Search::new("", 1) }, Budgets::of_a_question(1));
        let admission = Admission::new(index, &filter, &budgets);
        budgets.begin(u32::MAX);
        let mut found = Found::new(1_000);
        let query = Query {
            index,
            search: &search,
            mode: Mode::Autocomplete,
            is_latin: true,
            admission: &admission,
            admission_of_cities: &admission,
            corrects: true,
            with_edits: true,
            languages: &index.languages(None),
            budgets: &budgets,
        };
        look_up(&query, &mut found);
        (found.top.into_candidates().len(), count(&Budget::of_a_question()) - count(budgets.of_part(0)))
    }

    fn name<'a>(name: &str, context: Vec<Rc<AreaSet>>, adjustment: &'a Adjustment) -> NameInContext<'a> {
        NameInContext {
            name: name.to_owned(),
            context,
            adjustment,
            penalty: 0,
            prefix: None,
            strict: false,
            is_reversed: false,
            is_mere_kind: false,
        }
    }

    /// A place of a name takes one unit, and one more for every sixteen areas of its context.
    #[test]
    fn each_place_of_a_name_is_paid_for_with_its_context() {
        let adjustment = Adjustment::default();
        let check = |areas: u64, parts: usize, expect: u32| {
            let city = |id: u64| {
                let text = if id <= 40 { "Ulm" } else { "Kreis" };
                (id, Role::City, text, "", (0.0, 0.0), 0, b"XX", 0.5, 1.0)
            };
            let lines: Vec<Line> = (1..=40 + areas).map(city).collect();
            let index = index_of(&lines);
            let (terms, budgets) = (Terms::of("kreis"), Budgets::of_a_question(1));
            let matching = AreaMatching { prefix: None, likeness: Likeness::Same };
            let context = Contexts::new(&index, &terms, &budgets).resolve(0..parts.min(1), matching);
            let context = context.expect("the areas are there").into_iter().cycle().take(parts).collect();
            let name = name("ulm", context, &adjustment);
            let (found, spent) = run(&index, &[], |query, found| query.look_up(&name, found));
            assert_eq!((found, spent), (40, 1 + 40 * expect), "{areas} {parts}");
        };
        check(0, 0, 1);
        check(5, 1, 1);
        check(16, 1, 2);
        check(32, 1, 3);
        check(32, 2, 5);
    }

    /// Among many names that begin alike, only one is in the small country that the filter admits. Once the search has taken
    /// as much work as a scan of all these names would, the scan takes over.
    #[test]
    fn a_search_with_a_filter_takes_no_more_than_a_look_at_all_names() {
        let names: Vec<String> = (0..1_600).map(|at| format!("Ulm {at:04}")).collect();
        let place = |(at, text): (u64, &String)| {
            let country = if at == 1_600 { b"YY" } else { b"XX" };
            let mut record = record(&(at, Role::City, "", "", (0.0, 0.0), 0, country, 1.0 - at as f64 / 2_000.0, 1.0));
            record.names[0].text.clone_from(text);
            record
        };
        let index = index_of_records((1..).zip(&names).map(place).collect());
        let adjustment = Adjustment::default();
        let name = NameInContext { prefix: Some(Prefix::Letters), ..name("ulm", Vec::new(), &adjustment) };
        let (found, spent) = run(&index, &[*b"YY"], |query, found| query.look_up(&name, found));
        // One for the name alone, a hundred for the search, a hundred for the look, and one for what is found.
        assert_eq!((found, spent), (1, 202));
    }
}
