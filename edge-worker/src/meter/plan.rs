//! The plans of the contract, section 8.1, and the overrides that a key's record may set.

use serde::{Deserialize, Serialize};

/// A plan. [`Plan::limits`] has its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// Refuses requests beyond its month.
    Free,
    /// Every request is billed.
    PayAsYouGo,
    /// A number of requests a month is included, more is billed.
    Starter,
    /// Like Starter with more included requests.
    Growth,
    /// As agreed: the numbers are in the record.
    Enterprise,
}

/// Units a minute of an Enterprise key whose record sets none: ten times Growth.
const ENTERPRISE_PER_MINUTE: u32 = 6_000;

/// Largest number of units a minute that a record may set: far above what one object can serve, far below where the sum
/// of a window could overflow.
pub const MAX_PER_MINUTE: u32 = 10_000_000;

/// A record's changes to its plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Overrides {
    /// Units in any 60 seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_minute: Option<u32>,
    /// Units a month: included ones, or the cap of a plan that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_month: Option<u64>,
}

/// Limits of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units in any 60 seconds.
    pub per_minute: u32,
    /// Units of a month beyond which requests are refused; `None` if they are billed instead, or unlimited.
    pub month_cap: Option<u64>,
    /// Units of a month that are not billed one by one; `None` if the plan includes none.
    pub included: Option<u64>,
}

impl Plan {
    /// Every plan, the smallest first.
    pub const ALL: [Self; 5] = [Self::Free, Self::PayAsYouGo, Self::Starter, Self::Growth, Self::Enterprise];

    /// Returns the limits of a key on this plan.
    pub fn limits(self, overrides: Overrides) -> Limits {
        let (per_minute, included, blocks) = match self {
            Self::Free => (30, Some(10_000), true),
            Self::PayAsYouGo => (120, Some(0), false),
            Self::Starter => (180, Some(50_000), false),
            Self::Growth => (600, Some(500_000), false),
            Self::Enterprise => (ENTERPRISE_PER_MINUTE, None, true),
        };
        let included = overrides.per_month.or(included);
        Limits {
            per_minute: overrides.per_minute.unwrap_or(per_minute),
            month_cap: included.filter(|_| blocks),
            included,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_each_plan() {
        check(Plan::Free, None, None, (30, Some(10_000)));
        check(Plan::Free, None, Some(5), (30, Some(5)));
        check(Plan::PayAsYouGo, None, None, (120, None));
        check(Plan::Starter, None, None, (180, None));
        check(Plan::Growth, Some(900), Some(5), (900, None));
        check(Plan::Enterprise, Some(100_000), None, (100_000, None));
        check(Plan::Enterprise, None, Some(1_000_000), (6_000, Some(1_000_000)));
    }

    fn check(plan: Plan, per_minute: Option<u32>, per_month: Option<u64>, expect: (u32, Option<u64>)) {
        let limits = plan.limits(Overrides { per_minute, per_month });
        assert_eq!((limits.per_minute, limits.month_cap), expect, "{plan:?} {per_minute:?} {per_month:?}");
    }
}
