//! The handshake with one server.
//!
//! In: a fresh connection and what the client said. Out: what the server can do and says of itself. Invariant:
//! instructions reach the client cloaked or not at all. Not here: the client's own handshake.

use bytes::Bytes;
use cloakgate_cloak::{CloakError, Cloaked};
use cloakgate_json::NodeId;
use cloakgate_mcp::{Envelope, Outcome, Part, Revision};
use cloakgate_vocab::Span;

use crate::capabilities::Capabilities;
use crate::hello::Hello;
use crate::hub::Hub;
use crate::passage::Passage;
use crate::upstream::{CallError, Down, GivingUp, Link, Question, Reply, Upstream};

/// What a server said in its handshake.
#[derive(Debug)]
pub(crate) struct Greeting {
    pub(crate) version: String,
    pub(crate) capabilities: Capabilities,
    /// Inside of a JSON string.
    pub(crate) instructions: Option<Cloaked<Bytes>>,
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GreetError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("it refused the handshake, with code {0}")]
    Refused(String),
    #[error("its answer to the handshake lacks `{0}`")]
    Lacks(&'static str),
    #[error("it speaks a protocol version that the gateway does not")]
    Version,
    #[error("the client's handshake cannot be passed on")]
    Request(#[from] CloakError),
}

impl GreetError {
    /// What the client reads of it.
    pub(crate) fn down(&self) -> Down {
        match self {
            Self::Version => Down::Version,
            _ => Down::Handshake,
        }
    }
}

/// Shakes hands.
pub(crate) async fn greet(
    hub: &Hub,
    upstream: &Upstream,
    link: &Link,
    hello: &Hello,
) -> Result<Greeting, GreetError> {
    let id = upstream.take_id();
    let mut question = Question::new(id, hello.request(id)?, upstream.terms.startup_timeout);
    question.giving_up = GivingUp::Silent;
    let reply = link.call(question).await?;
    let message = &reply.message;
    let Envelope::Response(response) = &message.envelope else { return Err(CallError::Unreadable.into()) };
    let result = match response.outcome {
        Outcome::Result(result) => result,
        Outcome::Error(error) => {
            let code = message.find(error, &["code"]).map(|code| message.raw(code)).unwrap_or_default();
            // Digits only: the rest of an error may quote anything.
            let code = code.iter().filter(|byte| byte.is_ascii_digit() || **byte == b'-').take(12);
            return Err(GreetError::Refused(code.map(|byte| char::from(*byte)).collect()));
        }
    };
    let version =
        message.text_at(result, &["protocolVersion"]).ok_or(GreetError::Lacks("protocolVersion"))?;
    let (version, asked) = (version.into_owned(), hello.version.as_str());
    let known = version.parse::<Revision>().is_ok_and(Revision::has_handshake);
    if !known && version != asked && !hub.settings.allow_unknown_protocol_version {
        return Err(GreetError::Version);
    }
    if version != asked && known {
        tracing::info!(
            upstream.name = %upstream.name(),
            protocol.asked = asked,
            protocol.version = version,
            "the server speaks another protocol version than the client; messages pass as they are"
        );
    }
    let capabilities = message.find(result, &["capabilities"]).ok_or(GreetError::Lacks("capabilities"))?;
    let mut capabilities = Capabilities::read(message, capabilities);
    if !has_tasks(&version) {
        capabilities.tasks = None;
    }
    let instructions = match message.find(result, &["instructions"]) {
        Some(_) => instructions(hub, upstream, &reply).await,
        None => None,
    };
    Ok(Greeting { version, capabilities, instructions })
}

/// Whether a version has tasks.
pub(crate) fn has_tasks(version: &str) -> bool {
    version.parse().is_ok_and(Revision::has_tasks)
}

/// The instructions as the model may see them, or none where that cannot be had.
async fn instructions(hub: &Hub, upstream: &Upstream, reply: &Reply) -> Option<Cloaked<Bytes>> {
    let passage = Passage::of("initialize", Part::Result);
    let cloaked = match hub.cloaker.down(upstream, reply.message.clone(), passage).await {
        Ok(cloaked) => cloaked,
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "the server's instructions are withheld");
            return None;
        }
    };
    let document = cloakgate_json::scan(cloaked.bytes()).ok()?;
    let result = document.member(cloaked.bytes(), NodeId::ROOT, "result")?;
    let text = document.member(cloaked.bytes(), result, "instructions")?;
    if document.kind(text) != cloakgate_json::Kind::String {
        return None;
    }
    let quoted = document.span(text);
    cloaked.part(Span::new(quoted.start() + 1, quoted.end() - 1)?).filter(|text| !text.bytes().is_empty())
}
