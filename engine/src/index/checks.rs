//! What a gazetteer must be to become an index: whatever readers go by is so.

use std::fmt;

use crate::geo::{Bounds, Coordinate};
use crate::record::{Border, Code, Gazetteer, Lexicon, Record};
use crate::text::fold;

/// Longest display name, in bytes of UTF-8: its length is one byte.
pub const MAX_NAME_BYTES: usize = 255;

/// Largest place id: JSON numbers are exact below 2^53.
pub const MAX_ID: u64 = (1 << 53) - 1;

/// Fewest points of a ring: a triangle, and its first point again.
const RING_POINTS: usize = 4;

/// Why a gazetteer cannot become an index; each names what is to be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// Two records have one id, or an id is 0 or not below 2^53.
    Id {
        /// The id.
        id: u64,
        /// Display names of the records that bear it.
        names: Vec<String>,
    },
    /// A parent is no record, or is not larger than what it holds.
    Parent {
        /// The record.
        id: u64,
        /// What it says its parent is.
        parent: u64,
    },
    /// A capital's area is no country or state, has two, or the capital is no city of the gazetteer.
    Capital {
        /// The area.
        area: u64,
        /// What it is given as its capital.
        city: u64,
    },
    /// A record has no usable name, or its display name is longer than 255 bytes.
    Name {
        /// The record.
        id: u64,
        /// Its display name.
        name: String,
    },
    /// A value is not a number or out of range.
    Value {
        /// The record.
        id: u64,
        /// Which value.
        field: &'static str,
    },
    /// A letter is there twice or not in order, or its spelling is longer than 255 bytes.
    Letter {
        /// The letter.
        letter: char,
    },
    /// A word is not folded, is there twice or not in order, or is a kind without a role.
    Word {
        /// The word.
        word: String,
    },
    /// The country of a border is no code.
    Border {
        /// What it says its country is.
        country: [u8; 2],
    },
    /// A ring is not closed, has no inside, or a point that is out of range.
    Ring {
        /// The country of the border.
        country: [u8; 2],
        /// Which of its rings, from 1.
        ring: usize,
    },
    /// More of something than the format has numbers for.
    TooMany(&'static str),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { id, names } => {
                write!(f, "place id {id} must be unique and from 1 to 2^53 - 1; it is given to {}", names.join(" and "))
            }
            Self::Parent { id, parent } => {
                write!(f, "place {id} names {parent} as its parent, which is no larger place of this gazetteer")
            }
            Self::Capital { area, city } => {
                write!(f, "{city} cannot be the capital of {area}: that takes a city, and one country or state")
            }
            Self::Name { id, name } => {
                write!(f, "place {id} needs a display name of 1 to {MAX_NAME_BYTES} bytes with a letter, not {name:?}")
            }
            Self::Value { id, field } => write!(f, "place {id}: {field} is missing or out of range"),
            Self::Letter { letter } => write!(
                f,
                "letter {letter:?} (U+{:04X}): letters must be in order, each once, with a spelling of at most \
                 {MAX_NAME_BYTES} bytes",
                u32::from(*letter)
            ),
            Self::Word { word } => write!(
                f,
                "lexicon: {word:?}: words must be folded and in order, each once, and words for kinds need a role"
            ),
            Self::Border { country } => {
                write!(f, "border of {:?}: a country is two capital letters", String::from_utf8_lossy(country))
            }
            Self::Ring { country, ring } => write!(
                f,
                "border of {:?}, ring {ring}: a ring needs {RING_POINTS} points or more, all on the globe, the last one \
                 that of the first",
                String::from_utf8_lossy(country)
            ),
            Self::TooMany(what) => write!(f, "the index format has no numbers left for {what}"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Refuses what is wrong with a record, a letter, a word or a border by itself.
pub(crate) fn check(gazetteer: &Gazetteer) -> Result<(), WriteError> {
    check_letters(&gazetteer.letters)?;
    check_words(&gazetteer.lexicon)?;
    gazetteer.borders.iter().try_for_each(check_border)?;
    gazetteer.places.iter().try_for_each(check_place)
}

fn check_place(place: &Record) -> Result<(), WriteError> {
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
    let is_code = |code: &Code| !code.text.is_empty() && code.text.bytes().all(is_of_code);
    if !place.codes.iter().all(is_code) {
        return bad("codes");
    }
    if !place.bounds.is_none_or(is_on_globe) {
        return bad("bounds");
    }
    Ok(())
}

fn is_country_code(code: [u8; 2]) -> bool {
    code.iter().all(u8::is_ascii_uppercase)
}

fn is_of_code(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_on_globe(bounds: Bounds) -> bool {
    let Bounds { south, north, west, east } = bounds;
    Coordinate::new(south, west).is_some() && Coordinate::new(north, east).is_some() && south <= north
}

/// Letters are looked up by halving.
fn check_letters(letters: &[(char, String)]) -> Result<(), WriteError> {
    let unordered = letters.windows(2).find(|pair| pair[0].0 >= pair[1].0).map(|pair| pair[1].0);
    let long = letters.iter().find(|(_, spelling)| spelling.len() > MAX_NAME_BYTES).map(|(letter, _)| *letter);
    unordered.or(long).map_or(Ok(()), |letter| Err(WriteError::Letter { letter }))
}

/// So are words.
fn check_words(lexicon: &Lexicon) -> Result<(), WriteError> {
    let kinds: Vec<&str> = lexicon.kinds.iter().map(|(word, _)| word.as_str()).collect();
    let fillers: Vec<&str> = lexicon.fillers.iter().map(String::as_str).collect();
    let unordered = [&kinds, &fillers].into_iter().flat_map(|words| words.windows(2)).find(|pair| pair[0] >= pair[1]);
    let unfolded = kinds.iter().chain(&fillers).find(|word| word.is_empty() || fold(word) != **word);
    let without_role = lexicon.kinds.iter().find(|(_, roles)| roles.is_empty()).map(|(word, _)| word.as_str());
    let bad = unordered.map(|pair| pair[1]).or(unfolded.copied()).or(without_role);
    bad.map_or(Ok(()), |word| Err(WriteError::Word { word: word.to_owned() }))
}

fn check_border(border: &Border) -> Result<(), WriteError> {
    let country = border.country;
    if !is_country_code(country) {
        return Err(WriteError::Border { country });
    }
    let is_ring = |ring: &Vec<Coordinate>| {
        let on_globe = ring.iter().all(|point| Coordinate::new(point.lat, point.lon).is_some());
        ring.len() >= RING_POINTS && ring.first() == ring.last() && on_globe
    };
    let bad = border.rings.iter().position(|ring| !is_ring(ring));
    bad.map_or(Ok(()), |at| Err(WriteError::Ring { country, ring: at + 1 }))
}

pub(crate) fn display_name(place: &Record) -> &str {
    place.names.first().map_or("", |name| name.text.as_str())
}
