//! Shows that leases never admit more than the limit in any 60 seconds: the rule as a model, in every order of events,
//! and the code itself, in a million steps.

mod model;
mod steps;
