//! Keys that say by their head what they are: `sk_live...`, `token-...`, `api_key...`, `secretProdKey...`.
//!
//! Format: none is fixed. A head (`key`, `token`, `secret`, `api`, `access`, `auth`, `sk`, `pk`, `rk`), more heads and names
//! of environments behind it (`live`, `prod`, `user`), joined by `_`, `-` or nothing, then a body of 16 letters and digits
//! or more. Check rule: the body is drawn by chance (letters and digits change places often) or typed along the alphabet
//! and the row of digits, as people do for examples. `key_abc123def456ghi789jkl01234` has runs of 3 along the alphabet
//! from end to end; `token-7f9Q2mZx81LpRt4vWb6K` changes between small letters, capitals and digits 12 times;
//! `tokenClassificationModelOutput` and `key_expiration_seconds` do neither.
//!
//! In: text and a word start. Out: one hit over head and body. Invariant: reads at most 200 bytes.
//! Not here: heads of vendors with a fixed body (`vendor_table.rs`), values under a key.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, is_identifier, run_end};
use super::plausible::{has_spread, mentions_placeholder};
use crate::vocabulary;

const MAX_BYTES: usize = 200;
/// Fewest letters and digits of a body.
const MIN_BODY: usize = 16;
/// Fewest letters and digits that stand along the alphabet for a body to be typed.
const MIN_TYPED: usize = 9;

/// Longest head.
const MAX_HEAD: usize = 6;
/// Words that announce a key.
const HEADS: &[&str] = &["access", "api", "auth", "key", "pk", "rk", "secret", "sk", "token"];
/// Words that may follow a head.
const PLACES: &[&str] = &[
    "client",
    "dev",
    "live",
    "private",
    "prod",
    "production",
    "refresh",
    "sandbox",
    "session",
    "staging",
    "test",
    "user",
];

/// Reports the key that begins at `start`.
pub(super) fn named_key_at(text: &str, start: usize) -> Option<Hit> {
    let previous = before(text, start);
    if is_identifier(previous) || matches!(previous, b'-' | b'.' | b'\\' | b'$' | b'@' | b'#' | 0x80..) {
        return None;
    }
    // Most words begin with no head.
    strip(text.get(start..text.floor_char_boundary(start + MAX_HEAD))?, HEADS)?;
    let end = run_end(text, start, MAX_BYTES + 1, is_base64url);
    if end - start < MIN_BODY {
        return None;
    }
    let run = text.get(start..end)?.trim_end_matches(['-', '_']);
    let named = behind_head(run)?;
    let body = behind_more(named);
    if run.len() > MAX_BYTES || goes_on(text, end) || mentions_placeholder(body.as_bytes()) {
        return None;
    }
    (is_typed(named) || is_drawn(body))
        .then(|| Hit::new(start, start + run.len(), Category::ApiKey, "named-key", Strength::Context))
}

/// A call, an index, a member, an assignment: the run is a name of code or of a file.
fn goes_on(text: &str, end: usize) -> bool {
    match at(text, end) {
        b'(' | b'[' | b'=' => true,
        b'.' | b':' => at(text, end + 1).is_ascii_alphanumeric() || at(text, end + 1) == b':',
        _ => false,
    }
}

/// What follows the head of a key; nothing when there is none.
fn behind_head(run: &str) -> Option<&str> {
    let rest = strip(run, HEADS)?;
    // `sky`, `skip`, `PK11Slot`: two letters are a head only before a border, and small where none is written.
    let short = run.len() - rest.len() == 2;
    let glued = !rest.starts_with(['_', '-']);
    if short
        && glued
        && (run.starts_with(|c: char| c.is_ascii_uppercase())
            || rest.starts_with(|c: char| c.is_ascii_lowercase()))
    {
        return None;
    }
    Some(rest)
}

/// The body: what follows more heads and names of environments.
fn behind_more(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start_matches(['_', '-']);
        match strip(rest, HEADS).or_else(|| strip(rest, PLACES)) {
            Some(next) => rest = next,
            None => return rest,
        }
    }
}

/// The text without the longest of the words at its start.
fn strip<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let first = text.bytes().next()?.to_ascii_lowercase();
    words
        .iter()
        .filter(|word| word.as_bytes().first() == Some(&first))
        .filter(|word| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
        .max_by_key(|word| word.len())
        .and_then(|word| text.get(word.len()..))
}

