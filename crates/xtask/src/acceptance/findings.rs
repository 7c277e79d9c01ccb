//! What the three transcripts must show, check by check.
//!
//! In: transcripts and folders. Out: named checks with what contradicts them.
//! Invariant: a check that looked at nothing fails; so does one whose probe could not have failed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::alignment::align;
use super::received::{self, Received};
use super::script::{Answer, Step};
use super::session::Transcript;
use super::tokens::{Piece, pieces};
use super::world::{KEY_FILE, Planted};

/// One claim, with what contradicts it.
pub(super) struct Check {
    /// Which session: `straight`, `off` or `on`.
    pub(super) session: &'static str,
    pub(super) claim: String,
    pub(super) contradictions: Vec<String>,
}

fn check(session: &'static str, claim: impl Into<String>, contradictions: Vec<String>) -> Check {
    Check { session, claim: claim.into(), contradictions }
}

/// The session straight at the server shows that the probe can fail.
pub(super) fn straight(direct: &Transcript, planted: &[Planted], left: &[String]) -> Vec<Check> {
    let unseen = planted
        .iter()
        .filter(|planted| planted.hidden && !direct.lines().any(|line| line.contains(&planted.text)))
        .map(|planted| format!("the server never said {}", planted.text))
        .collect();
    vec![
        check("straight", "every planted value reaches a client without a gateway", unseen),
        check("straight", "files are as the script must leave them", left.to_vec()),
    ]
}

/// The session through the gateway that is switched off.
pub(super) fn off(direct: &Transcript, off: &Transcript, left: &[String]) -> Vec<Check> {
    let mut different = Vec::new();
    let mut compared = 0usize;
    for ((step, original), (_, answer)) in direct.exchanges.iter().zip(&off.exchanges) {
        if step.answer == Answer::Upstream {
            compared += 1;
            if step.filter.apply(original) != step.filter.apply(&unprefixed(answer, step)) {
                different.push(format!("{}: {}", step.server, step.name));
            }
        }
    }
    if compared == 0 {
        different.push("no answer was compared".to_owned());
    }
    let mut checks = vec![
        check("off", format!("answers to calls are the server's, byte for byte ({compared})"), different),
        check("off", "lines that answer nothing are the server's", aside(direct, off, &[])),
        check("off", "files are as the script must leave them", left.to_vec()),
    ];
    checks.extend(questions("off", direct, off));
    checks.extend(contract("off", direct, off));
    checks
}

/// The session through the gateway that protects.
pub(super) fn on(direct: &Transcript, on: &Transcript, planted: &[Planted], left: &[String]) -> Vec<Check> {
    let tokens = on.bindings.len();
    let mut checks = vec![
        check(
            "on",
            format!("only planted values differ from the server's bytes ({tokens} tokens)"),
            on.misfits.clone(),
        ),
        check("on", "no planted value in any byte that the client received", leaks(on, planted)),
        check("on", "one value is one number, another spelling another letter", identities(on, planted)),
        check(
            "on",
            "lines that answer nothing are the server's but for planted values",
            aside(direct, on, planted),
        ),
        check("on", "files hold the values, not the tokens", left.to_vec()),
    ];
    checks.extend(questions("on", direct, on));
    checks.extend(contract("on", direct, on));
    checks
}

/// What only the filesystem server's session shows.
pub(super) fn on_with_files(on: &Transcript) -> Check {
    check("on", "line numbers stay when a value covers several lines", line_numbers(on))
}

/// The handshake, and the list of tools with every schema byte for byte.
fn contract(session: &'static str, direct: &Transcript, other: &Transcript) -> Vec<Check> {
    let mut schemas = Vec::new();
    let mut entries = Vec::new();
    let mut authored = handshake(direct, other);
    let mut count = 0;
    let servers: BTreeSet<&str> = direct.exchanges.iter().map(|(step, _)| step.server).collect();
    let lists = if servers.len() > 1 { Lists::Merged } else { Lists::Own };
    for ((step, original), (_, answer)) in direct.exchanges.iter().zip(&other.exchanges) {
        match step.answer {
            Answer::Authored if !says(&result(original), &result(&unprefixed(answer, step)), lists) => {
                authored.push(step.name.clone());
            }
            Answer::Tools => match (tools(original), tools(answer)) {
                (Some(originals), Some(answers)) => {
                    count += originals.len();
                    let answers = of_server(answers, &step.prefix());
                    compare_tools(&originals, &answers, &step.prefix(), &mut schemas, &mut entries);
                }
                _ => entries.push("a list cannot be read".to_owned()),
            },
            _ => {}
        }
    }
    if count == 0 {
        schemas.push("no tool was listed".to_owned());
    }
    vec![
        check(session, format!("every inputSchema is the server's, byte for byte ({count})"), schemas),
        check(session, "tools are the server's in its order, only the name has a prefix", entries),
        check(session, "the gateway's own answers say what the server's say", authored),
    ]
}

