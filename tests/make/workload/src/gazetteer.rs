//! Reads an index back into the records it was written from, following `FORMAT.md`: columns by row, names from the fst.
//! Data that an index does not store is approximated: names other than the display name are folded, and no name has a
//! language.

use std::collections::HashMap;
use std::fmt;

use fst::{Map, Streamer};
use serde::Deserialize;
use toponym_engine::geo::Bounds;
use toponym_engine::index::{OpenError, sections};
use toponym_engine::{
    About, Beside, Bordered, Capital, Code, CodeScheme, FurtherCountry, Gazetteer, Kind, LandGrid, Lexicon, Name,
    NameClass, Record, Spelling, Spellings, fold,
};

use crate::borders::{borders, coordinate, degrees};

/// Length of the frame in front of the header.
const FRAME: usize = 32;

/// Ratio and floor of stored extents, in metres.
const EXTENT_FLOOR_M: f64 = 20.0;
const EXTENT_RATIO: f64 = 1.0513;

/// Postings: the row, the class above it, or the offset of a list.
const ROW_MASK: u32 = (1 << 28) - 1;
const CLASS_SHIFT: u32 = 28;
const LIST: u32 = 1 << 31;

/// "None" in columns of rows.
const NO_ROW: u32 = u32::MAX;

/// Why an index cannot be read back.
#[derive(Debug)]
pub enum ReadError {
    /// The engine refuses it.
    Open(OpenError),
    /// The named part does not follow `FORMAT.md`.
    Part(&'static str),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Part(part) => write!(f, "{part} is not as FORMAT.md describes it: bring the reader up to date"),
        }
    }
}

impl std::error::Error for ReadError {}

/// The first fields of the header. The rest is not needed.
#[derive(Deserialize)]
struct Header {
    about: About,
    lexicon: Lexicon,
    _populated: u32,
    _sites: u32,
    _areas: u32,
    kinds: Vec<Kind>,
    countries: Vec<([u8; 2], u32)>,
    borders: Vec<u16>,
}

/// Reads the records of an index file.
///
/// # Errors
/// When the engine cannot open the file, or a part is not as `FORMAT.md` describes it.
pub fn gazetteer(file: Vec<u8>) -> Result<Gazetteer, ReadError> {
    let parts = Parts(sections(file).map_err(ReadError::Open)?.into_iter().collect());
    let encoded = parts.0.get("header").and_then(|header| header.get(FRAME..)).ok_or(ReadError::Part("header"))?;
    let (header, _) = postcard::take_from_bytes::<Header>(encoded).map_err(|_| ReadError::Part("header"))?;
    let mut places = places(&parts, &header)?;
    for table in [SECTIONS, ALTERNATES] {
        add_names(&parts, table, &mut places)?;
    }
    add_codes(&parts, &mut places)?;
    add_bounds(&parts, &mut places)?;
    let capitals = capitals(&parts, &places)?;
    let further_countries = further_countries(&parts, &header, &places)?;
    let countries = header.borders.iter().map(|&number| Bordered::Country(header.countries[usize::from(number)].0));
    let states: Vec<u64> = parts.column("border states")?;
    let bordered = countries.chain(states.into_iter().map(Bordered::State));
    let vertices = parts.column("border vertices")?;
    let cells = parts.column("border cells")?;
    let edges = parts.column("border edges")?;
    Ok(Gazetteer {
        places,
        about: header.about,
        lexicon: header.lexicon,
        borders: borders(bordered, &vertices, &cells, &edges),
        land: land(&parts)?,
        capitals,
        further_countries,
        // Nothing that a search looks at.
        facts: Vec::new(),
        transliteration: letters(&parts)?,
        spellings: spellings(&parts)?,
    })
}

/// The sections by name.
struct Parts(HashMap<&'static str, bytes::Bytes>);

impl Parts {
    fn bytes(&self, name: &'static str) -> Result<&bytes::Bytes, ReadError> {
        self.0.get(name).ok_or(ReadError::Part(name))
    }

    fn column<T: Word>(&self, name: &'static str) -> Result<Vec<T>, ReadError> {
        Ok(self.bytes(name)?.chunks_exact(size_of::<T>()).map(T::from_bytes).collect())
    }

    fn fst(&self, name: &'static str) -> Result<Map<bytes::Bytes>, ReadError> {
        Map::new(self.bytes(name)?.clone()).map_err(|_| ReadError::Part(name))
    }

    /// Reads the text behind its length byte.
    fn text(&self, name: &'static str, offset: u32) -> Result<String, ReadError> {
        let bytes = self.bytes(name)?;
        let start = offset as usize + 1;
        let length = bytes.get(start - 1).ok_or(ReadError::Part(name))?;
        let text = bytes.get(start..start + usize::from(*length)).ok_or(ReadError::Part(name))?;
        String::from_utf8(text.to_vec()).map_err(|_| ReadError::Part(name))
    }
}

/// A little-endian number of a column.
pub(crate) trait Word: Sized {
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($($number:ty),*) => {$(
        impl Word for $number {
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("chunks have the width of the number"))
            }
        }
    )*};
}

