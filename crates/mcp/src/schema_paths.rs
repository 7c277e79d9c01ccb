//! Lists every string position of a published schema, for tests of the policy table.
//!
//! In: the JSON Schema of one revision, as published. Out: a line for each position: revision, method, part, direction,
//! path; `*` is any member, `[]` any element, `type=x` a block of that type, `~1` a slash in a name. Invariant: a
//! message that the schema has is listed whether the table knows it or not; a type that holds itself is followed
//! once. Not here: files, judging whether a position has a decision.

use std::collections::BTreeSet;

use cloakgate_json::{Document, Kind, NodeId, ScanError};

use crate::revision::Revision;

/// The first lines of a committed list.
pub const STRING_PATHS_HEAD: &str = "\
# Every string position of the published schemas, for each message between client and server:
# revision, method, part, direction, path. `*` is any member, `[]` any element, `type=x` a block of that type.
";

/// Types that may hold any JSON.
const ANYTHING: &[&str] = &["JSONValue", "JSONObject", "JSONArray"];
/// What an error is in every revision.
const ERROR_PATHS: &[&str] = &["/error/data/*", "/error/message"];

/// The lines for one revision, in order.
///
/// # Errors
/// When the schema is no JSON.
pub fn string_paths(revision: Revision, schema: &[u8]) -> Result<Vec<String>, ScanError> {
    let document = cloakgate_json::scan(schema)?;
    let mut walker = Walker { document: &document, bytes: schema, types: NodeId::ROOT };
    let Some(types) = walker.at(NodeId::ROOT, "$defs").or_else(|| walker.at(NodeId::ROOT, "definitions"))
    else {
        return Ok(Vec::new());
    };
    walker.types = types;
    let mut lines = BTreeSet::new();
    for node in document.children(types) {
        let Some(name) = document.key(schema, node) else { continue };
        let method = walker.path(node, &["properties", "method", "const"]);
        let Some(method) = method.and_then(|method| document.text(schema, method)) else { continue };
        let message = Message { revision, name: &name, method: &method };
        if let Some(base) = name.strip_suffix("Request") {
            walker.request(&message, node, base, &mut lines);
        } else if name.ends_with("Notification") {
            walker.notification(&message, node, &mut lines);
        }
    }
    Ok(lines.into_iter().collect())
}

/// A message type.
struct Message<'a> {
    revision: Revision,
    name: &'a str,
    method: &'a str,
}

impl Message<'_> {
    fn line(&self, part: &str, direction: &str, path: &str) -> String {
        format!("{} {} {part} {direction} {path}", self.revision, self.method)
    }
}

struct Walker<'a> {
    document: &'a Document,
    bytes: &'a [u8],
    types: NodeId, // the object of all types
}

