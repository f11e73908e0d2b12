//! `/admin/keys`: manages API keys. Without `TOPONYM_ADMIN_SECRET` these routes do not exist.
//!
//! | Request | Answer |
//! |---|---|
//! | `POST /admin/keys` with a [`NewKey`] | 201: key and secret, the only time that the secret is shown |
//! | `GET /admin/keys?after=gck_...` | the keys in their order, up to [`crate::durable::directory::PAGE`] |
//! | `GET /admin/keys/gck_...` | the key and its usage |
//! | `PATCH /admin/keys/gck_...` with a [`KeyUpdate`] | the changed key |
//! | `POST /admin/keys/gck_.../secret` | a new secret; the old one ends at once, tokens stay valid |
//! | `POST /admin/keys/gck_.../location` with `{"location":"weur"}` | the key, which lives there from now on: [`crate::durable::home`] |
//! | `DELETE /admin/keys/gck_...` | 204; its tokens end too |
//! | `GET /admin/deleted-keys?after=gck_...` | the keys that were deleted, with what they had used |
//!
//! 503 means that an object did not answer in time. The change may or may not have been made, and repeating the request is
//! safe. A key that could not be created is deleted, or stays listed until somebody deletes it. Demo keys can only be
//! shown. Unreadable stored data shows as `unreadable`: on the key in the list, and as the number of rows in a key. A key
//! with an unreadable record is answered 503 with a message, and can be deleted.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::body;
use super::parameters::parameters;
use crate::auth::bearer;
use crate::auth::credentials::{KEY_CHARS, KEY_PREFIX, SECRET_CHARS, SECRET_PREFIX, SecretHash, generate, is_key};
use crate::auth::restriction::{Restrictions, networks};
use crate::auth::secret::Secret;
use crate::config::Config;
use crate::durable::demo;
use crate::durable::directory::{DirectoryRequest, Listed};
use crate::durable::location::Location;
use crate::durable::message::{Command, Reply};
use crate::durable::record::{KeyRecord, KeyView, Patch};
use crate::error::Failure;
use crate::homes;
use crate::http::{Body, Request};
use crate::meter::plan::{MAX_PER_MINUTE, Overrides, Plan};
use crate::platform::Platform;
use crate::response::Response;

/// Path prefix of the admin routes.
pub const PREFIX: &str = "/admin/";

/// Largest body in bytes.
const MAX_BODY: usize = 16 * 1024;

/// Base62 characters of a client id: 95 bits.
const CLIENT_CHARS: usize = 16;

/// Random bytes for one name. 62 of 64 values are usable, so that in practice there are always enough.
const RANDOM_BYTES: usize = 128;

/// A key to create.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewKey {
    name: String,
    account: String,
    plan: Plan,
    #[serde(default)]
    overrides: Numbers,
    #[serde(default)]
    restrictions: Rules,
    /// Region in which the key's object is placed, instead of where the deployment places objects.
    location: Option<Location>,
}

/// A change of a key. Absent fields stay unchanged.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyUpdate {
    name: Option<String>,
    account: Option<String>,
    plan: Option<Plan>,
    overrides: Option<Numbers>,
    enabled: Option<bool>,
    restrictions: Option<Rules>,
}

/// Region in which a key is to live.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewLocation {
    location: Location,
}

/// [`Overrides`] from an operator: unknown fields are errors.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Numbers {
    per_minute: Option<u32>,
    per_month: Option<u64>,
}

/// [`Restrictions`] from an operator.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    #[serde(deserialize_with = "networks")]
    ips: Vec<IpNet>,
    domains: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    api_key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_secret: Option<&'a str>,
    #[serde(flatten)]
    view: &'a KeyView,
}

#[derive(Serialize)]
struct List {
    keys: Vec<Listed>,
}

