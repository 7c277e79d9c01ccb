//! The corruption cases of the review, one test each.

use cloakgate_gateway::config::{Config, Format};
use serde_json::{Value, json};

use crate::claim;
use crate::session::{Session, scene};

const EMAIL: &str = "marie.dubois@example.eu";

#[test]
fn e1_lines_keep_their_numbers() {
    let mut session = Session::with("e1", &["a"]);
    for text in [
        "1\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END PRIVATE KEY-----\n6",
        "1\r\n-----BEGIN RSA PRIVATE KEY-----\r\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\r\n-----END RSA PRIVATE KEY-----\r\n5",
        "Address:\nMarie Dubois\n12 Rue de la Paix\n75002 Paris\n5\n",
        "email: marie.dubois@example.eu\nphone: +44 20\n7946 0958\n4",
    ] {
        let seen = session.says("a", text);
        assert_eq!(seen.matches('\n').count(), text.matches('\n').count(), "{seen}");
        assert_eq!(seen.lines().last(), text.lines().last(), "{seen}");
        let sent =
            session.sends("a", &json!({"content": seen})).unwrap_or_else(|refusal| panic!("{}", refusal.raw));
        assert_eq!(sent["content"], text);
    }
    // An edit of one line restores that line.
    let text = "a\nowner: marie.dubois@example.eu\nb";
    let seen = session.says("a", text);
    let line = seen.lines().nth(1).expect("a second line").to_owned();
    let sent = session.sends("a", &json!({"old_text": line, "line": 2})).expect("passed on");
    assert_eq!(sent["old_text"], "owner: marie.dubois@example.eu");
}

