//! Whether a value can be a password or a secret at all, for values that a key word announces.
//!
//! In: a value, already cut out. Out: yes or no. Rules: no placeholder (`<password>`, `${DB_PASS}`, `********`,
//! `YOUR_API_KEY`, `changeme`), no reference (`os.environ["X"]`, `config.password`, `vault:...`), no word of a type or a
//! state (`str`, `null`, `required`), none of our own tokens; a secret also has a length and a spread of characters
//! that words and counts lack. `hunter22!` is a password and no secret; `9f86d081884c7d659a2feaa0c55ad015` is both.
//!
//! Invariant: linear in the value, nothing is allocated. Not here: key words, hashes (a bare hash beside a secret key is one).

const MAX_VALUE: usize = 4096;

/// Words that stand where a password would, and are none.
const STATES: [&str; 58] = [
    "password",
    "passwd",
    "pwd",
    "pass",
    "passwort",
    "passphrase",
    "contraseña",
    "secret",
    "token",
    "key",
    "apikey",
    "api_key",
    "credential",
    "credentials",
    "username",
    "user",
    "string",
    "str",
    "&str",
    "bool",
    "boolean",
    "int",
    "integer",
    "number",
    "any",
    "object",
    "bytes",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "required",
    "optional",
    "missing",
    "empty",
    "invalid",
    "incorrect",
    "expired",
    "hidden",
    "masked",
    "redacted",
    "removed",
    "changed",
    "unchanged",
    "disabled",
    "enabled",
    "text",
    "basic",
    "bearer",
    "default",
    "changeme",
    "todo",
];

/// Heads of values that say where the secret is kept.
const REFERENCES: [&str; 24] = [
    "os.",
    "env.",
    "env(",
    "env[",
    "process.env",
    "system.getenv",
    "getenv",
    "self.",
    "this.",
    "config.",
    "settings.",
    "args.",
    "params.",
    "secrets.",
    "vault:",
    "op://",
    "arn:aws",
    "ref+",
    "!vault",
    "!secret",
    "file:",
    "secretkeyref",
    "valuefrom",
    "/run/secrets",
];

/// Words with which a sentence goes on behind "password".
const PROSE: [&str; 34] = [
    "is", "was", "must", "should", "can", "cannot", "may", "will", "has", "have", "for", "to", "of", "and",
    "or", "the", "a", "an", "not", "does", "did", "do", "field", "reset", "policy", "manager", "with", "in",
    "from", "at", "you", "your", "please", "enter",
];

/// True when a value under a password key can be one.
pub(crate) fn plausible_password(value: &str) -> bool {
    let characters = value.chars().take(MAX_VALUE).count();
    (4..=256).contains(&characters) && !is_placeholder(value) && !is_prose(value) && !is_code(value)
}

/// True when a value under a key for secrets can be one.
pub(crate) fn plausible_secret(value: &str) -> bool {
    let bytes = value.as_bytes();
    if !(8..=MAX_VALUE).contains(&bytes.len()) {
        return false;
    }
    let count = |class: fn(&u8) -> bool| bytes.iter().filter(|byte| class(byte)).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let letters = upper + lower;
    let mixed = digits > 0 || (upper > 1 && lower > 1 && changes_case(bytes));
    // What most words lack is asked first.
    if !mixed || value.contains(char::is_whitespace) || is_placeholder(value) || is_code(value) {
        return false;
    }
    let public = [
        "ssh-",
        "sha1-",
        "sha256-",
        "sha384-",
        "sha512-",
        "sha256:",
        "sha512:",
        "md5:",
        "data:",
        "-----BEGIN PUBLIC",
        "-----BEGIN CERT",
    ];
    let address = value.contains("://") || value.contains(":\\/\\/");
    if public.iter().any(|head| value.starts_with(head)) || address || is_numbered_name(value) {
        return false;
    }
    if letters == 0 {
        // account numbers and counts under `token` are short
        return digits >= 20 && has_spread(bytes);
    }
    !is_words(value)
        && if bytes.len() < 16 { digits > 0 && distinct(bytes) * 2 > bytes.len() } else { has_spread(bytes) }
}

/// True for what people write in the place of a value.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim_matches(|character: char| matches!(character, '"' | '\'' | '`' | ' ' | ',' | ';'));
    let Some(first) = value.chars().next() else { return true };
    let variable = first == '$'
        && value
            .chars()
            .nth(1)
            .is_some_and(|next| matches!(next, '{' | '(' | '_') || next.is_ascii_alphabetic())
        && value.chars().skip(1).all(|next| {
            next.is_ascii_alphanumeric() || matches!(next, '_' | '{' | '}' | '(' | ')' | ':' | '-' | '.')
        });
    let wrapped = [
        ("<", ">"),
        ("{", "}"),
        ("%(", ")s"),
        ("{{", "}}"),
        ("%", "%"),
        ("#{", "}"),
        ("[[", "]]"),
        ("__", "__"),
    ];
    let enclosed = value.len() > 2
        && wrapped.iter().any(|(open, close)| value.starts_with(open) && value.ends_with(close));
    let filled = value.chars().all(|character| character == first || matches!(character, '-' | ' '))
        && !value.chars().any(|character| character.is_ascii_digit());
    let state = STATES.iter().any(|word| word.eq_ignore_ascii_case(value));
    variable || enclosed || filled || state || is_own_token(value) || mentions_placeholder(value.as_bytes())
}

