//! Who calls: the `Authorization` header, the token in it, the secret behind it, and where the call may come from.

pub mod bearer;
pub mod credentials;
pub mod keyring;
pub mod restriction;
pub mod secret;
pub mod token;
