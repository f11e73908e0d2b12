//! The regions in which the platform is to place the object of a key.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A region of the platform, by its location hint. The platform looks at it when the object is made, and never moves it
/// afterwards. It is a wish: the object is placed near the region, not always in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Location {
    /// Western North America.
    WesternNorthAmerica,
    /// Eastern North America.
    EasternNorthAmerica,
    /// South America.
    SouthAmerica,
    /// Western Europe.
    WesternEurope,
    /// Eastern Europe.
    EasternEurope,
    /// Asia-Pacific.
    AsiaPacific,
    /// Oceania.
    Oceania,
    /// Africa.
    Africa,
    /// The Middle East.
    MiddleEast,
}

impl Location {
    /// Every region.
    pub const ALL: [Self; 9] = [
        Self::WesternNorthAmerica,
        Self::EasternNorthAmerica,
        Self::SouthAmerica,
        Self::WesternEurope,
        Self::EasternEurope,
        Self::AsiaPacific,
        Self::Oceania,
        Self::Africa,
        Self::MiddleEast,
    ];

    /// Returns the hint that the platform takes.
    pub fn hint(self) -> &'static str {
        match self {
            Self::WesternNorthAmerica => "wnam",
            Self::EasternNorthAmerica => "enam",
            Self::SouthAmerica => "sam",
            Self::WesternEurope => "weur",
            Self::EasternEurope => "eeur",
            Self::AsiaPacific => "apac",
            Self::Oceania => "oc",
            Self::Africa => "afr",
            Self::MiddleEast => "me",
        }
    }

    /// Returns the name of the region in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::WesternNorthAmerica => "Western North America",
            Self::EasternNorthAmerica => "Eastern North America",
            Self::SouthAmerica => "South America",
            Self::WesternEurope => "Western Europe",
            Self::EasternEurope => "Eastern Europe",
            Self::AsiaPacific => "Asia-Pacific",
            Self::Oceania => "Oceania",
            Self::Africa => "Africa",
            Self::MiddleEast => "Middle East",
        }
    }
}

/// A text that is not a hint of the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoHint(String);

impl fmt::Display for NoHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hints = Location::ALL.map(|location| format!("{} ({})", location.hint(), location.name()));
        write!(f, "location {:?} must be one of {}", self.0, hints.join(", "))
    }
}

impl std::error::Error for NoHint {}

impl TryFrom<String> for Location {
    type Error = NoHint;

    fn try_from(hint: String) -> Result<Self, NoHint> {
        Self::ALL.into_iter().find(|location| location.hint() == hint).ok_or(NoHint(hint))
    }
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        location.hint().to_owned()
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