/// Whether the lists of an answer are one server's or several servers'.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Lists {
    Own,
    Merged,
}

/// True when `answer` says what `original` says; in a merged list the items stand in the same order among others.
fn says(original: &Value, answer: &Value, lists: Lists) -> bool {
    let (Lists::Merged, Value::Object(original), Value::Object(answer)) = (lists, original, answer) else {
        return original == answer;
    };
    original.len() == answer.len()
        && original.iter().all(|(key, value)| match (value, answer.get(key)) {
            (Value::Array(items), Some(Value::Array(among))) => {
                let mut among = among.iter();
                items.iter().all(|item| among.any(|other| other == item))
            }
            (value, found) => found == Some(value),
        })
}

fn handshake(direct: &Transcript, other: &Transcript) -> Vec<String> {
    let (original, answer) = (result(&direct.handshake), result(&other.handshake));
    let mut contradictions = Vec::new();
    for pointer in ["/protocolVersion", "/capabilities/tools"] {
        if original.pointer(pointer).is_some() && answer.pointer(pointer).is_none() {
            contradictions.push(format!("handshake: {pointer}"));
        }
    }
    if original.get("protocolVersion") != answer.get("protocolVersion") {
        contradictions.push("handshake: another protocol version".to_owned());
    }
    contradictions
}

fn result(line: &str) -> Value {
    serde_json::from_str::<Value>(line)
        .ok()
        .and_then(|mut message| message.get_mut("result").map(Value::take))
        .unwrap_or_default()
}

#[derive(Deserialize)]
struct ToolsAnswer<'a> {
    #[serde(borrow)]
    result: ToolsResult<'a>,
}

#[derive(Deserialize)]
struct ToolsResult<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Tool<'a> {
    name: &'a str,
    #[serde(borrow, rename = "inputSchema")]
    input_schema: &'a RawValue,
}

fn tools(line: &str) -> Option<Vec<&RawValue>> {
    Some(serde_json::from_str::<ToolsAnswer<'_>>(line).ok()?.result.tools)
}

/// The tools of one server among all.
fn of_server<'a>(mut tools: Vec<&'a RawValue>, prefix: &str) -> Vec<&'a RawValue> {
    tools.retain(|tool| {
        serde_json::from_str::<Tool<'_>>(tool.get()).is_ok_and(|tool| tool.name.starts_with(prefix))
    });
    tools
}

fn compare_tools(
    originals: &[&RawValue],
    answers: &[&RawValue],
    prefix: &str,
    schemas: &mut Vec<String>,
    entries: &mut Vec<String>,
) {
    if originals.len() != answers.len() {
        entries.push(format!("{} tools instead of {}", answers.len(), originals.len()));
    }
    for (original, answer) in originals.iter().zip(answers) {
        let read = |text| serde_json::from_str::<Tool<'_>>(text);
        let (Ok(original_tool), Ok(answer_tool)) = (read(original.get()), read(answer.get())) else {
            entries.push("a tool cannot be read".to_owned());
            continue;
        };
        if original_tool.input_schema.get() != answer_tool.input_schema.get() {
            schemas.push(original_tool.name.to_owned());
        }
        let (name, prefixed) = (original_tool.name, format!("{prefix}{}", original_tool.name));
        let expected =
            original.get().replacen(&format!("\"name\":\"{name}\""), &format!("\"name\":\"{prefixed}\""), 1);
        if answer.get() != expected {
            entries.push(name.to_owned());
        }
    }
}

/// Requests of servers to the client, where there are any; with sanitizing on, what differs in them is told while
/// the session runs.
fn questions(session: &'static str, direct: &Transcript, other: &Transcript) -> Option<Check> {
    let (wanted, found) = (direct.questions(), other.questions());
    if wanted.is_empty() && found.is_empty() {
        return None;
    }
    let mut contradictions = Vec::new();
    if wanted.len() != found.len() {
        contradictions.push(format!("{} requests instead of {}", found.len(), wanted.len()));
    }
    if session == "off" {
        let different = wanted.iter().zip(&found).filter(|(wanted, found)| wanted != found);
        contradictions.extend(different.map(|(wanted, _)| format!("not as the server asked: {wanted}")));
    }
    Some(check(
        session,
        format!("the client is asked what the server asks ({})", wanted.len()),
        contradictions,
    ))
}

/// What each server received, compared with what it received from the client itself.
pub(super) fn received(session: &'static str, wanted: &Received, found: &Received) -> Check {
    let claim = format!("the server received what it receives without the gateway ({})", wanted.len());
    check(session, claim, received::differences(wanted, found))
}

