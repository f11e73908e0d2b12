//! The one scale on which candidates are compared: smaller is better, and every doubt adds.
//!
//! A cost is `1 - importance` plus a penalty per doubt (name class, edits, unmatched words), in units of [`UNIT`], so
//! that the order is the same on every platform. The part that is known when the index is written (importance and
//! name class) is kept with every name.

use crate::record::NameClass;

/// A cost in fixed point.
pub(crate) type Cost = u32;

/// The cost of one whole point of importance.
pub(crate) const UNIT: Cost = 1 << 16;

/// The least cost of each name is kept in steps of this size, rounded down: the smallest with which the dearest name, an
/// unimportant place's of the weakest class, fits a byte. A search that goes by it meets every name in time, and some a
/// little early; what a candidate really costs is counted when its places are weighed.
pub(crate) const STEP: Cost = (UNIT - 1 + of_class(NameClass::Weak)).div_ceil(1 << 8);

/// A cost in steps.
pub(crate) fn in_steps(cost: Cost) -> u8 {
    (cost / STEP).min(Cost::from(u8::MAX)) as u8
}

/// A doubt of `share` of a whole point of importance.
pub(crate) const fn share(share: f64) -> Cost {
    (share * UNIT as f64) as Cost
}

/// What the class of a name adds. An untagged alternate is worth less than any primary name within a factor of
/// about 20 in population (0.125 of importance per decade): it must never push aside a primary name.
pub(crate) const fn of_class(class: NameClass) -> Cost {
    match class {
        NameClass::Primary => 0,
        NameClass::English => share(0.01),
        NameClass::Other => share(0.22),
        NameClass::Weak => share(0.36),
    }
}

/// `1 - importance`, for an importance of 0 to 1.
pub(crate) fn of_importance(importance: u16) -> Cost {
    (UNIT - 1) - Cost::from(importance)
}

/// An importance of 0 to 1 as it is stored: 0 to 65535.
pub(crate) fn stored_importance(importance: f64) -> u16 {
    (importance * f64::from(u16::MAX)).round() as u16
}
