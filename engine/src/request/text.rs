//! Reads the questions for a text: forward and autocomplete, which differ only in names and limits.

use super::fault::Fault;
use super::options::{Focus, Options};
use super::parameter::Operation;
use super::sought::Sought;
use super::value::Values;
use crate::answer::{Answer, Geocode};
use crate::geo::Coordinate;
use crate::place::{Place, Suggestion};
use crate::query::Search;

/// A search for a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRequest {
    /// Text or fields to find.
    pub sought: Sought,
    /// Largest number of results.
    pub limit: usize,
    /// Language, filters, focus and facts.
    pub options: Options,
}

/// Differences between forward and autocomplete.
#[derive(Debug)]
pub struct TextRoute {
    /// The operation.
    pub operation: Operation,
    /// The name of the text.
    name: &'static str,
    /// Largest `limit`.
    pub max_limit: usize,
}

/// Forward. Fields may take the place of the text.
pub const FORWARD: TextRoute = TextRoute { operation: Operation::Forward, name: "query", max_limit: 50 };

/// Autocomplete.
pub const AUTOCOMPLETE: TextRoute = TextRoute { operation: Operation::Autocomplete, name: "q", max_limit: 10 };

/// Results if `limit` is missing.
const DEFAULT_LIMIT: usize = 5;

impl TextRoute {
    /// Reads a request.
    ///
    /// # Errors
    /// If the text is missing or too long, or another value is not what its parameter takes.
    pub fn read(&self, values: &Values) -> Result<TextRequest, Fault> {
        let sought = Sought::read(values, self.name)?;
        let limit = values.limit(self.max_limit)?.unwrap_or(DEFAULT_LIMIT);
        Ok(TextRequest { sought, limit, options: Options::with_focus(values)? })
    }
}

impl TextRequest {
    /// Puts the focus that is the caller's place at `place`. Without a place there is none.
    pub fn locate(&mut self, place: impl FnOnce() -> Option<Coordinate>) {
        if self.options.focus == Focus::Caller {
            self.options.focus = place().map_or(Focus::Nowhere, Focus::At);
        }
    }

    /// Returns the places that forward finds.
    ///
    /// # Errors
    /// As for [`TextRequest::search`].
    pub fn forward(&self, places: &dyn Geocode) -> Result<Answer<Vec<Place>>, Fault> {
        self.search(places, |search| places.forward(search))
    }

    /// Returns the suggestions of autocomplete.
    ///
    /// # Errors
    /// As for [`TextRequest::search`].
    pub fn autocomplete(&self, places: &dyn Geocode) -> Result<Answer<Vec<Suggestion>>, Fault> {
        self.search(places, |search| places.autocomplete(search))
    }