fn aside(direct: &Transcript, other: &Transcript, planted: &[Planted]) -> Vec<String> {
    // Servers say that their lists have changed while they start, and the gateway has then not shown them yet.
    let lines = |transcript: &Transcript| {
        let mut lines = transcript.aside.clone();
        lines.retain(|line| !line.contains("/list_changed\""));
        lines.sort();
        // Told again every few seconds as long as somebody listens.
        lines.dedup_by(|one, other| one == other && one.contains("notifications/resources/updated"));
        lines
    };
    let mut wanted = lines(direct);
    let mut contradictions = Vec::new();
    for line in lines(other) {
        let same = |wanted: &String| align(wanted, &line, planted, &other.bindings).is_ok();
        match wanted.iter().position(same) {
            Some(index) => drop(wanted.remove(index)),
            None => contradictions.push(format!("too much: {line}")),
        }
    }
    contradictions.extend(wanted.into_iter().map(|line| format!("missing: {line}")));
    contradictions
}

/// An error names the tool that it is about by the name under which it was called, and a list all names.
fn unprefixed(line: &str, step: &Step) -> String {
    let prefix = step.prefix();
    line.replace(&format!("{prefix}no_such_tool"), "no_such_tool")
        .replace(&format!("\"name\":\"{prefix}"), "\"name\":\"")
}

fn leaks(on: &Transcript, planted: &[Planted]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for line in on.lines() {
        let lower = line.to_lowercase();
        let unescaped = serde_json::from_str::<Value>(line).map(|message| message.to_string().to_lowercase());
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        for planted in planted.iter().filter(|planted| planted.hidden) {
            let value = planted.text.to_lowercase();
            let number: String = planted.text.chars().filter(char::is_ascii_digit).collect();
            let by_digits =
                number.len() >= 11 && planted.category != "PRIVATE_KEY" && digits.contains(&number);
            if lower.contains(&value)
                || unescaped.as_ref().is_ok_and(|text| text.contains(&value))
                || by_digits
            {
                found.insert(planted.text.clone());
            }
        }
    }
    found.into_iter().collect()
}

fn identities(on: &Transcript, planted: &[Planted]) -> Vec<String> {
    let mut numbers: BTreeMap<usize, (String, String)> = BTreeMap::new();
    let mut spellings: BTreeMap<(String, String, String), &str> = BTreeMap::new();
    let mut contradictions = Vec::new();
    for (text, index) in &on.bindings {
        let (Some(Piece::Token(token)), Some(value)) = (pieces(text).first().copied(), planted.get(*index))
        else {
            continue;
        };
        if token.category != value.category {
            contradictions.push(format!("{text} stands for {}, a {}", value.text, value.category));
        }
        let key = (token.category.to_owned(), token.number.to_owned());
        if value.category != "PRIVATE_KEY" {
            let other = numbers.entry(value.identity).or_insert_with(|| key.clone());
            if *other != key {
                contradictions.push(format!("{} has the numbers {} and {}", value.text, other.1, key.1));
            }
        }
        let spelling = (key.0, key.1, token.spelling.to_owned());
        if let Some(other) = spellings.insert(spelling, &value.text).filter(|other| *other != value.text) {
            contradictions.push(format!("{text} stands for {} and {other}", value.text));
        }
    }
    contradictions
}

