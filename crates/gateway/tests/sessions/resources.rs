//! Addresses: listed, routed, cloaked and restored.

use serde_json::{Value, json};

use crate::harness::Setup;

fn holder(resources: &Value, templates: &Value, says: &str) -> Value {
    json!({
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"resources": {}},
            "serverInfo": {"name": "h", "version": "1"}},
        "methods": {
            "resources/list": [{"result": {"resources": resources}}],
            "resources/templates/list": [{"result": {"resourceTemplates": templates}}],
            "resources/read": [{"result": {"contents": [{"uri": "x:", "text": says}]}}],
            "resources/subscribe": [{"result": {}}, {"send": {"jsonrpc": "2.0", "method": "notifications/resources/updated",
                "params": {"uri": "note://marie.dubois@example.eu"}}}],
        }
    })
}

fn read(running: &mut crate::harness::Running, uri: &str) -> cloakgate_testkit::Answer {
    running.client.request("resources/read", &json!({"uri": uri})).expect("an answer")
}

#[test]
fn the_first_of_two_servers_with_one_address_is_asked() {
    let shared = json!([{"uri": "note://shared", "name": "n"}]);
    let own = json!([{"uri": "note://shared", "name": "n"}, {"uri": "note://own", "name": "n"}]);
    let template = json!([{"uriTemplate": "db://{table}/rows/{id}", "name": "rows"}]);
    let setup = Setup::new("two")
        .scripted("one", &holder(&shared, &json!([]), "from one"))
        .scripted("two", &holder(&own, &template, "from two"));
    let mut running = setup.serve();
    // Nothing was listed by the client: the gateway asks by itself, once.
    for (uri, says) in
        [("note://shared", "from one"), ("note://own", "from two"), ("db://people/rows/7", "from two")]
    {
        let answer = read(&mut running, uri);
        assert_eq!(answer.result()["contents"][0]["text"], says, "{uri} {}", answer.raw);
    }
    let lists = setup.received("one").iter().filter(|line| line.contains("resources/list")).count();
    assert_eq!(lists, 1);
    let unknown = read(&mut running, "note://nobody");
    assert_eq!(unknown.error()["code"], -32002, "{}", unknown.raw);
    let listed = running.client.request("resources/list", &json!({})).expect("an answer");
    assert_eq!(listed.result()["resources"].as_array().map(Vec::len), Some(3));
    running.end().expect("served");
}

#[test]
fn addresses_with_values_are_cloaked_and_find_their_server_again() {
    let plain = json!([{"uri": "note://plain", "name": "n"}]);
    let personal = json!([{"uri": "note://marie.dubois@example.eu", "name": "marie.dubois@example.eu"}]);
    let setup = Setup::new("cloaked")
        .scripted("one", &holder(&plain, &json!([]), "one"))
        .scripted("two", &holder(&personal, &json!([]), "two"));
    let mut running = setup.serve();
    let listed = running.client.request("resources/list", &json!({})).expect("an answer");
    assert!(!listed.raw.contains("marie.dubois"), "{}", listed.raw);
    let uri = listed.result()["resources"][1]["uri"].as_str().expect("text").to_owned();
    assert!(uri.starts_with("note://EMAIL_0_"), "{uri}");
    assert_eq!(read(&mut running, &uri).result()["contents"][0]["text"], "two");
    assert!(setup.wait_received("two", "resources/read").contains("note://marie.dubois@example.eu"));
    // A client that respells the token is understood too.
    let respelt = uri.replace("EMAIL", "email");
    assert_eq!(read(&mut running, &respelt).result()["contents"][0]["text"], "two");
    let subscribed = running.client.request("resources/subscribe", &json!({"uri": uri})).expect("an answer");
    assert_eq!(subscribed.result(), &json!({}));
    let updated = running
        .client
        .wait_for("the update", |message| message["method"] == "notifications/resources/updated");
    assert_eq!(updated.expect("a notification").message["params"]["uri"], uri.as_str());
    running.end().expect("served");
}

#[test]
fn the_only_server_with_resources_is_asked_whatever_the_address() {
    let setup = Setup::new("sole").echo("echo").scripted("tools", &json!({"tools": {}}));
    let mut running = setup.serve();
    let answer = read(&mut running, "note://unlisted");
    assert!(answer.raw.contains("Write to [EMAIL_0_"), "{}", answer.raw);
    let templates = running.client.request("resources/templates/list", &json!({})).expect("an answer");
    assert_eq!(templates.result()["resourceTemplates"][0]["uriTemplate"], "note://{name}");
    let completed = running.client.request(
        "completion/complete",
        &json!({"ref": {"type": "ref/resource", "uri": "note://{name}"}, "argument": {"name": "name", "value": "m"}}),
    );
    assert!(completed.expect("an answer").error().is_null());
    running.end().expect("served");
}
