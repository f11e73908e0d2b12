//! Determines the billing terms of a month.
//!
//! A month is billed as a whole, by the plan and limits in force when it ends. So a change applies to the whole current
//! month and to no earlier one. The terms are stored when the month is over, before any further charge or change.

use serde::{Deserialize, Serialize};

use crate::meter::month::Month;
use crate::meter::plan::Plan;

/// The billing terms of a month, stored as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Billing {
    /// The plan.
    pub plan: Plan,
    /// Units included in the plan; absent if it includes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included: Option<u64>,
}

impl Billing {
    /// Returns the units of `used` that are billed one by one.
    pub fn overage(self, used: u64) -> u64 {
        self.included.map_or(0, |included| used.saturating_sub(included))
    }
}

/// A past month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The month.
    pub month: Month,
    /// Units charged.
    pub used: u64,
    /// Billing terms of the month; `None` for a row of an earlier version, until the next charge or change of the key.
    pub billing: Option<Billing>,
}

impl Closed {
    /// Reads the month of a row.
    pub fn read(month: u32, used: u64, billing: Option<&str>) -> Result<Self, serde_json::Error> {
        let billing = billing.map(serde_json::from_str).transpose()?;
        Ok(Self { month: Month(month), used, billing })
    }
}
