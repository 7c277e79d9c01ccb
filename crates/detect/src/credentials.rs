//! Decides whether a value is the password, secret, key or code that its key says.
//!
//! In: the meaning of a key and its value, or a text that begins with it, without blanks before it. Out: which part is
//! the value, and of what category. Check rules: passwords are words that no sentence, type or expression explains;
//! secrets have the spread of chance; recovery phrases are 12 to 24 short words; pairs of a name and a password give the
//! password. Invariant: a look is bounded by the text passed in. Not here: finding keys (`keys`, `structure`).

use cloakgate_vocab::{Category, Span};

use crate::fields::{Extent, MAX_VALUE_BYTES, Verdict, verdict};
use crate::keys::{self, Meaning};
use crate::placeholder::is_placeholder;
use crate::recognise::{is_basic, plausible_password, plausible_secret};
use crate::secret_end::{ends_statement, secret_word};
use crate::{code, seeds, vocabulary};

/// Longest secret, in bytes: keys are longer than names.
pub(crate) const MAX_SECRET_BYTES: usize = 4096;

/// True for the meanings that this file decides.
pub(crate) fn is_credential(meaning: Meaning) -> bool {
    has_long(meaning)
        || matches!(
            meaning,
            Meaning::Pin
                | Meaning::CardCode
                | Meaning::EnvKey
                | Meaning::ClientId
                | Meaning::Mnemonic
                | Meaning::OtpSeed
        )
}

/// True for the meanings whose values may be longer than a line.
pub(crate) fn has_long(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Secret
            | Meaning::Token
            | Meaning::ApiKey
            | Meaning::Password
            | Meaning::Passphrase
            | Meaning::Login
            | Meaning::BasicAuth
    )
}

/// Judges a value under a key for a credential.
pub(crate) fn judge(meaning: Meaning, value: &str, extent: Extent) -> Option<Verdict> {
    match meaning {
        Meaning::Passphrase => (extent == Extent::Open)
            .then(|| seeds::passphrase(value))
            .flatten()
            .and_then(|len| verdict(len, Category::Password, "key.passphrase"))
            .or_else(|| password(value, extent)),
        Meaning::Password => paired_password(value, Pair::Slash).or_else(|| password(value, extent)),
        Meaning::Pin | Meaning::CardCode => pin(value, extent),
        Meaning::Login => paired_password(value, Pair::Any)
            .or_else(|| secret_value(Meaning::Secret, value, extent).filter(|_| extent != Extent::Blank)),
        Meaning::EnvKey => env_key(value, extent),
        Meaning::ClientId => client_id(value, extent),
        Meaning::Mnemonic => {
            let Some(len) = seeds::mnemonic(value) else {
                return secret_value(Meaning::Secret, value, extent);
            };
            (extent != Extent::Whole || len == value.len())
                .then(|| verdict(len, Category::Secret, "key.mnemonic"))
                .flatten()
                .or_else(|| secret_value(Meaning::Secret, value, extent))
        }
        Meaning::OtpSeed => seeds::otp_seed(value)
            .and_then(|len| verdict(len, Category::Secret, "key.otp_seed"))
            .or_else(|| secret_value(Meaning::Secret, value, extent)),
        Meaning::BasicAuth => {
            let word = if extent == Extent::Whole { value } else { secret_word(value) };
            is_basic(word).then(|| verdict(word.len(), Category::Secret, "key.basic")).flatten()
        }
        _ => secret_value(meaning, value, extent),
    }
}

