//! The one scale on which candidates are compared: smaller is better, and every doubt adds.
//!
//! A cost is `1 - importance` plus a penalty per doubt (name class, edits, unmatched words), in units of [`UNIT`], so
//! that the order is the same on every platform. The part that is known when the index is written (importance and
//! name class) is what name ids are sorted by.

use crate::record::NameClass;

/// A cost in fixed point.
pub(crate) type Cost = u32;

/// The cost of one whole point of importance.
pub(crate) const UNIT: Cost = 1 << 16;

/// Costs are tabulated in steps of this size, to find the least cost of a name id without reading its postings.
pub(crate) const STEP: Cost = 1 << 6;

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
