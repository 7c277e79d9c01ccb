//! Secrets whose mark stands in their middle or at their end.
//!
//! Issuers and formats: Terraform Cloud, 14 letters and digits, `.atlasv1.`, 60 to 70 of base64url (API documentation,
//! "Authentication"); MaxMind licence keys, six letters and digits, `_`, 29 letters and digits, `_mmk` (support
//! article "License keys"). Check rule: none; a spread of characters. `abC123_` with 29 invented characters
//! and `_mmk` makes one.
//!
//! In: text and the start of the word that is the mark. Out: one hit that begins before it. Invariant: reads at most
//! 40 bytes to the left and 80 to the right. Not here: secrets that begin with their mark (`vendor.rs`).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, is_identifier, reads_exactly, run_end, run_start};
use super::plausible::{has_spread, mentions_placeholder};

/// Reports the token whose `atlasv1` begins at `mark`.
pub(super) fn terraform_at(text: &str, mark: usize) -> Option<Hit> {
    let name_end = mark.checked_sub(1)?;
    let body = mark + "atlasv1.".len();
    if at(text, name_end) != b'.' || !reads_exactly(text, mark, "atlasv1.") {
        return None;
    }
    let start = run_start(text, name_end, 15, |byte| byte.is_ascii_alphanumeric());
    let end = run_end(text, body, 71, |byte| is_base64url(byte) || byte == b'=');
    let whole = name_end - start == 14 && (60..=70).contains(&(end - body)) && !is_glued(before(text, start));
    (whole && is_secret(text, body, end))
        .then(|| Hit::new(start, end, Category::ApiKey, "terraform", Strength::Checked))
}

/// Reports the key whose `mmk` begins at `mark`.
pub(super) fn maxmind_at(text: &str, mark: usize) -> Option<Hit> {
    let body_end = mark.checked_sub(1)?;
    let end = mark + "mmk".len();
    if at(text, body_end) != b'_' || !reads_exactly(text, mark, "mmk") || is_identifier(at(text, end)) {
        return None;
    }
    let body = run_start(text, body_end, 30, |byte| byte.is_ascii_alphanumeric());
    let head_end = body.checked_sub(1)?;
    let start = run_start(text, head_end, 7, |byte| byte.is_ascii_alphanumeric());
    let parts = body_end - body == 29 && at(text, head_end) == b'_' && head_end - start == 6;
    (parts && !is_glued(before(text, start)) && is_secret(text, body, body_end))
        .then(|| Hit::new(start, end, Category::ApiKey, "maxmind", Strength::Checked))
}

fn is_glued(byte: u8) -> bool {
    is_identifier(byte) || matches!(byte, b'-' | b'.')
}

fn is_secret(text: &str, start: usize, end: usize) -> bool {
    let body = text.as_bytes().get(start..end).unwrap_or(&[]);
    body.iter().any(u8::is_ascii_digit) && has_spread(body) && !mentions_placeholder(body)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    const BODY: &str = "q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNaE4gT6iWo9XyBk1lMvCp8rDzFh3jQSe";

    fn check(texts: &[&str]) {
        let texts: Vec<_> = texts.iter().map(|text| text.replace("BODY", BODY)).collect();
        check_words(ApiKey, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn terraform() {
        check(&[
            "token = \"«aB3dE5fG7hI9jK.atlas¦v1.BODY»\"",
            "é«aB3dE5fG7hI9jK.atlas¦v1.BODYabcdef1234»é",
            "«12345678901234.atlas¦v1.BODY».",
            "aB3dE5fG7hI9j.atlas¦v1.BODY",
            "aB3dE5fG7hI9jKl.atlas¦v1.BODY",
            "x-aB3dE5fG7hI9jK.atlas¦v1.BODY",
            "aB3dE5fG7hI9jK.atlas¦v1.q8Zt",
            "aB3dE5fG7hI9jK.atlas¦v1.BODYabcdef12345",
            "aB3dE5fG7hI9jK.atlas¦v1.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "atlasv1.",
            ".atlasv1",
        ]);
    }

    #[test]
    fn maxmind() {
        check(&[
            "license_key=«aB3dE5_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5_mmk»&suffix",
            "é«12aB34_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5_mmk»é",
            "aB3dE5_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X_mmk",
            "aB3dE5_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5y_mmk",
            "aB3dE_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5_mmk",
            "aB3dE5_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5_mmkx",
            "x_aB3dE5_f7gH9iJ1kL3mN5oP7qR9sT1uV3w¦X5_mmk",
            "mmk",
            "_mmk",
        ]);
    }
}
