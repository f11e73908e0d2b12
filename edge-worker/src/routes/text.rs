//! Reads requests to `forward`, `autocomplete` and `suggest`, which differ only in names, in limits, and in where the
//! parameters stand.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Answer, FactSet, Geocode, MAX_QUERY_CHARS, Place, Question, Search, Suggestion};

use super::facts;
use super::fields::{self, Fields};
use super::filters::{self, Filters};
use super::format::Format;
use super::language::Languages;
use super::numbers::{point, read_limit};
use super::parameters::Source;
use crate::error::Failure;

/// A search for a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// What to find.
    pub sought: Sought,
    /// Largest number of results.
    pub limit: usize,
    /// Parameters beyond the contract.
    pub extensions: Extensions,
}

/// What to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A text.
    Text(String),
    /// A place by its name and those of the areas that it lies in.
    Fields(Fields),
}

impl Sought {
    /// Returns the number of characters of a text.
    pub fn characters(&self) -> usize {
        match self {
            Self::Text(text) => text.chars().count(),
            Self::Fields(_) => usize::MAX,
        }
    }
}

/// Optional parameters beyond the contract. Without them, results are those of the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extensions {
    /// `lang`: language of display names.
    pub languages: Languages,
    /// `countrycodes`, `types`, `bbox`, `within`: which places may be results.
    pub filters: Filters,
    /// `lat` and `lon`, or with `near` the place of the caller: among places of one name, prefer those near this point.
    pub focus: Focus,
    /// `fields`: facts that each answer has beside those of the contract.
    pub facts: FactSet,
    /// `format`: the shape of the answer.
    pub format: Format,
}

/// Near which point places are preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Focus {
    /// Near none.
    #[default]
    Nowhere,
    /// Near this one.
    At(Coordinate),
    /// Near the caller, if the platform knows where that is.
    Caller,
}

impl From<Option<Coordinate>> for Focus {
    fn from(point: Option<Coordinate>) -> Self {
        point.map_or(Self::Nowhere, Self::At)
    }
}

impl Text {
    /// Puts the focus that is the caller's place at `place`. Without a place there is none.
    pub fn locate(&mut self, place: impl FnOnce() -> Option<Coordinate>) {
        if self.extensions.focus == Focus::Caller {
            self.extensions.focus = place().into();
        }
    }

    /// The places that forward finds.
    pub fn forward(&self, places: &dyn Geocode) -> Result<Answer<Vec<Place>>, Failure> {
        self.search(places, |search| places.forward(search))
    }

    /// The suggestions of autocomplete.
    pub fn autocomplete(&self, places: &dyn Geocode) -> Result<Answer<Vec<Suggestion>>, Failure> {
        self.search(places, |search| places.autocomplete(search))
    }

    /// What `found` returns for the search. 400 if the index has no place of a type that is asked for.
    pub fn search<T>(&self, places: &dyn Geocode, found: impl FnOnce(&Search) -> T) -> Result<T, Failure> {
        let Extensions { languages, filters, focus, facts, .. } = &self.extensions;
        let types = filters.known_types(places)?;
        let question = match &self.sought {
            Sought::Text(text) => Question::Text(text),
            Sought::Fields(fields) => Question::Fields(fields.structured()),
        };
        let focus = match focus {
            Focus::At(point) => Some(*point),
            Focus::Nowhere | Focus::Caller => None,
        };
        let search = question.search(self.limit).ok_or(Failure::Unexpected)?.filtered(filters.filter(&types));
        Ok(found(&Search { lang: languages.tag(places), focus, facts: *facts, ..search }))
    }
}

/// The parameter name and the limit of a route.
#[derive(Debug)]
pub struct TextRoute {
    name: &'static str,
    max_limit: usize,
    /// Whether fields may take the place of the text.
    takes_fields: bool,
}

/// `GET /v1/geocoding/forward`.
pub const FORWARD: TextRoute = TextRoute { name: "query", max_limit: 50, takes_fields: true };

/// `GET /v1/geocoding/autocomplete`, and `POST /v1/geocoding/suggest`.
pub const AUTOCOMPLETE: TextRoute = TextRoute { name: "q", max_limit: 10, takes_fields: false };

/// Largest body of `suggest` in bytes: room for a text of 500 characters, each escaped as `\uXXXX\uXXXX`, and for the rest.
pub const MAX_BODY: usize = 8 * 1024;

