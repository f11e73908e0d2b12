//! Names and addresses: how a row is presented.

use crate::geo::Coordinate;
use crate::index::{Places, UNIT};
use crate::place::{Address, Place, Suggestion};
use crate::record::Role;

/// The address of a place, from the smallest component to the country.
pub(crate) fn address(places: &Places, row: u32) -> Address {
    let mut address = Address::default();
    for part in std::iter::once(row).chain(places.ancestors(row)) {
        let name = places.display_name(part);
        match places.role(part) {
            Role::Quarter if places.kind(part).r#type == "suburb" => address.add("suburb", name),
            Role::Quarter => address.add("quarter", name),
            Role::City => address.add("city", name),
            Role::County => address.add("county", name),
            Role::State => address.add("state", name),
            Role::Country | Role::Airport | Role::Station | Role::Landmark => {}
        }
    }
    let code = places.country(row).iso2;
    address.add("country", country_name(places, row));
    address.add("country_code", String::from_utf8_lossy(&code).to_ascii_lowercase());
    address
}

/// Name of the country a place lies in; its code where the index does not hold the country.
pub(crate) fn country_name(places: &Places, row: u32) -> String {
    let country = places.country(row);
    let name = places.display_name(country.row);
    if name.is_empty() { String::from_utf8_lossy(&country.iso2).into_owned() } else { name.to_owned() }
}

/// The place's name, then what tells it from others of that name: its city, for a small place its county, its state
/// (even if it bears the same name), its country.
pub(crate) fn display_name(places: &Places, row: u32) -> String {
    let name = places.display_name(row);
    let kind = places.kind(row);
    if kind.role == Role::Country {
        return name.to_owned();
    }
    let mut parts = vec![name.to_owned()];
    for part in places.ancestors(row) {
        let shown = match places.role(part) {
            Role::City | Role::Quarter => kind.role > Role::City,
            Role::County => kind.role == Role::City && kind.r#type != "city",
            Role::State => true,
            _ => false,
        };
        let other = places.display_name(part);
        if shown && (other != name || places.role(part) == Role::State) {
            parts.push(other.to_owned());
        }
    }
    parts.push(country_name(places, row));
    parts.join(", ")
}

/// The city a place is or lies in.
pub(crate) fn city(places: &Places, row: u32) -> Option<String> {
    let mut chain = std::iter::once(row).chain(places.ancestors(row));
    chain.find(|&part| places.role(part) == Role::City).map(|part| places.display_name(part).to_owned())
}

pub(crate) fn place(places: &Places, row: u32, confidence: f64) -> Place {
    let Coordinate { lat, lon } = places.position(row);
    let bounds = places.bounds(row);
    let kind = places.kind(row);
    Place {
        place_id: places.id(row),
        display_name: display_name(places, row),
        lat,
        lon,
        country: country_name(places, row),
        city: city(places, row),
        category: kind.category.clone(),
        kind: kind.r#type.clone(),
        importance: round(f64::from(places.importance(row)) / f64::from(UNIT - 1)),
        boundingbox: [bounds.south, bounds.north, bounds.west, bounds.east].map(round_degrees),
        address: address(places, row),
        confidence,
    }
}

pub(crate) fn suggestion(places: &Places, row: u32) -> Suggestion {
    let Coordinate { lat, lon } = places.position(row);
    Suggestion {
        display_name: display_name(places, row),
        lat,
        lon,
        country: country_name(places, row),
        city: city(places, row),
        kind: places.kind(row).r#type.clone(),
    }
}

fn round(share: f64) -> f64 {
    libm::round(share * 1e4) / 1e4
}

fn round_degrees(degrees: f64) -> f64 {
    libm::round(degrees * 1e5) / 1e5
}