/// Answers a request below [`PREFIX`].
pub async fn handle<P: Platform>(platform: &P, request: Request<P::Body>) -> Result<Response, Failure> {
    let unknown = Failure::UnknownRoute { method: request.method.clone(), path: request.path.clone() };
    let config = platform.config()?;
    let Some(secret) = &config.admin_secret else { return Err(unknown) };
    let path = request.path.strip_suffix('/').unwrap_or(&request.path).to_owned();
    let segments: Vec<&str> = path.split('/').skip(2).collect();
    authorise(request.header("authorization"), secret)?;
    match (request.method.as_str(), segments.as_slice()) {
        ("GET" | "HEAD", ["keys"]) => list(platform, &request.query, |after| DirectoryRequest::List { after }).await,
        ("GET" | "HEAD", ["deleted-keys"]) => {
            list(platform, &request.query, |after| DirectoryRequest::ListDeleted { after }).await
        }
        ("POST", ["keys"]) => create(platform, config, request).await,
        ("GET" | "HEAD", ["keys", key]) => show(platform, key, Command::Show, None).await,
        ("PATCH", ["keys", key]) => change(platform, key, request).await,
        ("DELETE", ["keys", key]) => delete(platform, key).await,
        ("POST", ["keys", key, "secret"]) => rotate(platform, config, key).await,
        ("POST", ["keys", key, "location"]) => relocate(platform, key, request).await,
        _ => Err(unknown),
    }
}

fn authorise(header: Option<&str>, secret: &Secret) -> Result<(), Failure> {
    let same: bool = bearer::token(header)?.as_bytes().ct_eq(secret.reveal().as_bytes()).into();
    if same { Ok(()) } else { Err(Failure::InvalidToken) }
}

async fn list<P: Platform>(
    platform: &P,
    query: &str,
    request: impl FnOnce(String) -> DirectoryRequest,
) -> Result<Response, Failure> {
    let after = parameters(query, &["after"])?.pop().flatten();
    let keys = platform.directory(request(after.unwrap_or_default())).await?;
    Response::json(&List { keys })
}

async fn create<P: Platform>(platform: &P, config: &Config, request: Request<P::Body>) -> Result<Response, Failure> {
    let NewKey { name, account, plan, overrides, restrictions, location } = read(request).await?;
    let overrides = overrides.check()?;
    let restrictions = restrictions.check()?;
    let name_of_key = random(platform, KEY_PREFIX, KEY_CHARS)?;
    let key = config.key_mark.as_ref().map_or_else(|| name_of_key.clone(), |mark| mark.add_mark(&name_of_key));
    let secret = random_secret(platform)?;
    platform.directory(DirectoryRequest::Add(Listed::new(key.clone(), account.clone(), name.clone()))).await?;
    let record = KeyRecord {
        client_id: random(platform, "app_", CLIENT_CHARS)?,
        account,
        name,
        plan,
        overrides,
        enabled: true,
        restrictions,
        secret: SecretHash::new(secret.reveal(), &config.peppers),
        created_ms: platform.now_ms(),
        location: location.or(config.key_location),
        moves: 0,
    };
    let reply = ask(platform, &key, Command::Create(Box::new(record))).await;
    if matches!(reply, Err(_) | Ok(Reply::Late)) {
        // The key may exist. Nobody will ever learn its secret.
        let _unknown = strike(platform, &key).await;
    }
    let created = view_response(reply?, &key, Some(secret.reveal()))?;
    Ok(Response { status: 201, ..created })
}

async fn change<P: Platform>(platform: &P, key: &str, request: Request<P::Body>) -> Result<Response, Failure> {
    let KeyUpdate { name, account, plan, overrides, enabled, restrictions } = read(request).await?;
    let overrides = overrides.map(Numbers::check).transpose()?;
    let restrictions = restrictions.map(Rules::check).transpose()?;
    let is_listed_anew = account.is_some() || name.is_some();
    let patch = Patch { account, name, plan, overrides, enabled, restrictions, secret: None };
    let reply = ask(platform, key, Command::Change(Box::new(patch))).await?;
    if let (Reply::Shown(view), true) = (&reply, is_listed_anew) {
        let listed = Listed::new(key.to_owned(), view.account.clone(), view.name.clone());
        platform.directory(DirectoryRequest::Add(listed)).await?;
    }
    view_response(reply, key, None)
}

async fn rotate<P: Platform>(platform: &P, config: &Config, key: &str) -> Result<Response, Failure> {
    let secret = random_secret(platform)?;
    let patch = Patch { secret: Some(SecretHash::new(secret.reveal(), &config.peppers)), ..Patch::default() };
    show(platform, key, Command::Change(Box::new(patch)), Some(secret.reveal())).await
}

/// Moves a key. Safe to repeat: one that lives there already stays.
async fn relocate<P: Platform>(platform: &P, key: &str, request: Request<P::Body>) -> Result<Response, Failure> {
    let NewLocation { location } = read(request).await?;
    show(platform, key, Command::Leave { location, tables: Vec::new() }, None).await
}

