//! Who may fetch the pages of an index: the Worker alone, unless the operator publishes them.

use anyhow::{Context, Result, bail};
use toml::{Table, Value};
use toponym_terminal::report;
use toponym_terminal::workspace::{CONFIGURATION, Workspace};

/// The variable of `wrangler.toml` that publishes them: `edge-worker/entry.mjs` reads it.
const PUBLISH: &str = "PUBLISH_PLACES";

const WANTED: &str = "PUBLISH_PLACES in `vars` of wrangler.toml must be \"true\" or \"false\"";

/// Tells who may fetch the pages of a service, of which some lie among the static assets or none do.
pub fn tell(workspace: &Workspace, has_assets: bool) -> Result<()> {
    let wrangler = fs_err::read_to_string(workspace.root().join(CONFIGURATION))?;
    notice(is_published(&wrangler)?, has_assets).iter().for_each(|notice| report::remark(notice));
    Ok(())
}

/// Reads from the text of `wrangler.toml` whether the operator publishes the pages.
fn is_published(wrangler: &str) -> Result<bool> {
    let table: Table = wrangler.parse().context("wrangler.toml is not TOML")?;
    match table.get("vars").and_then(|vars| vars.get(PUBLISH)) {
        None => Ok(false),
        Some(Value::Boolean(is_published)) => Ok(*is_published),
        Some(Value::String(text)) if text == "true" => Ok(true),
        Some(Value::String(text)) if text == "false" => Ok(false),
        Some(Value::String(text)) => bail!("{WANTED}, not {text:?}"),
        Some(other) => bail!("{WANTED}, not of the type {}", other.type_str()),
    }
}

/// Says who may fetch the pages, and what that costs. Nothing if there is nothing to say.
fn notice(is_published: bool, has_assets: bool) -> Option<String> {
    match (is_published, has_assets) {
        (false, true) => Some(format!(
            "only the Worker fetches the pages of the index: /places/ is a 404 for everybody else. vars = {{ {PUBLISH} = \"true\" }} in \
             wrangler.toml publishes them"
        )),
        (true, true) => Some(format!(
            "{PUBLISH} publishes the index: anybody can geocode from /places/root without a key, and each page that somebody fetches \
             is a request that you pay"
        )),
        (true, false) => Some(format!("{PUBLISH} publishes nothing here: no pages lie among the static assets")),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_private_by_default() {
        check_published(include_str!("../../../../wrangler.toml"), false);
        check_published("", false);
        check_published("vars = { AUTH_HOST = \"auth.example.com\" }", false);
        check_published("vars = { PUBLISH_PLACES = \"false\" }", false);
        check_published("vars = { PUBLISH_PLACES = \"true\" }", true);
        check_published("[vars]\nPUBLISH_PLACES = true", true);
        let wrong = [("\"yes\"", "not \"yes\""), ("\"\"", "not \"\""), ("1", "not of the type integer")];
        for (value, expect) in wrong {
            let error = is_published(&format!("vars = {{ PUBLISH_PLACES = {value} }}")).expect_err("it is wrong");
            assert!(error.to_string().ends_with(&format!("must be \"true\" or \"false\", {expect}")), "{error}");
        }
    }

    fn check_published(toml: &str, expect: bool) {
        assert_eq!(is_published(toml).expect("it is valid"), expect, "{toml}");
    }

    /// With `run_worker_first` the platform asks the Worker before it answers with a file, unless a pattern with `!` has its path.
    #[test]
    fn the_worker_guards_pages_of_the_index() {
        let table: Table = include_str!("../../../../wrangler.toml").parse().expect("it is TOML");
        let patterns = table["assets"]["run_worker_first"].as_array().expect("they are patterns");
        let patterns: Vec<&str> = patterns.iter().map(|pattern| pattern.as_str().expect("it is text")).collect();
        assert!(patterns.contains(&"/*"), "the Worker is asked unless a pattern says otherwise: {patterns:?}");
        for files in patterns.iter().filter_map(|pattern| pattern.strip_prefix('!')) {
            // The platform decodes a path only after it chose by the pattern, and `*` has slashes too: the name of a folder alone
            // keeps it away from `/places/`.
            let folder = files.split('*').next().expect("a first part");
            let is_folder = folder.len() > 1 && folder.ends_with('/') && !folder.starts_with("//");
            let is_file = !files.contains('*');
            assert!(is_folder || is_file, "{files} must name a folder or a file");
            assert!(
                !folder.starts_with("/places") && !folder.contains('%'),
                "{files} must not have pages of the index"
            );
        }
    }

    #[test]
    fn the_notice_says_what_publishing_costs() {
        check_notice(false, true, "404 for everybody else");
        check_notice(true, true, "a request that you pay");
        check_notice(true, false, "publishes nothing");
        assert_eq!(notice(false, false), None);
    }

    fn check_notice(is_published: bool, has_assets: bool, part: &str) {
        let notice = notice(is_published, has_assets).expect("there is something to say");
        assert!(notice.contains(part), "{notice}");
    }
}
