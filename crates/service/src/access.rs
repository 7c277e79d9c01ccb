//! Who may do what: one table for every operation of the API.
//!
//! Invariant: an operation that is not in the table is nobody's.

use crate::records::Role;

/// What an operation is to whoever grants it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Act {
    /// Look at settings, servers and counters.
    Read,
    /// Look at what is known of sessions, which is never a value.
    Sessions,
    /// Change settings, servers and sessions.
    Edit,
    /// Change environments and tokens.
    Administer,
}

impl Role {
    /// True when the role may do this.
    pub(crate) fn may(self, act: Act) -> bool {
        match self {
            Self::Admin => true,
            Self::Editor => matches!(act, Act::Read | Act::Sessions | Act::Edit),
            Self::Auditor => matches!(act, Act::Read | Act::Sessions),
            Self::Viewer => matches!(act, Act::Read),
        }
    }
}

const ENVIRONMENT: &str = "/api/environments/{environment_uuid}";
const COUNTRIES: &str = "/api/environments/{environment_uuid}/countries";
const COUNTRY: &str = "/api/environments/{environment_uuid}/countries/{country_uuid}";
const SERVICES: &str = "/api/environments/{environment_uuid}/services";
const SERVICE: &str = "/api/environments/{environment_uuid}/services/{service_uuid}";
const SETTINGS: &str = "/api/environments/{environment_uuid}/cloak-settings";
const ONE_SETTINGS: &str = "/api/environments/{environment_uuid}/cloak-settings/{cloak_settings_uuid}";
const SERVERS: &str = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers";
const SERVER: &str =
    "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}";
const ROTATE: &str =
    "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}/rotate-key";
const PROXIES: &str = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies";
const PROXY: &str =
    "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies/{mcp_proxy_uuid}";
const SESSIONS: &str = "/api/environments/{environment_uuid}/sessions";
const SESSION: &str = "/api/environments/{environment_uuid}/sessions/{session_uuid}";
const ERASE: &str = "/api/environments/{environment_uuid}/sessions/erase";
const REBIND: &str = "/api/environments/{environment_uuid}/sessions/rebind";
const USAGE: &str = "/api/environments/{environment_uuid}/usage";
const EXPORT: &str = "/api/environments/{environment_uuid}/export";
const IMPORT: &str = "/api/environments/{environment_uuid}/import";

const TABLE: &[(&str, &str, Act)] = &[
    ("GET", "/api/me", Act::Read),
    ("GET", "/api/regions", Act::Read),
    ("GET", "/api/tokens", Act::Administer),
    ("POST", "/api/tokens", Act::Administer),
    ("DELETE", "/api/tokens/{token_uuid}", Act::Administer),
    ("GET", "/api/environments", Act::Read),
    ("POST", "/api/environments", Act::Administer),
    ("GET", ENVIRONMENT, Act::Read),
    ("PATCH", ENVIRONMENT, Act::Administer),
    ("DELETE", ENVIRONMENT, Act::Administer),
    ("GET", COUNTRIES, Act::Read),
    ("POST", COUNTRIES, Act::Edit),
    ("DELETE", COUNTRY, Act::Edit),
    ("GET", SERVICES, Act::Read),
    ("POST", SERVICES, Act::Edit),
    ("DELETE", SERVICE, Act::Edit),
    ("GET", SETTINGS, Act::Read),
    ("POST", SETTINGS, Act::Edit),
    ("GET", ONE_SETTINGS, Act::Read),
    ("PATCH", ONE_SETTINGS, Act::Edit),
    ("PUT", ONE_SETTINGS, Act::Edit),
    ("DELETE", ONE_SETTINGS, Act::Edit),
    ("GET", SERVERS, Act::Read),
    ("POST", SERVERS, Act::Edit),
    ("GET", SERVER, Act::Read),
    ("PATCH", SERVER, Act::Edit),
    ("DELETE", SERVER, Act::Edit),
    ("POST", ROTATE, Act::Edit),
    ("GET", PROXIES, Act::Read),
    ("POST", PROXIES, Act::Edit),
    ("GET", PROXY, Act::Read),
    ("DELETE", PROXY, Act::Edit),
    ("GET", SESSIONS, Act::Sessions),
    ("DELETE", SESSIONS, Act::Edit),
    ("GET", SESSION, Act::Sessions),
    ("PATCH", SESSION, Act::Edit),
    ("DELETE", SESSION, Act::Edit),
    ("POST", ERASE, Act::Edit),
    ("POST", REBIND, Act::Edit),
    ("GET", USAGE, Act::Read),
    ("GET", EXPORT, Act::Read),
    ("POST", IMPORT, Act::Edit),
];

/// What an operation is, by its method and path.
pub(crate) fn act(method: &str, path: &str) -> Option<Act> {
    TABLE.iter().find(|(of, at, _)| *of == method && *at == path).map(|(.., act)| *act)
}

/// The operations that have an act.
#[cfg(test)]
pub(crate) fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|(method, path, _)| (*method, *path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_those_below_it_may() {
        for (role, acts) in [
            (Role::Admin, [true, true, true, true]),
            (Role::Editor, [true, true, true, false]),
            (Role::Auditor, [true, true, false, false]),
            (Role::Viewer, [true, false, false, false]),
        ] {
            let all = [Act::Read, Act::Sessions, Act::Edit, Act::Administer];
            assert_eq!(all.map(|act| role.may(act)), acts, "{role:?}");
        }
    }
}