fn pin(value: &str, extent: Extent) -> Option<Verdict> {
    let word = if extent == Extent::Whole { value } else { secret_word(value) };
    // `4711#`: as it is typed at a door or into a telephone
    let word = word.trim_end_matches(['#', '*']);
    let number = (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let expression = extent != Extent::Whole && code::is_expression(value);
    (number && extent != Extent::Blank && !expression)
        .then(|| verdict(word.len(), Category::Password, "key.pin"))
        .flatten()
}

fn password(value: &str, extent: Extent) -> Option<Verdict> {
    let word = if extent == Extent::Whole { value } else { secret_word(value) };
    if extent != Extent::Whole && code::is_expression(value) {
        return None;
    }
    // `"password": "Mot de passe"` translates the word.
    if extent == Extent::Whole && keys::names(word, Meaning::Password) {
        return None;
    }
    if word.contains('\n')
        || word.len() > MAX_VALUE_BYTES
        || is_placeholder(word)
        || is_pattern(word)
        || is_version(word)
        || is_rule_list(word)
        || !plausible_password(word)
    {
        return None;
    }
    let small = word.chars().all(|c| c.is_alphabetic() && !c.is_uppercase());
    let letters = small || (vocabulary::is_common(word) && word.chars().all(char::is_alphabetic));
    let rest = value.get(word.len()..)?;
    let last = ends_statement(rest);
    let strong = word.chars().count() >= 6
        && !letters
        && word.chars().any(|c| !c.is_alphabetic())
        && !is_compound(word);
    let likely = match extent {
        Extent::Whole => true,
        Extent::Open => {
            (!letters || (last && !vocabulary::is_common(word))) && !is_type(word, rest) && !is_markup(word)
        }
        Extent::Verb => strong || is_scrambled(word),
        Extent::Blank => is_unmistakable(word),
    };
    if likely {
        return verdict(word.len(), Category::Password, "key.password");
    }
    None
}

fn secret_value(meaning: Meaning, value: &str, extent: Extent) -> Option<Verdict> {
    let word = if extent == Extent::Whole { value } else { secret_word(value) };
    if extent != Extent::Whole && code::is_expression(value) {
        return None;
    }
    if extent == Extent::Blank && (word.len() < 16 || !word.bytes().any(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let counted = meaning == Meaning::Token && (is_counted(word) || is_object_id(word));
    if vocabulary::is_wordy(word) || is_pattern(word) || is_member(word) || counted {
        return None;
    }
    if word.contains([' ', '\n']) || !plausible_secret(word) || is_placeholder(word) {
        return None;
    }
    let (category, rule) = match meaning {
        Meaning::ApiKey => (Category::ApiKey, "key.api_key"),
        Meaning::Token => (Category::Secret, "key.token"),
        _ => (Category::Secret, "key.secret"),
    };
    verdict(word.len(), category, rule)
}

/// A value drawn by chance: 24 hexadecimal digits or more, or 20 letters of base64 in both cases with digits.
fn env_key(value: &str, extent: Extent) -> Option<Verdict> {
    let word = if extent == Extent::Whole { value } else { secret_word(value) };
    let body = ["base64:", "hex:"].iter().find_map(|head| word.strip_prefix(head)).unwrap_or(word);
    let any = |test: fn(&u8) -> bool| body.bytes().filter(test).count();
    let (digits, upper, lower) =
        (any(u8::is_ascii_digit), any(u8::is_ascii_uppercase), any(u8::is_ascii_lowercase));
    let hexadecimal = body.bytes().all(|byte| byte.is_ascii_hexdigit()) && body.len() >= 24;
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    let mixed = body.trim_end_matches('=').bytes().all(letters) && body.len() >= 20 && upper > 1 && lower > 1;
    let drawn = digits > 0 && ((hexadecimal && upper + lower > 1) || mixed);
    (drawn
        && extent != Extent::Blank
        && !vocabulary::is_wordy(body)
        && !is_placeholder(word)
        && plausible_secret(body))
    .then(|| verdict(word.len(), Category::Secret, "key.drawn"))
    .flatten()
}

/// `AC9f86d0...`, `S-1-5-21-...`: under `sid`, the number of an object of a service or of an account of a system.
fn is_object_id(word: &str) -> bool {
    let hexadecimal = |body: &str| body.len() == 32 && body.bytes().all(|byte| byte.is_ascii_hexdigit());
    let numbered = word.split_at_checked(2).is_some_and(|(head, body)| {
        head != "SK" && head.bytes().all(|byte| byte.is_ascii_uppercase()) && hexadecimal(body)
    });
    numbered || word.starts_with("S-1-")
}

/// `Statement1`: a word and its number.
fn is_counted(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() >= 4
        && word.len() - letters.len() <= 2
        && letters.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
}

/// `oauth2_parameters.credentials`: a member of a thing of code.
fn is_member(word: &str) -> bool {
    let Some((object, member)) = word.rsplit_once('.') else { return false };
    let digits = object.bytes().filter(u8::is_ascii_digit).count();
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    digits <= 1
        && object.split('.').all(name)
        && member.len() >= 3
        && member.bytes().skip(1).all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && name(member)
}

/// Ids that vendors issue together with a secret: digits, or letters with many digits.
fn client_id(value: &str, extent: Extent) -> Option<Verdict> {
    let word = if extent == Extent::Whole { value } else { secret_word(value) };
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let alphabet = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let long = (12..=64).contains(&word.len());
    let humps = vocabulary::humps(word).count() * 4 > word.len() && !vocabulary::is_wordy(word);
    let issued = digits == word.len() || if digits > 0 { plausible_secret(word) } else { humps };
    (alphabet && long && issued && extent != Extent::Blank && !is_placeholder(word))
        .then(|| verdict(word.len(), Category::ApiKey, "key.client_id"))
        .flatten()
}

/// What may join a name and a password.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Pair {
    /// `marie/...`, `marie / ...`
    Slash,
    /// `marie:...` and `marie | ...` too
    Any,
}

/// `marie / Hunter22!` under a key for both: the password.
pub(crate) fn paired_password(value: &str, pair: Pair) -> Option<Verdict> {
    let name = value
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '@')))
        .filter(|name| (2..=64).contains(name))?;
    // `AE/lU1ke6UHFxnOF` is one value: names have no capitals inside
    if value.get(..name)?.chars().skip(1).any(char::is_uppercase) {
        return None;
    }
    let rest = value.get(name..)?;
    let inner = rest.trim_start_matches(' ');
    let blanks = rest.len() - inner.len();
    let mark = inner
        .chars()
        .next()
        .filter(|mark| *mark == '/' || (pair == Pair::Any && matches!(mark, ':' | '|')))?;
    let after = inner.get(mark.len_utf8()..)?;
    let start = value.len() - after.trim_start_matches(' ').len();
    let word = secret_word(value.get(start..)?);
    // `marie /x` is a path, `https://x` an address
    let even = (blanks > 0) == after.starts_with(' ') || mark == ':';
    let fits = even && blanks <= 2 && !word.contains(['/', ':']);
    let clear = is_unmistakable(word) || (pair == Pair::Any && mark != '|' && is_stated(word));
    (fits && clear && plausible_password(word) && !is_placeholder(word)).then(|| Verdict {
        span: Span::sized(start, word.len()),
        category: Category::Password,
        rule: "key.login",
    })
}

