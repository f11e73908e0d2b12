//! Entry of `data/sources.toml` for a source that an operator adds.

use serde::Deserialize;

use crate::sources::rows::Origin;

/// An `[[import]]` of `data/sources.toml`: a kind of file that `--add` takes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportSource {
    /// The name of its reader: [`super::Format::name`].
    pub format: String,
    /// Contents, in a few words.
    pub title: String,
    /// Address that it comes from; none for an operator's own data.
    pub url: Option<String>,
    /// SPDX identifier; none for an operator's own data.
    pub licence: Option<String>,
    /// The line that credits it, if its licence asks for one.
    pub attribution: Option<String>,
    /// `true` if an index with it must be published under the same licence, if at all.
    #[serde(default)]
    pub share_alike: bool,
    /// Precedence among sources.
    pub origin: Origin,
    /// Space of the source's ids.
    pub ids: IdSpace,
}

/// The space in which ids are unique.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub(crate) enum IdSpace {
    /// The file: `1` of two files is two places.
    File,
    /// The world, under this name: `Q90` is one place in every file of Wikidata.
    Global(String),
}

impl From<String> for IdSpace {
    fn from(name: String) -> Self {
        if name == "file" { Self::File } else { Self::Global(name) }
    }
}
