//! Reads the small hand-written tables in `data/tables`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use serde::Deserialize;
use toponym_engine::{NameClass, Role};
use unicode_script::Script;

use super::File;
use super::rows::{Alias, Tagged};
use super::tagged_names::parse_tagged;
use crate::error::BuildError;
use crate::importance::{self, TOP_PROMINENCE};
use crate::lexicon::{self, role};
use crate::text::script;

/// The contents of all tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// `country-aliases.csv`.
    pub countries: Vec<Alias>,
    /// `city-aliases.csv`.
    pub cities: Vec<Alias>,
    /// `timezone-aliases.csv`: from CLDR's id of a zone to today's.
    pub zones: BTreeMap<String, String>,
    /// `language-scripts.csv`: the scripts a language is written in, where they are not Latin alone.
    pub scripts: HashMap<String, Vec<Script>>,
    /// `state-codes.csv`: from GeoNames' code of a first-level division (`DE.13`) to ISO 3166-2 (`DE-SN`), for those
    /// that cannot be matched by name.
    pub states: BTreeMap<String, String>,
    /// `famous-divisions.csv`: how well known divisions are beyond their size, from 1 to 5 as for regions, by GeoNames' code.
    pub famous: BTreeMap<String, u8>,
    /// `division-abbreviations.csv`: what people write for divisions in short, by GeoNames' code.
    pub abbreviations: BTreeMap<String, Vec<String>>,
    /// `english-divisions.csv`: what divisions are called in English, by GeoNames' code, where no rule says it.
    pub english_divisions: BTreeMap<String, String>,
    /// `hub-airports.csv`: the IATA codes of the world's busiest airports, each with that of a busier one of the same city.
    pub hubs: BTreeMap<String, Option<String>>,
    /// `airport-names.csv`: additional names of airports, by IATA code.
    pub airports: BTreeMap<String, Vec<Tagged>>,
    /// `division-words.csv`.
    pub words: Vec<DivisionWord>,
    /// `name-additions.csv`.
    pub additions: Vec<AdditionWord>,
    /// `place-types.csv`: the engine's role for each type of the plain schema.
    pub types: BTreeMap<String, Role>,
    /// `kind-words.csv`: the words for kinds of any role, folded.
    pub kind_words: BTreeSet<String>,
    /// `kind-words.csv`: the words for kinds of landmarks, folded.
    pub landmarks: BTreeSet<String>,
    /// `kind-words.csv`: the words for kinds of regions, folded.
    pub regions: BTreeSet<String>,
    /// `place-types.csv`: the group of each type. Places of different groups are never the same.
    pub groups: BTreeMap<String, String>,
    /// `foreign-classes.csv`: the type of a place by its project and class there, `geonames:S.MUS`.
    pub classes: BTreeMap<String, String>,
    /// `foreign-classes.csv`: how many other names a place of the class must have to be imported.
    pub least_names: BTreeMap<String, usize>,
}

/// A word for a kind of division that stands before or after its name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct DivisionWord {
    pub word: String,
    pub position: Position,
    /// Effect on the display name, which may lose the word.
    pub display: Display,
    /// The country it applies to; every country if empty.
    pub country: String,
}

/// Position of a word in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Position {
    Prefix,
    Suffix,
}

/// A word that sources add to the name of a settlement.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct AdditionWord {
    pub word: String,
    pub place: Place,
    /// The language that uses it.
    pub language: String,
}

/// Position of a word that is added to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    Before,
    Behind,
    /// Between the name and another one.
    Between,
}

/// Effect of a word on the display name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Display {
    Keep,
    Drop,
}

#[derive(Deserialize)]
struct AliasRow {
    country: String,
    #[serde(default)]
    place: String,
    name: String,
    lang: String,
    class: Class,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Class {
    Primary,
    English,
    Other,
    Weak,
    /// A name in English by which labels show the place.
    Shown,
}

/// The column `name` is for readers of the table.
#[derive(Deserialize)]
struct FameRow {
    division: String,
    prominence: u8,
}

#[derive(Deserialize)]
struct StateRow {
    division: String,
    subdivision: String,
}

#[derive(Deserialize)]
struct TypeRow {
    r#type: String,
    role: String,
    group: String,
}

#[derive(Deserialize)]
struct ClassRow {
    class: String,
    r#type: String,
    least_names: usize,
}

/// The column `name` is for readers of the table.
#[derive(Deserialize)]
struct AbbreviationRow {
    division: String,
    abbreviations: String,
}

#[derive(Deserialize)]
struct EnglishRow {
    division: String,
    name: String,
}

#[derive(Deserialize)]
struct HubRow {
    iata: String,
    busier: Option<String>,
}

#[derive(Deserialize)]
struct AirportRow {
    iata: String,
    names: String,
}

#[derive(Deserialize)]
struct ZoneRow {
    zone: String,
    today: String,
}

#[derive(Deserialize)]
struct ScriptRow {
    language: String,
    scripts: String,
}

/// Returns the path of a table below the root.
fn path_of(table: &str) -> String {
    format!("data/tables/{table}.csv")
}

impl Tables {
    /// Returns the importance that a division has by its fame alone; 0 if the table does not list it.
    pub fn fame(&self, division: &str) -> f64 {
        self.famous.get(division).map_or(0.0, |&of_five| importance::famous_division(importance::prominence(of_five)))
    }

