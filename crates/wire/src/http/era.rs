//! Which revision a request speaks.
//!
//! In: the header `MCP-Protocol-Version`, the method, what `_meta` says. Out: a revision, or why it cannot be told.
//! Since 2026-07-28 each request says its revision twice, in header and `_meta`, and both must agree; before, the
//! header alone says it, once there was a handshake; before 2025-06-18 nothing does, so silence means 2025-03-26.
//! Invariant: a request that says a revision we do not know is never taken for another.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cloakgate_json::{Document, Kind, NodeId};
use cloakgate_mcp::Revision;
use http::{HeaderMap, HeaderName};

/// What the header is called.
pub(super) const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Longest text of an unknown revision that is said back.
const MAX_SAID_BYTES: usize = 64;

/// Revisions that are served over HTTP, newest first.
pub(super) const SERVED: [Revision; 4] =
    [Revision::V2026_07_28, Revision::V2025_11_25, Revision::V2025_06_18, Revision::V2025_03_26];

/// The revision of a request that says none.
const SILENT: Revision = Revision::V2025_03_26;

/// Why the revision of a request cannot be told, or what else about it does not fit its revision.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Unfit {
    /// Headers and body disagree, or a header is missing.
    Headers(&'static str),
    /// `_meta` lacks what each request must say.
    Meta(&'static str),
    /// Nobody here speaks that revision.
    Unknown(String),
}

/// One request or notification, as far as it matters here.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) document: &'a Document,
    pub(super) bytes: &'a [u8],
    pub(super) method: &'a str,
    pub(super) params: Option<NodeId>,
}

/// What the version header says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Said<'a> {
    Nothing,
    Version(&'a str),
    /// Several values, or one that is no text.
    Nonsense,
}

/// Reads the version header.
pub(super) fn said(headers: &HeaderMap) -> Said<'_> {
    match single(headers, &VERSION_HEADER) {
        Ok(None) => Said::Nothing,
        Ok(Some(version)) => Said::Version(version),
        Err(()) => Said::Nonsense,
    }
}

impl Spoken<'_> {
    /// The revision of a request.
    pub(super) fn revision(self, headers: &HeaderMap) -> Result<Revision, Unfit> {
        let meta = self.member(self.params, "_meta");
        let version = self.member(meta, VERSION_KEY);
        let Some(version) = version else { return self.silent(said(headers)) };
        let version = self.text(version).ok_or(Unfit::Meta("its protocol version must be a string"))?;
        match said(headers) {
            Said::Nothing => return Err(Unfit::Headers("the header MCP-Protocol-Version is missing")),
            Said::Version(header) if header == version => {}
            _ => return Err(Unfit::Headers("the header MCP-Protocol-Version is not what `_meta` says")),
        }
        let revision = known(&version)?;
        if !revision.has_handshake() {
            let capabilities = self.member(meta, CAPABILITIES_KEY);
            if capabilities.is_none_or(|node| self.document.kind(node) != Kind::Object) {
                return Err(Unfit::Meta("`io.modelcontextprotocol/clientCapabilities` must be an object"));
            }
            self.check_routing(headers)?;
        }
        Ok(revision)
    }

    /// The revision of a request whose `_meta` names none.
    fn silent(self, header: Said<'_>) -> Result<Revision, Unfit> {
        let modern = Unfit::Meta("`io.modelcontextprotocol/protocolVersion` is missing");
        match header {
            Said::Nothing if self.method == "server/discover" => Err(modern),
            Said::Nothing => Ok(SILENT),
            Said::Version(version) => match known(version)? {
                revision if revision.has_handshake() => Ok(revision),
                _ => Err(modern),
            },
            Said::Nonsense => Err(Unfit::Headers("the header MCP-Protocol-Version must stand there once")),
        }
    }

    /// Checks the headers that proxies route by against what is asked for.
    fn check_routing(self, headers: &HeaderMap) -> Result<(), Unfit> {
        match single(headers, &METHOD_HEADER) {
            Ok(Some(method)) if method == self.method => {}
            Ok(None) => return Err(Unfit::Headers("the header Mcp-Method is missing")),
            _ => return Err(Unfit::Headers("the header Mcp-Method is not the method of the body")),
        }
        let key = match self.method {
            "tools/call" | "prompts/get" => "name",
            "resources/read" => "uri",
            _ => return Ok(()),
        };
        // Whoever answers says what is wrong with a name that is missing or no text.
        let Some(name) = self.member(self.params, key).and_then(|node| self.text(node)) else {
            return Ok(());
        };
        match single(headers, &NAME_HEADER) {
            Ok(Some(header)) if decoded(header).is_some_and(|header| *header == *name) => Ok(()),
            Ok(None) => Err(Unfit::Headers("the header Mcp-Name is missing")),
            _ => Err(Unfit::Headers("the header Mcp-Name is not the name in the body")),
        }
    }

    fn member(self, object: Option<NodeId>, key: &str) -> Option<NodeId> {
        self.document.member(self.bytes, object?, key)
    }

    fn text(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.document.text(self.bytes, node)
    }
}

