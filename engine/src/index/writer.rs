//! Writes an index: encodes a gazetteer as bytes. The order of the records does not matter.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::{WriteError, check, display_name};
use super::degrees::as_stored;
use super::format::{EncodedSection, Header, SECTIONS, Section, assemble, encode as column};
use super::layer::Layer;
use super::names::{MAX_ROWS, TableKeys, encode_names};
use super::places::{Lists, Rows, encode_facts, encode_places, encode_translations};
use super::points::{encode_borders, encode_tiles};
use super::remote::RemoteRecords;
use super::spellings::encode_spellings;
use super::transliteration::encode_transliteration;
use crate::record::{Border, Gazetteer, Record};

/// Writes the index of a gazetteer.
///
/// # Errors
/// If the gazetteer breaks a rule of [`Gazetteer`] or [`Record`].
///
/// # Example: write an index of one's own
///
/// ```
/// use toponym_engine::{Engine, index};
///
/// # let places = toponym_workload::example_gazetteer();
/// let bytes = index::write(&places)?;
/// assert_eq!(bytes, index::write(&places)?, "the same places give the same bytes");
/// assert!(Engine::open(bytes).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Places beside those of the gazetteer, which contain them.
    pub areas: Vec<&'c Record>,
    pub keys: TableKeys<'c>,
    /// Ids, ascending, of parents that another file has.
    pub remote_parents: Vec<u64>,
    /// Ids of places that are only there as parents of others.
    pub bare: BTreeSet<u64>,
    /// True if the places of the file are found by position.
    pub has_tiles: bool,
    /// Places of other pages.
    pub remote: RemoteRecords<'c>,
    /// Bits of the languages in which places have names in pages of languages, by id.
    pub named: BTreeMap<u64, u32>,
    /// Borders that are encoded already, in place of those of the gazetteer.
    pub borders: Option<&'c [EncodedSection]>,
    /// The encoded directory of pages.
    pub directory: Vec<u8>,
}

impl<'c> Contents<'c> {
    /// Creates the contents of one file with all of a gazetteer.
    pub fn of(gazetteer: &'c Gazetteer) -> Self {
        Self {
            gazetteer,
            areas: Vec::new(),
            keys: TableKeys::of_all_names(true),
            remote_parents: Vec::new(),
            bare: BTreeSet::new(),
            has_tiles: true,
            remote: RemoteRecords::default(),
            named: BTreeMap::new(),
            borders: None,
            directory: Vec::new(),
        }
    }
}

/// Encodes the file of a gazetteer that was checked.
///
/// # Errors
/// If a record refers to what is not there, or there is more of something than the format can number.
pub(crate) fn encode(contents: &Contents, done: &(dyn Fn(usize) + Sync)) -> Result<Vec<u8>, WriteError> {
    let Contents { gazetteer, ref areas, keys, ref remote_parents, .. } = *contents;
    let rows = Rows::new(in_row_order(gazetteer.places.iter().chain(areas.iter().copied()).collect())?);
    let lists = Lists::of(&rows.places, gazetteer)?;
    let (languages, translations) = language_sections(contents, &rows)?;
    let encoded = encode_names(&rows.places, keys, done)
        .into_iter()
        .chain(encode_transliteration(&gazetteer.transliteration))
        .chain(encode_spellings(&gazetteer.spellings))
        .chain(encode_places(&rows, &lists, gazetteer, remote_parents)?)
        .chain(encode_facts(&rows, &lists, &gazetteer.facts)?)
        .chain(translations)
        .chain(point_sections(contents, &rows)?)
        .chain(page_sections(contents, &rows));
    let mut sections: [Vec<u8>; SECTIONS.len()] = std::array::from_fn(|_| Vec::new());
    encoded.for_each(|(section, bytes)| sections[section as usize] = bytes);
    check_sizes(&sections)?;
    let count = |layer| rows.places.iter().filter(|place| Layer::of(place.kind.role) == layer).count() as u32;
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

/// Encodes the languages and the names in them: of the file's own places, or of remote ones in a language.
fn language_sections(
    Contents { remote, .. }: &Contents,
    rows: &Rows,
) -> Result<(Vec<String>, Vec<EncodedSection>), WriteError> {
    let (remote_sections, remote_names) = remote.encode();
    let (languages, mut sections) = match remote.language {
        Some(language) => (vec![language.to_owned()], vec![(Section::Translations, remote_names)]),
        None => {
            let (languages, own) = encode_translations(&rows.places).ok_or(WriteError::TooMany("languages"))?;
            (languages, own.to_vec())
        }
    };
    sections.extend(remote_sections);
    Ok((languages, sections))
}

/// Encodes what is found by position: places, borders and land.
fn point_sections(contents: &Contents, rows: &Rows) -> Result<Vec<EncodedSection>, WriteError> {
    let Contents { gazetteer, has_tiles, borders, .. } = *contents;
    let tiles = |layer| if has_tiles { encode_tiles(&rows.places, layer) } else { Vec::new() };
    let mut sections = vec![
        (Section::PopulatedTiles, tiles(Layer::Populated)),
        (Section::SiteTiles, tiles(Layer::Sites)),
        (Section::Land, gazetteer.land.bytes()),
    ];
    match borders {
        Some(encoded) => sections.extend_from_slice(encoded),
        None => sections.extend(encode_borders(&gazetteer.borders).ok_or(WriteError::TooMany("borders"))?),
    }
    Ok(sections)
}

/// Encodes what a page or a root says about its own places, and the directory.
fn page_sections(Contents { bare, named, directory, .. }: &Contents, rows: &Rows) -> [EncodedSection; 4] {
    let places = || (0u32..).zip(&rows.places);
    let bare = places().filter(|(_, place)| bare.contains(&place.id)).map(|(row, _)| row);
    let named: Vec<(u32, u32)> = places().filter_map(|(row, place)| Some((row, *named.get(&place.id)?))).collect();
    [
        (Section::BareRow, column(bare)),
        (Section::NamedRow, column(named.iter().map(|&(row, _)| row))),
        (Section::NamedLanguages, column(named.iter().map(|&(_, languages)| languages))),
        (Section::Directory, directory.clone()),
    ]
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

fn in_row_order(mut places: Vec<&Record>) -> Result<Vec<&Record>, WriteError> {
    if places.len() >= MAX_ROWS as usize {
        return Err(WriteError::TooMany("places"));
    }
    let mut keyed: Vec<_> = places
        .iter()
        .map(|&place| {
            let layer = Layer::of(place.kind.role);
            let curve = if layer == Layer::Areas { 0 } else { as_stored(place.position).curve_position() };
            let level = if layer == Layer::Areas { u8::MAX - place.kind.role as u8 } else { 0 };
            ((layer, level, curve, place.id), place)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    places.sort_by_key(|place| place.id);
    match places.windows(2).find(|pair| pair[0].id == pair[1].id) {
        Some(pair) => Err(WriteError::Id {
            id: pair[0].id,
            names: pair.iter().map(|place| display_name(place).to_owned()).collect(),
        }),
        None => Ok(keyed.into_iter().map(|(_, place)| place).collect()),
    }
}
