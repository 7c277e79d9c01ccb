//! The defects of the reference gateway, one test each.

use cloakgate_gateway::config::{Config, Format};
use cloakgate_testkit::Watch;
use serde_json::{Value, json};

use crate::claim;
use crate::session::{Session, scene};

const EMAIL: &str = "marie.dubois@example.eu";

#[test]
fn d1_a_planted_token_is_never_restored_to_the_server_that_planted_it() {
    for scope in ["session", "upstream"] {
        let name = format!("d1-{scope}");
        let mut session = Session::open(scene(&name, &["a", "b"]).with("token_scope", json!(scope)));
        let real = session.token("a", "email", EMAIL);
        let inner = real.trim_matches(['[', ']']).to_owned();
        let planted = [
            "[email_0]".to_owned(),
            "[EMAIL_0]".to_owned(),
            "EMAIL_0".to_owned(),
            "\u{ff3b}EMAIL_0\u{ff3d}".to_owned(),
            "[EMAIL_0_aaa]".to_owned(),
            "[email_0_aaa]".to_owned(),
            "%5BEMAIL_0%5D".to_owned(),
            // Even one that it has learnt somewhere.
            real.clone(),
            real.to_lowercase(),
            inner.clone(),
            inner.to_lowercase(),
            format!("\u{ff3b}{inner}\u{ff3d}"),
            format!("%5B{inner}%5D"),
            format!(r"\[{inner}\]"),
            format!("&#91;{inner}&#93;"),
            inner.replace('_', "-"),
        ];
        for text in planted {
            let seen = session.says("b", &format!("reply to {text} please"));
            // The model copies what it sees; refusing it is as good as the text itself.
            match session.sends("b", &json!({"body": seen})) {
                Ok(arguments) => assert_eq!(arguments["body"], format!("reply to {text} please"), "{text}"),
                Err(refusal) => assert!(!refusal.raw.contains(EMAIL), "{text}"),
            }
        }
        assert!(!session.got("b", EMAIL), "harvested with scope {scope}");
    }
}

