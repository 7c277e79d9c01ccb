//! Pairs of `cloak` and `uncloak` a second: a text of 1 KB goes out over HTTP, and what came back is sent for its values.
//!
//! Client, service and database share the cores of this machine. With `--test` it only looks whether it runs.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench ends by them"
)]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/tools/service.rs"]
mod service;

use std::net::SocketAddr;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use self::service::{NATIVE, PATTERNS, PLACEHOLDERS, Service};

/// Connections at once.
const CONNECTIONS: usize = 32;
const PAIRS: usize = 400;

#[tokio::main]
async fn main() {
    let pairs = if std::env::args().any(|argument| argument == "--test") { 1 } else { PAIRS };
    let service = Service::start().await;
    for (name, key, pairs) in [
        ("patterns", PATTERNS, pairs),
        ("names: fast", PLACEHOLDERS, pairs.div_ceil(10)),
        ("native names", NATIVE, pairs.div_ceil(10)),
    ] {
        let started = Instant::now();
        let address = service.address;
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                tokio::spawn(async move {
                    let mut client = Client::connect(address, key).await;
                    for pair in 0..pairs {
                        client.pair(&text(number * pairs + pair)).await;
                    }
                })
            })
            .collect();
        for connection in connections {
            connection.await.expect("all pairs went well");
        }
        let rate = (CONNECTIONS * pairs) as f64 / started.elapsed().as_secs_f64();
        println!("{name:<14} {rate:>8.0} pairs/s");
    }
}

/// About 1 KB with a dozen values.
fn text(number: usize) -> String {
    let mut text =
        format!("Ticket {number}: please look at the account of customer{number}@example.org today.\\n");
    for line in 0..6 {
        text.push_str(&format!(
            "Call +49 30 901820{:02} or write to user{number}.{line}@example.eu about the invoice; the card \
             4111 1111 1111 1111 was used from 203.0.113.{line} and nothing else is known of it so far.\\n",
            line + 10,
        ));
    }
    text
}

/// One connection that is kept.
struct Client {
    stream: TcpStream,
    key: &'static str,
    buffer: Vec<u8>,
}

impl Client {
    async fn connect(address: SocketAddr, key: &'static str) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Self { stream, key, buffer: Vec::with_capacity(16 << 10) }
    }

    /// `text` is the inside of a JSON string.
    async fn pair(&mut self, text: &str) {
        let answer = self.call("cloak", &format!(r#"{{"message":"{text}"}}"#)).await;
        let cloaked = between(&answer, r#""structuredContent":{"result":""#, r#"","id":""#);
        let id = between(&answer, &format!("{cloaked}\",\"id\":\""), "\"");
        assert!(!cloaked.contains("example.org"), "values are gone");
        let back = self.call("uncloak", &format!(r#"{{"message":"{cloaked}","id":"{id}"}}"#)).await;
        assert_eq!(between(&back, r#""structuredContent":{"result":""#, r#"","id":""#), text);
    }

    async fn call(&mut self, tool: &str, arguments: &str) -> String {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        );
        let (key, length) = (self.key, body.len());
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-inc-agentcloak-api-key: {key}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        self.stream.write_all([head, body].concat().as_bytes()).await.expect("written");
        self.buffer.clear();
        loop {
            self.stream.read_buf(&mut self.buffer).await.expect("read");
            let text = std::str::from_utf8(&self.buffer).unwrap_or_default();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length: usize = between(head, "content-length: ", "\r\n").parse().expect("a length");
            if body.len() >= length {
                return body.to_owned();
            }
        }
    }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let Some((_, after)) = text.split_once(start) else { panic!("no {start} in {text}") };
    after.split(end).next().unwrap_or_default()
}
