//! One question to an object, as JSON in a request without an address.

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Env, Method, RequestInit, Result};

/// What the object `name` of `binding` answers.
pub(crate) async fn call<T: DeserializeOwned>(
    env: &Env,
    binding: &str,
    name: &str,
    question: &impl Serialize,
) -> Result<T> {
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(serde_json::to_string(question)?.into()));
    // An object has no address; the platform wants a URL all the same.
    let request = worker::Request::new_with_init("https://object.invalid/", &init)?;
    env.durable_object(binding)?.get_by_name(name)?.fetch_with_request(request).await?.json().await
}
