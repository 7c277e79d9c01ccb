//! The document that describes the API: OpenAPI 3.1.
//!
//! In: what the handlers say of themselves. Out: JSON. Invariant: what holds for every operation is written here once:
//! who may, what ids are, which faults come in which form.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::access::{Act, act};
use crate::fault::PROBLEM;
use crate::records::Role;
use crate::settings::schema;
use crate::{api, settings};

/// Settings, as they are answered.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(crate) struct CloakSettings {
    id: uuid::Uuid,
}

/// Settings, as they are sent.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(crate) struct CloakSettingsBody {
    id: uuid::Uuid,
}

/// The reference's file of an environment.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(crate) struct EnvironmentFile {
    version: u64,
}

/// Paths that answer faults as the reference does.
const REFERENCE: [&str; 2] = ["/cloak-settings", "/mcp-servers"];
/// Lists that have pages.
const PAGED: [&str; 6] =
    ["/environments", "/countries", "/services", "/cloak-settings", "/mcp-servers", "/mcp-proxies"];

/// True for the paths of the reference, and ours below them.
pub(crate) fn is_reference(path: &str) -> bool {
    REFERENCE.iter().any(|part| path.contains(part))
}

/// The document, as text.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
}

/// The document.
fn document() -> Value {
    let mut document = serde_json::to_value(api::openapi()).unwrap_or_default();
    let Some(members) = document.as_object_mut() else { return document };
    members.insert("openapi".to_owned(), json!("3.1.0"));
    members.insert("info".to_owned(), info());
    members.insert("security".to_owned(), json!([{ "bearer": [] }]));
    members.insert("servers".to_owned(), json!([{ "url": "/" }]));
    if let Some(Value::Object(paths)) = members.get_mut("paths") {
        for (path, methods) in paths.iter_mut() {
            let Value::Object(methods) = methods else { continue };
            for (method, operation) in methods.iter_mut() {
                if let Value::Object(operation) = operation {
                    complete(path, method, operation);
                }
            }
        }
    }
    if let Some(Value::Object(components)) = members.get_mut("components") {
        components.insert(
            "securitySchemes".to_owned(),
            json!({ "bearer": { "type": "http", "scheme": "bearer" } }),
        );
        if let Some(Value::Object(schemas)) = components.get_mut("schemas") {
            close(schemas);
            schemas.insert("Problem".to_owned(), problem());
            schemas.insert("EnvironmentFile".to_owned(), environment_file());
            schemas.insert("CloakSettings".to_owned(), settings_shown());
            schemas.insert("CloakSettingsBody".to_owned(), settings_sent());
        }
    }
    document
}

fn info() -> Value {
    json!({
        "title": "Cloakgate",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Manages what is cloaked, for whom and where. Every operation needs a bearer token. \
                        Texts are cloaked and restored by the MCP tools at `mcp_server_url`, not here.",
        "license": { "name": "MIT", "identifier": "MIT" },
    })
}

/// Adds what holds for every operation.
fn complete(path: &str, method: &str, operation: &mut Map<String, Value>) {
    let method = method.to_ascii_uppercase();
    let mut parameters: Vec<Value> = match operation.remove("parameters") {
        Some(Value::Array(given)) => given.into_iter().filter(|given| given["in"] != "path").collect(),
        _ => Vec::new(),
    };
    for name in path.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
        parameters.push(json!({
            "name": name, "in": "path", "required": true, "schema": { "type": "string", "format": "uuid" },
        }));
    }
    let is_list = method == "GET" && PAGED.iter().any(|list| path.ends_with(list));
    if is_list {
        parameters.push(query(
            "limit",
            &json!({ "type": "integer", "minimum": 1, "maximum": 1000 }),
            "The most records to answer; all where it is not said.",
        ));
        parameters.push(query(
            "cursor",
            &json!({ "type": "string" }),
            "Where to go on, from the header `Link`.",
        ));
    }
    if method == "POST" {
        parameters.push(header(
            "Idempotency-Key",
            &json!({ "type": "string", "minLength": 1, "maxLength": 255 }),
            "The same key and request are done once within a day.",
        ));
    }
    if is_conditional(&method, path) {
        let schema = json!({ "type": "string" });
        parameters.push(header("If-Match", &schema, "The `ETag` that the change is about."));
    }
    if !parameters.is_empty() {
        operation.insert("parameters".to_owned(), json!(parameters));
    }
    let act = act(&method, path);
    if let Some(act) = act {
        let roles: Vec<&str> = Role::ALL.into_iter().filter(|role| role.may(act)).map(Role::name).collect();
        let description = operation.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = format!("{description}\n\nRoles: {}.", roles.join(", "));
        operation.insert("description".to_owned(), json!(description.trim()));
    }
    answers(path, &method, act, operation);
}