/// `[EMAIL_0_k7q]`, `EMAIL_0_k7q`, `{{NAME_2}}`: a stand-in, whoever wrote it.
fn is_own_token(value: &str) -> bool {
    let inner = value.trim_start_matches(['[', '{']).trim_end_matches([']', '}']);
    let Some((category, rest)) = inner.split_once(|character: char| character.is_ascii_digit()) else {
        return false;
    };
    category.len() > 3
        && category.ends_with('_')
        && category.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && rest.len() < 24
        && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// True when the bytes hold a word that marks an example, or a row of filling characters.
pub(super) fn mentions_placeholder(value: &[u8]) -> bool {
    const WORDS: [&[u8]; 13] = [
        b"placeholder",
        b"redacted",
        b"filtered]",
        b"your_",
        b"your-",
        b"yourtoken",
        b"yourkey",
        b"yourapi",
        b"example",
        b"changeme",
        b"dummy",
        b"xxxx",
        b"****",
    ];
    // what marks an example stands near its start; a long value is not searched to its end
    let head = value.get(..256).unwrap_or(value);
    let begins_word = |at: usize| {
        let rest = head.get(at..).unwrap_or_default();
        WORDS.iter().any(|word| rest.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word)))
    };
    let first = |byte: u8| matches!(byte | 0x20, b'p' | b'r' | b'y' | b'e' | b'c' | b'd' | b'x' | b'*');
    head.iter().enumerate().any(|(at, byte)| first(*byte) && begins_word(at))
        || has_row(head, 7.max(head.len() / 4))
}

/// True when one character fills `length` places in a row.
fn has_row(value: &[u8], length: usize) -> bool {
    value.chunk_by(|one, next| one == next).any(|row| row.len() >= length)
}

/// References in code and configuration: calls, members, paths, names in snake or camel case without a digit.
fn is_code(value: &str) -> bool {
    let lower = |head: &str| value.get(..head.len()).is_some_and(|found| found.eq_ignore_ascii_case(head));
    if REFERENCES.iter().any(|head| lower(head)) {
        return true;
    }
    let identifier =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let call = value.ends_with(')')
        && value.split_once('(').is_some_and(|(name, _)| name.split('.').all(identifier));
    let member = value.contains('.') && value.split('.').all(identifier);
    let subscript = value.ends_with(']')
        && value.split_once('[').is_some_and(|(name, _)| name.split('.').all(identifier));
    let snake =
        value.contains('_') && identifier(value) && value.bytes().all(|byte| !byte.is_ascii_uppercase())
            || is_constant(value);
    let named = identifier(value)
        && ["password", "passwd", "secret", "token", "apikey"].iter().any(|word| contains(value, word));
    let path = value.starts_with("./")
        || value.starts_with("../")
        || (value.starts_with('/') && value.split('/').skip(1).all(is_path_part));
    let bare = value.trim_start_matches('_').trim_end_matches("_t");
    let machine_type = ["uint", "int", "float", "u", "i", "s", "f"].iter().any(|head| {
        bare.strip_prefix(head).is_some_and(|bits| {
            (1..=3).contains(&bits.len()) && bits.bytes().all(|byte| byte.is_ascii_digit())
        })
    });
    call || member || subscript || snake || named || path || machine_type
}

/// `set_aes256_decrypt_key`, `D3D10_SB_RETURN_TYPE`: words in one case by `_`, most of them without a digit.
fn is_numbered_name(value: &str) -> bool {
    let (mut parts, mut plain) = (0, 0);
    let lower = !value.bytes().any(|byte| byte.is_ascii_uppercase());
    let upper = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    for part in value.split('_').filter(|part| !part.is_empty()) {
        parts += 1;
        if part.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            plain += 1;
        } else if part.len() > 10 || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return false;
        }
    }
    (lower || upper) && parts >= 3 && plain * 2 > parts
}

