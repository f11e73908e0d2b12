//! Reads the project's own schema: one place per row of a CSV file, per feature of a GeoJSON file, or per line of JSON
//! objects. The fields are the same in all three; `data/ADDING.md` documents them, and `data/curated` uses them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toponym_engine::Role;
use toponym_engine::geo::{Bounds, Coordinate, METRES_PER_DEGREE};

use super::adapters::{ADAPTERS, Adapter, Classes, adapter_of};
use super::features::{each_feature, without_line};
use super::format::Layout;
use super::geometry::shape;
use super::languages::Languages;
use super::own_ids::OwnIds;
use super::row_reader::{Fault, coordinate, country, each_line, each_record, fault, geoname, number};
use super::source::IdSpace;
use super::{Format, ImportFile, columns};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::ids::{Namespace, hash_id};
use crate::importance::{self, TOP_PROMINENCE};
use crate::sources::airportsdata::code;
use crate::sources::rows::{Airport, Iso2, Origin, RankedName, Settlement, Site, Tagged, Usage};
use crate::sources::tagged_names::parse_tagged;
use crate::text::{Interner, key};

/// Default prominence of a site, the least: what another source knows is kept.
const PROMINENCE: &str = "1";

/// Maximum radius; larger ones are mistakes.
const LARGEST_EXTENT_M: f64 = 1e6;

/// Population that a settlement of type city or town counts as, if none is given.
const PEOPLE: [(&str, u64); 2] = [("city", 100_000), ("town", 10_000)];

/// Population that a settlement with a prominence counts as, if none is given.
const PEOPLE_OF_PROMINENCE: [u64; TOP_PROMINENCE as usize] = [1_000, 3_000, 10_000, 30_000, 100_000];

/// Decimal places of a coordinate in a generated id: about a hundred metres.
const ID_DIGITS: usize = 3;

/// A place of the schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Item {
    Settlement(Settlement),
    Airport(Airport),
    Site(Site),
}

/// A place and its row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    /// Line of the row, or of the beginning of the feature.
    pub line: u64,
    /// The precedence of its file.
    pub origin: Origin,
    /// Number of its file.
    pub file: u32,
    /// Id of the place among all files.
    pub id: String,
    pub item: Item,
}

/// The context for reading rows.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'t> {
    pub types: &'t BTreeMap<String, Role>,
    /// Types of the places of other projects.
    pub classes: &'t Classes,
    pub countries: &'t BTreeSet<Iso2>,
    /// The country of a point, for places of projects that do not write it.
    pub country_at: &'t dyn Fn(Coordinate) -> Option<Iso2>,
    /// The languages of names so far.
    pub languages: &'t Languages,
    pub origin: Origin,
    /// Space of the ids of the file.
    pub ids: &'t IdSpace,
}

/// Facts that a source has of a place beside the fields of the schema.
#[derive(Clone, Debug, Default)]
struct Further {
    /// Bounds of a shape that is more than a point.
    bounds: Option<Bounds>,
    weak_names: Vec<RankedName>,
}

/// The value of a field, empty where the row has none.
type Field<'f> = dyn Fn(&str) -> String + 'f;

