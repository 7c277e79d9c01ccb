//! Tokens of HashiCorp Vault before version 1.10.
//!
//! Issuer: HashiCorp Vault. Format: `s.` (service), then 24 letters and digits. Check rule: a digit,
//! and ten changes between capitals, small letters and digits, as all but one in fifteen have; members of a variable
//! `s` have fewer. `s.` and 24 invented characters make one. Source: Vault documentation, "Tokens", section "Token prefixes".
//!
//! In: text and the start of a word `s` with a dot behind it. Out: one hit. Invariant: reads at most 30 bytes.
//! Not here: `hvs.`, `hvb.` and `hvr.` (`vendor_table.rs`), batch tokens `b.`, which have no fixed length.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, reads_exactly, run_end};
use super::plausible::{has_spread, mentions_placeholder};

/// Reports the token that begins at `start`.
pub(super) fn legacy_token_at(text: &str, start: usize) -> Option<Hit> {
    if !reads_exactly(text, start, "s.") || is_glued(before(text, start)) {
        return None;
    }
    let body = start + 2;
    let end = run_end(text, body, 25, |byte| byte.is_ascii_alphanumeric());
    let (next, later) = (at(text, end), at(text, end + 1));
    let goes_on = is_base64url(next) || next == b'(' || next == b'[' || (next == b'.' && is_base64url(later));
    if end - body != 24 || goes_on {
        return None;
    }
    let secret = text.as_bytes().get(body..end)?;
    let class = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes =
        secret.windows(2).filter(|pair| matches!(pair, [left, right] if class(*left) != class(*right)));
    let mixed = changes.count() >= 10 && secret.iter().any(u8::is_ascii_digit);
    (mixed && has_spread(secret) && !mentions_placeholder(secret))
        .then(|| Hit::new(start, end, Category::ApiKey, "vault", Strength::Checked))
}

fn is_glued(byte: u8) -> bool {
    is_base64url(byte) || matches!(byte, b'.' | b')' | b']' | b'\'' | b'/')
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn tokens() {
        check_words(
            ApiKey,
            &[
                "VAULT_TOKEN=«s.aB3dE5fG7hI9¦jK1lM3nO5pQ7»",
                "X-Vault-Token: «s.aB3dE5fG7hI9¦jK1lM3nO5pQ7».",
                "é\"«s.aB3dE5fG7hI9¦jK1lM3nO5pQ7»\"é",
                "s.aB3dE5fG7hI9¦jK1lM3nO5pQ",
                "s.aB3dE5fG7hI9¦jK1lM3nO5pQ7r",
                "s.aB3dE5fG7hI9¦jK1lM3nO5pQ7()",
                "s.aB3dE5fG7hI9¦jK1lM3nO5pQ7.id",
                "this.s.aB3dE5fG7hI9¦jK1lM3nO5pQ7",
                "as.aB3dE5fG7hI9¦jK1lM3nO5pQ7",
                "s.getOrganizationUserNames",
                "s.getBase64EncodedStringOf",
                "s.configurationparameter12",
                "s.len",
            ],
        );
    }
}
