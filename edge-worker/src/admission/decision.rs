//! The charge about which an admission decides, and its decision.

use crate::auth::restriction::Caller;
use crate::error::Failure;
use crate::meter::Standing;
use crate::meter::lease::held::Kind;
use crate::refusal::Refusal;
use crate::response::Response;

/// The charge of a request.
#[derive(Clone, Copy, Debug)]
pub struct Charge<'a> {
    /// The API key.
    pub key: &'a str,
    /// Caller who sent the request.
    pub caller: &'a Caller,
    /// Units.
    pub cost: u32,
    /// Kind of the request: one of somebody who types may use a small lease.
    pub kind: Kind,
}

/// Decision about a request: the way to go on with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Refuse it, as its object would.
    Refuse(Denial),
    /// Decide again in a moment, when the answer to another request has come.
    Wait,
    /// Compute it, and charge it alone: [`super::Admissions::take`].
    Alone,
    /// Have its object charge it while it is computed.
    Meanwhile,
    /// Have its object charge it, and compute it if that admits it: it costs much, or was refused before.
    First,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// There is no such key.
    UnknownKey,
    /// The key exists and is refused.
    Refused(Refusal, Standing),
    /// The object of the key did not answer a moment ago.
    Silent,
}

impl From<Denial> for Response {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::UnknownKey => Failure::InvalidToken.into(),
            Denial::Silent => Failure::Unavailable.into(),
            Denial::Refused(refusal, standing) => Self::from(Failure::from(refusal)).with_standing(&standing),
        }
    }
}
