//! Records to bytes. The same records give the same bytes, in whatever order they come.

use std::collections::{HashMap, HashSet};

use fst::MapBuilder;

use super::borders::encode_borders;
use super::checks::{WriteError, check, display_name};
use super::codes::code_key;
use super::column::encode as column;
use super::cost;
use super::layout::{Country, Header, NO_ROW, assemble};
use super::letters::encode_letters;
use super::name_table::{NameTable, alternate_keys, own_keys, sound_keys};
use super::names::{ALTERNATES, MAX_ROWS, NameSections, OWN, SOUNDS};
use super::places::{Texts, as_stored, encode_extent, extent_as_stored, from_degrees};
use super::sections::{SECTIONS, Section};
use super::spatial;
use super::translations::encode_translations;
use crate::record::{Border, Capital, Gazetteer, Kind, NameClass, Record, Role};

/// Writes the index of a gazetteer.
///
/// # Errors
/// When the gazetteer breaks what [`Gazetteer`] and [`Record`] promise.
pub fn write(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_with(gazetteer, sound_keys)
}

/// Like [`write()`], smaller: no name is found by its sound alone.
///
/// # Errors
/// As for [`write()`].
pub fn write_without_sounds(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_with(gazetteer, |_| Vec::new())
}

fn write_with(
    gazetteer: &Gazetteer,
    sound_keys: fn(&Record) -> Vec<(String, NameClass)>,
) -> Result<Vec<u8>, WriteError> {
    check(gazetteer)?;
    let places = in_row_order(&gazetteer.places)?;
    let rows: HashMap<u64, u32> = places.iter().zip(0..).map(|(place, row)| (place.id, row)).collect();
    let kinds = kinds(&places)?;
    let countries = countries(&places, &gazetteer.borders)?;
    let in_group = |group| places.iter().filter(|place| Group::of(place.kind.role) == group).count() as u32;
    let borders = encode_borders(&gazetteer.borders, |code| country_number(&countries, code));
    let borders = borders.ok_or(WriteError::TooMany("borders"))?;
    let translations = encode_translations(&places).ok_or(WriteError::TooMany("languages"))?;
    let header = Header {
        about: gazetteer.about.clone(),
        lexicon: gazetteer.lexicon.clone(),
        populated: in_group(Group::Populated),
        sites: in_group(Group::Site),
        areas: in_group(Group::Area),
        kinds: kinds.clone(),
        countries: countries.clone(),
        borders: borders.countries,
        languages: translations.languages,
        sections: Vec::new(),
    };
    let mut sections: [Vec<u8>; SECTIONS.len()] = std::array::from_fn(|_| Vec::new());
    let mut put = |section: Section, bytes: Vec<u8>| sections[section as usize] = bytes;
    put_names(&mut put, OWN, NameTable::of(&places, own_keys));
    put_names(&mut put, ALTERNATES, NameTable::of(&places, alternate_keys));
    put_names(&mut put, SOUNDS, NameTable::of(&places, sound_keys));
    let [chars, offsets, text] = encode_letters(&gazetteer.letters);
    put(Section::LetterChars, chars);
    put(Section::LetterOffsets, offsets);
    put(Section::LetterText, text);
    put(Section::Codes, codes(&places));
    put(Section::Latitude, column(places.iter().map(|place| from_degrees(place.position.lat))));
    put(Section::Longitude, column(places.iter().map(|place| from_degrees(place.position.lon))));
    put(Section::Importance, column(places.iter().map(|place| cost::stored_importance(place.importance))));
    put(Section::Kind, column(places.iter().map(|place| number(&kinds, &place.kind) as u8)));
    put(Section::Country, column(places.iter().map(|place| country_number(&countries, place.country))));
    put(Section::Parent, column(parents(&places, &rows)?));
    put(Section::Id, column(places.iter().map(|place| place.id)));
    put(Section::Extent, column(places.iter().map(|place| encode_extent(place.extent_m))));
    let (offsets, text) = texts(&places);
    put(Section::DisplayName, column(offsets));
    put(Section::Text, text);
    let bounded = || places.iter().zip(0u32..).filter_map(|(place, row)| Some((row, place.bounds?)));
    put(Section::BoundsRow, column(bounded().map(|(row, _)| row)));
    let sides = bounded().flat_map(|(_, b)| [b.south, b.north, b.west, b.east].map(from_degrees));
    put(Section::Bounds, column(sides));
    put(Section::PopulatedTiles, tiles(&places, Group::Populated));
    put(Section::SiteTiles, tiles(&places, Group::Site));
    put(Section::TranslationRow, translations.rows);
    put(Section::TranslationLanguage, translations.langs);
    put(Section::TranslationOffset, translations.offsets);
    put(Section::TranslationText, translations.text);
    let capitals = capitals(&gazetteer.capitals, &places, &rows)?;
    put(Section::CapitalArea, column(capitals.iter().map(|&(area, _)| area)));
    put(Section::Capital, column(capitals.iter().map(|&(_, city)| city)));
    put(Section::Land, gazetteer.land.bytes());
    put(Section::BorderVertices, borders.vertices);
    put(Section::BorderCells, borders.cells);
    put(Section::BorderEdges, borders.edges);
    check_sizes(&sections)?;
    assemble(header, sections).map_err(|_| WriteError::TooMany("the header"))
}

