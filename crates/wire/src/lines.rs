//! Writes messages as lines, each with as few writes as the sink allows.
//!
//! Invariant: one message is one line, whatever it held; a message whose writing was interrupted is finished
//! before the next begins, so a dropped future never leaves half a line in front of another message.
//! Not here: what may be written (`writer`).

use std::io;

use bytes::buf::Chain;
use bytes::{Buf, Bytes};
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// Messages up to this length are copied behind one another with their line end and leave in one plain write;
/// longer ones leave uncopied, in a vectored write where the sink has it.
const COPIED_BYTES: usize = 16 << 10;
const LINE_END: &[u8] = b"\n";

/// Writes lines to `W`.
#[derive(Debug)]
pub(crate) struct LineWriter<W> {
    sink: W,
    unsent: Chain<Bytes, Bytes>,
}

impl<W: AsyncWrite + Unpin> LineWriter<W> {
    pub(crate) fn new(sink: W) -> Self {
        Self { sink, unsent: Bytes::new().chain(Bytes::new()) }
    }

    /// Writes one message and its line end and flushes.
    pub(crate) async fn send(&mut self, message: &Bytes) -> io::Result<()> {
        self.write_unsent().await?;
        self.unsent = line_of(message);
        self.write_unsent().await?;
        self.sink.flush().await
    }

    /// Finishes what is under way and closes the sink.
    pub(crate) async fn close(mut self) -> io::Result<()> {
        self.write_unsent().await?;
        self.sink.shutdown().await
    }

    async fn write_unsent(&mut self) -> io::Result<()> {
        // `write_all_buf` moves the buffer on with every byte that left, so this may be dropped and resumed.
        self.sink.write_all_buf(&mut self.unsent).await
    }
}

fn line_of(message: &Bytes) -> Chain<Bytes, Bytes> {
    let message = on_one_line(message);
    if message.len() > COPIED_BYTES {
        return message.chain(Bytes::from_static(LINE_END));
    }
    let mut line = Vec::with_capacity(message.len() + LINE_END.len());
    line.extend_from_slice(&message);
    line.extend_from_slice(LINE_END);
    Bytes::from(line).chain(Bytes::new())
}

/// A line end inside JSON can only be a blank between two values: a blank says the same on one line.
fn on_one_line(message: &Bytes) -> Bytes {
    if memchr::memchr2(b'\n', b'\r', message).is_none() {
        return message.clone();
    }
    message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use super::*;

    /// Counts writes and flushes.
    #[derive(Default)]
    struct Counted {
        bytes: Vec<u8>,
        writes: usize,
        flushes: usize,
    }

    impl AsyncWrite for Counted {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
            self.writes += 1;
            self.bytes.extend_from_slice(data);
            Poll::Ready(Ok(data.len()))
        }

        fn poll_write_vectored(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            pieces: &[io::IoSlice<'_>],
        ) -> Poll<io::Result<usize>> {
            self.writes += 1;
            let before = self.bytes.len();
            pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
            Poll::Ready(Ok(self.bytes.len() - before))
        }

        fn is_write_vectored(&self) -> bool {
            true
        }

        fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.flushes += 1;
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[tokio::test]
    async fn a_message_is_one_write_and_one_flush() {
        for length in [0, 1, COPIED_BYTES, COPIED_BYTES + 1, 1 << 20] {
            let mut writer = LineWriter::new(Counted::default());
            writer.send(&Bytes::from(vec![b'x'; length])).await.expect("a vector takes everything");
            assert_eq!((writer.sink.writes, writer.sink.flushes), (1, 1), "{length}");
            assert_eq!(writer.sink.bytes.len(), length + 1);
            assert_eq!(writer.sink.bytes.last(), Some(&b'\n'));
        }
    }

    #[tokio::test]
    async fn a_message_of_several_lines_leaves_as_one() {
        let mut writer = LineWriter::new(Vec::new());
        writer
            .send(&Bytes::from_static(b"{\r\n \"a\":\"x\\n\"\n}"))
            .await
            .expect("a vector takes everything");
        assert_eq!(writer.sink, b"{   \"a\":\"x\\n\" }\n");
    }

    #[tokio::test]
    async fn an_interrupted_message_is_finished_before_the_next() {
        let (near, far) = tokio::io::duplex(7);
        let mut writer = LineWriter::new(near);
        let long = Bytes::from(vec![b'x'; 1000]);
        let cut = tokio::time::timeout(Duration::from_millis(10), writer.send(&long)).await;
        assert!(cut.is_err(), "the pipe holds seven bytes, so the message cannot have left");
        let reader = tokio::spawn(async move {
            let mut frames = crate::FrameReader::new(far, 2000);
            let mut lengths = Vec::new();
            while let Ok(Some(_)) = frames.next().await {
                lengths.push(());
            }
            lengths.len()
        });
        writer.send(&Bytes::from_static(b"{}")).await.expect("the far side reads");
        writer.close().await.expect("the far side reads");
        assert_eq!(reader.await.expect("no panic"), 2);
    }
}
