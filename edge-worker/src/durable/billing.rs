//! What a month of a key is billed by.
//!
//! A month is billed as a whole, by the plan and the numbers that are in force when it ends. A change during a month
//! therefore holds for all of that month and for none before it: what a month is billed by is stored when the month is over,
//! before anything is charged or changed after it.

use serde::{Deserialize, Serialize};

use crate::meter::month::Month;
use crate::meter::plan::Plan;

/// The terms of a month. Stored as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Billing {
    /// The plan.
    pub plan: Plan,
    /// Units that are not billed one by one; absent where there is no such count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included: Option<u64>,
}

impl Billing {
    /// Units of `used` that are billed one by one.
    pub fn overage(self, used: u64) -> u64 {
        self.included.map_or(0, |included| used.saturating_sub(included))
    }
}

/// A month that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The month.
    pub month: Month,
    /// Units charged.
    pub used: u64,
    /// What it is billed by; `None` of a row that an earlier version wrote, until the next charge or change of the key.
    pub billing: Option<Billing>,
}

impl Closed {
    /// The month of a row.
    pub fn read(month: u32, used: u64, billing: Option<&str>) -> Result<Self, serde_json::Error> {
        let billing = billing.map(serde_json::from_str).transpose()?;
        Ok(Self { month: Month(month), used, billing })
    }
}
