//! The country that a row is merged in: that of the place which it is said to be, else its own. A place may change its country
//! by a row, but it may not be in two.

use std::collections::HashMap;

use toponym_engine::NO_COUNTRY;

use super::rows::Row;
use crate::gazetteer::inputs::Inputs;
use crate::ids::GREATEST_NUMBER;
use crate::sources::import::geonames_table::id_of;
use crate::sources::import::plain::Item;
use crate::sources::rows::{Airport, Iso2};

/// The countries of known places.
pub(super) struct Homes {
    /// By id of GeoNames.
    by_id: HashMap<u64, Iso2>,
    /// Of airports, by code.
    by_code: HashMap<String, Iso2>,
    /// Of stations and landmarks, by slug.
    by_slug: HashMap<String, Iso2>,
    /// Whether further rows name the places of tables.
    are_named: bool,
}

impl Homes {
    /// Of the places of the pinned sources, for files of which one may name the places of the others.
    pub fn new(inputs: &Inputs, are_named: bool) -> Self {
        let by_id = inputs.settlements.iter().map(|place| (place.id, place.country)).collect();
        let codes = |airport: &Airport| airport.iata.iter().chain(&airport.icao).cloned().collect::<Vec<_>>();
        let of_airport = |airport| codes(airport).into_iter().map(|code| (code, airport.country));
        let by_code = inputs.airports.iter().flat_map(of_airport).collect();
        let sites = inputs.stations.iter().chain(&inputs.landmarks);
        let by_slug = sites.map(|site| (site.slug.clone(), site.country)).collect();
        Self { by_id, by_code, by_slug, are_named }
    }

    /// The country of the place with this id of GeoNames, if it is known.
    pub fn of_id(&self, id: u64) -> Option<Iso2> {
        self.by_id.get(&id).copied()
    }

    /// The country that the place of a row is merged in. Further rows of the place are merged there, too.
    pub fn take(&mut self, row: &Row) -> Iso2 {
        // The id that further rows may have, and where the place is if nobody knows it yet.
        let (id, home) = match row {
            Row::Settlement(place) => (Some(place.id).filter(|_| self.are_named), place.country),
            Row::Airport(airport) => (id_of(&airport.ident).filter(|_| self.are_named), self.of_airport(airport)),
            Row::Site(site) => (id_of(&site.slug).filter(|_| self.are_named), site.country),
            Row::OurAirport(_, airport) => (None, self.of_airport(airport)),
            Row::Own(own) => match &own.item {
                Item::Settlement(place) => (Some(place.id).filter(|&id| id <= GREATEST_NUMBER), place.country),
                Item::Airport(airport) => (None, self.of_airport(airport)),
                Item::Site(site) => (None, self.by_slug.get(&site.slug).copied().unwrap_or(site.country)),
            },
            Row::Name(id, _) => (None, self.of_id(*id).unwrap_or(NO_COUNTRY)),
        };
        id.map_or(home, |id| *self.by_id.entry(id).or_insert(home))
    }

    fn of_airport(&self, airport: &Airport) -> Iso2 {
        let mut codes = airport.iata.iter().chain(&airport.icao);
        codes.find_map(|code| self.by_code.get(code)).copied().unwrap_or(airport.country)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::Own;
    use super::super::sites::test_site;
    use super::*;
    use crate::gazetteer::{test_airport, test_settlement};
    use crate::sources::import::geonames_alternate_names::Alternate;
    use crate::sources::rows::{Settlement, Site};

    #[test]
    fn a_row_is_merged_where_its_place_is_known() {
        let abroad = |airport: Airport| Airport { country: *b"CH", ..airport };
        let coded =
            |code: &str| Airport { iata: Some(code.into()), ..test_airport("geonames-5", "Field", (47.6, 7.5)) };
        let inputs = Inputs {
            settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), 9)],
            airports: vec![abroad(coded("BSL"))],
            landmarks: vec![Site { country: *b"IT", ..test_site("pass", "museum") }],
            ..Inputs::default()
        };
        let mut homes = Homes::new(&inputs, true);
        assert_eq!(homes.take(&Row::Airport(coded("XYZ"))), *b"FR");
        let german = |id| Settlement { country: *b"DE", ..test_settlement(id, "Stadt", (48.0, 8.0), 9) };
        let french = |id| Settlement { country: *b"FR", ..german(id) };
        let row = |id: &str, item| Row::Own(Own { file: 1, id: id.into(), item });
        let own = |place| row("own/1", Item::Settlement(place));
        let mut check = |row: Row, expect: &Iso2| assert_eq!(&homes.take(&row), expect, "{row:?}");
        check(Row::Settlement(german(7)), b"FR");
        check(own(german(7)), b"FR");
        check(Row::Settlement(german(8)), b"DE");
        // The first row says where a place is that no source knows.
        check(own(german(9)), b"DE");
        check(own(french(9)), b"DE");
        check(own(german(GREATEST_NUMBER + 1)), b"DE");
        check(own(french(GREATEST_NUMBER + 1)), b"FR");
        check(Row::OurAirport(0, coded("BSL")), b"CH");
        check(Row::OurAirport(0, coded("ABC")), b"FR");
        check(row("pass", Item::Site(test_site("pass", "museum"))), b"IT");
        check(Row::Site(test_site("other", "museum")), b"FR");
        let name = |id| Row::Name(id, Alternate::Untagged("Name".into()));
        check(name(7), b"FR");
        check(name(5), b"FR");
        check(name(6), &NO_COUNTRY);
    }
}
