//! A scan as SARIF 2.1.0 (OASIS Standard, 27 March 2020), which code hosts and editors read.
//!
//! Invariant: columns count code points, as `columnKind` says; messages hold no value.

use cloakgate_vocab::{Category, Defaults, Severity};
use serde_json::{Value, json};

use super::walk::Scanned;
use crate::shown::Shown;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one run.
pub(super) fn log(scanned: &Scanned) -> Value {
    let rules: Vec<Category> =
        Category::all().filter(|category| category.defaults() != Defaults::Internal).collect();
    let results: Vec<Value> = scanned.findings().map(|(name, shown)| result(name, shown, &rules)).collect();
    let notes: Vec<Value> = scanned
        .unread
        .iter()
        .map(|problem| json!({"level": "error", "message": {"text": problem}}))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "cloakgate",
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": scanned.unread.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    })
}

fn rule(category: Category) -> Value {
    let kind = category.name().to_lowercase().replace('_', " ");
    json!({
        "id": category.name(),
        "shortDescription": {"text": format!("A value of the kind: {kind}")},
        "defaultConfiguration": {"level": level(category.severity())},
        "properties": {"security-severity": security_severity(category.severity()), "tags": ["privacy", "security"]},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// The scale of code hosts: above 9 is critical, above 7 high, above 4 medium.
fn security_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "2.0",
    }
}

fn result(name: &str, shown: &Shown, rules: &[Category]) -> Value {
    let (line, column) = shown.from;
    let (end_line, end_column) = shown.to;
    json!({
        "ruleId": shown.category.name(),
        "ruleIndex": rules.iter().position(|rule| *rule == shown.category),
        "level": level(shown.severity()),
        "message": {"text": format!("{} found by the rule `{}`", shown.category, shown.detector.0)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(name)},
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        }}],
        "properties": {"strength": shown.strength.name()},
    })
}

/// A path as a URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if name.starts_with('/') { format!("file://{uri}") } else { uri }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in
            [("src/a b.rs", "src/a%20b.rs"), ("/tmp/é#", "file:///tmp/%C3%A9%23"), ("a:b", "a%3Ab")]
        {
            assert_eq!(uri(path), expected);
        }
    }
}
