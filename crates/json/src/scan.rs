//! One validating pass over a message.
//!
//! In: bytes. Out: a `Document`, or where the bytes are no JSON. Invariant: accepted is exactly RFC 8259 in valid
//! UTF-8 without a byte order mark, nested at most `MAX_DEPTH` deep; escapes of lone surrogates are accepted, and
//! duplicate keys are reported, not refused. Never recursive; time is O(n log n) at worst, whatever the keys. Not
//! here: what a caller does about duplicates.

use crate::document::{Document, Kind, NONE, Node, narrow};
use crate::duplicates::KeyLedger;
use crate::grammar::{literal_end, number_end, skip_blanks, string_end};

/// How many containers may stand inside one another.
pub const MAX_DEPTH: u32 = 512;

/// Rows for which room is made before the scan; more grow by doubling.
const MAX_RESERVED_NODES: usize = 1 << 16;

/// Why bytes are no message.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError {
    /// A byte order mark stands before the text, which RFC 8259 forbids to send.
    #[error("byte order mark before the json text")]
    ByteOrderMark,
    /// The bytes are no UTF-8.
    #[error("invalid utf-8 at byte {at}")]
    Utf8 {
        /// Offset of the first byte that is wrong.
        at: usize,
    },
    /// The grammar is broken.
    #[error("invalid json at byte {at}, expected {expected}")]
    Syntax {
        /// Offset of the first byte that is wrong.
        at: usize,
        /// What would have been right.
        expected: &'static str,
    },
    /// The bytes end inside a value.
    #[error("json ends too early")]
    Truncated,
    /// More containers inside one another than `MAX_DEPTH`.
    #[error("json is nested deeper than {MAX_DEPTH} at byte {at}")]
    TooDeep {
        /// Offset of the container that is one too many.
        at: usize,
    },
    /// Offsets do not fit 32 bits.
    #[error("json text is too long")]
    TooLong,
}

/// Reads one JSON text with blanks around it.
///
/// # Errors
/// When the bytes are no JSON by the rules of this module.
pub fn scan(bytes: &[u8]) -> Result<Document, ScanError> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(ScanError::ByteOrderMark);
    }
    if simdutf8::basic::from_utf8(bytes).is_err() {
        let at = std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
        return Err(ScanError::Utf8 { at });
    }
    Scanner::new(bytes)?.run()
}

/// Reads text that is, blanks aside, a JSON object or array without duplicate keys. `None` for any other text, soon
/// for most: it must begin and end with the right brackets. Spans index `text`.
#[must_use]
pub fn nested(text: &str) -> Option<Document> {
    let blank = [' ', '\n', '\r', '\t'];
    let inside = text.trim_matches(blank);
    let bracketed =
        inside.starts_with('{') && inside.ends_with('}') || inside.starts_with('[') && inside.ends_with(']');
    if !bracketed {
        return None;
    }
    let document = Scanner::new(text.as_bytes()).ok()?.run().ok()?;
    document.duplicates().is_empty().then_some(document)
}

/// What comes next.
enum Step {
    Value,
    Member,
    After,
    Done,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize, // at <= bytes.len()
    nodes: Vec<Node>,
    keys: KeyLedger,
    container: u32,  // row of the innermost open container, or NONE
    in_object: bool, // the kind of that container
    depth: u32,      // depth <= MAX_DEPTH
    ordinal: u32,    // position of the next value in its container
    key_start: u32,  // key read for the next value, or NONE
    key_end: u32,
    key_escaped: bool,
}

impl<'a> Scanner<'a> {
    /// `bytes` must be valid UTF-8.
    fn new(bytes: &'a [u8]) -> Result<Self, ScanError> {
        if u32::try_from(bytes.len()).map_or(true, |length| length == NONE) {
            return Err(ScanError::TooLong);
        }
        Ok(Self {
            bytes,
            at: 0,
            nodes: Vec::with_capacity((bytes.len() / 16 + 4).min(MAX_RESERVED_NODES)),
            keys: KeyLedger::default(),
            container: NONE,
            in_object: false,
            depth: 0,
            ordinal: 0,
            key_start: NONE,
            key_end: 0,
            key_escaped: false,
        })
    }

    fn run(mut self) -> Result<Document, ScanError> {
        self.blanks();
        let mut step = Step::Value;
        loop {
            step = match step {
                Step::Value => self.value()?,
                Step::Member => self.member()?,
                Step::After => self.after()?,
                Step::Done => break,
            };
        }
        let duplicates = self.keys.finish();
        Ok(Document::new(self.nodes, duplicates))
    }

    #[inline]
    fn blanks(&mut self) {
        self.at = skip_blanks(self.bytes, self.at);
    }