impl Schema<'_> {
    /// Calls `keep` with every place of a file. Returns the number of invalid rows.
    pub fn read(
        self,
        format: Format,
        file: &ImportFile,
        ids: &mut OwnIds,
        mut keep: impl FnMut(Placed),
    ) -> Result<u64, BuildError> {
        ids.begin(&file.name());
        let adapter = match format {
            Format::Adapted(adapter, _) => Some(&ADAPTERS[adapter]),
            _ => None,
        };
        match format.layout() {
            Some(Layout::Csv) => {
                each_record(file, columns::rename_headers, |line, field| self.place(line, field, ids).map(&mut keep))
            }
            Some(Layout::Features) => each_feature(file, |line, feature| {
                self.object(line, feature, adapter, ids).map(|placed| placed.into_iter().for_each(&mut keep))
            }),
            _ => each_line(file, |line, text| {
                // Around and between the objects of a list, as in Wikidata's dump, and before those of a sequence.
                let text = text.trim_start_matches('\u{1e}').trim().trim_end_matches(',');
                if matches!(text, "[" | "]" | "") {
                    return Ok(());
                }
                let value: Value = serde_json::from_str(text)
                    .map_err(|error| fault("", format!("{}: write one JSON object per line", without_line(&error))))?;
                self.object(line, &value, adapter, ids).map(|placed| placed.into_iter().for_each(&mut keep))
            }),
        }
    }

    /// Reads a plain object, a GeoJSON feature with the fields among its properties, or a place of the source of an adapter.
    /// `None` if it is one that is not imported.
    fn object(
        self,
        line: u64,
        value: &Value,
        adapter: Option<&Adapter>,
        ids: &mut OwnIds,
    ) -> Result<Option<Placed>, Fault> {
        Self::refuse_others(value, adapter)?;
        let found = adapter.map(|adapter| (adapter.read)(value, self.classes));
        if found == Some(None) {
            return Ok(None);
        }
        let found = found.flatten();
        let is_feature = value["type"] == "Feature";
        let plain = if is_feature { &value["properties"] } else { value };
        let properties = found.as_ref().map_or(plain, |place| &place.fields);
        if !properties.is_object() {
            return Err(fault("", "must be a JSON object with the fields of the place"));
        }
        let shape = is_feature.then(|| shape(&value["geometry"])).transpose()?;
        let names = names_of(&properties["names"])?;
        let own = |name: &str| text(columns::value(properties, name));
        let country = || {
            let at = coordinate(("lat", &own("lat")), ("lon", &own("lon"))).ok();
            let at = shape.map(|shape| shape.point).or(at);
            at.and_then(self.country_at).map(|code| String::from_utf8_lossy(&code).into_owned()).unwrap_or_default()
        };
        let field = |name: &str| match (name, shape) {
            ("lat", Some(shape)) => shape.point.lat().to_string(),
            ("lon", Some(shape)) => shape.point.lon().to_string(),
            ("names", _) => names.clone(),
            ("id", _) if own("id").is_empty() && is_feature => text(&value["id"]),
            ("country", _) if found.is_some() && own("country").is_empty() => country(),
            _ => own(name),
        };
        let weak_names: Vec<Tagged> = found.as_ref().map(|place| place.weak_names.clone()).unwrap_or_default();
        let known = weak_names.iter().filter(|name| !name.lang.is_empty());
        known.map(|name| &name.lang).try_for_each(|lang| self.languages.take("names", lang))?;
        let weak_names = weak_names.into_iter().map(|name| RankedName { name, usage: Usage::Weak }).collect();
        let further = Further { bounds: shape.and_then(|shape| shape.bounds), weak_names };
        self.place_with(line, &field, further, ids).map(Some)
    }

    /// Refuses an object of another source: the first place of a file says which is its own, and so whom to credit.
    fn refuse_others(value: &Value, adapter: Option<&Adapter>) -> Result<(), Fault> {
        let expected = match adapter {
            Some(adapter) if !(adapter.is_one)(value) => adapter.name,
            None if adapter_of(value).is_some() => "the plain schema",
            _ => return Ok(()),
        };
        let message =
            format!("is not a place of {expected}, as the first one of the file: give each source a file of its own");
        Err(fault("", message))
    }

    /// Reads a row as if it were a site, for its position and names.
    pub fn as_site(self, field: &Field) -> Result<Site, Fault> {
        let row = self.row(field)?;
        row.site(field("id"), field("type"), self.origin, field)
    }

    fn row(self, field: &Field) -> Result<Row, Fault> {
        if let Some(missing) = columns::REQUIRED.into_iter().find(|name| field(name).is_empty()) {
            return Err(fault(missing, format!("is missing: fill the column {}", columns::describe_field(missing))));
        }
        let tagged = parse_tagged(&field("names")).map_err(|entry| {
            fault("names", format!("{entry:?} is not of the form fr:Nom|de:Name: put its language first"))
        })?;
        tagged.iter().try_for_each(|name| self.languages.take("names", &name.lang))?;
        Ok(Row {
            name: super::row_reader::name("name", &field("name"))?,
            tagged,
            further: Further::default(),
            position: coordinate(("lat", &field("lat")), ("lon", &field("lon")))?,
            country: self.country(&field("country"))?,
            geonames: Some(field("geonameid"))
                .filter(|id| !id.is_empty())
                .map(|id| geoname("geonameid", &id))
                .transpose()?,
        })
    }

    /// Reads the place of a row.
    pub fn place(self, line: u64, field: &Field, ids: &mut OwnIds) -> Result<Placed, Fault> {
        self.place_with(line, field, Further::default(), ids)
    }

    fn place_with(self, line: u64, field: &Field, further: Further, ids: &mut OwnIds) -> Result<Placed, Fault> {
        let row = Row { further, ..self.row(field)? };
        let id = self.id(&row, &field("id"), ids)?;
        let r#type = field("type");
        let geonames = row.geonames;
        let position = row.position;
        let item = match self.types.get(&r#type) {
            Some(Role::City | Role::Quarter) => row.settlement(&id, &r#type, self.origin, field).map(Item::Settlement),
            Some(Role::Airport) => row.airport(id.clone(), field).map(Item::Airport),
            Some(Role::Station | Role::Landmark) => row.site(id.clone(), r#type, self.origin, field).map(Item::Site),
            _ => Err(fault(
                "type",
                format!(
                    "{type:?} is not a type of data/tables/place-types.csv: write one of them, such as {}",
                    self.like(&r#type)
                ),
            )),
        }?;
        ids.take(&id, line, position)?;
        if let Some(own) = geonames {
            ids.refuse_area(own)?;
            let slug = super::geonames_table::slug(own);
            if slug != id {
                ids.take(&slug, line, position).map_err(|again| Fault { field: "geonameid".to_owned(), ..again })?;
            }
        }
        Ok(Placed { line, origin: self.origin, file: ids.file(), id, item })
    }

    /// Returns the id of a row among all sources. A global id is that of the place, whatever the file is called.
    fn id(self, row: &Row, own: &str, ids: &OwnIds) -> Result<String, Fault> {
        match self.ids {
            IdSpace::File => Ok(row.id(own, ids)),
            IdSpace::Global(_) if own.is_empty() => Err(fault("id", "is missing: each place of this source has one")),
            IdSpace::Global(space) => Ok(format!("{space}-{own}")),
        }
    }

    /// Finds the known type that is most like this one.
    fn like(&self, r#type: &str) -> &str {
        self.types
            .keys()
            .min_by_key(|known| strsim::damerau_levenshtein(&r#type.to_lowercase(), known))
            .map_or("village", String::as_str)
    }

    fn country(self, text: &str) -> Result<Iso2, Fault> {
        let code = country("country", text)?;
        let known = self.countries.contains(&code);
        if known {
            Ok(code)
        } else {
            Err(fault(
                "country",
                format!(
                    "{text:?} is not a known country: write its ISO 3166-1 code, or add its countryInfo.txt as well"
                ),
            ))
        }
    }
}

/// Fields common to all types.
struct Row {
    name: String,
    tagged: Vec<Tagged>,
    position: Coordinate,
    country: Iso2,
    geonames: Option<u64>,
    further: Further,
}

impl Row {
    /// Returns the row's id in its file, else the GeoNames id, else one made from country, name and position.
    fn id(&self, own: &str, ids: &OwnIds) -> String {
        match (own, self.geonames) {
            ("", Some(id)) => super::geonames_table::slug(id),
            ("", None) => {
                let country = String::from_utf8_lossy(&self.country);
                let name = key(&self.name).replace(' ', "-");
                let lat = self.position.lat();
                let lon = self.position.lon();
                format!("{country}-{name}-{lat:.ID_DIGITS$}-{lon:.ID_DIGITS$}")
            }
            _ => ids.in_file(own),
        }
    }

    /// Returns the radius of the bounds.
    fn extent(&self) -> Option<f64> {
        self.further.bounds.map(radius)
    }

    fn settlement(self, id: &str, r#type: &str, origin: Origin, field: &Field) -> Result<Settlement, Fault> {
        let mut interner = Interner::default();
        let population = field("population");
        let usual = match field("prominence").as_str() {
            "" => PEOPLE.iter().find(|(name, _)| *name == r#type).map_or(0, |(_, people)| *people),
            given => PEOPLE_OF_PROMINENCE[usize::from(prominence(given)? - 1)],
        };
        let (population, counts_as) =
            if population.is_empty() { (0, usual) } else { (number("population", &population)?, 0) };
        let is_part = matches!(r#type, "suburb" | "quarter");
        Ok(Settlement {
            id: self.geonames.unwrap_or_else(|| hash_id(Namespace::Place, id)),
            population,
            counts_as,
            feature: if is_part { Feature::Section } else { Feature::Place },
            name: self.name,
            alternates: Vec::new(),
            tagged: self.tagged,
            ranked: self.further.weak_names,
            position: self.position,
            country: self.country,
            admin1: interner.share(&field("admin1")),
            admin2: interner.share(&field("admin2")),
            timezone: interner.share(""),
            bounds: self.further.bounds.map(Box::new),
            has_own_name: origin == Origin::Operator,
        })
    }

    fn airport(self, ident: String, field: &Field) -> Result<Airport, Fault> {
        let coded = |name: &str, length| match field(name) {
            text if text.is_empty() => Ok(None),
            text => code(&text, length).map(Some).ok_or_else(|| {
                fault(
                    name,
                    format!("must be a code of {length} capital letters, not {text:?}: correct it or leave it empty"),
                )
            }),
        };
        Ok(Airport {
            served: String::new(),
            has_flights: None,
            is_large: false,
            iata: coded("iata", 3)?,
            icao: coded("icao", 4)?,
            metropolis: None,
            alternates: self.tagged.into_iter().map(|name| name.text).collect(),
            weak_names: self.further.weak_names.into_iter().map(|weak| weak.name.text).collect(),
            city: field("city"),
            name: self.name,
            country: self.country,
            position: self.position,
            ident,
        })
    }

    fn site(self, slug: String, r#type: String, origin: Origin, field: &Field) -> Result<Site, Fault> {
        let given = |name: &str| Some(field(name)).filter(|text| !text.is_empty());
        let prominence = prominence(given("prominence").as_deref().unwrap_or(PROMINENCE))?;
        let extent_m = match given("extent_m") {
            Some(text) => Some(number::<f64>("extent_m", &text)?),
            None => self.extent(),
        };
        if let Some(extent_m) = extent_m.filter(|&extent_m| !(extent_m > 0.0 && extent_m <= LARGEST_EXTENT_M)) {
            return Err(fault(
                "extent_m",
                format!("must be a radius of 1 to {LARGEST_EXTENT_M} metres, not {extent_m}"),
            ));
        }
        Ok(Site {
            slug,
            origin,
            name: self.name,
            tagged: self.tagged,
            ranked: self.further.weak_names,
            alternates: Vec::new(),
            merged: Vec::new(),
            country: self.country,
            city: field("city"),
            position: self.position,
            r#type,
            prominence: importance::prominence(prominence),
            extent_m,
            bounds: self.further.bounds.map(Box::new),
        })
    }
}

fn radius(bounds: Bounds) -> f64 {
    let middle = (bounds.south + bounds.north) / 2.0;
    let width = (bounds.east - bounds.west).rem_euclid(360.0) * libm::cos(middle.to_radians());
    (width.max(bounds.north - bounds.south) / 2.0 * METRES_PER_DEGREE).clamp(1.0, LARGEST_EXTENT_M)
}

fn prominence(text: &str) -> Result<u8, Fault> {
    let prominence = number("prominence", text)?;
    let is_known = (1..=TOP_PROMINENCE).contains(&prominence);
    if is_known {
        Ok(prominence)
    } else {
        Err(fault(
            "prominence",
            format!(
                "{prominence} is not in 1 to {TOP_PROMINENCE}: write 1 for local, {TOP_PROMINENCE} for known worldwide"
            ),
        ))
    }
}

/// Reads names as text, or as an object from language to a name or several.
fn names_of(value: &Value) -> Result<String, Fault> {
    let Value::Object(languages) = value else { return Ok(text(value)) };
    let mut entries = Vec::new();
    for (lang, names) in languages {
        let names = names.as_array().map_or_else(|| vec![text(names)], |names| names.iter().map(text).collect());
        if let Some(name) = names.iter().find(|name| name.contains('|')) {
            return Err(fault("names", format!("{name:?} has a bar in it: write several names as a list")));
        }
        entries.extend(names.into_iter().filter(|name| !name.is_empty()).map(|name| format!("{lang}:{name}")));
    }
    Ok(entries.join("|"))
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::test_import;
    use super::*;

    const HEADER: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m,population,iata,geonameid\n";

    fn read(name: &str, text: &str) -> Result<Vec<Item>, BuildError> {
        read_all(&[(name, text)])
    }

    fn read_all(files: &[(&str, &str)]) -> Result<Vec<Item>, BuildError> {
        let types =
            [("museum", Role::Landmark), ("station", Role::Station), ("town", Role::City), ("airport", Role::Airport)];
        let types = types.map(|(name, role)| (name.to_owned(), role)).into();
        let countries = BTreeSet::from([*b"FR"]);
        let classes = Classes::new();
        let country_at = |_| None;
        let languages = Languages::default();
        let schema = Schema {
            types: &types,
            classes: &classes,
            countries: &countries,
            country_at: &country_at,
            languages: &languages,
            origin: Origin::Operator,
            ids: &IdSpace::File,
        };
        let mut items = Vec::new();
        let mut ids = OwnIds::default();
        for (name, text) in files {
            let format = match name.rsplit('.').next() {
                Some("csv") => Format::Plain(Layout::Csv),
                Some("geojson") => Format::Plain(Layout::Features),
                _ => Format::Plain(Layout::Lines),
            };
            schema.read(format, &test_import(name, (*text).to_owned()), &mut ids, |placed| items.push(placed.item))?;
        }
        Ok(items)
    }

    fn describe(item: &Item) -> String {
        match item {
            Item::Settlement(s) => {
                format!("settlement {} {} {}/{}{}", s.id, s.name, s.population, s.counts_as, names(&s.tagged))
            }
            Item::Airport(a) => format!("airport {} {} {:?} {}", a.ident, a.name, a.iata, a.alternates.join("|")),
            Item::Site(s) => {
                format!(
                    "{} {} {} {} {:.2}{}",
                    s.r#type,
                    s.slug,
                    s.name,
                    s.position.lat(),
                    s.prominence,
                    names(&s.tagged)
                )
            }
        }
    }

    fn names(tagged: &[Tagged]) -> String {
        tagged.iter().map(|name| format!(" {}:{}", name.lang, name.text)).collect::<String>()
    }

    #[test]
    fn one_schema_in_three_formats() {
        let csv = "a,Musée,fr:Le Musée|en:The Museum,FR,Paris,48.5,2.5,museum,3,100,,,\n\
                   ,Gare,,FR,,48.5,2.5,station,,,,,\n\
                   ,Ville,,FR,,48.5,2.5,town,,,,,\n\
                   ,Bourg,,FR,,48.5,2.5,town,,,77,,123\n\
                   x,Aéroport,fr:Le Terrain,FR,,48.5,2.5,airport,,,,CDG,\n";
        let objects = [
            r#"{"id": "a", "name": "Musée", "names": {"fr": "Le Musée", "en": ["The Museum"]}, "country": "FR", "city": "Paris", LATLON "type": "museum", "prominence": 3, "extent_m": 100}"#,
            r#"{"name": "Gare", "country": "FR", LATLON "type": "station"}"#,
            r#"{"name": "Ville", "country": "FR", LATLON "type": "town"}"#,
            r#"{"name": "Bourg", "country": "FR", LATLON "type": "town", "population": 77, "geonameid": 123}"#,
            r#"{"id": "x", "name": "Aéroport", "names": "fr:Le Terrain", "country": "FR", LATLON "type": "airport", "iata": "CDG"}"#,
        ];
        let lines = objects.map(|object| object.replace("LATLON", "\"lat\": 48.5, \"lon\": 2.5,")).join("\n");
        let features = objects.map(|object| {
            format!(r#"{{"type": "Feature", "geometry": {{"type": "Point", "coordinates": [2.5, 48.5, 7]}}, "properties": {}}}"#, object.replace("LATLON", ""))
        });
        let geojson =
            format!(r#"{{"type": "FeatureCollection", "crs": {{"a": [1]}}, "features": [{}]}}"#, features.join(",\n"));
        let expect = [
            "museum a/a Musée 48.5 0.50 fr:Le Musée en:The Museum",
            "station FR-gare-48.500-2.500 Gare 48.5 0.00",
            "settlement 123 Bourg 77/0",
            "airport a/x Aéroport Some(\"CDG\") Le Terrain",
        ];
        let by_language = |row: &str| row.replace("en:The Museum fr:Le Musée", "fr:Le Musée en:The Museum");
        for (name, text) in [("a.csv", format!("{HEADER}{csv}")), ("a.ndjson", lines), ("a.geojson", geojson)] {
            let found: Vec<String> = sorted_items(name, &text).iter().map(|row| by_language(row)).collect();
            assert_eq!(found[..2], expect[..2], "{name}");
            assert!(found[2].starts_with("settlement ") && found[2].ends_with(" Ville 0/10000"), "{found:?}");
            assert_eq!(found[3..], expect[2..], "{name}");
        }
    }

    fn sorted_items(name: &str, text: &str) -> Vec<String> {
        let items = read(name, text).expect("the rows are whole");
        items.iter().map(describe).collect::<Vec<_>>()
    }

    #[test]
    fn broken_rows_are_named() {
        check_broken_row("a,A,,FR,,48.8,2.2,museum,6,100,,,", "line 2, field prominence: 6");
        check_broken_row("a,A,,FR,,48.8,2.2,museum,x,100,,,", "line 2, field prominence");
        check_broken_row("a,A,Tour,FR,,48.8,2.2,museum,5,100,,,", "line 2, field names: \"Tour\"");
        check_broken_row("a,A,,FR,,48.8,2.2,museum,5,0,,,", "line 2, field extent_m");
        check_broken_row("a,,,FR,,48.8,2.2,museum,5,9,,,", "line 2, field name: is missing");
        check_broken_row("a,A,,FR,,48.8,182.2,museum,5,9,,,", "line 2, field lon");
        check_broken_row("a,A,,FR,,48.8,2.2,pub,5,9,,,", "line 2, field type: \"pub\"");
        check_broken_row("a,A,,XX,,48.8,2.2,museum,5,9,,,", "line 2, field country");
        check_broken_row("a,A,,FR,,48.8,2.2,airport,,,,cdg,", "line 2, field iata");
        check_broken_row("a,A,,FR,,48.8,2.2,town,,,,,0", "line 2, field geonameid: 0 is not in 1 to");
        check_broken_row("a,♥,,FR,,48.8,2.2,museum,5,9,,,", "line 2, field name: \"♥\" has no letter");
        for (long, part) in
            [("A".repeat(201), "201 bytes and 201 letters"), ("ß".repeat(101), "202 bytes and 202 letters")]
        {
            check_broken_row(&format!("a,{long},,FR,,48.8,2.2,museum,5,9,,,"), part);
        }
        check_broken_row(
            &format!("a,{},,FR,,48.8,2.2,museum,5,9,,,", "国".repeat(86)),
            "258 bytes and 86 letters; 255 bytes or 200",
        );
        check_broken_row("a,A,,FR", "line 2");
        let good = "a,A,,FR,,48.8,2.2,museum,5,9,,,\n";
        let message = read("a.csv", &format!("{HEADER}{good}{good}")).expect_err("an id is there twice").to_string();
        assert!(message.contains("line 3, field id"), "{message:?}");
    }

    fn check_broken_row(row: &str, part: &str) {
        let message = read("a.csv", &format!("{HEADER}{row}\n")).expect_err("the row is broken").to_string();
        assert!(message.contains("1 of 1 rows") && message.contains(part), "no {part:?} in {message:?}");
    }

    #[test]
    fn broken_json_is_named() {
        check_broken_json("a.ndjson", "{\"name\": \n", "line 1: EOF");
        check_broken_json("a.geojson", "{\"type\": \"FeatureCollection\"}", "no list of features");
        check_broken_json("a.geojson", "{\"features\": [{\"type\": \"Feature\"", "line 1, column");
        let line = r#"{"features": [{"type": "Feature", "geometry": {"type": "LineString"}, "properties": {}}]}"#;
        check_broken_json("a.geojson", line, "line 1, feature 1, field geometry: is not GeoJSON");
        check_broken_json("a.geojson", r#"{"features": [7]}"#, "line 1, feature 1: must be a JSON object");
    }

    fn check_broken_json(name: &str, text: &str, part: &str) {
        let message = read(name, text).expect_err("it is broken").to_string();
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
}