/// Refuses a section with more in it than there are numbers for it in the sections that point into it.
fn check_sizes(sections: &[Vec<u8>; SECTIONS.len()]) -> Result<(), WriteError> {
    const OFFSETS: usize = u32::MAX as usize;
    // The top bit says that a word is an offset.
    const OFFSETS_IN_WORDS: usize = OFFSETS / 2;
    let sizes = [
        (Section::NameCosts, 1, OFFSETS, "names"),
        (Section::AlternateCosts, 1, OFFSETS, "alternate names"),
        (Section::SoundCosts, 1, OFFSETS, "sounds"),
        (Section::PostingLists, 4, OFFSETS_IN_WORDS, "places of one name"),
        (Section::AlternateLists, 4, OFFSETS_IN_WORDS, "places of one alternate name"),
        (Section::SoundLists, 4, OFFSETS_IN_WORDS, "places of one sound"),
        (Section::Text, 1, OFFSETS, "display names"),
        (Section::TranslationText, 1, OFFSETS, "translations"),
        (Section::LetterText, 1, OFFSETS, "spellings of letters"),
        (Section::BorderVertices, 4, OFFSETS, "vertices of borders"),
        (Section::BorderEdges, 4, OFFSETS_IN_WORDS, "edges of borders"),
    ];
    let larger = sizes.into_iter().find(|&(section, width, most, _)| sections[section as usize].len() / width > most);
    larger.map_or(Ok(()), |(.., what)| Err(WriteError::TooMany(what)))
}

fn put_names(put: &mut impl FnMut(Section, Vec<u8>), at: NameSections, names: NameTable) {
    put(at.fst, names.fst);
    put(at.costs, names.costs);
    put(at.postings, column(names.postings));
    put(at.lists, column(names.lists));
}

/// The runs of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Populated,
    Site,
    Area,
}

impl Group {
    fn of(role: Role) -> Self {
        match role {
            Role::City | Role::Quarter => Self::Populated,
            Role::Airport | Role::Station | Role::Landmark => Self::Site,
            Role::County | Role::State | Role::Country => Self::Area,
        }
    }
}

