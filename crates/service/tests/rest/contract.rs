//! Every request of the reference's documents, with the answer that they show.

use serde_json::{Value, json};

use crate::client::{ADMIN, Service, config, folder};

/// Runs each claim on both stores.
macro_rules! on_both {
    ($($claim:ident)*) => {
        mod sqlite {
            $(#[test]
            fn $claim() {
                super::$claim(&crate::client::Service::start());
            })*
        }

        mod postgres {
            $(#[test]
            fn $claim() {
                super::$claim(&crate::client::Service::start_on_postgres());
            })*
        }
    };
}

on_both! {
    cloak_settings_are_made_listed_replaced_and_deleted
    mcp_servers_are_made_listed_changed_and_deleted
    the_tools_cloak_and_uncloak_as_documented
    settings_in_use_are_deleted_when_asked_twice_and_the_server_fails_closed
    deleting_and_making_anew_keeps_the_ids_of_sessions
}

const NOBODY: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/// The body that the reference creates settings with.
fn settings() -> Value {
    json!({
        "anonymization_options": {
            "name":              { "option": "native",      "searchable_key": "key2" },
            "weight":            { "option": "keep",        "searchable_key": "key1" },
            "weight_unit":       { "option": "keep",        "searchable_key": "key3" },
            "gender":            { "option": "keep",        "searchable_key": "key4" },
            "age":               { "option": "keep",        "searchable_key": "key5" },
            "location":          { "option": "placeholder", "searchable_key": "key6" },
            "medical_condition": { "option": "keep",        "searchable_key": "key7" },
            "financial":         { "option": "keep",        "searchable_key": "key8" },
        },
        "local_model_name": "meta.llama3-70b-instruct-v1:0",
        "global_model_name": "anthropic.claude-instant-v1",
        "prompt_language": "original",
    })
}

/// The reference's full object.
fn full() -> Value {
    json!({
        "anonymization_options": {
            "name":              { "option": "native",    "searchable_key": "key2" },
            "age":               { "option": "ranges",    "searchable_key": "key5" },
            "gender":            { "option": "mask",      "searchable_key": "key4" },
            "location":          { "option": "country",   "searchable_key": "key6" },
            "medical_condition": { "option": "group",     "searchable_key": "key7" },
            "financial":         { "option": "mask",      "searchable_key": "key8" },
            "weight":            { "option": "ranges",    "searchable_key": "key1" },
            "weight_unit":       { "option": "kilograms", "searchable_key": "key3" },
        },
        "age_ranges": [[0, 17], [18, 29], [30, 44], [45, 64], [65, 100]],
        "weight_ranges": [[0, 50], [50, 80], [80, 130], [130, 180]],
        "local_model_name": "meta.llama3-70b-instruct-v1:0",
        "local_model_region": "us-east-1",
        "global_model_name": "anthropic.claude-instant-v1",
        "global_model_region": "us-east-1",
        "prompt_language": "original",
    })
}

#[track_caller]
fn holds(answer: &Value, sent: &Value) {
    for (name, value) in sent.as_object().expect("an object") {
        assert_eq!(&answer[name], value, "{name}");
    }
}

fn cloak_settings_are_made_listed_replaced_and_deleted(service: &Service) {
    let (environment, _) = service.place();
    let path = format!("{environment}/cloak-settings");
    let made = service.ask("POST", &path, &settings()).expect(201);
    holds(&made, &settings());
    assert_eq!(environment, format!("/api/environments/{}", made["environment_id"].as_str().expect("an id")));
    let created = made["created_at"].as_str().expect("a time");
    assert_eq!((created.len(), created.ends_with('Z')), ("2026-06-01T12:00:00".len(), false));
    let one = format!("{path}/{}", made["id"].as_str().expect("an id"));

    let all = service.ask("GET", &path, &Value::Null).expect(200);
    assert!(all.as_array().expect("a list").contains(&made));

    let replaced = service.ask("PATCH", &one, &full()).expect(201);
    holds(&replaced, &full());
    let replaced = service.ask("PATCH", &one, &settings()).expect(201);
    assert_eq!(replaced.get("age_ranges"), None, "what is not sent is gone");
    let put = service.ask("PUT", &one, &full()).expect(200);
    holds(&put, &full());
    // What was answered can be sent back.
    holds(&service.ask("PATCH", &one, &put).expect(201), &full());
    let refused = service.ask("PATCH", &one, &json!({ "prompt_language": "original" })).expect(400);
    assert_eq!(refused["message"], "anonymization_options required field");

    assert_eq!(service.ask("DELETE", &one, &Value::Null).expect(204), Value::Null);
    assert_eq!(service.ask("DELETE", &one, &Value::Null).status, 404);
}

