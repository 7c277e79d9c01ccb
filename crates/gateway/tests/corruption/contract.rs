//! Tools with an output schema: what the client gets obeys it, and leads back to the exact values.

use serde_json::{Value, json};

use crate::session::{Session, scene};

fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "email": {"type": "string", "format": "email"},
            "phone": {"type": "integer"},
            "date_of_birth": {"type": "string", "format": "date"},
            "url": {"type": "string", "format": "uri"},
            "id": {"type": "string", "format": "uuid"},
            "code": {"type": "string", "maxLength": 14},
            "address": {"anyOf": [{"$ref": "#/$defs/address"}, {"type": "null"}]},
        },
        "required": ["email", "phone", "date_of_birth", "url", "id", "code"],
        "$defs": {"address": {"type": "string", "format": "ipv4"}},
    })
}

/// A server whose tool `act` answers with the record, once as text and once as structured content.
fn serving(name: &str, schema: &Value, record: &Value) -> Session {
    let tool = json!({"name": "act", "inputSchema": {"type": "object", "properties": schema["properties"], "$defs": schema["$defs"]}, "outputSchema": schema});
    let result =
        json!({"content": [{"type": "text", "text": record.to_string()}], "structuredContent": record});
    let scene = scene(name, &["a"]);
    let script = json!({"methods": {"tools/list": [{"result": {"tools": [tool]}}]}, "tools": {"act": [{"result": result}]}});
    scene.script("a", &script.to_string());
    let mut session = Session::open(scene);
    session.running.client.request("tools/list", &json!({})).expect("an answer");
    session
}

/// The keys of personal values in the record, by what detectors see.
const PERSONAL: &[&str] = &["email", "phone", "date_of_birth", "url", "code", "address"];

/// Reads the record as a client with types of its own does, by the formats' standards and not by our code.
fn assert_obeys(record: &Value) {
    let text =
        |key: &str| record[key].as_str().unwrap_or_else(|| panic!("{key} is no text: {record}")).to_owned();
    let email = text("email");
    let (local, domain) = email.split_once('@').expect("one @");
    assert!(local.bytes().all(|b| b.is_ascii_alphanumeric() || b"._+-".contains(&b)), "{email}");
    assert!(domain.split('.').count() >= 2 && !domain.contains('@'), "{email}");
    assert!(record["phone"].is_u64() && record["phone"].to_string().len() == 11, "{record}");
    let born = text("date_of_birth");
    let parts: Vec<u32> = born.split('-').map(|part| part.parse().expect("a number")).collect();
    let in_calendar = matches!(parts.as_slice(), [1..=9999, 1..=12, 1..=28]);
    assert!(in_calendar && born.len() == 10, "{born}");
    let url = text("url");
    let (scheme, rest) = url.split_once(':').expect("a scheme");
    assert!(scheme.bytes().all(|b| b.is_ascii_lowercase()) && !rest.is_empty(), "{url}");
    assert!(url.bytes().all(|b| b.is_ascii_graphic() && !b"[]<>{}|\\^`\"".contains(&b)), "{url}");
    assert_eq!(text("id").len(), 36);
    assert!(text("code").chars().count() <= 14, "{record}");
    assert!(text("address").parse::<std::net::Ipv4Addr>().is_ok(), "{record}");
}

#[test]
fn typed_content_obeys_its_schema_and_comes_back_exactly() {
    let record = json!({
        "email": "marie.dubois@example.eu",
        "phone": 33_612_345_678_i64,
        "date_of_birth": "1984-03-12",
        "url": "mailto:marie.dubois@example.eu",
        "id": "6f1c2a9e-52d1-4b7e-9a10-5d1f2c3b4a59",
        "code": "m.d@example.eu",
        "address": "203.0.113.77",
    });
    let schema = output_schema();
    assert_obeys(&record);
    let mut session = serving("contract", &schema, &record);
    let answer = session.running.client.call("a__act", &json!({})).expect("an answer");
    let seen = answer.result()["structuredContent"].clone();
    assert_obeys(&seen);
    for key in PERSONAL {
        assert_ne!(seen[key], record[key], "{key} was not cloaked: {seen}");
    }
    assert!(!session.client_saw("marie.dubois@example.eu") && !session.client_saw("33612345678"));
    // The text copy has tokens with the same ids.
    let copy: Value = serde_json::from_str(answer.text().expect("a text")).expect("it is still JSON");
    let token = copy["email"].as_str().expect("a text").trim_matches(['[', ']']).to_lowercase();
    assert_eq!(seen["email"], format!("{token}@cloakgate.invalid"));
    assert!(copy["phone"].as_str().is_some_and(|token| token.starts_with("[PHONE_0_")), "{copy}");
    // Either form leads back, each with the type that the tool wants.
    for written in [seen, copy] {
        let arrived = session.sends("a", &written).unwrap_or_else(|refusal| panic!("{}", refusal.raw));
        assert_eq!(arrived, record);
    }
}

#[test]
fn where_nothing_fits_the_tool_fails_safely() {
    let schema = json!({
        "type": "object", "properties": {"email": {"enum": ["marie.dubois@example.eu", "none"]}},
    });
    let mut session = serving("contract-enum", &schema, &json!({"email": "marie.dubois@example.eu"}));
    let answer = session.running.client.call("a__act", &json!({})).expect("an answer");
    assert_eq!(answer.result()["isError"], true, "{}", answer.raw);
    assert!(answer.result().get("structuredContent").is_none(), "{}", answer.raw);
    assert!(answer.text().is_some_and(|text| text.contains("`/email`")), "{}", answer.raw);
    assert!(!answer.raw.contains("marie"));
}
