//! The layers of an index. Each is a range of rows; the first two are in spatial order.

use crate::record::Role;

/// The layer of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// Cities and quarters, which reverse finds as nearest.
    Populated,
    /// Airports, stations and landmarks, which reverse finds if they cover the point.
    Sites,
    /// Counties, states and countries, which contain the others, regions, and postal codes.
    Areas,
}

impl Layer {
    pub fn of(role: Role) -> Self {
        match role {
            Role::City | Role::Quarter => Self::Populated,
            Role::Airport | Role::Station | Role::Landmark => Self::Sites,
            Role::County | Role::State | Role::Country | Role::Region | Role::Postcode => Self::Areas,
        }
    }
}
