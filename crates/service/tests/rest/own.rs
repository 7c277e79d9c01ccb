//! What the reference does not have: roles, rotation, erasure, limits, import and export.

use std::path::Path;

use cloakgate_service::ServiceConfig;
use serde_json::{Value, json};

use crate::client::{ADMIN, Service, config, folder};

const NOBODY: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

#[test]
fn nobody_without_a_token_and_everybody_by_their_role() {
    let service = Service::start();
    let (environment, place) = service.place();
    for headers in [vec![], vec![("authorization", "Bearer x")], vec![("authorization", "Basic YTpi")]] {
        let answer = service.send("GET", "/api/environments", &headers, "");
        assert!(answer.header("www-authenticate").is_some());
        answer.expect(401);
    }
    let token = |role: &str, more: Value| {
        let mut body = json!({ "name": role, "role": role });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        let made = service.ask("POST", "/api/tokens", &body).expect(201);
        made["token"].as_str().expect("a token").to_owned()
    };
    let settings = json!({ "anonymization_options": {} });
    for (role, reads, sees_sessions, edits, administers) in [
        ("admin", 200, 200, 201, 200),
        ("editor", 200, 200, 201, 403),
        ("auditor", 200, 200, 403, 403),
        ("viewer", 200, 403, 403, 403),
    ] {
        let token = token(role, json!({}));
        let status =
            |method: &str, path: &str, body: &Value| service.ask_as(&token, method, path, body).status;
        assert_eq!(status("GET", &format!("{place}/mcp-servers"), &Value::Null), reads, "{role}");
        assert_eq!(status("GET", &format!("{environment}/sessions"), &Value::Null), sees_sessions, "{role}");
        assert_eq!(status("POST", &format!("{environment}/cloak-settings"), &settings), edits, "{role}");
        assert_eq!(status("GET", "/api/tokens", &Value::Null), administers, "{role}");
    }
    let other = service.ask("POST", "/api/environments", &json!({ "name": "other" })).expect(201);
    let bound = token("admin", json!({ "environment_id": other["id"] }));
    let foreign = service.ask_as(&bound, "GET", &format!("{environment}/countries"), &Value::Null);
    assert_eq!((foreign.status, foreign.header("content-type")), (404, Some("application/problem+json")));
    let mine = service.ask_as(&bound, "GET", "/api/environments", &Value::Null).expect(200);
    assert_eq!(mine.as_array().map(Vec::len), Some(1));

    let made = service.ask("POST", "/api/tokens", &json!({ "name": "x", "role": "viewer" })).expect(201);
    let text = made["token"].as_str().expect("a token");
    assert_eq!(service.ask_as(text, "GET", "/api/me", &Value::Null).expect(200)["role"], "viewer");
    let path = format!("/api/tokens/{}", made["id"].as_str().expect("an id"));
    assert_eq!(service.ask("DELETE", &path, &Value::Null).status, 204);
    assert_eq!(service.ask_as(text, "GET", "/api/me", &Value::Null).status, 401);
}

#[test]
fn keys_are_rotated_with_overlap() {
    let service = Service::start();
    let (_, place) = service.place();
    let old = service.first.as_ref().expect("a first run").api_key.clone();
    let (cloaked, id) = service.cloak(&old, "alice@example.org");
    let server = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200)[0].clone();
    let path = format!("{place}/mcp-servers/{}/rotate-key", server["id"].as_str().expect("an id"));
    let works = |key: &str| service.call(key, "cloak", &json!({ "message": "a" })).status == 200;
    let new =
        service.ask("POST", &path, &Value::Null).expect(200)["api_key"].as_str().expect("a key").to_owned();
    assert!(works(&old) && works(&new) && old != new);
    let answer = service.ask("POST", &path, &json!({ "overlap_seconds": 0 })).expect(200);
    let newest = answer["api_key"].as_str().expect("a key").to_owned();
    assert!(!works(&old) && !works(&new) && works(&newest));
    assert_eq!(answer["keys"].as_array().map(Vec::len), Some(1));
    let back = service.call(&newest, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
    assert_eq!(back["result"]["structuredContent"]["result"], "alice@example.org");
}

