//! Authentication: the `Authorization` header, tokens, secrets, and restrictions on the origin of requests.

pub mod bearer;
pub mod credentials;
pub mod key_mark;
pub mod keyring;
pub mod restriction;
pub mod secret;
pub mod token;
