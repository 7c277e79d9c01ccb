//! Client secrets of Microsoft Entra ID applications.
//!
//! Issuer: Microsoft Entra ID. Format: positions 1-3 any of letters, digits and `_~.-`, 4 a digit (version), 5-6 `Q~`,
//! then 31 to 34 characters of the same set; 37 or 40 in all. Check rule: a spread of characters. `abC8Q~` and 34 invented characters
//! make one. Source: Microsoft Purview, sensitive information type "Client secret / API key".
//!
//! In: text and a word start. Out: one hit. Invariant: words without `Q~` in place are rejected by two looks.
//! Not here: storage and service-bus keys (`vendor_table.rs`).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, run_end, run_start};
use super::plausible::{has_spread, mentions_placeholder};

/// Reports the secret whose first run of letters and digits begins at `start`.
pub(super) fn client_secret_at(text: &str, start: usize) -> Option<Hit> {
    // the word begins at position 1, or later when the first positions are marks
    let mark =
        (1..=4).find(|offset| at(text, start + offset) == b'Q' && at(text, start + offset + 1) == b'~')?;
    let digit = start + mark - 1;
    let begin = digit.checked_sub(3)?;
    let glued = is_secret_byte(before(text, begin));
    let whole = run_start(text, digit, 4, is_secret_byte) <= begin;
    let first_word =
        text.as_bytes().get(begin..start).is_some_and(|marks| !marks.iter().any(u8::is_ascii_alphanumeric));
    if !first_word || !at(text, digit).is_ascii_digit() || !whole || glued {
        return None;
    }
    let end = run_end(text, digit + 3, 40, is_secret_byte);
    let end = end - usize::from(before(text, end) == b'.');
    let secret = text.as_bytes().get(digit..end)?;
    let chance = has_spread(secret) && !mentions_placeholder(secret);
    (chance && (31..=34).contains(&(end - digit - 3)) && !is_identifier(at(text, end)))
        .then(|| Hit::new(begin, end, Category::ApiKey, "azure-client-secret", Strength::Checked))
}

fn is_secret_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.' | b'-')
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn secrets() {
        check_words(
            ApiKey,
            &[
                "secret=«abC8Q¦~dEfGhIjKlMnOpQrStUvWxYz0123456789_»;",
                "\"«a.b8Q¦~dEfGhIjKlMnOpQrStUvWxYz01234567»\"",
                "abC8Q~xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "abC8Q~short",
                "abCxQ~dEfGhIjKlMnOpQrStUvWxYz0123456789_",
                "xabC8Q¦~dEfGhIjKlMnOpQrStUvWxYz0123456789_",
                "abC8Q¦~dEfGhIjKlMnOpQrStUvWxYz01234567890123",
            ],
        );
    }
}
