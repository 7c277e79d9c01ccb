//! A server to measure, straight and behind the gateway.

use std::path::{Path, PathBuf};

use anyhow::Context;
use cloakgate_names::Effort;
use serde_json::{Value, json};

use crate::client::Client;

/// Bytes of text in one call.
const CALL_BYTES: usize = 1024;

/// Which way a call takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Route {
    /// To the server itself.
    Straight,
    /// Through the gateway.
    Gateway,
}

/// A server, and the call that is measured.
pub(super) struct Subject {
    pub(super) name: &'static str,
    command: Vec<String>,
    gateway: Vec<String>,
    folder: PathBuf,
    tool: &'static str,
    arguments: Value,
}

impl Subject {
    /// The testkit's echo server, which answers with the text that it is given.
    pub(super) fn echo(binaries: &Path, folder: &Path, names: Effort) -> anyhow::Result<Self> {
        let server = binaries.join(format!("testkit-echo{}", std::env::consts::EXE_SUFFIX));
        let command = vec![server.display().to_string()];
        let call = ("echo server", "echo", json!({"text": ticket()}));
        Self::new(call, command, (binaries, folder), names)
    }

    /// The real filesystem server, which reads a file of the same text.
    pub(super) fn filesystem(binaries: &Path, server: &Path, folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join("ticket.txt");
        std::fs::write(&file, ticket()).context("cannot write the file to read")?;
        let command = vec!["node".to_owned(), server.display().to_string(), folder.display().to_string()];
        let arguments = json!({"path": file.display().to_string()});
        let call = ("filesystem server", "read_text_file", arguments);
        Self::new(call, command, (binaries, folder), Effort::OFF)
    }

    fn new(
        (name, tool, arguments): (&'static str, &'static str, Value),
        command: Vec<String>,
        (binaries, folder): (&Path, &Path),
        names: Effort,
    ) -> anyhow::Result<Self> {
        let (program, rest) = command.split_first().context("no command")?;
        let configuration = json!({
            "upstreams": {"it": {"command": program, "args": rest}},
            "log_level": "error",
            "names": names.to_string(),
        });
        let file = folder.join(format!("{tool}-{names}.json"));
        std::fs::write(&file, configuration.to_string()).context("cannot write the configuration")?;
        let gateway = binaries.join(format!("cloakgate{}", std::env::consts::EXE_SUFFIX));
        let gateway = [gateway, "gateway".into(), "--config".into(), file];
        Ok(Self {
            name,
            gateway: gateway.iter().map(|part| part.display().to_string()).collect(),
            command,
            folder: folder.to_owned(),
            tool,
            arguments,
        })
    }

    /// Starts the process, without a handshake.
    pub(super) fn start(&self, route: Route) -> anyhow::Result<Client> {
        let command = if route == Route::Straight { &self.command } else { &self.gateway };
        Client::start(command, &self.folder, &self.folder.join("errors.txt"))
    }

    /// Starts the process and opens a session.
    pub(super) fn open(&self, route: Route) -> anyhow::Result<Client> {
        let mut client = self.start(route)?;
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "figures", "version": "1.0.0"},
        });
        client.ask(&json!("handshake"), "initialize", &params)?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        client.ask(&json!("list"), "tools/list", &json!({}))?;
        Ok(client)
    }

    /// The line of a call with this id.
    pub(super) fn call(&self, route: Route, id: usize) -> String {
        self.call_with(route, id, &self.arguments)
    }

    /// The line of a call with other arguments.
    pub(super) fn call_with(&self, route: Route, id: usize, arguments: &Value) -> String {
        let prefix = if route == Route::Straight { "" } else { "it__" };
        let params = json!({"name": format!("{prefix}{}", self.tool), "arguments": arguments});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
    }
}

/// A kilobyte of a support ticket with four values in it.
pub(super) fn ticket() -> String {
    let head = "Ticket 4711: customer marie.dubois@example.eu called from +33 6 39 98 12 34 about invoice 2026-118.\n\
                The transfer to DE89 3704 0044 0532 0130 00 came back; the card 4111 1111 1111 1111 was tried next.\n";
    let body = "The agent looked at the log of build 1.30.2, found the request 6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b \
                and told the customer to wait for the next run of the job on port 8080. ";
    let mut text = String::from(head);
    text.extend(body.chars().cycle().take(CALL_BYTES.saturating_sub(head.len())));
    text
}

/// Text of so many bytes, or a little more, that nobody has read before: sentences of everyday words with a name in
/// every fourth, another text for every `seed`.
pub(super) fn prose(bytes: usize, seed: usize) -> String {
    const WORDS: &[&str] = &[
        "the",
        "order",
        "was",
        "sent",
        "to",
        "a",
        "small",
        "office",
        "near",
        "our",
        "old",
        "building",
        "and",
        "nobody",
        "asked",
        "about",
        "that",
        "report",
        "until",
        "monday",
        "when",
        "three",
        "of",
        "them",
        "called",
        "again",
        "with",
        "questions",
        "on",
        "delivery",
    ];
    const GIVEN: &[&str] =
        &["Anna", "Paul", "Maria", "James", "Elena", "Peter", "Julia", "Robert", "Laura", "Simon"];
    const SURNAMES: &[&str] =
        &["Keller", "Morgan", "Santos", "Bennett", "Fischer", "Moreau", "Rossi", "Carter"];
    let mut state = seed.wrapping_mul(0x9e37_79b9).wrapping_add(1);
    let mut pick = |words: &[&'static str]| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        words.get((state >> 8) % words.len()).copied().unwrap_or_default()
    };
    let mut text = String::with_capacity(bytes + 128);
    let mut sentence = 0;
    while text.len() < bytes {
        text.push_str("Then");
        for place in 0..12 {
            text.push(' ');
            if sentence % 4 == 0 && place == 5 {
                text.extend([pick(GIVEN), " ", pick(SURNAMES), " "]);
            }
            text.push_str(pick(WORDS));
        }
        text.push_str(". ");
        sentence += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{CALL_BYTES, prose, ticket};

    #[test]
    fn the_ticket_is_a_kilobyte() {
        assert_eq!(ticket().len(), CALL_BYTES);
    }

    #[test]
    fn prose_is_another_one_for_each_seed() {
        assert_eq!(prose(500, 3), prose(500, 3));
        assert_ne!(prose(500, 3), prose(500, 4));
        assert!((500..700).contains(&prose(500, 3).len()));
    }
}
