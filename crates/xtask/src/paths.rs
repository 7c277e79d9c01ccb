//! The string positions of the published schemas beside the committed list of them.
//!
//! In: the protocol's JSON Schemas, one file a revision, which are no part of this repository. Out: where
//! `crates/mcp/tests/string_paths.txt` differs. The form of a line is told at the head of that file.
//! Invariant: what is not compared is never reported as equal: without the schemas a line says so.
//! Not here: whether a position has a decision; that is a test of `cloakgate-mcp`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value};

use crate::console;
use crate::workspace::Workspace;

const LIST: &str = "crates/mcp/tests/string_paths.txt";
/// Where the schemas lie, beside the checkout.
const SCHEMAS: &str = "../shared/mcp-schemas";
const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// Blocks that are told apart by their type.
const BLOCKS: [&str; 7] = ["text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result"];

/// Compares the list with what the schemas say.
///
/// # Errors
/// When they differ, or something cannot be read.
pub(crate) fn compare(workspace: &Workspace) -> anyhow::Result<()> {
    let folder = workspace.path(SCHEMAS);
    if !folder.is_dir() {
        console::skipped("the published schemas are not here; the list was NOT compared");
        return Ok(());
    }
    let committed = std::fs::read_to_string(workspace.path(LIST)).context("cannot read string_paths.txt")?;
    let derived = derive(&folder)?;
    let problems = differences(&committed, &derived);
    console::line(format_args!("   {} positions in {} revisions", derived.len(), REVISIONS.len()));
    console::verdict(&problems)
}

fn differences(committed: &str, derived: &BTreeSet<String>) -> Vec<String> {
    let committed: BTreeSet<&str> =
        committed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let missing = derived.iter().filter(|line| !committed.contains(line.as_str()));
    let added = committed.iter().filter(|line| !derived.contains(**line));
    missing
        .map(|line| format!("not in the list: {line}"))
        .chain(added.map(|line| format!("not in the schemas: {line}")))
        .collect()
}

fn derive(folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut lines = BTreeSet::new();
    for revision in REVISIONS {
        let file = folder.join(format!("{revision}.json"));
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let schema: Value = serde_json::from_str(&text).context("a schema is no JSON")?;
        let positions = positions(&schema).with_context(|| revision.to_owned())?;
        lines.extend(positions.into_iter().map(|position| format!("{revision} {position}")));
    }
    Ok(lines)
}

/// Every position of one revision.
fn positions(schema: &Value) -> anyhow::Result<BTreeSet<String>> {
    let definitions = schema.get("definitions").or_else(|| schema.get("$defs")).and_then(Value::as_object);
    let mut walk = Walk {
        definitions: definitions.context("no definitions")?,
        found: BTreeSet::new(),
        message: String::new(),
    };
    for (union, sent, answered) in [("ClientRequest", "up", "down"), ("ServerRequest", "down", "up")] {
        for name in walk.members(union) {
            walk.request(&name, sent, answered)?;
        }
    }
    for (union, sent) in [("ClientNotification", "up"), ("ServerNotification", "down")] {
        for name in walk.members(union) {
            walk.notification(&name, sent)?;
        }
    }
    Ok(walk.found)
}

struct Walk<'a> {
    definitions: &'a Map<String, Value>,
    found: BTreeSet<String>,
    /// Method, part and direction of the message that is being read.
    message: String,
}

impl<'a> Walk<'a> {
    /// Names of the definitions that a union lists; itself when it lists nothing.
    fn members(&self, union: &str) -> Vec<String> {
        let Some(definition) = self.definitions.get(union) else { return Vec::new() };
        match definition.get("anyOf").and_then(Value::as_array) {
            Some(members) => members.iter().filter_map(|member| target(member)).map(str::to_owned).collect(),
            None => vec![target(definition).unwrap_or(union).to_owned()],
        }
    }