/// Adds the faults and the headers of answers.
fn answers(path: &str, method: &str, act: Option<Act>, operation: &mut Map<String, Value>) {
    let kind = if is_reference(path) { "application/json" } else { PROBLEM };
    let has_body = operation.contains_key("requestBody");
    let mut faults = vec![
        ("400", "Something in the request is wrong; `error` says what, and what is allowed."),
        ("401", "There is no token, or it counts no more."),
        ("429", "Too many requests; `Retry-After` says when to come back."),
        ("500", "Something of the service failed."),
        ("503", "The database is busy; `Retry-After` says when to come back."),
    ];
    if act != Some(Act::Read) {
        faults.push(("403", "The token's role may not do this."));
    }
    if path.contains('{') {
        faults.push((
            "404",
            "There is no such thing in this environment, or no such environment for this token.",
        ));
    }
    if has_body || method == "POST" {
        faults.push(("413", "The body is larger than 1 MiB."));
        faults.push(("415", "The body is not sent as JSON."));
    }
    if method != "GET" {
        faults.push((
            "409",
            "The record is in use, or was changed meanwhile, or the key of the request was used.",
        ));
    }
    if is_conditional(method, path) {
        faults.push(("412", "The record is not the one that `If-Match` names."));
    }
    let Some(Value::Object(responses)) = operation.get_mut("responses") else { return };
    for (status, description) in faults {
        let mut response = json!({
            "description": description,
            "content": { kind: { "schema": { "$ref": "#/components/schemas/Problem" } } },
        });
        let extra = match status {
            "401" => Some(("WWW-Authenticate", json!({ "type": "string" }))),
            "429" | "503" => Some(("Retry-After", json!({ "type": "integer", "minimum": 1 }))),
            _ => None,
        };
        if let Some((name, schema)) = extra {
            settings::merge(&mut response, json!({ "headers": { name: { "schema": schema } } }));
        }
        responses.insert(status.to_owned(), response);
    }
}

/// True for a change of a record that has a tag.
fn is_conditional(method: &str, path: &str) -> bool {
    let mut tagged = ["{environment_uuid}", "{cloak_settings_uuid}", "{mcp_server_uuid}"].iter();
    matches!(method, "PATCH" | "PUT" | "DELETE") && tagged.any(|end| path.ends_with(end))
        || path.ends_with("/rotate-key")
}

fn query(name: &str, schema: &Value, description: &str) -> Value {
    json!({ "name": name, "in": "query", "required": false, "schema": schema, "description": description })
}

fn header(name: &str, schema: &Value, description: &str) -> Value {
    json!({ "name": name, "in": "header", "required": false, "schema": schema, "description": description })
}

