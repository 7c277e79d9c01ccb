//! Cuts a stream of bytes into messages, one a line.
//!
//! In: any byte stream. Out: frames, in order. A byte order mark at the start, CR before LF, blank lines, lines
//! that are no JSON and a last line without end are all met in the wild and tolerated; U+2028 is no line end.
//! Invariant: at most `max_bytes` of a line plus one read are held; what is longer is thrown away while its id
//! is looked for. No byte is looked at twice for a line end. Dropping a pending `next` loses nothing.
//! Not here: checking that a message is JSON.

use std::io;

use bytes::{Buf, Bytes, BytesMut};
use cloakgate_json::MemberFinder;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Room that is made when a read would find too little: what a pipe holds on Linux.
const READ_BYTES: usize = 64 << 10;
/// A read with at least this much room is worth its call. Making room means a new allocation while messages cut
/// from the old one live, so the old one is used up first: a short message must not pin 64 KiB.
const ROOM_BYTES: usize = 4 << 10;
/// A buffer that had to grow past this for one message is given back after it.
const KEPT_BYTES: usize = 1 << 20;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One line of a peer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Frame {
    /// A line that begins like a JSON object or array, without its line end and the blanks around it.
    Message(Bytes),
    /// A line over the limit; it was thrown away.
    Oversized {
        /// The raw value of its top-level `id`, as far as it could be read.
        id: Option<Vec<u8>>,
        /// Whether it has a top-level `method`, and so is no answer.
        has_method: bool,
    },
    /// A line that is no JSON: a banner, a stray log line. It was thrown away.
    Garbage,
}

/// Reads frames from `R`. `R` is read in big pieces and needs no buffer of its own.
#[derive(Debug)]
pub struct FrameReader<R> {
    source: R,
    max_bytes: usize,
    buffer: BytesMut,
    searched: usize, // no line end in buffer[..searched]; searched <= buffer.len()
    started: bool,   // the byte order mark has been looked for
    skipped: Option<Skipped>,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// A reader that refuses lines of more than `max_bytes`, blanks and line end not counted.
    pub fn new(source: R, max_bytes: usize) -> Self {
        Self { source, max_bytes, buffer: BytesMut::new(), searched: 0, started: false, skipped: None }
    }

    /// The next frame; `None` once the peer has closed its end. Safe to drop and call again.
    ///
    /// # Errors
    /// What reading from the source gives, except that interrupted reads are tried again.
    pub async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            while let Some(line) = self.take_line() {
                if let Some(frame) = self.frame_of(line) {
                    return Ok(Some(frame));
                }
            }
            self.skip_oversized();
            if self.buffer.capacity() - self.buffer.len() < ROOM_BYTES {
                self.buffer.reserve(READ_BYTES);
            }
            match self.source.read_buf(&mut self.buffer).await {
                Ok(0) => return Ok(self.last_frame()),
                Ok(_) => self.drop_byte_order_mark(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next whole line of the buffer, without its line end.
    fn take_line(&mut self) -> Option<BytesMut> {
        let rest = self.buffer.get(self.searched..)?;
        let Some(offset) = memchr::memchr(b'\n', rest) else {
            self.searched = self.buffer.len();
            return None;
        };
        let line = self.buffer.split_to(self.searched + offset);
        self.buffer.advance(1);
        self.searched = 0;
        if line.len() > KEPT_BYTES {
            // The rest, at most one read long, shares the big allocation and would keep it alive.
            self.buffer = BytesMut::from(self.buffer.as_ref());
        }
        Some(line)
    }

    /// The frame of a whole line; `None` for a blank one.
    fn frame_of(&mut self, line: BytesMut) -> Option<Frame> {
        if let Some(mut skipped) = self.skipped.take() {
            skipped.push(&line);
            return skipped.finish();
        }
        let message = trimmed(line.freeze());
        match message.first() {
            None => None,
            Some(_) if message.len() > self.max_bytes => {
                let mut skipped = Skipped::new();
                skipped.push(&message);
                skipped.finish()
            }
            Some(b'{' | b'[') => Some(Frame::Message(message)),
            Some(_) => Some(Frame::Garbage),
        }
    }

    /// Throws the buffer away when it holds part of a line that is too long already.
    fn skip_oversized(&mut self) {
        // Blanks count here and not in `frame_of`: a line of blanks alone must not fill the memory either. The
        // slack keeps a line of exactly the limit with its CR from being caught.
        if self.skipped.is_some() || self.buffer.len() > self.max_bytes.saturating_add(READ_BYTES) {
            self.skipped.get_or_insert_with(Skipped::new).push(&self.buffer);
            if self.buffer.capacity() > KEPT_BYTES {
                self.buffer = BytesMut::new();
            }
            self.buffer.clear();
            self.searched = 0;
        }
    }

    /// What stands after the last line end. A message whose sender left without ending the line is still one.
    fn last_frame(&mut self) -> Option<Frame> {
        let line = std::mem::take(&mut self.buffer);
        self.searched = 0;
        self.frame_of(line)
    }

    fn drop_byte_order_mark(&mut self) {
        if !self.started && self.buffer.len() >= BYTE_ORDER_MARK.len() {
            self.started = true;
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.advance(BYTE_ORDER_MARK.len());
            }
        }
    }
}

/// A line that is being thrown away.
struct Skipped {
    id: MemberFinder,
    method: MemberFinder,
    first: Option<u8>, // first byte that is no blank
}

impl Skipped {
    fn new() -> Self {
        Self { id: MemberFinder::new("id"), method: MemberFinder::new("method"), first: None }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.first = self.first.or_else(|| bytes.iter().copied().find(|byte| !is_blank(*byte)));
        self.id.push(bytes);
        self.method.push(bytes);
    }

    fn finish(self) -> Option<Frame> {
        match self.first? {
            b'{' | b'[' => {
                let has_method = self.method.finish().is_some();
                Some(Frame::Oversized { id: self.id.finish(), has_method })
            }
            _ => Some(Frame::Garbage),
        }
    }
}

impl std::fmt::Debug for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Skipped(..)")
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn trimmed(mut line: Bytes) -> Bytes {
    let end = line.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
    line.truncate(end);
    let start = line.iter().position(|byte| !is_blank(*byte)).unwrap_or(0);
    line.advance(start);
    line
}

#[cfg(test)]
mod tests;
