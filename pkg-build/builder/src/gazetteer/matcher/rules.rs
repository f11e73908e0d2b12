//! The table of what two rows or places must have in common to be the same, and the decision by it.

use std::collections::BTreeMap;

use super::provenance::Imported;
use super::report::Why;
use super::subject::{Addition, Core, Kind, Subject};
use crate::gazetteer::airports::names_agree;
use crate::sources::rows::Origin;
use Of::{Airports, Landmarks, PartAndTown, Parts, RegionAndLandmark, Stations, Towns};
use Within::{BeyondExtent, Metres, MetresOrExtent};

/// Two settlements with the same name nearer than this are the same place, entered twice, or a town and its centre.
pub(crate) const SAME_PLACE_M: f64 = 3_000.0;

/// Two settlements with the same name in one division, of which one has no population, are the same place nearer than this:
/// sources that do not count people place a town where its name stands on a map.
const EMPTY_PLACE_M: f64 = 7_500.0;

/// Two sites with the same name from two sources are the same if they are nearer than this plus the extent of the larger one.
pub(crate) const SAME_SITE_M: f64 = 1_200.0;

/// Two airports with names that agree are the same nearer than this.
pub(super) const NEAR_AIRPORT_M: f64 = 2_500.0;

/// If two airports this far apart have the same code, one of the sources is wrong.
const FAR_AIRPORT_M: f64 = 100_000.0;

/// Two towns of which one has the name of the other beside its own are the same nearer than this.
const SAME_TOWN_M: f64 = 1_000.0;

/// Two towns of which one has the name of the other with a linking word and another name, or a remark, are the same nearer than this: farther
/// apart, Telve and Telve di Sopra are two.
const SAME_LINKED_M: f64 = 500.0;

/// Two parts of a city, or a part and a town, with one name are the same nearer than this.
const SAME_PART_M: f64 = 1_500.0;

/// Two runways of one airport are nearer than this.
const SAME_AIRPORT_M: f64 = 3_000.0;

/// A railway station and the underground station below it are nearer than this.
const SAME_STATION_M: f64 = 500.0;

/// A landmark lies this far outside the box of a region at most, in degrees.
const BESIDE_DEGREES: f64 = 0.1;

/// Landmarks of these types may be listed as a region too.
const SHARED_TYPES: [&str; 6] = ["canyon", "desert", "glacier", "island", "lake", "river"];

/// A row of the table: two subjects are the same if they are of such kinds, share such a name, are as near, and nothing tells them apart.
pub(crate) struct Rule(&'static [Of], Share, Within, fn(&Pair) -> bool);

impl Rule {
    /// Tells whether two may be the same by a name that neither displays.
    pub(super) fn asks_any_name(&self) -> bool {
        self.1 == Share::Any
    }
}

/// Kinds of the two subjects. But for a region and a landmark, both are of one country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Towns,
    Parts,
    PartAndTown,
    Airports,
    Stations,
    Landmarks,
    RegionAndLandmark,
}

/// Names that the two subjects have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// The display names of both.
    First,
    /// The display name of one is a name of the other.
    FirstOfOne,
    /// Any name that identifies both.
    Any,
    /// The display name of one is that of the other with a linking word and another name, or with a remark in brackets.
    Linked,
    /// The display name of one is that of the other with a word for the kind.
    Kind,
    /// Two places have the number of a part of one city, and the display name of one says no more than it.
    Number,
    /// Words that tell airports apart.
    Words,
}

/// Greatest distance between the two subjects.
enum Within {
    Metres(f64),
    /// So many metres, or the extent of the larger one if it is more.
    MetresOrExtent(f64),
    /// So many metres beyond the extent of the larger one.
    BeyondExtent(f64),
    /// One lies in the box of the other, which is a region.
    Box,
}

/// The rules for rows: names are as the sources write them.
pub(crate) const ROWS: &[Rule] = &[
    Rule(&[Towns, Parts, PartAndTown], Share::First, Metres(SAME_PLACE_M), always),
    Rule(&[Towns, Parts, PartAndTown], Share::First, Metres(EMPTY_PLACE_M), is_one_empty_in_a_division),
    // A quarter may have the name of its city in another language.
    Rule(&[Towns, Parts], Share::FirstOfOne, Metres(SAME_PLACE_M), always),
    Rule(&[Airports], Share::Words, Metres(NEAR_AIRPORT_M), have_no_different_codes),
    Rule(&[Stations], Share::Any, BeyondExtent(SAME_SITE_M), are_of_two_sources),
    Rule(&[Landmarks], Share::Any, BeyondExtent(SAME_SITE_M), are_alike_in_two_sources),
    Rule(&[RegionAndLandmark], Share::FirstOfOne, Within::Box, always),
];