async fn delete<P: Platform>(platform: &P, key: &str) -> Result<Response, Failure> {
    bury(platform, key).await?;
    if strike(platform, key).await? { Ok(Response::empty()) } else { Err(Failure::UnknownKey) }
}

/// Has the directory keep what a key has used. It stays as it is, because its deletion may fail; what it uses in the moment until
/// then is not kept.
async fn bury<P: Platform>(platform: &P, key: &str) -> Result<(), Failure> {
    match ask(platform, key, Command::Show).await? {
        Reply::Shown(view) if !view.usage.is_empty() => {
            let listed = Listed::new(key.to_owned(), view.account.clone(), view.name.clone());
            platform.directory(DirectoryRequest::Bury(Listed { usage: view.usage, ..listed })).await.map(drop)
        }
        // Nobody knows what one with a damaged record has used.
        Reply::Shown(_) | Reply::UnknownKey | Reply::Unreadable => Ok(()),
        Reply::Late => Err(Failure::Unavailable),
        _ => Err(Failure::Unexpected),
    }
}

/// Deletes a key, then its entry in the directory. Returns whether either existed. Safe to repeat.
async fn strike<P: Platform>(platform: &P, key: &str) -> Result<bool, Failure> {
    let existed = match ask(platform, key, Command::Delete).await? {
        Reply::Deleted => true,
        Reply::UnknownKey => false,
        Reply::Late => return Err(Failure::Unavailable),
        Reply::Unreadable => return Err(Failure::UnreadableKey),
        _ => return Err(Failure::Unexpected),
    };
    homes::forget(platform, key).await;
    let struck = platform.directory(DirectoryRequest::Remove(key.to_owned())).await?;
    Ok(existed || !struck.is_empty())
}

async fn show<P: Platform>(
    platform: &P,
    key: &str,
    command: Command,
    secret: Option<&str>,
) -> Result<Response, Failure> {
    view_response(ask(platform, key, command).await?, key, secret)
}

fn view_response(reply: Reply, key: &str, secret: Option<&str>) -> Result<Response, Failure> {
    match reply {
        Reply::Shown(view) => Response::json(&Shown { api_key: key, api_secret: secret, view: &view }),
        Reply::UnknownKey => Err(Failure::UnknownKey),
        Reply::Late => Err(Failure::Unavailable),
        Reply::Unreadable => Err(Failure::UnreadableKey),
        _ => Err(Failure::Unexpected),
    }
}

async fn ask<P: Platform>(platform: &P, key: &str, command: Command) -> Result<Reply, Failure> {
    if !is_key(key) {
        return Err(Failure::UnknownKey);
    }
    if demo::is_demo(key) && platform.config()?.demo && !matches!(command, Command::Show) {
        return Err(Failure::bad_request(format!("{key} is a demo key: it cannot be changed or deleted")));
    }
    let reply = platform.ask(key, command).await?;
    platform.memory().admissions.borrow_mut().forget(key);
    Ok(reply)
}

async fn read<B: Body, T: for<'de> Deserialize<'de>>(request: Request<B>) -> Result<T, Failure> {
    let bytes = body::bytes(request.body, MAX_BODY).await?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::bad_request(format!("request body: {error}")))
}

impl Numbers {
    fn check(self) -> Result<Overrides, Failure> {
        let Self { per_minute, per_month } = self;
        if per_minute.is_none_or(|limit| (1..=MAX_PER_MINUTE).contains(&limit)) {
            return Ok(Overrides { per_minute, per_month });
        }
        Err(Failure::bad_request(format!("perMinute must be between 1 and {MAX_PER_MINUTE}")))
    }
}

impl Rules {
    fn check(self) -> Result<Restrictions, Failure> {
        let Self { ips, domains } = self;
        match domains.iter().find(|rule| !Restrictions::is_domain_rule(rule)) {
            Some(rule) => Err(Failure::bad_request(format!("domain {rule:?} must be a host or *.host, in lower case"))),
            None => Ok(Restrictions { ips, domains }),
        }
    }
}

fn random<P: Platform>(platform: &P, prefix: &str, chars: usize) -> Result<String, Failure> {
    let bytes = Zeroizing::new(platform.random::<RANDOM_BYTES>());
    generate(prefix, chars, &*bytes).ok_or(Failure::Unexpected)
}

fn random_secret<P: Platform>(platform: &P) -> Result<Secret, Failure> {
    random(platform, SECRET_PREFIX, SECRET_CHARS).map(Secret::new)
}
