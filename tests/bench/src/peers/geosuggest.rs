//! geosuggest-core: Jaro-Winkler over all names for text, a k-d tree in degrees for points.

use std::path::Path;

use anyhow::{Result, anyhow};
use geosuggest_core::index::{ArchivedCitiesRecord, IndexData, SourceFileOptions};
use geosuggest_core::storage::Storage;
use geosuggest_core::{Engine, EngineData};
use toponym_workload::Question;

use super::{LIMIT, Peer};
use crate::measure::Answer;
use crate::prepare::{COUNTRIES, GEONAMES};

/// Name of the file in the format of geosuggest.
pub const FILE: &str = "geosuggest.rkyv";

/// Builds its index and writes it.
pub fn prepare(work: &Path) -> Result<()> {
    let data = IndexData::new_from_files(SourceFileOptions {
        cities: work.join(GEONAMES),
        names: None,
        countries: Some(work.join(COUNTRIES)),
        admin1_codes: None,
        admin2_codes: None,
        filter_languages: vec![],
        excluded_feature_codes: vec![],
    })
    .map_err(|error| anyhow!("geosuggest: {error}"))?;
    let data: EngineData = data.try_into().map_err(|error| anyhow!("geosuggest: {error:?}"))?;
    let mut file = fs_err::File::create(work.join(FILE))?;
    Storage::new().dump(&mut file, &data).map_err(|error| anyhow!("geosuggest: {error}"))
}

/// Loads it, for the rest of the process: an engine is a view of the data, and making one checks them all.
pub fn load(work: &Path) -> Result<Geosuggest> {
    let mut file = fs_err::File::open(work.join(FILE))?;
    let data = Storage::new().load(&mut file).map_err(|error| anyhow!("geosuggest: {error}"))?;
    let data: &'static EngineData = Box::leak(Box::new(data));
    data.as_engine().map(Geosuggest).map_err(|error| anyhow!("geosuggest: {error}"))
}

/// The engine.
pub struct Geosuggest(Engine<'static>);

impl Peer for Geosuggest {
    fn ask(&self, question: &Question) -> Option<Vec<Answer>> {
        let engine = &self.0;
        let anywhere = None::<&[&str]>;
        match question {
            Question::Autocomplete(text) | Question::Forward(text) => {
                let found = engine.suggest(text, LIMIT, None, anywhere);
                Some(found.into_iter().map(|city| at(city, None)).collect())
            }
            Question::Reverse(point) => {
                let found =
                    engine.reverse((point.lat() as f32, point.lon() as f32), 1, None, anywhere).unwrap_or_default();
                let code = |city| engine.city_country(city).map(|country| country.code.to_string());
                Some(found.into_iter().map(|item| at(item.city, code(item.city))).collect())
            }
            Question::Batch(_) => None,
        }
    }
}

fn at(city: &ArchivedCitiesRecord, country: Option<String>) -> Answer {
    (in_steps(city.latitude.to_native()), in_steps(city.longitude.to_native()), country)
}

fn in_steps(degrees: f32) -> i32 {
    (f64::from(degrees) * 1e5).round() as i32
}
