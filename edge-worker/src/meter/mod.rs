//! Metering, as pure functions of state, cost and time. A key's [`plan`] sets its limits; its [`ledger`] records its
//! usage in a rolling [`window`] of 60 seconds and a calendar [`month`]. Keys of large plans may be charged by
//! [`lease`].

pub mod allowance;
pub mod exchanges;
pub mod lease;
pub mod ledger;
pub mod month;
pub mod plan;
pub mod window;

use serde::{Deserialize, Serialize};

/// The values of the `X-RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Units in any 60 seconds.
    pub limit: u32,
    /// Units that are left now.
    pub remaining: u32,
    /// Unix seconds, rounded up so that a retry at that moment is not too early: when the oldest counted unit leaves the
    /// window; after a refusal, when the refused request would fit.
    pub reset: u64,
}

impl Standing {
    /// Returns the whole seconds from `now_ms` until the reset, at least one: the value of `Retry-After`.
    pub fn wait_seconds(&self, now_ms: u64) -> u64 {
        (self.reset * 1_000).saturating_sub(now_ms).div_ceil(1_000).max(1)
    }
}
