//! Common words of English and of software, for telling names and passwords from titles and identifiers.
//!
//! In: a word or a short value. Out: whether it is common. The list leaves out words that are also given names or
//! frequent surnames. Invariant: letters' case does not count. Not here: what follows from it (`people`, `known`).

use std::sync::LazyLock;

use crate::word_set::WordSet;

static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(include_str!("../data/vocabulary.txt")));

/// Longest word of the list in bytes.
const MAX_WORD_BYTES: usize = 16;

/// True for a word of the list, also with a plural `s`.
pub(crate) fn is_common(word: &str) -> bool {
    if !(3..=MAX_WORD_BYTES + 1).contains(&word.len()) || !word.is_ascii() {
        return false;
    }
    WORDS.contains(word) || word.strip_suffix(['s', 'S']).is_some_and(|stem| WORDS.contains(stem))
}

/// True when a value is made of common words alone, in any way of joining them: `Error Code`, `getUserById`,
/// `max_retry_count2`, `SELECT * FROM users`.
pub(crate) fn is_phrase(value: &str) -> bool {
    let mut common = 0;
    for word in value.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        for piece in humps(word) {
            if is_common(piece) {
                common += 1;
            } else if piece.len() > 2 {
                return false;
            }
        }
    }
    common > 0
}

/// True for an identifier that common words make up for the most part, with one number at most:
/// `notificationsLastEventId`, `nl80211_pattern_support`, `IKE_CREDENTIAL2`.
pub(crate) fn is_wordy(value: &str) -> bool {
    // `ed25519.Ed25519PrivateKey`: the last name decides.
    let value = value.rsplit('.').next().unwrap_or_default();
    if !is_identifier(value) {
        return false;
    }
    let numbers = value.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    let words = value.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let pieces = words.flat_map(humps).map(|piece| (piece.len(), is_common(piece)));
    let (all, common) =
        pieces.fold((0, 0), |(all, common), (len, is)| (all + len, common + if is { len } else { 0 }));
    let long =
        numbers == 0 && humps(value).all(|hump| hump.trim_matches('_').len() > 2) && humps(value).count() > 2;
    numbers <= 1 && (common * 5 >= all * 3 || long)
}

/// True for a name of code: small letters and capitals alternate (`getUser`), or words are joined by `_`.
pub(crate) fn is_identifier(value: &str) -> bool {
    const PREFIXES: &[&str] =
        &["mc", "mac", "de", "del", "della", "da", "di", "la", "le", "van", "von", "o", "fitz", "st"];
    let alphabet = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !alphabet || !value.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let hump = humps(value).nth(1).is_some()
        && !humps(value)
            .next()
            .is_some_and(|first| PREFIXES.iter().any(|prefix| first.eq_ignore_ascii_case(prefix)));
    value.trim_matches('_').contains('_') || (hump && value.bytes().any(|byte| byte.is_ascii_lowercase()))
}

/// The humps of a camelCase word.
pub(crate) fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let end = (1..bytes.len())
            .find(|at| {
                let pair = (bytes.get(at - 1), bytes.get(*at), bytes.get(at + 1));
                matches!(pair, (Some(before), Some(here), _) if before.is_ascii_lowercase() && here.is_ascii_uppercase())
                    || matches!(pair, (Some(before), Some(here), Some(next))
                        if before.is_ascii_uppercase() && here.is_ascii_uppercase() && next.is_ascii_lowercase())
            })
            .unwrap_or(bytes.len());
        let (hump, more) = rest.split_at_checked(end)?;
        rest = more;
        Some(hump)
    })
}

#[cfg(test)]
mod tests {
    use super::{is_common, is_identifier, is_phrase, is_wordy};

    #[test]
    fn words_of_titles_and_of_code_are_common_and_names_are_not() {
        for value in [
            "Error Code",
            "import os",
            "localhost",
            "getUserById",
            "SELECT * FROM users",
            "HashTable",
            "Docker",
            "eventName",
            "page_retry_count2",
            "HTTPServer",
            "Only values of",
        ] {
            assert!(is_phrase(value), "{value}");
        }
        for value in
            ["Marie Dubois", "Will Smith", "Ann Lee", "hunter22", "", "12", "Grace Kelly", "Anna Baker"]
        {
            assert!(!is_phrase(value), "{value}");
        }
        assert!(is_common("Users") && !is_common("Marie") && !is_common("or"));
    }

    #[test]
    fn identifiers_are_told_from_names() {
        for value in ["getUserById", "user_name", "asyncHook", "PatternSet", "nl80211_pattern_support"] {
            assert!(is_identifier(value), "{value}");
        }
        assert!(is_wordy("notificationsToolLastEventId") && is_wordy("nl80211_pattern_support"));
        assert!(is_wordy("ed25519.Ed25519PrivateKey") && is_wordy("_EllipticCurvePrivateKey"));
        assert!(
            !is_wordy("secret_productionKeyAbc123def456")
                && !is_wordy("hunter_q8Zt")
                && !is_wordy("password")
        );
        for value in ["Marie", "McDonald", "DeLaCruz", "MARIE", "marie", "Marie Dubois", "_x", "1234", ""] {
            assert!(!is_identifier(value), "{value}");
        }
    }
}
