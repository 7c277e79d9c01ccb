//! Messages with the treatment of each of their strings.

use cloakgate_cloak::Treatment;
use cloakgate_json::Kind;

use super::{Direction, Part, is_method_shaped, known_notification, position, treatments};

mod mutations;
mod published;

/// The leaves of `text` that get something else than `boring`, as `pointer Treatment`; `@64` stands for base64.
fn decisions(text: &str, method: &str, part: Part, direction: Direction, boring: Treatment) -> Vec<String> {
    let text = &text.replace("@64", &"AAAA".repeat(16));
    let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
    let treatments = treatments(&document, text.as_bytes(), method, part, direction);
    assert_eq!(treatments.len(), document.len());
    let leaves = document.nodes().zip(treatments).filter(|(node, treatment)| {
        !matches!(document.kind(*node), Kind::Object | Kind::Array) && *treatment != boring
    });
    leaves
        .map(|(node, treatment)| format!("{} {treatment:?}", document.pointer(text.as_bytes(), node)))
        .collect()
}

fn down(text: &str, method: &str, part: Part) -> Vec<String> {
    decisions(text, method, part, Direction::Down, Treatment::Cloak)
}

#[test]
fn blocks_of_a_tool_result_are_exact_only_where_their_type_says_so() {
    let text = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[
        {"type":"text","text":"t","data":"d","mimeType":"text/plain"},
        {"type":"image","data":"@64","mimeType":"image/png","text":"t"},
        {"type":"audio","data":"@64","mimeType":"a@b.c/x"},
        {"type":"image","data":"contact jane@example.eu","mimeType":"text/plain"},
        {"type":"resource","resource":{"uri":"u","mimeType":"text/plain","blob":"@64","text":"t"}},
        {"type":"resource_link","uri":"u","name":"n","size":3,"icons":[
            {"src":"https://cdn.example.org/i.png","sizes":["48x48"]},{"src":"s","sizes":["jane@example.eu"]}]},
        {"type":"invented","data":"d","blob":"b"},
        {"type":"image","type":"text","data":"d"},
        {"type":"marie.dubois@example.eu"},
        {"type":{"type":"image","data":"d"},"data":"d"}],
        "structuredContent":{"data":"d","type":"image","blob":"b","mimeType":"text/plain"},"isError":false,
        "_meta":{"example.org/who":"w","io.modelcontextprotocol/related-task":{"taskId":"17","a":"b"}}}}"#;
    assert_eq!(
        down(text, "tools/call", Part::Result),
        [
            "/jsonrpc Exact",
            "/id Exact",
            "/result/content/0/type Exact",
            "/result/content/1/type Exact",
            "/result/content/1/data CloakBase64",
            "/result/content/1/mimeType Exact",
            "/result/content/2/type Exact",
            "/result/content/2/data CloakBase64",
            "/result/content/3/type Exact",
            "/result/content/3/mimeType Exact",
            "/result/content/4/type Exact",
            "/result/content/4/resource/uri CloakUri",
            "/result/content/4/resource/mimeType Exact",
            "/result/content/4/resource/blob CloakBase64",
            "/result/content/5/type Exact",
            "/result/content/5/uri CloakUri",
            "/result/content/5/size Exact",
            "/result/content/5/icons/0/src Scan",
            "/result/content/5/icons/0/sizes/0 Exact",
            "/result/content/7/type Exact",
            "/result/content/7/type Exact",
            "/result/isError Exact",
            "/result/_meta/io.modelcontextprotocol~1related-task/taskId Exact",
        ]
    );
}

