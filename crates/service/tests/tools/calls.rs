//! What calls are answered with.

use std::process::Stdio;

use cloakgate_cloak::text::Mode;
use serde_json::{Value, json};

use crate::service::{BARE, FOREIGN, NATIVE, PLACEHOLDERS, SHORT_LIVED, Service};

#[tokio::test]
async fn the_documented_examples_work_to_the_letter() {
    let service = Service::start().await;
    let initialize = json!({
        "jsonrpc": "2.0",
        "id": "1",
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}},
            "clientInfo": {"name": "MyClient", "version": "1.0.0"}
        }
    });
    let hello = service.post(NATIVE, &initialize).await;
    assert_eq!((&hello["id"], &hello["result"]["protocolVersion"]), (&json!("1"), &json!("2025-03-26")));

    let message = "Hello, my name is Alice Johnson and I'm 34 years old.";
    let request = json!({
        "jsonrpc": "2.0",
        "method": "tools/call",
        "id": 1,
        "params": {"name": "cloak", "arguments": {"message": message}}
    });
    let answer = service.post(NATIVE, &request).await;
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)));
    let result = &answer["result"];
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
    assert_eq!(result["content"][0]["type"], "text");
    let content = &result["structuredContent"];
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("{\"result\":\"Hello, my name is ") && text.contains("\",\"id\":\""), "{text}");
    assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), *content);
    let cloaked = content["result"].as_str().expect("a text");
    assert!(cloaked.starts_with("Hello, my name is ") && cloaked.ends_with(" and I'm adult."), "{cloaked}");
    assert!(
        !cloaked.contains("Alice") && !cloaked.contains("Johnson") && !cloaked.contains("34"),
        "{cloaked}"
    );
    assert_eq!(result["_meta"]["cloakgate/counts"], json!({"name": 1, "age": 1}));

    let back = service.done(NATIVE, "uncloak", json!({"message": cloaked, "id": content["id"]})).await;
    assert_eq!(back, json!({"result": message, "id": content["id"]}));
}

#[tokio::test]
async fn the_documented_client_runs_unchanged() {
    let node = std::process::Command::new("node").arg("--version").stdout(Stdio::null()).status();
    if node.is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is missing");
        return;
    }
    let service = Service::start().await;
    // Node reads no types before its version 22; nothing else is changed.
    let plain = include_str!("data/client.ts")
        .replace(": \"cloak\" | \"uncloak\"", "")
        .replace(": Record<string, string>", "")
        .replace("!,", ",")
        .replace(" as { result: string; id: string }", "");
    let script = format!("{plain}\nconsole.log(JSON.stringify({{ cloaked, cloakId, original }}));\n");
    let mut node = tokio::process::Command::new("node")
        .args(["--input-type=module", "--eval", &script])
        .env("INC_MCP_URL", service.url())
        .env("INC_MCP_API_KEY", NATIVE)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("node");
    let mut said = String::new();
    let mut output = node.stdout.take().expect("its output");
    tokio::io::AsyncReadExt::read_to_string(&mut output, &mut said).await.expect("text");
    assert!(node.wait().await.expect("it ended").success());
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(said["original"], "Alice Johnson");
    assert_ne!(said["cloaked"], "Alice Johnson");
    assert_eq!(said["cloakId"].as_str().map(str::len), Some(36));
}

#[tokio::test]
async fn a_text_with_nothing_to_hide_comes_back_byte_for_byte_with_an_id() {
    let service = Service::start().await;
    for message in
        ["", " ", "What is 2 + 2?\r\n\r\n", "caf\u{65}\u{301} \u{1f600}\t[TOKEN]", "{\"a\": [1, 2.50]}"]
    {
        let content = service.done(PLACEHOLDERS, "cloak", json!({"message": message})).await;
        assert_eq!(content["result"], message);
        let back =
            service.done(PLACEHOLDERS, "uncloak", json!({"message": message, "id": content["id"]})).await;
        assert_eq!(back["result"], message);
    }
}

