//! Evaluates interpretations: looks up their names in the tables, and has the places found weighed as candidates.

use super::admission::Admission;
use super::areas::{Contexts, Likeness};
use super::budget::{Budget, Budgets};
use super::candidate::{Candidate, Evidence, FoundBy, FoundName};
use super::edit_distance::{allowed_edits, edit_cost};
use super::found::Found;
use super::interpretation::{Adjustment, Interpretation, NameInContext, Splits};
use super::kind_terms::is_no_name;
use super::penalties::*;
use super::scorer::{Hit, Scorer};
use super::site_words::{Fit, SiteWords};
use super::sound::find_by_sound;
use super::terms::Terms;
use crate::index::{
    self, Cost, Index, MAX_EDITS, Match, NameSearch, Names, OrderedSearch, PlaceRef, Posting, Prefix, Segment,
    SpelledSearch, of_class,
};
use crate::query::Mode;
use crate::record::{CodeScheme, NameClass, Role};
use crate::text::fold;

/// Number of names of a range that are examined per unit of the budget.
const NAMES_PER_UNIT: u32 = 16;

/// Work of a scan over that of a search which shows whether the filter admits places among the cheapest names.
const SCAN_OVER_PROBE: u32 = 4;

/// A query and the index it searches: looks up names, which the scorer weighs. Only the remaining budget changes during
/// evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Query<'q> {
    pub index: &'q Index,
    pub scorer: Scorer<'q>,
    pub is_latin: bool,
    /// Admits the city in `Munich airport`, which is not a result: of the filter, only the countries apply to it.
    pub admission_of_cities: &'q Admission<'q>,
    /// True if names that are not quite the text may be found too: longer names, and names with edits. False if the filter
    /// names an area and the text is the usual name of a place anywhere: Paris in Brazil is nowhere.
    pub corrects: bool,
    /// True if names with edits are looked for where the others are not enough.
    pub with_edits: bool,
    pub budgets: &'q Budgets,
}

