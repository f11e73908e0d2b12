//! Fuzz targets for questions as text: they are folded and split, and the default index (`build/index.toponym`, or the one named by
//! `TOPONYM_INDEX`) answers them.

use std::sync::LazyLock;

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::stages::segments;
use toponym_engine::{Engine, Filter, Place, Search};
use unicode_normalization::UnicodeNormalization;

/// The default index.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let usual = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../build/index.toponym").to_owned();
    let path = std::env::var("TOPONYM_INDEX").unwrap_or_else(|_| usual());
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}; `cargo toponym index` builds it"));
    Engine::open(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
});

/// Results of a query without a limit.
const USUAL_LIMIT: usize = 5;

/// A query as a line of fields separated by tabs: the text, then optionally the limit, the language, the countries, and
/// latitude and longitude of the focus.
struct Query {
    text: String,
    limit: usize,
    lang: Option<String>,
    countries: Vec<[u8; 2]>,
    focus: Option<Coordinate>,
}

impl Query {
    fn read(data: &[u8]) -> Self {
        let line = String::from_utf8_lossy(data);
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default().trim_end();
        let text = next().to_owned();
        let limit = next().parse().unwrap_or(USUAL_LIMIT);
        let lang = Some(next().to_owned()).filter(|lang| !lang.is_empty());
        let countries = next().split(',').filter_map(|code| code.as_bytes().try_into().ok()).collect();
        let focus = point(next(), next());
        Self { text, limit, lang, countries, focus }
    }

    fn search(&self) -> Search<'_> {
        Search {
            lang: self.lang.as_deref(),
            filter: Filter::in_countries(&self.countries),
            focus: self.focus,
            ..Search::new(&self.text, self.limit)
        }
    }
}

fn point(lat: &str, lon: &str) -> Option<Coordinate> {
    Coordinate::new(lat.trim().parse().ok()?, lon.trim().parse().ok()?)
}

/// Folds any text: folding twice must equal folding once, in every Unicode form, and segments must be folded pieces of it.
pub fn fold(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let folded = toponym_engine::fold(&text);
    assert_eq!(toponym_engine::fold(&folded), folded, "folding twice");
    assert!(folded.split(' ').all(|word| !word.is_empty()) || folded.is_empty(), "one space between words: {folded:?}");
    assert_eq!(toponym_engine::fold(&text.nfc().collect::<String>()), folded, "composed");
    assert_eq!(toponym_engine::fold(&text.nfd().collect::<String>()), folded, "decomposed");
    let segments = segments(&text);
    assert!(segments.iter().all(|segment| !segment.is_empty()), "an empty segment: {segments:?}");
    assert_eq!(segments.join(" "), folded, "the segments are the text");
}

/// Rows of the types of regions, which begin with the type.
const REGION_TYPES: &str = include_str!("../../../data/tables/region-types.csv");

/// Queries `forward` and checks that the results are as the contract promises.
pub fn forward(data: &[u8]) {
    let query = Query::read(data);
    let places = ENGINE.forward(&query.search());
    assert!(places.len() <= query.limit, "{} of {} places", places.len(), query.limit);
    for place in &places {
        check(place);
        let code = place.address.get("country_code").unwrap_or_default().to_ascii_uppercase();
        // A region lies in several countries, of which the address names one: `tests/answers/filters.rs` compares them all.
        let is_region = REGION_TYPES.lines().any(|row| row.split(',').next() == Some(place.kind.as_str()));
        let wanted = is_region || query.countries.is_empty() || query.countries.iter().any(|c| c == code.as_bytes());
        assert!(wanted, "{code} is not one of the countries");
    }
}

/// Queries `autocomplete`.
pub fn autocomplete(data: &[u8]) {
    let query = Query::read(data);
    let suggestions = ENGINE.autocomplete(&query.search());
    assert!(suggestions.len() <= query.limit, "{} of {} suggestions", suggestions.len(), query.limit);
    for suggestion in &suggestions {
        assert!(Coordinate::new(suggestion.lat, suggestion.lon).is_some(), "{suggestion:?}");
        assert!(!suggestion.display_name.is_empty(), "{suggestion:?}");
    }
}

/// Queries `reverse` with a point as text, `48.8566,2.3522`. The place must be in the country at the point, and two
/// spellings of a point must have the same result.
pub fn reverse(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Some(point) = text.split_once(',').and_then(|(lat, lon)| point(lat, lon)) else { return };
    let place = ENGINE.reverse(point, None);
    if let Some(place) = &place {
        check(place);
        let here = ENGINE.country_at(point).map(|code| String::from_utf8_lossy(&code).to_lowercase());
        let code = place.address.get("country_code");
        assert!(here.is_none() || here.as_deref() == code, "{point:?} is in {here:?}: {place:?}");
    }
    let same = |lat, lon| {
        let again = Coordinate::new(lat, lon).expect("it is the same point");
        assert_eq!(ENGINE.reverse(again, None), place, "{point:?} as {lat}, {lon}");
    };
    if point.lon().abs() == 180.0 {
        same(point.lat(), -point.lon());
    }
    if point.lat().abs() == 90.0 {
        same(point.lat(), 0.0);
    }
}

/// Checks what holds for every place in a result.
fn check(place: &Place) {
    let centre = Coordinate::new(place.lat, place.lon).unwrap_or_else(|| panic!("off the globe: {place:?}"));
    let [south, north, west, east] = place.boundingbox;
    assert!(Bounds { south, north, west, east }.contains(centre), "outside its box: {place:?}");
    assert!((0.0..=1.0).contains(&place.confidence) && (0.0..=1.0).contains(&place.importance), "{place:?}");
    // A sea lies in no country.
    assert!(!place.display_name.is_empty(), "{place:?}");
    assert!((1..1 << 53).contains(&place.place_id), "{place:?}");
}
