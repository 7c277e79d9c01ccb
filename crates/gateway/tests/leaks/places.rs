//! Places that no schema names: invented blocks, unknown fields, keys, texts in texts, values cut in two.

use std::collections::BTreeSet;

use serde_json::json;

use crate::drive::{Probe, Sanitize};
use crate::values::{Planted, VALUES};

/// Steps of the server. `@@` stands for the value, `@<` and `@>` for its halves, `@64` for it in base64, `@64<` and
/// `@64>` for base64 in two strings, `@j` and `@jj` for it in JSON in a string, once and twice.
const PLACES: &[(&str, &str)] = &[
    ("text", r#"[{"result":{"content":[{"type":"text","text":"@@"}]}}]"#),
    ("error result", r#"[{"result":{"content":[{"type":"text","text":"@@"}],"isError":true}}]"#),
    (
        "invented block",
        r#"[{"result":{"content":[{"type":"hologram","caption":"@@","parts":[[{"x":"@@"}]]}]}}]"#,
    ),
    ("data of an invented block", r#"[{"result":{"content":[{"type":"hologram","data":"@@"}]}}]"#),
    ("blob of an invented block", r#"[{"result":{"content":[{"type":"hologram","blob":"@@"}]}}]"#),
    ("data of a text block", r#"[{"result":{"content":[{"type":"text","text":"t","data":"@@"}]}}]"#),
    ("block without a type", r#"[{"result":{"content":[{"data":"@@"}]}}]"#),
    ("block with two types", r#"[{"result":{"content":[{"type":"image","type":"text","data":"@@"}]}}]"#),
    ("block with an object as type", r#"[{"result":{"content":[{"type":{"type":"image"},"data":"@@"}]}}]"#),
    ("type by escapes", r#"[{"result":{"content":[{"t\u0079pe":"text","data":"@@"}]}}]"#),
    ("text of an image", r#"[{"result":{"content":[{"type":"image","data":"AA","text":"@@"}]}}]"#),
    (
        "parameter of a media type",
        r#"[{"result":{"content":[{"type":"image","data":"AA","mimeType":"image/png;name=@@"}]}}]"#,
    ),
    ("content is text", r#"[{"result":{"content":"@@"}}]"#),
    ("content in content", r#"[{"result":{"content":[[{"type":"text","text":"@@"}]]}}]"#),
    ("annotations", r#"[{"result":{"content":[{"type":"text","text":"t","annotations":{"who":"@@"}}]}}]"#),
    (
        "icon of a text block",
        r#"[{"result":{"content":[{"type":"text","text":"t","icons":[{"src":"@@"}]}]}}]"#,
    ),
    ("structured text", r#"[{"result":{"content":[],"structuredContent":"@@"}}]"#),
    ("structured list", r#"[{"result":{"content":[],"structuredContent":["a",["@@"]]}}]"#),
    ("structured data", r#"[{"result":{"content":[],"structuredContent":{"type":"image","data":"@@"}}}]"#),
    ("structured blob", r#"[{"result":{"content":[],"structuredContent":{"resource":{"blob":"@@"}}}}]"#),
    ("structured mime type", r#"[{"result":{"content":[],"structuredContent":{"mimeType":"@@"}}}]"#),
    (
        "structured token",
        r#"[{"result":{"content":[],"structuredContent":{"progressToken":"@@","cursor":"@@"}}}]"#,
    ),
    ("key", r#"[{"result":{"content":[],"structuredContent":{"@@":{"@@":1}}}}]"#),
    ("key with a list", r#"[{"result":{"content":[],"structuredContent":{"a":[{"@@":[]}]}}}]"#),
    ("second of a key twice", r#"[{"result":{"content":[],"structuredContent":{"a":"b","a":"@@"}}}]"#),
    ("first of a key twice", r#"[{"result":{"content":[],"structuredContent":{"a":"@@","a":"b"}}}]"#),
    ("key of metadata", r#"[{"result":{"content":[],"_meta":{"@@":"x"}}}]"#),
    ("vendor metadata", r#"[{"result":{"content":[],"_meta":{"example.org/who":{"a":["@@"]}}}}]"#),
    (
        "beside the related task",
        r#"[{"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"7","who":"@@"}}}}]"#,
    ),
    (
        "beside a task",
        r#"[{"result":{"task":{"taskId":"7","status":"working","who":"@@","statusMessage":"for @@"}}}]"#,
    ),
    (
        "immediate answer of a task",
        r#"[{"result":{"task":{"taskId":"7"},"_meta":{"io.modelcontextprotocol/model-immediate-response":"@@"}}}]"#,
    ),
    ("unknown field", r#"[{"result":{"content":[],"vendor":[[["@@"]]]}}]"#),
    (
        "unknown field beside the result",
        r#"[{"send":{"jsonrpc":"2.0","id":"$id","result":{"content":[]},"vendor":"@@"}}]"#,
    ),
    ("kind of result", r#"[{"result":{"content":[],"resultType":"@@"}}]"#),
    ("result is text", r#"[{"result":"@@"}]"#),
    ("nested", r#"[{"result":{"content":[{"type":"text","text":"@j"}]}}]"#),
    ("nested twice", r#"[{"result":{"content":[{"type":"text","text":"@jj"}]}}]"#),
    (
        "two blocks",
        r#"[{"result":{"content":[{"type":"text","text":"see @<"},{"type":"text","text":"@> now"}]}}]"#,
    ),
    ("base64 in text", r#"[{"result":{"content":[{"type":"text","text":"@64"}]}}]"#),
    (
        "data address in text",
        r#"[{"result":{"content":[{"type":"text","text":"data:text/plain;base64,@64"}]}}]"#,
    ),
    (
        "text blob",
        r#"[{"result":{"content":[{"type":"resource","resource":{"uri":"a://b","mimeType":"text/plain","blob":"@64"}}]}}]"#,
    ),
    (
        "csv blob",
        r#"[{"result":{"content":[{"type":"resource","resource":{"uri":"a://b","mimeType":"text/csv; charset=utf-8","blob":"@64"}}]}}]"#,
    ),
    (
        "json blob",
        r#"[{"result":{"content":[{"type":"resource","resource":{"uri":"a://b","mimeType":"application/json","blob":"@64"}}]}}]"#,
    ),
    (
        "address of a resource",
        r#"[{"result":{"content":[{"type":"resource","resource":{"uri":"note://x/@@","text":"t"}}]}}]"#,
    ),
    (
        "address of a link",
        r#"[{"result":{"content":[{"type":"resource_link","uri":"note://x?u=@@","name":"n"}]}}]"#,
    ),
    ("error text", r#"[{"error":{"code":-32000,"message":"no @@"}}]"#),
    ("data of an error", r#"[{"error":{"code":-32000,"message":"no","data":"@@"}}]"#),
    (
        "data in data of an error",
        r#"[{"error":{"code":-32000,"message":"no","data":{"data":{"blob":"@@"}}}}]"#,
    ),
    (
        "versions of an error",
        r#"[{"error":{"code":-32000,"message":"no","data":{"supported":["@@"],"requested":"@@"}}}]"#,
    ),
    ("unknown field of an error", r#"[{"error":{"code":-32000,"message":"no","type":"@@"}}]"#),
    (
        "unknown notification",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/vendor","params":{"a":{"data":"@@"}}}},{"result":{"content":[]}}]"#,
    ),
    (
        "field beside parameters",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1},"vendor":"@@"}},{"result":{"content":[]}}]"#,
    ),
    (
        "log under data",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"data":"@@","type":"@@"}}}},{"result":{"content":[]}}]"#,
    ),
    (
        "log of text",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"@@"}}},{"result":{"content":[]}}]"#,
    ),
    (
        "name of the logger",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"app @@","data":1}}},{"result":{"content":[]}}]"#,
    ),
    (
        "progress",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"$progressToken","progress":1,"message":"@@"}}},{"result":{"content":[]}}]"#,
    ),
    (
        "two notifications",
        r#"[{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"@<"}}},{"send":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"@@"}}},{"result":{"content":[]}}]"#,
    ),
];

/// The kinds that patterns find.
fn kinds() -> impl Iterator<Item = &'static Planted> {
    VALUES.iter().filter(|planted| planted.key.is_none())
}

fn filled(steps: &str, value: &str) -> String {
    let escaped = |text: &str| {
        let quoted = json!(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let half = value.char_indices().nth(value.chars().count() * 3 / 5).map_or(0, |(at, _)| at);
    let nested = json!({"note": value}).to_string();
    let twice = json!({"inner": nested}).to_string();
    let encoded = base64(&format!("about {value} we know"));
    steps
        .replace("@64", &encoded)
        .replace("@jj", &escaped(&twice))
        .replace("@j", &escaped(&nested))
        .replace("@<", &escaped(&value[..half]))
        .replace("@>", &escaped(&value[half..]))
        .replace("@@", &escaped(value))
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits =
            chunk.iter().fold(0usize, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = ALPHABET[bits >> (18 - 6 * place) & 63];
            encoded.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    encoded
}

/// Places and kinds that show the value.
fn look(sanitize: Sanitize) -> BTreeSet<(&'static str, &'static str)> {
    let mut seen = BTreeSet::new();
    for planted in kinds() {
        let name = format!("places-{sanitize:?}-{}", planted.kind.replace(' ', "-"));
        let mut probe = Probe::new(&name, "2025-11-25", sanitize);
        for (place, steps) in PLACES {
            let received = probe.call_raw(&filled(steps, planted.value));
            if received.iter().any(|line| planted.watch().sees(line)) {
                seen.insert((*place, planted.kind));
            }
        }
    }
    seen
}

#[test]
fn nothing_leaks_at_places_that_no_schema_names() {
    assert_eq!(look(Sanitize::On), BTreeSet::new());
}

#[test]
fn every_such_place_shows_without_cloaking() {
    let seen = look(Sanitize::Off);
    let all: BTreeSet<_> =
        kinds().flat_map(|planted| PLACES.iter().map(|(place, _)| (*place, planted.kind))).collect();
    let missing: Vec<_> = all.difference(&seen).collect();
    assert!(missing.is_empty(), "the probe does not see these: {missing:#?}");
}