impl Walker<'_> {
    fn at(&self, node: NodeId, name: &str) -> Option<NodeId> {
        self.document.member(self.bytes, node, name)
    }

    fn path(&self, node: NodeId, names: &[&str]) -> Option<NodeId> {
        names.iter().try_fold(node, |at, name| self.at(at, name))
    }

    fn text(&self, node: NodeId) -> Option<String> {
        self.document.text(self.bytes, node).map(std::borrow::Cow::into_owned)
    }

    /// The name of the type that a schema refers to.
    fn reference(&self, schema: NodeId) -> Option<String> {
        let text = self.text(self.at(schema, "$ref")?)?;
        text.rsplit('/').next().map(ToOwned::to_owned)
    }

    /// Whether a message is one of a union of types, or the only one of it.
    fn is_in(&self, message: &Message<'_>, union: &str) -> bool {
        let Some(union) = self.at(self.types, union) else { return false };
        let Some(members) = self.at(union, "anyOf") else {
            let method = self.path(union, &["properties", "method", "const"]);
            return method
                .and_then(|method| self.text(method))
                .is_some_and(|method| method == message.method);
        };
        self.document
            .children(members)
            .any(|member| self.reference(member).is_some_and(|name| name == message.name))
    }

    fn request(&self, message: &Message<'_>, node: NodeId, base: &str, lines: &mut BTreeSet<String>) {
        let ways = [
            (self.is_in(message, "ClientRequest"), "up", "down"),
            (self.is_in(message, "ServerRequest"), "down", "up"),
        ];
        let results = self.results(node, base);
        for (_, there, back) in ways.into_iter().filter(|(is_sent, _, _)| *is_sent) {
            if let Some(params) = self.path(node, &["properties", "params"]) {
                self.emit(message, ("params", there, "/params"), params, lines);
            }
            // A server that asks whether we are there is answered by the gateway itself.
            if (message.method, back) == ("ping", "up") {
                continue;
            }
            for result in &results {
                self.emit(message, ("result", back, "/result"), *result, lines);
            }
            lines.extend(ERROR_PATHS.iter().map(|path| message.line("error", back, path)));
        }
    }

    /// What a request may be answered with: its own result, and what stands in its place until that is there.
    fn results(&self, node: NodeId, base: &str) -> Vec<NodeId> {
        let of_type = |name: &str| self.at(self.types, name);
        let response = of_type(&format!("{base}ResultResponse"));
        let own = response
            .and_then(|response| self.path(response, &["properties", "result"]))
            .or_else(|| of_type(&format!("{base}Result")))
            .or_else(|| of_type("EmptyResult"))
            .or_else(|| of_type("Result"));
        let params = self.path(node, &["properties", "params"]);
        let may_be_task = params.is_some_and(|params| self.names(params, "task"));
        own.into_iter().chain(of_type("CreateTaskResult").filter(|_| may_be_task)).collect()
    }

    /// Whether a type, or one of a union, names a member.
    fn names(&self, schema: NodeId, member: &str) -> bool {
        let target = self.reference(schema).and_then(|name| self.at(self.types, &name));
        let union = self.at(schema, "anyOf");
        self.path(schema, &["properties", member]).is_some()
            || target.is_some_and(|target| self.names(target, member))
            || union
                .is_some_and(|union| self.document.children(union).any(|schema| self.names(schema, member)))
    }

    fn notification(&self, message: &Message<'_>, node: NodeId, lines: &mut BTreeSet<String>) {
        let Some(params) = self.path(node, &["properties", "params"]) else { return };
        for (sender, direction) in [("ServerNotification", "down"), ("ClientNotification", "up")] {
            if self.is_in(message, sender) {
                self.emit(message, ("notification", direction, "/params"), params, lines);
            }
        }
    }

    fn emit(
        &self,
        message: &Message<'_>,
        (part, direction, root): (&str, &str, &str),
        schema: NodeId,
        lines: &mut BTreeSet<String>,
    ) {
        let mut paths = BTreeSet::new();
        self.walk(schema, "", &mut Vec::new(), &mut paths);
        // Members that the schema does not name are what the fallback is for.
        let paths = paths.iter().filter(|path| *path != "/*/*");
        lines.extend(paths.map(|path| message.line(part, direction, &format!("{root}{path}"))));
    }

    /// Adds the strings of a schema below `path`. `seen` are the types that it stands in.
    fn walk(&self, schema: NodeId, path: &str, seen: &mut Vec<String>, paths: &mut BTreeSet<String>) {
        let is_open = self.document.children(schema).next().is_none();
        if self.document.kind(schema) != Kind::Object || is_open {
            paths.insert(format!("{path}/*"));
            return;
        }
        if let Some(name) = self.reference(schema) {
            if ANYTHING.contains(&name.as_str()) {
                paths.insert(format!("{path}/*"));
            } else if seen.iter().filter(|other| **other == name).count() < 2
                && let Some(target) = self.at(self.types, &name)
            {
                seen.push(name);
                self.walk(target, path, seen, paths);
                seen.pop();
            }
            return;
        }
        let unions: Vec<NodeId> =
            ["anyOf", "oneOf", "allOf"].iter().filter_map(|union| self.at(schema, union)).collect();
        for union in &unions {
            for member in self.document.children(*union) {
                self.walk(member, path, seen, paths);
            }
        }
        let constant = self.at(schema, "const");
        let is_text = |node: NodeId| self.document.kind(node) == Kind::String;
        if self.has_type(schema, "string") || constant.is_some_and(is_text) {
            paths.insert(path.to_owned());
        }
        let properties = self.at(schema, "properties");
        let says_nothing = unions.is_empty() && constant.is_none() && properties.is_none();
        if self.at(schema, "type").is_none() && says_nothing {
            paths.insert(format!("{path}/*"));
        }
        if self.has_type(schema, "array") {
            match self.at(schema, "items") {
                Some(items) => self.walk(items, &format!("{path}/[]"), seen, paths),
                None => drop(paths.insert(format!("{path}/[]/*"))),
            }
        }
        self.walk_members(schema, path, seen, paths);
    }

    fn walk_members(&self, schema: NodeId, path: &str, seen: &mut Vec<String>, paths: &mut BTreeSet<String>) {
        if let Some(properties) = self.at(schema, "properties") {
            let kind = self.path(properties, &["type", "const"]).and_then(|kind| self.text(kind));
            let base = match kind.filter(|_| path.contains("content")) {
                Some(kind) => format!("{path}/type={kind}"),
                None => path.to_owned(),
            };
            for member in self.document.children(properties) {
                let Some(key) = self.document.key(self.bytes, member) else { continue };
                let key = key.replace('~', "~0").replace('/', "~1");
                self.walk(member, &format!("{base}/{key}"), seen, paths);
            }
        }
        let others = self.at(schema, "additionalProperties");
        if let Some(others) = others.filter(|others| self.document.kind(*others) != Kind::False) {
            self.walk(others, &format!("{path}/*"), seen, paths);
        }
    }

    fn has_type(&self, schema: NodeId, wanted: &str) -> bool {
        let Some(node) = self.at(schema, "type") else { return false };
        let is_it = |node| self.text(node).is_some_and(|text| text == wanted);
        is_it(node) || self.document.children(node).any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::string_paths;
    use crate::revision::Revision;

    #[test]
    fn positions_are_listed_for_each_message_and_way() {
        let schema = br##"{"$defs": {
            "AskRequest": {"properties": {"method": {"const": "a/b"}, "params": {"properties": {
                "n": {"type": "integer"}, "text/x": {"type": "string"}, "any": {}, "list": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}}},
            "AskResult": {"properties": {"content": {"anyOf": [{"$ref": "#/$defs/Block"}]}}, "additionalProperties": {}},
            "Block": {"properties": {"type": {"const": "text"}, "text": {"type": ["string", "null"]}}},
            "Node": {"properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}}},
            "ToldNotification": {"properties": {"method": {"const": "told"}, "params": {"additionalProperties": {"type": "string"}}}},
            "ClientRequest": {"anyOf": [{"$ref": "#/$defs/AskRequest"}]},
            "ServerNotification": {"anyOf": [{"$ref": "#/$defs/ToldNotification"}]}
        }}"##;
        assert_eq!(
            string_paths(Revision::V2025_06_18, schema).expect("JSON"),
            [
                "2025-06-18 a/b error down /error/data/*",
                "2025-06-18 a/b error down /error/message",
                "2025-06-18 a/b params up /params/any/*",
                "2025-06-18 a/b params up /params/list/[]/name",
                "2025-06-18 a/b params up /params/list/[]/next/name",
                "2025-06-18 a/b params up /params/text~1x",
                "2025-06-18 a/b result down /result/content/type=text/text",
                "2025-06-18 a/b result down /result/content/type=text/type",
                "2025-06-18 told notification down /params/*",
            ]
        );
    }
}
