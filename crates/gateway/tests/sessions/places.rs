//! Lists of terms that name fields: what counts at one place does not count at another, and for one server only.

use serde_json::{Value, json};

use crate::harness::Setup;

/// An answer that says the same as structured content and as text, with a table and a plain text beside it.
fn answer() -> Value {
    let data = json!({
        "customer": {"notes": "likes green tea", "level": 7, "email": "ada@example.org", "payload": "{\"notes\":\"grows beans\"}"},
        "items": [{"email": "ada@example.org", "notes": {"Zoe": "calls back"}, "remark": "grey heron"}],
    });
    let texts = [
        data.to_string(),
        "id,notes\n1,prefers mornings\n2,\"hums, often\"\n".into(),
        "to ada@example.org".into(),
    ];
    let blocks: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
    json!({"result": {"content": blocks, "structuredContent": data}})
}

#[test]
fn fields_are_cloaked_or_let_through_where_they_stand_and_for_their_server() {
    let answers = json!({"tools": {"get": [answer(), answer()], "put": [{"result": {"content": []}}]}});
    let setup = Setup::new("places")
        .scripted("far", &answers)
        .scripted("crm", &answers)
        .upstream(
            "crm",
            "deny",
            json!([
                {"field": "**.notes"}, {"field": "customer.level", "category": "OTHER_ID"},
                {"term": "heron", "field": "items.*.remark"},
            ]),
        )
        .upstream("crm", "allow", json!([{"term": "ada@example.org", "field": "customer.email"}]));
    let mut running = setup.serve();
    let far = running.client.call("far__get", &json!({})).expect("an answer");
    for kept in ["likes green tea", "\"level\":7", "grows beans", "hums, often", "calls back", "grey heron"] {
        assert!(far.raw.contains(kept), "{kept} in {}", far.raw);
    }
    assert!(!far.raw.contains("ada@"), "{}", far.raw);
    // The session knows the address by now, and still lets it through at its place, and only there.
    let crm = running.client.call("crm__get", &json!({})).expect("an answer");
    for gone in ["green", "level\":7", "level\\\":7", "beans", "mornings", "hums", "calls", "Zoe", "heron"] {
        assert!(!crm.raw.contains(gone), "{gone} in {}", crm.raw);
    }
    let data = &crm.result()["structuredContent"];
    assert_eq!(data["customer"]["email"], "ada@example.org");
    assert!(data["items"][0]["email"].as_str().expect("text").starts_with("[EMAIL_"), "{data}");
    assert!(data["customer"]["notes"].as_str().expect("text").starts_with("[CUSTOM_"), "{data}");
    assert!(data["customer"]["level"].as_str().expect("text").starts_with("[OTHER_ID_"), "{data}");
    let text = |block: usize| crm.result()["content"][block]["text"].as_str().expect("text").to_owned();
    let copy: Value = serde_json::from_str(&text(0)).expect("json");
    assert_eq!(copy, *data, "the text says the same");
    assert!(text(1).starts_with("id,notes\n1,[CUSTOM_") && text(2).starts_with("to [EMAIL_"), "{}", crm.raw);
    // What was cloaked for its place is put back like any value.
    let note = data["customer"]["notes"].clone();
    running.client.call("crm__put", &json!({"note": note})).expect("an answer");
    let call = setup.wait_received("crm", "\"put\"");
    assert!(call.contains("likes green tea"), "{call}");
    running.end().expect("served");
}