#[tokio::test]
async fn lines_and_lists_keep_their_order() {
    let service = Service::start().await;
    let names = ["Alice Johnson", "Bob Smith", "Carol White"];
    let content = service.done(NATIVE, "cloak", json!({"message": names.join("\n")})).await;
    let lines: Vec<&str> = content["result"].as_str().expect("a text").split('\n').collect();
    assert_eq!(lines.len(), 3);
    for (line, name) in lines.iter().zip(names) {
        assert_ne!(*line, name);
        let back = service.done(NATIVE, "uncloak", json!({"message": line, "id": content["id"]})).await;
        assert_eq!(back["result"], name);
    }
    let several = service.done(NATIVE, "cloak", json!({"messages": names})).await;
    let results = several["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3);
    let joined: Vec<&str> = results.iter().filter_map(Value::as_str).collect();
    assert_eq!(several["result"], joined.join("\n"));
    let back =
        service.done(NATIVE, "uncloak", json!({"message": several["result"], "id": several["id"]})).await;
    assert_eq!(back["result"], names.join("\n"));
    let none = service.done(NATIVE, "cloak", json!({"messages": []})).await;
    assert_eq!((&none["results"], &none["result"]), (&json!([]), &json!("")));
}

#[tokio::test]
async fn a_session_goes_on_with_its_id_and_survives_the_memory() {
    let service = Service::start().await;
    let first = service.done(PLACEHOLDERS, "cloak", json!({"message": "Alice Johnson called."})).await;
    service.texts.forget();
    let message = "Then Bob Smith called Alice Johnson.";
    let second = service.done(PLACEHOLDERS, "cloak", json!({"message": message, "id": first["id"]})).await;
    assert_eq!(second["id"], first["id"]);
    assert_eq!(first["result"], "{{NAME}} called.");
    assert_eq!(second["result"], "Then {{NAME_2}} called {{NAME}}.");
    for forgotten in [false, true] {
        if forgotten {
            service.texts.forget();
        }
        let arguments = json!({"message": "{{NAME_2}} met {{NAME}}", "id": first["id"], "mode": "strict"});
        let answer = service.call(PLACEHOLDERS, "uncloak", arguments).await;
        assert_eq!(answer["result"]["structuredContent"]["result"], "Bob Smith met Alice Johnson");
        assert_eq!(answer["result"]["_meta"]["cloakgate/counts"]["restored"], 2);
    }
}

#[tokio::test]
async fn extensions_at_once_all_count() {
    let service = std::sync::Arc::new(Service::start().await);
    let first = service.done(PLACEHOLDERS, "cloak", json!({"message": "Alice Johnson"})).await;
    let names = ["Bob Smith", "Carol White", "David Brown"];
    let calls: Vec<_> = names
        .into_iter()
        .map(|name| {
            let (service, id) = (std::sync::Arc::clone(&service), first["id"].clone());
            tokio::spawn(async move {
                service.done(PLACEHOLDERS, "cloak", json!({"message": name, "id": id})).await
            })
        })
        .collect();
    let mut shown = vec!["{{NAME}}".to_owned()];
    for (call, name) in calls.into_iter().zip(names) {
        let content = call.await.expect("an answer");
        shown.push(content["result"].as_str().expect("a text").to_owned());
        let back = service
            .done(PLACEHOLDERS, "uncloak", json!({"message": content["result"], "id": first["id"]}))
            .await;
        assert_eq!(back["result"], name);
    }
    shown.sort();
    shown.dedup();
    assert_eq!(shown.len(), 4, "{shown:?}");
}

#[tokio::test]
async fn what_a_caller_can_mend_is_said_in_the_result_and_nothing_else() {
    let service = Service::start().await;
    let content = service.done(NATIVE, "cloak", json!({"message": "Alice Johnson"})).await;
    let (id, text) = (content["id"].as_str().expect("an id"), content["result"].clone());
    let unknown = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let long = "a".repeat((1 << 20) + 1);
    let mut wrong_ids = Vec::new();
    for (name, key, tool, arguments, part) in [
        ("unknown", NATIVE, "uncloak", json!({"message": text, "id": unknown}), "unknown"),
        ("a neighbour's", PLACEHOLDERS, "uncloak", json!({"message": text, "id": id}), "unknown"),
        ("another tenant's", FOREIGN, "uncloak", json!({"message": text, "id": id}), "unknown"),
        ("no uuid", NATIVE, "uncloak", json!({"message": text, "id": "abc-123-uuid"}), "unknown"),
        ("spelt otherwise", NATIVE, "uncloak", json!({"message": text, "id": id.to_uppercase()}), "unknown"),
        ("extending a neighbour's", PLACEHOLDERS, "cloak", json!({"message": "x", "id": id}), "unknown"),
        ("no id", NATIVE, "uncloak", json!({"message": text}), "`id`"),
        ("null id", NATIVE, "uncloak", json!({"message": text, "id": null}), "`id`"),
        ("a number", NATIVE, "uncloak", json!({"message": text, "id": 1}), "`id`"),
        ("no message", NATIVE, "cloak", json!({"text": "x"}), "`message`"),
        ("a list as message", NATIVE, "cloak", json!({"message": ["x"]}), "`message`"),
        ("both", NATIVE, "cloak", json!({"message": "x", "messages": ["x"]}), "not both"),
        ("no list", NATIVE, "cloak", json!({"messages": "x"}), "`messages`"),
        ("no texts", NATIVE, "cloak", json!({"messages": [1]}), "`messages`"),
        ("no object", NATIVE, "cloak", json!("x"), "`arguments`"),
        ("another mode", NATIVE, "uncloak", json!({"message": text, "id": id, "mode": "x"}), "`mode`"),
        ("too long", NATIVE, "cloak", json!({"message": long}), "1048576"),
        ("too long back", NATIVE, "uncloak", json!({"message": long, "id": id}), "1048576"),
        ("too many", NATIVE, "cloak", json!({"messages": vec!["x"; 10_001]}), "10000"),
    ] {
        let answer = service.call(key, tool, arguments).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{name}: {answer}");
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{name}");
        assert_eq!(result["content"][0]["type"], "text", "{name}");
        assert!(result.get("structuredContent").is_none(), "{name}");
        let said = result["content"][0]["text"].as_str().expect("a text");
        assert!(said.contains(part) && !said.contains("Alice"), "{name}: {said}");
        if part == "unknown" {
            wrong_ids.push(answer.to_string());
        }
    }
    wrong_ids.dedup();
    assert_eq!(wrong_ids.len(), 1, "whose id it is makes no difference");

    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cloak","arguments":{"message":"a\ud800"}}}"#;
    let response = reqwest::Client::new()
        .post(service.url())
        .header("x-cloakgate-api-key", NATIVE)
        .header("content-type", "application/json")
        .body(message)
        .send()
        .await
        .expect("an answer");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}

#[tokio::test]
async fn what_a_caller_cannot_mend_is_an_error_that_quotes_nothing() {
    let service = Service::start().await;
    let content = service.done(NATIVE, "cloak", json!({"message": "Alice Johnson"})).await;
    let failed = service.call(BARE, "cloak", json!({"message": "Alice Johnson"})).await;
    let expected = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error"}});
    assert_eq!(failed, expected);
    let back =
        service.done(BARE, "uncloak", json!({"message": content["result"], "id": content["id"]})).await;
    assert_eq!(back["result"], "Alice Johnson");

    for params in
        [json!({"name": "clok", "arguments": {}}), json!({"arguments": {}}), json!({"name": 1}), json!({})]
    {
        let answer = service
            .post(NATIVE, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
            .await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let unknown = service.post(NATIVE, &json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/list"})).await;
    assert_eq!(unknown["error"]["code"], -32601);
}

#[tokio::test]
async fn a_session_ends_when_its_settings_say_so() {
    let service = Service::start().await;
    let answer = service.call(SHORT_LIVED, "cloak", json!({"message": "Alice Johnson"})).await;
    let content = &answer["result"]["structuredContent"];
    assert!(answer["result"]["_meta"]["cloakgate/expires_at"].is_string(), "{answer}");
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let gone = service
        .call(SHORT_LIVED, "uncloak", json!({"message": content["result"], "id": content["id"]}))
        .await;
    assert_eq!(gone["result"]["isError"], true, "{gone}");
}

#[tokio::test]
async fn a_key_opens_its_own_server_by_any_of_three_headers() {
    let service = Service::start().await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let bearer = format!("Bearer {NATIVE}");
    for (path, header, value, status) in [
        ("", "x-inc-agentcloak-api-key", NATIVE, 200),
        ("", "x-inc-agentcloak-api-key", bearer.as_str(), 200),
        ("", "x-cloakgate-api-key", NATIVE, 200),
        ("", "authorization", bearer.as_str(), 200),
        ("/00000000-0000-0000-0000-000000000001", "x-cloakgate-api-key", NATIVE, 200),
        ("/00000000-0000-0000-0000-000000000002", "x-cloakgate-api-key", NATIVE, 403),
        ("/nothing", "x-cloakgate-api-key", NATIVE, 403),
        ("", "authorization", NATIVE, 403),
        ("", "x-cloakgate-api-key", "00000000-0000-0000-0000-000000000001:wrong", 403),
        ("", "x-other", NATIVE, 403),
    ] {
        let response = reqwest::Client::new()
            .post(format!("{}{path}", service.url()))
            .header(header, value)
            .header("content-type", "application/json")
            .body(list.clone())
            .send()
            .await
            .expect("an answer");
        assert_eq!(response.status(), status, "{path} {header}");
        let body: Value = response.json().await.expect("JSON");
        if status == 403 {
            assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &Value::Null), "{body}");
            assert!(body["error"]["message"].as_str().is_some_and(|text| text.contains("api-key")), "{body}");
        } else {
            assert_eq!(body["result"]["tools"].as_array().map(Vec::len), Some(2), "{body}");
        }
    }
}

#[tokio::test]
async fn modes_go_as_far_as_they_say() {
    let service = Service::start().await;
    let message = "My name is Alice Johnson and I'm 34 years old.";
    let content = service.done(NATIVE, "cloak", json!({"message": message})).await;
    let cloaked = content["result"].as_str().expect("a text");
    for mode in ["strict", "lenient"] {
        let arguments = json!({"message": cloaked, "id": content["id"], "mode": mode});
        assert_eq!(service.done(NATIVE, "uncloak", arguments).await["result"], message, "{mode}");
    }
    assert_eq!(Mode::default(), Mode::Lenient);
}
