//! What the Worker asks a key's object, and what that answers, as JSON.
//!
//! A deployment does not reach Workers and objects at one moment: [`super::rows`] says how messages may change.

use serde::{Deserialize, Serialize};

use super::OBJECT_DEADLINE_MS;
use super::record::{KeyRecord, KeyView, Patch};
use crate::auth::credentials::Proof;
use crate::auth::restriction::{Caller, Restrictions};
use crate::meter::Standing;
use crate::meter::outlook::Outlook;
use crate::refusal::Refusal;

/// How long after the question a key's object still charges, milliseconds: the rest of [`OBJECT_DEADLINE_MS`] is for making
/// the charge durable and for the way back, so that hardly any charge is made whose reply comes too late.
pub const CHARGE_WITHIN_MS: u64 = 1_000;

/// What both deadlines of a charge allow for each unit, milliseconds: several times what a dear question takes to compute.
///
/// On the platform a clock stands still from one I/O to the next, timers included. When a request asks for its charge, its
/// clock therefore still shows when it arrived, and neither it nor the timer that ends its patience knows how long it
/// has computed: both deadlines begin before the computation. The object's clock is set by the arrival of the question, and
/// stands still while it loads and decides. So only the two clocks together see the time on the way and in the object's queue,
/// which is what the deadline is about, and the computation has to be allowed for.
const COMPUTING_MS: u64 = 10;

/// A question to the object of one key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The API key.
    pub key: String,
    /// After this instant (milliseconds since the epoch) the Worker no longer waits: a charge would be for nothing.
    pub not_after_ms: u64,
    /// The question.
    pub command: Command,
}

impl Envelope {
    /// The question that a Worker asks whose clock shows `now_ms`.
    pub fn new(key: &str, command: Command, now_ms: u64) -> Self {
        let not_after_ms = now_ms + CHARGE_WITHIN_MS + command.computing_ms();
        Self { key: key.to_owned(), not_after_ms, command }
    }
}

/// What can be asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Authorise a geocoding request, and charge it. Without a unit it charges nothing, and asks for the key's terms: to an
    /// object that knows no terms, it is a request that fits.
    Charge {
        /// Units.
        cost: u32,
        /// Where it comes from.
        caller: Caller,
    },
    /// Check a secret at the token exchange, and count the exchange.
    Exchange {
        /// The secret that was presented.
        proof: Proof,
        /// Where it comes from.
        caller: Caller,
    },
    /// Create the key.
    Create(Box<KeyRecord>),
    /// Show the key.
    Show,
    /// Change the key.
    Change(Box<Patch>),
    /// Delete the key with all that is stored of it.
    Delete,
}

impl Command {
    /// How long the Worker waits for the reply, milliseconds.
    pub fn patience_ms(&self) -> u64 {
        OBJECT_DEADLINE_MS + self.computing_ms()
    }

    /// What may have been computed since the Worker's clock moved.
    fn computing_ms(&self) -> u64 {
        match self {
            Self::Charge { cost, .. } => u64::from(*cost) * COMPUTING_MS,
            _ => 0,
        }
    }
}

/// What the object answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Authorised and counted.
    Admitted {
        /// Identifier of the calling application.
        client_id: String,
        /// The count after it.
        standing: Standing,
        /// To a charge of no units.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Box<Terms>>,
    },
    /// Not authorised.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The count, which the refusal does not move (an exchange with a wrong secret does).
        standing: Standing,
        /// To a charge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Box<Terms>>,
    },
    /// The key, after any change.
    Shown(Box<KeyView>),
    /// The key was deleted.
    Deleted,
    /// The key was there before.
    Exists,
    /// There is no such key, and nothing was stored.
    UnknownKey,
    /// What is stored of the key cannot be read.
    Unreadable,
    /// The Worker no longer waits: nothing was charged.
    Late,
}

/// What an object holds against the requests of its key, of any cost and from anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Whether the key may be used.
    pub enabled: bool,
    /// Where it may be used from.
    pub restrictions: Restrictions,
    /// What it may use.
    pub outlook: Outlook,
}

impl Terms {
    /// Whether a request of `caller` may use the key at all.
    pub fn admits(&self, caller: &Caller) -> Result<(), Refusal> {
        authorise(self.enabled, &self.restrictions, caller)
    }
}

/// Whether a geocoding request of `caller` may use a key at all.
pub(super) fn authorise(enabled: bool, restrictions: &Restrictions, caller: &Caller) -> Result<(), Refusal> {
    if enabled { restrictions.check(caller) } else { Err(Refusal::Disabled) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_waits_for_what_was_computed() {
        let check = |command: Command, expect_ms: u64| assert_eq!(command.patience_ms(), expect_ms, "{command:?}");
        let charge = |cost| Command::Charge { cost, caller: Caller { ip: None, page_host: None } };
        check(charge(0), 1_500);
        check(charge(1), 1_510);
        check(charge(100), 2_500);
        check(Command::Show, 1_500);
    }
}
