//! Texts that name a site by its city and a word for its kind: `london airport`, `museum of amsterdam`, `zoo berl`.

use super::kind_terms::{is_filler, kinds_beginning_with, roles_of, without_kinds};
use super::terms::Terms;
use crate::index::{PlaceRef, Prefix};
use crate::query::Mode;
use crate::record::{Lexicon, Role};
use crate::text::fold;

/// A city, and what is asked for there.
#[derive(Debug)]
pub(crate) struct SiteWords {
    /// The terms that name the city.
    pub city: Terms,
    /// The roles that the words mean.
    roles: Vec<Role>,
    /// The words.
    words: Vec<String>,
    /// The types of landmarks that the words mean.
    types: Vec<String>,
}

/// Degree to which a site is what the words ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The name of the site has the words in it.
    Named,
    /// The site is of the kind.
    OfKind,
    No,
}

/// The fewest letters of an unfinished word.
const LEAST_LETTERS: usize = 3;

/// Lists the ways to read terms as a city and words for a kind of site behind or before it. Fillers between them are dropped.
pub(crate) fn site_words(lexicon: &Lexicon, terms: &Terms, mode: Mode) -> Vec<SiteWords> {
    let end = terms.len();
    let is_open = mode == Mode::Autocomplete && terms.prefix(mode) == Some(Prefix::Letters);
    let kinds = |at: usize| {
        let word = terms.term(at);
        let may_go_on = is_open && at + 1 == end && word.chars().count() >= LEAST_LETTERS;
        Asked::of(lexicon, word, may_go_on)
    };
    let behind = (0..end).rev().take_while(|&at| kinds(at).is_some()).count();
    let before = (0..end).take_while(|&at| kinds(at).is_some()).count();
    let is_filler = |at: usize| is_filler(lexicon, terms.term(at));
    let mut found = Vec::new();
    for span in [(0..end - behind, end - behind..end), (before..end, 0..before)] {
        let (city, words) = span;
        if words.is_empty() || city.is_empty() {
            continue;
        }
        let from = city.clone().find(|&at| !is_filler(at) || words.start > at).unwrap_or(city.end);
        let to = city.clone().rfind(|&at| !is_filler(at) || words.start < at).map_or(from, |at| at + 1);
        if from < to {
            found.push(SiteWords::of(terms.part(from..to), words.clone().filter_map(kinds).collect()));
        }
    }
    if found.is_empty()
        && let Some((city, roles)) = without_kinds(lexicon, terms, mode == Mode::Autocomplete)
    {
        // A word that is part of a term: 東京駅.
        let asks_only_for_sites = roles.iter().all(|role| matches!(role, Role::Airport | Role::Station | Role::Region));
        if asks_only_for_sites {
            found.push(SiteWords { city, roles, words: Vec::new(), types: Vec::new() });
        }
    }
    found
}

/// A word and the sites that it asks for.
struct Asked {
    word: String,
    roles: Vec<Role>,
    types: Vec<String>,
}

impl Asked {
    fn of(lexicon: &Lexicon, word: &str, may_go_on: bool) -> Option<Self> {
        let is_site = |role: &Role| matches!(role, Role::Airport | Role::Station | Role::Landmark);
        let whole: Vec<Role> = roles_of(lexicon, word).iter().copied().filter(is_site).collect();
        let types = lexicon.types_of(word, false);
        if !whole.is_empty() || !types.is_empty() {
            return Some(Self { word: word.to_owned(), roles: with_landmark(whole, &types), types });
        }
        let types = if may_go_on { lexicon.types_of(word, true) } else { Vec::new() };
        let begun =
            kinds_beginning_with(lexicon, word).filter(|_| may_go_on).flatten().copied().filter(is_site).collect();
        let roles = with_landmark(begun, &types);
        (!roles.is_empty()).then(|| Self { word: word.to_owned(), roles, types })
    }
}

fn with_landmark(mut roles: Vec<Role>, types: &[String]) -> Vec<Role> {
    // A word for a kind of landmark without a type of its own asks for nothing in particular.
    roles.retain(|&role| role != Role::Landmark || !types.is_empty());
    if !types.is_empty() {
        roles.push(Role::Landmark);
    }
    roles.sort_unstable();
    roles.dedup();
    roles
}

impl SiteWords {
    fn of(city: Terms, asked: Vec<Asked>) -> Self {
        let mut roles: Vec<Role> = asked.iter().flat_map(|one| &one.roles).copied().collect();
        roles.sort_unstable();
        roles.dedup();
        let types = asked.iter().flat_map(|one| &one.types).cloned().collect();
        Self { city, roles, types, words: asked.into_iter().map(|one| one.word).collect() }
    }

    /// Returns the roles that the words mean.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Tells how well a site is what the words ask for. An airport is one by any word for it.
    pub fn fit(&self, site: PlaceRef) -> Fit {
        let names = || std::iter::once(site.display_name()).chain(site.translations().map(|(_, name)| name));
        let has_words = |name: &str| {
            let name = fold(name);
            self.words.iter().all(|word| name.contains(word.as_str()))
        };
        match site.role() {
            Role::Airport => Fit::Named,
            _ if !self.words.is_empty() && names().any(has_words) => Fit::Named,
            Role::Landmark if !self.types.contains(&site.kind().r#type) => Fit::No,
            _ => Fit::OfKind,
        }
    }
}