fn mcp_servers_are_made_listed_changed_and_deleted(service: &Service) {
    let (environment, place) = service.place();
    let made = service.ask("POST", &format!("{environment}/cloak-settings"), &settings()).expect(201);
    let path = format!("{place}/mcp-servers");
    let body =
        json!({ "name": "my-mcp-server", "cloak_settings_id": made["id"], "billing": { "tier": "free" } });
    let server = service.ask("POST", &path, &body).expect(201);
    let (id, key) = (server["id"].as_str().expect("an id"), server["api_key"].as_str().expect("a key"));
    assert!(key.strip_prefix(id).is_some_and(|rest| rest.starts_with(':') && rest.len() == 44), "{key}");
    assert_eq!(server["name"], "my-mcp-server");
    assert_eq!(server["tier"], "free");
    assert_eq!(server["cloak_settings_id"], made["id"]);
    assert_eq!(server["mcp_server_url"], format!("http://{}/mcp", service.address));
    assert!(place.ends_with(server["service_id"].as_str().expect("an id")));

    let all = service.ask("GET", &path, &Value::Null).expect(200);
    let listed =
        all.as_array().expect("a list").iter().find(|other| other["id"] == id).expect("it is listed");
    assert_eq!(listed.get("api_key"), None);

    for (wrong, message) in [
        (json!({ "name": "a", "billing": { "tier": "free" } }), "cloak_settings_id required parameter"),
        (
            json!({ "name": "a", "cloak_settings_id": NOBODY, "billing": { "tier": "free" } }),
            "cloak_settings_id required parameter",
        ),
        (json!({ "name": "a", "cloak_settings_id": made["id"] }), "billing required field"),
        (json!({ "cloak_settings_id": made["id"], "billing": { "tier": "free" } }), "name required field"),
        (
            json!({ "name": "a", "cloak_settings_id": made["id"], "billing": { "tier": "gold" } }),
            "`tier` must be one of: free, Paid tokens",
        ),
    ] {
        let answer = service.ask("POST", &path, &wrong);
        assert!(answer.header("content-type").is_some_and(|kind| kind == "application/json"));
        let refused = answer.expect(400);
        assert_eq!((&refused["statusCode"], &refused["message"]), (&json!(400), &json!(message)), "{wrong}");
        assert_eq!(refused["detail"], message);
    }

    let one = format!("{path}/{id}");
    let change = json!({ "name": "renamed", "billing": { "tier": "Paid tokens", "provider": "stripe", "customerId": "c" } });
    let changed = service.ask("PATCH", &one, &change).expect(200);
    assert_eq!((&changed["name"], &changed["tier"]), (&json!("renamed"), &json!("Paid tokens")));
    assert_eq!((changed.get("api_key"), &changed["cloak_settings_id"]), (None, &made["id"]));
    assert_eq!(service.ask("PATCH", &one, &json!({ "nme": "a" })).status, 400);
    assert_eq!(service.ask("DELETE", &one, &Value::Null).status, 204);
    assert_eq!(service.call(key, "cloak", &json!({ "message": "a" })).status, 403);
}

