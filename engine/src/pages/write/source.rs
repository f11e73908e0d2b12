//! Sources of an index in pages: more places than memory may hold.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::index::WriteError;
use crate::record::{Gazetteer, PlaceFacts, Record};

/// Places by number, in the order of their ids, and a way to sort what is made of them.
pub trait Source: Sync {
    /// Why a place cannot be read.
    type Error: From<WriteError> + Send;

    /// Returns the number of places.
    fn count(&self) -> u32;

    /// Returns the places with these numbers.
    ///
    /// # Errors
    /// If one cannot be read.
    fn places(&self, numbers: Range<u32>) -> Result<Vec<Cow<'_, Record>>, Self::Error>;

    /// Returns the place with a number, and its facts.
    ///
    /// # Errors
    /// If it cannot be read.
    fn with_facts(&self, number: u32) -> Result<WithFacts<'_>, Self::Error>;

    /// Returns the id of the place with a number.
    fn id(&self, number: u32) -> u64;

    /// Returns the number of the place with an id.
    fn number(&self, id: u64) -> Option<u32>;

    /// Sorts as many items as there are.
    ///
    /// # Errors
    /// The first of the items, or if there is no room for them.
    fn sorted<'s, T: Item>(
        &'s self,
        items: Items<'_, T, Self::Error>,
    ) -> Result<Items<'s, T, Self::Error>, Self::Error>;
}

/// A place and its facts.
pub type WithFacts<'s> = (Cow<'s, Record>, Option<Cow<'s, PlaceFacts>>);

/// An item that a [`Source`] sorts.
pub trait Item: Ord + Serialize + DeserializeOwned + Send + 'static {}

impl<T: Ord + Serialize + DeserializeOwned + Send + 'static> Item for T {}

/// Items one by one, or why there are no more.
pub type Items<'i, T, E> = Box<dyn Iterator<Item = Result<T, E>> + 'i>;

/// A gazetteer in memory.
pub(super) struct InMemory<'g, E> {
    places: Vec<&'g Record>,
    facts: HashMap<u64, &'g PlaceFacts>,
    error: PhantomData<fn() -> E>,
}

impl<'g, E> InMemory<'g, E> {
    pub fn of(gazetteer: &'g Gazetteer) -> Self {
        let mut places: Vec<&Record> = gazetteer.places.iter().collect();
        places.sort_by_key(|place| place.id);
        let facts = gazetteer.facts.iter().map(|facts| (facts.place, facts));
        Self { places, facts: facts.collect(), error: PhantomData }
    }
}

impl<E: From<WriteError> + Send> Source for InMemory<'_, E> {
    type Error = E;

    fn count(&self) -> u32 {
        self.places.len() as u32
    }

    fn places(&self, numbers: Range<u32>) -> Result<Vec<Cow<'_, Record>>, E> {
        let places = &self.places[numbers.start as usize..numbers.end as usize];
        Ok(places.iter().map(|place| Cow::Borrowed(*place)).collect())
    }

    fn with_facts(&self, number: u32) -> Result<WithFacts<'_>, E> {
        let place = self.places[number as usize];
        Ok((Cow::Borrowed(place), self.facts.get(&place.id).map(|facts| Cow::Borrowed(*facts))))
    }

    fn id(&self, number: u32) -> u64 {
        self.places[number as usize].id
    }

    fn number(&self, id: u64) -> Option<u32> {
        self.places.binary_search_by_key(&id, |place| place.id).ok().map(|number| number as u32)
    }

    fn sorted<'s, T: Item>(&'s self, items: Items<'_, T, E>) -> Result<Items<'s, T, E>, E> {
        let mut items = items.collect::<Result<Vec<T>, _>>()?;
        items.sort();
        Ok(Box::new(items.into_iter().map(Ok)))
    }
}
