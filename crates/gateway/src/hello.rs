//! What the client says about itself, as servers are told it.
//!
//! In: the client's `initialize`. Out: the same request for each server, as often as one is started. Invariant: servers
//! are told no ability that the client did not declare, and none that the gateway cannot pass on. Not here: what
//! servers answer.

use bytes::Bytes;
use cloakgate_cloak::{CloakError, ExactReason, Restored};
use cloakgate_json::{Edit, Kind, NodeId};
use cloakgate_mcp::Revision;
use cloakgate_mcp::errors;

use crate::failure::Failure;
use crate::greeting::has_tasks;
use crate::hub::Settings;
use crate::message::Message;
use crate::session::Call;

/// An ability that needs methods which only one version has.
const TASKS: &str = "tasks";

/// What the client answers.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Abilities {
    pub(crate) sampling: bool,
    pub(crate) elicitation: bool,
    pub(crate) roots: bool,
    pub(crate) tasks: Option<TaskAbilities>,
}

/// What the client does with tasks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TaskAbilities {
    pub(crate) list: bool,
    pub(crate) cancel: bool,
    sampling: bool,
    elicitation: bool,
}

impl Abilities {
    /// Whether the client runs requests of this method as tasks.
    pub(crate) fn runs_as_task(&self, method: &str) -> bool {
        self.tasks.is_some_and(|tasks| match method {
            "sampling/createMessage" => tasks.sampling,
            "elicitation/create" => tasks.elicitation,
            _ => false,
        })
    }
}

/// The client's handshake.
#[derive(Clone, Debug)]
pub(crate) struct Hello {
    message: Message,
    id_node: NodeId,
    edits: Vec<Edit>,
    /// The version that servers are asked for.
    pub(crate) version: String,
    pub(crate) abilities: Abilities,
}

impl Hello {
    /// Reads the client's request.
    pub(crate) fn of(call: &Call, settings: &Settings) -> Result<Self, Failure> {
        let (version_node, asked) = call.text_param(&["protocolVersion"])?;
        let version = version_to_speak(settings, &asked);
        let mut edits = Vec::new();
        if version != asked {
            edits.push(call.message.replaced(version_node, errors::quoted(&version)));
        }
        let mut abilities = Abilities::default();
        if let Some(capabilities) = call.param(&["capabilities"]) {
            let has_tasks = has_tasks(&version);
            abilities = abilities_of(&call.message, capabilities, has_tasks);
            if !has_tasks {
                edits.extend(without_tasks(&call.message, capabilities));
            }
        }
        Ok(Self { message: call.message.clone(), id_node: call.id_node, edits, version, abilities })
    }

    /// The request for one server.
    pub(crate) fn request(&self, id: u64) -> Result<Restored<Bytes>, CloakError> {
        let mut edits = self.edits.clone();
        edits.push(self.message.replaced(self.id_node, id.to_string()));
        edits.sort_by_key(|edit| edit.span);
        // Who the client is and what it speaks are words of the protocol; nothing here was ever cloaked.
        Restored::exact(&self.message.bytes, edits, ExactReason::Contract)
    }
}

/// The version that servers are asked for.
fn version_to_speak(settings: &Settings, asked: &str) -> String {
    let known = asked.parse::<Revision>().is_ok_and(Revision::has_handshake);
    if known || settings.allow_unknown_protocol_version {
        return asked.to_owned();
    }
    tracing::info!("the client asked for a protocol version that the gateway does not know");
    Revision::NEWEST_WITH_HANDSHAKE.as_str().to_owned()
}

fn abilities_of(message: &Message, capabilities: NodeId, has_tasks: bool) -> Abilities {
    let has = |path: &[&str]| {
        let node = message.find(capabilities, path);
        node.is_some_and(|node| message.document.kind(node) == Kind::Object)
    };
    Abilities {
        sampling: has(&["sampling"]),
        elicitation: has(&["elicitation"]),
        roots: has(&["roots"]),
        tasks: (has_tasks && has(&[TASKS])).then(|| TaskAbilities {
            list: has(&[TASKS, "list"]),
            cancel: has(&[TASKS, "cancel"]),
            sampling: has(&[TASKS, "requests", "sampling", "createMessage"]),
            elicitation: has(&[TASKS, "requests", "elicitation", "create"]),
        }),
    }
}

/// The edit that leaves tasks out; the rest keeps its bytes.
fn without_tasks(message: &Message, capabilities: NodeId) -> Option<Edit> {
    let document = &message.document;
    let is_passed_on = |member: &NodeId| {
        let key = document.key(&message.bytes, *member);
        key.is_none_or(|key| key != TASKS)
    };
    let members: Vec<NodeId> = document.children(capabilities).filter(is_passed_on).collect();
    if members.len() == document.children(capabilities).count() {
        return None;
    }
    let mut text = b"{".to_vec();
    for (place, member) in members.into_iter().enumerate() {
        let key = document.key_span(member)?;
        if place > 0 {
            text.push(b',');
        }
        text.extend_from_slice(message.bytes.get(key.range()).unwrap_or_default());
        text.push(b':');
        text.extend_from_slice(&message.raw(member));
    }
    text.push(b'}');
    Some(message.replaced(capabilities, text))
}