#[test]
fn sessions_are_listed_without_values_and_erased() {
    let service = Service::start();
    let (environment, _) = service.place();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let ids: Vec<(String, String)> = ["alice@example.org", "bob@example.org", "carol@example.org"]
        .map(|value| service.cloak(&key, value))
        .into();
    let path = format!("{environment}/sessions");
    let listed = service.ask("GET", &path, &Value::Null);
    assert!(!listed.text.contains("example.org"), "{}", listed.text);
    assert_eq!(listed.json().as_array().map(Vec::len), Some(3));
    let page = service.ask("GET", &format!("{path}?limit=2"), &Value::Null);
    let next = page.header("link").and_then(|link| link.split(['<', '>']).nth(1)).expect("more").to_owned();
    assert_eq!(page.json().as_array().map(Vec::len), Some(2));
    assert_eq!(
        service.ask("GET", &format!("{path}{next}"), &Value::Null).json().as_array().map(Vec::len),
        Some(1)
    );

    let opens = |(text, id): &(String, String)| {
        let answer = service.call(&key, "uncloak", &json!({ "message": text, "id": id })).expect(200);
        answer["result"].get("isError").is_none()
    };
    assert_eq!(service.ask("DELETE", &format!("{path}/{}", ids[0].1), &Value::Null).status, 204);
    assert_eq!(service.ask("GET", &format!("{path}/{}", ids[0].1), &Value::Null).status, 404);
    assert!(!opens(&ids[0]) && opens(&ids[1]));
    let erased =
        service.ask("POST", &format!("{path}/erase"), &json!({ "value": "Bob@example.org" })).expect(200);
    assert_eq!(erased, json!({ "sessions": 1 }));
    assert!(!opens(&ids[1]) && opens(&ids[2]));
    assert_eq!(service.ask("DELETE", &path, &Value::Null).expect(200), json!({ "sessions": 1 }));
    assert!(!opens(&ids[2]));
}

#[test]
fn a_request_is_done_once_for_a_key() {
    let service = Service::start();
    let (_, place) = service.place();
    let server = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200)[0].clone();
    let body = |name: &str| {
        json!({ "name": name, "cloak_settings_id": server["cloak_settings_id"], "billing": { "tier": "free" } }).to_string()
    };
    let bearer = format!("Bearer {ADMIN}");
    let headers =
        [("authorization", &*bearer), ("content-type", "application/json"), ("idempotency-key", "k1")];
    let path = format!("{place}/mcp-servers");
    let first = service.send("POST", &path, &headers, &body("a")).expect(201);
    let again = service.send("POST", &path, &headers, &body("a"));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let again = again.expect(201);
    assert_eq!((&again["id"], again.get("api_key")), (&first["id"], None));
    assert_eq!(service.send("POST", &path, &headers, &body("b")).status, 409);
    assert_eq!(service.ask("GET", &path, &Value::Null).json().as_array().map(Vec::len), Some(2));
}

#[test]
fn a_change_of_another_version_is_refused() {
    let service = Service::start();
    let (environment, _) = service.place();
    let body = json!({ "anonymization_options": {} });
    let made = service.ask("POST", &format!("{environment}/cloak-settings"), &body);
    let tag = made.header("etag").expect("a tag").to_owned();
    let path = format!("{environment}/cloak-settings/{}", made.json()["id"].as_str().expect("an id"));
    let bearer = format!("Bearer {ADMIN}");
    let put = |tag: &str| {
        let headers = [("authorization", &*bearer), ("content-type", "application/json"), ("if-match", tag)];
        service.send("PUT", &path, &headers, &body.to_string()).status
    };
    assert_eq!([put(&tag), put(&tag), put("*"), put("\"99\"")], [200, 412, 200, 412]);
}

