//! Writes an index: encodes a gazetteer as bytes. The order of the records does not matter.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::{WriteError, check, display_name};
use super::degrees::as_stored;
use super::format::{EncodedSection, Header, SECTIONS, Section, Texts, assemble, encode as column};
use super::layer::Layer;
use super::names::{MAX_ROWS, TableKeys, encode_names};
use super::places::{Lists, Rows, encode_facts, encode_places, encode_translations};
use super::points::{encode_borders, encode_tiles, hilbert};
use super::spellings::encode_spellings;
use super::transliteration::encode_transliteration;
use crate::record::{Border, Gazetteer, Record};

/// Writes the index of a gazetteer.
///
/// # Errors
/// If the gazetteer breaks a rule of [`Gazetteer`] or [`Record`].
pub fn write(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_watched(gazetteer, true, &|_| {})
}

/// Writes an index like [`write()`], but without phonetic keys: the index is smaller, and no name is found by its
/// sound.
///
/// # Errors
/// As for [`write()`].
pub fn write_without_sounds(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_watched(gazetteer, false, &|_| {})
}

/// Writes an index like [`write()`] or [`write_without_sounds()`]. Calls `done` with the work done since the last call,
/// from several threads: in the end [`super::WORK_PER_PLACE`] for each place. This is nearly all of the time that an
/// index takes.
///
/// # Errors
/// As for [`write()`].
pub fn write_watched(
    gazetteer: &Gazetteer,
    by_sound: bool,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Vec<u8>, WriteError> {
    check(gazetteer)?;
    let contents = Contents { keys: TableKeys::of_all_names(by_sound), ..Contents::of(gazetteer) };
    encode(&contents, done)
}

/// Contents of a file.
pub(crate) struct Contents<'c> {
    pub gazetteer: &'c Gazetteer,
    pub keys: TableKeys<'c>,
    /// Ids, ascending, of parents that another file has.
    pub outside_parents: Vec<u64>,
    /// Ids of places that are only there as parents of others.
    pub bare: BTreeSet<u64>,
    /// True if the places of the file are found by position.
    pub has_tiles: bool,
    /// Places of other pages: ids, ascending, with positions on the Hilbert curve or with names in the only language.
    pub elsewhere: Elsewhere<'c>,
    /// Bits of the languages in which places have names in pages of languages, by id.
    pub named: BTreeMap<u64, u32>,
    /// Borders that are encoded already, in place of those of the gazetteer.
    pub borders: Option<&'c [EncodedSection]>,
    /// The encoded directory of pages.
    pub directory: Vec<u8>,
}

/// Places of other pages, as a page knows them.
#[derive(Default)]
pub(crate) struct Elsewhere<'c> {
    pub ids: Vec<u64>,
    pub curve: Vec<u32>,
    pub names: Vec<&'c str>,
    /// The language of the names.
    pub language: Option<&'c str>,
}

impl<'c> Contents<'c> {
    /// Creates the contents of one file with all of a gazetteer.
    pub fn of(gazetteer: &'c Gazetteer) -> Self {
        let (outside_parents, borders, directory) = (Vec::new(), None, Vec::new());
        let keys = TableKeys::of_all_names(true);
        let (bare, has_tiles, elsewhere, named) = (BTreeSet::new(), true, Elsewhere::default(), BTreeMap::new());
        Self { gazetteer, keys, outside_parents, bare, has_tiles, elsewhere, named, borders, directory }
    }
}

