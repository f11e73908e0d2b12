//! An engine that has all that one question needs: an [`Engine`] itself, or what an index in pages makes for the question.

use std::ops::Deref;

use crate::engine::Engine;
use crate::nearby::Nearby;
use crate::query::{Mode, Search};
use crate::reference::Reference;
use crate::search::Candidate;
use crate::shown::Shown;
use crate::text::point_of;

/// A question, as far as it decides what it needs.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'q> {
    /// For the places that a text means.
    Text(&'q Search<'q>, Mode),
    /// For what is near a point.
    Near(Nearby<'q>),
    /// For the place of a reference.
    Place(&'q Reference, Shown<'q>),
}

impl<'q> Asked<'q> {
    /// Creates the question of a search, whose text may be a point.
    pub(crate) fn new(search: &'q Search<'q>, mode: Mode) -> Self {
        let Search { text, filter, .. } = *search;
        match point_of(text) {
            Some(point) => Self::Near(Nearby { filter, ..Shown::from(search).place_at(point) }),
            None => Self::Text(search, mode),
        }
    }
}

/// An engine that has all that a question needs.
#[derive(Debug)]
pub struct View<'e> {
    engine: Holder<'e>,
    /// The candidates of a text, if they are known already.
    pub(crate) found: Option<Vec<Candidate>>,
}

#[derive(Debug)]
enum Holder<'e> {
    Whole(&'e Engine),
    Made(Engine),
}

impl<'e> View<'e> {
    pub(crate) fn whole(engine: &'e Engine) -> Self {
        Self { engine: Holder::Whole(engine), found: None }
    }

    pub(crate) fn made(engine: Engine) -> Self {
        Self { engine: Holder::Made(engine), found: None }
    }

    /// Adds the candidates of a text, each place once.
    pub(crate) fn with_found(self, found: Vec<Candidate>) -> Self {
        Self { found: Some(found), ..self }
    }
}

impl Deref for View<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        match &self.engine {
            Holder::Whole(engine) => engine,
            Holder::Made(engine) => engine,
        }
    }
}
