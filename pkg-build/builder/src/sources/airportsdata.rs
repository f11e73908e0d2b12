//! Reads the PyPI package `airportsdata`: `airports.csv`, and the metropolitan codes in `iata_macs.csv`.

use std::collections::HashMap;

use serde::Deserialize;

use super::File;
use super::rows::Airport;
use crate::error::BuildError;

#[derive(Deserialize)]
struct Row {
    icao: String,
    iata: String,
    name: String,
    city: String,
    country: String,
    lat: f64,
    lon: f64,
}

#[derive(Deserialize)]
struct Metropolis {
    #[serde(rename = "City Code")]
    code: String,
    #[serde(rename = "City Name")]
    city: String,
    #[serde(rename = "Airport Code")]
    airport: String,
}

/// Airports with an IATA code, or with an ICAO code of four capitals (others are private strips with local codes).
pub(crate) fn read(airports: &File, metropolises: &File) -> Result<Vec<Airport>, BuildError> {
    let groups = metropolises.csv::<Metropolis>()?.into_iter().map(|(_, row)| (row.airport, (row.code, row.city)));
    let groups: HashMap<String, (String, String)> = groups.collect();
    let mut found = Vec::new();
    for (line, row) in airports.csv::<Row>()? {
        let at = |field: &'static str| move || format!("line {line}, field {field}");
        let (iata, icao) = (code(&row.iata, 3), code(&row.icao, 4));
        if iata.is_none() && icao.is_none() || row.name.trim().is_empty() {
            continue;
        }
        found.push(Airport {
            metropolis: iata.as_ref().and_then(|iata| groups.get(iata).cloned()),
            country: airports.country(at("country"), &row.country)?,
            position: airports.coordinate(at("lat"), row.lat, row.lon)?,
            ident: row.icao,
            iata,
            icao,
            name: row.name.trim().to_owned(),
            alternates: Vec::new(),
            city: row.city.trim().to_owned(),
        });
    }
    found.sort_by(|a, b| a.ident.cmp(&b.ident));
    Ok(found)
}

/// `text` if it is a code of `length` capitals.
pub(crate) fn code(text: &str, length: usize) -> Option<String> {
    let whole = text.len() == length && text.bytes().all(|byte| byte.is_ascii_uppercase());
    whole.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const HEADER: &str = "icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid\n";
    const GROUPS: &str = "Country,City Code,City Name,Airport Code,Airport Name\nFR,PAR,Paris,ORY,Orly\n";

    fn airports(rows: &str) -> Result<Vec<Airport>, BuildError> {
        read(&test_file("airports.csv", format!("{HEADER}{rows}")), &test_file("iata_macs.csv", GROUPS))
    }

    #[test]
    fn private_strips_are_left_out() {
        let read = airports(
            "LFPO,ORY,Paris-Orly Airport,Paris,Ile-de-France,FR,291,48.7,2.4,Europe/Paris,\n\
             _AYM,AYM,Yas Island Seaplane Base,Yas Island,Abu Dhabi,AE,0,24.4,54.6,Asia/Dubai,\n\
             00AA,,Aero B Ranch Airport,Leoti,Kansas,US,3435,38.7,-101.4,America/Chicago,00AA\n",
        )
        .expect("the rows are whole");
        let found: Vec<_> = read.iter().map(|a| (a.iata.as_deref(), a.icao.as_deref())).collect();
        assert_eq!(found, [(Some("ORY"), Some("LFPO")), (Some("AYM"), None)]);
        assert_eq!(read[0].metropolis, Some(("PAR".into(), "Paris".into())));
    }

    #[test]
    fn broken_rows_are_named() {
        let check = |row: &str, expect: &str| {
            let message = airports(row).expect_err("the row is broken").to_string();
            assert!(message.contains(expect), "no {expect:?} in {message:?}");
        };
        check("LFPO,ORY,Orly,Paris,,FR,291,148.7,2.4,,\n", "line 2, field lat");
        check("LFPO,ORY,Orly,Paris,,FR,291,north,2.4,,\n", "line 2, field lat");
        check("LFPO,ORY,Orly,Paris,,F,291,48.7,2.4,,\n", "line 2, field country");
    }
}
