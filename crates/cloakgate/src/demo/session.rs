//! A client of the gateway for the demo.
//!
//! In: a pipe to the gateway. Out: results, and every byte that came through the pipe.
//! Invariant: every wait has an end.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines};

/// Longer than the start of a server on a busy machine, shorter than anybody's patience.
const ANSWER: Duration = Duration::from_secs(20);

/// A session of the model's side.
pub(super) struct Session<R, W> {
    lines: Lines<BufReader<R>>,
    writer: W,
    next_id: u64,
    received: String,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Session<R, W> {
    /// Opens a session over a pipe.
    ///
    /// # Errors
    /// When the gateway refuses the handshake.
    pub(super) async fn open(reader: R, writer: W) -> anyhow::Result<Self> {
        let lines = BufReader::new(reader).lines();
        let mut session = Self { lines, writer, next_id: 1, received: String::new() };
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "demo", "version": env!("CARGO_PKG_VERSION")},
        });
        session.request("initialize", params).await?;
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        Ok(session)
    }

    /// Calls a tool of the sample server and returns its result.
    ///
    /// # Errors
    /// When the call is refused or fails.
    pub(super) async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let params = json!({"name": format!("{}__{tool}", super::UPSTREAM), "arguments": arguments});
        let result = self.request("tools/call", params).await?;
        let failed = result.get("isError").and_then(Value::as_bool).unwrap_or_default();
        anyhow::ensure!(!failed, "the call of {tool} was refused");
        Ok(result)
    }

    /// Everything that came through the pipe so far.
    pub(super) fn received(&self) -> &str {
        &self.received
    }

    async fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        let id = json!(self.next_id);
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let line = tokio::time::timeout(ANSWER, self.lines.next_line())
                .await
                .with_context(|| format!("no answer to {method}"))?
                .context("cannot read from the gateway")?
                .context("the gateway has closed the session")?;
            self.received.push_str(&line);
            self.received.push('\n');
            let mut answer: Value = serde_json::from_str(&line).context("the gateway wrote no JSON")?;
            if answer.get("id") == Some(&id) {
                let result = answer.get_mut("result").map(Value::take);
                return result.with_context(|| format!("{method} was answered with an error"));
            }
        }
    }

    async fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let line = format!("{message}\n");
        self.writer.write_all(line.as_bytes()).await.context("cannot write to the gateway")?;
        self.writer.flush().await.context("cannot write to the gateway")
    }
}
