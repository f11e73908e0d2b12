//! Secret text.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// A secret string: erased from memory on drop, and hidden from Debug.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes ownership of `text`.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text. Callers must take care of any copy.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new("hush".to_owned());
        assert_eq!(
            (format!("{secret:?} {:?}", Some(&secret)), secret.reveal()),
            ("Secret Some(Secret)".into(), "hush")
        );
    }
}