word!(u8, u16, u32, u64, i32);

fn places(parts: &Parts, header: &Header) -> Result<Vec<Record>, ReadError> {
    let latitude = parts.column::<i32>("latitude")?;
    let longitude = parts.column::<i32>("longitude")?;
    let importance = parts.column::<u16>("importance")?;
    let kind = parts.column::<u8>("kind")?;
    let country = parts.column::<u16>("country")?;
    let parent = parts.column::<u32>("parent")?;
    let id = parts.column::<u64>("id")?;
    let extent = parts.column::<u8>("extent")?;
    let name = parts.column::<u32>("display name")?;
    (0..id.len())
        .map(|row| {
            let text = parts.text("text", name[row])?;
            Ok(Record {
                id: id[row],
                kind: header.kinds[usize::from(kind[row])].clone(),
                names: vec![Name { text, class: NameClass::Primary, lang: None }],
                codes: Vec::new(),
                position: coordinate(latitude[row], longitude[row]).ok_or(ReadError::Part("latitude"))?,
                parent: Some(parent[row]).filter(|&row| row != NO_ROW).map(|row| id[row as usize]),
                country: header.countries[usize::from(country[row])].0,
                importance: f64::from(importance[row]) / f64::from(u16::MAX),
                extent_m: EXTENT_FLOOR_M * EXTENT_RATIO.powi(i32::from(extent[row])),
                bounds: None,
            })
        })
        .collect()
}

/// The sections of a table of names: fst, postings, lists.
const SECTIONS: [&str; 3] = ["names", "postings", "posting lists"];
const ALTERNATES: [&str; 3] = ["alternates", "alternate postings", "alternate lists"];

fn add_names(parts: &Parts, [fst, postings, lists]: [&'static str; 3], places: &mut [Record]) -> Result<(), ReadError> {
    let postings = parts.column::<u32>(postings)?;
    let lists = parts.column::<u32>(lists)?;
    let names = parts.fst(fst)?;
    let display: Vec<String> = places.iter().map(|place| fold(&place.names[0].text)).collect();
    let mut stream = names.stream();
    while let Some((key, id)) = stream.next() {
        let text = std::str::from_utf8(key).map_err(|_| ReadError::Part(fst))?;
        for &posting in of_id(&postings, &lists, id as usize) {
            let row = (posting & ROW_MASK) as usize;
            if display[row] != text {
                places[row].names.push(Name { text: text.to_owned(), class: class(posting), lang: None });
            }
        }
    }
    Ok(())
}

fn of_id<'a>(postings: &'a [u32], lists: &'a [u32], id: usize) -> &'a [u32] {
    let word = postings[id];
    if word & LIST == 0 {
        return std::slice::from_ref(&postings[id]);
    }
    let start = (word & !LIST) as usize + 1;
    &lists[start..start + lists[start - 1] as usize]
}

fn class(posting: u32) -> NameClass {
    match posting >> CLASS_SHIFT & 7 {
        0 => NameClass::Primary,
        1 => NameClass::English,
        2 => NameClass::Other,
        _ => NameClass::Weak,
    }
}

fn add_codes(parts: &Parts, places: &mut [Record]) -> Result<(), ReadError> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    let codes = parts.fst("codes")?;
    let mut stream = codes.stream();
    while let Some((key, row)) = stream.next() {
        let end = key.iter().position(|&byte| byte == 0).ok_or(ReadError::Part("codes"))?;
        let text = std::str::from_utf8(&key[..end]).map_err(|_| ReadError::Part("codes"))?.to_owned();
        let scheme = [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| scheme as u8 == key[end + 1]);
        let scheme = scheme.ok_or(ReadError::Part("codes"))?;
        places[row as usize].codes.push(Code { scheme, text });
    }
    Ok(())
}

fn add_bounds(parts: &Parts, places: &mut [Record]) -> Result<(), ReadError> {
    let sides = parts.column::<i32>("bounds")?;
    for (row, sides) in parts.column::<u32>("bounds rows")?.into_iter().zip(sides.chunks_exact(4)) {
        let [south, north, west, east] = std::array::from_fn(|i| degrees(sides[i]));
        places[row as usize].bounds = Some(Bounds { south, north, west, east });
    }
    Ok(())
}

fn capitals(parts: &Parts, places: &[Record]) -> Result<Vec<Capital>, ReadError> {
    let areas = parts.column::<u32>("capital areas")?;
    let cities = parts.column::<u32>("capitals")?;
    let id = |row: u32| places[row as usize].id;
    Ok(areas.into_iter().zip(cities).map(|(area, city)| Capital { area: id(area), city: id(city) }).collect())
}

fn further_countries(parts: &Parts, header: &Header, places: &[Record]) -> Result<Vec<FurtherCountry>, ReadError> {
    let rows = parts.column::<u32>("shared regions")?;
    let numbers = parts.column::<u16>("further countries")?;
    let further = |(row, number): (u32, u16)| FurtherCountry {
        region: places[row as usize].id,
        country: header.countries[usize::from(number)].0,
    };
    Ok(rows.into_iter().zip(numbers).map(further).collect())
}

