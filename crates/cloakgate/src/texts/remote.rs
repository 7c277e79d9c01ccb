//! Sessions of a server: the tools `cloak` and `uncloak`, called as the reference's clients call them.
//!
//! Invariant: redirects are not followed: a key goes where the operator sent it and nowhere else.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::Answer;

/// Where the server is.
const URL_VARIABLE: &str = "INC_MCP_URL";
/// Its key.
const KEY_VARIABLE: &str = "INC_MCP_API_KEY";
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Calls a tool and returns its text.
///
/// # Errors
/// When a variable is missing, the server does not answer, or it refuses.
pub(crate) fn call(tool: &str, arguments: &Map<String, Value>) -> anyhow::Result<Answer> {
    let url = variable(URL_VARIABLE)?;
    let key = variable(KEY_VARIABLE)?;
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ask(&url, &key, tool, arguments))
}

async fn ask(url: &str, key: &str, tool: &str, arguments: &Map<String, Value>) -> anyhow::Result<Answer> {
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build()?;
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    });
    let sent = client
        .post(url)
        .header("x-inc-agentcloak-api-key", key)
        .header("accept", "application/json")
        .json(&request)
        .send()
        .await;
    let answer = sent.map_err(reqwest::Error::without_url).context("the server does not answer")?;
    let status = answer.status();
    let body: Value = answer.json().await.map_err(reqwest::Error::without_url).unwrap_or_default();
    if status == 403 {
        anyhow::bail!("the server refuses the key of {KEY_VARIABLE}");
    }
    if let Some(message) = body.pointer("/error/message").and_then(Value::as_str) {
        anyhow::bail!("the server says: {message}");
    }
    if body.pointer("/result/isError").and_then(Value::as_bool) == Some(true) {
        let said = body.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or("it failed");
        anyhow::bail!("the server says: {said}");
    }
    let text =
        |name: &str| body.pointer(&format!("/result/structuredContent/{name}")).and_then(Value::as_str);
    let result = text("result").with_context(|| format!("the server answered {status} without a text"))?;
    let unresolved = body.pointer("/result/_meta").and_then(find_unresolved).unwrap_or(0);
    Ok(Answer { text: result.to_owned(), id: text("id").map(str::to_owned), unresolved })
}

/// The count of what was left, under whatever prefix the server has for its own names.
fn find_unresolved(meta: &Value) -> Option<u64> {
    let Value::Object(members) = meta else { return None };
    members.iter().find_map(|(name, value)| {
        if name.ends_with("unresolved") { value.as_u64() } else { find_unresolved(value) }
    })
}

fn variable(name: &str) -> anyhow::Result<String> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.with_context(|| format!("{name} is not set; `cloakgate serve` prints it on its first start"))
}
