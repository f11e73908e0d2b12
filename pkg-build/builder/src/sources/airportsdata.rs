//! Reads the PyPI package `airportsdata`: `airports.csv`, and the metropolitan codes in `iata_macs.csv`. Some of its rows
//! are wrong: [`correct`] mends them.

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

/// A row of `data/tables/airport-corrections.csv`. An empty field is right in the source; `fault` is for the reader.
#[derive(Deserialize)]
struct Correction {
    icao: String,
    name: String,
    country: String,
    lat: Option<f64>,
    lon: Option<f64>,
}

/// A position of the source that is nearer than this to the corrected one needs no correction.
const RIGHT_M: f64 = 500.0;

/// Reads the airports with an IATA code, or with an ICAO code of four capitals (others are private strips with local
/// codes).
pub(crate) fn read(airports: &File, metropolises: &File) -> Result<Vec<Airport>, BuildError> {
    let groups = metropolises.csv::<Metropolis>()?.into_iter().map(|(_, row)| (row.airport, (row.code, row.city)));
    let groups: HashMap<String, (String, String)> = groups.collect();
    let mut found = Vec::new();
    for (line, row) in airports.csv::<Row>()? {
        let at = |field: &'static str| move || format!("line {line}, field {field}");
        let iata = code(&row.iata, 3);
        let icao = code(&row.icao, 4);
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
            weak_names: Vec::new(),
            has_flights: None,
            is_large: false,
            served: String::new(),
            city: row.city.trim().to_owned(),
        });
    }
    found.sort_by(|a, b| a.ident.cmp(&b.ident));
    Ok(found)
}

#[derive(Deserialize)]
struct Service {
    icao: String,
    service: Flights,
    name: String,
    city: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Flights {
    Large,
    Scheduled,
    None,
    Closed,
}

/// Drops closed airports, marks those without scheduled flights, and gives airports the names that people write and the cities that they
/// serve, by the table `airport-service.csv`. What the source calls them stays a name.
pub(crate) fn add_service(airports: &mut Vec<Airport>, table: &File) -> Result<(), BuildError> {
    let rows = table.csv::<Service>()?.into_iter().map(|(_, row)| (row.icao.clone(), row));
    let by_icao: HashMap<String, Service> = rows.collect();
    let service = |airport: &Airport| by_icao.get(&airport.ident);
    airports.retain(|airport| service(airport).is_none_or(|row| row.service != Flights::Closed));
    for airport in airports {
        let Some(row) = by_icao.get(&airport.ident) else { continue };
        airport.has_flights = Some(row.service != Flights::None);
        airport.is_large = row.service == Flights::Large;
        if row.service != Flights::None {
            let old = std::mem::replace(&mut airport.name, row.name.clone());
            airport.alternates.extend((old != airport.name).then_some(old));
        }
        if !row.city.is_empty() {
            airport.served.clone_from(&row.city);
        }
    }
    Ok(())
}

/// Corrects names, countries and positions of `airports`, which are in order of their `ident`.
///
/// # Errors
/// When a correction has no effect any more, so that none outlives the fault of the source.
pub(crate) fn correct(airports: &mut [Airport], corrections: &File) -> Result<(), BuildError> {
    for (line, row) in corrections.csv::<Correction>()? {
        let at = |field: &'static str| move || format!("line {line}, field {field}");
        let index = airports
            .binary_search_by(|airport| airport.ident.cmp(&row.icao))
            .map_err(|_| corrections.error(at("icao")(), format!("{:?} is not an airport of the source", row.icao)))?;
        let airport = &mut airports[index];
        let before = airport.clone();
        if !row.name.is_empty() {
            airport.name = row.name;
        }
        if !row.country.is_empty() {
            airport.country = corrections.country(at("country"), &row.country)?;
        }
        if let (Some(lat), Some(lon)) = (row.lat, row.lon) {
            airport.position = corrections.coordinate(at("lat"), lat, lon)?;
        }
        let is_moved = airport.position.distance_m(before.position) > RIGHT_M;
        if !is_moved && airport.name == before.name && airport.country == before.country {
            return Err(corrections.error(at("icao")(), "the source is right: remove the row"));
        }
    }
    Ok(())
}

/// Returns `text` if it is a code of `length` capitals.
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
    fn faults_of_the_source_are_corrected() {
        check_correction("EBBR,,,50.9014,4.4844", Ok(("Brussels Airport", 50.9014)));
        check_correction("EBBR,Zaventem,,50.9014,4.4844", Ok(("Zaventem", 50.9014)));
        check_correction("EBBR,,LU,,", Ok(("Brussels Airport", 50.5405)));
        check_correction("EBBR,,BE,,", Err("line 2, field icao: the source is right: remove the row"));
        check_correction("EBBR,,,50.5405,4.291", Err("line 2, field icao: the source is right: remove the row"));
        check_correction("EBXX,,,50.9014,4.4844", Err("line 2, field icao: \"EBXX\" is not an airport"));
        check_correction("EBBR,,Belgium,,", Err("line 2, field country"));
        check_correction("EBBR,,,150.9014,4.4844", Err("line 2, field lat"));
    }

    fn check_correction(row: &str, expect: Result<(&str, f64), &str>) {
        let mut airports =
            airports("EBBR,BRU,Brussels Airport,Brussels,,BE,175,50.5405,4.2904,,\n").expect("it is whole");
        let corrections = test_file("corrections.csv", format!("icao,name,country,lat,lon,fault\n{row},why\n"));
        let corrected = correct(&mut airports, &corrections).map_err(|error| error.to_string());
        let found = corrected.map(|()| (airports[0].name.clone(), airports[0].position.lat()));
        match (found, expect) {
            (Ok((name, lat)), Ok(expect)) => assert_eq!((name.as_str(), lat), expect, "{row}"),
            (Err(message), Err(part)) => assert!(message.contains(part), "no {part:?} in {message:?}"),
            (found, _) => panic!("{row}: {found:?}"),
        }
    }

    #[test]
    fn broken_rows_are_named() {
        check_fault("LFPO,ORY,Orly,Paris,,FR,291,148.7,2.4,,\n", "line 2, field lat");
        check_fault("LFPO,ORY,Orly,Paris,,FR,291,north,2.4,,\n", "line 2, field lat");
        check_fault("LFPO,ORY,Orly,Paris,,F,291,48.7,2.4,,\n", "line 2, field country");
    }

    fn check_fault(row: &str, expect: &str) {
        let message = airports(row).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }
}
