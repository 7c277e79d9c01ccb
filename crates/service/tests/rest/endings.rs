//! Ends of sessions that are given by hand.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Service;

/// A token of a role.
fn token(service: &Service, role: &str) -> String {
    let made = service.ask("POST", "/api/tokens", &json!({ "name": role, "role": role })).expect(201);
    made["token"].as_str().expect("a token").to_owned()
}

fn opens(service: &Service, key: &str, (text, id): &(String, String)) -> bool {
    let answer = service.call(key, "uncloak", &json!({ "message": text, "id": id })).expect(200);
    answer["result"].get("isError").is_none()
}

/// In how many seconds a session ends, to the minute.
#[track_caller]
fn ends_in(answer: &Value) -> i64 {
    let end = answer["expires_at"].as_str().unwrap_or_else(|| panic!("{answer}"));
    let end: jiff::Timestamp = end.parse().expect("a moment");
    let seconds = end.as_second() - jiff::Timestamp::now().as_second();
    (seconds + 30).div_euclid(60) * 60
}

#[test]
fn an_editor_ends_a_session_sooner_and_an_administrator_as_they_like() {
    let service = Service::start();
    let (environment, _) = service.place();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let path = format!("{environment}/sessions/{}", service.cloak(&key, "alice@example.org").1);
    let [editor, auditor] = ["editor", "auditor"].map(|role| token(&service, role));
    let as_editor = |body: &Value| service.ask_as(&editor, "PATCH", &path, body);
    let as_admin = |body: &Value| service.ask("PATCH", &path, body);

    assert_eq!(ends_in(&as_editor(&json!({ "ttl_seconds": 86_400 })).expect(200)), 86_400);
    assert_eq!(ends_in(&as_editor(&json!({ "ttl_seconds": 7200 })).expect(200)), 7200);
    assert_eq!(as_editor(&json!({ "ttl_seconds": 14_400 })).status, 403);
    assert_eq!(as_editor(&json!({ "expires_at": null })).status, 403);
    assert_eq!(ends_in(&service.ask("GET", &path, &Value::Null).expect(200)), 7200);
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(48);
    let moved = as_admin(&json!({ "expires_at": later.to_string() })).expect(200);
    assert_eq!(ends_in(&moved), 48 * 3600);
    assert_eq!(as_admin(&json!({ "expires_at": null })).expect(200)["expires_at"], Value::Null);
    assert_eq!(service.ask_as(&auditor, "PATCH", &path, &json!({ "ttl_seconds": 60 })).status, 403);

    for (body, field) in [
        (json!({}), "expires_at"),
        (json!({ "ttl_seconds": 0 }), "ttl_seconds"),
        (json!({ "ttl_seconds": 400_000_000 }), "ttl_seconds"),
        (json!({ "ttl_seconds": "60" }), "ttl_seconds"),
        (json!({ "ttl_seconds": 60, "expires_at": null }), "ttl_seconds"),
        (json!({ "expires_at": "tomorrow" }), "expires_at"),
        (json!({ "expires_at": "2020-01-01T00:00:00Z" }), "expires_at"),
        (json!({ "expires_at": "9999-01-01T00:00:00Z" }), "expires_at"),
        (json!({ "expires": null }), "expires"),
    ] {
        assert_eq!(as_admin(&body).expect(400)["error"]["field"], field, "{body}");
    }
    let nobody = format!("{environment}/sessions/3fa85f64-5717-4562-b3fc-2c963f66afa6");
    assert_eq!(service.ask("PATCH", &nobody, &json!({ "ttl_seconds": 60 })).status, 404);
}

#[test]
fn an_end_that_was_given_stays_however_much_the_session_is_used() {
    let service = Service::start();
    let (environment, place) = service.place();
    let server = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200)[0].clone();
    let settings = server["cloak_settings_id"].as_str().expect("an id");
    let body = json!({ "anonymization_options": {}, "session_lifetime_seconds": 3600 });
    service.ask("PUT", &format!("{environment}/cloak-settings/{settings}"), &body).expect(200);
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let [ended, kept] = ["alice@example.org", "bob@example.org"].map(|text| service.cloak(&key, text));
    let path = format!("{environment}/sessions/{}", ended.1);
    service.ask("PATCH", &path, &json!({ "ttl_seconds": 2 })).expect(200);
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while opens(&service, &key, &ended) {
        assert!(std::time::Instant::now() < end, "it is open still");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(service.ask("GET", &path, &Value::Null).status, 404);
    assert_eq!(service.ask("PATCH", &path, &json!({ "ttl_seconds": 60 })).status, 404, "it stays ended");
    let more = service.call(&key, "cloak", &json!({ "message": "a", "id": ended.1 })).expect(200);
    assert_eq!(more["result"]["isError"], true);
    assert!(opens(&service, &key, &kept));
}
