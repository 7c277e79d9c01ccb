//! One validating pass over a message.
//!
//! In: bytes. Out: a `Document`, or where the bytes are no JSON. Invariant: accepted is exactly RFC 8259 in
//! valid UTF-8 without a byte order mark, nested at most `MAX_DEPTH` deep; escapes of lone surrogates are
//! accepted, and duplicate keys are reported, not refused. Never recursive; time is O(n log n) at worst,
//! whatever the keys. Not here: what a caller does about duplicates.

use crate::document::{Document, Kind, NONE, Node, narrow};
use crate::duplicates::KeyLedger;
use crate::grammar::{literal_end, number_end, skip_blanks, string_end};

/// How many containers may stand inside one another.
pub const MAX_DEPTH: u32 = 512;

/// Most values in one message: the table takes 32 bytes a value, so at most 128 MiB.
pub const MAX_VALUES: usize = 4 << 20;

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
    /// More values than `MAX_VALUES`.
    #[error("json holds more than {MAX_VALUES} values")]
    TooMany,
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

/// Reads text that is, blanks aside, a JSON object or array without duplicate keys. `None` for any other
/// text, soon for most: it must begin and end with the right brackets. Spans index `text`.
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
                Step::Value if self.nodes.len() == MAX_VALUES => return Err(ScanError::TooMany),
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

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, MAX_VALUES, ScanError, nested, scan};
    use crate::NodeId;

    fn expected(json: &str) -> Option<(usize, &'static str)> {
        match scan(json.as_bytes()) {
            Err(ScanError::Syntax { at, expected }) => Some((at, expected)),
            _ => None,
        }
    }

    #[test]
    fn any_rfc_text_is_accepted() {
        for json in [
            "null",
            " true ",
            "\t\r\nfalse\n",
            "0",
            "-0.0e-0",
            "\"\"",
            "[]",
            "{}",
            "[ ]",
            "{ }",
            "[[],{}]",
            "1e400",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\u{2028}\u{feff}\"",
            "{\"a\":1,\"a\":2}",
            "123456789012345678901234567890",
            "\"\\/\\b\\f\\n\\r\\t\"",
            "{\"\":{\"\":[{}]}}",
            "\"\u{7f}\\u0000\"",
        ] {
            assert!(scan(json.as_bytes()).is_ok(), "{json}");
        }
    }

    #[test]
    fn errors_say_where_and_what_would_have_been_right() {
        for (json, at, wanted) in [
            ("[1,]", 3, "a value"),
            ("{\"a\":1,}", 7, "a key"),
            ("{\"a\"}", 4, "a colon"),
            ("{\"a\" 1}", 5, "a colon"),
            ("{a:1}", 1, "a key"),
            ("[1 2]", 3, "a comma or a closing bracket"),
            ("[1}", 2, "a comma or a closing bracket"),
            ("{\"a\":1]", 6, "a comma or a closing brace"),
            ("[}", 1, "a value"),
            ("{]", 1, "a key"),
            ("]", 0, "a value"),
            ("1 1", 2, "the end"),
            ("{} x", 3, "the end"),
            ("01", 1, "the end"),
            ("trux", 0, "a value"),
            ("True", 0, "a value"),
            ("NaN", 0, "a value"),
            ("+1", 0, "a value"),
            (".5", 0, "a value"),
            ("[,1]", 1, "a value"),
            ("'a'", 0, "a value"),
            ("\"\\x\"", 2, "an escape"),
            ("\"\\u00g0\"", 5, "a hexadecimal digit"),
            ("\"a\nb\"", 2, "no bare control character"),
            ("// x\n1", 0, "a value"),
            ("\u{a0}1", 0, "a value"),
            ("\u{c}1", 0, "a value"),
        ] {
            assert_eq!(expected(json), Some((at, wanted)), "{json}");
        }
    }

    #[test]
    fn early_ends_are_told_apart() {
        let whole = "{\"a\\u00e9\":[1.5e+3,true,false,null,\"x\\n\"],\"b\":{}}";
        assert!(scan(whole.as_bytes()).is_ok());
        for length in 0..whole.len() {
            let cut = scan(&whole.as_bytes()[..length]);
            assert!(matches!(cut, Err(ScanError::Truncated)), "{length}: {cut:?}");
        }
    }

    #[test]
    fn marks_and_broken_utf8_are_refused() {
        assert_eq!(scan(b"\xef\xbb\xbf{}").unwrap_err(), ScanError::ByteOrderMark);
        for (bytes, at) in [
            (&b"\"\xff\""[..], 1),
            (b"[\"ab\xc3\"]", 4),
            (b"\"\xed\xa0\x80\"", 1),
            (b"\"\xc0\xaf\"", 1),
            (b"{}\x80", 2),
        ] {
            assert_eq!(scan(bytes).unwrap_err(), ScanError::Utf8 { at }, "{bytes:?}");
        }
    }

    #[test]
    fn the_number_of_values_ends_at_the_limit() {
        let zeros = |count: usize| format!("[{}0]", "0,".repeat(count - 2));
        assert_eq!(scan(zeros(MAX_VALUES).as_bytes()).unwrap().len(), MAX_VALUES);
        assert_eq!(scan(zeros(MAX_VALUES + 1).as_bytes()).unwrap_err(), ScanError::TooMany);
    }

    #[test]
    fn depth_ends_at_the_limit() {
        let limit = MAX_DEPTH as usize;
        let arrays = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let objects = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        assert_eq!(scan(arrays(limit).as_bytes()).unwrap().len(), limit);
        assert_eq!(scan(arrays(limit + 1).as_bytes()).unwrap_err(), ScanError::TooDeep { at: limit });
        assert_eq!(scan(objects(limit).as_bytes()).unwrap().len(), limit + 1);
        assert_eq!(scan(objects(limit + 1).as_bytes()).unwrap_err(), ScanError::TooDeep { at: 5 * limit });
        assert_eq!(scan("[".repeat(1_000_000).as_bytes()).unwrap_err(), ScanError::TooDeep { at: limit });
        // Siblings do not add up.
        let flat = format!("[{}[]]", "[],".repeat(3 * limit));
        assert!(scan(flat.as_bytes()).is_ok());
    }

    #[test]
    fn nested_takes_only_clean_objects_and_arrays() {
        for text in ["{}", "[]", " \n[1]\t", "{\"a\":\"b\"}", "[{\"a\":1},{\"a\":1}]"] {
            assert!(nested(text).is_some(), "{text}");
        }
        for text in [
            "",
            " ",
            "1",
            "\"a\"",
            "null",
            "[",
            "{",
            "[]x",
            "x[]",
            "[1,]",
            "[EMAIL_0_abc]",
            "{\"a\":1,\"a\":2}",
            "{\"a\":1]",
            "\u{feff}{}",
            "[INFO] started [ok]",
            "{}{}",
            "\u{a0}{}",
        ] {
            assert!(nested(text).is_none(), "{text}");
        }
        assert_eq!(nested("  [7]").unwrap().span(NodeId::ROOT).start(), 2);
    }
}
