//! Requests of tests, what is read of their responses, and a way to run futures that do not wait.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use serde_json::Value;
use toponym_edge::http::{Body, BodyError, READ_HEADERS, Request};
use toponym_edge::response::Response;

/// Creates a request from 203.0.113.7 to api.test by HTTPS; the headers `:host`, `:ip` and `:scheme` change that.
pub fn request(line: &str, headers: &[(&str, &str)], body: &str) -> Request<TestBody> {
    let (method, target) = line.split_once(' ').expect("a request line");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let sent = |name: &str| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Request {
        method: method.to_owned(),
        is_secure: sent(":scheme").is_none_or(|scheme| scheme == "https"),
        host: sent(":host").unwrap_or_else(|| "api.test".into()),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: READ_HEADERS.into_iter().filter_map(|name| Some((name, sent(name)?))).collect(),
        ip: toponym_edge::http::parse_ip(&sent(":ip").unwrap_or_else(|| "203.0.113.7".into())),
        body: TestBody(body.as_bytes().to_vec()),
    }
}

/// A body that is there already.
pub struct TestBody(Vec<u8>);

impl Body for TestBody {
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        if self.0.len() > cap { Err(BodyError::TooLarge) } else { Ok(self.0) }
    }
}

/// Returns the body of a token request of `gck_<name>`.
pub fn credentials(name: &str) -> String {
    format!(r#"{{"apiKey":"gck_{name}","apiSecret":"gcs_{name}"}}"#)
}

/// Returns the JSON body of a response.
pub fn json_of(response: &Response) -> Value {
    let body = response.body.as_deref().expect("the response has a body");
    serde_json::from_slice(body).expect("every body is JSON")
}

/// Runs a future of this platform, which does not wait but for a slow object.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    match poll(pin!(future)) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing in memory waits"),
    }
}

/// Polls a future once.
pub fn poll<T>(future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}