/// A word that is a password wherever a key word stands beside it: digits, letters and a sign, or letters in both cases
/// with digits between them. `SHA-256`, `OAuth2`, `v1.2` and `base64-encoded` are none.
pub(crate) fn is_unmistakable(word: &str) -> bool {
    let digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let upper = word.chars().any(char::is_uppercase);
    let lower = word.chars().any(char::is_lowercase);
    let sign = word.bytes().any(|byte| {
        byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'.' | b'_' | b'/' | b':' | b',' | b'(' | b')')
    });
    let numbered = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let ends_in_number = numbered.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '_' | '.'));
    let classes = [digit, upper, lower, sign].iter().filter(|has| **has).count();
    let call = word.contains('(') || word.contains('[') || word.contains("](") || word.contains("://");
    word.chars().count() >= 7 && classes >= 3 && (sign || !ends_in_number) && !call && !is_compound(word)
}

/// A word that a sentence states as a password: unmistakable, or with a digit and no word of technology.
pub(crate) fn is_stated(word: &str) -> bool {
    let digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let letter = word.chars().any(char::is_lowercase);
    is_unmistakable(word) || (digit && letter && word.len() >= 6 && !is_compound(word) && !is_version(word))
}

/// A word that stands where a password may stand: with a digit or a sign beside letters, or letters in both cases that
/// make no word. `newPassword`, `required` and `user.name` are none.
pub(crate) fn is_told(word: &str) -> bool {
    let digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let sign = word
        .bytes()
        .any(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'.' | b'_' | b'-' | b'/' | b':'));
    let letter = word.chars().any(char::is_alphabetic);
    word.chars().count() >= 6
        && letter
        && (digit || sign)
        && !word.contains(['(', ' ', '<', '{'])
        && !is_version(word)
}

/// `nlqIiKyPwPPw`: letters alone that change their case too often for words.
pub(crate) fn is_scrambled(word: &str) -> bool {
    let bytes = word.as_bytes();
    let changes = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [one, next] if one.is_ascii_lowercase() != next.is_ascii_lowercase()))
        .count();
    bytes.len() >= 10
        && bytes.iter().all(u8::is_ascii_alphabetic)
        && changes * 3 >= bytes.len()
        && !vocabulary::is_wordy(word)
}

