//! Reads OurAirports `airports.csv`. Keeps large, medium and small airports and seaplane bases with an IATA or ICAO
//! code; skips heliports, balloonports, closed airports and private strips with local codes.

use std::collections::BTreeSet;

use super::ImportFile;
use super::row_reader::{Fault, coordinate, country, each_record, fault, name};
use crate::error::BuildError;
use crate::sources::airportsdata::code;
use crate::sources::rows::{Airport, Iso2};

/// Columns that identify the file.
pub(crate) const COLUMNS: [&str; 9] =
    ["ident", "type", "name", "latitude_deg", "longitude_deg", "iso_country", "municipality", "iata_code", "id"];

/// The types that are kept.
const KEPT: [&str; 4] = ["large_airport", "medium_airport", "small_airport", "seaplane_base"];

/// Columns that may hold the ICAO code, best first: newer files have a column for it.
const ICAO: [&str; 3] = ["icao_code", "gps_code", "ident"];

/// Calls `keep` with every airport in `countries` and its line. Returns the number of invalid rows.
pub(crate) fn read(
    file: &ImportFile,
    countries: &BTreeSet<Iso2>,
    mut keep: impl FnMut(u64, Airport),
) -> Result<u64, BuildError> {
    each_record(file, <[String]>::to_vec, |line, field| {
        airport(field, countries).map(|airport| airport.into_iter().for_each(|airport| keep(line, airport)))
    })
}

fn airport(field: &dyn Fn(&str) -> String, countries: &BTreeSet<Iso2>) -> Result<Option<Airport>, Fault> {
    let iata = code(&field("iata_code"), 3);
    let icao = ICAO.iter().find_map(|column| code(&field(column), 4));
    let position = coordinate(("latitude_deg", &field("latitude_deg")), ("longitude_deg", &field("longitude_deg")))?;
    let country = country("iso_country", &field("iso_country"))?;
    let name = name("name", &field("name"))?;
    let ident = field("ident");
    if ident.is_empty() {
        return Err(fault("ident", "is empty"));
    }
    if !KEPT.contains(&field("type").as_str()) || iata.is_none() && icao.is_none() {
        return Ok(None);
    }
    if !countries.contains(&country) {
        return Err(fault("iso_country", format!("must be a known country, not {:?}", field("iso_country"))));
    }
    let keywords = field("keywords");
    let keywords = keywords.split(',').map(str::trim).filter(|word| !word.is_empty() && !word.starts_with("http"));
    Ok(Some(Airport {
        served: String::new(),
        has_flights: None,
        is_large: false,
        alternates: keywords.map(str::to_owned).collect(),
        weak_names: Vec::new(),
        metropolis: None,
        city: field("municipality"),
        ident,
        iata,
        icao,
        name,
        country,
        position,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: [(&str, &str); 12] = [
        ("id", "4185"),
        ("ident", "LFPG"),
        ("type", "large_airport"),
        ("name", "Charles de Gaulle International Airport"),
        ("latitude_deg", "49.012798"),
        ("longitude_deg", "2.55"),
        ("iso_country", "FR"),
        ("municipality", "Paris"),
        ("icao_code", ""),
        ("gps_code", "LFPG"),
        ("iata_code", "CDG"),
        ("keywords", "PAR, Roissy, https://example.org"),
    ];

    fn read_with(changed: &str, to: &str) -> Result<Option<Airport>, Fault> {
        let field = |name: &str| {
            let value = ROW.iter().find(|(column, _)| *column == name).map_or("", |(_, value)| value);
            (if name == changed { to } else { value }).to_owned()
        };
        airport(&field, &BTreeSet::from([*b"FR"]))
    }

    #[test]
    fn airports_with_a_code() {
        let found = read_with("", "").expect("the row is whole").expect("it is kept");
        assert_eq!(
            (found.iata.as_deref(), found.icao.as_deref(), found.city.as_str()),
            (Some("CDG"), Some("LFPG"), "Paris")
        );
        assert_eq!(found.alternates, ["PAR", "Roissy"]);
        for kind in ["heliport", "closed", "balloonport"] {
            assert_eq!(read_with("type", kind), Ok(None));
        }
        assert!(read_with("iata_code", "").expect("the row is whole").is_some());
        check("latitude_deg", "149");
        check("longitude_deg", "east");
        check("iso_country", "France");
        check("iso_country", "XX");
        check("name", "");
        check("name", "--");
        check("ident", "");
    }

    fn check(field: &str, to: &str) {
        assert_eq!(read_with(field, to).expect_err("the row is broken").field, field);
    }
}
