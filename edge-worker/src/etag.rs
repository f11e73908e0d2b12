//! Entity tags: a client that has the current body gets 304 without it (RFC 9110, sections 8.8.3 and 13.1.2).

use sha2::{Digest, Sha256};

use crate::response::Response;

/// Bytes of the hash in the tag: 64 bits distinguish any two bodies of one route.
const TAG_BYTES: usize = 8;

/// Adds the tag of the body. Returns 304 without the body if `if_none_match`, a header of the request, contains it.
pub fn add_tag(mut response: Response, if_none_match: Option<&str>) -> Response {
    let tag = tag(response.body.as_deref().unwrap_or_default());
    if if_none_match.is_some_and(|known| names(known, &tag)) {
        response.status = 304;
        response.body = None;
        response.headers.retain(|(name, _)| *name != "content-type");
    }
    response.with("etag", tag)
}

fn tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let hex: String = digest.iter().take(TAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

/// Compares weakly, as `If-None-Match` requires: compressing the body on the way makes the tag weak.
fn names(if_none_match: &str, tag: &str) -> bool {
    let mut known = if_none_match.split(',').map(str::trim);
    known.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_it_gets_304() {
        let tag = add_tag(Response::json(&1).expect("a number"), None).header("etag").expect("a tag").to_owned();
        let check = |if_none_match: &str, expect: u16| {
            let response = add_tag(Response::json(&1).expect("a number"), Some(if_none_match));
            assert_eq!((response.status, response.body.is_none()), (expect, expect == 304), "{if_none_match}");
            assert_eq!(response.header("etag"), Some(tag.as_str()));
        };
        check(&tag, 304);
        check(&format!("W/{tag}"), 304);
        check(&format!("\"other\", {tag}"), 304);
        check("*", 304);
        check("", 200);
        check("\"other\"", 200);
        check(tag.trim_matches('"'), 200);
    }
}
