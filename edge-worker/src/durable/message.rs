//! Messages between the Worker and a key's object, as JSON.
//!
//! A deployment does not reach Workers and objects at the same time: [`super::rows`] says how messages may change.

use serde::{Deserialize, Serialize};

use super::home::{Home, Luggage, Moved, Table};
use super::location::Location;
use super::record::{KeyRecord, KeyView, Patch};
use super::rows::is_default;
use crate::auth::credentials::Proof;
use crate::auth::restriction::{Caller, Restrictions};
use crate::meter::Standing;
use crate::meter::allowance::Allowance;
use crate::meter::lease::{IsolateQuestion, Lease};
use crate::refusal::Refusal;

/// Time after a request was sent in which a key's object still charges, in milliseconds. The rest of
/// [`super::OBJECT_DEADLINE_MS`] is for storing the charge and for the way back, so that hardly any charge has a late reply.
pub const CHARGE_WITHIN_MS: u64 = 1_000;

/// A request to the object of one key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The API key.
    pub key: String,
    /// The time (milliseconds since the epoch) after which the Worker no longer waits, so that a charge would be in
    /// vain.
    pub not_after_ms: u64,
    /// The command.
    pub command: Command,
}

impl Envelope {
    /// Creates a request sent when the Worker's clock shows `now_ms`.
    pub fn new(key: &str, command: Command, now_ms: u64) -> Self {
        Self { key: key.to_owned(), not_after_ms: now_ms + CHARGE_WITHIN_MS, command }
    }
}

/// The commands.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Authorise and charge a geocoding request. With no units it charges nothing: it is that of no request.
    Charge {
        /// Units.
        cost: u32,
        /// Caller who sent the request.
        caller: Caller,
        /// The name of the charge, and what the isolate asks and reports of leases and of other charges. Earlier versions send it
        /// for keys that lease.
        #[serde(default, rename = "ask", skip_serializing_if = "Option::is_none")]
        question: Option<Box<IsolateQuestion>>,
    },
    /// Check a secret at the token exchange, and count the exchange.
    Exchange {
        /// The secret that was presented.
        proof: Proof,
        /// Caller who sent the credentials.
        caller: Caller,
    },
    /// Create the key.
    Create(Box<KeyRecord>),
    /// Show the key.
    Show,
    /// Change the key.
    Change(Box<Patch>),
    /// Delete the key and all its stored data.
    Delete,
    /// Move the key out, to an object that is placed there. If it lives there already, show it.
    Leave {
        /// Region in which the key is to live.
        location: Location,
        /// The object's tables but for the record, which it adds itself.
        #[serde(skip)]
        tables: Vec<Table>,
    },
    /// Move the key in.
    Arrive {
        /// The object's home.
        home: Home,
        /// Luggage that the key brings along.
        luggage: Box<Luggage>,
    },
    /// Drop the luggage of a key that has moved out and has arrived.
    Left {
        /// Home in which the key lives now.
        home: Home,
    },
    /// Forget where a key that was deleted had moved.
    Forget,
}

impl Command {
    /// Returns the region in which the object is to be placed, if it is not there yet.
    pub fn location(&self) -> Option<Location> {
        match self {
            Self::Create(record) => record.location,
            Self::Arrive { home, .. } => home.location,
            _ => None,
        }
    }
}

/// The replies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Authorised and counted.
    Admitted {
        /// Identifier of the calling application.
        client_id: String,
        /// The count after it.
        standing: Standing,
        /// With a lease, in any reply of a large key, and with the last unit of a minute or a month.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Box<KeyTerms>>,
    },
    /// Not authorised.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The count. A refusal does not change it, except that of a wrong secret.
        standing: Standing,
        /// In the reply to a charge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Box<KeyTerms>>,
    },
    /// The key, after any change.
    Shown(Box<KeyView>),
    /// The key was deleted.
    Deleted,
    /// The key already exists.
    Exists,
    /// The key lives elsewhere, or is about to. Whoever gets this with luggage brings it there. [`crate::homes`] does so, and
    /// nobody else sees it.
    Moved(Moved),
    /// The key has moved in, now or before.
    Arrived,
    /// There is no such key, and nothing was stored.
    UnknownKey,
    /// The stored record of the key is unreadable.
    Unreadable,
    /// The Worker no longer waits: nothing was charged.
    Late,
}

/// The terms of a key for requests of any cost and origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyTerms {
    /// True if the key may be used.
    pub enabled: bool,
    /// Restrictions on where the key may be used from.
    pub restrictions: Restrictions,
    /// Allowance of the key.
    #[serde(rename = "outlook")]
    pub allowance: Allowance,
    /// If the key leases: what the isolate may charge alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Units of leases that turned out to be lost since the last reply: nobody reported them. The reply brings them to
    /// the figures of the service; the object keeps its own count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u64,
}

impl Reply {
    /// Returns [`KeyTerms::lost`] of the terms in the reply, 0 without terms.
    pub fn lost(&self) -> u64 {
        match self {
            Self::Admitted { terms: Some(terms), .. } | Self::Refused { terms: Some(terms), .. } => terms.lost,
            _ => 0,
        }
    }
}

impl KeyTerms {
    /// Checks that a request of `caller` may use the key at all.
    pub fn admits(&self, caller: &Caller) -> Result<(), Refusal> {
        authorise(self.enabled, &self.restrictions, caller)
    }
}

/// Checks that a geocoding request of `caller` may use a key at all.
pub(super) fn authorise(enabled: bool, restrictions: &Restrictions, caller: &Caller) -> Result<(), Refusal> {
    if enabled { restrictions.check(caller) } else { Err(Refusal::Disabled) }
}
