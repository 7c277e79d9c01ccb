//! Private keys in PEM armour.
//!
//! Format: `-----BEGIN ` label `-----`, base64, `-----END ` label `-----` (RFC 7468 section 2; RFC 1421 for the older heads
//! `Proc-Type:` and `DEK-Info:`; RFC 9580 section 6.2 for PGP blocks). The label ends with `PRIVATE KEY` or
//! `PRIVATE KEY BLOCK`. The body stands on lines of its own, also quoted or indented, or on one line with `\n` escapes or
//! blanks. Check rule: at least 16 letters of base64 follow; certificates and public keys are no secret. A body whose end
//! was cut off counts up to its last letter.
//!
//! In: text and the offset of `-----BEGIN`. Out: one hit; over real line breaks one piece for each line with content.
//! Invariant: reads at most 64 KiB, and no further than the next foreign character. Not here: key files of PuTTY (`putty.rs`), JWK.

use cloakgate_vocab::{Category, Span, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64, is_base64url, reads_exactly, run_end, run_start};

/// Label of the keys that two ends of a tunnel share (OpenVPN `--secret`, `--tls-auth`): hexadecimal digits in lines.
const STATIC_KEY: &str = "OpenVPN Static key V1";
const MAX_KEY: usize = 64 << 10;
const MAX_LABEL: usize = 64;
const MIN_BODY: usize = 16;
/// Longest line of base64 that is read backwards.
const MAX_LINE: usize = 128;

/// Reports the key whose `-----BEGIN` is at `dashes`, or the rest of the key whose `-----END` is there when its
/// beginning was cut off.
pub(crate) fn pem_at(text: &str, dashes: usize) -> Option<Hit> {
    if reads_exactly(text, dashes, "-----END ") {
        return tail_at(text, dashes);
    }
    let label = dashes + "-----BEGIN ".len();
    let label_end = run_end(text, label, MAX_LABEL, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
    });
    let name = text.get(label..label_end)?;
    let fixed = reads_exactly(text, label, STATIC_KEY);
    let label_end = if fixed { label + STATIC_KEY.len() } else { label_end };
    let private = fixed || name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK");
    if !reads_exactly(text, dashes, "-----BEGIN ") || !private || !reads_exactly(text, label_end, "-----") {
        return None;
    }
    let limit = dashes.saturating_add(MAX_KEY).min(text.len());
    let mut body = Body { text, limit, letters: 0, pieces: Vec::new(), closed: false };
    body.line(dashes, label_end + 5);
    body.lines();
    let end = body.pieces.last()?.end();
    if body.letters < MIN_BODY {
        return None;
    }
    let mut hit = Hit::new(dashes, end, Category::PrivateKey, "pem", Strength::Checked);
    if body.pieces.len() > 1 {
        hit.pieces = body.pieces;
    }
    Some(hit)
}

/// The lines of base64 before an `-----END` that no `-----BEGIN` opens.
fn tail_at(text: &str, dashes: usize) -> Option<Hit> {
    let label = dashes + "-----END ".len();
    let label_end = run_end(text, label, MAX_LABEL, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
    });
    let name = text.get(label..label_end)?;
    if !(name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK")) {
        return None;
    }
    let mut pieces = vec![Span::sized(dashes, run_end(text, label_end, 5, |byte| byte == b'-') - dashes)];
    let mut end = dashes;
    let mut letters = 0;
    while dashes - end <= MAX_KEY {
        // Marks of quoting and indentation, then the end of the line before.
        let indent = run_start(text, end, 16, |byte| matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#'));
        let Some(line_end) = indent.checked_sub(1).filter(|feed| at(text, *feed) == b'\n') else { break };
        let line_end = line_end - usize::from(before(text, line_end) == b'\r');
        let padding = run_start(text, line_end, 2, |byte| byte == b'=');
        let start = run_start(text, padding, MAX_LINE, is_base64);
        let whole = matches!(before(text, start), b'\n' | b' ' | b'\t' | b'>' | 0);
        let full = line_end - start >= if letters == 0 { 1 } else { MIN_BODY };
        if !whole || !full {
            break;
        }
        letters += padding - start;
        pieces.push(Span::sized(start, line_end - start));
        end = start;
    }
    let begun = text.get(..end)?.trim_end_matches(['\n', '\r', ' ', '>', '\t']).ends_with("-----");
    if letters < MIN_BODY || begun {
        return None;
    }
    pieces.reverse();
    let mut hit = Hit::new(end, pieces.last()?.end(), Category::PrivateKey, "pem", Strength::Checked);
    hit.pieces = pieces;
    Some(hit)
}