#[test]
fn other_messages_towards_the_model() {
    for (method, part, text, expected) in [
        (
            "tools/list",
            Part::Result,
            r#"{"result":{"tools":[{"name":"n","inputSchema":{"enum":["a"]}}],"nextCursor":"c","note":"n"}}"#,
            &["/result/tools/0/name Exact", "/result/tools/0/inputSchema/enum/0 Exact"][..],
        ),
        (
            "resources/list",
            Part::Result,
            r#"{"result":{"resources":[{"uri":"u","name":"n","mimeType":"text/csv"}]}}"#,
            &["/result/resources/0/uri CloakUri", "/result/resources/0/mimeType Exact"],
        ),
        (
            "resources/read",
            Part::Result,
            r#"{"result":{"contents":[{"uri":"u","blob":"@64","data":"@64"}]}}"#,
            &["/result/contents/0/uri CloakUri", "/result/contents/0/blob CloakBase64"],
        ),
        (
            "prompts/get",
            Part::Result,
            r#"{"result":{"description":"d","messages":[{"role":"user","content":{"type":"image","data":"@64"}}]}}"#,
            &[
                "/result/messages/0/role Exact",
                "/result/messages/0/content/type Exact",
                "/result/messages/0/content/data CloakBase64",
            ],
        ),
        (
            "tools/call",
            Part::Error,
            r#"{"error":{"code":-1,"message":"m","data":{"data":"d"}}}"#,
            &["/error/code Exact"],
        ),
        (
            "notifications/message",
            Part::Notification,
            r#"{"method":"notifications/message","params":{"level":"info","logger":"a.b","data":{"type":"t"}}}"#,
            &["/method Exact", "/params/level Exact"],
        ),
        ("vendor/get", Part::Result, r#"{"result":{"type":"t","data":"d"},"vendor":"v"}"#, &[]),
        ("initialize", Part::Result, r#"{"result":{"instructions":"i","serverInfo":{"name":"n"}}}"#, &[]),
        (
            "elicitation/create",
            Part::Params,
            r#"{"method":"elicitation/create","params":{"message":"m","url":"https://login.example.org/a","mode":"url",
                "requestedSchema":{"type":"object","properties":{"mail":{"type":"string","format":"email",
                "maxLength":80,"default":"d","enum":["e"]}},"required":["mail"]}}}"#,
            &[
                "/method Exact",
                "/params/url Scan",
                "/params/mode Exact",
                "/params/requestedSchema/type Exact",
                "/params/requestedSchema/properties/mail/type Exact",
                "/params/requestedSchema/properties/mail/format Exact",
                "/params/requestedSchema/properties/mail/maxLength Exact",
            ],
        ),
        (
            "sampling/createMessage",
            Part::Params,
            r#"{"params":{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"i","content":[
                {"type":"image","data":"@64"}],"isError":true}]}],"maxTokens":5,"systemPrompt":"s"}}"#,
            &[
                "/params/messages/0/role Exact",
                "/params/messages/0/content/0/type Exact",
                "/params/messages/0/content/0/content/0/type Exact",
                "/params/messages/0/content/0/content/0/data CloakBase64",
                "/params/messages/0/content/0/isError Exact",
                "/params/maxTokens Exact",
            ],
        ),
    ] {
        assert_eq!(down(text, method, part), expected, "{method}");
    }
}

