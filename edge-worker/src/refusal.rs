//! Why an existing key is refused, and the response to its caller.

use serde::{Deserialize, Serialize};

use crate::error::Failure;

/// Why an existing key is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The key is disabled.
    Disabled,
    /// The address restriction of the key.
    Ip,
    /// The domain restriction of the key.
    Domain,
    /// The month of the key is used up.
    Month {
        /// Start of the next month, milliseconds since the epoch.
        reset_ms: u64,
    },
    /// The minute of the key is used up.
    Rate {
        /// Seconds after which the same request fits.
        retry_after: u64,
    },
    /// The secret is wrong.
    Secret,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Disabled => Self::KeyDisabled,
            Refusal::Ip => Self::IpNotAllowed,
            Refusal::Domain => Self::DomainNotAllowed,
            Refusal::Month { reset_ms } => Self::MonthlyQuotaExceeded { reset_ms },
            Refusal::Rate { retry_after } => Self::RateLimited { retry_after },
            Refusal::Secret => Self::InvalidApiSecret,
        }
    }
}
