//! Authentication: the `Authorization` header, tokens, secrets, and restrictions of where a key may be used from.

pub mod bearer;
pub mod credentials;
pub mod keyring;
pub mod restriction;
pub mod secret;
pub mod token;