/// `DB_PASSWORD`: the name of a variable.
fn is_constant(value: &str) -> bool {
    value.contains('_') && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn is_path_part(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-' | b'_'))
}

fn contains(value: &str, word: &str) -> bool {
    value.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// A sentence about passwords rather than one; pass phrases of a few words are no sentence.
fn is_prose(value: &str) -> bool {
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or("");
    let more = words.next().is_some();
    // A pass phrase of many words has no full stop.
    let many = value.split_whitespace().nth(7).is_some()
        && (value.ends_with('.') || [". ", ": ", "; "].iter().any(|stop| value.contains(stop)));
    let starts = PROSE.iter().any(|word| word.eq_ignore_ascii_case(first));
    let speaks =
        contains(value, "password") || contains(value, "passwort") || contains(value, "mot de passe");
    many || (more && (starts || speaks))
}

/// Words by `-`, `_`, `/`, `.` with at most short numbers between them, as names of resources are.
fn is_words(value: &str) -> bool {
    let mut parts = 0;
    let plain = value.split(['-', '_', '/', '.', ':']).all(|part| {
        parts += 1;
        let letters = part.bytes().all(|byte| byte.is_ascii_lowercase())
            || part.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
        letters || (part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'v'))
    });
    plain && parts > 1
}

fn changes_case(bytes: &[u8]) -> bool {
    let changes = bytes
        .windows(2)
        .filter(
            |pair| matches!(pair, [left, right] if left.is_ascii_lowercase() && right.is_ascii_uppercase()),
        )
        .count();
    changes * 8 >= bytes.len()
}

fn distinct(bytes: &[u8]) -> usize {
    let seen = bytes.iter().fold(0_u128, |seen, byte| seen | 1 << (byte & 0x7F));
    seen.count_ones() as usize
}

/// True when the bytes have as many different values, as evenly, as chance gives: 2.5 bits each from 16 bytes on, 2.8
/// from 24 on (16 random decimal digits have 2.9, 32 random hex digits 3.5), half of them different below.
pub(super) fn has_spread(bytes: &[u8]) -> bool {
    if bytes.len() < 16 {
        return distinct(bytes) * 2 >= bytes.len();
    }
    let mut counts = [0_u32; 128];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(byte & 0x7F)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    let entropy: f64 = counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| f64::from(count) / total)
        .map(|share| -share * share.log2())
        .sum();
    entropy >= if bytes.len() < 24 { 2.5 } else { 2.8 }
}

#[cfg(test)]
mod tests {
    use super::{plausible_password, plausible_secret};

    #[test]
    fn passwords() {
        for value in [
            "hunter22!",
            "S3cr3tPw",
            "Winter_77",
            "correcthorse-battery9",
            "1234",
            "t1A4S5x47ra9bgyCtO",
            "g1My%H2Ykp6A",
            "nk1v$Hoz65CPP",
            "correct horse battery",
            "пароль123",
            "$tr0ng!pass",
            "hunter",
            "!PurpleSky77",
            "a[b]c1",
            "Pass.word1",
        ] {
            assert!(plausible_password(value), "{value}");
        }
        for value in [
            "",
            "abc",
            "null",
            "true",
            "********",
            "<password>",
            "${DB_PASS}",
            "$DB_PASS",
            "os.environ[\"DB_PASSWORD\"]",
            "process.env.PASS",
            "self.password",
            "get_password()",
            "YOUR_PASSWORD_HERE",
            "must contain 8 characters",
            "Password",
            "str",
            "user_password",
            "DB_PASSWORD",
            "[PASSWORD_0_k7q]",
            "changeme",
            "{{ password }}",
            "%DB_PASS%",
            "vault:secret/db",
            "Enter your password",
            "xxxxxxxx",
            "required",
            "config['x']",
            "/run/secrets/db",
            "__u32",
            "u128",
            "__uint64",
            "uint8_t",
        ] {
            assert!(!plausible_password(value), "{value}");
        }
    }

    #[test]
    fn secrets() {
        for value in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "CDmJqF3Xcnk0Mc+OXepJN03jDwmmI/EK0i82mi5Dt9w=",
            "FFui409hKgHLe1FvYiRst9gGr9dBUtV2/9NrJrbW",
            "a1b2c3d4e5",
            "sk1234567890abcdefghijklmnop",
            "550e8400-e29b-41d4-a716-446655440000",
            "secret_productionKeyAbc123def456",
            "AbCdEfGhIjKlMnOpQrSt",
        ] {
            assert!(plausible_secret(value), "{value}");
        }
        for value in [
            "YOUR_API_KEY_HERE",
            "${GITHUB_TOKEN}",
            "my-app/prod/db",
            "3030",
            "production",
            "tokenBudget",
            "ssh-ed25519",
            "sha256-0dfc52df3fa140ca",
            "https://example.org/a1b2c3d4",
            "none",
            "access_token",
            "next-page-2",
            "a b c d e f 1 2 3",
            "12345678",
            "aaaaaaaaaaaaaaaa1",
            "[SECRET_0_k7q]",
            "/etc/ssl/private.key",
            "get_token()",
        ] {
            assert!(!plausible_secret(value), "{value}");
        }
    }
}
