//! The stored record of an API key, and the view of it for operators.

use serde::{Deserialize, Serialize};

use super::billing::Billing;
use super::location::Location;
use super::rows::is_default;
use crate::auth::credentials::SecretHash;
use crate::auth::restriction::Restrictions;
use crate::meter::plan::{Limits, Overrides, Plan};

/// The record of an API key. Stored as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    /// Identifier of the calling application; goes into its tokens.
    pub client_id: String,
    /// The account that pays.
    pub account: String,
    /// Name of the key within the account.
    pub name: String,
    /// Plan of the key.
    pub plan: Plan,
    /// Overrides of the plan.
    #[serde(default)]
    pub overrides: Overrides,
    /// True if the key may be used.
    pub enabled: bool,
    /// Restrictions on where the key may be used from.
    #[serde(default)]
    pub restrictions: Restrictions,
    /// Hash of the key's secret.
    pub secret: SecretHash,
    /// Creation time, milliseconds since the epoch.
    pub created_ms: u64,
    /// Region in which the key's object was to be placed; absent if that was near its creator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Number of moves of the key: [`super::home::Home::number`] of its object.
    #[serde(default, skip_serializing_if = "is_default")]
    pub moves: u32,
}

impl KeyRecord {
    /// Returns the limits of the key.
    pub fn limits(&self) -> Limits {
        self.plan.limits(self.overrides)
    }

    /// Returns the billing terms that would hold if the month ended now.
    pub fn billing(&self) -> Billing {
        Billing { plan: self.plan, included: self.limits().included }
    }

    /// Applies `patch`.
    pub fn apply(&mut self, patch: Patch) {
        let Patch { account, name, plan, overrides, enabled, restrictions, secret } = patch;
        set(&mut self.account, account);
        set(&mut self.name, name);
        set(&mut self.plan, plan);
        set(&mut self.overrides, overrides);
        set(&mut self.enabled, enabled);
        set(&mut self.restrictions, restrictions);
        set(&mut self.secret, secret);
    }
}

/// A change of a record; `None` leaves a field unchanged.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Patch {
    /// New account.
    pub account: Option<String>,
    /// New name.
    pub name: Option<String>,
    /// New plan.
    pub plan: Option<Plan>,
    /// New numbers in place of all earlier ones.
    pub overrides: Option<Overrides>,
    /// Enables or disables.
    pub enabled: Option<bool>,
    /// New restrictions in place of all earlier ones.
    pub restrictions: Option<Restrictions>,
    /// New secret. The old one ends at once, but its tokens stay valid.
    pub secret: Option<SecretHash>,
}

/// The view of a key for operators: its record without the secret's hash, and its usage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    /// Identifier of the calling application.
    pub client_id: String,
    /// The account that pays.
    pub account: String,
    /// Name of the key within the account.
    pub name: String,
    /// Plan of the key.
    pub plan: Plan,
    /// Units in any 60 seconds.
    pub per_minute: u32,
    /// Units a month that are included or, on a plan that blocks, allowed; absent if the plan has no such number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<u64>,
    /// True if the key may be used.
    pub enabled: bool,
    /// Restrictions on where the key may be used from.
    pub restrictions: Restrictions,
    /// Creation time, ISO 8601.
    pub created_at: String,
    /// Region in which the key's object was to be placed; absent if that was near its creator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Months of the key, the latest first.
    pub usage: Vec<MonthUsage>,
    /// Number of unreadable rows, which are not counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unreadable: u32,
}

/// The usage of one month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MonthUsage {
    /// As `2026-11`.
    pub month: String,
    /// Units charged.
    pub used: u64,
    /// Units of leases that were never reported, because their isolate ended: used or not, they are not billed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u64,
    /// Units beyond the included ones, which are billed one by one.
    pub overage: u64,
    /// The billing terms of a past month, or those of the current month if it ended now.
    #[serde(flatten)]
    pub billing: Option<Billing>,
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}