/// The revision with this name, where it is served. The first one had another transport, and messages like the next.
fn known(version: &str) -> Result<Revision, Unfit> {
    version.parse().map_err(|_| {
        let end = version.floor_char_boundary(MAX_SAID_BYTES);
        Unfit::Unknown(version.get(..end).unwrap_or_default().to_owned())
    })
}

/// The value of a header that stands there at most once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(|value| Some(value.trim())).map_err(|_| ()),
        _ => Err(()),
    }
}

/// A header value whose sender may have packed it because it is no plain ASCII.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(packed) = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) else {
        return Some(value.into());
    };
    let bytes = BASE64_STANDARD.decode(packed).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use cloakgate_mcp::Envelope;
    use http::HeaderValue;

    use super::*;

    fn revision(headers: &[(&'static str, &str)], body: &str) -> Result<Revision, Unfit> {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
            })
            .collect();
        let document = cloakgate_json::scan(body.as_bytes()).expect("JSON");
        let Ok(Envelope::Request(request)) = cloakgate_mcp::read(&document, body.as_bytes()) else {
            panic!("no request: {body}")
        };
        let (method, params) = (request.method.as_str(), request.params);
        Spoken { document: &document, bytes: body.as_bytes(), method, params }.revision(&headers)
    }

    fn body(method: &str, params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#)
    }

    const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

    #[test]
    fn before_2026_the_header_says_it_or_nothing_does() {
        let list = body("tools/list", "");
        for (header, expected) in [
            (None, Some(Revision::V2025_03_26)),
            (Some("2025-03-26"), Some(Revision::V2025_03_26)),
            (Some("2025-06-18"), Some(Revision::V2025_06_18)),
            (Some(" 2025-11-25 "), Some(Revision::V2025_11_25)),
            (Some("2026-07-28"), None),
            (Some("1900-01-01"), None),
            (Some(""), None),
        ] {
            let headers: Vec<_> =
                header.map(|version| ("mcp-protocol-version", version)).into_iter().collect();
            assert_eq!(revision(&headers, &list).ok(), expected, "{header:?}");
        }
        let twice = [("mcp-protocol-version", "2025-06-18"), ("mcp-protocol-version", "2025-11-25")];
        assert!(matches!(revision(&twice, &list), Err(Unfit::Headers(_))));
        assert!(matches!(revision(&[], &body("server/discover", "")), Err(Unfit::Meta(_))));
    }

    #[test]
    fn since_2026_header_and_meta_agree() {
        let version = ("mcp-protocol-version", "2026-07-28");
        let method = ("mcp-method", "tools/call");
        let call = body("tools/call", &format!(r#""name":"cloak",{META}"#));
        let unknown = call.replace("2026-07-28", "1900-01-01");
        let accented = call.replace("\"cloak\"", "\"cl\u{f6}ak\"");
        let bare = body("tools/list", r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#);
        for (headers, body, expected) in [
            (vec![version, method, ("mcp-name", "cloak")], &call, Ok(())),
            (vec![version, method, ("mcp-name", "=?base64?Y2xvYWs=?=")], &call, Ok(())),
            (vec![version, method, ("mcp-name", "=?base64?Y2zDtmFr?=")], &accented, Ok(())),
            (vec![version, method, ("mcp-name", "=?base64?????=")], &call, Err("headers")),
            (vec![version, method, ("mcp-name", "uncloak")], &call, Err("headers")),
            (vec![version, method], &call, Err("headers")),
            (vec![version, ("mcp-method", "tools/list"), ("mcp-name", "cloak")], &call, Err("headers")),
            (vec![version, ("mcp-name", "cloak")], &call, Err("headers")),
            (vec![method, ("mcp-name", "cloak")], &call, Err("headers")),
            (vec![("mcp-protocol-version", "2025-11-25"), method], &call, Err("headers")),
            (vec![("mcp-protocol-version", "1900-01-01"), method], &unknown, Err("unknown")),
            (vec![version, method], &bare, Err("meta")),
        ] {
            let outcome = revision(&headers, body).map(|_| ()).map_err(|unfit| match unfit {
                Unfit::Headers(_) => "headers",
                Unfit::Meta(_) => "meta",
                Unfit::Unknown(version) => {
                    assert_eq!(version, "1900-01-01");
                    "unknown"
                }
            });
            assert_eq!(outcome, expected, "{headers:?} {body}");
        }
    }

    #[test]
    fn long_names_of_revisions_are_cut() {
        let long = "\u{e4}".repeat(100);
        let text = body("tools/list", &META.replace("2026-07-28", &long));
        assert!(revision(&[], &text).is_err());
        assert_eq!(known(&long), Err(Unfit::Unknown("\u{e4}".repeat(32))));
    }
}
