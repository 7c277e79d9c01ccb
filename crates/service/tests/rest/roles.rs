//! Keys with roles: what each of them gets back.

use serde_json::{Value, json};

use crate::client::Service;

const TEXT: &str = "Write to alice.johnson@example.org about card 4111 1111 1111 1111.";

/// A service whose first server has settings with these roles, and the path of that server.
fn with_roles(service: &Service, roles: &Value) -> String {
    let (environment, place) = service.place();
    let servers = format!("{place}/mcp-servers");
    let server = service.ask("GET", &servers, &Value::Null).expect(200)[0].clone();
    let body = json!({ "anonymization_options": {}, "role_based_acl": roles });
    let settings = format!("{environment}/cloak-settings");
    let id = server["cloak_settings_id"].as_str().expect("an id");
    let kept = service.ask("PUT", &format!("{settings}/{id}"), &body).expect(200);
    assert_eq!(kept["role_based_acl"], *roles);
    format!("{servers}/{}", server["id"].as_str().expect("an id"))
}

fn new_key(service: &Service, server: &str, role: &str) -> String {
    let made = service.ask("POST", &format!("{server}/rotate-key"), &json!({ "role": role })).expect(200);
    made["api_key"].as_str().expect("a key").to_owned()
}

/// The text that a key gets back, and the counts beside it.
fn back(service: &Service, key: &str, (text, id): &(String, String)) -> (String, Value) {
    let answer = service.call(key, "uncloak", &json!({ "message": text, "id": id })).expect(200);
    let result = &answer["result"];
    let text = result["structuredContent"]["result"].as_str().unwrap_or_else(|| panic!("{answer}"));
    (text.to_owned(), result["_meta"]["cloakgate/counts"].clone())
}

