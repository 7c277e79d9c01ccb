//! What the client wants to be told of, so that a server that was restarted can be told again.
//!
//! In: requests that a server has granted. Out: the same requests. Invariant: they are kept as the client wrote them,
//! so no real value is held here, and are restored anew for each use; their number and size are bounded. Not here:
//! routing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cloakgate_mcp::{Envelope, Outcome, Part};

use crate::hub::Hub;
use crate::message::Message;
use crate::passage::Passage;
use crate::upstream::{Link, Question, Upstream};

/// Subscriptions of one server that are remembered.
pub(crate) const MAX_SUBSCRIPTIONS: usize = 10_000;
/// Longest request that is remembered, in bytes.
const MAX_REQUEST_BYTES: usize = 16 << 10;

/// Granted requests by address, as the client writes it.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    granted: Mutex<HashMap<String, Message>>,
}

impl Subscriptions {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Message>> {
        self.granted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers a subscription.
    pub(crate) fn add(&self, address: String, request: Message) {
        let mut granted = self.lock();
        let fits = granted.len() < MAX_SUBSCRIPTIONS && request.bytes.len() <= MAX_REQUEST_BYTES;
        if fits || granted.contains_key(&address) {
            granted.insert(address, request);
        } else {
            tracing::debug!("a subscription is not remembered: it will not outlive its server");
        }
    }

    /// Forgets one.
    pub(crate) fn remove(&self, address: &str) {
        self.lock().remove(address);
    }

    fn all(&self) -> Vec<Message> {
        self.lock().values().cloned().collect()
    }
}

/// Subscribes again to everything, after a restart.
pub(crate) async fn renew(hub: &Hub, upstream: &Upstream, link: &Arc<Link>) {
    for message in upstream.subscriptions.all() {
        let Envelope::Request(request) = &message.envelope else { continue };
        let id = upstream.take_id();
        let edit = message.replaced(request.id_node, id.to_string());
        let method = request.method.clone();
        let passage = Passage::of(&method, Part::Params).with_edits([edit]);
        let Ok(restored) = hub.cloaker.up(upstream, message, passage).await else { continue };
        let reply = link.call(Question::new(id, restored, hub.settings.request_timeout)).await;
        let granted = reply.is_ok_and(|reply| match reply.message.envelope {
            Envelope::Response(response) => matches!(response.outcome, Outcome::Result(_)),
            _ => false,
        });
        if !granted {
            tracing::warn!(upstream.name = %upstream.name(), "a subscription could not be renewed");
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{MAX_SUBSCRIPTIONS, Subscriptions};
    use crate::message::Message;

    #[tokio::test]
    async fn only_so_many_are_remembered() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x:"}}"#;
        let message = Message::read(Bytes::from(text)).await.expect("a message");
        let subscriptions = Subscriptions::default();
        for number in 0..MAX_SUBSCRIPTIONS + 5 {
            subscriptions.add(number.to_string(), message.clone());
        }
        assert_eq!(subscriptions.all().len(), MAX_SUBSCRIPTIONS);
        subscriptions.remove("0");
        assert_eq!(subscriptions.all().len(), MAX_SUBSCRIPTIONS - 1);
        let long = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"x\":\"{}\"}}", "y".repeat(17 << 10));
        let long = Message::read(Bytes::from(long)).await.expect("a message");
        subscriptions.add("long".into(), long);
        assert_eq!(subscriptions.all().len(), MAX_SUBSCRIPTIONS - 1);
    }
}
