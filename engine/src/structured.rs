//! Structured questions: the parts of an address in fields of their own.

use crate::filter::{AreaNames, Filter};
use crate::query::Search;

/// A question in fields. The smallest field names the place, and the others are areas that it must lie in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structured<'q> {
    /// Name of a place of any kind.
    pub name: Option<&'q str>,
    /// Name of a city, town, village or part of a city.
    pub city: Option<&'q str>,
    /// Name of a second-level division.
    pub county: Option<&'q str>,
    /// Name or code of a first-level division.
    pub state: Option<&'q str>,
    /// Name or code of a country.
    pub country: Option<&'q str>,
}

impl<'q> Structured<'q> {
    /// Converts the question into a search with at most `limit` results; `None` if no field is set.
    ///
    /// ```
    /// # use toponym_engine::Structured;
    /// let paris = Structured { city: Some("Paris"), state: Some("TX"), ..Structured::default() };
    /// let search = paris.search(5).unwrap();
    /// assert_eq!((search.text, search.filter.areas.state), ("Paris", Some("TX")));
    /// ```
    pub fn search(self, limit: usize) -> Option<Search<'q>> {
        let Self { name, city, county, state, country } = self;
        let areas = AreaNames { city, county, state, country };
        let (text, types, areas): (_, &[&str], _) = match self {
            Self { name: Some(_), .. } => (name, &[], areas),
            Self { city: Some(_), .. } => (city, &["city", "quarter"], AreaNames { city: None, ..areas }),
            Self { county: Some(_), .. } => (county, &["county"], AreaNames { county: None, ..areas }),
            Self { state: Some(_), .. } => (state, &["state"], AreaNames { state: None, ..areas }),
            _ => (country, &["country"], AreaNames::default()),
        };
        let filter = Filter { types, areas, ..Filter::default() };
        Some(Search { filter, ..Search::new(text?, limit) })
    }

    /// Iterates over the fields that are set, each with its name, the smallest first.
    ///
    /// # Example: list the fields that are set
    ///
    /// ```
    /// use toponym_engine::Structured;
    ///
    /// let fields = Structured { city: Some("Paris"), country: Some("FR"), ..Structured::default() };
    /// assert_eq!(fields.each().collect::<Vec<_>>(), [("city", "Paris"), ("country", "FR")]);
    /// ```
    pub fn each(self) -> impl Iterator<Item = (&'static str, &'q str)> {
        let Self { name, city, county, state, country } = self;
        let all = [("name", name), ("city", city), ("county", county), ("state", state), ("country", country)];
        all.into_iter().filter_map(|(name, text)| Some((name, text?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_field_names_the_place() {
        fn check(fields: [&'static str; 5], expect: Option<&str>) {
            let [name, city, county, state, country] =
                fields.map(|field| Some(field).filter(|field| !field.is_empty()));
            let search = Structured { name, city, county, state, country }.search(3);
            let found = search.map(|search| {
                let areas: Vec<_> = search.filter.areas.each().map(|(name, role)| format!("{name} {role:?}")).collect();
                format!("{} of {:?} in {}", search.text, search.filter.types, areas.join(", "))
            });
            assert_eq!(found.as_deref(), expect, "{fields:?}");
        }
        check(["", "", "", "", ""], None);
        check(["n", "", "", "", ""], Some("n of [] in "));
        check(["", "c", "", "", ""], Some(r#"c of ["city", "quarter"] in "#));
        check(["", "", "k", "", ""], Some(r#"k of ["county"] in "#));
        check(["", "", "", "s", ""], Some(r#"s of ["state"] in "#));
        check(["", "", "", "", "l"], Some(r#"l of ["country"] in "#));
        check(["n", "c", "k", "s", "l"], Some("n of [] in l Country, s State, k County, c City"));
        check(["", "c", "k", "s", "l"], Some(r#"c of ["city", "quarter"] in l Country, s State, k County"#));
        check(["", "", "", "s", "l"], Some(r#"s of ["state"] in l Country"#));
    }
}
