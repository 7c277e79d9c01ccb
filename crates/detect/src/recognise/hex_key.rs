//! Keys whose form is hex digits with a vendor's tail.
//!
//! Issuers and formats: New Relic licence keys, 36 hex digits and `NRAL` (documentation, "API keys"); Mailchimp, 32 hex digits, `-us` and the number of a data centre (developer documentation,
//! "Quick start"); Mailgun, 32, 8 and 8 hex digits joined by `-` (private API keys). Check rule: none; 32 digits with a
//! spread of values. A bare run of hex digits is a hash as likely as a key and needs a key word.
//!
//! In: text and the start of a word of hex digits. Out: one hit. Invariant: reads at most 60 bytes.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, reads, reads_exactly, run_end};
use super::plausible::has_spread;

/// Reports the key that begins at `start`.
pub(super) fn hex_key_at(text: &str, start: usize) -> Option<Hit> {
    if at(text, start + 36) == b'N' {
        return licence_key_at(text, start);
    }
    if at(text, start + 32) != b'-'
        || is_identifier(before(text, start))
        || hex_end(text, start, 33) != start + 32
    {
        return None;
    }
    let tail = start + 33;
    let (end, detector) = if reads(text, tail, "us") {
        (run_end(text, tail + 2, 3, |byte| byte.is_ascii_digit()), "mailchimp")
    } else {
        let middle = hex_end(text, tail, 9);
        if middle != tail + 8 || at(text, middle) != b'-' || hex_end(text, middle + 1, 9) != middle + 9 {
            return None;
        }
        (middle + 9, "mailgun")
    };
    let complete = before(text, end).is_ascii_hexdigit() && !is_identifier(at(text, end));
    let spread = text.as_bytes().get(start..start + 32).is_some_and(has_spread);
    (complete && spread).then(|| Hit::new(start, end, Category::ApiKey, detector, Strength::Checked))
}

fn licence_key_at(text: &str, start: usize) -> Option<Hit> {
    let (digits, end) = (start + 36, start + 40);
    let whole = hex_end(text, start, 36) == digits && reads_exactly(text, digits, "NRAL");
    let bounded = !is_identifier(before(text, start)) && !is_identifier(at(text, end));
    let spread = text.as_bytes().get(start..digits).is_some_and(has_spread);
    (whole && bounded && spread)
        .then(|| Hit::new(start, end, Category::ApiKey, "new-relic", Strength::Checked))
}

fn hex_end(text: &str, start: usize, limit: usize) -> usize {
    run_end(text, start, limit, |byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn keys() {
        check_words(
            ApiKey,
            &[
                "key=«8c6f0e3b1d9a¦7425f0b3c8e1d2a69754-us21»",
                "«8c6f0e3b1d9a¦7425f0b3c8e1d2a69754-1a2b3c4d-5e6f7a8b».",
                "é«8c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6fNRAL»é",
                "license_key: '«0c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6fNRAL»'",
                "8c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6NRAL",
                "8c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6f0NRAL",
                "8c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6fNRALx",
                "x8c6f0e3b1d9a¦7425f0b3c8e1d2a697548c6fNRAL",
                "000000000000000000000000000000000000NRAL",
                "8c6f0e3b1d9a7425f0b3c8e1d2a697548c6fNRAX",
                "8c6f0e3b1d9a7425f0b3c8e1d2a69754",
                "8c6f0e3b1d9a7425f0b3c8e1d2a69754-usual",
                "8c6f0e3b1d9a¦7425f0b3c8e1d2a6975-us21",
                "a8c6f0e3b1d9a¦7425f0b3c8e1d2a69754-us21",
                "00000000000000000000000000000000-us21",
                "550e8400-e29b-41d4-a716-446655440000",
            ],
        );
    }
}