/// Says of bodies that they have no other keys, and of names that they are not blank.
fn close(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas.iter_mut() {
        let is_body = name.starts_with("New")
            || name.ends_with("Change")
            || name.ends_with("Body")
            || name == "KeyRotation";
        let Value::Object(schema) = schema else { continue };
        if !is_body {
            continue;
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
        if let Some(Value::Object(name)) = schema.get_mut("properties").and_then(|all| all.get_mut("name")) {
            name.insert(
                "pattern".to_owned(),
                json!("^[^\\u0000-\\u001f\\u007f-\\u009f]*\\S[^\\u0000-\\u001f\\u007f-\\u009f]*$"),
            );
        }
    }
}

fn problem() -> Value {
    json!({
        "type": "object",
        "description": "A fault, in the reference's form and as a problem document.",
        "required": ["statusCode", "message", "error", "type", "title", "status", "detail"],
        "properties": {
            "statusCode": { "type": "integer" },
            "message": { "type": "string" },
            "error": {
                "type": "object",
                "required": ["code"],
                "properties": {
                    "code": { "type": "string" },
                    "field": { "type": "string" },
                    "allowed": { "type": "array" },
                    "linked": { "type": "array" },
                },
                "additionalProperties": true,
            },
            "type": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "detail": { "type": "string" },
        },
        "examples": [{
            "statusCode": 400,
            "message": "billing required field",
            "error": { "code": "field", "field": "billing" },
            "type": "about:blank", "title": "Bad Request", "status": 400, "detail": "billing required field",
        }],
    })
}

fn environment_file() -> Value {
    let list =
        json!({ "type": ["array", "null"], "items": { "type": "object", "additionalProperties": true } });
    let cloak =
        json!({ "type": ["object", "null"], "properties": { "mcpServers": list, "mcpProxies": list } });
    let country = json!({ "type": "object", "properties": { "agentCloak": cloak } });
    json!({
        "type": "object",
        "required": ["version"],
        "properties": {
            "version": { "type": "integer", "enum": [1] },
            "environmentId": { "type": ["string", "null"] },
            "activatedCountries": { "type": ["array", "null"] },
            "cloakSettings": list,
            "countries": { "type": ["object", "null"], "additionalProperties": country },
            "policies": {}, "keyMapping": {}, "dataFirewall": {},
        },
        "additionalProperties": false,
    })
}

fn settings_shown() -> Value {
    let mut properties = schema(true);
    settings::merge(
        &mut properties,
        json!({
            "id": { "type": "string", "format": "uuid" },
            "environment_id": { "type": "string", "format": "uuid" },
            "created_at": {
                "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$",
                "description": "UTC, without a zone.",
            },
            "warnings": { "type": "array", "items": { "type": "string" } },
        }),
    );
    json!({
        "type": "object",
        "required": ["id", "environment_id", "created_at", "anonymization_options", "extended_options"],
        "properties": properties,
        "additionalProperties": false,
    })
}

fn settings_sent() -> Value {
    let mut properties = schema(false);
    // What a client was sent it may send back.
    let ignored = json!({ "description": "Ignored." });
    for name in settings::READ_ONLY {
        settings::merge(&mut properties, json!({ name: ignored }));
    }
    json!({
        "type": "object",
        "required": ["anonymization_options"],
        "properties": properties,
        "additionalProperties": false,
        "examples": [{
            "anonymization_options": {
                "name": { "option": "native", "searchable_key": "key2" },
                "location": { "option": "country", "searchable_key": "key6" },
            },
            "prompt_language": "original",
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access;

    #[test]
    fn every_operation_is_documented_and_somebodys() {
        let document = document();
        let paths = document["paths"].as_object().expect("paths");
        let mut documented: Vec<(String, String)> = paths
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods").keys();
                methods.map(|method| (method.to_ascii_uppercase(), path.clone())).collect::<Vec<_>>()
            })
            .collect();
        let mut granted: Vec<(String, String)> =
            access::operations().map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
        documented.sort();
        granted.sort();
        assert_eq!(documented, granted);
    }

    #[test]
    fn references_lead_somewhere() {
        let text = text();
        let document: Value = serde_json::from_str(text).expect("JSON");
        for reference in text.split("\"#/components/schemas/").skip(1) {
            let name = reference.split('"').next().expect("a name");
            assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
        }
        assert_eq!(document["openapi"], "3.1.0");
    }
}
