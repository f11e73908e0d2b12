//! The regions in which the platform is to place the object of a key.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// A region of the platform. The platform looks at its hint when the object is made, and never moves it afterwards. It is a wish:
/// the object is placed near the region, not always in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Location {
    /// Location hint that the platform takes.
    pub hint: &'static str,
    /// Name of the region in English.
    pub name: &'static str,
}

impl Location {
    /// Every region.
    pub const ALL: [Self; 9] = [
        Self { hint: "wnam", name: "Western North America" },
        Self { hint: "enam", name: "Eastern North America" },
        Self { hint: "sam", name: "South America" },
        Self { hint: "weur", name: "Western Europe" },
        Self { hint: "eeur", name: "Eastern Europe" },
        Self { hint: "apac", name: "Asia-Pacific" },
        Self { hint: "oc", name: "Oceania" },
        Self { hint: "afr", name: "Africa" },
        Self { hint: "me", name: "Middle East" },
    ];
}

/// A text that is not a hint of the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoHint(String);

impl fmt::Display for NoHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hints = Location::ALL.map(|location| format!("{} ({})", location.hint, location.name));
        write!(f, "location {:?} must be one of {}", self.0, hints.join(", "))
    }
}

impl std::error::Error for NoHint {}

impl TryFrom<String> for Location {
    type Error = NoHint;

    fn try_from(hint: String) -> Result<Self, NoHint> {
        Self::ALL.into_iter().find(|location| location.hint == hint).ok_or(NoHint(hint))
    }
}

impl<'de> Deserialize<'de> for Location {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        location.hint.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints() {
        for location in Location::ALL {
            assert_eq!(Location::try_from(String::from(location)), Ok(location));
        }
        for text in ["", "WEUR", "europe", "we"] {
            let error = Location::try_from(text.to_owned()).expect_err("no hint").to_string();
            assert!(
                error.starts_with(&format!("location {text:?} must be one of wnam (Western North America), ")),
                "{error}"
            );
            assert!(error.ends_with("afr (Africa), me (Middle East)"), "{error}");
        }
    }
}
