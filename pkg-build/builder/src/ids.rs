//! Place ids: below 2^53, never 0, and derived from the source's own key for the place, so that a rebuild keeps them.
//!
//! The bits from 48 up identify the source; the 48 bits below are the source's number or a hash of its key. GeoNames
//! has namespace 0, so the `place_id` of its records is the GeoNames id.

use xxhash_rust::xxh3::xxh3_64;

/// The source of an id. The numbers are stored in ids: never change or reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Namespace {
    /// Settlements and countries: the GeoNames id.
    GeoNames = 0,
    /// First-level divisions: a hash of the code, `US.TX`.
    State = 1,
    /// Second-level divisions: a hash of the code, `US.TX.201`.
    County = 2,
    /// Airports: a hash of the source's key.
    Airport = 3,
    /// Stations: a hash of the slug.
    Station = 4,
    /// Landmarks: a hash of the slug.
    Landmark = 5,
    /// Settlements that an operator imports without a GeoNames id: a hash of the operator's id, or of country, name and
    /// position.
    Place = 6,
    /// Regions: a hash of the slug.
    Region = 7,
    /// Postal codes: a hash of country and code.
    Postcode = 8,
}

/// Number of bits below the namespace.
const NUMBER_BITS: u32 = 48;

/// The greatest number of a source: a greater GeoNames id would reach into the namespace of another source.
pub(crate) const GREATEST_NUMBER: u64 = (1 << NUMBER_BITS) - 1;

/// Returns the human-readable name of the source of an id.
pub(crate) fn source(id: u64) -> &'static str {
    const SOURCES: [(Namespace, &str); 9] = [
        (Namespace::GeoNames, "GeoNames"),
        (Namespace::State, "first-level divisions"),
        (Namespace::County, "second-level divisions"),
        (Namespace::Airport, "airports"),
        (Namespace::Station, "stations"),
        (Namespace::Landmark, "landmarks"),
        (Namespace::Place, "an operator's settlements"),
        (Namespace::Region, "regions"),
        (Namespace::Postcode, "postal codes"),
    ];
    let known = SOURCES.iter().find(|(namespace, _)| *namespace as u64 == id >> NUMBER_BITS);
    known.map_or("an unknown source", |(_, name)| name)
}

/// Returns the place id for the GeoNames id `number`.
pub(crate) fn geonames(number: u64) -> u64 {
    debug_assert!(number < 1 << NUMBER_BITS);
    ((Namespace::GeoNames as u64) << NUMBER_BITS) | number
}

/// Returns the place id for the `key` of a source.
pub(crate) fn hash_id(namespace: Namespace, key: &str) -> u64 {
    ((namespace as u64) << NUMBER_BITS) | number_of(key)
}

/// Returns the bits of [`hash_id`] below the namespace. Keys with different numbers have different ids in every
/// namespace.
pub(crate) fn number_of(key: &str) -> u64 {
    xxh3_64(key.as_bytes()) & GREATEST_NUMBER
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids are stable: these must never change.
    #[test]
    fn ids_are_pinned() {
        assert_eq!(geonames(2_988_507), 2_988_507);
        check(Namespace::State, "US.TX", 409_506_026_001_007);
        check(Namespace::County, "US.TX.201", 583_281_018_368_500);
        check(Namespace::Airport, "LFPG", 990_707_910_371_692);
        check(Namespace::Station, "db-8000105", 1_372_081_975_934_769);
        check(Namespace::Landmark, "eiffel-tower", 1_585_475_157_334_552);
        check(Namespace::Place, "our-village", 1_958_885_569_573_410);
        check(Namespace::Postcode, "FR/75001", 2_368_725_659_339_884);
    }

    fn check(namespace: Namespace, key: &str, expect: u64) {
        let id = hash_id(namespace, key);
        assert_eq!(id, expect, "{namespace:?} {key}");
        assert!(id < 1 << 53);
    }
}