/// Typed along the alphabet and the digits for the most part: `abc123def456ghi7`.
fn is_typed(body: &str) -> bool {
    let letters = body.bytes().filter(u8::is_ascii_alphanumeric).count();
    let follows = |pair: (u8, u8)| {
        let (one, next) = (pair.0.to_ascii_lowercase(), pair.1.to_ascii_lowercase());
        (one + 1 == next && next.is_ascii_alphanumeric()) || (one, next) == (b'9', b'0')
    };
    let (mut typed, mut row, mut alphabet) = (0, 1, false);
    for pair in body.bytes().zip(body.bytes().skip(1).chain([0])) {
        if follows(pair) {
            row += 1;
            continue;
        }
        if row >= 3 {
            typed += row;
            alphabet |= pair.0.is_ascii_alphabetic();
        }
        row = 1;
    }
    alphabet && letters >= MIN_BODY && typed >= MIN_TYPED && typed * 5 >= letters * 2
}

/// Drawn by chance: its longest part changes between digits, small letters and capitals every few characters.
fn is_drawn(body: &str) -> bool {
    let part = body.split(['_', '-']).max_by_key(|part| part.len()).unwrap_or_default();
    let bytes = part.as_bytes();
    // `auth-fix-9f86d0...`: a name with a hash
    let named =
        body.split(['_', '-']).any(|other| other.len() >= 3 && other.bytes().all(|b| b.is_ascii_lowercase()));
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        _ => 2,
    };
    let changes = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [one, next] if class(*one) != class(*next) && (class(*one), class(*next)) != (2, 1)))
        .count();
    let numbers = part.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    let words = part
        .split(|c: char| !c.is_ascii_alphabetic())
        .flat_map(vocabulary::humps)
        .any(|word| word.len() >= 4 && vocabulary::is_common(word));
    bytes.len() >= MIN_BODY
        && (digits >= 3 || numbers >= 2)
        && digits < bytes.len()
        && (changes + 1) * 7 >= bytes.len() * 2
        && has_spread(bytes)
        && !named
        && !words
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn keys_with_a_head() {
        check_words(
            ApiKey,
            &[
                "Set «token¦AbcdefghijKlmnOpqrstu» in it",
                "«key_abc123¦def456ghi789jkl01234»",
                "key: «sk1234567890¦abcdefghijklmnop».",
                "Public: «pk_live¦Abcdefghijklmnopqrst».",
                "«api_key¦Abcdefghijklmnopqrstuvwx» is",
                "«secret_production¦KeyAbc123def456».",
                "(«access_token_¦xyz789abc123def456»)",
                "«token-7f9Q2m¦Zx81LpRt4vWb6K»,",
                "?t=«apikey-9f86d081¦884c7d659a2feaa0»&",
                "«AUTH_x7Kq2mPz¦9LtR4vWb6NcY8sDf»",
                "«rk-prod-4b1d¦9c07e2a84f3d6b5c»",
                "«secretKey¦Q7Zt8uJ9x2Lm4Vb6»",
            ],
        );
    }

    #[test]
    fn names_of_code_and_files_are_none() {
        check_words(
            ApiKey,
            &[
                "key_expiration_seconds tokenClassificationModelOutput secret_manager_client_v2",
                "token_type_ids_2d_position_embedding",
                "keyboardInterruptHandler2 skinnedMeshRenderer3dTexture8",
                "accessTokenExpirationTimeInSeconds30",
                "key_sha256_with_rsa2048_and_aes128_cbc",
                "auth-fix-9f86d081884c7d659a2feaa0c55ad015",
                "token-7f9Q2mZx81LpRt4vWb6K.js",
                "token_7f9Q2mZx81LpRt4vWb6K()",
                "token_7f9Q2mZx81LpRt4vWb6K=1",
                "data-token-7f9Q2mZx81LpRt4vWb6K",
                "token-550e8400-e29b-41d4-a716-446655440000",
                "sk_buff_head_init_class_1234567890123456",
                "skip1234abcd5678efab90",
                "key_xxxxxxxxxxxxxxxxxxxx1234 key-your_key_abc123def456ghi789",
                "auth_20240101_120000_20240102",
                "tokenizer1234567890",
                "api_v1_k8s_i18n_e2e_s3_ec2_b64",
                "PK11MergeLogNodeStr PK11IsLoggedInFunc2x PKA6hjhodHRwOi8vY3JsLmNvb",
                "apiextensionsV1beta1ClientConfig",
            ],
        );
    }
}
