//! Builds an index from files in memory, for the fuzz targets. Enabled by the feature `fuzz`.

use std::path::Path;
use std::sync::LazyLock;

use bytes::Bytes;
use toponym_engine::coverage::Continent;
use toponym_engine::geo::Coordinate;
use toponym_engine::{About, Gazetteer, Lexicon, index};

use crate::error::BuildError;
use crate::feature::Feature;
use crate::fetch::Manifest;
use crate::gazetteer::{Files, Inputs, Merged, Rows, read};
use crate::lexicon;
use crate::progress::silence;
use crate::sources::import::ImportFile;
use crate::sources::rows::{Airport, Country, Division, Iso2, Origin, Settlement, Site};
use crate::sources::tables::Tables;
use crate::transliteration::transliterations;

/// Builds an index of `files`, given as names and contents. They are merged into a world of a few places, just as
/// `cargo toponym index --add` merges files into the pinned sources.
///
/// # Errors
/// When a file cannot be read or has too many invalid rows.
pub fn index_with(files: &[(&str, &[u8])]) -> Result<Vec<u8>, BuildError> {
    silence();
    let files = Files::recognise(
        files.iter().map(|(name, bytes)| ImportFile::InMemory(name.into(), Bytes::copy_from_slice(bytes))),
        &SOURCES.import,
    )?;
    let mut inputs = WORLD.clone();
    let mut rows = Rows::new(&std::env::temp_dir());
    read(&mut inputs, &files, |country, row| rows.push(country, row))?;
    let merged = Merged::of(&inputs, rows, &std::env::temp_dir())?.gazetteer;
    let about = About { attribution: files.attribution(), ..merged.about };
    let gazetteer = Gazetteer { about, lexicon: LEXICON.clone(), transliteration: LETTERS.clone(), ..merged };
    index::write(&gazetteer).map_err(|error| BuildError::Write(error.to_string()))
}

static SOURCES: LazyLock<Manifest> =
    LazyLock::new(|| Manifest::read(root()).expect("the sources of the project are valid"));

static LETTERS: LazyLock<Vec<(char, String)>> = LazyLock::new(transliterations);

static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| lexicon::read(root()).expect("the tables of the project are valid"));

/// Two countries with a few places of every kind for imported files to merge with.
static WORLD: LazyLock<Inputs> = LazyLock::new(|| {
    let tables = Tables::read(root()).expect("the tables of the project are valid");
    Inputs {
        countries: vec![
            country(3_017_382, *b"FR", "FRA", "France"),
            country(6_252_001, *b"US", "USA", "United States"),
        ],
        states: vec![division("FR.11", "Île-de-France", 3_012_874), division("US.TX", "Texas", 4_736_286)],
        counties: vec![division("FR.11.75", "Paris", 2_968_815), division("US.TX.277", "Lamar County", 4_705_086)],
        settlements: vec![
            settlement(2_988_507, "Paris", (48.85341, 2.3488), *b"FR", ("11", "75"), 2_138_551),
            settlement(2_992_166, "Montreuil", (48.8642, 2.4434), *b"FR", ("11", ""), 111_240),
            settlement(4_717_560, "Paris", (33.66094, -95.55551), *b"US", ("TX", "277"), 24_171),
        ],
        airports: vec![Airport {
            served: String::new(),
            has_flights: None,
            is_large: false,
            ident: "LFPG".into(),
            iata: Some("CDG".into()),
            icao: Some("LFPG".into()),
            metropolis: None,
            name: "Paris Charles de Gaulle".into(),
            alternates: Vec::new(),
            weak_names: Vec::new(),
            city: "Paris".into(),
            country: *b"FR",
            position: point((49.0097, 2.5479)),
        }],
        stations: vec![site("gare-du-nord", "Gare du Nord", (48.8809, 2.3553), "station")],
        landmarks: vec![site("eiffel-tower", "Eiffel Tower", (48.8584, 2.2945), "tower")],
        // The aliases name cities that are not in this world.
        tables: Tables { cities: Vec::new(), ..tables }.into(),
        ..Inputs::default()
    }
});

fn point((lat, lon): (f64, f64)) -> Coordinate {
    Coordinate::new(lat, lon).expect("the point is in range")
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn country(id: u64, iso2: Iso2, iso3: &str, name: &str) -> Country {
    Country {
        iso2,
        iso3: iso3.into(),
        id,
        name: name.into(),
        capital: String::new(),
        area_km2: 500_000.0,
        population: 68_000_000,
        continent: Continent::Europe,
        languages: vec!["fr".into()],
    }
}

fn division(code: &str, name: &str, id: u64) -> Division {
    Division { code: code.into(), name: name.into(), id: Some(id), ranked: Vec::new(), tagged: Vec::new() }
}

fn settlement(id: u64, name: &str, at: (f64, f64), country: Iso2, admin: (&str, &str), population: u64) -> Settlement {
    Settlement {
        id,
        name: name.into(),
        alternates: Vec::new(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        position: point(at),
        country,
        admin1: admin.0.into(),
        admin2: admin.1.into(),
        feature: Feature::Place,
        population,
        counts_as: 0,
        timezone: "Europe/Paris".into(),
        bounds: None,
        has_own_name: false,
    }
}

fn site(slug: &str, name: &str, at: (f64, f64), r#type: &str) -> Site {
    Site {
        slug: slug.into(),
        origin: Origin::Pinned,
        name: name.into(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        alternates: Vec::new(),
        merged: Vec::new(),
        country: *b"FR",
        city: "Paris".into(),
        position: point(at),
        r#type: r#type.into(),
        prominence: 0.5,
        extent_m: None,
        bounds: None,
    }
}
