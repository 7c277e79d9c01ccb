//! Where an answer goes: straight to the client, or into the one answer of a batch.
//!
//! In: answers, from any task. Out: messages for the client. Invariant: the answers of a batch leave as one array, once
//! all of its requests have ended; a request that was called off leaves no answer, and a batch without answers is
//! not answered. What is gathered is bounded: an answer that is too much is replaced by an error. Not here: reading
//! batches.

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_mcp::RawId;
use cloakgate_mcp::errors::{self, Code};
use tokio::sync::mpsc;

use crate::outbox::Outbox;

/// Messages that a batch may have.
pub(crate) const MAX_BATCH: usize = 256;

/// Takes the answers to one message or to one batch. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Desk {
    /// Each answer is a message.
    Single(Outbox),
    /// The answers are one message.
    Batch(mpsc::Sender<(RawId, Cloaked<Bytes>)>),
}

impl Desk {
    /// Hands in the answer to the request with this id.
    pub(crate) async fn answer(&self, id: &RawId, message: Cloaked<Bytes>) {
        match self {
            Self::Single(outbox) => outbox.send(message).await,
            Self::Batch(batch) => {
                // Nobody gathers any more when the session has ended.
                let _ended = batch.send((id.clone(), message)).await;
            }
        }
    }

    /// Hands in the answer to a `ping`, which overtakes others where it can.
    pub(crate) async fn answer_first(&self, id: &RawId, message: Cloaked<Bytes>) {
        match self {
            Self::Single(outbox) => outbox.send_first(message).await,
            Self::Batch(_) => self.answer(id, message).await,
        }
    }
}

/// A desk for a batch, and the other end of it.
pub(crate) fn desk() -> (Desk, Gatherer) {
    let (sender, answers) = mpsc::channel(MAX_BATCH);
    (Desk::Batch(sender), Gatherer { answers })
}

/// Gathers the answers of a batch.
#[derive(Debug)]
pub(crate) struct Gatherer {
    answers: mpsc::Receiver<(RawId, Cloaked<Bytes>)>,
}

impl Gatherer {
    /// Waits until every desk of the batch is gone, and gives the answer, if there is one.
    pub(crate) async fn gathered(mut self, max_bytes: usize) -> Option<Cloaked<Bytes>> {
        let mut parts = Vec::new();
        let mut bytes = 0usize;
        while let Some((id, answer)) = self.answers.recv().await {
            let mut answer = answer;
            if bytes.saturating_add(answer.bytes().len()) > max_bytes {
                let text =
                    "the answers of the batch are longer than a message may be: ask for this one alone";
                answer = Cloaked::authored(errors::error(&id, Code::Internal, text));
            }
            bytes = bytes.saturating_add(answer.bytes().len());
            parts.push(Cloaked::authored(if parts.is_empty() { "[" } else { "," }));
            parts.push(answer);
        }
        if parts.is_empty() {
            return None;
        }
        parts.push(Cloaked::authored("]"));
        Some(Cloaked::concat(&parts))
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_cloak::Cloaked;
    use cloakgate_mcp::RawId;

    use super::desk;

    #[tokio::test]
    async fn answers_are_gathered_until_the_last_request_has_ended() {
        let (desk, gatherer) = desk();
        let called_off = desk.clone();
        desk.answer(&RawId::own(2), Cloaked::authored("{\"id\":2}")).await;
        desk.answer(&RawId::own(1), Cloaked::authored(format!("{{\"x\":\"{}\"}}", "y".repeat(100)))).await;
        drop((desk, called_off));
        let answer = gatherer.gathered(100).await.expect("answers");
        let text = String::from_utf8_lossy(answer.bytes()).into_owned();
        assert!(text.starts_with("[{\"id\":2},{") && text.ends_with("}]"), "{text}");
        assert!(text.contains("\"id\":1,\"error\"") && !text.contains("yyy"), "{text}");
    }

    #[tokio::test]
    async fn a_batch_without_answers_is_not_answered() {
        let (desk, gatherer) = desk();
        drop(desk);
        assert!(gatherer.gathered(100).await.is_none());
    }
}
