//! Columns of a table that hold the question of each row.

use anyhow::{Result, bail, ensure};
use clap::Args;
use toponym_engine::request::FIELDS;

use super::row::Record;

/// The columns that are named in the arguments.
#[derive(Args, Clone, Debug, Default)]
pub struct Columns {
    /// Column with a place as text, such as "Paris, TX"; beside other columns, with the name of a place of any kind
    #[arg(long, value_name = "COLUMN", conflicts_with = "name_column")]
    pub column: Option<String>,
    /// Column with the name of a place of any kind
    #[arg(long, value_name = "COLUMN")]
    pub name_column: Option<String>,
    /// Column with the name of a city, town or village
    #[arg(long, value_name = "COLUMN")]
    pub city_column: Option<String>,
    /// Column with the name of a second-level division
    #[arg(long, value_name = "COLUMN")]
    pub county_column: Option<String>,
    /// Column with the name or code of a first-level division
    #[arg(long, value_name = "COLUMN")]
    pub state_column: Option<String>,
    /// Column with the name or code of a country
    #[arg(long, value_name = "COLUMN")]
    pub country_column: Option<String>,
    /// Column with a latitude in degrees, to find the place at a point
    #[arg(long, value_name = "COLUMN", requires = "lon_column")]
    pub lat_column: Option<String>,
    /// Column with a longitude in degrees
    #[arg(long, value_name = "COLUMN", requires = "lat_column")]
    pub lon_column: Option<String>,
}

/// Meaning of the values of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// One text.
    Text,
    /// Fields of a structured question, by their places in [`FIELDS`].
    Fields(Vec<usize>),
    /// Latitude and longitude.
    Point,
    /// The point of a GeoJSON feature, which is in no column.
    Geometry,
}

/// The columns to read, and what their values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Names of the columns, in the order of the values.
    pub names: Vec<String>,
    /// Meaning of the values.
    pub asks: Asks,
}

impl Columns {
    /// Returns the columns that the arguments name. Without any, features are found by their points.
    pub fn wanted_columns(&self, has_geometry: bool) -> Result<Wanted> {
        let Self { column, name_column, city_column, county_column, state_column, country_column, .. } = self;
        let named = [name_column, city_column, county_column, state_column, country_column];
        if let (Some(lat), Some(lon)) = (&self.lat_column, &self.lon_column) {
            let texts = named.into_iter().chain([column]);
            ensure!(texts.flatten().count() == 0, "a row has either a point or names: leave out one of them");
            return Ok(Wanted { names: vec![lat.clone(), lon.clone()], asks: Asks::Point });
        }
        match (column, named.into_iter().flatten().count()) {
            (None, 0) if has_geometry => Ok(Wanted { names: Vec::new(), asks: Asks::Geometry }),
            (None, 0) => bail!(
                "which columns hold the places? Name them: --column for a text, --city-column and --country-column, or \
                 --lat-column and --lon-column"
            ),
            (Some(text), 0) => Ok(Wanted { names: vec![text.clone()], asks: Asks::Text }),
            _ => {
                let name = name_column.as_ref().or(column.as_ref());
                let each = [name, city_column.as_ref(), county_column.as_ref(), state_column.as_ref()];
                let each = each.into_iter().chain([country_column.as_ref()]).enumerate();
                let (places, names) = each.filter_map(|(at, column)| Some((at, column?.clone()))).unzip();
                Ok(Wanted { names, asks: Asks::Fields(places) })
            }
        }
    }
}

impl Wanted {
    /// Finds the places of the columns in a header.
    pub fn places(&self, header: &[String]) -> Result<Vec<usize>> {
        self.names.iter().map(|name| place(name, header)).collect()
    }

    /// Refuses a table of objects if none of its first rows has a column: its name is wrong, and nothing would be found. A
    /// column whose value is null is there.
    pub fn check(&self, rows: &[Record]) -> Result<()> {
        let found: Vec<Vec<String>> = rows.iter().filter_map(|record| record.row.names()).collect();
        let Some(missing) = self.names.iter().find(|name| !found.iter().any(|names| names.contains(name))) else {
            return Ok(());
        };
        let mut known: Vec<String> = Vec::new();
        for name in found.iter().flatten() {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
        match known.as_slice() {
            // Cells have a header, which was looked at; lines that are not objects are told each.
            [] if found.is_empty() => Ok(()),
            [] => bail!("no column is called {missing}; the first rows have none"),
            _ => bail!("no column is called {missing}; the columns of the first rows are {}", known.join(", ")),
        }
    }

    /// Names the smallest column in messages: `city`.
    pub fn smallest(&self) -> &'static str {
        match &self.asks {
            Asks::Fields(places) => places.first().map_or("name", |&at| FIELDS[at]),
            _ => "text",
        }
    }
}

fn place(name: &str, header: &[String]) -> Result<usize> {
    let mut found = (0..header.len()).filter(|&at| header[at] == name);
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (Some(_), Some(_)) => bail!("two columns are called {name}: rename one of them"),
        (None, _) => {
            let hint = match header {
                [only] if only.contains(';') => ". Are they separated by semicolons? Give --delimiter ';'",
                [only] if only.contains('\t') => ". Are they separated by tabs? Give --from tsv",
                _ => "",
            };
            bail!("no column is called {name}; the columns are {}{hint}", header.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn what_columns_ask() {
        check_asks(Columns { column: text("a"), ..Columns::default() }, Ok((&["a"], Asks::Text)));
        let both = Columns { column: text("a"), country_column: text("b"), ..Columns::default() };
        check_asks(both, Ok((&["a", "b"], Asks::Fields(vec![0, 4]))));
        let city = Columns { city_column: text("a"), country_column: text("b"), ..Columns::default() };
        check_asks(city, Ok((&["a", "b"], Asks::Fields(vec![1, 4]))));
        let point = Columns { lat_column: text("y"), lon_column: text("x"), ..Columns::default() };
        check_asks(point.clone(), Ok((&["y", "x"], Asks::Point)));
        check_asks(Columns { column: text("a"), ..point }, Err("either a point or names"));
        check_asks(Columns::default(), Err("which columns"));
        assert_eq!(Columns::default().wanted_columns(true).map(|wanted| wanted.asks).ok(), Some(Asks::Geometry));
    }

    fn check_asks(columns: Columns, expect: Result<(&[&str], Asks), &str>) {
        let got =
            columns.wanted_columns(false).map(|wanted| (wanted.names, wanted.asks)).map_err(|error| error.to_string());
        match (got, expect) {
            (Ok(got), Ok((names, asks))) => {
                assert_eq!(got, (names.iter().map(|name| (*name).into()).collect(), asks))
            }
            (Err(got), Err(part)) => assert!(got.contains(part), "{got}"),
            (got, _) => panic!("{got:?}"),
        }
    }

    #[test]
    fn where_columns_are() {
        check_place("id,city", Ok(1));
        check_place("id,City", Err("the columns are id, City"));
        check_place("city,city", Err("two columns are called city"));
        check_place("id;city", Err("--delimiter ';'"));
        check_place("id\tcity", Err("--from tsv"));
    }

    fn check_place(header: &str, expect: Result<usize, &str>) {
        let header: Vec<String> = header.split(',').map(str::to_owned).collect();
        let got = place("city", &header).map_err(|error| error.to_string());
        assert!(
            matches!((&got, expect), (Ok(a), Ok(b)) if *a == b)
                || matches!((&got, expect), (Err(a), Err(b)) if a.contains(b)),
            "{header:?}: {got:?}"
        );
    }
}
