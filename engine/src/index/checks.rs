//! Validates a gazetteer before it is written: an index guarantees what its readers rely on.

use std::fmt;

use super::spellings::MAX_SPELLING;
use crate::geo::{Bounds, Coordinate};
use crate::record::{Border, Bordered, Gazetteer, Lexicon, Record, Spelling, Spellings};
use crate::text::fold;

/// Maximum length of a display name in bytes of UTF-8: the length is stored in one byte.
pub const MAX_NAME_BYTES: usize = 255;

/// Largest place id: numbers in JSON are exact below 2^53.
pub const MAX_ID: u64 = (1 << 53) - 1;

/// Minimum number of points of a ring: a triangle and its first point again.
const MIN_RING_POINTS: usize = 4;

/// Why a gazetteer cannot be written; each variant names what to fix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// Two records have the same id, or an id is not from 1 to 2^53 - 1.
    Id {
        /// The id.
        id: u64,
        /// Display names of the records with this id.
        names: Vec<String>,
    },
    /// A parent does not exist, or is not larger than the place.
    Parent {
        /// Id of the record.
        id: u64,
        /// Id of its parent.
        parent: u64,
    },
    /// The area of a capital is not a country or state or has two capitals, or the capital is not a city of the gazetteer.
    Capital {
        /// Id of the area.
        area: u64,
        /// Id of its capital.
        city: u64,
    },
    /// A further country is of a place that is not a region, is its main country, is there twice, or is not a country code.
    FurtherCountry {
        /// Id of the region.
        region: u64,
        /// The country.
        country: [u8; 2],
    },
    /// A fact is of no place or of one that has facts already, or its time zone or a code is not of a form that can be stored.
    Facts {
        /// Id of the place.
        place: u64,
    },
    /// A record has no usable display name, or one longer than 255 bytes.
    Name {
        /// Id of the record.
        id: u64,
        /// Display name of the record.
        name: String,
    },
    /// A value is not a number or out of range.
    Value {
        /// Id of the record.
        id: u64,
        /// Name of the value.
        field: &'static str,
    },
    /// A transliterated character is a duplicate or not in order, or its spelling is longer than 255 bytes.
    Transliteration {
        /// The character.
        character: char,
    },
    /// A letter with spellings is a duplicate or not in order, or its spellings are missing, not in order or not in Latin letters.
    Spellings {
        /// The letter.
        letter: char,
    },
    /// A term of the lexicon is not folded, a duplicate or not in order, or names a kind but has no role.
    Term {
        /// The term.
        term: String,
    },
    /// The country of a border is not a country code.
    Border {
        /// The country.
        country: [u8; 2],
    },
    /// A ring is not closed, has too few points, or a point out of range.
    Ring {
        /// The country or state of the border.
        of: Bordered,
        /// Number of the ring, from 1.
        ring: usize,
    },
    /// More of something than the format can number.
    TooMany(&'static str),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { id, names } => {
                write!(f, "place id {id} must be unique and from 1 to 2^53 - 1; it is given to {}", names.join(" and "))
            }
            Self::Parent { id, parent } => {
                write!(f, "place {id} names {parent} as its parent, which is not a larger place of this gazetteer")
            }
            Self::Capital { area, city } => {
                write!(f, "{city} cannot be the capital of {area}: a capital is a city, and a country or state has one")
            }
            Self::FurtherCountry { region, country } => {
                let country = String::from_utf8_lossy(country);
                write!(f, "{country:?} cannot be a further country of {region}: only a region has some, each once")
            }
            Self::Facts { place } => write!(
                f,
                "facts of place {place}: they must be of a place of this gazetteer, one each; a time zone has a name, and a code \
                 1 to 7 capital letters and digits"
            ),
            Self::Name { id, name } => {
                write!(f, "place {id} needs a display name of 1 to {MAX_NAME_BYTES} bytes with a letter, not {name:?}")
            }
            Self::Value { id, field } => write!(f, "place {id}: {field} is missing or out of range"),
            Self::Transliteration { character } => write!(
                f,
                "transliteration of {character:?} (U+{:04X}): characters must be unique and sorted, and their spellings at \
                 most {MAX_NAME_BYTES} bytes long",
                u32::from(*character)
            ),
            Self::Spellings { letter } => write!(
                f,
                "spellings of {letter:?} (U+{:04X}): letters must be unique and sorted; each needs spellings in the order of \
                 their costs, of at most {MAX_SPELLING} letters from a to z or digits",
                u32::from(*letter)
            ),
            Self::Term { term } => write!(
                f,
                "lexicon: {term:?}: terms must be folded, unique and sorted, and terms that name kinds need a role"
            ),
            Self::Border { country } => {
                write!(f, "border of {:?}: a country code has two capital letters", String::from_utf8_lossy(country))
            }
            Self::Ring { of, ring } => {
                let of = area_with_border(of);
                write!(
                    f,
                    "border of {of}, ring {ring}: a ring needs {MIN_RING_POINTS} points or more, all on the globe, the last \
                     equal to the first"
                )
            }
            Self::TooMany(what) => write!(f, "too many for the index format: {what}"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Describes the area of a border for a message: the code of a country, or the id of a state.
fn area_with_border(of: &Bordered) -> String {
    match of {
        Bordered::Country(code) => format!("{:?}", String::from_utf8_lossy(code)),
        Bordered::State(id) => format!("state {id}"),
    }
}

/// Checks each record, character, term and border by itself.
pub(crate) fn check(gazetteer: &Gazetteer) -> Result<(), WriteError> {
    check_rest(gazetteer)?;
    gazetteer.places.iter().try_for_each(check_place)
}

/// Checks what is not a place.
pub(crate) fn check_rest(gazetteer: &Gazetteer) -> Result<(), WriteError> {
    check_transliteration(&gazetteer.transliteration)?;
    check_spellings(&gazetteer.spellings)?;
    check_terms(&gazetteer.lexicon)?;
    gazetteer.borders.iter().try_for_each(check_border)
}

/// Checks a place by itself.
pub(crate) fn check_place(place: &Record) -> Result<(), WriteError> {
    let id = place.id;
    let name = display_name(place);
    let bad = |field| Err(WriteError::Value { id, field });
    if id == 0 || id > MAX_ID {
        return Err(WriteError::Id { id, names: vec![name.to_owned()] });
    }
    if fold(name).is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(WriteError::Name { id, name: name.to_owned() });
    }
    if Coordinate::new(place.position.lat, place.position.lon).is_none() {
        return bad("position");
    }
    if !(0.0..=1.0).contains(&place.importance) {
        return bad("importance");
    }
    if !(place.extent_m.is_finite() && place.extent_m >= 0.0) {
        return bad("extent_m");
    }
    if !is_country_code(place.country) {
        return bad("country");
    }
    if !place.codes.iter().all(|code| !code.text.is_empty() && code.text.bytes().all(is_code_byte)) {
        return bad("codes");
    }
    if !place.bounds.is_none_or(is_on_globe) {
        return bad("bounds");
    }
    Ok(())
}