#[test]
fn e2_keys_twice_are_cloaked_in_results_and_refused_in_requests() {
    let mut session = Session::with("e2", &["a"]);
    let steps = format!(
        r#"[{{"result":{{"content":[],"structuredContent":{{"a":"{EMAIL}","a":1.10,"a":"{EMAIL}"}}}}}}]"#
    );
    session.scene.script("a", &format!(r#"{{"tools":{{"act":{steps}}}}}"#));
    let raw = session.running.client.call("a__act", &json!({})).expect("an answer").raw;
    assert!(
        !raw.contains(EMAIL) && raw.matches("[EMAIL_0_").count() == 2 && raw.contains(r#""a":1.10"#),
        "{raw}"
    );
    assert!(!session.client_saw(EMAIL));
    assert!(session.sends_raw("a", r#"{"x":{"a":1,"a":2}}"#).is_err());
    // In a string it is nobody's business.
    for text in [r#"{"a":1,"a":2}"#, r#"{"a":1,}"#, "[1,2", "{]}"] {
        assert_eq!(session.says("a", text), text);
        let sent =
            session.sends("a", &json!({"content": text})).unwrap_or_else(|refusal| panic!("{}", refusal.raw));
        assert_eq!(sent["content"], text);
    }
    let mut off = Session::open(scene("e2-off", &["a"]).with("sanitize", json!(false)));
    off.scene.script("a", &format!(r#"{{"tools":{{"act":{steps}}}}}"#));
    let raw = off.running.client.call("a__act", &json!({})).expect("an answer").raw;
    assert!(raw.contains(&format!(r#"{{"a":"{EMAIL}","a":1.10,"a":"{EMAIL}"}}"#)), "{raw}");
}

/// Sends `{key: text}` and gives what arrived.
fn sent(session: &mut Session, key: &str, text: &str) -> Result<String, String> {
    match session.sends("a", &json!({key: text})) {
        Ok(arguments) => Ok(arguments[key].as_str().expect("a text").to_owned()),
        Err(refusal) => Err(refusal.raw),
    }
}

#[test]
fn e3_a_value_is_written_for_the_place_it_goes_to() {
    let mut session = Session::with("e3", &["a"]);
    let plus = session.token("a", "email", "marie+shop@example.eu");
    let url =
        sent(&mut session, "url", &format!("https://example.org/s?q={}&x=1", plus.trim_matches(['[', ']'])));
    assert_eq!(url.as_deref(), Ok("https://example.org/s?q=marie%2Bshop@example.eu&x=1"));
    let comma = session.token("a", "full_name", "Dubois, Marie");
    let csv = sent(&mut session, "content", &format!("id,name\n1,{comma}\n2,x\n"));
    assert_eq!(csv.as_deref(), Ok("id,name\n1,\"Dubois, Marie\"\n2,x\n"));
    let decomposed = "Ame\u{301}lie Dubois";
    let file = session.token("a", "full_name", decomposed);
    let path = sent(&mut session, "path", &format!("/srv/{file}.txt"));
    assert_eq!(path, Ok(format!("/srv/{decomposed}.txt")));
    let dollar = session.shows("a", &json!({"password": "pa$$w0rd\\1x"}))["password"].to_string();
    let token = dollar.trim_matches('"');
    assert!(token.starts_with('['), "{token}");
    assert!(sent(&mut session, "regex", &format!("^{token}$")).is_err(), "a value in a pattern");
    assert!(!session.got("a", "pa$$w0rd"));
}

#[test]
fn e3_tokens_in_running_text() {
    let mut session = Session::with("e3-text", &["a"]);
    let token = session.token("a", "email", EMAIL);
    let other = session.token("a", "full_name", "Aurélie Kowalczyk");
    let (inner, second) =
        (token.trim_matches(['[', ']']).to_owned(), other.trim_matches(['[', ']']).to_owned());
    for (name, text, expected) in [
        ("link", format!("[{token}](mailto:{token})"), format!("[{EMAIL}](mailto:{EMAIL})")),
        ("plural", format!("{other}s"), "Aurélie Kowalczyks".to_owned()),
        ("possessive", format!("{other}'s"), "Aurélie Kowalczyk's".to_owned()),
        ("footnote", "as shown [1], [A_0] and [12]".to_owned(), "as shown [1], [A_0] and [12]".to_owned()),
        ("two in a bracket", format!("[{inner}, {second}]"), format!("[{EMAIL}, Aurélie Kowalczyk]")),
    ] {
        let arrived = sent(&mut session, "body", &text);
        claim(&format!("e3 {name}"), arrived.as_ref() == Ok(&expected), &arrived);
    }
    // A token that is cut in two is refused or restored, never passed on as if it were text.
    let (head, tail) = inner.split_at(inner.len() - 2);
    let broken = sent(&mut session, "body", &format!("to [{head}=\n{tail}] now"));
    claim(
        "e3 soft line break",
        broken.as_ref().is_ok_and(|text| text.contains(EMAIL)) || broken.is_err(),
        &broken,
    );
}

#[test]
fn e3_a_token_that_is_half_typed_is_left_alone_in_a_completion() {
    let greeting = json!({
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}, "prompts": {}, "completions": {}},
        "serverInfo": {"name": "s", "version": "1"},
    });
    let scene = scene("e3-complete", &["a"]);
    let answer = json!([{"result": {"completion": {"values": [EMAIL]}}}]);
    let shows = json!([{"result": {"content": [], "structuredContent": {"email": EMAIL}}}]);
    let script =
        json!({"initialize": greeting, "methods": {"completion/complete": answer}, "tools": {"act": shows}});
    scene.script("a", &script.to_string());
    let mut session = Session::open(scene);
    let shown = session.running.client.call("a__act", &json!({})).expect("an answer");
    let token = shown.result()["structuredContent"]["email"].as_str().expect("a text").to_owned();
    for (typed, arrives) in [(&token[..6], &token[..6]), (&token[..8], &token[..8]), (token.as_str(), EMAIL)]
    {
        let params = json!({"ref": {"type": "ref/prompt", "name": "a__greet"}, "argument": {"name": "who", "value": typed}});
        let answer = session.running.client.request("completion/complete", &params).expect("an answer");
        assert_eq!(answer.result()["completion"]["values"][0], token, "{typed}: {}", answer.raw);
        let line = session.scene.wait_received("a", |line| line.contains("completion/complete"));
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["params"]["argument"]["value"], arrives);
    }
}

#[test]
fn e4_names_stay_within_the_budget_and_lead_back() {
    let long = "a_tool_with_a_name_that_is_longer_than_any_client_will_take_without_hiding_it";
    let dotted = "files.read/all";
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let call = |text: &str| json!([{"result": {"content": [{"type": "text", "text": text}]}}]);
    let scene = scene("e4", &["a"]);
    let script = json!({
        "methods": {"tools/list": [{"result": {"tools": [tool(long), tool(dotted), tool("short")]}}]},
        "tools": {long: call("long"), dotted: call("dotted"), "short": call("short")},
    });
    scene.script("a", &script.to_string());
    let mut session = Session::open(scene);
    let answer = session.running.client.request("tools/list", &json!({})).expect("an answer");
    let names: Vec<_> = answer.result()["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect();
    for (name, text) in names.iter().zip(["long", "dotted", "short"]) {
        assert!(name.len() <= 44 && name.starts_with("a__"), "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{name}");
        assert_eq!(session.running.client.call(name, &json!({})).expect("an answer").text(), Some(text));
    }
}

#[test]
fn e5_a_value_is_the_same_identity_with_a_schema_and_without() {
    let schema = json!({"type": "object", "properties": {"to": {"type": "string", "format": "email"}}});
    let tool = json!({"name": "act", "inputSchema": {"type": "object"}, "outputSchema": schema});
    let scene = scene("e5", &["a"]);
    let result = json!({
        "content": [{"type": "text", "text": json!({"to": EMAIL}).to_string()}], "structuredContent": {"to": EMAIL},
    });
    let script = json!({"methods": {"tools/list": [{"result": {"tools": [tool]}}]}, "tools": {"act": [{"result": result}]}});
    scene.script("a", &script.to_string());
    let mut session = Session::open(scene);
    session.running.client.request("tools/list", &json!({})).expect("an answer");
    let answer = session.running.client.call("a__act", &json!({})).expect("an answer");
    let text: Value = serde_json::from_str(answer.text().expect("a text")).expect("it is still JSON");
    let (token, stand_in) =
        (text["to"].as_str().expect("a text"), answer.result()["structuredContent"]["to"].clone());
    let stand_in = stand_in.as_str().expect("a text").to_owned();
    assert!(!answer.raw.contains(EMAIL));
    let inner = token.trim_matches(['[', ']']).to_lowercase();
    claim("e5 a stand-in fits the schema", stand_in.contains('@'), &stand_in);
    assert!(stand_in.to_lowercase().contains(&inner), "{stand_in} and {token}");
    let token = token.to_owned();
    for written in [stand_in, token] {
        assert_eq!(session.sends("a", &json!({"to": written})).expect("passed on")["to"], EMAIL);
    }
}

/// `a` asks the person: what the client got as the question.
fn question(name: &str, person_text: Option<&str>) -> Option<String> {
    let mut scene = scene(name, &["a"]);
    if let Some(setting) = person_text {
        scene = scene.with("person_text", json!(setting));
    }
    if Config::parse(&scene.config(), Format::Json).is_err() {
        return None;
    }
    let mut session = Session::open(scene);
    let ask = json!({
        "jsonrpc": "2.0", "id": "ask", "method": "elicitation/create",
        "params": {"message": format!("send it to {EMAIL}?"), "requestedSchema": {"type": "object", "properties": {}}},
    });
    let steps = json!([{"send": ask}, "await_answer", {"result": {"content": []}}]);
    session.scene.script("a", &json!({"tools": {"act": steps}}).to_string());
    let client = &mut session.running.client;
    let id = client.start("tools/call", &json!({"name": "a__act", "arguments": {}})).expect("open");
    let next = client
        .wait_for("a question or the answer", |message| {
            message["id"] == id || message["method"] == "elicitation/create"
        })
        .expect("a message")
        .message;
    // Without a question it is the answer.
    next.get("method")?;
    client
        .send_raw(&json!({"jsonrpc": "2.0", "id": next["id"], "result": {"action": "decline"}}).to_string())
        .expect("open");
    client.answer(id).expect("an answer");
    Some(next["params"]["message"].as_str().expect("a text").to_owned())
}

#[test]
fn e6_the_person_sees_tokens_unless_the_client_is_trusted_with_more() {
    let cloaked = question("e6-default", None);
    assert!(cloaked.as_ref().is_none_or(|text| !text.contains(EMAIL)), "{cloaked:?}");
    claim(
        "e6 the question reaches the client",
        cloaked.is_some_and(|text| text.contains("[EMAIL_0_")),
        &"no question",
    );
    let real = question("e6-real", Some("real"));
    claim("e6 a trusted client sees the address", real == Some(format!("send it to {EMAIL}?")), &real);
}
