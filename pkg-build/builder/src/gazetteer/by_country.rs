//! Merges the rows of added files a country at a time, so that memory holds the rows of one country. Places of different
//! countries are never one, but for a place that a row with its id moves to another: it is merged where it was, once, and the areas
//! of its new country are measured without it.
//!
//! Each country is merged without the rows and with them. What differs, the rows have changed; all else is as in the gazetteer
//! of the pinned sources, which some rules of merging look at as a whole.

use std::collections::{BTreeSet, HashMap, HashSet};

use itertools::{EitherOrBoth, Itertools};
use toponym_engine::coverage::CountryFacts;
use toponym_engine::{Capital, Gazetteer, PlaceFacts, Record};

use super::clean_names::Others;
use super::import::{Row, apply};
use super::inputs::Inputs;
use super::merges::Merges;
use super::shared_regions::{Shared, SharedRegions};
use super::{Merged, merge};
use crate::error::BuildError;
use crate::progress;
use crate::sources::rows::Iso2;
use crate::sources::tables::Tables;

/// What rows change in one country.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Ids of the places that are no more.
    gone: Vec<u64>,
    /// New places, and what others are now.
    places: Vec<Changed>,
    country: Iso2,
    /// The regions of several countries as this one makes them now, and which of them its rows have changed.
    shared: (Vec<Record>, BTreeSet<u64>),
    /// The capitals of the areas in it, before and now.
    capitals: [BTreeSet<Capital>; 2],
    /// What is counted in the country, before and now.
    counted: Option<[CountryFacts; 2]>,
    /// Which rows are places that were known.
    merges: Merges,
}

/// A new place, or what another is now.
#[derive(Debug)]
pub(crate) struct Changed {
    pub place: Record,
    pub facts: Option<PlaceFacts>,
    /// The population of a settlement.
    pub people: u64,
}

/// What `rows` change in a country of the pinned sources.
///
/// # Errors
/// When two places have the same id.
pub(crate) fn changes(pinned: &Inputs, shared: &Shared, country: Iso2, rows: Vec<Row>) -> Result<Changes, BuildError> {
    progress::quietly(|| {
        let inputs = pinned.of(country);
        let before = merge(inputs.clone())?;
        let mut with_rows = inputs;
        apply(&mut with_rows, rows.into_iter().map(Ok))?;
        let after = merge(with_rows)?;
        Ok(difference(shared, country, before, after))
    })
}

fn difference(shared: &Shared, country: Iso2, before: Merged, after: Merged) -> Changes {
    let Merged { gazetteer: is, merges, people } = after;
    let was = before.gazetteer;
    let counted = |gazetteer: &Gazetteer| gazetteer.about.countries.iter().find(|facts| facts.code == country).cloned();
    let counted = counted(&was).zip(counted(&is)).map(|(was, is)| [was, is]);
    let capitals = [was.capitals, is.capitals].map(BTreeSet::from_iter);
    let by_place =
        |facts: Vec<PlaceFacts>| facts.into_iter().map(|facts| (facts.place, facts)).collect::<HashMap<_, _>>();
    let (facts_before, mut facts) = (by_place(was.facts), by_place(is.facts));
    let (mut gone, mut places, mut regions) = (Vec::new(), Vec::new(), (Vec::new(), BTreeSet::new()));
    for pair in was.places.into_iter().merge_join_by(is.places, |was, is| was.id.cmp(&is.id)) {
        match pair {
            EitherOrBoth::Both(was, is) if shared.has(is.id) => {
                if was != is {
                    regions.1.insert(is.id);
                }
                regions.0.push(is);
            }
            EitherOrBoth::Left(was) => gone.push(was.id),
            EitherOrBoth::Both(was, is) if was == is && facts_before.get(&is.id) == facts.get(&is.id) => {}
            EitherOrBoth::Both(_, is) | EitherOrBoth::Right(is) => {
                let facts = facts.remove(&is.id);
                let people = people.get(&is.id).copied().unwrap_or(0);
                places.push(Changed { place: is, facts, people });
            }
        }
    }
    Changes { gone, places, country, shared: regions, capitals, counted, merges }
}

/// The gazetteer of the pinned sources while changes are made to it: those of its places that are as they were are handed on in
/// the end.
pub(crate) struct Changing<'g> {
    names: Others<'g>,
    /// Ids of places that have changed.
    changed: HashSet<u64>,
    gone: HashSet<u64>,
    regions: SharedRegions,
    capitals: Vec<Capital>,
    countries: Vec<CountryFacts>,
    merges: Merges,
}

