//! The configuration for a deployment with a bucket: `wrangler.toml` and the binding, so that the file itself needs no R2.

use anyhow::{Context, Result};
use toml::{Table, Value};

/// The binding by which the Worker finds the bucket: `edge-worker/src/pages.js`.
const BINDING: &str = "PLACES";

/// A configuration with the bucket.
#[derive(Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Text of the configuration, if it is not that of `wrangler.toml`, which may have a bucket of its own.
    pub text: Option<String>,
    /// The name of the bucket.
    pub bucket: String,
    /// The id of the account, if the file names one.
    pub account: Option<String>,
}

/// Adds the bucket to the text of `wrangler.toml`. It is named after the Worker, so that several have one each.
pub fn with_bucket(wrangler: &str) -> Result<Configuration> {
    let table: Table = wrangler.parse().context("wrangler.toml is not TOML")?;
    let account = text_of(&table, "account_id");
    let buckets = table.get("r2_buckets").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
    let mut own = buckets.filter(|bucket| text_of(bucket, "binding").as_deref() == Some(BINDING));
    if let Some(bucket) = own.next() {
        let bucket = text_of(bucket, "bucket_name").context("the bucket of wrangler.toml lacks its bucket_name")?;
        return Ok(Configuration { text: None, bucket, account });
    }
    let name = text_of(&table, "name").context("wrangler.toml lacks the name of the Worker")?;
    let bucket = format!("{}-places", name.replace('_', "-"));
    let text = format!("{wrangler}\n[[r2_buckets]]\nbinding = \"{BINDING}\"\nbucket_name = \"{bucket}\"\n");
    Ok(Configuration { text: Some(text), bucket, account })
}

fn text_of(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binding_is_added() {
        let found = with_bucket(include_str!("../../../../wrangler.toml")).expect("it is valid");
        assert_eq!((found.bucket.as_str(), &found.account), ("toponym-places", &None));
        let table: Table = found.text.expect("a new one").parse().expect("it is TOML");
        assert_eq!(table["r2_buckets"][0]["binding"].as_str(), Some("PLACES"));
        assert_eq!(table["r2_buckets"][0]["bucket_name"].as_str(), Some("toponym-places"));
        assert_eq!(table["main"].as_str(), Some("edge-worker/entry.mjs"), "the rest stays");
    }

    #[test]
    fn a_bucket_of_ones_own_is_taken() {
        let own = "name = \"my_places\"\naccount_id = \"a1\"\n\
                   r2_buckets = [{ binding = \"OTHER\", bucket_name = \"no\" }, { binding = \"PLACES\", bucket_name = \"mine\" }]";
        let expect = Configuration { text: None, bucket: "mine".into(), account: Some("a1".into()) };
        assert_eq!(with_bucket(own).expect("it is valid"), expect);
        let other = with_bucket("name = \"my_places\"\n[[r2_buckets]]\nbinding = \"OTHER\"\nbucket_name = \"no\"\n");
        let other = other.expect("it is valid");
        assert_eq!(other.bucket, "my-places-places");
        let table: Table = other.text.expect("a new one").parse().expect("it is TOML");
        assert_eq!(table["r2_buckets"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn what_is_wrong_is_named() {
        check("no TOML", "is not TOML");
        check("main = \"x\"", "lacks the name");
        check("name = \"x\"\n[[r2_buckets]]\nbinding = \"PLACES\"", "bucket_name");
    }

    fn check(text: &str, part: &str) {
        let error = format!("{:#}", with_bucket(text).expect_err("it is wrong"));
        assert!(error.contains(part), "{error}");
    }
}
