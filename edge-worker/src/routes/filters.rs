//! Reads which places may be answers: `countrycodes`, `types`, `bbox` and `within`.

use toponym_engine::geo::Bounds;
use toponym_engine::{Filter, Geocode};

use super::numbers::{degrees, read_id, within};
use crate::error::Failure;

/// Which places may be answers. Without the parameters, every place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    /// `countrycodes`: ISO 3166-1 alpha-2 codes.
    pub countries: Vec<[u8; 2]>,
    /// `types`: roles, or types of the index.
    pub types: Vec<String>,
    /// `bbox`: the centre of the place lies in this box.
    pub bounds: Option<Bounds>,
    /// `within`: the place lies in the place with this id.
    pub within: Option<u64>,
}

/// The names of their parameters, in the order in which [`Filters::read`] takes the values.
pub const NAMES: [&str; 4] = ["countrycodes", "types", "bbox", "within"];

impl Filters {
    /// Reads the values of the parameters [`NAMES`].
    pub fn read([countries, types, bbox, within]: [Option<String>; 4]) -> Result<Self, Failure> {
        Ok(Self {
            countries: countries.map_or(Ok(Vec::new()), |list| read_countries(&list))?,
            types: types.map_or(Ok(Vec::new()), |list| read_types(&list))?,
            bounds: bbox.map(|bbox| read_bounds(&bbox)).transpose()?,
            within: within.map(|id| read_id("within", &id)).transpose()?,
        })
    }

    /// The types as the engine takes them; 400 if one is the type of no place in its index.
    pub fn known_types(&self, places: &dyn Geocode) -> Result<Vec<&str>, Failure> {
        match self.types.iter().find(|name| !places.has_type(name)) {
            Some(unknown) => Err(Failure::bad_request(format!("{TYPES}: {unknown} is none"))),
            None => Ok(self.types.iter().map(String::as_str).collect()),
        }
    }

    /// The filter, with [`Filters::known_types`].
    pub fn filter<'q>(&'q self, types: &'q [&'q str]) -> Filter<'q> {
        Filter { types, bounds: self.bounds, within: self.within, ..Filter::in_countries(&self.countries) }
    }

    /// Whether it admits every place.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

const TYPES: &str = "types must be kinds of places such as city, airport or museum, separated by commas";

/// Longest name of a type. The names of the index are shorter.
const MAX_TYPE_BYTES: usize = 40;

fn read_types(list: &str) -> Result<Vec<String>, Failure> {
    let is_name = |name: &str| {
        (1..=MAX_TYPE_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let names = list.split(',').map(|name| Some(name.to_owned()).filter(|name| is_name(name)));
    names.collect::<Option<_>>().ok_or(Failure::bad_request(TYPES))
}

fn read_countries(list: &str) -> Result<Vec<[u8; 2]>, Failure> {
    let code = |code: &str| match code.to_ascii_uppercase().as_bytes() {
        &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok([a, b]),
        _ => Err(Failure::bad_request("countrycodes must be ISO 3166-1 alpha-2 codes separated by commas")),
    };
    list.split(',').map(code).collect()
}

/// West, south, east and north (RFC 7946, section 5). West may be greater than east: the box crosses the date line.
fn read_bounds(text: &str) -> Result<Bounds, Failure> {
    let message = "bbox must be west,south,east,north: degrees between -180 and 180 and between -90 and 90, \
                   with south at most north";
    let numbers: Vec<&str> = text.split(',').collect();
    let bounds = || {
        let &[west, south, east, north] = numbers.as_slice() else { return None };
        let (west, east) = (within(degrees(west)?, 180.0)?, within(degrees(east)?, 180.0)?);
        let (south, north) = (within(degrees(south)?, 90.0)?, within(degrees(north)?, 90.0)?);
        (south <= north).then_some(Bounds { south, north, west, east })
    };
    bounds().ok_or(Failure::bad_request(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: &str = "countrycodes must be ISO 3166-1 alpha-2 codes separated by commas";
    const BBOX: &str = "bbox must be west,south,east,north: degrees between -180 and 180 and between -90 and 90, with \
                        south at most north";
    const WITHIN: &str = "within must be an integer between 1 and 9007199254740991";

    fn check(values: [&str; 4], expect: Result<Filters, &str>) {
        let given = values.map(|value| Some(value.to_owned()).filter(|value| value != "-"));
        let got = Filters::read(given);
        assert_eq!(got.as_ref().map_err(|failure| failure.message()), expect.as_ref().map_err(|&text| text.into()));
    }

    #[test]
    fn what_is_read() {
        let none = Filters::default;
        check(["-", "-", "-", "-"], Ok(none()));
        check(["fr,US", "-", "-", "-"], Ok(Filters { countries: vec![*b"FR", *b"US"], ..none() }));
        for wrong in ["", "fra", "f1", "fr,", "é"] {
            check([wrong, "-", "-", "-"], Err(CODES));
        }
        check(
            ["-", "city,nature_reserve", "-", "-"],
            Ok(Filters { types: vec!["city".into(), "nature_reserve".into()], ..none() }),
        );
        for wrong in ["", "city,", "City", "ci ty", "städte", &"x".repeat(41)] {
            check(["-", wrong, "-", "-"], Err(TYPES));
        }
        let bounds =
            |west, south, east, north| Ok(Filters { bounds: Some(Bounds { south, north, west, east }), ..none() });
        check(["-", "-", "-10,35,30,60.5", "-"], bounds(-10.0, 35.0, 30.0, 60.5));
        check(["-", "-", "177,-20,-178,-15", "-"], bounds(177.0, -20.0, -178.0, -15.0));
        check(["-", "-", "-180,-90,180,90", "-"], bounds(-180.0, -90.0, 180.0, 90.0));
        for wrong in
            ["", "1,2,3", "1,2,3,4,5", "-181,0,0,1", "0,-91,0,1", "0,5,1,4", "0,0,x,1", "0, 0,1,1", "NaN,0,1,1"]
        {
            check(["-", "-", wrong, "-"], Err(BBOX));
        }
        check(["-", "-", "-", "2988507"], Ok(Filters { within: Some(2_988_507), ..none() }));
        for wrong in ["", "0", "-1", "+1", "1.0", "9007199254740992", "paris", "99999999999999999999"] {
            check(["-", "-", "-", wrong], Err(WITHIN));
        }
    }
}
