//! The two ways out: towards the client and towards an upstream.
//!
//! Invariant: nothing leaves that is not proved fit for its receiver; the proof is in the type.
//! Not here: making proofs (`cloak`).

use std::io;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, Restored};
use tokio::io::AsyncWrite;

use crate::lines::LineWriter;

macro_rules! writer {
    ($(#[$doc:meta])* $name:ident takes $proof:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<W>(LineWriter<W>);

        impl<W: AsyncWrite + Unpin> $name<W> {
            /// A writer on `sink`, which needs no buffer of its own.
            pub fn new(sink: W) -> Self {
                Self(LineWriter::new(sink))
            }

            /// Writes one message as one line and flushes. Line ends between the values of a message become
            /// blanks. When the future is dropped half-way, the next call finishes the line first.
            ///
            /// # Errors
            /// What writing to the sink gives; a broken pipe means that the peer has left.
            pub async fn send(&mut self, message: &$proof<Bytes>) -> io::Result<()> {
                self.0.send(message.bytes()).await
            }

            /// Closes the peer's input.
            ///
            /// # Errors
            /// What writing to or closing the sink gives.
            pub async fn close(self) -> io::Result<()> {
                self.0.close().await
            }
        }
    };
}

writer! {
    /// Writes to the client, and so to the model: takes only what was cloaked.
    ClientWriter takes Cloaked
}
writer! {
    /// Writes to an upstream server: takes only what was restored.
    UpstreamWriter takes Restored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn both_writers_write_lines() {
        let (near, far) = tokio::io::duplex(64);
        ClientWriter::new(near).send(&Cloaked::authored("{\"a\":1}")).await.expect("the pipe is open");
        let mut frames = crate::FrameReader::new(far, 64);
        let frame = frames.next().await.expect("the pipe is open");
        assert_eq!(frame, Some(crate::Frame::Message(Bytes::from_static(b"{\"a\":1}"))));

        let (near, far) = tokio::io::duplex(64);
        let mut writer = UpstreamWriter::new(near);
        writer.send(&Restored::authored("[]")).await.expect("the pipe is open");
        writer.close().await.expect("the pipe is open");
        let mut frames = crate::FrameReader::new(far, 64);
        let frame = frames.next().await.expect("the pipe is open");
        assert_eq!(frame, Some(crate::Frame::Message(Bytes::from_static(b"[]"))));
        assert_eq!(frames.next().await.expect("closed in order"), None);
    }
}
