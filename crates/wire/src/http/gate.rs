//! Which hosts and origins may call.
//!
//! A page of a stranger can make a browser call servers of the machine it runs on, under a name of the stranger's that
//! was pointed there. Such a call carries that name as `Host`, and the page as `Origin`. So: the host is this machine or
//! one that is configured; an origin is this machine's, a configured host's, or configured itself.
//! Not here: who calls; that is for keys.

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, HOST, ORIGIN, VARY};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue};

use super::fault::Fault;

/// What pages of shared origins may read of an answer beside its body.
const EXPOSED: HeaderValue = HeaderValue::from_static("mcp-session-id, mcp-protocol-version, retry-after");

/// Hosts and origins that may call. By default those of this machine.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    hosts: Vec<Authority>,
    origins: Vec<HeaderValue>, // in lower case
}

/// A name that cannot be one.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GateError {
    /// No host.
    #[error("`{0}` is no host: write `name` or `name:port`")]
    Host(String),
    /// No origin.
    #[error("`{0}` is no origin: write `https://name` or `https://name:port`")]
    Origin(String),
}

impl Gate {
    /// Lets these hosts call, beside this machine, and pages of these origins, which may read the answers. A host
    /// without a port stands for all its ports.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn new<'a>(
        hosts: impl IntoIterator<Item = &'a str>,
        origins: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, GateError> {
        let mut gate = Self::default();
        for host in hosts {
            let authority = host.parse::<Authority>().ok().filter(is_bare);
            gate.hosts.push(authority.ok_or_else(|| GateError::Host(host.to_owned()))?);
        }
        for origin in origins {
            let lower = origin.to_ascii_lowercase();
            let value = HeaderValue::try_from(&lower).ok().filter(|_| authority_of(&lower).is_some());
            gate.origins.push(value.ok_or_else(|| GateError::Origin(origin.to_owned()))?);
        }
        Ok(gate)
    }

    /// Checks where a request comes from and whom it wants.
    pub(super) fn check(&self, head: &Parts) -> Result<(), Fault> {
        let host = host_of(head).ok_or(Fault::Host)?;
        if !is_loopback(&host) && !self.lists(&host) {
            return Err(Fault::Host);
        }
        let mut origins = head.headers.get_all(ORIGIN).iter();
        let (Some(origin), more) = (origins.next(), origins.next()) else { return Ok(()) };
        let allowed = more.is_none() && (self.is_shared(origin) || self.is_own(origin, &host));
        if allowed { Ok(()) } else { Err(Fault::Origin) }
    }

    /// Whether pages of the caller's origin may read answers.
    pub(super) fn shares(&self, headers: &HeaderMap) -> bool {
        headers.get(ORIGIN).is_some_and(|origin| self.is_shared(origin))
    }

    /// Lets the page that called read the answer, where it may.
    pub(super) fn share(&self, asked: &HeaderMap, answer: &mut HeaderMap) {
        if self.origins.is_empty() {
            return;
        }
        answer.append(VARY, HeaderValue::from_static("origin"));
        if let Some(origin) = asked.get(ORIGIN).filter(|origin| self.is_shared(origin)) {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }

    fn lists(&self, host: &Authority) -> bool {
        self.hosts.iter().any(|listed| {
            listed.host().eq_ignore_ascii_case(host.host())
                && (listed.port().is_none() || listed.port_u16() == host.port_u16())
        })
    }

    fn is_shared(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|listed| listed.as_bytes().eq_ignore_ascii_case(origin.as_bytes()))
    }

    /// True for pages of this machine that call it by a name of this machine's, and for pages of a listed host.
    fn is_own(&self, origin: &HeaderValue, host: &Authority) -> bool {
        let page = origin.to_str().ok().and_then(|origin| authority_of(&origin.to_ascii_lowercase()));
        page.is_some_and(|page| if is_loopback(host) { is_loopback(&page) } else { self.lists(&page) })
    }
}