#[test]
fn what_is_malformed_is_refused_by_name() {
    let service = Service::start();
    let (environment, place) = service.place();
    let settings = format!("{environment}/cloak-settings");
    let bearer = format!("Bearer {ADMIN}");
    let json_kind = ("content-type", "application/json");
    let authorized = ("authorization", &*bearer);
    for (method, path, kind, body, status) in [
        ("POST", &*settings, json_kind, "{", 400),
        ("POST", &settings, json_kind, "[]", 400),
        ("POST", &settings, ("content-type", "text/plain"), "{}", 415),
        ("POST", &settings, json_kind, &*format!("{{\"name\":\"{}\"}}", "a".repeat(1 << 20)), 413),
        ("GET", &format!("{settings}?limit=0"), json_kind, "", 400),
        ("GET", &format!("{settings}?cursr=a"), json_kind, "", 400),
        ("GET", &format!("{settings}/nobody"), json_kind, "", 400),
        ("GET", &format!("{settings}/{NOBODY}"), json_kind, "", 404),
        ("GET", &format!("/api/environments/{NOBODY}/cloak-settings"), json_kind, "", 404),
        ("GET", &format!("{environment}/services/{NOBODY}/mcp-servers"), json_kind, "", 404),
        ("PUT", &settings, json_kind, "{}", 405),
        ("GET", "/api/nothing", json_kind, "", 404),
        (
            "POST",
            &format!("{place}/mcp-proxies"),
            json_kind,
            r#"{"name":"a","url":"https://a.example.org"}"#,
            400,
        ),
    ] {
        let answer = service.send(method, path, &[authorized, kind], body);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
        let problem = answer.json();
        assert_eq!(problem["statusCode"], status, "{method} {path}");
        assert!(problem["message"].is_string() && problem["error"]["code"].is_string());
    }
}

#[test]
fn whoever_asks_too_often_waits() {
    let limited = ServiceConfig::read(
        json!({ "names": "off", "limits": { "requests_per_second": 1, "calls_per_second": 1 } }),
    );
    let service = Service::start_with(limited.expect("valid"), folder(), Some(ADMIN));
    let statuses: Vec<u16> = (0..20).map(|_| service.ask("GET", "/api/me", &Value::Null).status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let answers: Vec<_> = (0..20).map(|_| service.call(&key, "cloak", &json!({ "message": "a" }))).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).expect("too many");
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn an_environment_is_exported_and_imported() {
    let service = Service::start();
    let (environment, _) = service.place();
    let file = service.ask("GET", &format!("{environment}/export"), &Value::Null);
    assert!(!file.text.contains("hash") && !file.text.contains("api_key"), "{}", file.text);
    let mut file = file.json();
    assert_eq!((&file["version"], &file["activatedCountries"]), (&json!(1), &json!(["local"])));
    file["policies"] = json!([]);
    let other = service.ask("POST", "/api/environments", &json!({ "name": "other" })).expect(201);
    let other = format!("/api/environments/{}", other["id"].as_str().expect("an id"));
    let dry = service.ask("POST", &format!("{other}/import?dry_run=true"), &file).expect(200);
    assert_eq!((&dry["dry_run"], &dry["ignored"]), (&json!(true), &json!(["policies"])));
    assert_eq!(service.ask("GET", &format!("{other}/cloak-settings"), &Value::Null).json(), json!([]));
    let done = service.ask("POST", &format!("{other}/import"), &file).expect(200);
    let key =
        done["records"].as_array().expect("a list").iter().find_map(|record| record["api_key"].as_str());
    assert_ne!(service.cloak(key.expect("a key"), "alice@example.org").0, "alice@example.org");
    let again = service.ask("POST", &format!("{environment}/import"), &file).expect(200);
    assert!(
        again["records"].as_array().expect("a list").iter().all(|record| record["action"] == "skipped"),
        "{again}"
    );
    let wrong = json!({ "version": 1, "cloakSettings": [{ "anonymization_options": { "name": { "option": "x" } } }] });
    let refused = service.ask("POST", &format!("{other}/import"), &wrong).expect(400);
    assert_eq!(refused["error"]["field"], "cloakSettings[0].anonymization_options.name.option");
}

#[test]
fn a_key_that_dies_here_dies_elsewhere_within_seconds() {
    let data = folder();
    let one = Service::start_with(config(), data.clone(), Some(ADMIN)).keep();
    let other = Service::start_with(config(), data, Some(ADMIN));
    assert!(other.first.is_none(), "the second start is no first one");
    let key = one.first.as_ref().expect("a first run").api_key.clone();
    let (cloaked, id) = one.cloak(&key, "alice@example.org");
    let back = other.call(&key, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
    assert_eq!(back["result"]["structuredContent"]["result"], "alice@example.org");
    let (_, place) = one.place();
    let server = key.split(':').next().expect("an id");
    assert_eq!(one.ask("DELETE", &format!("{place}/mcp-servers/{server}"), &Value::Null).status, 204);
    assert_eq!(one.call(&key, "cloak", &json!({ "message": "a" })).status, 403);
    let dead = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        other.call(&key, "cloak", &json!({ "message": "a" })).status == 403
    });
    assert!(dead);
}