    #[inline]
    fn wrong(&self, expected: &'static str) -> ScanError {
        if self.at < self.bytes.len() {
            ScanError::Syntax { at: self.at, expected }
        } else {
            ScanError::Truncated
        }
    }

    /// Reads a whole scalar, or the opening of a container.
    #[inline]
    fn value(&mut self) -> Result<Step, ScanError> {
        let (bytes, at) = (self.bytes, self.at);
        match bytes.get(at) {
            Some(b'"') => {
                let (end, escaped) = string_end(bytes, at)?;
                Ok(self.scalar(Kind::String, end, escaped))
            }
            Some(b'-' | b'0'..=b'9') => Ok(self.scalar(Kind::Number, number_end(bytes, at)?, false)),
            Some(b'{') => self.open(Kind::Object),
            Some(b'[') => self.open(Kind::Array),
            Some(b't') => Ok(self.scalar(Kind::True, literal_end(bytes, at, b"true")?, false)),
            Some(b'f') => Ok(self.scalar(Kind::False, literal_end(bytes, at, b"false")?, false)),
            Some(b'n') => Ok(self.scalar(Kind::Null, literal_end(bytes, at, b"null")?, false)),
            _ => Err(self.wrong("a value")),
        }
    }

    #[inline]
    fn scalar(&mut self, kind: Kind, end: usize, escaped: bool) -> Step {
        self.push(kind, end, escaped);
        self.at = end;
        self.ordinal += 1;
        Step::After
    }

    /// Adds a row for the value that starts here.
    #[inline]
    fn push(&mut self, kind: Kind, end: usize, escaped: bool) {
        self.nodes.push(Node {
            start: narrow(self.at),
            end: narrow(end),
            key_start: self.key_start,
            key_end: self.key_end,
            parent: self.container,
            subtree_end: narrow(self.nodes.len()) + 1,
            ordinal: self.ordinal,
            kind,
            escaped,
            key_escaped: self.key_escaped,
        });
        self.key_start = NONE;
        self.key_escaped = false;
    }

    #[inline]
    fn open(&mut self, kind: Kind) -> Result<Step, ScanError> {
        if self.depth == MAX_DEPTH {
            return Err(ScanError::TooDeep { at: self.at });
        }
        let row = narrow(self.nodes.len());
        self.push(kind, self.at, false);
        self.depth += 1;
        self.container = row;
        self.in_object = kind == Kind::Object;
        self.ordinal = 0;
        self.at += 1;
        self.blanks();
        let empty = self.bytes.get(self.at) == Some(if self.in_object { &b'}' } else { &b']' });
        Ok(match (empty, self.in_object) {
            (true, _) => self.close(),
            (false, true) => Step::Member,
            (false, false) => Step::Value,
        })
    }

    /// Reads a key and the colon after it.
    #[inline]
    fn member(&mut self) -> Result<Step, ScanError> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return Err(self.wrong("a key"));
        }
        let (end, escaped) = string_end(self.bytes, start)?;
        self.key_start = narrow(start);
        self.key_end = narrow(end);
        self.key_escaped = escaped;
        self.keys.push(self.bytes, start, end, escaped);
        self.at = end;
        self.blanks();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.wrong("a colon"));
        }
        self.at += 1;
        self.blanks();
        Ok(Step::Value)
    }

    /// Reads what may follow a value.
    #[inline]
    fn after(&mut self) -> Result<Step, ScanError> {
        self.blanks();
        if self.container == NONE {
            return if self.at == self.bytes.len() { Ok(Step::Done) } else { Err(self.wrong("the end")) };
        }
        match (self.bytes.get(self.at), self.in_object) {
            (Some(b','), in_object) => {
                self.at += 1;
                self.blanks();
                Ok(if in_object { Step::Member } else { Step::Value })
            }
            (Some(b'}'), true) | (Some(b']'), false) => Ok(self.close()),
            (_, true) => Err(self.wrong("a comma or a closing brace")),
            (_, false) => Err(self.wrong("a comma or a closing bracket")),
        }
    }

    /// Ends the innermost container, whose closing bracket stands here.
    #[inline]
    fn close(&mut self) -> Step {
        self.at += 1;
        if self.in_object {
            self.keys.close(self.bytes, &self.nodes, self.container, self.ordinal);
        }
        let subtree_end = narrow(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(self.container as usize) {
            node.end = narrow(self.at);
            node.subtree_end = subtree_end;
            self.container = node.parent;
            self.ordinal = node.ordinal + 1;
        }
        self.in_object =
            self.nodes.get(self.container as usize).is_some_and(|node| node.kind == Kind::Object);
        self.depth -= 1;
        Step::After
    }
}