/// A table of names of a segment.
#[derive(Clone, Copy)]
struct Table<'q> {
    segment: Segment<'q>,
    names: &'q Names,
    /// True if the names are alternates.
    is_alternate: bool,
    /// The budget of the segment.
    budget: &'q Budget,
    /// Penalty of a prefix of one of its names.
    prefix: Cost,
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
        let text = self.scorer.search.text.trim();
        if !(2..=4).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
            return;
        }
        let is_upper = text.bytes().all(|b| b.is_ascii_uppercase());
        for (scheme, place) in self.index.meanings(&text.to_ascii_uppercase()) {
            let exact = Evidence::of_exact(NameClass::Primary, text.len());
            let evidence = Evidence { code: true, typed_code: !is_upper && scheme == CodeScheme::Iata, ..exact };
            let cost = match scheme {
                CodeScheme::Iata | CodeScheme::Icao if is_scheduled(place) => {
                    let cost = match scheme {
                        _ if is_upper && !self.is_country(text) => 0,
                        CodeScheme::Icao => CODE_OF_FOUR_TYPED,
                        _ => CODE_TYPED,
                    };
                    found.code = self.scorer.offer_at(place, cost, evidence, text, found).or(found.code);
                    continue;
                }
                CodeScheme::Iata | CodeScheme::Icao => AIRPORT_CODE,
                _ if !is_upper => continue,
                CodeScheme::Iso2 => COUNTRY_CODE,
                CodeScheme::Iso3 => COUNTRY_CODE_OF_THREE,
                CodeScheme::State => STATE_CODE,
            };
            self.scorer.offer(place, cost, evidence, FoundBy::code(text), found);
        }
    }

    /// Tells whether a country is usually called so: USA is also the code of an airport.
    fn is_country(&self, text: &str) -> bool {
        let name = fold(text);
        self.usual_places(&name).any(|place| place.role() == Role::Country)
    }

    /// Iterates over the most important places that are usually called `name`, as each segment has them.
    fn usual_places(&self, name: &str) -> impl Iterator<Item = PlaceRef<'_>> {
        self.index.segments().flat_map(move |segment| {
            let names = &segment.file.usual;
            let postings = names.id(name).into_iter().flat_map(|id| names.postings(id)).take(MAX_CITIES);
            postings.map(move |posting| segment.copy(posting.row))
        })
    }

    /// Looks up names as written. If nothing good is found, tries prefixes, then edits; if nothing at all, contexts with
    /// edits. Behind a comma, a context that is not an area's name is tried with edits at once.
    fn look_up_names(&self, terms: &Terms, adjustment: &Adjustment, found: &mut Found) {
        let contexts = &mut Contexts::new(self.index, terms, self.budgets);
        let unfinished = self.scorer.mode == Mode::Autocomplete;
        let prefix = terms.prefix(self.scorer.mode);
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
            if found.may_show_edits(self.scorer.search.limit) {
                let (first, last) =
                    if has_comma { (&in_context[..], whole.as_slice()) } else { (whole.as_slice(), &in_context[..]) };
                self.look_up_with_edits(&first.iter().chain(last).collect::<Vec<_>>(), found);
            }
        }
        if found.top.is_empty() && !is_misspelt {
            for name in splits.in_context(contexts, Likeness::Edited) {
                self.look_up(&name, found);
            }
        }
    }

    /// Returns the cost of the best candidate above which names with edits are searched.
    fn search_edits_above(&self) -> Cost {
        match self.scorer.mode {
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
        let scorer = Scorer { mode: Mode::Forward, admission: self.admission_of_cities, ..self.scorer };
        // Only cities as they are written count.
        Query { scorer, with_edits: false, ..*self }.look_up_names(&sought.city, &of_cities, &mut cities);
        let index = self.index;
        let is_city = |city: &Candidate| {
            let may_go_on = self.scorer.mode == Mode::Autocomplete;
            let exact =
                city.evidence.edits == 0 && city.evidence.unmatched == 0 && (may_go_on || !city.evidence.prefix);
            exact && matches!(index.place(city.row).role(), Role::City | Role::Quarter)
        };
        for city in cities.into_candidates().into_iter().filter(is_city) {
            let importance = index.place(city.row).cost();
            let cost = city.cost.saturating_sub(importance) + importance / CITY_IN_SITE + SITE_OF_CITY;
            let centre = index.place(city.row).position();
            for &(role, reach) in &reaches {
                for (segment, site) in index.vicinity(centre).sites_within(reach, role) {
                    // Another segment may have some left for its own sites.
                    if !self.budgets.of_segment(segment.number).spend(1) {
                        continue;
                    }
                    let place = segment.place(site.row);
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
                    self.scorer.offer(place, cost + unlike + distance, evidence, FoundBy::Other, found);
                }
            }
        }
    }

    /// Looks up an airport by its code, if it lies near a city of this name.
    fn look_up_airport_of_city(&self, code: &str, city: &Terms, found: &mut Found) {
        let name = city.phrase(0..city.len());
        let cities = self.usual_places(&name);
        let centres: Vec<_> = cities.filter(|place| place.role() == Role::City).map(PlaceRef::position).collect();
        for (scheme, place) in self.index.meanings(&code.to_ascii_uppercase()) {
            let position = place.position();
            let is_near = centres.iter().any(|centre| centre.distance_m(position) <= AIRPORT_REACH_M);
            if is_near && matches!(scheme, CodeScheme::Iata | CodeScheme::Icao) {
                let exact = Evidence::of_exact(NameClass::Primary, code.len());
                let evidence = Evidence { code: true, matched: 1, ..exact };
                self.scorer.offer_at(place, CODE_OF_CITY, evidence, code, found);
            }
        }
    }

    fn look_up_airport(&self, code: &str, found: &mut Found) {
        for (scheme, place) in self.index.meanings(&code.to_ascii_uppercase()) {
            if matches!(scheme, CodeScheme::Iata | CodeScheme::Icao) {
                let exact = Evidence::of_exact(NameClass::Primary, code.len());
                let evidence = Evidence { code: true, role: Some(Role::Airport), ..exact };
                self.scorer.offer(place, 0, evidence, FoundBy::code(code), found);
            }
        }
    }

    /// Looks up names that the terms may spell in another script, each part of the context by itself.
    fn look_up_spelled(&self, terms: &Terms, adjustment: &Adjustment, found: &mut Found) {
        let contexts = &mut Contexts::new(self.index, terms, self.budgets);
        let unfinished = self.scorer.mode == Mode::Autocomplete;
        let prefix = terms.prefix(self.scorer.mode);
        let splits = Splits { terms, adjustment, unfinished, prefix, lexicon: self.index.lexicon() };
        let in_context = splits.in_context(contexts, Likeness::Spelled);
        for name in &in_context {
            self.look_up(name, found);
        }
        for name in in_context.iter().chain(&splits.whole()) {
            let unfinished = name.prefix == Some(Prefix::Letters);
            let Some(lattice) = contexts.lattice(&name.name, unfinished) else { continue };
            for table in self.tables(&name.name).filter(|table| !table.is_alternate) {
                let prefix = name.prefix.map(|prefix| (prefix, table.prefix));
                let mut search = SpelledSearch::new(table.names, &lattice, prefix);
                self.take_all(table, &mut search, name, 0, (1, u32::MAX), found);
            }
        }
    }

    fn look_up_sound(&self, text: &str, unfinished: bool, found: &mut Found) {
        let letters = text.chars().count();
        for (segment, budget) in self.budgets.with_segments(self.index) {
            let keep = |row: u32| self.scorer.admits(segment.copy(row));
            for (posting, cost) in find_by_sound(segment, text, unfinished, keep, budget) {
                let evidence = Evidence { respelled: true, edits: 2, ..Evidence::of_exact(posting.class, letters) };
                let cost = cost + of_class(posting.class);
                let place = segment.place(posting.row);
                self.scorer.offer(place, cost, evidence, FoundBy::Other, found);
            }
        }
    }

    /// Iterates over the tables of names. The usual names of all segments come first: their candidates lower the limit for the
    /// alternates.
    fn tables(&self, text: &str) -> impl Iterator<Item = Table<'_>> {
        let unfinished = self.scorer.mode == Mode::Autocomplete;
        let prefix = if unfinished { PREFIX_UNFINISHED } else { PREFIX };
        let alternate = begun_alternate(if unfinished { text } else { "" }, self.is_latin);
        let segments = self.budgets.with_segments(self.index);
        let usual = segments.clone().map(move |(segment, budget)| {
            let names = &segment.file.usual;
            Table { segment, names, is_alternate: false, budget, prefix }
        });
        let prefix = prefix + alternate;
        usual.chain(segments.map(move |(segment, budget)| {
            let names = &segment.file.alternates;
            Table { segment, names, is_alternate: true, budget, prefix }
        }))
    }

    /// Looks up a name as written, and as a prefix if it may be one.
    fn look_up(&self, name: &NameInContext, found: &mut Found) {
        if !self.budgets.spend(1) {
            return;
        }
        for table in self.tables(&name.name) {
            if let Some(id) = table.names.id(&name.name) {
                self.take(table, Match { id, edits: 0, prefix: false, spelled: None, floor: 0 }, name, 0, found);
            }
        }
        if let Some(prefix) = name.prefix {
            let beginning = prefix.of(&name.name);
            for table in self.tables(&name.name) {
                self.look_up_prefix(table, name, &beginning, found);
            }
        }
    }

    /// Looks up names that start with `beginning`, cheapest first, until enough are found. Where the filter admits few places, a
    /// scan of all names with the prefix takes less time: it follows a search that has found nothing, or that took as long.
    fn look_up_prefix(&self, table: Table, name: &NameInContext, beginning: &str, found: &mut Found) {
        let (names, penalty) = (table.names, table.prefix);
        let all = names.starting_with(beginning);
        let scan_work = all.len() as u32 / NAMES_PER_UNIT;
        let mut search = NameSearch::prefix(names, beginning, penalty);
        let is_complete = if self.scorer.admission.is_open() {
            self.take_all(table, &mut search, name, 0, (0, u32::MAX), found)
        } else {
            let before = found.top.len();
            self.take_all(table, &mut search, name, 0, (0, scan_work / SCAN_OVER_PROBE), found)
                || (found.top.len() > before || found.top.is_full())
                    && self.take_all(table, &mut search, name, 0, (0, scan_work), found)
        };
        if !is_complete && table.budget.spend(scan_work) {
            let admits = |posting: Posting| self.scorer.admission.may_admit(table.segment.place(posting.row));
            names.each_with(all, admits, |id| {
                self.take(table, Match { id, edits: 0, prefix: true, spelled: None, floor: 0 }, name, penalty, found);
            });
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
                let more = self.edited_unfinished(&name.name);
                let cost = edit_cost(&name.name) + more;
                for table in self.tables(&name.name) {
                    let table = Table { prefix: table.prefix + more, ..table };
                    let prefix = name.prefix.map(|prefix| (prefix, table.prefix));
                    let mut search = NameSearch::fuzzy(table.names, &name.name, prefix, edits, cost);
                    self.take_all(table, &mut search, name, cost, (edits, u32::MAX), found);
                }
            }
            if found.top.least().is_some_and(|least| least < GOOD_WITH_EDITS) {
                return;
            }
        }
    }

    /// Returns what each edit costs more, and a prefix with edits, where the text may be only half of what will be typed.
    fn edited_unfinished(&self, text: &str) -> Cost {
        if self.scorer.mode == Mode::Autocomplete && text.is_ascii() { EDITED_UNFINISHED } else { 0 }
    }

    /// Takes the matches of a search until it has used `max_work` units. Returns whether it ended before that.
    fn take_all(
        &self,
        table: Table,
        search: &mut impl OrderedSearch,
        name: &NameInContext,
        edit: Cost,
        (edits, max_work): (u8, u32),
        found: &mut Found,
    ) -> bool {
        let base = name.penalty + name.adjustment.penalty;
        while search.work() < max_work {
            let limit = found.limit(edits).saturating_sub(base);
            let Some(next) = table.budget.next(search, limit) else { return true };
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
        let is_exact = matched.edits == 0 && !matched.prefix && matched.spelled.is_none();
        for posting in table.names.postings(matched.id) {
            let place = table.segment.place(posting.row);
            if !self.scorer.admission.may_admit(place) {
                continue;
            }
            let limit = if is_exact { found.limit_of_exact(!name.context.is_empty()) } else { found.top.limit() };
            let importance = table.segment.file.cost_of_importance(posting.row);
            let less = if is_exact { self.scorer.whole_name(posting.class, name.context.len(), importance) } else { 0 };
            if cost + importance + of_class(posting.class) >= limit.saturating_add(less) {
                break;
            }
            if self.scorer.admission.lies_in_areas(place) {
                if !table.budget.spend(work) {
                    break;
                }
                let by =
                    FoundName { segment: table.segment.number, is_alternate: table.is_alternate, number: matched.id };
                let hit = Hit { place, importance, class: posting.class, matched, name: by };
                self.scorer.weigh(hit, name, cost, found);
            }
        }
    }
}

