//! Messages with the treatment of each of their strings, and the table against the published schemas.

use std::fmt::Write as _;

use cloakgate_cloak::Treatment;
use cloakgate_json::Kind;

use super::{Direction, Part, decided, treatments};
use crate::revision::Revision;

/// The leaves of `text` that get something else than `boring`, as `pointer Treatment`.
fn decisions(text: &str, method: &str, part: Part, direction: Direction, boring: Treatment) -> Vec<String> {
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
        {"type":"image","data":"AAAA","mimeType":"image/png","text":"t"},
        {"type":"audio","data":"AAAA","mimeType":"a@b.c/x"},
        {"type":"resource","resource":{"uri":"u","mimeType":"text/plain","blob":"AA","text":"t"}},
        {"type":"resource_link","uri":"u","name":"n","size":3,"icons":[{"src":"s","sizes":["48x48"]}]},
        {"type":"invented","data":"d","blob":"b"},
        {"type":"image","type":"text","data":"d"},
        {"type":"marie.dubois@example.eu"},
        {"type":{"type":"image","data":"d"},"data":"d"}],
        "structuredContent":{"data":"d","type":"image","blob":"b","mimeType":"text/plain"},"isError":false,
        "_meta":{"example.org/who":"w","io.modelcontextprotocol/related-task":{"taskId":"t"}}}}"#;
    assert_eq!(
        down(text, "tools/call", Part::Result),
        [
            "/jsonrpc Exact",
            "/id Exact",
            "/result/content/0/type Exact",
            "/result/content/1/type Exact",
            "/result/content/1/data Scan",
            "/result/content/1/mimeType Exact",
            "/result/content/2/type Exact",
            "/result/content/2/data Scan",
            "/result/content/3/type Exact",
            "/result/content/3/resource/uri CloakUri",
            "/result/content/3/resource/mimeType Exact",
            "/result/content/3/resource/blob Scan",
            "/result/content/4/type Exact",
            "/result/content/4/uri CloakUri",
            "/result/content/4/size Exact",
            "/result/content/4/icons/0/src Scan",
            "/result/content/4/icons/0/sizes/0 Exact",
            "/result/content/5/type Exact",
            "/result/content/6/type Exact",
            "/result/content/6/type Exact",
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
            &[
                "/result/tools/0/name Exact",
                "/result/tools/0/inputSchema/enum/0 Exact",
                "/result/nextCursor Exact",
            ][..],
        ),
        (
            "resources/list",
            Part::Result,
            r#"{"result":{"resources":[{"uri":"u","name":"n","mimeType":"a/b"}]}}"#,
            &["/result/resources/0/uri CloakUri", "/result/resources/0/mimeType Exact"],
        ),
        (
            "resources/read",
            Part::Result,
            r#"{"result":{"contents":[{"uri":"u","blob":"b","data":"d"}]}}"#,
            &["/result/contents/0/uri CloakUri", "/result/contents/0/blob Scan"],
        ),
        (
            "prompts/get",
            Part::Result,
            r#"{"result":{"description":"d","messages":[{"role":"user","content":{"type":"image","data":"d"}}]}}"#,
            &[
                "/result/messages/0/role Exact",
                "/result/messages/0/content/type Exact",
                "/result/messages/0/content/data Scan",
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
            r#"{"method":"m","params":{"level":"info","logger":"a b","data":{"type":"t"}}}"#,
            &["/method Exact", "/params/level Exact"],
        ),
        ("tasks/get", Part::Result, r#"{"result":{"type":"t","data":"d"},"vendor":"v"}"#, &[]),
        (
            "initialize",
            Part::Result,
            r#"{"result":{"instructions":"i","serverInfo":{"name":"n"}}}"#,
            &["/result/serverInfo/name Exact"],
        ),
    ] {
        assert_eq!(down(text, method, part), expected, "{method}");
    }
}

#[test]
fn arguments_are_restored_whatever_their_names() {
    let up = |text, method| decisions(text, method, Part::Params, Direction::Up, Treatment::Exact);
    assert_eq!(
        up(
            r#"{"method":"m","params":{"name":"n","arguments":{"data":"a","type":["b",{"uri":"c"}]},"_meta":{"x":"y"}}}"#,
            "tools/call"
        ),
        [
            "/params/arguments/data Restore",
            "/params/arguments/type/0 Restore",
            "/params/arguments/type/1/uri Restore"
        ]
    );
    assert_eq!(up(r#"{"params":{"uri":"u"}}"#, "resources/read"), ["/params/uri Restore"]);
    assert_eq!(
        up(
            r#"{"params":{"ref":{"type":"ref/resource","uri":"u"},"argument":{"name":"n","value":"v"}}}"#,
            "completion/complete"
        ),
        ["/params/ref/uri Restore", "/params/argument/value Restore"]
    );
    assert_eq!(up(r#"{"params":{"level":"info"}}"#, "logging/setLevel"), [""; 0]);
}

#[test]
fn every_string_of_the_published_schemas_has_a_decision() {
    let mut undecided = String::new();
    for line in include_str!("../../tests/string_paths.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("five words a line");
        let (revision, method, part, direction, path) = (word(), word(), word(), word(), word());
        let revision: Revision = revision.parse().expect("a revision");
        let part = match part {
            "params" => Part::Params,
            "result" => Part::Result,
            "error" => Part::Error,
            _ => Part::Notification,
        };
        let direction = if direction == "up" { Direction::Up } else { Direction::Down };
        let path: Vec<String> = path.split('/').skip(1).map(|step| step.replace("~1", "/")).collect();
        let steps: Vec<&str> = path.iter().map(String::as_str).collect();
        if decided(revision, method, part, direction, &steps).is_none() {
            let _ = writeln!(undecided, "{line}");
        }
    }
    assert!(undecided.is_empty(), "positions without a row:\n{undecided}");
}