fn the_tools_cloak_and_uncloak_as_documented(service: &Service) {
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let message = "Hello, my name is Alice Johnson and I'm 34 years old.";
    let answer = service.call(&key, "cloak", &json!({ "message": message })).expect(200);
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)));
    let content = &answer["result"]["structuredContent"];
    let copy: Value =
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().expect("a text")).expect("JSON");
    assert_eq!(&copy, content);
    let cloaked = content["result"].as_str().expect("a text");
    assert!(!cloaked.contains("34"), "{cloaked}");
    let back = service.call(&key, "uncloak", &json!({ "message": cloaked, "id": content["id"] })).expect(200);
    assert_eq!(back["result"]["structuredContent"], json!({ "result": message, "id": content["id"] }));

    let plain = "nothing to see\n\n";
    assert_eq!(service.cloak(&key, plain).0, plain);
    let lines = "alice@example.org\nbob@example.org\n\ncarol@example.org\r\n";
    let (cloaked, id) = service.cloak(&key, lines);
    assert_eq!(cloaked.matches('\n').count(), 4);
    let back = service.call(&key, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
    assert_eq!(back["result"]["structuredContent"]["result"], lines);

    for wrong in [
        json!({ "message": "a", "id": NOBODY }),
        json!({ "message": "a" }),
        json!({ "message": "a", "id": "x" }),
    ] {
        let refused = service.call(&key, "uncloak", &wrong).expect(200);
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(refused["result"].get("structuredContent"), None);
    }
    for key in ["", "nobody", &format!("{NOBODY}:secret"), &key[..key.len() - 1]] {
        let refused = service.call(key, "cloak", &json!({ "message": "a" })).expect(403);
        assert_eq!(refused["id"], Value::Null);
        assert!(refused["error"]["code"].is_i64());
    }
    let initialize = r#"{"jsonrpc":"2.0","id":"1","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{}},"clientInfo":{"name":"MyClient","version":"1.0.0"}}}"#;
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("x-inc-agentcloak-api-key", &*key),
    ];
    let greeted = service.send("POST", "/mcp", &headers, initialize).expect(200);
    assert_eq!(greeted["result"]["protocolVersion"], "2025-03-26");
}

fn settings_in_use_are_deleted_when_asked_twice_and_the_server_fails_closed(service: &Service) {
    let (environment, place) = service.place();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let servers = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200);
    let path =
        format!("{environment}/cloak-settings/{}", servers[0]["cloak_settings_id"].as_str().expect("an id"));
    let (cloaked, id) = service.cloak(&key, "alice@example.org");
    let refused = service.ask("DELETE", &path, &Value::Null).expect(409);
    assert_eq!(refused["error"]["linked"][0]["id"], servers[0]["id"]);
    assert_eq!(service.ask("DELETE", &format!("{path}?force=true"), &Value::Null).status, 204);
    let failed = service.call(&key, "cloak", &json!({ "message": "alice@example.org" })).expect(200);
    assert_eq!(failed["error"]["code"], -32603);
    // What was cloaked before can be restored still.
    let back = service.call(&key, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
    assert_eq!(back["result"]["structuredContent"]["result"], "alice@example.org");
}

#[test]
fn settings_in_use_are_deleted_at_once_where_the_operator_says_so() {
    let mut config = config();
    config.delete_linked = cloakgate_service::DeleteLinked::Break;
    let service = Service::start_with(config, folder(), Some(ADMIN));
    let (environment, place) = service.place();
    let servers = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200);
    let path =
        format!("{environment}/cloak-settings/{}", servers[0]["cloak_settings_id"].as_str().expect("an id"));
    assert_eq!(service.ask("DELETE", &path, &Value::Null).status, 204);
}

fn deleting_and_making_anew_keeps_the_ids_of_sessions(service: &Service) {
    let (_, place) = service.place();
    let key = service.first.as_ref().expect("a first run").api_key.clone();
    let (cloaked, id) = service.cloak(&key, "write to alice@example.org");
    let server = service.ask("GET", &format!("{place}/mcp-servers"), &Value::Null).expect(200)[0].clone();
    let one = format!("{place}/mcp-servers/{}", server["id"].as_str().expect("an id"));
    assert_eq!(service.ask("DELETE", &one, &Value::Null).status, 204);
    let make = |name: &str| {
        let body = json!({ "name": name, "cloak_settings_id": server["cloak_settings_id"], "billing": { "tier": "free" } });
        let made = service.ask("POST", &format!("{place}/mcp-servers"), &body).expect(201);
        made["api_key"].as_str().expect("a key").to_owned()
    };
    let restored = |key: &str| {
        let answer = service.call(key, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
        answer["result"]["structuredContent"]["result"].as_str().map(str::to_owned)
    };
    assert_eq!(restored(&make("another")), None);
    assert_eq!(
        restored(&make(server["name"].as_str().expect("a name"))).as_deref(),
        Some("write to alice@example.org")
    );
}
