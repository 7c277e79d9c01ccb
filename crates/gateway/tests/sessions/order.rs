//! What has to stay in order, and what may overtake.

use std::time::Duration;

use cloakgate_testkit::LineDirection;
use serde_json::json;

use crate::harness::Setup;

#[test]
fn what_a_server_says_before_an_answer_leaves_before_it_and_cloaked() {
    let filler = "plain words ".repeat(20_000);
    let script = json!({"tools": {"work": [
        {"send": {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": format!("{filler} marie.dubois@example.eu")}}},
        {"send": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "$progressToken", "progress": 1, "message": "for marie.dubois@example.eu"}}},
        {"send": {"jsonrpc": "2.0", "method": "notifications/vendor/said", "params": {"data": "marie.dubois@example.eu"}}},
        {"result": {"content": [{"type": "text", "text": "done"}]}},
    ]}});
    let setup = Setup::new("order").scripted("s", &script);
    let mut running = setup.serve();
    for round in 0..10 {
        let params = json!({"name": "s__work", "arguments": {}, "_meta": {"progressToken": round}});
        running.client.request("tools/call", &params).expect("an answer");
    }
    let received: Vec<_> = running
        .client
        .transcript()
        .iter()
        .filter(|line| line.direction == LineDirection::Received)
        .skip(1)
        .collect();
    for round in received.chunks(4) {
        for (line, part) in
            round.iter().zip(["notifications/message", "\"progress\":1", "vendor/said", "\"done\""])
        {
            assert!(line.text.contains(part), "{part} is not where it belongs");
        }
    }
    assert!(!received.iter().any(|line| line.text.contains("marie.dubois")));
    running.end().expect("served");
}

#[test]
fn calls_reach_their_server_in_the_order_of_the_client() {
    let setup = Setup::new("calls-in-order")
        .scripted("s", &json!({"tools": {"note": [{"result": {"content": []}}]}}));
    let mut running = setup.serve();
    let filler = "plain words ".repeat(5_000);
    let ids: Vec<_> = (0..60)
        .map(|number| {
            // Every tenth is so big that it is worked on elsewhere.
            let text = if number % 10 == 0 { filler.as_str() } else { "" };
            let arguments = json!({"number": number, "text": text});
            running
                .client
                .start("tools/call", &json!({"name": "s__note", "arguments": arguments}))
                .expect("open")
        })
        .collect();
    for id in ids {
        assert!(running.client.answer(id).expect("an answer").error().is_null());
    }
    let numbers: Vec<_> = setup
        .received("s")
        .iter()
        .filter_map(|line| {
            serde_json::from_str::<serde_json::Value>(line).ok()?["params"]["arguments"]["number"].as_u64()
        })
        .collect();
    assert_eq!(numbers, (0..60).collect::<Vec<_>>());
    running.end().expect("served");
}

#[test]
fn a_ping_does_not_wait_for_a_big_answer() {
    let setup = Setup::new("ping").echo("echo");
    let mut running = setup.serve();
    let big =
        running.client.start("tools/call", &json!({"name": "echo__rows", "arguments": {"count": 20_000}}));
    std::thread::sleep(Duration::from_millis(100));
    running.client.request("ping", &json!({})).expect("an answer");
    let came_first = running
        .client
        .transcript()
        .iter()
        .any(|line| line.text.len() > 1_000_000 && line.text.contains("result"));
    let big = running.client.answer(big.expect("open")).expect("an answer");
    assert!(big.raw.len() > 1_000_000 && !big.raw.contains("@example.org"));
    assert!(!came_first, "the ping waited for the big answer");
    running.end().expect("served");
}

#[test]
fn what_is_under_way_is_answered_after_the_client_has_said_its_last() {
    let slow = json!([{"sleep_ms": 300}, {"result": {"content": [{"type": "text", "text": "last"}]}}]);
    let setup = Setup::new("drain").scripted("s", &json!({"tools": {"slow": slow}}));
    let mut running = setup.serve();
    running.client.start("tools/call", &json!({"name": "s__slow", "arguments": {}})).expect("open");
    let (transcript, _) = running.client.close().expect("the gateway leaves");
    assert!(transcript.iter().any(|line| line.text.contains("last")));
}