impl<'g> Changing<'g> {
    /// Of a gazetteer, with the tables that it was made with.
    pub fn new(pinned: &'g Gazetteer, tables: &'g Tables) -> Self {
        Self {
            names: Others::new(&pinned.places, &tables.scripts, &tables.kind_words),
            changed: HashSet::new(),
            gone: HashSet::new(),
            regions: SharedRegions::default(),
            merges: Merges::default(),
            capitals: pinned.capitals.clone(),
            countries: pinned.about.countries.clone(),
        }
    }

    /// Makes the changes of a country, and returns its places.
    pub fn make(&mut self, changes: Changes) -> Vec<Changed> {
        let Changes { gone, mut places, country, shared: (regions, changed), capitals, counted, merges } = changes;
        self.gone.extend(gone);
        places.iter_mut().for_each(|changed| self.clean(&mut changed.place));
        self.regions.take(country, regions, &changed);
        self.merges.append(merges);
        self.link(&capitals);
        if let Some(counted) = counted {
            self.count(&counted);
        }
        places
    }

    /// Makes the changes of regions of several countries, when those of all countries are made, and returns them.
    ///
    /// # Errors
    /// When two places have the same id.
    pub fn make_regions(&mut self, pinned: &Inputs, shared: &Shared) -> Result<Vec<Changed>, BuildError> {
        let regions = std::mem::take(&mut self.regions).finish(pinned, shared)?;
        let mut changed: Vec<_> = regions.into_iter().map(|place| Changed { place, facts: None, people: 0 }).collect();
        changed.iter_mut().for_each(|changed| self.clean(&mut changed.place));
        Ok(changed)
    }

    /// Cleans the names of a changed place by the rules that look at the places of all countries.
    fn clean(&mut self, place: &mut Record) {
        self.names.clean(place);
        self.changed.insert(place.id);
    }

    fn link(&mut self, [was, is]: &[BTreeSet<Capital>; 2]) {
        let areas: HashSet<u64> = was.symmetric_difference(is).map(|capital| capital.area).collect();
        self.capitals.retain(|capital| !areas.contains(&capital.area));
        self.capitals.extend(is.iter().filter(|capital| areas.contains(&capital.area)));
    }

    fn count(&mut self, [was, is]: &[CountryFacts; 2]) {
        for country in self.countries.iter_mut().filter(|country| country.code == is.code) {
            let people = country.people_in_places.saturating_add(is.people_in_places);
            country.people_in_places = people.saturating_sub(was.people_in_places).min(country.population);
            country.cities = (country.cities + is.cities).saturating_sub(was.cities);
            let with_sites = country.cities_with_sites + is.cities_with_sites;
            country.cities_with_sites = with_sites.saturating_sub(was.cities_with_sites);
        }
    }

    /// Whether a place of the pinned sources is as it was.
    pub fn is_as_it_was(&self, id: u64) -> bool {
        !self.changed.contains(&id) && !self.gone.contains(&id)
    }

    /// What else of the gazetteer has changed.
    pub fn finish(self) -> Rest {
        let Self { gone, mut capitals, countries, merges, .. } = self;
        capitals.retain(|capital| !gone.contains(&capital.area) && !gone.contains(&capital.city));
        Rest { gone, capitals, countries, merges }
    }
}

/// What is no place of a changed gazetteer.
pub(crate) struct Rest {
    gone: HashSet<u64>,
    capitals: Vec<Capital>,
    countries: Vec<CountryFacts>,
    merges: Merges,
}

