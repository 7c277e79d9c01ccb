//! The client's handshake: one for all servers.
//!
//! In: the client's `initialize`. Out: one answer for all servers. Invariant: a server that fails is named in the log and
//! the others serve; where servers speak different versions, the client is answered with the one that it asked for,
//! and each message passes as it is. Not here: the handshake with one server, starting servers.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_mcp::errors::{self, Code};

use crate::capabilities::Capabilities;
use crate::changes::Kind;
use crate::failure::Failure;
use crate::fan_out;
use crate::greeting::{Greeting, has_tasks};
use crate::hello::Hello;
use crate::session::{Call, Session};
use crate::upstream::Upstream;

/// A server with what it said.
type Greeted = (Arc<Upstream>, Arc<Greeting>);

/// The client's answer, and the version in it.
pub(crate) struct Initialized {
    pub(crate) answer: Cloaked<Bytes>,
    pub(crate) version: String,
}

/// Has every server shake hands, and gives the client's answer.
pub(crate) async fn initialize(session: &Arc<Session>, call: &Call) -> Result<Initialized, Failure> {
    let hello = Hello::of(call, &session.hub.settings)?;
    let asked = hello.version.clone();
    session.hub.set_hello(hello);
    let mut greeted: Vec<Greeted> = Vec::new();
    for upstream in &session.upstreams {
        // They shake hands at the same time; here they are only counted.
        if upstream.settled().await
            && let Some(greeting) = upstream.greeting()
        {
            greeted.push((Arc::clone(upstream), greeting));
        }
    }
    if greeted.is_empty() {
        let names = fan_out::names(&session.upstreams);
        return Err(Failure::new(
            Code::Internal,
            format!("cannot serve: no handshake with {names}; see the log"),
        ));
    }
    // Servers that agree are quoted.
    let agreed = greeted.first().map(|(_, greeting)| greeting.version.clone());
    let agreed = agreed.filter(|version| greeted.iter().all(|(_, greeting)| greeting.version == *version));
    let version = agreed.unwrap_or(asked);
    session.hub.set_has_tasks(has_tasks(&version));
    Ok(Initialized { answer: composed(session, call, &version, &greeted), version })
}

/// The client's answer.
fn composed(session: &Session, call: &Call, version: &str, greeted: &[Greeted]) -> Cloaked<Bytes> {
    let mut capabilities = greeted
        .iter()
        .map(|(_, greeting)| greeting.capabilities)
        .fold(Capabilities::default(), Capabilities::merged);
    if !session.hub.has_tasks() {
        capabilities.tasks = None;
    }
    for kind in [Kind::Tools, Kind::Prompts, Kind::Resources] {
        if capabilities.tells_of(kind) {
            session.hub.changes.promise(kind);
        }
    }
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"protocolVersion":{},"capabilities":{},"serverInfo":{{"name":"cloakgate","version":"{}"}}"#,
        call.id,
        errors::quoted(version),
        capabilities.to_json(),
        env!("CARGO_PKG_VERSION"),
    );
    let mut parts = vec![Cloaked::authored(head)];
    let speakers: Vec<_> = greeted
        .iter()
        .filter_map(|(upstream, greeting)| Some((upstream, greeting.instructions.clone()?)))
        .collect();
    let several = speakers.len() > 1;
    for (place, (upstream, text)) in speakers.into_iter().enumerate() {
        parts.push(Cloaked::authored(if place == 0 { r#","instructions":""# } else { r"\n\n" }));
        if several {
            parts.push(Cloaked::authored(format!(r"{}:\n", upstream.name())));
        }
        parts.push(text);
    }
    let speaks = parts.len() > 1;
    parts.push(Cloaked::authored(if speaks { "\"}}" } else { "}}" }));
    Cloaked::concat(&parts)
}
