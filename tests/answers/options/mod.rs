//! Asks the default index the questions of `golden/options.csv` and `golden/facts.csv`, as a caller of the service writes
//! them. Written from common knowledge of places.

mod cases;
mod facts;
mod requests;
