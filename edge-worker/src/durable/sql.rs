//! Access to the platform's SQLite.

use serde::de::DeserializeOwned;
use worker::js_sys::{Date, Object};
use worker::wasm_bindgen::JsValue;
use worker::{Result, SqlStorage, SqlStorageValue, Storage};

use super::rows::Unreadable;

/// Returns the rows of a query that can be read, and counts the others as `kind`.
pub(super) fn rows<T: DeserializeOwned>(
    sql: &SqlStorage,
    kind: &'static str,
    query: &str,
    bindings: Vec<SqlStorageValue>,
    unreadable: &mut Unreadable,
) -> Result<Vec<T>> {
    Ok(unreadable.leave_out(kind, sql.exec(query, bindings)?.next::<T>()))
}

/// Converts a number to store it. All stored numbers are far below 2^53: slots are tenths of a second, networks have
/// six bytes, names of leases 53 bits, the rest are instants and counts of requests.
pub(super) fn number(value: u64) -> SqlStorageValue {
    SqlStorageValue::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Sets the alarm of an object. The platform writes it together with the rows, and holds the reply back until then.
pub(super) fn set_alarm(storage: &Storage, at_ms: u64) -> Result<()> {
    let at = Date::new(&JsValue::from_f64(at_ms as f64));
    let _set = storage.as_raw().set_alarm(at, Object::new())?;
    Ok(())
}

/// Logs the skipped rows.
pub(super) fn log(unreadable: &Unreadable) {
    if unreadable.total() > 0 {
        worker::console_error!("{unreadable}");
    }
}
