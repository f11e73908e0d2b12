//! The layers of an index: each is a run of rows, and the rows of the first two are in spatial order.

use crate::record::Role;

/// Which run of rows a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// Cities and quarters: what a point is near.
    Populated,
    /// Airports, stations and landmarks: what a point is on.
    Sites,
    /// Counties, states and countries: what holds the others.
    Areas,
}

impl Layer {
    pub fn of(role: Role) -> Self {
        match role {
            Role::City | Role::Quarter => Self::Populated,
            Role::Airport | Role::Station | Role::Landmark => Self::Sites,
            Role::County | Role::State | Role::Country => Self::Areas,
        }
    }
}
