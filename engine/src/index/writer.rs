//! Writes an index: encodes a gazetteer as bytes. The order of the records does not matter.

use super::checks::{WriteError, check, display_name};
use super::degrees::as_stored;
use super::format::{Header, SECTIONS, Section, assemble};
use super::layer::Layer;
use super::names::{MAX_ROWS, encode_names};
use super::places::{Lists, Rows, encode_facts, encode_places, encode_translations};
use super::points::{encode_borders, encode_tiles, hilbert};
use super::transliteration::encode_transliteration;
use crate::record::{Gazetteer, Record};

/// Writes the index of a gazetteer.
///
/// # Errors
/// If the gazetteer breaks a rule of [`Gazetteer`] or [`Record`].
pub fn write(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_watched(gazetteer, true, &|_| {})
}

/// Like [`write()`], but without phonetic keys: the index is smaller, and no name is found by its sound.
///
/// # Errors
/// As for [`write()`].
pub fn write_without_sounds(gazetteer: &Gazetteer) -> Result<Vec<u8>, WriteError> {
    write_watched(gazetteer, false, &|_| {})
}

/// Like [`write()`] or [`write_without_sounds()`]. Calls `done` with the work done since the last call, from several
/// threads: in the end [`super::WORK_PER_PLACE`] for each place. This is nearly all of the time that an index takes.
///
/// # Errors
/// As for [`write()`].
pub fn write_watched(
    gazetteer: &Gazetteer,
    by_sound: bool,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Vec<u8>, WriteError> {
    check(gazetteer)?;
    let rows = Rows::new(in_row_order(&gazetteer.places)?);
    let places = &rows.places;
    let lists = Lists::of(places, gazetteer)?;
    let (languages, translations) = encode_translations(places).ok_or(WriteError::TooMany("languages"))?;
    let borders = encode_borders(&gazetteer.borders).ok_or(WriteError::TooMany("borders"))?;
    let encoded = [
        (Section::PopulatedTiles, encode_tiles(places, Layer::Populated)),
        (Section::SiteTiles, encode_tiles(places, Layer::Sites)),
        (Section::Land, gazetteer.land.bytes()),
    ];
    let encoded = encoded
        .into_iter()
        .chain(encode_names(places, by_sound, done))
        .chain(encode_transliteration(&gazetteer.transliteration))
        .chain(encode_places(&rows, &lists, gazetteer)?)
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
        borders: gazetteer.borders.iter().map(|border| lists.country_number(border.country)).collect(),
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
        (Section::TranslationText, 1, OFFSETS, "translations"),
        (Section::TransliterationText, 1, OFFSETS, "transliterated characters"),
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
