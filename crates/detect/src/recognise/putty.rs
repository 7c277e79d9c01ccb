//! Private keys in files of PuTTY.
//!
//! Issuer: PuTTY. Format: a head `PuTTY-User-Key-File-3: ssh-ed25519`, lines about encryption, comment and public key, then
//! `Private-Lines: ` with a count, so many lines of base64 of at most 64 letters, and `Private-MAC: ` (`Private-Hash: `
//! in version 1) with 40 or 64 hex digits. The public lines are no secret. Check rule: at least 16 letters follow the
//! count. Line breaks are real or `\n` escapes. Source: PuTTY manual, appendix C "PPK file format".
//!
//! In: text and the start of `Private-Lines`, so a file whose head was cut off counts too. Out: one hit from the
//! first private line to the MAC; over real line breaks one piece for each line.
//! Invariant: reads at most 256 lines of 128 bytes, and no further than the count says. Not here: PEM (`pem.rs`).

use cloakgate_vocab::{Category, Span, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64, is_base64url, reads_exactly, run_end};

const HEAD: &str = "Private-Lines: ";
const MAX_LINES: usize = 256;
const MAX_LINE: usize = 128;
const MIN_LETTERS: usize = 16;

/// Reports the key whose `Private-Lines` begins at `start`.
pub(super) fn putty_at(text: &str, start: usize) -> Option<Hit> {
    let previous = before(text, start);
    let escape = previous == b'n' && before(text, start.saturating_sub(1)) == b'\\';
    if !reads_exactly(text, start, HEAD) || (is_base64url(previous) && !escape) {
        return None;
    }
    let count = start + HEAD.len();
    let mut position = run_end(text, count, 4, |byte| byte.is_ascii_digit());
    let lines: usize = text.get(count..position)?.parse().ok()?;
    let mut pieces = Vec::new();
    let (mut letters, mut escaped) = (0, false);
    for _ in 0..lines.min(MAX_LINES) {
        let Some(next) = next_line(text, position) else { break };
        let end = base64_end(text, next.start);
        if end == next.start || !ends_line(text, end) {
            break;
        }
        pieces.push(Span::sized(next.start, end - next.start));
        escaped |= next.escaped;
        letters += end - next.start;
        position = end;
    }
    if let Some(code) = authentication_code(text, position) {
        pieces.push(code);
    }
    let (first, last) = (pieces.first()?, pieces.last()?);
    let mut hit = Hit::new(first.start(), last.end(), Category::PrivateKey, "putty", Strength::Checked);
    if !escaped && pieces.len() > 1 {
        hit.pieces = pieces;
    }
    (letters >= MIN_LETTERS).then_some(hit)
}

/// Where a line begins behind its indentation.
struct Line {
    start: usize,
    escaped: bool,
}

fn next_line(text: &str, end: usize) -> Option<Line> {
    let slashes = run_end(text, end, 4, |byte| byte == b'\\');
    let (position, escaped) = if slashes > end {
        match (at(text, slashes), run_end(text, slashes + 1, 4, |byte| byte == b'\\')) {
            (b'n', _) => (slashes + 1, true),
            (b'r', again) if at(text, again) == b'n' => (again + 1, true),
            _ => return None,
        }
    } else {
        let feed = end + usize::from(at(text, end) == b'\r');
        if at(text, feed) != b'\n' {
            return None;
        }
        (feed + 1, false)
    };
    let start = run_end(text, position, 16, |byte| matches!(byte, b' ' | b'\t' | b'>' | b'|'));
    Some(Line { start, escaped })
}

fn base64_end(text: &str, start: usize) -> usize {
    let letters = run_end(text, start, MAX_LINE, is_base64);
    if letters == start { start } else { run_end(text, letters, 2, |byte| byte == b'=') }
}

fn ends_line(text: &str, end: usize) -> bool {
    matches!(at(text, end), b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'`' | b' ' | 0)
}

/// The hex digits of the line that closes the file.
fn authentication_code(text: &str, end: usize) -> Option<Span> {
    let line = next_line(text, end)?.start;
    let name =
        ["Private-MAC: ", "Private-Hash: "].into_iter().find(|name| reads_exactly(text, line, name))?;
    let start = line + name.len();
    let length = run_end(text, start, 65, |byte| byte.is_ascii_hexdigit()) - start;
    matches!(length, 40 | 64).then(|| Span::sized(start, length))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_words, word_hits};
    use cloakgate_vocab::Category::PrivateKey;

    const LINE: &str = "AAAAIG1vY2tlZEludmVudGVkS2V5Qm9keU5vdFJlYWxBdEFsbDEyMzQ1Njc4OTAx";
    const CODE: &str = "8c6f0e3b1d9a7425f0b3c8e1d2a697548c6f0e3b1d9a7425f0b3c8e1d2a69754";

    fn file(body: &str, join: &str) -> String {
        let head =
            ["PuTTY-User-Key-File-3: ssh-ed25519", "Encryption: none", "Comment: deploy", "Public-Lines: 1"];
        let lines = [head.join(join), LINE.to_lowercase(), "Private-¦Lines: 2".to_owned(), body.to_owned()];
        lines.join(join)
    }

    #[test]
    fn each_private_line_is_a_piece() {
        for join in ["\n", "\r\n", "\n    "] {
            let text =
                file(&format!("{LINE}{join}c2hvcnQ={join}Private-MAC: {CODE}\n"), join).replace('¦', "");
            let hits = word_hits(&text);
            let pieces: Vec<_> = hits[0].pieces.iter().map(|piece| piece.of(&text).unwrap()).collect();
            assert_eq!((hits.len(), pieces), (1, vec![LINE, "c2hvcnQ=", CODE]), "{join:?}");
        }
    }

    #[test]
    fn escaped_cut_and_damaged_files() {
        check_words(
            PrivateKey,
            &[
                file(&format!("«{LINE}\\nc2hvcnQ=\\nPrivate-MAC: {CODE}»\\n\""), "\\n").as_str(),
                file(&format!("«{LINE}\\r\\nc2hvcnQ=\\r\\nPrivate-MAC: {CODE}»"), "\\r\\n").as_str(),
                file(&format!("«{LINE}»"), "\n").as_str(),
                file(&format!("«{LINE}\nc2hvcnQ=»\nand some words"), "\n").as_str(),
                file(&format!("«{LINE}\nc2hvcnQ=»\nPrivate-MAC: {}", CODE.split_at(1).1), "\n").as_str(),
                format!("é Private-¦Lines: 1\n«{LINE}»\nmore").as_str(),
                format!("Private-¦Lines: 1\n«{LINE}»\n{LINE}").as_str(),
                format!("x-Private-¦Lines: 1\n{LINE}").as_str(),
                format!("Private-¦Lines: 0\n{LINE}").as_str(),
                format!("Private-¦Lines: {LINE}").as_str(),
                "Private-¦Lines: 2\nc2hvcnQ=\n",
                "Private-¦Lines: 8\nis the count of lines",
                "Private-¦Lines: ",
                "PuTTY-User-Key-File-3: ssh-ed25519",
            ],
        );
    }
}