/// Results if `limit` is absent.
const DEFAULT_LIMIT: usize = 5;

impl TextRoute {
    /// Reads the query string, and `Accept-Language` if it asks for it.
    pub fn read(&self, raw: &str, accept_language: Option<&str>) -> Result<Text, Failure> {
        self.read_from(Source::Query(raw), accept_language)
    }

    /// Reads a body, and `Accept-Language` if it asks for it.
    pub fn read_body(&self, json: &[u8], accept_language: Option<&str>) -> Result<Text, Failure> {
        self.read_from(Source::Body(json), accept_language)
    }

    fn read_from(&self, source: Source<'_>, accept_language: Option<&str>) -> Result<Text, Failure> {
        let Self { name, max_limit, takes_fields } = self;
        let [text, limit, lang, facts, format, lat, lon, near] =
            source.parameters([name, "limit", "lang", "fields", "format", "lat", "lon", "near"])?;
        let filters = source.parameters(filters::NAMES)?;
        let text = text.filter(|text| !text.trim().is_empty());
        let fields = if *takes_fields { Fields::read(source.parameters(fields::NAMES)?)? } else { None };
        let sought = match (text, fields) {
            (Some(text), None) => Sought::Text(text),
            (None, Some(fields)) => Sought::Fields(fields),
            (None, None) => return Err(Failure::bad_request(format!("{name} parameter is required"))),
            (Some(_), Some(_)) => {
                let message = format!("{name} parameter takes no {} beside it", fields::NAMES.join(", "));
                return Err(Failure::bad_request(message));
            }
        };
        if matches!(&sought, Sought::Text(text) if text.chars().count() > MAX_QUERY_CHARS) {
            let message = format!("{name} parameter must be between 1 and {MAX_QUERY_CHARS} characters");
            return Err(Failure::bad_request(message));
        }
        let limit = read_limit(limit, *max_limit)?.unwrap_or(DEFAULT_LIMIT);
        let extensions = Extensions {
            languages: Languages::read(lang, accept_language)?,
            filters: Filters::read(filters)?,
            focus: read_focus(lat, lon, near)?,
            facts: facts::read(facts)?,
            format: Format::read(format.as_deref())?,
        };
        Ok(Text { sought, limit, extensions })
    }
}