    /// Returns what `found` returns for the search.
    ///
    /// # Errors
    /// If the index has no place of a type that is asked for.
    pub fn search<T>(&self, places: &dyn Geocode, found: impl FnOnce(&Search) -> T) -> Result<T, Fault> {
        let types = self.options.filters.known_types(places)?;
        let search = self.options.search(self.sought.question(), self.limit, &types, places);
        Ok(found(&search.unwrap_or_else(|| Search::new("", self.limit))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::filters::Filters;
    use super::super::language::Languages;
    use super::super::parameter::Style;
    use super::super::sought::Fields;
    use super::super::value::{Value, of_texts};
    use super::*;
    use crate::facts::FactSet;

    /// Reads the values of parameters between `&`, as a query string has them when it is decoded.
    fn values(raw: &str) -> Values {
        let pairs = raw.split('&').filter_map(|pair| pair.split_once('='));
        let mut known = Vec::new();
        for (name, text) in pairs {
            let parameter = Operation::Forward.parameters(Style::Text).find(|one| one.name == name);
            if let Some(name) = parameter.map(|one| one.name).or((name == "q").then_some("q")) {
                known.push((name, text));
            }
        }
        of_texts(&known).with_accept_language(Some("de"))
    }

    #[test]
    fn texts_and_limits() {
        fn check(route: &TextRoute, raw: &str, expect: Result<(&str, usize), &'static str>) {
            let expect = expect.map(|(text, limit)| (Sought::Text(text.into()), limit)).map_err(Fault::new);
            assert_eq!(route.read(&values(raw)).map(|text| (text.sought, text.limit)), expect, "{raw}");
        }
        check(&FORWARD, "query=Paris", Ok(("Paris", 5)));
        check(&FORWARD, "query= Paris &limit=50", Ok((" Paris ", 50)));
        for missing in ["limit=5", "query=", "query= \u{a0} ", "q=Paris"] {
            check(&FORWARD, missing, Err("query parameter is required"));
        }
        for limit in ["0", "51", "-1", "+5", "5.0", "", "five", "1e1", "99999999999999999999", "٥"] {
            check(&FORWARD, &format!("query=Paris&limit={limit}"), Err("limit must be an integer between 1 and 50"));
        }
        check(&AUTOCOMPLETE, "q=Par&limit=10", Ok(("Par", 10)));
        check(&AUTOCOMPLETE, "query=Par", Err("q parameter is required"));
        check(&AUTOCOMPLETE, "q=Par&limit=11", Err("limit must be an integer between 1 and 10"));
        for (text, fits) in
            [("a".repeat(500), true), ("a".repeat(501), false), ("🍓".repeat(500), true), ("🍓".repeat(501), false)]
        {
            assert_eq!(FORWARD.read(&values(&format!("query={text}"))).is_ok(), fits, "scalar values are counted");
        }
    }

    #[test]
    fn options() {
        fn check(raw: &str, expect: Result<Options, &'static str>) {
            let got = FORWARD.read(&values(&format!("query=Paris&{raw}"))).map(|text| text.options);
            assert_eq!(got, expect.map_err(Fault::new), "{raw}");
        }
        let none = Options::default;
        fn languages(tag: &'static str) -> Languages {
            Languages::read(&of_texts(&[("lang", tag)])).expect("it is a language")
        }
        check("other=1", Ok(none()));
        check("lang=pt-BR", Ok(Options { languages: languages("pt-BR"), ..none() }));
        check("lang=auto", Ok(Options { languages: languages("de"), ..none() }));
        check("lang=", Err("lang must be a BCP 47 language tag, or auto"));
        let filters = Filters { countries: vec![*b"FR", *b"US"], types: vec!["city".into()], ..Filters::default() };
        check("countrycodes=fr,US&types=city", Ok(Options { filters, ..none() }));
        check("within=Paris", Err("within must be an integer between 1 and 9007199254740991"));
        let point = Coordinate::new(1.0, -2.0).expect("it is a point");
        check("lat=1&lon=-2", Ok(Options { focus: Focus::At(point), ..none() }));
        check("near=auto", Ok(Options { focus: Focus::Caller, ..none() }));
        for near in ["", "me", "1,2", "AUTO"] {
            check(&format!("near={near}"), Err("near must be auto, for places near the caller"));
        }
        check("near=auto&lat=1&lon=-2", Err("near parameter takes no lat, lon beside it"));
        check("lat=1", Err("lat and lon parameters are required together"));
        check("lat=91&lon=0", Err("lat must be between -90 and 90"));
        check("fields=all", Ok(Options { facts: FactSet::ALL, ..none() }));
    }

    #[test]
    fn fields() {
        fn check(raw: &str, expect: Result<[&str; 5], &'static str>) {
            fn set(values: [&str; 5]) -> [Option<String>; 5] {
                values.map(|value| Some(value.to_owned()).filter(|value| !value.is_empty()))
            }
            let expect = expect.map(|expect| Sought::Fields(Fields::new(set(expect)).expect("one is set")));
            assert_eq!(FORWARD.read(&values(raw)).map(|text| text.sought), expect.map_err(Fault::new), "{raw}");
        }
        check("city=Paris", Ok(["", "Paris", "", "", ""]));
        check("name=a&city=b&county=c&state=d&country=e", Ok(["a", "b", "c", "d", "e"]));
        check("query= &city=Paris&state= ", Ok(["", "Paris", "", "", ""]));
        check("city= ", Err("query parameter is required"));
        check("query=Paris&country=FR", Err("query parameter takes no name, city, county, state, country beside it"));
        check(&format!("country={}", "a".repeat(501)), Err("country parameter must be between 1 and 500 characters"));
    }

    /// Reads values of programs, which are not texts: numbers, lists and a point. Programs have other names for some
    /// parameters.
    #[test]
    fn values_of_programs() {
        fn read(style: Style, given: &[(&str, Value)]) -> Result<TextRequest, Fault> {
            let mut values = Values::new(style);
            for (name, value) in given {
                let parameter = Operation::Forward.parameters(style).find(|one| one.name == *name).expect("it is one");
                values.put(parameter, value.clone());
            }
            FORWARD.read(&values)
        }
        fn text(text: &str) -> Value {
            Value::Text(text.to_owned())
        }
        fn list(items: &[f64]) -> Value {
            Value::List(items.iter().map(|&item| Value::Number(item)).collect())
        }
        let paris = ("query", text("Paris"));
        let good = [
            paris.clone(),
            ("limit", Value::Number(7.0)),
            ("focus", list(&[1.0, 2.0])),
            ("countrycodes", Value::List(vec![text("fr")])),
            ("within", Value::Number(3.0)),
        ];
        let found = read(Style::Options, &good).expect("all are good");
        assert_eq!((found.limit, &found.options.filters.countries[..]), (7, &[*b"FR"][..]));
        assert_eq!(found.options.filters.within, Some(3));
        assert_eq!(found.options.focus, Focus::At(Coordinate::new(1.0, 2.0).expect("it is a point")));
        let named = read(Style::Keywords, &[paris.clone(), ("country", text("FR"))]).map(|read| read.sought);
        let fields = Fields::new([Some("Paris".into()), None, None, None, Some("FR".into())]);
        assert_eq!(named, Ok(Sought::Fields(fields.expect("two are set"))), "beside fields, a text is the name");
        let check = |style, name, value: Value, message: &str| {
            let fault = read(style, &[paris.clone(), (name, value)]).expect_err("it is wrong");
            assert!(fault.to_string().starts_with(message), "{fault}");
        };
        check(Style::Options, "limit", Value::Number(0.5), "limit must be an integer between 1 and 50");
        check(Style::Options, "limit", Value::Number(f64::NAN), "limit must be an integer between 1 and 50");
        check(Style::Options, "countrycodes", Value::List(vec![text("x")]), "countries must be ISO 3166-1 alpha-2");
        check(Style::Keywords, "countrycodes", Value::List(vec![text("x")]), "countrycodes must be ISO 3166-1 alpha-2");
        check(Style::Keywords, "focus", list(&[91.0, 0.0]), "focus: lat must be between -90 and 90");
        check(Style::Options, "focus", list(&[]), "focus must be a latitude and a longitude");
        check(Style::Options, "bbox", list(&[0.0]), "bbox must be west,south,east,north");
        check(Style::Keywords, "name", text("x"), "give query or name, not both");
        assert_eq!(read(Style::Options, &[]).map_err(|fault| fault.to_string()), Err("query must not be empty".into()));
    }
}