/// Returns what the beginning of an alternate costs more than one of a usual name, if it is typed as far as `text`.
pub(crate) fn begun_alternate(text: &str, is_latin: bool) -> Cost {
    if is_latin { PREFIX_OF_ALTERNATE - further_letters(text) } else { PREFIX_OF_ALTERNATE_NOT_LATIN }
}

/// Returns by how much the beginning of an alternate costs less, because it is too long to be one by chance.
fn further_letters(text: &str) -> Cost {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric()).count();
    index::share(FURTHER_LETTER * letters.saturating_sub(LETTERS_BY_CHANCE).min(MOST_FURTHER_LETTERS) as f64)
}

/// Tells whether an airport has scheduled flights: those without are less important than any with them.
fn is_scheduled(place: PlaceRef) -> bool {
    place.cost() < WITHOUT_SCHEDULED_FLIGHTS
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

    use super::super::admission::NamedAreas;
    use super::super::areas::{AreaMatching, AreaSet, Likeness};
    use super::super::marks::MarkedWords;
    use super::super::tests::{Line, index_of, index_of_records, record};
    use super::*;
    use crate::filter::Filter;
    use crate::query::Search;

    /// Runs a search for places of some countries on a budget of its own; what it found, and what it took.
    fn run(index: &Index, countries: &[[u8; 2]], look_up: impl Fn(&Query, &mut Found)) -> (usize, u32) {
        let count = |budget: &Budget| (0..).take_while(|_| budget.spend(1)).count() as u32;
        let filter = Filter::in_countries(countries);
        let (search, budgets) = (Search { filter, ..Search::new("", 1) }, Budgets::of_a_question(index));
        let admission = Admission::new(index, &filter, &budgets, &mut NamedAreas::default());
        budgets.begin(u32::MAX);
        let mut found = Found::new(1_000);
        let query = Query {
            index,
            scorer: Scorer {
                search: &search,
                mode: Mode::Autocomplete,
                admission: &admission,
                languages: &index.languages(None),
                marked: &MarkedWords::default(),
            },
            is_latin: true,
            admission_of_cities: &admission,
            corrects: true,
            with_edits: true,
            budgets: &budgets,
        };
        look_up(&query, &mut found);
        (found.top.into_candidates().len(), count(&Budget::of_a_question()) - count(budgets.of_segment(0)))
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

    #[test]
    fn long_beginnings_are_less_by_chance() {
        let check = |text: &str, expect: f64| assert_eq!(further_letters(text), index::share(expect), "{text}");
        check("nie", 0.0);
        check("niem", 0.25 / 3.0);
        check("ni em", 0.25 / 3.0);
        check("niemcy", 0.25);
        check("niemcy zachodnie", 0.25);
    }

    /// A place of a name takes one unit, and one more for every sixteen areas of its context.
    #[test]
    fn each_place_costs_a_unit_and_its_context() {
        let adjustment = Adjustment::default();
        let check = |areas: u64, parts: usize, expect: u32| {
            let city = |id: u64| {
                let text = if id <= 40 { "Ulm" } else { "Kreis" };
                (id, Role::City, text, "", (0.0, 0.0), 0, b"XX", 0.5, 1.0)
            };
            let lines: Vec<Line> = (1..=40 + areas).map(city).collect();
            let index = index_of(&lines);
            let (terms, budgets) = (Terms::of("kreis"), Budgets::of_a_question(&index));
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

    /// Among many names that begin alike, only one is in the small country that the filter admits. A search that has found none
    /// after a quarter of the work of a scan gives way to it.
    #[test]
    fn a_scan_replaces_a_search_that_finds_nothing() {
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
        // One for the name alone, 25 for the search, a hundred for the scan, and one for what is found.
        assert_eq!((found, spent), (1, 127));
    }
}