fn read_focus(lat: Option<String>, lon: Option<String>, near: Option<String>) -> Result<Focus, Failure> {
    match (lat, lon, near.as_deref()) {
        (None, None, None) => Ok(Focus::Nowhere),
        (None, None, Some("auto")) => Ok(Focus::Caller),
        (_, _, Some("auto")) => Err(Failure::bad_request("near parameter takes no lat, lon beside it")),
        (_, _, Some(_)) => Err(Failure::bad_request("near must be auto, for places near the caller")),
        (Some(lat), Some(lon), None) => point(&lat, &lon).map(Focus::At),
        _ => Err(Failure::bad_request("lat and lon parameters are required together")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(route: &TextRoute, raw: &str, expect: Result<(&str, usize), &'static str>) {
        let expect = expect.map(|(text, limit)| (Sought::Text(text.into()), limit));
        let got = route.read(raw, None).map(|text| (text.sought, text.limit));
        assert_eq!(got, expect.map_err(Failure::bad_request), "{raw}");
    }

    #[test]
    fn forward() {
        let check = |raw: &str, expect| check(&FORWARD, raw, expect);
        check("query=Paris", Ok(("Paris", 5)));
        check("query=%20Paris+&limit=50", Ok((" Paris ", 50)));
        check("limit=5", Err("query parameter is required"));
        check("query=", Err("query parameter is required"));
        check("query=%20%C2%A0+", Err("query parameter is required"));
        check("q=Paris", Err("query parameter is required"));
        check("query=a&query=b", Err("query parameter must be given once"));
        check("query=%zz", Err("query string must be percent-encoded UTF-8"));
        for limit in ["0", "51", "-1", "%2B5", "5.0", "", "five", "1e1", "99999999999999999999", "%D9%A5"] {
            check(&format!("query=Paris&limit={limit}"), Err("limit must be an integer between 1 and 50"));
        }
    }

    #[test]
    fn autocomplete() {
        let check = |raw: &str, expect| check(&AUTOCOMPLETE, raw, expect);
        check("q=Par&limit=10", Ok(("Par", 10)));
        check("query=Par", Err("q parameter is required"));
        check("q=Par&limit=11", Err("limit must be an integer between 1 and 10"));
    }

    #[test]
    fn extensions() {
        let check = |raw: &str, expect: Result<Extensions, &'static str>| {
            let got = FORWARD.read(&format!("query=Paris&{raw}"), Some("de")).map(|text| text.extensions);
            assert_eq!(got, expect.map_err(Failure::bad_request), "{raw}");
        };
        let none = Extensions::default;
        let languages = |tag: &str| Languages::read(Some(tag.into()), Some("de")).expect("it is a language");
        check("other=1", Ok(none()));
        check("lang=pt-BR", Ok(Extensions { languages: languages("pt-BR"), ..none() }));
        check("lang=auto", Ok(Extensions { languages: languages("de"), ..none() }));
        check("lang=", Err("lang must be a BCP 47 language tag, or auto"));
        let filters = Filters { countries: vec![*b"FR", *b"US"], types: vec!["city".into()], ..Filters::default() };
        check("countrycodes=fr,US&types=city", Ok(Extensions { filters, ..none() }));
        check("countrycodes=fra", Err("countrycodes must be ISO 3166-1 alpha-2 codes separated by commas"));
        check("within=Paris", Err("within must be an integer between 1 and 9007199254740991"));
        check("within=1&within=2", Err("within parameter must be given once"));
        let point = Coordinate::new(1.0, -2.0).expect("it is a point");
        check("lat=1&lon=-2", Ok(Extensions { focus: Focus::At(point), ..none() }));
        check("near=auto", Ok(Extensions { focus: Focus::Caller, ..none() }));
        for near in ["", "me", "1,2", "AUTO"] {
            check(&format!("near={near}"), Err("near must be auto, for places near the caller"));
        }
        check("near=auto&lat=1&lon=-2", Err("near parameter takes no lat, lon beside it"));
        check("near=auto&near=auto", Err("near parameter must be given once"));
        check("lat=1", Err("lat and lon parameters are required together"));
        check("lat=91&lon=0", Err("lat must be between -90 and 90"));
        check("fields=all", Ok(Extensions { facts: FactSet::ALL, ..none() }));
        check("fields=name&fields=name", Err("fields parameter must be given once"));
        check("format=json", Ok(none()));
        check("format=geojson", Ok(Extensions { format: Format::GeoJson, ..none() }));
        check("format=xml", Err("format must be json or geojson"));
    }

    #[test]
    fn fields() {
        let check = |raw: &str, expect: Result<[&str; 5], &'static str>| {
            let values =
                |values: [&str; 5]| values.map(|value| Some(value.to_owned()).filter(|value| !value.is_empty()));
            let expect = expect.map(|expect| Sought::Fields(Fields::new(values(expect)).expect("one is set")));
            let got = FORWARD.read(raw, None).map(|text| text.sought);
            assert_eq!(got, expect.map_err(Failure::bad_request), "{raw}");
        };
        check("city=Paris", Ok(["", "Paris", "", "", ""]));
        check("name=a&city=b&county=c&state=d&country=e", Ok(["a", "b", "c", "d", "e"]));
        check("query=+&city=Paris&state=%20", Ok(["", "Paris", "", "", ""]));
        check("city=+", Err("query parameter is required"));
        check("query=Paris&country=FR", Err("query parameter takes no name, city, county, state, country beside it"));
        check("city=a&city=b", Err("city parameter must be given once"));
        let long = format!("country={}", "a".repeat(501));
        check(&long, Err("country parameter must be between 1 and 500 characters"));
        let suggested = AUTOCOMPLETE.read("q=Par&city=x", None).map(|text| text.sought);
        assert_eq!(suggested, Ok(Sought::Text("Par".into())), "autocomplete ignores them");
    }

    #[test]
    fn lengths_are_counted_in_scalar_values() {
        let check = |text: &str, fits: bool| assert_eq!(FORWARD.read(&format!("query={text}"), None).is_ok(), fits);
        check(&"a".repeat(500), true);
        check(&"a".repeat(501), false);
        check(&"%F0%9F%8D%93".repeat(500), true);
        check(&"%F0%9F%8D%93".repeat(501), false);
    }
}
