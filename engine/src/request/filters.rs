//! Reads which places may be answers: `countrycodes`, `types`, `bbox` and `within`.

use super::fault::Fault;
use super::value::Values;
use crate::answer::Geocode;
use crate::filter::Filter;
use crate::geo::Bounds;

/// Conditions for the places that may be answers. Without the parameters, every place may be one.
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

impl Filters {
    pub(super) fn read(values: &Values) -> Result<Self, Fault> {
        Ok(Self {
            countries: read_countries(values)?,
            types: read_types(values)?,
            bounds: values.bounds()?,
            within: values.within()?,
        })
    }

    /// Returns the types as the engine takes them.
    ///
    /// # Errors
    /// If one is the type of no place in its index.
    pub fn known_types(&self, places: &dyn Geocode) -> Result<Vec<&str>, Fault> {
        match self.types.iter().find(|name| !places.has_type(name)) {
            Some(unknown) => Err(Fault::new(format!("types must {TYPES}, not {unknown}"))),
            None => Ok(self.types.iter().map(String::as_str).collect()),
        }
    }

    /// Creates the filter, with [`Filters::known_types`].
    pub fn filter<'q>(&'q self, types: &'q [&'q str]) -> Filter<'q> {
        Filter { types, bounds: self.bounds, within: self.within, ..Filter::in_countries(&self.countries) }
    }

    /// Tells whether every place may be an answer.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

const TYPES: &str = "be kinds of places such as city, airport or museum, separated by commas";

/// Longest name of a type. The names of the index are shorter.
const MAX_TYPE_BYTES: usize = 40;

fn read_types(values: &Values) -> Result<Vec<String>, Fault> {
    let names = values.texts("types").unwrap_or_default().into_iter();
    let names = names.map(|name| Some(name.to_owned()).filter(|name| is_name_of_type(name)));
    names.collect::<Option<_>>().ok_or_else(|| values.fault("types", TYPES))
}

fn is_name_of_type(name: &str) -> bool {
    (1..=MAX_TYPE_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn read_countries(values: &Values) -> Result<Vec<[u8; 2]>, Fault> {
    let texts = values.texts("countrycodes").unwrap_or_default().into_iter();
    let codes = texts.map(|code| match code.to_ascii_uppercase().as_bytes() {
        &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Some([a, b]),
        _ => None,
    });
    let codes = codes.collect::<Option<_>>();
    codes.ok_or_else(|| values.fault("countrycodes", "be ISO 3166-1 alpha-2 codes separated by commas"))
}

#[cfg(test)]
mod tests {
    use super::super::value::of_texts;
    use super::*;

    const CODES: &str = "countrycodes must be ISO 3166-1 alpha-2 codes separated by commas";
    const TYPES: &str = "types must be kinds of places such as city, airport or museum, separated by commas";
    const BBOX: &str = "bbox must be west,south,east,north: degrees between -180 and 180 and between -90 and 90, with \
                        south at most north";
    const WITHIN: &str = "within must be an integer between 1 and 9007199254740991";

    fn check(name: &'static str, value: &str, expect: Result<Filters, &'static str>) {
        assert_eq!(Filters::read(&of_texts(&[(name, value)])), expect.map_err(Fault::new), "{name}={value}");
    }

    #[test]
    fn what_is_read() {
        let none = Filters::default;
        assert_eq!(Filters::read(&of_texts(&[])), Ok(none()));
        check("countrycodes", "fr,US", Ok(Filters { countries: vec![*b"FR", *b"US"], ..none() }));
        for wrong in ["", "fra", "f1", "fr,", "é"] {
            check("countrycodes", wrong, Err(CODES));
        }
        check(
            "types",
            "city,nature_reserve",
            Ok(Filters { types: vec!["city".into(), "nature_reserve".into()], ..none() }),
        );
        for wrong in ["", "city,", "City", "ci ty", "städte", &"x".repeat(41)] {
            check("types", wrong, Err(TYPES));
        }
        fn bounds(west: f64, south: f64, east: f64, north: f64) -> Result<Filters, &'static str> {
            Ok(Filters { bounds: Some(Bounds { south, north, west, east }), ..Filters::default() })
        }
        check("bbox", "-10,35,30,60.5", bounds(-10.0, 35.0, 30.0, 60.5));
        check("bbox", "177,-20,-178,-15", bounds(177.0, -20.0, -178.0, -15.0));
        check("bbox", "-180,-90,180,90", bounds(-180.0, -90.0, 180.0, 90.0));
        for wrong in
            ["", "1,2,3", "1,2,3,4,5", "-181,0,0,1", "0,-91,0,1", "0,5,1,4", "0,0,x,1", "0, 0,1,1", "NaN,0,1,1"]
        {
            check("bbox", wrong, Err(BBOX));
        }
        check("within", "2988507", Ok(Filters { within: Some(2_988_507), ..none() }));
        for wrong in ["", "0", "-1", "+1", "1.0", "9007199254740992", "paris", "99999999999999999999"] {
            check("within", wrong, Err(WITHIN));
        }
    }
}
