//! The country that a row is merged in: that of the place which it is said to be, else its own. A place may change its country
//! by a row, but it may not be in two.

use std::collections::HashMap;

use toponym_engine::NO_COUNTRY;

use super::rows::{Own, Row};
use crate::gazetteer::inputs::Inputs;
use crate::gazetteer::sites;
use crate::ids::{GREATEST_NUMBER, Namespace, hash_id};
use crate::sources::import::geonames_table::id_of;
use crate::sources::import::plain::Item;
use crate::sources::rows::{Airport, Iso2, Origin};

/// The countries of known places, by place id, and by the hash of each code of an airport.
pub(super) struct Homes {
    known: HashMap<u64, Iso2>,
    /// `true` if further rows name the places of tables.
    are_named: bool,
}

impl Homes {
    /// Creates the homes of the places of the pinned sources. `are_named` is `true` if one added file may name the places of
    /// others.
    pub fn new(inputs: &Inputs, are_named: bool) -> Self {
        let settlements = inputs.settlements.iter().map(|place| (place.id, place.country));
        let sites = inputs.stations.iter().chain(&inputs.landmarks).map(|site| (sites::id(site), site.country));
        let airports = inputs.airports.iter().flat_map(|airport| codes(airport).map(|code| (code, airport.country)));
        Self { known: settlements.chain(sites).chain(airports).collect(), are_named }
    }

    /// Returns the country of the place with this id of GeoNames, if it is known.
    pub fn of_id(&self, id: u64) -> Option<Iso2> {
        self.known.get(&id).copied()
    }

    /// Returns the country that the place of a row is merged in. Further rows of the place are merged there, too.
    pub fn take(&mut self, row: &Row) -> Iso2 {
        let at_airport = |airport| codes(airport).find_map(|code| self.of_id(code)).unwrap_or(airport.country);
        // The id that further rows may have, and where the place is if nobody knows it yet.
        let (id, home) = match row {
            Row::Settlement(place) => (Some(place.id), place.country),
            Row::Airport(airport) => (id_of(&airport.ident), at_airport(airport)),
            Row::Site(site) => (id_of(&site.slug), site.country),
            Row::OurAirport(_, airport) | Row::Own(Own { item: Item::Airport(airport), .. }) => {
                (None, at_airport(airport))
            }
            // Another file may have the place by its id, if that is one of the world.
            Row::Own(Own { origin, item: Item::Settlement(place), .. }) => {
                (Some(place.id).filter(|&id| *origin == Origin::Added || id <= GREATEST_NUMBER), place.country)
            }
            Row::Own(Own { origin, item: Item::Site(site), .. }) => {
                let id = sites::id(site);
                (Some(id).filter(|_| *origin == Origin::Added), self.of_id(id).unwrap_or(site.country))
            }
            Row::Name(id, _) => (None, self.of_id(*id).unwrap_or(NO_COUNTRY)),
        };
        let Some(id) = id else { return home };
        let known = self.of_id(id);
        // Millions of rows that nothing names need not be remembered.
        if known.is_none() && (self.are_named || matches!(row, Row::Own(_))) {
            self.known.insert(id, home);
        }
        known.unwrap_or(home)
    }
}

fn codes(airport: &Airport) -> impl Iterator<Item = u64> {
    airport.iata.iter().chain(&airport.icao).map(|code| hash_id(Namespace::Airport, code))
}

#[cfg(test)]
mod tests {
    use super::super::rows::Own;
    use super::super::sites::test_site;
    use super::*;
    use crate::gazetteer::{test_airport, test_settlement};
    use crate::sources::import::geonames_alternate_names::Alternate;
    use crate::sources::rows::{Settlement, Site};

    /// Sources disagree about the country of a place.
    #[test]
    fn a_table_row_merges_by_its_id() {
        let inputs = Inputs { settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), 9)], ..Inputs::default() };
        let mut homes = Homes::new(&inputs, false);
        assert_eq!([homes.take(&german_row(7)), homes.take(&german_row(8))], [*b"FR", *b"DE"]);
        assert_eq!(homes.of_id(8), None, "nothing names it");
    }

    fn german_row(id: u64) -> Row {
        Row::Settlement(Settlement { country: *b"DE", ..test_settlement(id, "Stadt", (48.0, 8.0), 9) })
    }

    #[test]
    fn a_row_merges_where_its_place_is() {
        let inputs = Inputs {
            settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), 9)],
            airports: vec![abroad(airport_with_code("BSL"))],
            landmarks: vec![Site { country: *b"IT", ..test_site("pass", "museum") }],
            ..Inputs::default()
        };
        let mut homes = Homes::new(&inputs, true);
        assert_eq!(homes.take(&Row::Airport(airport_with_code("XYZ"))), *b"FR");
        let mut check = |row: Row, expect: &Iso2| assert_eq!(&homes.take(&row), expect, "{row:?}");
        check(Row::Settlement(german_place(7)), b"FR");
        check(own_place(german_place(7)), b"FR");
        check(Row::Settlement(german_place(8)), b"DE");
        // The first row says where a place is that no source knows.
        check(own_place(german_place(9)), b"DE");
        check(own_place(french(9)), b"DE");
        check(own_place(german_place(GREATEST_NUMBER + 1)), b"DE");
        check(own_place(french(GREATEST_NUMBER + 1)), b"FR");
        // An item of Wikidata on a border, in two files.
        check(global_row("wikidata-Q1", Item::Settlement(german_place(GREATEST_NUMBER + 2))), b"DE");
        check(global_row("wikidata-Q1", Item::Settlement(french(GREATEST_NUMBER + 2))), b"DE");
        check(global_row("wikidata-Q2", museum(*b"DE")), b"DE");
        check(global_row("wikidata-Q2", museum(*b"FR")), b"DE");
        check(Row::OurAirport(0, airport_with_code("BSL")), b"CH");
        check(Row::OurAirport(0, airport_with_code("ABC")), b"FR");
        check(own_row("pass", Item::Site(test_site("pass", "museum"))), b"IT");
        check(Row::Site(test_site("other", "museum")), b"FR");
        check(name_row(7), b"FR");
        check(name_row(5), b"FR");
        check(name_row(6), &NO_COUNTRY);
    }

    fn own_place(place: Settlement) -> Row {
        own_row("own/1", Item::Settlement(place))
    }

    fn french(id: u64) -> Settlement {
        Settlement { country: *b"FR", ..german_place(id) }
    }

    fn name_row(id: u64) -> Row {
        Row::Name(id, Alternate::Untagged("Name".into()))
    }

    fn museum(country: Iso2) -> Item {
        Item::Site(Site { country, ..test_site("wikidata-Q2", "museum") })
    }

    fn global_row(id: &str, item: Item) -> Row {
        Row::Own(Own { origin: Origin::Added, file: 1, id: id.into(), item })
    }

    fn own_row(id: &str, item: Item) -> Row {
        Row::Own(Own { origin: Origin::Operator, file: 1, id: id.into(), item })
    }

    fn german_place(id: u64) -> Settlement {
        Settlement { country: *b"DE", ..test_settlement(id, "Stadt", (48.0, 8.0), 9) }
    }

    fn airport_with_code(code: &str) -> Airport {
        Airport { iata: Some(code.into()), ..test_airport("geonames-5", "Field", (47.6, 7.5)) }
    }

    fn abroad(airport: Airport) -> Airport {
        Airport { country: *b"CH", ..airport }
    }
}
