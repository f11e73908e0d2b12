//! Requests of callers: reads the fields of a request as a host has them, and says what is wrong with them.
//!
//! The parameters, their ranges, defaults and messages are here, for every host: the Worker, JavaScript, Python and the terminal. A
//! host lists the [parameters](Parameter) of an [`Operation`], puts the [`Values`] that it has, and asks for the request. So it
//! knows none of them by name, and a new one is added here alone.
//!
//! ```
//! use toponym_engine::request::{FORWARD, Operation, Style, Value, Values};
//!
//! let mut values = Values::new(Style::Text);
//! for parameter in Operation::Forward.parameters(Style::Text) {
//!     match parameter.name {
//!         "query" => values.put(parameter, Value::Text("Paris".into())),
//!         "limit" => values.put(parameter, Value::Text("51".into())),
//!         _ => {}
//!     }
//! }
//! assert_eq!(FORWARD.read(&values).unwrap_err().to_string(), "limit must be an integer between 1 and 50");
//! ```

mod batch;
mod fault;
mod filters;
mod language;
mod numbers;
mod options;
mod parameter;
mod place;
mod point;
mod sought;
mod text;
mod value;

pub use batch::{Item, MAX_ITEMS, check_count};
pub use fault::Fault;
pub use filters::Filters;
pub use language::Languages;
pub use numbers::{point, point_at};
pub use options::{Focus, Options};
pub use parameter::{Operation, Parameter, Style, Takes};
pub use place::Lookup;
pub use point::{NearOptions, PointRequest};
pub use sought::{FIELDS, Fields, Sought};
pub use text::{AUTOCOMPLETE, FORWARD, TextRequest, TextRoute};
pub use value::{Value, Values};