/// `E0138049CF798F92C3`: a password as devices write it in their settings.
pub(crate) fn is_enciphered(word: &str) -> bool {
    word.len() >= 8
        && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F'))
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// `case-sensitive`, `base64-encoded`, `up-to-date`.
fn is_compound(word: &str) -> bool {
    let mut parts = 0;
    let plain = word.split('-').all(|part| {
        parts += 1;
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        !letters.is_empty()
            && part.len() - letters.len() <= 3
            && letters.bytes().all(|b| b.is_ascii_lowercase())
    });
    plain && (2..=3).contains(&parts)
}

/// `PWSTR,`, `LPCWSTR,`: the type of a member or an argument.
fn is_type(word: &str, rest: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() >= 4
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && rest.starts_with([',', ';', ')'])
}

/// `@host`, `size="10"`, `!0,image:!1`: what follows a word in a URL, a tag, packed code.
fn is_markup(word: &str) -> bool {
    word.starts_with('@') || word.contains("=\"") || (word.starts_with(['!']) && word.contains(":!"))
}

/// `required|min:8`: rules for a value.
fn is_rule_list(word: &str) -> bool {
    let mut parts = 0;
    let rules = word.split('|').all(|part| {
        parts += 1;
        let name = part.split(':').next().unwrap_or_default();
        name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    });
    rules && parts > 1
}

/// `1.2.1`, `^17.0.3`
fn is_version(word: &str) -> bool {
    let numbers = word.trim_start_matches(['^', '~', 'v', '=', '>', '<']);
    numbers.contains('.')
        && numbers
            .split('.')
            .all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `[0-9a-f]+`, `\d{4}`: a pattern for values.
fn is_pattern(word: &str) -> bool {
    let hexadecimal = word
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() <= 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hexadecimal
        || ["a-z", "A-Z", "ABCDEFGHIJKLMNOPQ", "0-9a", "0-9A", "0-9]", "a-f0-9", "\\d", "\\w", "(?:"]
            .iter()
            .any(|mark| word.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::fields::Extent;
    use crate::keys::Meaning;

    fn check(meaning: Meaning, extent: Extent, rows: &[(&str, &str)]) {
        for (text, expected) in rows {
            let found =
                judge(meaning, text, extent).and_then(|found| found.span.of(text)).unwrap_or_default();
            assert_eq!(found, *expected, "{meaning:?} {extent:?}: {text}");
        }
    }

    #[test]
    fn passwords_in_sentences_and_settings() {
        check(
            Meaning::Password,
            Extent::Verb,
            &[
                ("Sommer2024! since May", "Sommer2024!"),
                ("hunter22", "hunter22"),
                ("case-sensitive", ""),
                ("base64-encoded and", ""),
                ("stored in the vault", ""),
                ("marie/Hunter22!", "Hunter22!"),
            ],
        );
        check(
            Meaning::Password,
            Extent::Open,
            &[
                ("Xk9!mmQ2;Encrypt=true;", "Xk9!mmQ2"),
                ("P@ssw0rd;x;Max Pool Size=5", "P@ssw0rd;x"),
                ("PWSTR,", ""),
                ("LPCWSTR)", ""),
                ("@proxy-host", ""),
                ("marie / Hunter22!", "Hunter22!"),
            ],
        );
        check(
            Meaning::Password,
            Extent::Blank,
            &[
                ("Xk9mmQ2z", "Xk9mmQ2z"),
                ("hunter22!", "hunter22!"),
                ("OAuth2", ""),
                ("SHA-256 is used", ""),
                ("reset2day", ""),
                ("PBKDF2-HMAC-SHA256", ""),
                ("get_password2(x)", ""),
            ],
        );
        check(Meaning::Password, Extent::Whole, &[("required|min:8", ""), ("a|b!C9xx", "a|b!C9xx")]);
    }

    #[test]
    fn names_and_passwords_in_pairs() {
        check(
            Meaning::Login,
            Extent::Open,
            &[
                ("marie / Hunter22!", "Hunter22!"),
                ("marie@example.org:Hunter22!", "Hunter22!"),
                ("https://example.org/Path1!", ""),
                ("click here / there", ""),
                ("see vault", ""),
                ("9f86d081884c7d659a2feaa0c55ad015", "9f86d081884c7d659a2feaa0c55ad015"),
            ],
        );
    }

    #[test]
    fn seeds_and_recovery_phrases() {
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
        check(
            Meaning::Mnemonic,
            Extent::Open,
            &[(words, words), ("a list of twelve words that you write down and keep in a safe place", "")],
        );
        check(Meaning::Mnemonic, Extent::Whole, &[(words, words), ("legal winner thank", "")]);
        check(
            Meaning::OtpSeed,
            Extent::Open,
            &[
                ("JBSW Y3DP EHPK 3PXP", "JBSW Y3DP EHPK 3PXP"),
                ("JBSWY3DPEHPK3PXPJBSW", "JBSWY3DPEHPK3PXPJBSW"),
                ("SEE THE DOCS", ""),
            ],
        );
        check(
            Meaning::BasicAuth,
            Extent::Whole,
            &[("bWFyaWU6WGs5bW1RMno=", "bWFyaWU6WGs5bW1RMno="), ("none", ""), ("bearer", "")],
        );
        check(
            Meaning::ClientId,
            Extent::Open,
            &[
                ("992083212788453748", "992083212788453748"),
                ("my-app-client", ""),
                ("81vkkyr73d40s2", "81vkkyr73d40s2"),
            ],
        );
    }
}
