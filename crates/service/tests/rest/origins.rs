//! Pages of other origins, and names that were pointed at this machine.

use cloakgate_service::ServiceConfig;
use serde_json::json;

use crate::client::{ADMIN, Answer, Service, folder};

const PAGE: &str = "https://console.example.org";
const STRANGER: &str = "https://evil.example.org";
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn preflight(service: &Service, path: &str, origin: &str) -> Answer {
    let headers = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        (
            "access-control-request-headers",
            "content-type,mcp-protocol-version,mcp-session-id,x-inc-agentcloak-api-key",
        ),
    ];
    service.send("OPTIONS", path, &headers, "")
}

fn list_tools(service: &Service, more: &[(&str, &str)]) -> Answer {
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let mut headers = vec![("content-type", "application/json"), ("x-inc-agentcloak-api-key", &*key)];
    headers.extend(more);
    service.send("POST", "/mcp", &headers, LIST)
}

fn shared_with(answer: &Answer) -> Option<&str> {
    answer.header("access-control-allow-origin")
}

#[test]
fn no_page_of_another_origin_may_call_unless_it_is_listed() {
    let service = Service::start();
    for path in ["/mcp", "/api/environments"] {
        assert_eq!(shared_with(&preflight(&service, path, PAGE)), None, "{path}");
    }
    let answer = list_tools(&service, &[("origin", PAGE)]);
    assert_eq!((answer.status, shared_with(&answer)), (403, None), "{}", answer.text);
    let bearer = format!("Bearer {ADMIN}");
    let headers = [("authorization", &*bearer), ("origin", PAGE)];
    assert_eq!(shared_with(&service.send("GET", "/api/environments", &headers, "")), None);
}

#[test]
fn a_listed_origin_may_ask_send_its_key_and_read_the_answer() {
    let config = ServiceConfig::read(json!({ "names": "off", "cors_origins": [PAGE] })).expect("valid");
    let service = Service::start_with(config, folder(), Some(ADMIN));

    let asked = preflight(&service, "/mcp", PAGE);
    assert_eq!((asked.status, shared_with(&asked)), (204, Some(PAGE)));
    let allowed = asked.header("access-control-allow-headers").expect("headers").to_ascii_lowercase();
    for header in ["content-type", "mcp-protocol-version", "mcp-session-id", "x-inc-agentcloak-api-key"] {
        assert!(allowed.contains(header), "{header}: {allowed}");
    }
    assert!(asked.header("access-control-allow-methods").is_some_and(|methods| methods.contains("POST")));
    let answer = list_tools(&service, &[("origin", PAGE)]);
    assert_eq!((answer.status, shared_with(&answer)), (200, Some(PAGE)), "{}", answer.text);
    let exposed = answer.header("access-control-expose-headers").expect("headers");
    assert!(exposed.contains("mcp-session-id") && exposed.contains("mcp-protocol-version"), "{exposed}");
    assert!(answer.header("access-control-allow-credentials").is_none(), "keys are no cookies");

    let asked = preflight(&service, "/api/environments", PAGE);
    assert_eq!((asked.status, shared_with(&asked)), (200, Some(PAGE)));
    let bearer = format!("Bearer {ADMIN}");
    let headers = [("authorization", &*bearer), ("origin", PAGE)];
    let answer = service.send("GET", "/api/environments", &headers, "");
    assert_eq!((answer.status, shared_with(&answer)), (200, Some(PAGE)));

    for path in ["/mcp", "/api/environments"] {
        assert_eq!(shared_with(&preflight(&service, path, STRANGER)), None, "{path}");
    }
    let answer = list_tools(&service, &[("origin", STRANGER)]);
    assert_eq!((answer.status, shared_with(&answer)), (403, None));
}

#[test]
fn a_name_that_was_pointed_at_this_machine_opens_nothing() {
    let service = Service::start();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let headers = [("content-type", "application/json"), ("x-inc-agentcloak-api-key", &*key)];
    for (host, status) in [
        ("rebound.example.org", 403),
        ("rebound.example.org:8787", 403),
        ("localhost.rebound.example.org", 403),
        ("127.0.0.1@rebound.example.org", 403),
        ("localhost", 200),
        ("[::1]:8787", 200),
    ] {
        let answer = service.send_to(host, ("POST", "/mcp"), &headers, LIST);
        assert_eq!(answer.status, status, "{host}: {}", answer.text);
        assert!(status == 200 || !answer.text.contains("uncloak"), "{host}");
    }
    let named = json!({ "names": "off", "allowed_hosts": ["cloak.example.org"] });
    let config = ServiceConfig::read(named).expect("valid");
    let service = Service::start_with(config, folder(), Some(ADMIN));
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let headers = [("content-type", "application/json"), ("x-inc-agentcloak-api-key", &*key)];
    assert_eq!(service.send_to("cloak.example.org", ("POST", "/mcp"), &headers, LIST).status, 200);
    assert_eq!(service.send_to("other.example.org", ("POST", "/mcp"), &headers, LIST).status, 403);
}
