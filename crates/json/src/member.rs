//! Finds one member of a message that is too long to keep.
//!
//! In: the message in pieces of any size. Out: the raw value of the first top-level member with a name.
//! Invariant: memory is bounded by the name and `MAX_VALUE_BYTES`, however long the message; a value that is
//! returned is valid JSON. Not here: whether the rest of the message is valid.

use memchr::memchr2;

use crate::decoded::decode;
use crate::scan;

/// Longer values are not kept.
const MAX_VALUE_BYTES: usize = 1024;

/// Longest spelling of one byte of a key: `\u0069`.
const MAX_ESCAPE_BYTES: usize = 6;

/// What the next byte at the top level belongs to.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    Before,
    Key,
    Colon,
    Value,
    Over,
}

/// Reads a message in pieces and keeps the value of one top-level member.
pub struct MemberFinder {
    name: String,
    place: Place,
    depth: u64, // containers open inside the top-level object
    in_string: bool,
    after_backslash: bool,
    wanted: bool,     // the value being read is the one
    capture: Vec<u8>, // the key being read, or the wanted value
    found: Option<Vec<u8>>,
}

impl MemberFinder {
    /// Looks for the member with this decoded name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            place: Place::Before,
            depth: 0,
            in_string: false,
            after_backslash: false,
            wanted: false,
            capture: Vec::new(),
            found: None,
        }
    }

    /// Reads the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while self.place != Place::Over && !rest.is_empty() {
            rest = if self.in_string { self.inside_string(rest) } else { self.outside_string(rest) };
        }
    }

    /// The raw value, or `None` when there is no such member, its value with the blanks after it is longer
    /// than 1 KiB or is no JSON, or the message ended before it was over.
    #[must_use]
    pub fn finish(self) -> Option<Vec<u8>> {
        self.found.filter(|value| scan(value).is_ok())
    }

    fn inside_string<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        if self.after_backslash {
            self.after_backslash = false;
            return self.keep(bytes, 1);
        }
        let Some(at) = memchr2(b'"', b'\\', bytes) else {
            return self.keep(bytes, bytes.len());
        };
        if bytes.get(at) == Some(&b'\\') {
            self.after_backslash = true;
        } else {
            self.in_string = false;
            if self.place == Place::Key && self.depth == 0 {
                let rest = self.keep(bytes, at);
                self.end_key();
                return rest.get(1..).unwrap_or_default();
            }
        }
        self.keep(bytes, at + 1)
    }

    fn outside_string<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let Some((byte, rest)) = bytes.split_first() else {
            return bytes;
        };
        match (self.place, byte) {
            (_, b' ' | b'\n' | b'\r' | b'\t') if self.place != Place::Value || self.capture.is_empty() => {}
            (Place::Before, b'{') | (Place::Value, b',') if self.depth == 0 => {
                self.end_value();
                self.start_key();
            }
            (Place::Value, b'}') if self.depth == 0 => {
                self.end_value();
                self.place = Place::Over;
            }
            (Place::Key, b'"') => self.in_string = true,
            (Place::Colon, b':') => self.place = Place::Value,
            (Place::Value, _) => {
                self.note_value_byte(*byte);
                return self.keep(bytes, 1);
            }
            _ => self.place = Place::Over,
        }
        rest
    }

    fn note_value_byte(&mut self, byte: u8) {
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    fn start_key(&mut self) {
        if self.place != Place::Over {
            self.place = Place::Key;
            self.capture.clear();
        }
    }

    fn end_key(&mut self) {
        let name = std::str::from_utf8(&self.capture);
        self.wanted = name.is_ok_and(|raw| decode(raw) == self.name);
        self.capture.clear();
        self.place = Place::Colon;
    }

    fn end_value(&mut self) {
        if self.wanted {
            if self.capture.len() <= MAX_VALUE_BYTES {
                self.found = Some(self.capture.trim_ascii().to_vec());
            }
            self.place = Place::Over;
        }
    }

    /// Captures the first `count` bytes where they are wanted, up to the limit, and returns those after them.
    fn keep<'a>(&mut self, bytes: &'a [u8], count: usize) -> &'a [u8] {
        let (read, rest) = bytes.split_at_checked(count).unwrap_or((bytes, &[]));
        let limit = match self.place {
            Place::Key => self.name.len() * MAX_ESCAPE_BYTES,
            Place::Value if self.wanted => MAX_VALUE_BYTES,
            _ => return rest,
        };
        // One byte past the limit says that the limit was passed.
        let room = (limit + 1).saturating_sub(self.capture.len());
        self.capture.extend_from_slice(read.get(..room).unwrap_or(read));
        rest
    }
}

/// Prints nothing that was read.
impl std::fmt::Debug for MemberFinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemberFinder").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_VALUE_BYTES, MemberFinder};

    fn find_in_pieces(message: &[u8], piece: usize) -> Option<String> {
        let mut finder = MemberFinder::new("id");
        for piece in message.chunks(piece) {
            finder.push(piece);
        }
        finder.finish().map(|value| String::from_utf8(value).unwrap())
    }

    #[test]
    fn the_first_top_level_member_is_found_in_pieces_of_any_size() {
        for (message, expected) in [
            (r#"{"id":1}"#, Some("1")),
            (r#" { "a" : [ "id" , {"id":2} ] , "id" : "x,}\"y" , "id":3 } "#, Some(r#""x,}\"y""#)),
            (r#"{"a":"\"id\":1","\u0069\u0064":-1.50e2 }"#, Some("-1.50e2")),
            (r#"{"id":null,"b":1}"#, Some("null")),
            (r#"{"id":{"id":[1,"}"]},"b":1}"#, Some(r#"{"id":[1,"}"]}"#)),
            (r#"{"b":"{\\","id":"é"}"#, Some(r#""é""#)),
            (r#"{"idx":1,"i":2,"":3}"#, None),
            (r#"{"a":{"id":1}}"#, None),
            (r#"[{"id":1}]"#, None),
            (r#""id""#, None),
            (r#"{"id":12"#, None),
            (r#"{"id":1 2}"#, None),
            (r#"{"id":}"#, None),
            (r#"{"id":tru}"#, None),
            (r#"{"id" 1}"#, None),
            (r#"{id:1,"id":2}"#, None),
            (r#"{}"#, None),
            ("", None),
        ] {
            for piece in 1..=message.len().max(1) {
                assert_eq!(
                    find_in_pieces(message.as_bytes(), piece).as_deref(),
                    expected,
                    "{message} by {piece}"
                );
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        let fits = format!("\"{}\"", "x".repeat(MAX_VALUE_BYTES - 2));
        let blanks = " ".repeat(5000);
        let long_key = format!(r#"{{"{}":1,"id":{blanks}{fits}}}"#, "k".repeat(1 << 20));
        assert_eq!(find_in_pieces(long_key.as_bytes(), 4096).as_deref(), Some(fits.as_str()));
        let too_long = format!(r#"{{"id":"{}","id":1}}"#, "x".repeat(MAX_VALUE_BYTES - 1));
        assert_eq!(find_in_pieces(too_long.as_bytes(), 4096), None);

        let mut finder = MemberFinder::new("id");
        finder.push(br#"{"id":""#);
        for _ in 0..1000 {
            finder.push(&[b'x'; 4096]);
        }
        assert!(finder.capture.capacity() <= 2 * (MAX_VALUE_BYTES + 1));
    }
}
