//! `POST /api-clients/token`: exchanges API key and secret for a bearer token (section 4.1, decisions 9 to 12).

use serde::Serialize;
use serde_json::value::RawValue;
use zeroize::Zeroizing;

use super::body;
use crate::auth::credentials::{Proof, is_key, is_secret};
use crate::auth::restriction::Caller;
use crate::auth::secret::Secret;
use crate::auth::token::{self, Claims};
use crate::durable::demo::is_demo;
use crate::durable::message::{Command, Reply};
use crate::error::Failure;
use crate::http::{Body, Request, is_private_host, network_of};
use crate::meter::month::iso_instant;
use crate::platform::Platform;
use crate::refusal::Refusal;
use crate::response::Response;

/// Largest body in bytes.
pub const MAX_BODY: usize = 4 * 1024;

/// Validity if `expiresIn` is absent.
const DEFAULT_SECONDS: u32 = 3_600;

/// Shortest and longest validity: a minute and 30 days.
const MIN_SECONDS: u32 = 60;
const MAX_SECONDS: u32 = 30 * 86_400;

/// Seconds to wait for a network that presented too many unknown keys: the period of the guard.
const STRANGER_WAIT: u64 = 60;

#[derive(Debug, PartialEq, Eq)]
struct Credentials {
    key: String,
    secret: Secret,
    seconds: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenResponse {
    token: String,
    expires_at: String,
    client_id: String,
}

/// Time for which a refused exchange is cached, milliseconds. After it, at the latest, a new secret works.
const REFUSED_MS: u64 = 1_000;

/// Exchanges credentials.
pub async fn exchange<P: Platform>(platform: &P, request: Request<P::Body>) -> Result<Response, Failure> {
    let caller = Caller::of(&request);
    let has_private_host = is_private_host(&request.host);
    let Credentials { key, secret, seconds } = read(request.body).await?;
    // Everybody knows the secret of a demo key: it is for this machine, whatever a deployment's variables say.
    if !is_key(&key) || (is_demo(&key) && !has_private_host) {
        return Err(Failure::InvalidApiKey);
    }
    let config = platform.config()?;
    // Nobody made it, so no object is asked, and no network is refused for it that may be shared with others.
    if !config.may_have(&key) {
        return Err(Failure::InvalidApiKey);
    }
    let is_genuine = config.has_made(&key);
    let memory = platform.memory();
    let network = network_of(caller.ip);
    if let Some(refused) = refuse_network(platform, &key, is_genuine, &network) {
        return Ok(refused);
    }
    // A malformed secret is sent as one that matches nothing, so that the exchange still counts.
    let secret = Some(secret.reveal()).filter(|secret| is_secret(secret));
    let proof = Proof::new(secret.unwrap_or_default(), &config.peppers);
    match platform.ask(&key, Command::Exchange { proof, caller }).await? {
        Reply::Admitted { client_id, standing, .. } => {
            memory.meet(&key);
            let claims = Claims { key_id: key, client_id: client_id.clone() };
            let (token, expires_ms) = token::issue(claims, seconds, &config.signing, platform.now_ms())?;
            let body = TokenResponse { token, expires_at: iso_instant(expires_ms), client_id };
            Ok(Response::of(Response::json(&body)).with_standing(&standing))
        }
        Reply::Refused { refusal, standing, .. } => {
            memory.meet(&key);
            if matches!(refusal, Refusal::Rate { .. }) {
                let until_ms = (platform.now_ms() + REFUSED_MS).min(standing.reset * 1_000);
                memory.exchanges.borrow_mut().keep((key, network), standing, until_ms);
            }
            Ok(Response::from(Failure::from(refusal)).with_standing(&standing))
        }
        Reply::UnknownKey => {
            // A genuine key was deleted.
            if !is_genuine && !platform.admits_stranger(&network).await {
                let until_ms = platform.now_ms() + STRANGER_WAIT * 1_000;
                memory.strangers.borrow_mut().keep(network, (), until_ms);
            }
            Err(Failure::InvalidApiKey)
        }
        Reply::Late | Reply::Unreadable => Err(Failure::Unavailable),
        Reply::Shown(_) | Reply::Deleted | Reply::Exists | Reply::Moved(_) | Reply::Arrived => Err(Failure::Unexpected),
    }
}

/// Returns the 429 of a network known to be over a limit: it presented too many unknown keys, or `key` too often.
fn refuse_network<P: Platform>(platform: &P, key: &str, is_genuine: bool, network: &str) -> Option<Response> {
    let memory = platform.memory();
    let now_ms = platform.now_ms();
    if !is_genuine && !memory.has_met(key) {
        let until_ms = memory.strangers.borrow().until_ms(&network.to_owned(), now_ms)?;
        let retry_after = (until_ms - now_ms).div_ceil(1_000);
        return Some(Failure::RateLimited { retry_after }.into());
    }
    let standing = memory.exchanges.borrow().recall(&(key.to_owned(), network.to_owned()), now_ms)?;
    let refusal = Failure::RateLimited { retry_after: standing.wait_seconds(now_ms) };
    Some(Response::from(refusal).with_standing(&standing))
}

async fn read<B: Body>(body: B) -> Result<Credentials, Failure> {
    credentials(&Zeroizing::new(body::bytes(body, MAX_BODY).await?))
}

fn credentials(json: &[u8]) -> Result<Credentials, Failure> {
    let fields = body::fields(json, ["apiKey", "apiSecret", "expiresIn"]);
    let [key, secret, expires] = fields.unwrap_or_default();
    let key = read_text(key).ok_or(Failure::bad_request("apiKey is required"))?;
    let secret = read_text(secret).map(Secret::new).ok_or(Failure::bad_request("apiSecret is required"))?;
    let seconds = expires.map_or(Some(DEFAULT_SECONDS), |value| duration(&body::text(value)?));
    let bad_duration = "expiresIn must be a whole number of minutes, hours or days between 1m and 30d, such as 1h";
    let seconds = seconds.ok_or(Failure::bad_request(bad_duration))?;
    Ok(Credentials { key, secret, seconds })
}

/// Reads a JSON string that is not empty.
fn read_text(value: Option<&RawValue>) -> Option<String> {
    value.and_then(body::text).filter(|text| !text.is_empty())
}

/// Reads the seconds of `<integer>m`, `<integer>h` or `<integer>d` within the bounds.
fn duration(text: &str) -> Option<u32> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = number.parse::<u32>().ok().filter(|_| digits)?.checked_mul(unit)?;
    (MIN_SECONDS..=MAX_SECONDS).contains(&seconds).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        check_duration("30m", Some(1_800));
        check_duration("1h", Some(3_600));
        check_duration("24h", Some(86_400));
        check_duration("7d", Some(604_800));
        check_duration("30d", Some(2_592_000));
        check_duration("1m", Some(60));
        check_duration("90m", Some(5_400));
        check_duration("720h", Some(2_592_000));
        check_duration("43200m", Some(2_592_000));
        for text in [
            "",
            "m",
            "0m",
            "31d",
            "721h",
            "43201m",
            "60s",
            "60",
            "1.5h",
            "-1h",
            "+1h",
            " 1h",
            "1H",
            "1hé",
            "9999999999d",
        ] {
            check_duration(text, None);
        }
    }

    fn check_duration(text: &str, expect: Option<u32>) {
        assert_eq!(duration(text), expect, "{text:?}");
    }

    #[test]
    fn bodies() {
        check_credentials(&with(""), Ok(3_600));
        check_credentials(&with(r#","expiresIn":"30m""#), Ok(1_800));
        check_credentials(r#"{"apiSecret":"gcs_a","apiKey":7,"x":[[{}]],"apiKey":"gck_a"}"#, Ok(3_600));
        let no_key = [
            "",
            "x",
            "[]",
            "{}",
            r#"["gck_a","gcs_a"]"#,
            r#"{"apiKey":""}"#,
            r#"{"apiKey":7,"apiSecret":"gcs_a"}"#,
            r#"{"apiKey":"gck_a","apiSecret":"gcs_a"} x"#,
            "\u{feff}{\"apiKey\":\"gck_a\",\"apiSecret\":\"gcs_a\"}",
        ];
        for json in no_key {
            check_credentials(json, Err("apiKey is required"));
        }
        for json in
            [r#"{"apiKey":"gck_a"}"#, r#"{"apiKey":"gck_a","apiSecret":""}"#, r#"{"apiKey":"x","apiSecret":[]}"#]
        {
            check_credentials(json, Err("apiSecret is required"));
        }
        let bad = "expiresIn must be a whole number of minutes, hours or days between 1m and 30d, such as 1h";
        check_credentials(&with(r#","expiresIn":"2w""#), Err(bad));
        check_credentials(&with(r#","expiresIn":3600"#), Err(bad));
        check_credentials(&with(r#","expiresIn":null"#), Err(bad));
    }

    fn with(rest: &str) -> String {
        format!(r#"{{"apiKey":"gck_a","apiSecret":"gcs_a"{rest}}}"#)
    }

    fn check_credentials(json: &str, expect: Result<u32, &str>) {
        let got = credentials(json.as_bytes()).map(|credentials| credentials.seconds);
        assert_eq!(got.as_ref().map(|s| *s).map_err(|failure| failure.message()), expect.map_err(Into::into), "{json}");
    }
}