#[test]
fn each_role_gets_back_what_the_settings_give_it() {
    let service = Service::start();
    let server = with_roles(
        &service,
        &json!({
            "mail": { "uncloak": ["email"] },
            "desk": { "uncloak": ["financial", "email"], "reveal": "masked" },
            "model": { "uncloak": ["email"], "reveal": "none" },
        }),
    );
    let whole = service.first.as_ref().expect("a first run").api_key.clone();
    let [mail, desk, model] = ["mail", "desk", "model"].map(|role| new_key(&service, &server, role));
    let cloaked = service.cloak(&model, TEXT);
    assert_eq!(cloaked.0, "Write to {{EMAIL}} about card {{CARD}}.");
    let longer = (format!("So: {}", cloaked.0), cloaked.1.clone());
    for (key, expected, counts) in [
        (&whole, TEXT, json!({ "restored": 2, "unresolved": 0 })),
        (
            &mail,
            "Write to alice.johnson@example.org about card {{CARD}}.",
            json!({ "restored": 1, "unresolved": 0, "masked": 0, "withheld": 1 }),
        ),
        (
            &desk,
            "Write to a***@e*** about card ****1111.",
            json!({ "restored": 0, "unresolved": 0, "masked": 2, "withheld": 0 }),
        ),
        (&model, &*cloaked.0, json!({ "restored": 0, "unresolved": 0, "masked": 0, "withheld": 2 })),
    ] {
        // Unchanged texts and changed ones come back by different ways.
        assert_eq!(back(&service, key, &cloaked), (expected.to_owned(), counts.clone()));
        assert_eq!(back(&service, key, &longer), (format!("So: {expected}"), counts));
    }

    let (environment, _) = service.place();
    let usage = || service.ask("GET", &format!("{environment}/usage"), &Value::Null).expect(200);
    let counted = |usage: &Value, name: &str| {
        let all = usage.as_array().expect("a list").iter();
        all.filter(|one| one["name"] == name).filter_map(|one| one["number"].as_i64()).sum::<i64>()
    };
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while counted(&usage(), "withheld") < 6 {
        assert!(std::time::Instant::now() < end, "{}", usage());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!((counted(&usage(), "masked"), counted(&usage(), "restored")), (4, 6));
}

#[test]
fn a_role_that_is_taken_away_gets_nothing_at_once() {
    let service = Service::start();
    let server = with_roles(&service, &json!({ "mail": { "uncloak": ["email"] } }));
    let mail = new_key(&service, &server, "mail");
    let cloaked = service.cloak(&mail, TEXT);
    assert!(back(&service, &mail, &cloaked).0.contains("alice"));
    with_roles(&service, &json!({ "other": { "uncloak": ["email"] } }));
    assert_eq!(back(&service, &mail, &cloaked).0, cloaked.0);
    with_roles(&service, &Value::Null);
    assert_eq!(back(&service, &mail, &cloaked).0, cloaked.0);
    let whole = service.first.as_ref().expect("a first run").api_key.clone();
    assert_eq!(back(&service, &whole, &cloaked).0, TEXT);
}

#[test]
fn keys_are_made_and_rotated_by_role() {
    let service = Service::start();
    let server = with_roles(&service, &json!({ "mail": { "uncloak": ["email"] } }));
    let whole = service.first.as_ref().expect("a first run").api_key.clone();
    let rotate = format!("{server}/rotate-key");
    let works = |key: &str| service.call(key, "cloak", &json!({ "message": "a" })).status == 200;

    // With one kind of keys there is no doubt which are meant; with two there is.
    let old = new_key(&service, &server, "mail");
    let refused = service.ask("POST", &rotate, &Value::Null).expect(400);
    assert_eq!(refused["error"]["field"], "role");
    assert_eq!(refused["error"]["allowed"], json!([null, "mail"]));
    let new = service.ask("POST", &rotate, &json!({ "role": "mail", "overlap_seconds": 0 })).expect(200);
    let roles: Vec<&Value> = new["keys"].as_array().expect("keys").iter().map(|key| &key["role"]).collect();
    assert_eq!(roles, [&json!("mail"), &Value::Null]);
    let mail = new["api_key"].as_str().expect("a key").to_owned();
    assert!(works(&whole) && works(&mail) && !works(&old));
    let newest = service.ask("POST", &rotate, &json!({ "role": null, "overlap_seconds": 0 })).expect(200);
    assert!(works(newest["api_key"].as_str().expect("a key")) && works(&mail) && !works(&whole));

    // However often one role is rotated, keys of others stay.
    for _ in 0..12 {
        service.ask("POST", &rotate, &json!({ "role": "mail" })).expect(200);
    }
    assert!(works(newest["api_key"].as_str().expect("a key")));
    let unknown = service.ask("POST", &rotate, &json!({ "role": "male" })).expect(400);
    assert_eq!(
        (&unknown["error"]["field"], &unknown["error"]["allowed"]),
        (&json!("role"), &json!(["mail"]))
    );

    let (_, place) = service.place();
    let shown = service.ask("GET", &server, &Value::Null).expect(200);
    let settings = &shown["cloak_settings_id"];
    let body = |role: &str| json!({ "name": "b", "cloak_settings_id": settings, "billing": { "tier": "free" }, "role": role });
    let servers = format!("{place}/mcp-servers");
    let made = service.ask("POST", &servers, &body("mail")).expect(201);
    assert_eq!(made["keys"][0]["role"], "mail");
    let path = format!("{servers}/{}/rotate-key", made["id"].as_str().expect("an id"));
    let rotated = service.ask("POST", &path, &Value::Null).expect(200);
    assert_eq!(rotated["keys"][0]["role"], "mail");
    assert_eq!(service.ask("POST", &servers, &body("nobody")).expect(400)["error"]["field"], "role");
}

#[test]
fn roles_that_are_wrong_are_refused_with_their_place() {
    let service = Service::start();
    let (environment, _) = service.place();
    for (roles, place) in [
        (json!([]), "role_based_acl"),
        (json!({ "a": { "uncloak": ["name", "adress"] } }), "role_based_acl.a.uncloak[1]"),
        (json!({ "a": { "uncloak": [], "reveal": "hash" } }), "role_based_acl.a.reveal"),
    ] {
        let body = json!({ "anonymization_options": {}, "role_based_acl": roles });
        let refused = service.ask("POST", &format!("{environment}/cloak-settings"), &body).expect(400);
        assert_eq!(refused["error"]["field"], place);
    }
}