#[test]
fn a_value_of_another_kind_is_inspected() {
    for (method, part, text) in [
        ("tools/call", Part::Result, r#"{"result":"jane@example.eu"}"#),
        ("tools/call", Part::Result, r#"{"result":4111111111111111}"#),
        ("tools/call", Part::Result, r#"{"result":{"content":"jane@example.eu"}}"#),
        ("tools/call", Part::Result, r#"{"result":{"content":["jane@example.eu",4111111111111111]}}"#),
        ("tools/call", Part::Result, r#"{"result":{"isError":"jane@example.eu","_meta":"jane@example.eu"}}"#),
        (
            "tools/call",
            Part::Result,
            r#"{"result":{"_meta":{"io.modelcontextprotocol/a":{"jane@example.eu":1}}}}"#,
        ),
        ("tools/call", Part::Error, r#"{"error":"jane@example.eu"}"#),
        (
            "tools/call",
            Part::Error,
            r#"{"error":{"code":"jane@example.eu","data":{"supported":"1984-03-12"}}}"#,
        ),
        (
            "completion/complete",
            Part::Result,
            r#"{"result":{"completion":{"values":"v","total":"t","hasMore":7}}}"#,
        ),
        (
            "notifications/progress",
            Part::Notification,
            r#"{"method":"notifications/jane","params":{"progress":4111111111111111,"total":"t","progressToken":"jane"}}"#,
        ),
    ] {
        assert_eq!(down(text, method, part), [""; 0], "{text}");
    }
}

#[test]
fn names_of_notifications_are_told_from_other_text() {
    for (method, is_shaped, is_known) in [
        ("notifications/message", true, true),
        ("notifications/tools/list_changed", true, true),
        ("notifications/initialized", true, false),
        ("tools/call", true, false),
        ("vendor.example/v2/changed", true, false),
        ("notifications/jane.leak@example.eu", false, false),
        ("notifications/12025550143", false, false),
        ("jane leak", false, false),
        ("", false, false),
    ] {
        assert_eq!(is_method_shaped(method), is_shaped, "{method}");
        assert_eq!(known_notification(method), is_known, "{method}");
    }
    assert!(!is_method_shaped(&"m".repeat(65)));
}

#[test]
fn tokens_are_read_whatever_the_names_and_kinds() {
    // What is left as it is; all else is read.
    let up = |text, method, part| decisions(text, method, part, Direction::Up, Treatment::Restore);
    for (method, part, text, expected) in [
        (
            "tools/call",
            Part::Params,
            r#"{"method":"m","params":{"name":"n","arguments":{"data":"a","type":["b",{"uri":"c"}]},"_meta":{"x":"y"}}}"#,
            &["/method Exact", "/params/name Exact"][..],
        ),
        ("tools/call", Part::Params, r#"{"params":{"arguments":["a"],"vendor":"v"}}"#, &[]),
        (
            "tools/call",
            Part::Params,
            r#"{"params":{"arguments":"a","task":{"ttl":5}}}"#,
            &["/params/task/ttl Exact"],
        ),
        ("resources/read", Part::Params, r#"{"params":{"uri":"u"}}"#, &[]),
        (
            "completion/complete",
            Part::Params,
            r#"{"params":{"ref":{"type":"ref/resource","uri":"u"},"argument":{"name":"n","value":"v"}}}"#,
            &["/params/ref/type Exact", "/params/argument/name Exact"],
        ),
        ("logging/setLevel", Part::Params, r#"{"params":{"level":"info"}}"#, &["/params/level Exact"]),
        ("elicitation/create", Part::Result, r#"{"result":{"action":"accept","content":{"a":"b"}}}"#, &[]),
        (
            "sampling/createMessage",
            Part::Result,
            r#"{"result":{"role":"assistant","model":"m","content":{"type":"image","data":"@64","text":"t"}}}"#,
            &["/result/content/data Exact"],
        ),
        (
            "roots/list",
            Part::Error,
            r#"{"id":1,"error":{"code":1,"message":"m","data":["d"]}}"#,
            &["/id Exact", "/error/code Exact"],
        ),
    ] {
        assert_eq!(up(text, method, part), expected, "{method}");
    }
}

#[test]
fn a_position_is_told_without_names_that_may_be_data() {
    let text = r#"{"result":{"content":[{"type":"text","text":"a"},{"type":"marie","text":"b"}],
        "structuredContent":{"marie@example.eu":[{"x":"c"}]},"_meta":{"example.org/who":"d",
        "io.modelcontextprotocol/related-task":{"taskId":"e","who":"f"}},"vendor":{"g":"g"}}}"#;
    let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
    let positions = |method| {
        let strings = document.nodes().filter(|node| document.kind(*node) == Kind::String);
        let place = (method, Part::Result, Direction::Down);
        strings.map(|node| position(&document, text.as_bytes(), place, node)).collect::<Vec<_>>()
    };
    assert_eq!(
        positions("tools/call"),
        [
            "/result/content/[]/type=text/type",
            "/result/content/[]/type=text/text",
            "/result/content/[]/type",
            "/result/content/[]/*",
            "/result/structuredContent/*/[]/*",
            "/result/_meta/*",
            "/result/_meta/io.modelcontextprotocol~1related-task/taskId",
            "/result/_meta/io.modelcontextprotocol~1related-task/*",
            "/result/*/*",
        ]
    );
    assert_eq!(positions("vendor/get").first().map(String::as_str), Some("/result/*/[]/*"));
}