/// The rules for finished places: names are cleaned, and those that identify a place are the usual ones.
pub(crate) const PLACES: &[Rule] = &[
    Rule(&[Towns], Share::FirstOfOne, Metres(SAME_TOWN_M), always),
    Rule(&[Towns], Share::Linked, Metres(SAME_LINKED_M), always),
    Rule(&[Towns, Parts, PartAndTown], Share::Kind, Metres(SAME_PART_M), always),
    Rule(&[Parts], Share::Number, Metres(SAME_PLACE_M), always),
    // Where the middle of Queens is, is a matter of taste.
    Rule(&[Parts, PartAndTown], Share::First, MetresOrExtent(SAME_PART_M), always),
    Rule(&[Parts, PartAndTown], Share::FirstOfOne, Metres(SAME_PART_M), always),
    Rule(&[Airports], Share::FirstOfOne, Metres(SAME_AIRPORT_M), always),
    Rule(&[Stations], Share::FirstOfOne, Metres(SAME_STATION_M), always),
    Rule(&[Landmarks], Share::FirstOfOne, Metres(SAME_SITE_M), are_of_one_group),
];

/// Why two are the same, and how well they match: the better, the less. A better reason comes before one kind, and that before a shorter
/// distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Same {
    pub why: Why,
    are_of_two_kinds: bool,
    /// The bits of the distance: those of numbers above zero are in the order of the numbers.
    metres: u64,
}

/// Two subjects that are compared.
struct Pair<'s, 'p> {
    a: &'s Subject<'p>,
    b: &'s Subject<'p>,
    groups: &'s BTreeMap<String, String>,
    imported: &'s Imported,
}

/// Decides why two subjects are the same; `None` if they are different. Of a known or kept place and another one, the first is `a`.
pub(super) fn decide(
    rules: &[Rule],
    a: &Subject,
    b: &Subject,
    groups: &BTreeMap<String, String>,
    imported: &Imported,
) -> Option<Same> {
    let metres = a.at.distance_m(b.at);
    let of = of(a, b);
    let why = if a.id == b.id {
        Why::Id
    } else if imported.are_apart(a.id, b.id) {
        return None;
    } else if metres < FAR_AIRPORT_M && a.codes().any(|code| b.codes().any(|other| other == code)) {
        Why::Code
    } else {
        let of = of?;
        let pair = Pair { a, b, groups, imported };
        let Rule(_, share, ..) = rules.iter().find(|Rule(kinds, share, within, only)| {
            kinds.contains(&of) && within.holds(&pair, metres) && share.holds(&pair) && only(&pair)
        })?;
        match share {
            Share::Linked | Share::Kind | Share::Number => Why::Core,
            _ if a.first == b.first || *share == Share::Words => Why::Name,
            _ => Why::OtherName,
        }
    };
    Some(Same { why, are_of_two_kinds: of == Some(PartAndTown), metres: metres.max(0.0).to_bits() })
}

