//! The memory server: a graph in a file, which must hold the values and be searched by them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

use super::{Runtime, Server, differing, no_arguments, no_asks};
use crate::acceptance::script::{self, Step};
use crate::acceptance::world::{EMAIL, IBAN, PHONE};

pub(super) const SERVER: Server = Server {
    name: "memory",
    runtime: Runtime::Node { package: "server-memory" },
    arguments: no_arguments,
    environment: |folder| vec![("MEMORY_FILE_PATH".to_owned(), file(folder).display().to_string())],
    says: |planted| [EMAIL, PHONE, IBAN].contains(&planted.text.as_str()),
    plant: |folder| std::fs::write(file(folder), start()).context("cannot plant the graph"),
    steps,
    asks: no_asks,
    left,
};

fn file(folder: &Path) -> PathBuf {
    folder.join("graph.jsonl")
}

fn start() -> String {
    [entity("Supplier", &format!(r#""Mail {EMAIL}","Call {PHONE}""#)), entity("Depot", r#""Opens at eight""#)]
        .join("\n")
}

fn end() -> String {
    [
        entity("Supplier", &format!(r#""Mail {EMAIL}""#)),
        entity("Depot", &format!(r#""Opens at eight","Keys with {EMAIL}""#)),
        entity("Carrier", &format!(r#""Reminders to {EMAIL}","Transfer to {IBAN}""#)),
        r#"{"type":"relation","from":"Carrier","to":"Supplier","relationType":"delivers for"}"#.to_owned(),
    ]
    .join("\n")
}

fn entity(name: &str, observations: &str) -> String {
    format!(r#"{{"type":"entity","name":"{name}","entityType":"company","observations":[{observations}]}}"#)
}

fn steps(_: &Path) -> Vec<Step> {
    let observations = json!([format!("Reminders to {EMAIL}"), format!("Transfer to {IBAN}")]);
    let carrier = json!({"name": "Carrier", "entityType": "company", "observations": observations});
    let keys = json!({"entityName": "Depot", "contents": [format!("Keys with {EMAIL}")]});
    let gone = json!({"entityName": "Supplier", "observations": [format!("Call {PHONE}")]});
    let relation = json!({"from": "Carrier", "to": "Supplier", "relationType": "delivers for"});
    let nobody = json!({"entityName": EMAIL, "contents": ["nobody"]});
    vec![
        script::tools_list("memory"),
        call("read_graph", json!({})),
        call("search_nodes", json!({ "query": EMAIL })),
        call("create_entities", json!({ "entities": [carrier] })),
        call("add_observations", json!({ "observations": [keys] })),
        call("add_observations", json!({ "observations": [nobody] })),
        call("create_relations", json!({ "relations": [relation] })),
        call("search_nodes", json!({ "query": PHONE })),
        call("delete_observations", json!({ "deletions": [gone] })),
        call("search_nodes", json!({ "query": PHONE })),
        call("open_nodes", json!({ "names": ["Carrier", "Supplier"] })),
        call("read_graph", json!({})),
    ]
}

fn call(tool: &str, arguments: Value) -> Step {
    script::tool_call("memory", tool, arguments)
}

fn left(folder: &Path) -> anyhow::Result<Vec<String>> {
    let found = std::fs::read_to_string(file(folder)).context("cannot read the graph")?;
    Ok(differing("the graph", &end(), found.trim_end()))
}
