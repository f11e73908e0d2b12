//! What is asked of an admission, and what it answers.

use crate::auth::restriction::Caller;
use crate::error::Failure;
use crate::meter::Standing;
use crate::refusal::Refusal;
use crate::response::Response;

/// The charge of a request.
#[derive(Clone, Copy, Debug)]
pub struct Charge<'a> {
    /// The API key.
    pub key: &'a str,
    /// Where the request comes from.
    pub caller: &'a Caller,
    /// Units.
    pub cost: u32,
}

/// What to do with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Refuse it, as its object would.
    Refuse(Denial),
    /// Charge its object no units, record the reply, and decide again with [`super::Admissions::decide_after_check`].
    CheckFirst,
    /// Decide again in a moment, when the answer to another request has come.
    Wait,
    /// Compute it, then charge it: alone if [`super::Admissions::take`] allows it, or else by its object.
    Compute,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// There is no such key.
    UnknownKey,
    /// The key exists and is refused.
    Refused(Refusal, Standing),
    /// Its object did not answer a moment ago.
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
