//! Addresses of the Indian payment system UPI.
//!
//! Issuer: payment service providers under the National Payments Corporation of India. Format: 3 to 64 letters, digits and
//! `.`, `-`, `_`, then `@` and the handle of the provider, without a dot. Check rule: the handle is one of
//! `upi_handles.txt`, in any case. `marie.dubois@okaxis` is an address, `marie@host` is not. Source: UPI procedural
//! guidelines, "virtual payment address"; NPCI's public list of handles of third-party applications.
//!
//! In: text and the offset of an `@`. Out: one hit. Invariant: looks at most 64 bytes to the left, 32 to the right.
//! Not here: electronic mail, whose domains have a dot (`email.rs`).

use std::sync::LazyLock;

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, run_end, run_start};
use crate::word_set::WordSet;

const MAX_NAME: usize = 64;
const MAX_HANDLE: usize = 32;
/// One handle a line, in small letters.
const HANDLE_FILE: &str = include_str!("upi_handles.txt");

static HANDLES: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(HANDLE_FILE));

/// Reports the address around the `@` at `at_sign`.
pub(super) fn upi_at(text: &str, at_sign: usize) -> Option<Hit> {
    let end = run_end(text, at_sign + 1, MAX_HANDLE, |byte| byte.is_ascii_alphanumeric());
    let handle = text.get(at_sign + 1..end)?;
    let (next, later) = (at(text, end), at(text, end + 1));
    // `root@host:~`, `name@host/path`, `pkg@tag(...)`
    let goes_on = is_base64url(next)
        || matches!(next, b'@' | b'/' | b'(' | 0x80..)
        || (matches!(next, b'.' | b':') && (later.is_ascii_alphanumeric() || matches!(later, b'~' | b'/')));
    if goes_on || !HANDLES.contains(handle) {
        return None;
    }
    let start = run_start(text, at_sign, MAX_NAME + 1, |byte| is_base64url(byte) || byte == b'.');
    let name = text.get(start..at_sign)?;
    let start = at_sign - name.trim_start_matches(['.', '-', '_']).len();
    let glued = matches!(before(text, start), b'@' | b'/' | b'+' | b'%' | b'\\' | 0x80..);
    ((3..=MAX_NAME).contains(&(at_sign - start)) && !glued)
        .then(|| Hit::new(start, end, Category::BankAccount, "upi", Strength::Checked))
}

#[cfg(test)]
mod tests {
    use super::super::email::email_at;
    use super::super::tests::check_at;
    use super::{HANDLE_FILE, MAX_HANDLE};

    #[test]
    fn addresses() {
        check_at(
            "@",
            email_at,
            &[
                "pay to «marie.dubois@okaxis».",
                "upi://pay?pa=«marie-1@ybl»&pn=Marie",
                "\"vpa\": \"«9876543210@paytm»\"",
                "«Marie_Dubois@OKSBI», «m.d@upi»",
                "用 «marie@ibl»",
                "marie@host",
                "marie@okaxi",
                "marie@okaxiss",
                "marie@okaxis-x",
                "ma@okaxis",
                "@okaxis",
                "@scope/marie@upi/x",
                "root@upi:~# ls",
                "marie@upi.example.org:22"
                    .replace("marie@upi.example.org", "«marie@upi.example.org»")
                    .as_str(),
                "«marie@okaxis.example»",
                "a@marie@okaxis",
                "é«»marie@okaxis".replace("«»", "").as_str(),
            ],
        );
        let long = "a".repeat(65) + "@okaxis";
        assert!(email_at(&long, 65).is_none());
    }

    #[test]
    fn handles_are_sorted_small_and_short() {
        let handles: Vec<_> = HANDLE_FILE.lines().collect();
        assert!(handles.is_sorted());
        assert!(handles.iter().all(|handle| handle.len() <= MAX_HANDLE
            && handle.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())));
    }
}