/// What has been read of a key.
struct Body<'a> {
    text: &'a str,
    limit: usize,
    letters: usize,
    /// One span per line so far.
    pieces: Vec<Span>,
    /// The closing line was seen, or something foreign.
    closed: bool,
}

impl Body<'_> {
    /// Reads on one line from `position`; the piece of the line begins at `start`.
    fn line(&mut self, start: usize, mut position: usize) {
        let mut end = position;
        while position < self.limit {
            let gap = self.gap_end(position);
            if reads_exactly(self.text, gap, "-----END ") {
                end = self.closing_end(gap);
                self.closed = true;
                break;
            }
            let run = self.run_end(gap);
            let long = run - gap >= MIN_BODY;
            // the short rest of a body is followed by its end, a word of a sentence by the next word
            if run == gap || !(long || self.is_tail(gap, run)) {
                break;
            }
            self.letters += run - gap;
            position = run;
            end = run;
        }
        self.pieces.push(Span::sized(start, end - start));
        if !self.closed && !self.at_line_end(end) {
            self.closed = true;
        }
    }

    fn lines(&mut self) {
        let mut heads = 0;
        while !self.closed {
            let Some(last) = self.pieces.last() else { return };
            let Some(start) = self.next_line(last.end()) else { return };
            let header = run_end(self.text, start, 20, |byte| byte.is_ascii_alphabetic() || byte == b'-');
            if self.letters == 0 && reads_exactly(self.text, header, ": ") && header > start && heads < 8 {
                let end = run_end(self.text, start, 200, |byte| byte >= b' ');
                self.pieces.push(Span::sized(start, self.text.floor_char_boundary(end) - start));
                heads += 1;
                continue;
            }
            let before = self.letters;
            let closes = reads_exactly(self.text, start, "-----END ");
            self.line(start, start);
            if self.letters == before && !closes {
                self.pieces.pop();
                return;
            }
        }
    }

    /// Skips blanks and escaped line breaks (`\n`, `\r\n`, also escaped twice).
    fn gap_end(&self, mut position: usize) -> usize {
        loop {
            let slashes = run_end(self.text, position, 4, |byte| byte == b'\\');
            if slashes > position && matches!(at(self.text, slashes), b'n' | b'r') {
                position = slashes + 1;
            } else if at(self.text, position) == b' ' {
                position += 1;
            } else {
                return position;
            }
        }
    }

    /// The end of a run of base64 with its padding, or of the checksum of a PGP block (`=` and four letters).
    fn run_end(&self, start: usize) -> usize {
        let room = self.limit.saturating_sub(start);
        let from = if at(self.text, start) == b'=' { start + 1 } else { start };
        let letters = run_end(self.text, from, room, is_base64);
        if from > start {
            return if letters - from == 4 { letters } else { start };
        }
        if letters == start { start } else { run_end(self.text, letters, 2, |byte| byte == b'=') }
    }

    /// The short rest of a body: padded, a checksum, or with the closing line behind it.
    fn is_tail(&self, start: usize, end: usize) -> bool {
        let marked = before(self.text, end) == b'=' || at(self.text, start) == b'=';
        let after = self.gap_end(end);
        let closing =
            if after == end && self.at_line_end(end) { self.next_line(end).unwrap_or(after) } else { after };
        self.letters > 0
            && (marked || reads_exactly(self.text, closing, "-----END ") || self.is_cut(start, end))
    }

    /// The last letters of a text that ends inside a key.
    fn is_cut(&self, start: usize, end: usize) -> bool {
        let rest = self.text.get(end..).unwrap_or_default();
        let letters = self.text.get(start..end).unwrap_or_default();
        let mixed = letters.bytes().filter(|byte| !byte.is_ascii_lowercase()).count() > 1;
        mixed && rest.len() <= 2 && rest.trim().is_empty()
    }

    fn closing_end(&self, start: usize) -> usize {
        let label = run_end(self.text, start + 9, MAX_LABEL, |byte| {
            is_base64url(byte) && byte != b'-' || byte == b' '
        });
        run_end(self.text, label, 5, |byte| byte == b'-')
    }

    /// True when only closing quotes, commas and the like follow on the line.
    fn at_line_end(&self, position: usize) -> bool {
        let end = run_end(self.text, position, 8, |byte| {
            matches!(byte, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b',' | b'+' | b'\\' | b'n' | b';')
        });
        matches!(at(self.text, end), b'\n' | 0)
    }

    fn holds_quote(&self, start: usize, end: usize) -> bool {
        let bytes = self.text.as_bytes().get(start..end).unwrap_or(&[]);
        bytes.iter().any(|byte| matches!(byte, b'"' | b'\''))
    }

    /// The first byte of content on the next line that has some, behind indentation and marks of quoting.
    fn next_line(&self, from: usize) -> Option<usize> {
        let mut position = from;
        for _ in 0..8 {
            let end = run_end(self.text, position, 16, |byte| byte != b'\n');
            if at(self.text, end) != b'\n' {
                return None;
            }
            let start = end + 1;
            let quoted = self.holds_quote(position, end);
            position = run_end(self.text, start, 64, |byte| {
                matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#' | b'*' | b'"' | b'\'')
            });
            // a string that ends goes on only with another string
            if quoted && !self.holds_quote(start, position) {
                return None;
            }
            if position >= self.limit {
                return None;
            }
            if !matches!(at(self.text, position), b'\n' | b'\r') {
                return Some(position);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_at;
    use super::pem_at;

    const HEX: &str = "ed2c1fea07a090241907c967906162e4";
    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDInventedKeyAB";

    fn check(texts: &[&str]) {
        check_at("-----BEGIN", pem_at, texts);
    }

    fn key(label: &str, join: &str) -> String {
        [
            "-----BEGIN ".to_owned() + label + "-----",
            LINE.to_owned(),
            "c2hvcnQ=".to_owned(),
            "-----END ".to_owned() + label + "-----",
        ]
        .join(join)
    }

    #[test]
    fn keys_on_lines_are_one_piece_a_line() {
        let text = format!("cat id\n{}\n$ ", key("RSA PRIVATE KEY", "\n"));
        let hit = pem_at(&text, 7).unwrap();
        let pieces: Vec<_> = hit.pieces.iter().map(|piece| piece.of(&text).unwrap()).collect();
        let marks = ["BEGIN", "END"].map(|mark| format!("-----{mark} RSA PRIVATE KEY-----"));
        assert_eq!(pieces, [marks[0].as_str(), LINE, "c2hvcnQ=", marks[1].as_str()]);
    }

    #[test]
    fn indented_and_quoted_keys() {
        for join in ["\n    ", "\r\n", "\n> ", "\n\n"] {
            let text = format!("key: |\n  {}\nnext: 1", key("EC PRIVATE KEY", join));
            let hit = pem_at(&text, 9).unwrap();
            assert_eq!(hit.pieces.len(), 4, "{join:?}");
            assert!(hit.span.of(&text).unwrap().ends_with("-----END EC PRIVATE KEY-----"));
        }
        let text = "\"".to_owned() + &key("PRIVATE KEY", "\\n\" +\n\"") + "\\n\"";
        assert_eq!(pem_at(&text, 1).unwrap().pieces.len(), 4);
    }

    #[test]
    fn one_line_cut_and_headed_keys() {
        for join in ["\\n", "\\\\n", "\\r\\n", " "] {
            let marked = format!("{{\"k\": \"«{}»\\n\"}}", key("PRIVATE KEY", join));
            check(&[marked.as_str()]);
        }
        check(&[
            format!("«-----BEGIN OPENSSH PRI¦VATE KEY-----\n{LINE}»\nand then some words").as_str(),
            format!("«-----BEGIN PRI¦VATE KEY-----\n{LINE}»").as_str(),
            format!("«-----BEGIN RSA PRI¦VATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n{LINE}\n-----END RSA PRI¦VATE KEY-----»").as_str(),
            format!("«-----BEGIN PGP PRI¦VATE KEY BLOCK-----\nVersion: 1\n\n{LINE}\n=aBcD\n-----END PGP PRI¦VATE KEY BLOCK-----»").as_str(),
            format!("<tls-auth>\n«-----BEGIN OpenVPN Sta¦tic key V1-----\n{HEX}\n{HEX}\n-----END OpenVPN Sta¦tic key V1-----»\n").as_str(),
            "TLS_KEY=\"«-----BEGIN PRI¦VATE KEY-----\nZ42l54rClF4BqBvgVMB4nhsN»\"\nNEXT=1",
        ]);
    }

    #[test]
    fn look_alikes() {
        check(&[
            format!("-----BEGIN CERTIFICATE-----\n{LINE}\n-----END CERTIFICATE-----").as_str(),
            format!("-----BEGIN PUBLIC KEY-----\n{LINE}\n-----END PUBLIC KEY-----").as_str(),
            "-----BEGIN PRI¦VATE KEY----- marks the start of a key",
            "-----BEGIN PRI¦VATE KEY-----\n...\n-----END PRI¦VATE KEY-----",
            "-----BEGIN PRI¦VATE KEY-----",
            "-----BEGIN",
            "-----BEGIN PRI¦VATE KEY",
        ]);
    }
}