fn of(a: &Subject, b: &Subject) -> Option<Of> {
    match (a.kind, b.kind) {
        (Kind::Region(_), Kind::Landmark(r#type)) => SHARED_TYPES.contains(&r#type).then_some(RegionAndLandmark),
        _ if a.country != b.country => None,
        (Kind::Settlement { is_part: true, .. }, Kind::Settlement { is_part: true, .. }) => Some(Parts),
        (Kind::Settlement { is_part: false, .. }, Kind::Settlement { is_part: false, .. }) => Some(Towns),
        (Kind::Settlement { .. }, Kind::Settlement { .. }) => Some(PartAndTown),
        (Kind::Airport(_), Kind::Airport(_)) => Some(Airports),
        (Kind::Station, Kind::Station) => Some(Stations),
        (Kind::Landmark(_), Kind::Landmark(_)) => Some(Landmarks),
        _ => None,
    }
}

impl Share {
    fn holds(self, Pair { a, b, .. }: &Pair) -> bool {
        let is_first_of_one = || a.first == b.first || a.others.contains(&b.first) || b.others.contains(&a.first);
        match self {
            Self::First => a.first == b.first,
            Self::FirstOfOne => is_first_of_one(),
            Self::Any => is_first_of_one() || a.others.iter().any(|name| b.others.contains(name)),
            Self::Linked => is_core_of_one(a, b, Addition::Link, |whole, key| whole.first == key),
            Self::Kind => is_core_of_one(a, b, Addition::Kind, |whole, key| whole.first == key),
            Self::Number => is_core_of_one(a, b, Addition::Number, |whole, key| whole.others.contains(&key)),
            Self::Words => a.airport().zip(b.airport()).is_some_and(|(a, b)| names_agree(a, b)),
        }
    }
}

/// Tells whether the core of one subject, without such an addition, is a name of the other.
fn is_core_of_one(a: &Subject, b: &Subject, addition: Addition, is_name: impl Fn(&Subject, u64) -> bool) -> bool {
    let is_of =
        |core: Option<Core>, other| core.is_some_and(|core| core.addition == addition && is_name(other, core.key));
    is_of(a.core, b) || is_of(b.core, a)
}

impl Within {
    fn holds(&self, Pair { a, b, .. }: &Pair, metres: f64) -> bool {
        let extent_m = a.extent_m.max(b.extent_m);
        match *self {
            Self::Metres(most) => metres < most,
            Self::MetresOrExtent(most) => metres < most.max(extent_m),
            Self::BeyondExtent(most) => metres < most + extent_m,
            Self::Box => matches!(a.kind, Kind::Region(region) if region.bounds.is_within(b.at, BESIDE_DEGREES)),
        }
    }
}

fn always(_: &Pair) -> bool {
    true
}

/// Tells whether two settlements are in one division, only the first has people, and neither is of an own file. Only sources that
/// do not count people place a town where its name stands on a map. An operator knows where the place is.
fn is_one_empty_in_a_division(Pair { a, b, imported, .. }: &Pair) -> bool {
    let (Kind::Settlement { has_people, division, .. }, Kind::Settlement { has_people: false, division: other, .. }) =
        (a.kind, b.kind)
    else {
        return false;
    };
    has_people && division == other && !imported.is_own(a.id) && !imported.is_own(b.id)
}

fn have_no_different_codes(Pair { a, b, .. }: &Pair) -> bool {
    a.airport().zip(b.airport()).is_none_or(|(a, b)| !differ(&a.iata, &b.iata) && !differ(&a.icao, &b.icao))
}

fn differ(a: &Option<String>, b: &Option<String>) -> bool {
    a.is_some() && b.is_some() && a != b
}

/// Tells whether two sites are not of one source, which lists each place once: a source, or a file that an operator adds. Tables
/// of GeoNames, whose rows have no file, are one source.
fn are_of_two_sources(Pair { a, b, imported, .. }: &Pair) -> bool {
    match (a.origin, b.origin) {
        // Rows of one own file are apart by now.
        (Origin::Operator, Origin::Operator) => true,
        (Origin::Added, Origin::Added) => imported.is_own(a.id) || imported.is_own(b.id),
        (one, other) => one != other,
    }
}

/// Tells whether two landmarks of two sources may be one: a park and a stadium of one name are two places; a castle and a museum
/// may be one. Types without a group can be anything.
fn are_alike_in_two_sources(pair: &Pair) -> bool {
    are_of_two_sources(pair) && pair.have_one_group().unwrap_or(true)
}

/// Tells whether two landmarks are of one type or group. Within a source, types without a group are what they say.
fn are_of_one_group(pair: &Pair) -> bool {
    pair.have_one_group().unwrap_or(false)
}

impl Pair<'_, '_> {
    /// Tells whether two landmarks are of one type, or of types of one group. `None` if a type has no group.
    fn have_one_group(&self) -> Option<bool> {
        let (Kind::Landmark(a), Kind::Landmark(b)) = (self.a.kind, self.b.kind) else { return None };
        let group = |r#type: &str| self.groups.get(r#type).filter(|group| !group.is_empty());
        if a == b { Some(true) } else { Some(group(a)? == group(b)?) }
    }
}
