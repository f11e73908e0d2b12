//! Compares the rules of merging with a judgement by hand, in `tests/merges.csv`.
//!
//! Each row has two places, whether they are the same, and why not. 200 are merges of an import of 6,000 places out of other
//! lists, judged by knowledge of the places: 194 are right. They were picked by hand from what was merged, no random sample: 80
//! settlements (35 by another name), 50 airports and 70 sites. The other rows are places that one source lists apart,
//! within reach of each other and with a word in common.

use serde::Deserialize;
use toponym_engine::geo::Coordinate;

use super::super::matcher::{Imported, Matcher, Merges, OwnRow, ROWS};
use super::super::same_sites;
use super::airports::add_airports;
use super::settlements::{Merging, Plain, add_plain_settlements};
use crate::feature::Feature;
use crate::gazetteer::{test_airport, test_settlement};
use crate::sources::File;
use crate::sources::rows::{Airport, Iso2, Origin, Settlement, Site, Tagged};
use crate::sources::tables::Tables;

/// The merges that are wrong: a part has a name of the whole, or was written with it.
const WRONG: [&str; 6] = [
    "Cape Henry",
    "Cidade Velha de Faro",
    "Cottbus-Drewitz Airport",
    "Deltawerken",
    "King's College Aberdeen",
    "Tibesti",
];

#[derive(Deserialize)]
struct Row {
    place: Place,
    country: String,
    name: String,
    r#type: String,
    lat: f64,
    lon: f64,
    known_name: String,
    /// Other names of the known place, the city of an airport.
    known_names: String,
    known_type: String,
    known_lat: f64,
    known_lon: f64,
    known_extent_m: Option<f64>,
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Place {
    Settlement,
    Airport,
    Site,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Same,
    Different,
}

#[test]
fn the_rules_agree_with_a_judgement_by_hand() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let tables = Tables::read(root).expect("the tables are whole");
    let rows = File::read(root, "pkg-build/builder/tests/merges.csv").and_then(|file| file.csv::<Row>());
    let rows: Vec<Row> = rows.expect("the file is whole").into_iter().map(|(_, row)| row).collect();
    assert_eq!(rows.iter().filter(|row| row.is_merge_of_the_sample()).count(), 200);
    let wrong = rows.iter().filter(|row| row.says(&tables) != row.verdict);
    let mut wrong: Vec<&str> = wrong.map(|row| row.name.as_str()).collect();
    wrong.sort_unstable();
    assert_eq!(wrong, WRONG);
}

impl Row {
    fn is_merge_of_the_sample(&self) -> bool {
        self.verdict == Verdict::Same || WRONG.contains(&self.name.as_str())
    }

    fn says(&self, tables: &Tables) -> Verdict {
        let mut imported = Imported::default();
        let mut merges = Merges::default();
        let matcher = &mut Matcher::new(ROWS, &tables.groups, &mut imported, &mut merges);
        let count = match self.place {
            Place::Settlement => self.settlements(matcher),
            Place::Airport => self.airports(matcher),
            Place::Site => same_sites::merge(self.sites(), matcher).len(),
        };
        if count == 1 { Verdict::Same } else { Verdict::Different }
    }

    fn settlements(&self, matcher: &mut Matcher) -> usize {
        let of = |id: u64, name: &str, at: Coordinate, r#type: &str| Settlement {
            position: at,
            country: self.country(),
            feature: if r#type == "suburb" { Feature::Section } else { Feature::Place },
            ..test_settlement(id, name, (0.0, 0.0), 0)
        };
        let known = of(1, &self.known_name, self.known_at(), &self.known_type);
        let mut settlements = vec![Settlement { alternates: self.other_names().collect(), ..known }];
        let merging = Merging { step: "judged", other_names: true, population: |_, imported| imported };
        let imported = of(2, &self.name, self.at(), &self.r#type);
        let plain = vec![Plain { row: Some(OwnRow { file: 1, id: "own/1".into() }), settlement: imported }];
        add_plain_settlements(&mut settlements, plain, &merging, matcher);
        settlements.len()
    }

    fn airports(&self, matcher: &mut Matcher) -> usize {
        let of = |ident: &str, name: &str, city: &str, position: Coordinate, icao: Option<&str>| Airport {
            icao: icao.map(str::to_owned),
            city: city.into(),
            country: self.country(),
            position,
            ..test_airport(ident, name, (0.0, 0.0))
        };
        let mut airports = vec![of("KNOW", &self.known_name, &self.known_names, self.known_at(), Some("KNOW"))];
        let imported = of("own/1", &self.name, "", self.at(), None);
        add_airports(&mut airports, vec![imported], Some(1), matcher);
        airports.len()
    }

    fn sites(&self) -> Vec<Site> {
        let of = |slug: &str, origin, name: &str, r#type: &str, position, extent_m| Site {
            slug: slug.into(),
            origin,
            name: name.into(),
            tagged: Vec::new(),
            ranked: Vec::new(),
            alternates: Vec::new(),
            merged: Vec::new(),
            country: self.country(),
            city: String::new(),
            position,
            r#type: r#type.into(),
            prominence: 0.0,
            extent_m,
            bounds: None,
        };
        let extent = Some(self.known_extent_m.expect("a site has an extent"));
        let known = of("known", Origin::Curated, &self.known_name, &self.known_type, self.known_at(), extent);
        let tagged = self.other_names().map(|text| Tagged { lang: "en".into(), text }).collect();
        let imported = of("own/1", Origin::Operator, &self.name, &self.r#type, self.at(), None);
        vec![Site { tagged, ..known }, imported]
    }

    fn country(&self) -> Iso2 {
        self.country.as_bytes().try_into().expect("codes have two letters")
    }

    fn at(&self) -> Coordinate {
        Coordinate::new(self.lat, self.lon).expect("it is in range")
    }

    fn known_at(&self) -> Coordinate {
        Coordinate::new(self.known_lat, self.known_lon).expect("it is in range")
    }

    fn other_names(&self) -> impl Iterator<Item = String> {
        self.known_names.split('|').filter(|name| !name.is_empty()).map(str::to_owned)
    }
}
