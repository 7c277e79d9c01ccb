//! The one way to the client.
//!
//! In: messages that may leave, from any task. Out: lines, in the order in which they were queued. Invariant: answers
//! to `ping` overtake everything that waits, and nothing else overtakes. Not here: making messages fit to leave.

use std::io;

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_wire::ClientWriter;
use tokio::io::AsyncWrite;
use tokio::sync::mpsc;

use crate::mailbox::{self, Limit, mailbox};

/// What may wait for a client that reads slowly.
const WAITING: Limit = Limit { messages: 1024, bytes: 64 << 20 };
/// Answers to `ping` that may wait. A client that sends more without reading is made to wait itself.
const WAITING_PINGS: usize = 64;

/// Takes messages for the client. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    messages: mailbox::Sender<Cloaked<Bytes>>,
    urgent: mpsc::Sender<Cloaked<Bytes>>,
}

impl Outbox {
    /// Queues a message. Once the client is gone it is dropped: nobody is left to read it.
    pub(crate) async fn send(&self, message: Cloaked<Bytes>) {
        let bytes = message.bytes().len();
        let _gone = self.messages.send(message, bytes).await;
    }

    /// Queues a message before all others.
    pub(crate) async fn send_first(&self, message: Cloaked<Bytes>) {
        let _gone = self.urgent.send(message).await;
    }
}

/// The queue's other end.
#[derive(Debug)]
pub(crate) struct Outgoing {
    messages: mailbox::Receiver<Cloaked<Bytes>>,
    urgent: mpsc::Receiver<Cloaked<Bytes>>,
}

/// A queue towards the client.
pub(crate) fn outbox() -> (Outbox, Outgoing) {
    let (messages, waiting) = mailbox(WAITING);
    let (urgent, waiting_urgent) = mpsc::channel(WAITING_PINGS);
    (Outbox { messages, urgent }, Outgoing { messages: waiting, urgent: waiting_urgent })
}

impl Outgoing {
    /// Writes until every sender is gone, or the client is.
    pub(crate) async fn write_to<W: AsyncWrite + Unpin>(
        mut self,
        mut writer: ClientWriter<W>,
    ) -> io::Result<()> {
        loop {
            tokio::select! {
                biased;
                Some(message) = self.urgent.recv() => writer.send(&message).await?,
                message = self.messages.recv() => match message {
                    Some((message, _room)) => writer.send(&message).await?,
                    None => return writer.close().await,
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_cloak::Cloaked;
    use cloakgate_wire::{ClientWriter, Frame, FrameReader};

    use super::outbox;

    #[tokio::test]
    async fn a_ping_overtakes_what_waits() {
        let (queue, outgoing) = outbox();
        for text in ["[1]", "[2]"] {
            queue.send(Cloaked::authored(text)).await;
        }
        queue.send_first(Cloaked::authored("[0]")).await;
        drop(queue);
        let (near, far) = tokio::io::duplex(64);
        outgoing.write_to(ClientWriter::new(near)).await.expect("the pipe is open");
        let mut frames = FrameReader::new(far, 64);
        for text in ["[0]", "[1]", "[2]"] {
            let frame = frames.next().await.expect("the pipe is open");
            assert_eq!(frame, Some(Frame::Message(text.into())));
        }
    }
}
