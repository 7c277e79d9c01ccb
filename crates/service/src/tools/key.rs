//! The key in a request's head.
//!
//! Invariant: a key is looked for in headers alone, never in the URL, which is logged on the way.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};
use uuid::Uuid;

/// Headers in which a key may be, in the order in which they count.
const HEADERS: [HeaderName; 3] = [
    HeaderName::from_static("x-inc-agentcloak-api-key"),
    HeaderName::from_static("x-cloakgate-api-key"),
    AUTHORIZATION,
];

/// The key of a request, with or without `Bearer` before it. `None` when there is none, or a header says several.
pub(super) fn of(headers: &HeaderMap) -> Option<&str> {
    let name = HEADERS.into_iter().find(|name| headers.contains_key(name))?;
    let mut values = headers.get_all(&name).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let value = value.to_str().ok()?.trim();
    match value.split_once(' ') {
        Some((scheme, key)) => scheme.eq_ignore_ascii_case("bearer").then(|| key.trim()),
        // The header for it needs the word.
        None => (name != AUTHORIZATION).then_some(value),
    }
}

/// True when a path names this server or none: `/mcp` or `/mcp/{uuid}`.
pub(super) fn fits(path: &str, server: Uuid) -> bool {
    let named = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    named == "mcp" || Uuid::try_parse(named) == Ok(server)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn keys_are_read_from_three_headers() {
        for (headers, expected) in [
            (&[("x-inc-agentcloak-api-key", "a:b")][..], Some("a:b")),
            (&[("x-inc-agentcloak-api-key", "Bearer a:b")], Some("a:b")),
            (&[("x-cloakgate-api-key", " a:b ")], Some("a:b")),
            (&[("authorization", "bearer a:b")], Some("a:b")),
            (&[("authorization", "a:b")], None),
            (&[("authorization", "Basic a:b")], None),
            (&[("authorization", "Bearer x"), ("x-inc-agentcloak-api-key", "a:b")], Some("a:b")),
            (&[("x-inc-agentcloak-api-key", "a:b"), ("x-inc-agentcloak-api-key", "c:d")], None),
            (&[("cookie", "a:b")], None),
        ] {
            let map: HeaderMap = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
                .collect();
            let mut several = HeaderMap::new();
            for (name, value) in headers {
                several.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            let map = if map.len() < headers.len() { several } else { map };
            assert_eq!(of(&map), expected, "{headers:?}");
        }
    }

    #[test]
    fn a_path_that_names_a_server_names_that_of_the_key() {
        let server = Uuid::from_u128(7);
        for (path, expected) in [
            ("/mcp", true),
            ("/mcp/", true),
            ("/mcp/00000000-0000-0000-0000-000000000007", true),
            ("/mcp/00000000-0000-0000-0000-000000000008", false),
            ("/mcp/x", false),
        ] {
            assert_eq!(fits(path, server), expected, "{path}");
        }
    }
}
