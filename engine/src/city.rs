//! A reference to a city of an index, with what a table of points says of it. Nothing is copied until it is asked for.

use crate::geo::Coordinate;
use crate::index::PlaceRef;
use crate::record::{NO_COUNTRY, Role};

/// A place in a city, or the city itself, as [`Batch::city_at`](crate::Batch::city_at) finds it at a point. Names are those of
/// results without a language.
#[derive(Clone, Copy)]
pub struct CityRef<'e> {
    place: PlaceRef<'e>,
    /// Name of the city.
    name: &'e str,
}

impl<'e> CityRef<'e> {
    /// Returns the city in which a place lies; `None` if it lies in none.
    pub(crate) fn new(place: PlaceRef<'e>) -> Option<Self> {
        let city = place.with_ancestors().find(|area| area.role() == Role::City)?;
        Some(Self { place, name: city.display_name() })
    }

    /// Returns the id of the place at the point. All points at a place have the same city.
    pub fn place_id(self) -> u64 {
        self.place.id()
    }

    /// Returns the name of the city.
    pub fn name(self) -> &'e str {
        self.name
    }

    /// Returns the centre of the city.
    pub fn position(self) -> Coordinate {
        let mut named = self.place.with_ancestors().filter(|area| area.display_name() == self.name);
        named.next().unwrap_or(self.place).position()
    }

    /// Returns the name of its state.
    pub fn state(self) -> Option<&'e str> {
        self.area(Role::State)
    }

    /// Returns the name of its county.
    pub fn county(self) -> Option<&'e str> {
        self.area(Role::County)
    }

    /// Returns the ISO 3166-1 alpha-2 code of its country.
    pub fn country_code(self) -> Option<[u8; 2]> {
        country_code(self.place)
    }

    fn area(self, role: Role) -> Option<&'e str> {
        self.place.with_ancestors().find(|area| area.role() == role).map(PlaceRef::display_name)
    }
}

/// Returns the ISO 3166-1 alpha-2 code of the country of a place; `None` if it lies in none.
pub(crate) fn country_code(place: PlaceRef) -> Option<[u8; 2]> {
    Some(place.country().iso2).filter(|&code| code != NO_COUNTRY)
}
