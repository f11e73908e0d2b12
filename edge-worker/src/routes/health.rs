//! `GET /health`: whether this isolate can answer. It opens the index if no request did before.

use serde::Serialize;

use crate::error::Failure;
use crate::platform::Platform;
use crate::response::Response;

#[derive(Serialize)]
struct Health<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// 200 when variables and index are good, else 503.
pub async fn health<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let works = async {
        platform.config()?;
        platform.engine().await
    };
    match works.await {
        Ok(_) => Response::json(&Health { ok: true, message: None }),
        Err(failure) => {
            let status = failure.status();
            Response::json_with_status(status, &Health { ok: false, message: Some(&failure.message()) })
        }
    }
}