pub(super) fn is_country_code(code: [u8; 2]) -> bool {
    code.iter().all(u8::is_ascii_uppercase)
}

pub(super) fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_on_globe(bounds: Bounds) -> bool {
    let Bounds { south, north, west, east } = bounds;
    Coordinate::new(south, west).is_some() && Coordinate::new(north, east).is_some() && south <= north
}

/// Checks the order of the characters, which are looked up by binary search, and the length of their spellings.
fn check_transliteration(spellings: &[(char, String)]) -> Result<(), WriteError> {
    let unsorted = spellings.windows(2).find(|pair| pair[0].0 >= pair[1].0).map(|pair| pair[1].0);
    let long = spellings.iter().find(|(_, spelling)| spelling.len() > MAX_NAME_BYTES).map(|(character, _)| *character);
    unsorted.or(long).map_or(Ok(()), |character| Err(WriteError::Transliteration { character }))
}

/// Checks the order of the letters, which are looked up by binary search, and their spellings, which are read cheapest
/// first.
fn check_spellings(spellings: &[Spellings]) -> Result<(), WriteError> {
    let unsorted = spellings
        .windows(2)
        .find(|pair| (pair[0].letter, pair[0].beside) >= (pair[1].letter, pair[1].beside))
        .map(|pair| pair[1].letter);
    let broken =
        spellings.iter().find(|of_letter| !are_sound_spellings(&of_letter.all)).map(|of_letter| of_letter.letter);
    unsorted.or(broken).map_or(Ok(()), |letter| Err(WriteError::Spellings { letter }))
}

/// Tells whether there are spellings, all sound and the cheapest first.
fn are_sound_spellings(all: &[Spelling]) -> bool {
    !all.is_empty() && all.iter().all(is_sound_spelling) && all.windows(2).all(|pair| pair[0] < pair[1])
}

fn is_sound_spelling(spelling: &Spelling) -> bool {
    spelling.latin.len() <= MAX_SPELLING && spelling.latin.bytes().all(is_latin_letter)
}

fn is_latin_letter(c: u8) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// Checks the order of the terms, which are looked up by binary search, that each is folded, and that kinds have roles.
fn check_terms(lexicon: &Lexicon) -> Result<(), WriteError> {
    let kinds: Vec<&str> = lexicon.kinds.iter().map(|(term, _)| term.as_str()).collect();
    let types: Vec<&str> = lexicon.types.iter().map(|(term, _)| term.as_str()).collect();
    let fillers: Vec<&str> = lexicon.fillers.iter().map(String::as_str).collect();
    let unsorted =
        [&kinds, &fillers, &types].into_iter().flat_map(|terms| terms.windows(2)).find(|pair| pair[0] >= pair[1]);
    let unfolded = kinds.iter().chain(&fillers).chain(&types).find(|term| term.is_empty() || fold(term) != **term);
    let without_role = lexicon.kinds.iter().find(|(_, roles)| roles.is_empty()).map(|(term, _)| term.as_str());
    let bad = unsorted.map(|pair| pair[1]).or(unfolded.copied()).or(without_role);
    bad.map_or(Ok(()), |term| Err(WriteError::Term { term: term.to_owned() }))
}

fn check_border(border: &Border) -> Result<(), WriteError> {
    if let Some(country) = border.country().filter(|&country| !is_country_code(country)) {
        return Err(WriteError::Border { country });
    }
    let bad = border.rings.iter().position(|ring| !is_ring(ring));
    bad.map_or(Ok(()), |at| Err(WriteError::Ring { of: border.of, ring: at + 1 }))
}

/// Tells whether a ring is closed, on the globe, and has enough points.
fn is_ring(ring: &[Coordinate]) -> bool {
    let on_globe = ring.iter().all(|point| Coordinate::new(point.lat, point.lon).is_some());
    ring.len() >= MIN_RING_POINTS && ring.first() == ring.last() && on_globe
}

pub(crate) fn display_name(place: &Record) -> &str {
    place.names.first().map_or("", |name| name.text.as_str())
}
