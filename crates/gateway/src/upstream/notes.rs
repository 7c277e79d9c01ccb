//! Passes on what servers say unasked.
//!
//! In: a server's notifications, in order. Out: cloaked messages for the client, in the same order, and a count of
//! those that were dealt with. Invariant: the count rises for every notification, passed on or not, after it has
//! left; so an answer that waits for the count is never overtaken by what came before it, and never waits for ever.
//! Not here: deciding what a notification's positions get.

use std::sync::Arc;

use cloakgate_mcp::{Envelope, Part};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::Upstream;
use crate::mailbox::Hold;
use crate::message::Message;
use crate::outbox::Outbox;
use crate::passage::{Cloaker, Passage};

/// A notification of a server.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) message: Message,
    /// Keeps the server waiting once too much is under way.
    pub(super) _room: Option<Hold>,
}

/// Where notifications go.
#[derive(Clone, Debug)]
pub(crate) struct Emitter {
    pub(crate) cloaker: Cloaker,
    pub(crate) outbox: Outbox,
}

impl Emitter {
    /// Passes notifications on until the server's listener is gone.
    pub(super) async fn run(
        self,
        upstream: Arc<Upstream>,
        mut notes: mpsc::Receiver<Note>,
        emitted: watch::Sender<u64>,
    ) {
        while let Some(note) = notes.recv().await {
            // A task of its own, so that a fault in one notification costs that one alone. It ends with this one.
            let mut task = JoinSet::new();
            let (emitter, upstream) = (self.clone(), Arc::clone(&upstream));
            task.spawn(async move { emitter.pass_on(&upstream, note).await });
            if let Some(Err(error)) = task.join_next().await {
                tracing::error!(panicked = error.is_panic(), "a notification was not passed on");
            }
            emitted.send_modify(|count| *count += 1);
        }
    }

    async fn pass_on(&self, upstream: &Upstream, note: Note) {
        let Envelope::Notification(notification) = &note.message.envelope else { return };
        let method = notification.method.clone();
        match method.as_str() {
            // It calls off a request of the server, and none of those was passed on.
            "notifications/cancelled" => return,
            "notifications/tools/list_changed" => upstream.tools.forget(),
            "notifications/prompts/list_changed" => upstream.prompts.forget(),
            "notifications/resources/list_changed" => upstream.uris.list_again(),
            _ => {}
        }
        match self.cloaker.down(upstream, note.message, Passage::of(&method, Part::Notification)).await {
            Ok(message) => self.outbox.send(message).await,
            Err(error) => {
                tracing::error!(upstream.name = %upstream.name(), %error, "a notification was not passed on");
            }
        }
    }
}
