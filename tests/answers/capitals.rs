//! Tests that every country and territory is linked to its capital, if it has one.

use toponym_engine::geo::Coordinate;

use crate::default_index::ENGINE;

/// Maximum distance between two maps' positions of a capital.
const MIDDLE_M: f64 = 15_000.0;

/// Code, capital in English, position. Includes difficult cases: two seats of government, a country of one city, a capital
/// with its country's name, one that is not the largest city, one whose name was changed and changed back.
const CAPITALS: [(&str, &str, f64, f64); 24] = [
    ("AU", "Canberra", -35.28, 149.13),
    ("BO", "Sucre", -19.03, -65.26),
    ("BR", "Brasília", -15.79, -47.88),
    ("CA", "Ottawa", 45.42, -75.70),
    ("CH", "Bern", 46.95, 7.45),
    ("CI", "Yamoussoukro", 6.82, -5.28),
    ("CN", "Beijing", 39.91, 116.40),
    ("FR", "Paris", 48.86, 2.35),
    ("GB", "London", 51.51, -0.13),
    ("IN", "New Delhi", 28.61, 77.21),
    ("JP", "Tokyo", 35.69, 139.69),
    ("KZ", "Astana", 51.17, 71.43),
    ("LU", "Luxembourg", 49.61, 6.13),
    ("MC", "Monaco", 43.73, 7.42),
    ("MM", "Nay Pyi Taw", 19.75, 96.13),
    ("MX", "Mexico City", 19.43, -99.13),
    ("NG", "Abuja", 9.06, 7.49),
    ("NZ", "Wellington", -41.29, 174.78),
    ("PW", "Melekeok", 7.50, 134.62),
    ("SG", "Singapore", 1.29, 103.85),
    ("TR", "Ankara", 39.92, 32.85),
    ("US", "Washington", 38.90, -77.04),
    ("VA", "Vatican City", 41.90, 12.45),
    ("ZA", "Pretoria", -25.75, 28.19),
];

/// Territories without a capital: Antarctica, uninhabited islands, and Tokelau, whose atolls take turns. 245 have one.
const WITHOUT: [[u8; 2]; 5] = [*b"AQ", *b"BV", *b"HM", *b"TK", *b"UM"];

#[test]
fn countries_are_linked_to_their_capitals() {
    let engine = &*ENGINE;
    for (code, name, lat, lon) in CAPITALS {
        let country = code.as_bytes().try_into().expect("codes have two letters");
        let capital = engine.capital(country).unwrap_or_else(|| panic!("{code} has no capital"));
        let is_it = at(capital.lat, capital.lon).distance_m(at(lat, lon)) <= MIDDLE_M;
        assert!(is_it, "{code}: {} at {}, {}, not {name}", capital.display_name, capital.lat, capital.lon);
        assert_eq!(capital.address.0.last().map(|(_, code)| code.to_uppercase()), Some(code.to_owned()));
    }
    let countries = engine.about().countries.iter().map(|country| country.code);
    let without: Vec<[u8; 2]> = countries.filter(|&code| engine.capital(code).is_none()).collect();
    assert_eq!(without, WITHOUT);
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("it is on the Earth")
}