fn line_numbers(on: &Transcript) -> Vec<String> {
    let is_key_file = |step: &Step| {
        let path = step.params.pointer("/arguments/path").and_then(Value::as_str);
        step.name.ends_with("read_text_file") && path.is_some_and(|path| path.ends_with(KEY_FILE))
    };
    let Some((_, line)) = on.exchanges.iter().find(|(step, _)| is_key_file(step)) else {
        return vec!["the file was not read".to_owned()];
    };
    let message = result(line);
    let text = message.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
    let numbered: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| line.contains(": step ")).collect();
    if numbered.is_empty() {
        return vec!["no numbered line was seen".to_owned()];
    }
    numbered
        .into_iter()
        .filter(|(index, line)| !line.starts_with(&format!("{}:", index + 1)))
        .map(|(index, line)| format!("line {} says `{line}`", index + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Lists, Transcript, contract, identities, leaks, line_numbers, off, says};
    use crate::acceptance::alignment::Bindings;
    use crate::acceptance::script::{Answer, Step, tool_call};
    use crate::acceptance::world::{EMAIL, EMAIL_CAPITALS, IBAN, KEY_FILE, planted};

    fn heard(exchanges: &[(Answer, &str)]) -> Transcript {
        let step = |answer| Step { answer, ..tool_call("fs", "read_text_file", json!({"path": KEY_FILE})) };
        let exchanges = exchanges.iter().map(|(answer, line)| (step(*answer), (*line).to_owned())).collect();
        Transcript { exchanges, ..Transcript::default() }
    }

    #[test]
    fn a_value_is_found_in_any_case_escape_and_grouping() {
        let cases = [
            ("nothing", r#"{"a":"[EMAIL_0_k7q]"}"#, 0),
            ("as planted", r#"{"a":"to marie.dubois@example.eu"}"#, 2),
            ("other case", r#"{"a":"to Marie.Dubois@Example.EU"}"#, 2),
            ("escaped", r#"{"a":"marie.dubois\u0040example.eu"}"#, 2),
            ("digits in other groups", r#"{"a":"89370400440532013000"}"#, 1),
            ("key", r#"{"Jonas Weber":1}"#, 1),
        ];
        for (name, line, expected) in cases {
            assert_eq!(leaks(&heard(&[(Answer::Upstream, line)]), &planted()).len(), expected, "{name}");
        }
    }

    #[test]
    fn another_answer_in_off_mode_is_a_contradiction() {
        let direct = heard(&[(Answer::Upstream, r#"{"result":{"a":1.10}}"#)]);
        let contradictions = |line| {
            let checks = off(&direct, &heard(&[(Answer::Upstream, line)]), &[]);
            checks.first().map(|check| check.contradictions.len())
        };
        assert_eq!(contradictions(r#"{"result":{"a":1.10}}"#), Some(0));
        assert_eq!(contradictions(r#"{"result":{"a":1.1}}"#), Some(1));
        assert_eq!(contradictions(r#"{"result": {"a":1.10}}"#), Some(1));
    }

    #[test]
    fn a_merged_list_holds_the_items_of_each_server_in_order() {
        let list = |items: &[u8]| json!({ "resources": items });
        let cases = [
            ("equal", list(&[1, 2]), Lists::Own, true),
            ("more, alone", list(&[1, 2, 3]), Lists::Own, false),
            ("more", list(&[3, 1, 4, 2]), Lists::Merged, true),
            ("other order", list(&[2, 1]), Lists::Merged, false),
            ("one is missing", list(&[1, 3]), Lists::Merged, false),
            ("no list", json!({}), Lists::Merged, false),
        ];
        for (name, answer, lists, expected) in cases {
            assert_eq!(says(&list(&[1, 2]), &answer, lists), expected, "{name}");
        }
    }

    #[test]
    fn a_schema_is_compared_byte_for_byte() {
        let list = |name: &str, schema: &str| {
            format!(r#"{{"result":{{"tools":[{{"name":"{name}","inputSchema":{schema}}}]}}}}"#)
        };
        let direct = list("a", r#"{"type":"object"}"#);
        let cases = [
            ("equal", list("fs__a", r#"{"type":"object"}"#), 0),
            ("a blank", list("fs__a", r#"{"type": "object"}"#), 2),
            ("no prefix", list("a", r#"{"type":"object"}"#), 1),
            ("no list", "{}".to_owned(), 2),
        ];
        for (name, line, expected) in cases {
            let (direct, other) = (heard(&[(Answer::Tools, &direct)]), heard(&[(Answer::Tools, &line)]));
            let checks = contract("on", &direct, &other);
            let failing = checks.iter().filter(|check| !check.contradictions.is_empty()).count();
            assert_eq!(failing, expected, "{name}");
        }
    }

    #[test]
    fn spellings_share_a_number_and_values_do_not() {
        let index = |text: &str| planted().iter().position(|planted| planted.text == text).unwrap();
        let cases = [
            ("spellings", vec![("[EMAIL_0_k7q]", EMAIL), ("[EMAIL_0b_k7q]", EMAIL_CAPITALS)], 0),
            ("two numbers", vec![("[EMAIL_0_k7q]", EMAIL), ("[EMAIL_1_k7q]", EMAIL_CAPITALS)], 1),
            ("one spelling", vec![("[EMAIL_0_k7q]", EMAIL), ("[EMAIL_0_k7r]", EMAIL_CAPITALS)], 1),
            ("other category", vec![("[PHONE_0_k7q]", IBAN)], 1),
            ("with and without brackets", vec![("[EMAIL_0_k7q]", EMAIL), ("EMAIL_0_k7q", EMAIL)], 0),
        ];
        for (name, bound, expected) in cases {
            let bindings: Bindings =
                bound.into_iter().map(|(token, text)| (token.to_owned(), index(text))).collect();
            let transcript = Transcript { bindings, ..Transcript::default() };
            assert_eq!(identities(&transcript, &planted()).len(), expected, "{name}");
        }
    }

    #[test]
    fn a_shifted_line_is_a_contradiction() {
        let line = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}]}}).to_string();
        for (text, expected) in [("a\n2: step 2\n", 0), ("2: step 2\n", 1), ("a\nb\n", 1)] {
            let transcript = heard(&[(Answer::Upstream, &line(text))]);
            assert_eq!(line_numbers(&transcript).len(), expected, "{text}");
        }
    }
}
