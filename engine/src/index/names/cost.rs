//! Costs, which order candidates: lower is better.
//!
//! A cost is `1 - importance` plus penalties (name class, edits, unmatched areas and so on), as an integer in units of
//! 1 / [`UNIT`], so that the order is the same on every platform. The part that is known when the index is written
//! (importance and name class) is stored with every name.

use crate::record::NameClass;

/// A cost as a fixed-point number.
pub(crate) type Cost = u32;

/// The cost of one point of importance.
pub(crate) const UNIT: Cost = 1 << 16;

/// The cost of each name is stored in one byte, in steps of this size, rounded down. It is the smallest step with which the
/// largest cost (importance 0, weakest class) fits. The stored cost is a lower bound: searches use it to order names, and
/// the exact cost of a candidate is computed from its posting.
pub(crate) const STEP: Cost = (UNIT - 1 + of_class(NameClass::Weak)).div_ceil(1 << 8);

/// Converts a cost to steps.
pub(crate) fn in_steps(cost: Cost) -> u8 {
    (cost / STEP).min(Cost::from(u8::MAX)) as u8
}

/// Returns the cost of a fraction of a point of importance.
pub(crate) const fn share(share: f64) -> Cost {
    (share * UNIT as f64) as Cost
}

/// Returns the penalty of a name class. An alternate of unknown language must rank below a primary name unless its
/// place has about 20 times the population (0.125 points of importance are a factor of ten).
pub(crate) const fn of_class(class: NameClass) -> Cost {
    match class {
        NameClass::Primary => 0,
        NameClass::English => share(0.01),
        NameClass::Other => share(0.22),
        NameClass::Weak => share(0.36),
    }
}

/// Returns `1 - importance` as a cost, for a stored importance.
pub(crate) fn of_importance(importance: u16) -> Cost {
    (UNIT - 1) - Cost::from(importance)
}

/// Converts an importance of 0 to 1 to its stored form, 0 to 65535.
pub(crate) fn stored_importance(importance: f64) -> u16 {
    (importance * f64::from(u16::MAX)).round() as u16
}