    /// Fails if the table of fame lists a division that the data does not have.
    pub fn check_famous(&self, divisions: &BTreeSet<&str>) -> Result<(), BuildError> {
        match self.famous.keys().find(|code| !divisions.contains(code.as_str())) {
            None => Ok(()),
            Some(code) => Err(BuildError::Row {
                file: path_of("famous-divisions"),
                at: "field division".to_owned(),
                message: format!("{code:?} is not a division of the data; correct the code, or remove the row"),
            }),
        }
    }

    /// Reads them below `root`.
    pub fn read(root: &Path) -> Result<Self, BuildError> {
        let table = |name: &str| File::read(root, &path_of(name));
        let zones = table("timezone-aliases")?.csv::<ZoneRow>()?;
        let words = table("division-words")?.csv::<DivisionWord>()?;
        let additions = table("name-additions")?.csv::<AdditionWord>()?;
        let short = table("division-abbreviations")?.csv::<AbbreviationRow>()?;
        let english = table("english-divisions")?.csv::<EnglishRow>()?;
        let hubs = table("hub-airports")?.csv::<HubRow>()?;
        let classes = table("foreign-classes")?.csv::<ClassRow>()?;
        let places = table("place-types")?;
        let place_rows = places.csv::<TypeRow>()?;
        let states = table("state-codes")?.csv::<StateRow>()?;
        let of_languages = scripts(&table("language-scripts")?)?;
        Ok(Self {
            states: states.into_iter().map(|(_, row)| (row.division, row.subdivision)).collect(),
            famous: famous(&table("famous-divisions")?)?,
            abbreviations: short
                .into_iter()
                .map(|(_, row)| (row.division, row.abbreviations.split('|').map(str::to_owned).collect()))
                .collect(),
            english_divisions: english.into_iter().map(|(_, row)| (row.division, row.name)).collect(),
            hubs: hubs.into_iter().map(|(_, row)| (row.iata, row.busier)).collect(),
            countries: aliases(&table("country-aliases")?, &of_languages)?,
            cities: aliases(&table("city-aliases")?, &of_languages)?,
            zones: zones.into_iter().map(|(_, row)| (row.zone, row.today)).collect(),
            scripts: of_languages,
            airports: airports(&table("airport-names")?)?,
            words: words.into_iter().map(|(_, row)| row).collect(),
            additions: additions.into_iter().map(|(_, row)| row).collect(),
            kind_words: lexicon::all_words(root)?,
            landmarks: lexicon::words(root, Role::Landmark)?,
            regions: lexicon::words(root, Role::Region)?,
            types: types(&places, &place_rows)?,
            groups: place_rows.into_iter().map(|(_, row)| (row.r#type, row.group)).collect(),
            least_names: classes.iter().map(|(_, row)| (row.class.clone(), row.least_names)).collect(),
            classes: classes.into_iter().map(|(_, row)| (row.class, row.r#type)).collect(),
        })
    }
}

/// Reads the aliases. An alias in another script than that of its language, such as the Greek `Athína`, is not a name to
/// show in that language.
fn aliases(file: &File, scripts: &HashMap<String, Vec<Script>>) -> Result<Vec<Alias>, BuildError> {
    let rows = file.csv::<AliasRow>()?.into_iter();
    let parsed = rows.map(|(line, row)| {
        Ok(Alias {
            country: file.country(|| format!("line {line}, field country"), &row.country)?,
            place: row.place,
            lang: (!row.lang.is_empty() && is_written(&row.name, &row.lang, scripts)).then_some(row.lang),
            text: row.name,
            is_shown: matches!(row.class, Class::Shown),
            class: match row.class {
                Class::Primary => NameClass::Primary,
                Class::English | Class::Shown => NameClass::English,
                Class::Other => NameClass::Other,
                Class::Weak => NameClass::Weak,
            },
        })
    });
    parsed.collect()
}

/// Tells whether a text is in a script of a language.
pub(crate) fn is_written(text: &str, lang: &str, scripts: &HashMap<String, Vec<Script>>) -> bool {
    let of_language = scripts.get(lang).map_or(&[Script::Latin][..], Vec::as_slice);
    script(text).is_none_or(|script| of_language.contains(&script))
}

fn airports(file: &File) -> Result<BTreeMap<String, Vec<Tagged>>, BuildError> {
    let mut airports = BTreeMap::new();
    for (line, row) in file.csv::<AirportRow>()? {
        let names = parse_tagged(&row.names);
        let names = names
            .map_err(|entry| file.error(format!("line {line}, field names"), format!("{entry:?} has no language")))?;
        if airports.insert(row.iata.clone(), names).is_some() {
            return Err(file.error(format!("line {line}, field iata"), format!("{:?} is there already", row.iata)));
        }
    }
    Ok(airports)
}

fn types(file: &File, rows: &[(u64, TypeRow)]) -> Result<BTreeMap<String, Role>, BuildError> {
    let parsed = rows.iter().map(|(line, row)| {
        let unknown = || file.error(format!("line {line}, field role"), format!("{:?} is not a role", row.role));
        Ok((row.r#type.clone(), role(&row.role).ok_or_else(unknown)?))
    });
    parsed.collect()
}

fn famous(file: &File) -> Result<BTreeMap<String, u8>, BuildError> {
    let mut famous = BTreeMap::new();
    for (line, FameRow { division, prominence }) in file.csv::<FameRow>()? {
        if !(1..=TOP_PROMINENCE).contains(&prominence) {
            let message = format!("{prominence} is not in 1 to {TOP_PROMINENCE}");
            return Err(file.error(format!("line {line}, field prominence"), message));
        }
        if famous.insert(division.clone(), prominence).is_some() {
            return Err(file.error(format!("line {line}, field division"), format!("{division:?} is there already")));
        }
    }
    Ok(famous)
}

fn scripts(file: &File) -> Result<HashMap<String, Vec<Script>>, BuildError> {
    let mut scripts = HashMap::new();
    for (line, row) in file.csv::<ScriptRow>()? {
        let parsed = row.scripts.split(' ').map(|name| {
            let unknown =
                || file.error(format!("line {line}, field scripts"), format!("{name:?} is not an ISO 15924 code"));
            Script::from_short_name(name).ok_or_else(unknown)
        });
        scripts.insert(row.language, parsed.collect::<Result<_, _>>()?);
    }
    Ok(scripts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn the_tables_are_whole() {
        let tables =
            Tables::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))).expect("the tables can be read");
        assert!(tables.countries.iter().any(|alias| alias.text == "USA"));
        assert!(tables.cities.iter().any(|alias| alias.text == "NYC" && alias.country == *b"US"));
        assert_eq!(tables.zones["Asia/Calcutta"], "Asia/Kolkata");
        assert_eq!(tables.states["DE.13"], "DE-SN");
        assert_eq!(tables.hubs["LHR"], None);
        assert_eq!(tables.hubs["LGW"].as_deref(), Some("LHR"));
        assert!(
            tables
                .hubs
                .iter()
                .all(|(code, busier)| code.len() == 3
                    && busier.as_ref().is_none_or(|code| tables.hubs.contains_key(code)))
        );
        assert_eq!(tables.scripts["ru"], [Script::Cyrillic]);
        assert_eq!(tables.types["museum"], Role::Landmark);
        assert_eq!(tables.classes["geonames:S.MUS"], "museum");
        assert!(tables.classes.values().all(|kind| tables.types.contains_key(kind)));
        assert!(tables.words.iter().any(|word| word.word == "Gemeente" && word.display == Display::Drop));
    }

    #[test]
    fn fame_is_a_prominence_of_a_known_division() {
        check("GB.X,Kent,0\n", "line 2, field prominence: 0 is not in 1 to 5");
        check("GB.X,Kent,6\n", "line 2, field prominence: 6 is not in 1 to 5");
        check("GB.X,Kent,5\nGB.X,Kent,4\n", "line 3, field division: \"GB.X\" is there already");
        let tables = Tables { famous: read_famous("GB.X,Kent,5\n").expect("the row is whole"), ..Tables::default() };
        assert!((tables.fame("GB.X") - 0.76).abs() < 1e-9 && tables.fame("GB.Y") == 0.0);
        assert!(tables.check_famous(&BTreeSet::from(["GB.X"])).is_ok());
        let unknown = tables.check_famous(&BTreeSet::from(["GB.Y"])).expect_err("it is not there").to_string();
        assert!(unknown.contains("\"GB.X\" is not a division of the data"), "{unknown}");
    }

    fn check(rows: &str, expect: &str) {
        let message = read_famous(rows).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }

    fn read_famous(rows: &str) -> Result<BTreeMap<String, u8>, BuildError> {
        famous(&test_file("famous.csv", format!("division,name,prominence\n{rows}")))
    }
}