    fn definition(&self, name: &str) -> anyhow::Result<&'a Value> {
        self.definitions.get(name).with_context(|| format!("no definition of {name}"))
    }

    fn request(&mut self, name: &str, sent: &str, answered: &str) -> anyhow::Result<()> {
        let request = self.definition(name)?;
        let method = method(request)?;
        let from_server = sent == "down";
        let params = request.pointer("/properties/params");
        if let Some(params) = params {
            self.read(params, "/params", format!("{method} params {sent}"));
        }
        // Either side may ask for a ping, and what answers it is listed once.
        if from_server && method == "ping" {
            return Ok(());
        }
        let message = format!("{method} result {answered}");
        if let Some(result) = self.result(name.strip_suffix("Request").unwrap_or(name)) {
            self.read(result, "/result", message.clone());
        }
        if let (true, Some(task)) =
            (params.is_some_and(|params| self.takes_a_task(params)), self.definitions.get("CreateTaskResult"))
        {
            self.read(task, "/result", message);
        }
        let error =
            ["JSONRPCErrorResponse", "JSONRPCError"].iter().find_map(|name| self.definitions.get(*name));
        let error = error.and_then(|error| error.pointer("/properties/error")).context("no error")?;
        self.read(error, "/error", format!("{method} error {answered}"));
        Ok(())
    }

    fn notification(&mut self, name: &str, sent: &str) -> anyhow::Result<()> {
        let notification = self.definition(name)?;
        let method = method(notification)?;
        if let Some(params) = notification.pointer("/properties/params") {
            self.read(params, "/params", format!("{method} notification {sent}"));
        }
        Ok(())
    }

    /// What answers the request whose name starts so.
    fn result(&self, stem: &str) -> Option<&'a Value> {
        self.definitions
            .get(&format!("{stem}ResultResponse"))
            .and_then(|response| response.pointer("/properties/result"))
            .or_else(|| self.definitions.get(&format!("{stem}Result")))
            .or_else(|| self.definitions.get("EmptyResult"))
    }

    fn takes_a_task(&self, params: &Value) -> bool {
        let params = self.resolved(params);
        let has_task = |params: &Value| self.resolved(params).pointer("/properties/task").is_some();
        has_task(params)
            || params
                .get("anyOf")
                .and_then(Value::as_array)
                .is_some_and(|members| members.iter().any(has_task))
    }

    fn resolved<'b>(&'b self, schema: &'b Value) -> &'b Value {
        target(schema)
            .and_then(|name| self.definitions.get(name))
            .map_or(schema, |schema| self.resolved(schema))
    }

    fn read(&mut self, schema: &'a Value, path: &str, message: String) {
        self.message = message;
        self.walk(schema, path, &mut Vec::new());
    }

    fn string_at(&mut self, path: &str) {
        self.found.insert(format!("{} {path}", self.message));
    }

    /// `inside` holds the definitions that are being read, so that one inside itself is read once.
    fn walk(&mut self, schema: &'a Value, path: &str, inside: &mut Vec<&'a str>) {
        if let Some(name) = target(schema) {
            if let (false, Some(definition)) = (inside.contains(&name), self.definitions.get(name)) {
                inside.push(name);
                self.walk(definition, path, inside);
                inside.pop();
            }
            return;
        }
        if let Some(members) = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema.get(key)?.as_array())
        {
            for member in members {
                let path = match self.block(member) {
                    Some(block) => format!("{path}/type={block}"),
                    None => path.to_owned(),
                };
                self.walk(member, &path, inside);
            }
            return;
        }
        if ["type", "const", "enum", "properties"].iter().all(|key| schema.get(key).is_none()) {
            return self.string_at(&format!("{path}/*"));
        }
        if is_type(schema, "string") || schema.get("const").is_some_and(Value::is_string) {
            self.string_at(path);
        }
        if let (true, Some(items)) = (is_type(schema, "array"), schema.get("items")) {
            self.walk(items, &format!("{path}/[]"), inside);
        }
        self.walk_members(schema, path, inside);
    }

    fn walk_members(&mut self, schema: &'a Value, path: &str, inside: &mut Vec<&'a str>) {
        let named = schema.get("properties").and_then(Value::as_object).filter(|named| !named.is_empty());
        for (key, member) in named.into_iter().flatten() {
            self.walk(member, &format!("{path}/{}", key.replace('/', "~1")), inside);
        }
        if named.is_some() && path.ends_with("/_meta") {
            // Whatever a revision names in it, others may add to it.
            self.string_at(&format!("{path}/*/*"));
        }
        match (schema.get("additionalProperties"), named) {
            // Members that nobody named of a message itself are not listed one by one.
            (Some(Value::Object(any)), Some(_)) if any.is_empty() && path.matches('/').count() > 1 => {
                self.string_at(&format!("{path}/*/*"));
            }
            (Some(Value::Bool(true)), None) => self.string_at(&format!("{path}/*/*")),
            (Some(other @ Value::Object(_)), None) => self.walk(other, &format!("{path}/*"), inside),
            _ => {}
        }
    }

    fn block(&self, schema: &Value) -> Option<&'static str> {
        let constant = self.resolved(schema).pointer("/properties/type/const")?.as_str()?;
        BLOCKS.into_iter().find(|block| *block == constant)
    }
}

fn method(message: &Value) -> anyhow::Result<&str> {
    message.pointer("/properties/method/const").and_then(Value::as_str).context("a message without a method")
}

/// Name of the definition that this refers to.
fn target(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

fn is_type(schema: &Value, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{differences, positions};

    #[test]
    fn the_list_is_compared_both_ways() {
        let derived = ["a", "b"].map(str::to_owned).into();
        let cases = [("# head\na\nb\n", 0), ("a\n", 1), ("a\nb\nc\n", 1), ("", 2)];
        for (committed, expected) in cases {
            assert_eq!(differences(committed, &derived).len(), expected, "{committed}");
        }
    }

    #[test]
    fn strings_are_found_in_every_form_of_a_schema() {
        let block = |kind: &str| json!({"properties": {"type": {"const": kind, "type": "string"}}});
        let cases = [
            ("a string", json!({"type": "string"}), vec!["/a"]),
            ("a number", json!({"type": "number"}), vec![]),
            ("string or number", json!({"type": ["string", "number"]}), vec!["/a"]),
            ("anything", json!({}), vec!["/a/*"]),
            ("a list", json!({"type": "array", "items": {"type": "string"}}), vec!["/a/[]"]),
            ("a map", json!({"type": "object", "additionalProperties": {"type": "string"}}), vec!["/a/*"]),
            (
                "blocks",
                json!({"anyOf": [block("text"), block("image")]}),
                vec!["/a/type=image/type", "/a/type=text/type"],
            ),
            (
                "named members of what others add to",
                json!({"properties": {"_meta": {"properties": {"b": {"type": "string"}}}}}),
                vec!["/a/_meta/*/*", "/a/_meta/b"],
            ),
            ("itself", json!({"$ref": "#/definitions/Tree"}), vec!["/a/name"]),
        ];
        for (name, schema, expected) in cases {
            let schema = json!({"definitions": {
                "ServerNotification": {"anyOf": [{"$ref": "#/definitions/Note"}]},
                "Note": {"properties": {
                    "method": {"const": "note"},
                    "params": {"properties": {"a": schema}},
                }},
                "Tree": {"properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/definitions/Tree"}},
                }},
            }});
            let expected: Vec<String> =
                expected.iter().map(|path| format!("note notification down /params{path}")).collect();
            assert_eq!(positions(&schema).unwrap().into_iter().collect::<Vec<_>>(), expected, "{name}");
        }
    }
}