/// The host that a request wants. One that names several wants none.
fn host_of(head: &Parts) -> Option<Authority> {
    let mut hosts = head.headers.get_all(HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => Authority::try_from(host.as_bytes()).ok()?,
        // HTTP/2 has it in the URL.
        (None, _) => head.uri.authority()?.clone(),
        (Some(_), Some(_)) => return None,
    };
    is_bare(&host).then_some(host)
}

/// The host of an origin in lower case, which is a scheme and a host and nothing else.
fn authority_of(origin: &str) -> Option<Authority> {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"))?;
    host.parse().ok().filter(is_bare)
}

/// True for a host without a user before it.
fn is_bare(authority: &Authority) -> bool {
    !authority.as_str().contains('@') && !authority.host().is_empty()
}

fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host();
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn checked(gate: &Gate, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::post("/mcp").header(HOST, host);
        if let Some(origin) = origin {
            request = request.header(ORIGIN, origin);
        }
        gate.check(&request.body(()).expect("a request").into_parts().0).is_ok()
    }

    #[test]
    fn only_this_machine_and_what_is_configured_may_call() {
        let own = Gate::default();
        let open =
            Gate::new(["cloak.example.org", "10.0.0.7:8787"], ["https://app.example.org"]).expect("names");
        for (host, origin, by_default, configured) in [
            ("127.0.0.1:8787", None, true, true),
            ("127.9.9.9", None, true, true),
            ("LOCALHOST:1", None, true, true),
            ("[::1]:8787", None, true, true),
            ("localhost", Some("http://localhost:6274"), true, true),
            ("127.0.0.1", Some("https://evil.example.org"), false, false),
            ("127.0.0.1", Some("null"), false, false),
            ("127.0.0.1", Some("http://localhost.evil.example.org"), false, false),
            ("127.0.0.1", Some("http://localhost/path"), false, false),
            ("127.0.0.1", Some("http://evil@localhost"), false, false),
            ("rebound.example.org", None, false, false),
            ("localhost@evil.example.org", None, false, false),
            ("cloak.example.org", None, false, true),
            ("Cloak.Example.org:443", Some("https://cloak.example.org"), false, true),
            ("cloak.example.org", Some("http://localhost:3000"), false, false),
            ("cloak.example.org", Some("https://app.example.org"), false, true),
            ("10.0.0.7:8787", None, false, true),
            ("10.0.0.7:8788", None, false, false),
            ("0.0.0.0:8787", None, false, false),
        ] {
            assert_eq!(checked(&own, host, origin), by_default, "{host} {origin:?} by default");
            assert_eq!(checked(&open, host, origin), configured, "{host} {origin:?} configured");
        }
        let nobody = Request::post("/mcp").body(()).expect("a request").into_parts().0;
        assert!(own.check(&nobody).is_err());
        let twice = Request::post("/mcp").header(HOST, "localhost").header(HOST, "localhost");
        assert!(own.check(&twice.body(()).expect("a request").into_parts().0).is_err());
    }

    #[test]
    fn names_are_checked_at_start() {
        for host in ["", "a b", "https://example.org", "user@example.org", "example.org/x"] {
            assert!(Gate::new([host], []).is_err(), "{host}");
        }
        for origin in ["example.org", "https://", "null", "*", "https://example.org/", "ftp://example.org"] {
            assert!(Gate::new([], [origin]).is_err(), "{origin}");
        }
    }

    #[test]
    fn answers_are_shared_with_configured_origins_alone() {
        let gate = Gate::new([], ["https://app.example.org"]).expect("names");
        for (origin, shared) in [("https://App.example.org", true), ("http://localhost", false)] {
            let asked = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_static(origin))]);
            let mut answer = HeaderMap::new();
            gate.share(&asked, &mut answer);
            assert_eq!(answer.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN), shared, "{origin}");
            assert_eq!(gate.shares(&asked), shared, "{origin}");
        }
    }
}
