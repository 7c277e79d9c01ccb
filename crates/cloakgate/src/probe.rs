//! Tries one server of a configuration, through the gateway itself.
//!
//! In: a configuration with one server. Out: what it said of itself, or that it does not serve. Invariant: the
//! server is started as the gateway would start it and is gone afterwards; nothing of its data is shown.

use anyhow::Context;
use cloakgate_gateway::Gateway;
use cloakgate_gateway::config::Config;
use cloakgate_names::Readers;
use cloakgate_wire::{Frame, FrameReader};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};

/// Bytes under way between the probe and the gateway.
const PIPE_BYTES: usize = 64 << 10;
const PROTOCOL_VERSION: &str = "2025-11-25";

/// What a server has on offer.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Offer {
    /// The lists that it has, with the number of their entries.
    pub(crate) lists: Vec<(&'static str, usize)>,
}

/// Starts the server, shakes hands and counts what it lists.
///
/// # Errors
/// When it does not start, or does not answer.
pub(crate) async fn probe(config: Config, readers: Readers) -> anyhow::Result<Offer> {
    let max_bytes = config.max_message_bytes;
    let (near, far) = tokio::io::duplex(PIPE_BYTES);
    let (gateway_reader, gateway_writer) = tokio::io::split(far);
    let gateway = Gateway::with_readers(config, readers)?;
    let gateway = tokio::spawn(gateway.serve(gateway_reader, gateway_writer));
    let (reader, writer) = tokio::io::split(near);
    let talk = Talk { frames: FrameReader::new(reader, max_bytes), writer, next_id: 1 };
    // The talk takes both ends of the pipe with it, so the gateway sees its client leave and ends the server.
    let offer = talk.converse().await;
    let ended = gateway.await.context("the gateway has stopped")?;
    // The gateway's own reason says more than the missing answer that it led to.
    ended?;
    offer
}

struct Talk {
    frames: FrameReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next_id: u64,
}

impl Talk {
    async fn converse(mut self) -> anyhow::Result<Offer> {
        let client = json!({"name": "cloakgate check", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client});
        let answer = self.ask("initialize", &hello).await?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        let mut offer = Offer::default();
        for list in ["tools", "prompts", "resources"] {
            if answer.pointer(&format!("/capabilities/{list}")).is_some() {
                let listed = self.ask(&format!("{list}/list"), &json!({})).await?;
                offer.lists.push((list, listed.get(list).and_then(Value::as_array).map_or(0, Vec::len)));
            }
        }
        Ok(offer)
    }

    /// Asks and gives the result. Only one question is open at a time, so the next answer belongs to it.
    async fn ask(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        while let Some(frame) = self.frames.next().await? {
            let Frame::Message(message) = frame else { continue };
            let mut message: Value = serde_json::from_slice(&message)?;
            if let Some(error) = message.pointer("/error/message").and_then(Value::as_str) {
                anyhow::bail!("{method} was refused: {error}");
            }
            if let Some(result) = message.get_mut("result") {
                return Ok(result.take());
            }
        }
        anyhow::bail!("no answer to {method}")
    }

    async fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        // The gateway may have given up already; what it says then is worth more than a broken pipe.
        self.writer.write_all(format!("{message}\n").as_bytes()).await.context("the gateway has left")
    }
}