/// Encodes the file of a gazetteer that was checked.
///
/// # Errors
/// If a record refers to what is not there, or there is more of something than the format can number.
pub(crate) fn encode(contents: &Contents, done: &(dyn Fn(usize) + Sync)) -> Result<Vec<u8>, WriteError> {
    let Contents { gazetteer, keys, outside_parents, bare, has_tiles, elsewhere, named, borders, directory } = contents;
    let rows = Rows::new(in_row_order(&gazetteer.places)?);
    let places = &rows.places;
    let lists = Lists::of(places, gazetteer)?;
    let (mut languages, mut translations) = encode_translations(places).ok_or(WriteError::TooMany("languages"))?;
    let mut texts = Texts::default();
    let offsets: Vec<u32> = elsewhere.names.iter().map(|name| texts.offset(name)).collect();
    if let Some(language) = elsewhere.language {
        languages = vec![language.to_owned()];
        translations[2] = (Section::Translations, texts.into_bytes());
    }
    let is_bare = |&(_, place): &(u32, &&Record)| bare.contains(&place.id);
    let named: Vec<(u32, u32)> =
        (0..).zip(places).filter_map(|(row, place)| Some((row, *named.get(&place.id)?))).collect();
    let tiles = |layer| if *has_tiles { encode_tiles(places, layer) } else { Vec::new() };
    let borders = match borders {
        Some(encoded) => encoded.to_vec(),
        None => encode_borders(&gazetteer.borders).ok_or(WriteError::TooMany("borders"))?.to_vec(),
    };
    let encoded = [
        (Section::PopulatedTiles, tiles(Layer::Populated)),
        (Section::SiteTiles, tiles(Layer::Sites)),
        (Section::Land, gazetteer.land.bytes()),
        (Section::BareRow, column((0..).zip(places).filter(is_bare).map(|(row, _)| row))),
        (Section::NamedRow, column(named.iter().map(|&(row, _)| row))),
        (Section::NamedLanguages, column(named.iter().map(|&(_, languages)| languages))),
        (Section::IdElsewhere, column(elsewhere.ids.iter().copied())),
        (Section::CurveElsewhere, column(elsewhere.curve.iter().copied())),
        (Section::NameElsewhere, column(offsets)),
        (Section::Directory, directory.clone()),
    ];
    let encoded = encoded
        .into_iter()
        .chain(encode_names(places, *keys, done))
        .chain(encode_transliteration(&gazetteer.transliteration))
        .chain(encode_spellings(&gazetteer.spellings))
        .chain(encode_places(&rows, &lists, gazetteer, outside_parents)?)
        .chain(encode_facts(&rows, &lists, &gazetteer.facts)?)
        .chain(translations)
        .chain(borders);
    let mut sections: [Vec<u8>; SECTIONS.len()] = std::array::from_fn(|_| Vec::new());
    encoded.for_each(|(section, bytes)| sections[section as usize] = bytes);
    check_sizes(&sections)?;
    let count = |layer| places.iter().filter(|place| Layer::of(place.kind.role) == layer).count() as u32;
    let header = Header {
        about: gazetteer.about.clone(),
        lexicon: gazetteer.lexicon.clone(),
        populated: count(Layer::Populated),
        sites: count(Layer::Sites),
        areas: count(Layer::Areas),
        borders: gazetteer.borders.iter().filter_map(Border::country).map(|code| lists.country_number(code)).collect(),
        kinds: lists.kinds,
        countries: lists.countries,
        languages,
        sections: Vec::new(),
    };
    assemble(header, sections).map_err(|_| WriteError::TooMany("the header"))
}

/// Checks that each section is small enough to be addressed by the sections that point into it.
fn check_sizes(sections: &[Vec<u8>; SECTIONS.len()]) -> Result<(), WriteError> {
    const OFFSETS: usize = u32::MAX as usize;
    // The top bit marks an offset.
    const OFFSETS_IN_WORDS: usize = OFFSETS / 2;
    let sizes = [
        (Section::NameCosts, 1, OFFSETS, "names"),
        (Section::AlternateCosts, 1, OFFSETS, "alternate names"),
        (Section::SoundCosts, 1, OFFSETS, "sounds"),
        (Section::PostingLists, 4, OFFSETS_IN_WORDS, "places of one name"),
        (Section::AlternateLists, 4, OFFSETS_IN_WORDS, "places of one alternate name"),
        (Section::SoundLists, 4, OFFSETS_IN_WORDS, "places of one sound"),
        (Section::Text, 1, OFFSETS, "display names"),
        (Section::Translations, 1, OFFSETS, "translations"),
        (Section::TransliterationText, 1, OFFSETS, "transliterated characters"),
        (Section::Spellings, 1, OFFSETS, "spellings"),
        (Section::BorderVertices, 4, OFFSETS, "vertices of borders"),
        (Section::BorderEdges, 4, OFFSETS_IN_WORDS, "edges of borders"),
    ];
    let larger = sizes.into_iter().find(|&(section, width, max, _)| sections[section as usize].len() / width > max);
    larger.map_or(Ok(()), |(.., what)| Err(WriteError::TooMany(what)))
}

fn in_row_order(places: &[Record]) -> Result<Vec<&Record>, WriteError> {
    if places.len() >= MAX_ROWS as usize {
        return Err(WriteError::TooMany("places"));
    }
    let mut keyed: Vec<_> = places
        .iter()
        .map(|place| {
            let layer = Layer::of(place.kind.role);
            let curve = if layer == Layer::Areas { 0 } else { hilbert(as_stored(place.position)) };
            let level = if layer == Layer::Areas { u8::MAX - place.kind.role as u8 } else { 0 };
            ((layer, level, curve, place.id), place)
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
