//! Pages of places by position and by id, of borders, of letters and of regions.

use std::collections::HashMap;
use std::ops::Range;

use super::super::globe::{GlobePage, encode_globe};
use super::content::{Wanted, content, content_of_capitals};
use super::page::{Table, empty, file};
use super::shown::Shown;
use super::{BATCH, Source, Writer, parallel};
use crate::geo::metres_to_chord;
use crate::index::{
    Contents, Cuboid, Layer, RemoteRecords, WriteError, as_stored, column, divide_borders, encode, encode_borders,
};
use crate::record::{Border, Capital, Gazetteer, Record};

/// Largest number of places of a page of the globe.
const GLOBE_PAGE: usize = 900;

/// An extent is stored in steps that are up to 6 % apart.
const EXTENT_ROUNDING: f64 = 1.06;

/// Largest number of ids of a page of ids.
const ID_PAGE: usize = 6_000;

/// Largest number of capitals of a page of them.
const CAPITAL_PAGE: usize = 1_200;

/// Largest number of regions of a page of them.
const REGION_PAGE: usize = 380;

impl<S: Source> Writer<'_, S> {
    /// Adds the pages of all places by position.
    pub fn globe(&mut self) -> Result<(), S::Error> {
        let source = self.source;
        let whole = self.whole;
        let mut by_curve: Vec<(u32, u32)> =
            whole.numbers().map(|number| (whole.curve[number as usize], number)).collect();
        by_curve.sort_unstable();
        let mut globe = Vec::new();
        let cells = cells(&by_curve, 0..by_curve.len(), 0, u32::MAX);
        for batch in cells.chunks(BATCH) {
            self.done += batch.iter().map(|(_, cell)| cell.len()).sum::<usize>();
            let made = parallel::map(batch.iter().collect(), |(_, cell)| -> Result<_, S::Error> {
                let numbers = by_curve[cell.clone()].iter().map(|&(_, number)| number);
                let wanted = numbers.map(|number| Wanted { number, names: Shown::All, codes: true });
                let content = content(source, whole, &wanted.collect::<Vec<_>>())?;
                let boxes = [Layer::Populated, Layer::Sites].map(|layer| around(content.of_layer(layer)));
                Ok((file(content, &HashMap::new(), Table::Names, true)?, boxes))
            });
            let mut files = Vec::new();
            for (&(first, _), made) in batch.iter().zip(made) {
                let (file, boxes) = made?;
                files.push(file);
                globe.push(GlobePage { first, boxes });
            }
            self.hand_on(files)?;
        }
        let (firsts, boxes) = encode_globe(&globe);
        (self.directory.globe, self.directory.boxes) = (firsts.into(), boxes.into());
        Ok(())
    }

    /// Adds the pages of ids.
    pub fn ids(&mut self) -> Result<(), S::Error> {
        let source = self.source;
        let whole = self.whole;
        let numbers: Vec<u32> = whole.numbers().collect();
        for batch in numbers.chunks(BATCH * ID_PAGE) {
            self.add_all(batch.chunks(ID_PAGE).collect(), |numbers: &[u32]| {
                let ids = numbers.iter().map(|&number| source.id(number)).collect();
                let curve = numbers.iter().map(|&number| whole.curve[number as usize]).collect();
                let remote = RemoteRecords { ids, curve, ..RemoteRecords::default() };
                Ok(encode(&Contents { remote, ..Contents::of(empty()) }, &|_| {})?)
            })?;
            self.directory.ids.to_mut().extend(column(batch.chunks(ID_PAGE).map(|numbers| source.id(numbers[0]))));
        }
        Ok(())
    }

    /// Adds the pages of borders and the one that transliterates.
    pub fn borders_and_letters(&mut self) -> Result<(), S::Error> {
        let Gazetteer { borders, transliteration, spellings, .. } = self.rest;
        if !borders.is_empty() {
            let whole = encode_borders(borders).ok_or(WriteError::TooMany("borders"))?;
            // The countries of borders are numbered in their header; their rings are in the encoded sections.
            let countries = borders.iter().filter(|border| border.country().is_some());
            let bare: Vec<Border> = countries.map(|border| Border { of: border.of, rings: Vec::new() }).collect();
            let windows = divide_borders(whole, bare.len());
            let gazetteer = Gazetteer { borders: bare, ..Gazetteer::default() };
            for (window, sections) in windows {
                self.add(&Contents { borders: Some(&sections), ..Contents::of(&gazetteer) })?;
                self.directory.windows.push(window);
            }
        }
        if !transliteration.is_empty() || !spellings.is_empty() {
            let transliteration = transliteration.clone();
            let spellings = spellings.clone();
            let gazetteer = Gazetteer { transliteration, spellings, ..Gazetteer::default() };
            self.add(&Contents::of(&gazetteer))?;
            self.directory.has_transliteration = true;
        }
        Ok(())
    }

    /// Adds the pages of regions.
    pub fn regions(&mut self) -> Result<(), S::Error> {
        let source = self.source;
        let whole = self.whole;
        let chunks: Vec<&[u32]> = whole.regions.chunks(REGION_PAGE).collect();
        self.directory.regions = chunks.len() as u32;
        self.add_all(chunks, |chunk| {
            let wanted = chunk.iter().map(|&number| Wanted { number, names: Shown::All, codes: false });
            let content = content(source, whole, &wanted.collect::<Vec<_>>())?;
            Ok(file(content, &HashMap::new(), Table::Names, false)?)
        })
    }

    /// Adds the pages of capitals.
    pub fn capitals(&mut self, capitals: &[Capital]) -> Result<(), S::Error> {
        let source = self.source;
        let chunks: Vec<&[Capital]> = capitals.chunks(CAPITAL_PAGE).collect();
        self.directory.capitals = chunks.len() as u32;
        self.add_all(chunks, |chunk| {
            Ok(file(content_of_capitals(source, chunk)?, &HashMap::new(), Table::Names, false)?)
        })
    }
}

/// Returns the cells of the Hilbert curve between two positions, each with its places, which are in order: as large as
/// a page may be.
fn cells(places: &[(u32, u32)], range: Range<usize>, first: u32, last: u32) -> Vec<(u32, Range<usize>)> {
    if range.len() <= GLOBE_PAGE || first == last {
        return vec![(first, range)];
    }
    let quarter = (last - first) / 4;
    let mut found: Vec<(u32, Range<usize>)> = Vec::new();
    let mut start = range.start;
    for number in 0..4 {
        let from = first + number * (quarter + 1);
        let to = if number == 3 { last } else { from + quarter };
        let end = start + places[start..range.end].partition_point(|&(curve, _)| curve <= to);
        for (from, cell) in cells(places, start..end, from, to) {
            // Neighbours that fit one page share it.
            match found.last_mut() {
                Some((_, before)) if before.len() + cell.len() <= GLOBE_PAGE => before.end = cell.end,
                _ => found.push((from, cell)),
            }
        }
        start = end;
    }
    found
}

/// Returns the box around places with their extents, if they are sites; `None` if there are none.
fn around<'p>(places: impl Iterator<Item = &'p Record>) -> Option<Cuboid> {
    let cuboids = places.map(|place| {
        let is_site = Layer::of(place.kind.role) == Layer::Sites;
        let chord = if is_site { metres_to_chord(place.extent_m * EXTENT_ROUNDING) } else { 0.0 };
        Cuboid::within(as_stored(place.position).unit_vector(), chord)
    });
    cuboids.reduce(Cuboid::around)
}