fn land(parts: &Parts) -> Result<LandGrid, ReadError> {
    let bits = parts.bytes("land")?;
    if bits.is_empty() {
        return Ok(LandGrid::default());
    }
    let mut land = LandGrid::empty();
    let marked = (0..8 * bits.len()).filter(|bit| bits[bit / 8] >> (bit % 8) & 1 == 1);
    marked.for_each(|bit| land.mark(bit / LandGrid::COLUMNS, bit % LandGrid::COLUMNS));
    Ok(land)
}

fn letters(parts: &Parts) -> Result<Vec<(char, String)>, ReadError> {
    let chars = parts.column::<u32>("transliterated characters")?;
    let offsets = parts.column::<u32>("transliteration offsets")?;
    let letter = |(c, offset)| {
        let c = char::from_u32(c).ok_or(ReadError::Part("transliterated characters"))?;
        Ok((c, parts.text("transliteration text", offset)?))
    };
    chars.into_iter().zip(offsets).map(letter).collect()
}

fn spellings(parts: &Parts) -> Result<Vec<Spellings>, ReadError> {
    let letters = parts.column::<u64>("spelled letters")?;
    let starts = parts.column::<u32>("spelling starts")?;
    let bytes = parts.bytes("spellings")?;
    let ends = starts.iter().skip(1).map(|&start| start as usize).chain([bytes.len()]);
    let of_letter = |((&key, &start), end): ((&u64, &u32), usize)| {
        let letter = char::from_u32((key >> 42) as u32)?;
        let other = char::from_u32(key as u32 & 0x1f_ffff)?;
        let beside = match key >> 40 & 3 {
            0 => Beside::Anything,
            1 => Beside::Before(other),
            _ => Beside::After(other),
        };
        let mut rest = bytes.get(start as usize..end)?;
        let mut all = Vec::new();
        while let [cost, length, behind @ ..] = rest {
            let (latin, behind) = behind.split_at_checked(usize::from(*length))?;
            all.push(Spelling { cost: *cost, latin: String::from_utf8(latin.to_vec()).ok()? });
            rest = behind;
        }
        rest.is_empty().then_some(Spellings { letter, beside, all })
    };
    letters.iter().zip(&starts).zip(ends).map(|at| of_letter(at).ok_or(ReadError::Part("spellings"))).collect()
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Border, Bordered, Role, index};

    use toponym_engine::geo::Coordinate;

    use super::*;

    fn place(id: u64, role: Role, names: [&str; 2], parent: Option<u64>) -> Record {
        let classes = [NameClass::Primary, NameClass::Other];
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
            names: names
                .into_iter()
                .zip(classes)
                .map(|(text, class)| Name { text: text.to_owned(), class, lang: None })
                .collect(),
            codes: vec![Code { scheme: CodeScheme::Iata, text: "ABC".into() }],
            position: Coordinate::new(10.5, 20.25 + id as f64).expect("it is on the globe"),
            parent,
            country: *b"AA",
            importance: 0.5,
            extent_m: 5_000.0,
            bounds: (id == 1).then_some(Bounds { south: 10.0, north: 11.0, west: 20.0, east: 21.0 }),
        }
    }

    #[test]
    fn what_is_read_back_writes_the_same_index() {
        // The ring touches its first vertex midway.
        let corners = [(10.0, 20.0), (10.0, 23.0), (12.5, 21.5), (10.0, 20.0), (8.0, 19.0), (9.0, 18.0), (10.0, 20.0)];
        let ring = corners.map(|(lat, lon)| Coordinate::new(lat, lon).expect("it is on the globe")).to_vec();
        let mut land = LandGrid::empty();
        land.mark(402, 803);
        let gazetteer = Gazetteer {
            places: vec![
                place(1, Role::Country, ["Land", "Ostland"], None),
                place(2, Role::City, ["Stad", "Other Town"], Some(1)),
                place(3, Role::City, ["Stad", "Third"], Some(1)),
                place(4, Role::Region, ["Gebirge", "Range"], Some(1)),
            ],
            about: About { title: "test".into(), ..About::default() },
            lexicon: Lexicon {
                kinds: vec![("town".into(), vec![Role::City])],
                fillers: vec!["of".into()],
                types: Vec::new(),
            },
            borders: vec![Border { of: Bordered::Country(*b"AA"), rings: vec![ring] }],
            land,
            capitals: vec![Capital { area: 1, city: 3 }],
            further_countries: vec![FurtherCountry { region: 4, country: *b"BB" }],
            facts: Vec::new(),
            transliteration: vec![('ж', "zh".into())],
            spellings: vec![Spellings {
                letter: 'ж',
                beside: Beside::Before('а'),
                all: vec![Spelling { cost: 2, latin: "zh".into() }, Spelling { cost: 40, latin: String::new() }],
            }],
        };
        let written = index::write(&gazetteer).expect("the gazetteer is sound");
        let back = super::gazetteer(written.clone()).expect("it can be read");
        assert_eq!(back.borders, gazetteer.borders);
        assert!(index::write(&back).expect("it is still sound") == written, "{back:?}");
    }
}