#[test]
fn no_value_and_no_key_reaches_a_file_or_a_metric() {
    let service = Service::start().keep();
    let (environment, place) = service.place();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let planted = ["quetzal.planted@example.org", "4111 1111 1111 1111", "Zanzibar-Planted-Term"];
    let settings = json!({
        "anonymization_options": {},
        "knowledge_base": { "terms": [{ "text": planted[2] }] },
    });
    let made = service.ask("POST", &format!("{environment}/cloak-settings"), &settings).expect(201);
    let server = key.split(':').next().expect("an id");
    let change = json!({ "cloak_settings_id": made["id"] });
    service.ask("PATCH", &format!("{place}/mcp-servers/{server}"), &change).expect(200);
    let (cloaked, _) = service.cloak(&key, &planted.join(" and "));
    let wrong = service.call(&key, "uncloak", &json!({ "message": planted.join(" "), "id": NOBODY }));
    let erased =
        service.ask("POST", &format!("{environment}/sessions/erase"), &json!({ "valeu": planted[0] }));
    let metrics = service.send("GET", "/metrics", &[], "");
    assert!(metrics.text.contains("cloakgate_calls_total"), "{}", metrics.text);
    let secret = key.split(':').nth(1).expect("a secret").to_owned();
    let data = service.data.clone();
    drop(service);
    let mut sinks: Vec<(String, Vec<u8>)> = vec![
        ("cloaked".to_owned(), cloaked.into_bytes()),
        ("wrong id".to_owned(), wrong.text.into_bytes()),
        ("wrong field".to_owned(), erased.text.into_bytes()),
        ("metrics".to_owned(), metrics.text.into_bytes()),
    ];
    sinks.extend(files(&data));
    assert!(sinks.len() > 5);
    for (name, bytes) in &sinks {
        for value in planted.iter().copied().chain([&*secret, ADMIN]) {
            let found =
                bytes.windows(value.len()).any(|window| window.eq_ignore_ascii_case(value.as_bytes()));
            assert!(!found, "{value} in {name}");
        }
    }
    std::fs::remove_dir_all(data).expect("our own folder");
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file"))).collect()
}

#[test]
fn the_service_says_how_it_is_and_describes_itself() {
    let service = Service::start();
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(service.send("GET", path, &[], "").status, 200, "{path}");
    }
    let document = service.send("GET", "/api/openapi.json", &[], "").expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    let page = service.send("GET", "/api/docs", &[], "");
    assert!(
        page.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'"))
    );
    assert!(!page.text.contains("http://") && !page.text.contains("https://"));
    for path in ["/api/docs/page.js", "/api/docs/page.css"] {
        assert_eq!(service.send("GET", path, &[], "").status, 200, "{path}");
    }
}