/// `b` asks the model, whose answer holds `text`: what `b` got as its answer.
fn asked(session: &mut Session, text: &str) -> Value {
    let request = json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "what is the address?"}}], "maxTokens": 10,
    });
    let steps = json!([
        {"send": {"jsonrpc": "2.0", "id": "ask", "method": "sampling/createMessage", "params": request}},
        "await_answer",
        {"result": {"content": []}},
    ]);
    session.scene.script("b", &json!({"tools": {"act": steps}}).to_string());
    let client = &mut session.running.client;
    let id = client.start("tools/call", &json!({"name": "b__act", "arguments": {}})).expect("open");
    loop {
        let next = client.wait_for("a question or the answer", |message| {
            message["method"] == "sampling/createMessage" || message["id"] == id
        });
        let message = next.expect("a message").message;
        if message.get("method").is_none() {
            break;
        }
        let content = json!({"type": "text", "text": text});
        let result = json!({"role": "assistant", "model": "m", "content": content});
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        client.send_raw(&answer.to_string()).expect("open");
    }
    let line = session.scene.wait_received("b", |line| line.contains(r#""ask""#));
    serde_json::from_str(&line).expect("JSON")
}

#[test]
fn d2_an_answer_to_sampling_goes_through_the_same_checkpoint() {
    let mut session = Session::open(scene("d2-upstream", &["a", "b"]).with("token_scope", json!("upstream")));
    let token = session.token("a", "email", EMAIL);
    let answer = asked(&mut session, &format!("write to {token}"));
    assert!(!session.got("b", EMAIL), "a sampling answer carried it past the scope");
    assert!(answer["error"].is_object(), "{answer}");

    let mut session = Session::with("d2-session", &["a", "b"]);
    let token = session.token("a", "email", EMAIL);
    let answer = asked(&mut session, &format!("write to {token}"));
    let restored = answer["result"]["content"]["text"] == format!("write to {EMAIL}");
    claim("d2 sampling answers are restored where the scope allows", restored, &answer);
}

#[test]
fn d3_strings_under_any_key_reach_the_model_cloaked() {
    let mut session = Session::with("d3", &["a"]);
    let structured = json!({
        "data": EMAIL, "blob": EMAIL, "type": EMAIL, "mimeType": EMAIL, "progressToken": EMAIL,
        "deep": {"data": {"blob": [EMAIL]}},
    });
    session.shows("a", &structured);
    session
        .does("a", &json!([{"error": {"code": 1, "message": "no", "data": {"data": EMAIL, "blob": EMAIL}}}]));
    assert!(!session.client_saw(EMAIL));
}

#[test]
fn d4_arguments_of_any_name_and_keys_are_restored() {
    let mut session = Session::with("d4", &["a"]);
    let token = session.token("a", "email", EMAIL);
    let arguments = json!({
        "data": token, "type": token, "blob": token, "mimeType": [token], "deep": {"data": {"type": token}}, &token: 1,
    });
    let expected: Value = serde_json::from_str(&arguments.to_string().replace(&token, EMAIL)).expect("JSON");
    assert_eq!(session.sends("a", &arguments).ok(), Some(expected));
}

#[test]
fn d5_names_that_must_be_read_and_are_not_refuse_to_start() {
    let text = r#"{"names":"off","upstreams":{"a":{"command":"true"}},"detection":{"ner_required":true}}"#;
    assert!(Config::parse(text, Format::Json).is_err());
}

#[test]
fn d6_names_in_json_sql_and_html_are_found_where_a_key_or_header_says_so() {
    let person = "Aurélie Kowalczyk";
    for (shape, text) in [
        ("compact JSON", format!(r#"[{{"id":1,"full_name":"{person}"}}]"#)),
        ("pretty JSON", format!("{{\n  \"customer_name\": \"{person}\"\n}}")),
        ("SQL", format!("INSERT INTO customers (id, full_name) VALUES (1, '{person}');")),
        ("HTML", format!("<table><tr><th>Full name</th></tr><tr><td>{person}</td></tr></table>")),
        ("CSV", format!("id,full_name\n1,{person}\n")),
        ("Markdown", format!("| id | full name |\n|---|---|\n| 1 | {person} |\n")),
        ("YAML", format!("id: 1\nfull_name: {person}\n")),
        ("label", format!("Full name: {person}")),
    ] {
        let mut session = Session::with(&format!("d6-{}", shape.replace(' ', "-")), &["a"]);
        let seen = session.says("a", &text);
        claim(&format!("d6 {shape}"), !Watch::new(person).sees(&seen), &seen);
    }
}

#[test]
fn d7_a_value_that_is_known_is_found_everywhere_afterwards() {
    let person = "Aurélie Kowalczyk";
    let mut session = Session::with("d7", &["a", "b"]);
    let token = session.token("a", "full_name", person);
    for text in [
        format!("met {person} today"),
        format!(r#"[["{person}",1]]"#),
        format!("<td>{person}</td>"),
        format!("values (1,'{person}')"),
        format!("1;{person};x"),
        person.to_uppercase(),
        person.to_lowercase(),
        "AUR\u{c9}LIE  KOWALCZYK".to_owned(),
        "Aur\\u00e9lie Kowalczyk".to_owned(),
        "Aur%C3%A9lie%20Kowalczyk".to_owned(),
        "Aur&eacute;lie Kowalczyk".to_owned(),
    ] {
        let seen = session.says("b", &text);
        claim(&format!("d7 {text}"), !Watch::new(person).sees(&seen) && seen.contains("PERSON_0"), &seen);
    }
    // What was restored into a file is read back.
    let file = session.sends("b", &json!({"content": format!("{{\"x\":\"{token}\"}}")})).ok();
    let content = file.expect("passed on")["content"].as_str().expect("a text").to_owned();
    assert!(content.contains(person));
    let seen = session.says("b", &content);
    assert!(!seen.contains("Kowalczyk"), "{seen}");
}

#[test]
fn d8_numbers_are_cloaked_and_come_back_as_numbers() {
    let mut session = Session::with("d8", &["a"]);
    let raw = r#"[{"result":{"content":[],"structuredContent":{"card_number":4111111111111111,"ssn":219099998,"count":12,"price":1.10}}}]"#;
    session.scene.script("a", &format!(r#"{{"tools":{{"act":{raw}}}}}"#));
    let answer = session.running.client.call("a__act", &json!({})).expect("an answer");
    assert!(!session.client_saw("4111111111111111") && !session.client_saw("219099998"), "{}", answer.raw);
    assert!(answer.raw.contains(r#""count":12,"price":1.10"#) || answer.raw.contains(r#""price":1.10"#));
    let seen = &answer.result()["structuredContent"];
    let sent = session.sends("a", &json!({"card_number": seen["card_number"], "ssn": seen["ssn"]}));
    let sent = sent.unwrap_or_else(|refusal| panic!("{}", refusal.raw));
    let digits = |value: &Value| value.to_string().trim_matches('"').to_owned();
    assert_eq!(digits(&sent["card_number"]), "4111111111111111");
    assert_eq!(digits(&sent["ssn"]), "219099998");
}

#[test]
fn d9_a_token_of_another_session_is_refused_by_name_and_never_means_someone_else() {
    let mut yesterday = Session::with("d9-yesterday", &["a"]);
    let old = yesterday.token("a", "email", EMAIL);
    let mut today = Session::with("d9-today", &["a"]);
    today.token("a", "email", "joanna@example.org");
    let refusal = today.sends("a", &json!({"to": old})).expect_err("an old token");
    assert!(refusal.raw.contains("[EMAIL_0"), "the refusal names it: {}", refusal.raw);
    yesterday.running.end().1.expect("served");
    assert!(!today.got("a", "joanna@example.org"));
    // Nothing can be counted up: the same place in two sessions has other check characters.
    let again = Session::with("d9-again", &["a"]).token("a", "email", EMAIL);
    assert_ne!(again, old);
}

#[test]
fn d10_a_long_message_holds_up_neither_ping_nor_other_servers() {
    let mut session = Session::with("d10", &["a", "b"]);
    session.running.client.request("tools/list", &json!({})).expect("an answer");
    let text = "Marie wrote to marie.dubois@example.eu from +44 20 7946 0958. ".repeat(60_000);
    let result = json!([{"result": {"content": [{"type": "text", "text": text}]}}]);
    session.scene.script("a", &json!({"tools": {"act": result}}).to_string());
    session.scene.script("b", &json!({"tools": {"act": [{"result": {"content": []}}]}}).to_string());
    session.says("b", "ready");
    let client = &mut session.running.client;
    let call = |server: &str| json!({"name": format!("{server}__act"), "arguments": {}});
    let big = client.start("tools/call", &call("a")).expect("open");
    session.scene.wait_received("a", |line| line.contains("tools/call"));
    let small = client.start("tools/call", &call("b")).expect("open");
    let ping = client.start("ping", &json!({})).expect("open");
    for id in [ping, small, big] {
        assert!(client.answer(id).expect("an answer").error().is_null());
    }
    let place = |id: u64| {
        let lines = client.transcript().iter();
        lines
            .into_iter()
            .position(|line| line.text.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\"")))
    };
    assert!(place(ping) < place(big) && place(small) < place(big), "the long message came first");
}

#[test]
fn d10_half_an_emoji_is_answered() {
    let mut session = Session::with("d10-surrogate", &["a"]);
    let steps =
        r#"[{"result":{"content":[{"type":"text","text":"cut \ud83d to marie.dubois@example.eu"}]}}]"#;
    session.scene.script("a", &format!(r#"{{"tools":{{"act":{steps}}}}}"#));
    session.running.client.send_raw(r#"{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"a__act","arguments":{}}}"#).expect("open");
    // No value can hold it, so the line is looked for as text.
    session.running.client.request("ping", &json!({})).expect("an answer");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    loop {
        session.running.client.request("ping", &json!({})).expect("an answer");
        let lines = session.running.client.transcript();
        if let Some(line) = lines.iter().find(|line| line.text.contains(r#""id":"half","result""#)) {
            assert!(line.text.contains(r"cut \ud83d to [EMAIL_"), "{}", line.text);
            return;
        }
        assert!(std::time::Instant::now() < deadline, "never answered");
    }
}

#[test]
fn d11_many_findings_and_many_tokens_take_no_squared_time() {
    let mut session = Session::with("d11", &["a"]);
    let text: String = (0..20_000).map(|number| format!("u{number}@example.org, ")).collect();
    let started = std::time::Instant::now();
    let seen = session.says("a", &text);
    assert!(!seen.contains("@example.org"));
    let restored =
        session.sends("a", &json!({"body": seen})).unwrap_or_else(|refusal| panic!("{}", refusal.raw));
    assert_eq!(restored["body"], text);
    // Squared time would be hours; this bound is no measure of speed.
    assert!(started.elapsed() < std::time::Duration::from_secs(40));
}

#[test]
fn d10_a_call_has_a_deadline() {
    let mut session = Session::open(scene("d10-deadline", &["a"]).and("call_timeout", json!(1)));
    assert_eq!(session.does("a", &json!([])).error()["code"], -32603);
}
