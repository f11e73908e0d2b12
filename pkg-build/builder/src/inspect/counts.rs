//! Counts what an index holds.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use toponym_engine::Kind;

use super::contents::{ALTERNATES, Contents, NAMES};
use crate::text::script;

/// The number of places of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// Number of places.
    pub places: usize,
}

/// The size of a section of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSize {
    /// Name of the section.
    pub name: &'static str,
    /// Uncompressed size.
    pub bytes: usize,
    /// Size when compressed alone.
    pub gzip: usize,
}

/// Counts the kinds in order of their role, most frequent first.
///
/// # Example: count the places of each type
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let counts = inspect::kinds(&index);
/// let museums = counts.iter().find(|count| count.kind.r#type == "museum");
/// assert_eq!(museums.map(|count| count.places), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn kinds(index: &Contents) -> Vec<KindCount> {
    let mut counts: BTreeMap<&Kind, usize> = BTreeMap::new();
    for kind in (0..index.rows()).filter_map(|row| index.kind(row)) {
        *counts.entry(kind).or_default() += 1;
    }
    let mut counts: Vec<KindCount> =
        counts.into_iter().map(|(kind, places)| KindCount { kind: kind.clone(), places }).collect();
    counts.sort_by_key(|count| (count.kind.role, std::cmp::Reverse(count.places)));
    counts
}

/// Counts settlements, sites and areas of each country, the country with most places first.
///
/// # Example: count the places of each country
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let counts = inspect::countries(&index);
/// assert_eq!(counts, [("FR".to_owned(), [2, 2, 2]), ("US".to_owned(), [1, 0, 2])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn countries(index: &Contents) -> Vec<(String, [usize; 3])> {
    let mut counts: BTreeMap<[u8; 2], [usize; 3]> = BTreeMap::new();
    let populated = index.header.populated;
    let sites = index.header.sites;
    for row in 0..index.rows() {
        let group = usize::from(row >= populated) + usize::from(row >= populated + sites);
        if let Some(country) = index.country(row) {
            counts.entry(country).or_default()[group] += 1;
        }
    }
    let mut counts: Vec<_> =
        counts.into_iter().map(|(code, groups)| (String::from_utf8_lossy(&code).into_owned(), groups)).collect();
    counts.sort_by_key(|(_, groups)| std::cmp::Reverse(groups.iter().sum::<usize>()));
    counts
}

/// Counts distinct folded names by script, most frequent first.
///
/// # Example: count the names in Latin letters
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let counts = inspect::scripts(&index);
/// assert_eq!(counts[0].0, "Latin");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scripts(index: &Contents) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let own = index.map(NAMES.keys);
    let is_own = |key: &[u8]| own.as_ref().is_some_and(|own| own.contains_key(key));
    let mut count = |key: &[u8]| {
        let name = std::str::from_utf8(key).ok().and_then(script).map_or("several", |script| script.full_name());
        *counts.entry(name).or_default() += 1;
    };
    index.each_key(NAMES.keys, |key, _| count(key));
    index.each_key(ALTERNATES.keys, |key, _| {
        if !is_own(key) {
            count(key)
        }
    });
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Returns the size of each section, in file order.
///
/// # Example: compute the size of an index
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let sizes = inspect::section_sizes(&index);
/// let bytes: usize = sizes.iter().map(|section| section.bytes).sum();
/// assert!(bytes <= index.file().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn section_sizes(index: &Contents) -> Vec<SectionSize> {
    let sections = index.sections().iter();
    sections.map(|(name, bytes)| SectionSize { name, bytes: bytes.len(), gzip: gzip_size(bytes) }).collect()
}

fn gzip_size(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory does not fail").len()
}