fn in_row_order(places: &[Record]) -> Result<Vec<&Record>, WriteError> {
    if places.len() >= MAX_ROWS as usize {
        return Err(WriteError::TooMany("places"));
    }
    let mut keyed: Vec<_> = places
        .iter()
        .map(|place| {
            let group = Group::of(place.kind.role);
            let curve = if group == Group::Area { 0 } else { spatial::hilbert(as_stored(place.position)) };
            let level = if group == Group::Area { u8::MAX - place.kind.role as u8 } else { 0 };
            ((group, level, curve, place.id), place)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut by_id: Vec<&Record> = places.iter().collect();
    by_id.sort_by_key(|place| place.id);
    let names = |pair: &[&Record]| pair.iter().map(|place| display_name(place).to_owned()).collect();
    match by_id.windows(2).find(|pair| pair[0].id == pair[1].id) {
        Some(pair) => Err(WriteError::Id { id: pair[0].id, names: names(pair) }),
        None => Ok(keyed.into_iter().map(|(_, place)| place).collect()),
    }
}

fn kinds(places: &[&Record]) -> Result<Vec<Kind>, WriteError> {
    let mut kinds: Vec<Kind> = places.iter().map(|place| place.kind.clone()).collect();
    kinds.sort();
    kinds.dedup();
    if kinds.len() > usize::from(u8::MAX) { Err(WriteError::TooMany("kinds")) } else { Ok(kinds) }
}

fn countries(places: &[&Record], borders: &[Border]) -> Result<Vec<Country>, WriteError> {
    let of_borders = borders.iter().map(|border| border.country);
    let mut codes: Vec<[u8; 2]> = places.iter().map(|place| place.country).chain(of_borders).collect();
    codes.sort_unstable();
    codes.dedup();
    let of_code: HashMap<[u8; 2], u32> = places
        .iter()
        .zip(0..)
        .filter(|(place, _)| place.kind.role == Role::Country)
        .map(|(place, row)| (place.country, row))
        .collect();
    let country = |iso2| Country { iso2, row: of_code.get(&iso2).copied().unwrap_or(NO_ROW) };
    if codes.len() > usize::from(u16::MAX) {
        Err(WriteError::TooMany("countries"))
    } else {
        Ok(codes.into_iter().map(country).collect())
    }
}

fn number<T: Ord>(sorted: &[T], value: &T) -> usize {
    sorted.partition_point(|other| other < value)
}

fn country_number(countries: &[Country], code: [u8; 2]) -> u16 {
    countries.partition_point(|country| country.iso2 < code) as u16
}

fn parents(places: &[&Record], rows: &HashMap<u64, u32>) -> Result<Vec<u32>, WriteError> {
    let parent = |place: &&Record| {
        let Some(id) = place.parent else { return Ok(NO_ROW) };
        let error = WriteError::Parent { id: place.id, parent: id };
        let row = *rows.get(&id).ok_or(error.clone())?;
        let role = places[row as usize].kind.role;
        // A territory with a code of its own lies in its sovereign: one country may hold another.
        let larger = role < place.kind.role || (role == Role::Country && id != place.id);
        if larger && role <= Role::Quarter { Ok(row) } else { Err(error) }
    };
    places.iter().map(parent).collect()
}

/// Rows of areas and of their capitals, by area.
fn capitals(capitals: &[Capital], places: &[&Record], rows: &HashMap<u64, u32>) -> Result<Vec<(u32, u32)>, WriteError> {
    let row =
        |id: u64, fits: fn(Role) -> bool| rows.get(&id).copied().filter(|&row| fits(places[row as usize].kind.role));
    let mut areas = HashSet::new();
    let pair = |&Capital { area, city }: &Capital| {
        let pair = row(area, |role| role <= Role::State).zip(row(city, |role| role == Role::City));
        pair.filter(|_| areas.insert(area)).ok_or(WriteError::Capital { area, city })
    };
    let mut pairs: Vec<(u32, u32)> = capitals.iter().map(pair).collect::<Result<_, _>>()?;
    pairs.sort_unstable();
    Ok(pairs)
}

fn texts(places: &[&Record]) -> (Vec<u32>, Vec<u8>) {
    let mut texts = Texts::default();
    let offsets = places.iter().map(|place| texts.offset(display_name(place))).collect();
    (offsets, texts.into_bytes())
}

/// Of what is stored, as it is rounded there: whoever reads it goes by that.
fn tiles(places: &[&Record], group: Group) -> Vec<u8> {
    let members = places.iter().filter(|place| Group::of(place.kind.role) == group);
    let reach = |place: &Record| if group == Group::Site { extent_as_stored(place.extent_m) } else { 0.0 };
    spatial::encode(&members.map(|place| (as_stored(place.position), reach(place))).collect::<Vec<_>>())
}

fn codes(places: &[&Record]) -> Vec<u8> {
    let mut keys: Vec<_> = places
        .iter()
        .zip(0u32..)
        .flat_map(|(place, row)| place.codes.iter().map(move |code| (code.text.as_str(), code.scheme, row)))
        .collect();
    keys.sort_by_key(|&(text, scheme, row)| {
        (text, scheme, u16::MAX - cost::stored_importance(places[row as usize].importance), row)
    });
    keys.dedup();
    let mut builder = MapBuilder::memory();
    let mut ordinal = 0u16;
    for (i, &(text, scheme, row)) in keys.iter().enumerate() {
        let same = i > 0 && (keys[i - 1].0, keys[i - 1].1) == (text, scheme);
        ordinal = if same { ordinal.saturating_add(1) } else { 0 };
        if ordinal < u16::MAX {
            builder.insert(code_key(text, scheme, ordinal), u64::from(row)).expect("codes are sorted and distinct");
        }
    }
    builder.into_inner().expect("memory does not fail")
}