impl Rest {
    /// All of a gazetteer but its places, and which rows are places that were known.
    pub fn of(self, pinned: Gazetteer) -> (Gazetteer, Merges) {
        let Self { gone, capitals, countries, merges } = self;
        let mut rest = Gazetteer { places: Vec::new(), facts: Vec::new(), capitals, ..pinned };
        rest.further_countries.retain(|further| !gone.contains(&further.region));
        rest.about.countries = countries;
        (rest, merges)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use toponym_engine::Role;
    use toponym_engine::coverage::Continent;
    use toponym_engine::geo::{Bounds, Coordinate};

    use super::*;
    use crate::added;
    use crate::feature::Feature;
    use crate::gazetteer::import::areas::test_division;
    use crate::gazetteer::{Files, Rows, add, read, test_airport, test_settlement};
    use crate::sources::import::ImportFile;
    use crate::sources::regions::Region;
    use crate::sources::rows::{Airport, Country, Settlement, Tagged};

    /// Two countries, of which each has two cities with parts, in two states, and an airport.
    fn pinned() -> Inputs {
        let lands = [(*b"BE", 50.0), (*b"FR", 47.0)];
        let settlements = lands.iter().zip(0u64..).flat_map(|(&(country, lat), land)| {
            let of = move |number: u64, name: &str, lon: f64, feature: Feature, population: u64| Settlement {
                country,
                feature,
                admin1: if lon < 3.0 { "11".into() } else { "22".into() },
                ..test_settlement(10 + land * 10 + number, name, (lat, lon), population)
            };
            let names = [["Brussel", "Sint", "Gent"], ["Paris", "Luxembourg", "Lyon"]][land as usize];
            [
                of(1, names[0], 2.0, Feature::Capital, 2_000_000),
                of(2, names[1], 2.01, Feature::Section, 20_000),
                of(3, names[2], 4.0, Feature::FirstSeat, 300_000),
            ]
        });
        let country = |(iso2, id): (&Iso2, u64)| Country {
            iso2: *iso2,
            iso3: String::from_utf8_lossy(iso2).into_owned(),
            id,
            name: format!("Land {id}"),
            capital: String::new(),
            area_km2: 100_000.0,
            population: 20_000_000,
            continent: Continent::Europe,
            languages: vec!["fr".into()],
        };
        let state = |(code, id): (&str, u64)| test_division(code, &format!("State {id}"), id, &[]);
        let mut inputs = Inputs {
            settlements: settlements.collect(),
            countries: [(b"BE", 1), (b"FR", 2)].map(country).into(),
            states: [("BE.11", 3), ("BE.22", 4), ("FR.11", 5), ("FR.22", 6)].map(state).into(),
            airports: vec![
                Airport { iata: Some("PAR".into()), ..test_airport("LFPX", "Paris Field", (47.1, 2.1)) },
                Airport { country: *b"BE", iata: Some("BRU".into()), ..test_airport("EBXX", "Brussel", (50.1, 2.1)) },
            ],
            regions: vec![
                region("lake", "Grand Lake", &[*b"BE", *b"FR"]),
                region("sea", "State 3", &[*b"FR", *b"BE"]),
                region("hills", "Hills", &[*b"FR"]),
            ],
            ..Inputs::default()
        };
        let types = [
            ("lake", Role::Landmark),
            ("village", Role::City),
            ("quarter", Role::Quarter),
            ("museum", Role::Landmark),
            ("station", Role::Station),
            ("aerodrome", Role::Airport),
        ];
        inputs.tables.types = types.map(|(name, role)| (name.to_owned(), role)).into();
        inputs
    }

    /// A region around all places of [`pinned`].
    fn region(slug: &str, name: &str, countries: &[Iso2]) -> Region {
        Region {
            slug: slug.into(),
            name: name.into(),
            names: vec![Tagged { text: format!("{name} (nl)"), lang: "nl".into() }],
            words: Vec::new(),
            countries: countries.to_vec(),
            category: "water".into(),
            r#type: "lake".into(),
            position: Coordinate::new(48.5, 3.0).expect("it is on the globe"),
            bounds: Bounds { south: 46.0, north: 51.0, west: 1.0, east: 5.0 },
            prominence: 2,
        }
    }

    /// Rows of all kinds: of known places, by name, id or code, and of others, of which some have one name.
    fn own() -> String {
        const NAMES: [&str; 6] = ["Ville", "Paris", "Brussel", "Sint", "Älmé", "Gent"];
        const TYPES: [&str; 5] = ["village", "quarter", "museum", "station", "aerodrome"];
        let mut rng = fastrand::Rng::with_seed(3);
        let row = |at: usize| {
            let (land, lat) = if rng.bool() { ("FR", 47.0) } else { ("BE", 50.0) };
            // Some lie where a known place lies, and have its name.
            let spread = if rng.bool() { 0.01 } else { 1.0 };
            let (lat, lon) = (lat + spread * rng.f64() / 10.0, 2.0 + spread * 2.0 * rng.f64());
            let name = format!("{} {}", NAMES[rng.usize(..6)], rng.u32(..4)).replace(" 0", "");
            format!("{at},{name},{land},{lat},{lon},{},{},,\n", TYPES[at % 5], rng.u32(..50_000))
        };
        let rows: String = (0..400).map(row).collect();
        // In both countries, what a region of both is called.
        let lakes = "l,Grand Lake,FR,47.1,2.5,lake,,,fr:Grand Lac\nm,Grand Lake,BE,50.1,2.5,lake,,,af:Groot Meer\n";
        let header = "id,name,country,lat,lon,type,population,geonameid,names\n";
        format!("{header}{rows}{lakes}y,Gand,BE,50.0,4.0,village,300001,13,\n")
    }

    /// What is made of the pinned rows and a file.
    struct Made {
        places: Vec<(Record, Option<PlaceFacts>)>,
        rest: Gazetteer,
        merges: Merges,
    }

    fn files(own: &str) -> Files {
        let file = ImportFile::InMemory("own.csv".into(), own.to_owned().into());
        Files::recognise([file]).expect("it has the plain schema")
    }

    fn facts(id: u64, of: &[PlaceFacts]) -> Option<PlaceFacts> {
        of.iter().find(|facts| facts.place == id).cloned()
    }

    fn all_at_once(own: &str) -> Made {
        let mut inputs = pinned();
        add(&mut inputs, &files(own), None, Path::new("nowhere")).expect("every row is whole");
        let Merged { gazetteer, merges, .. } = merge(inputs).expect("the rows are whole");
        let places = gazetteer.places.iter().map(|place| (place.clone(), facts(place.id, &gazetteer.facts))).collect();
        Made { places, rest: gazetteer, merges }
    }

    fn one_by_one(own: &str) -> Made {
        let mut inputs = pinned();
        let before = merge(inputs.clone()).expect("the rows are whole").gazetteer;
        let mut rows = Rows::new(Path::new("nowhere"));
        read(&mut inputs, &files(own), None, |country, row| rows.push(country, row)).expect("every row is whole");
        let mut changing = Changing::new(&before, &inputs.tables);
        let mut places = Vec::new();
        let take = |Changed { place, facts, .. }| {
            places.push((place, facts));
            Ok(())
        };
        added::merge(&inputs, rows, &mut changing, take).expect("the rows are whole");
        let as_they_were = before.places.iter().filter(|place| changing.is_as_it_was(place.id));
        places.extend(as_they_were.map(|place| (place.clone(), facts(place.id, &before.facts))));
        places.sort_by_key(|(place, _)| place.id);
        let (rest, merges) = changing.finish().of(before.clone());
        Made { places, rest, merges }
    }

    #[test]
    fn countries_one_by_one_make_what_all_of_them_make() {
        let own = own();
        let (all, found) = (all_at_once(&own), one_by_one(&own));
        assert!(found.places.len() > 200 && found.places.len() < 420, "{}", found.places.len());
        for (found, expect) in found.places.iter().zip(&all.places) {
            assert_eq!(found, expect);
        }
        assert_eq!(found.places.len(), all.places.len());
        let lake = found.places.iter().find(|(place, _)| place.names[0].text == "Grand Lake").expect("it is there");
        let names: Vec<&str> = lake.0.names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(names, ["Grand Lake", "Grand Lake (nl)", "Groot Meer", "Grand Lac"]);
        let capitals = |made: &Made| made.rest.capitals.iter().copied().collect::<BTreeSet<_>>();
        // Rows that are no capitals took the place of the others.
        assert_eq!((capitals(&found).len(), capitals(&found)), (4, capitals(&all)));
        assert_eq!(found.rest.about.countries, all.rest.about.countries);
        let lines = |made: &Made| {
            let csv = String::from_utf8(made.merges.csv()).expect("it is text");
            csv.lines().map(str::to_owned).collect::<BTreeSet<_>>()
        };
        assert!(lines(&found).len() > 6, "{:?}", lines(&found));
        assert_eq!(lines(&found), lines(&all));
        // Each merge makes one place of two.
        let (known, rows) =
            (merge(pinned()).expect("the rows are whole").gazetteer.places.len(), own.lines().count() - 1);
        assert_eq!(lines(&all).len() - 1, known + rows - all.places.len());
    }

    #[test]
    fn a_place_that_changes_its_country_is_there_once() {
        let own = "id,name,country,lat,lon,type,geonameid\nx,Parijs,BE,50.2,2.0,village,21\n";
        let found = one_by_one(own);
        let of_it: Vec<&Record> = found.places.iter().map(|(place, _)| place).filter(|place| place.id == 21).collect();
        let [place] = of_it[..] else { panic!("it is there {} times", of_it.len()) };
        assert_eq!((place.names[0].text.as_str(), &place.country), ("Parijs", b"BE"));
    }

    /// The other country is merged as it is.
    #[test]
    fn a_region_of_two_countries_changes_by_a_row_in_one() {
        let own = "id,name,country,lat,lon,type,names\nl,Grand Lake,FR,47.1,2.5,lake,fr:Grand Lac\n";
        let found = one_by_one(own);
        assert_eq!(found.places, all_at_once(own).places);
        assert!(found.places.iter().any(|(place, _)| place.names.iter().any(|name| name.text == "Grand Lac")));
    }

    #[test]
    fn without_rows_nothing_changes() {
        let header = "id,name,country,lat,lon,type\n";
        assert_eq!(one_by_one(header).places, all_at_once(header).places);
    }
}
