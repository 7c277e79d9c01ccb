//! Hashes of passwords as `crypt` writes them, in `.htpasswd`, `/etc/shadow` and tables of users.
//!
//! Format: `$id$...$hash`: `1` and `apr1` (MD5: salt of at most 8, 22 letters), `2a`, `2b`, `2x`, `2y` (bcrypt: cost of two
//! digits, 53 letters), `5` (SHA-256: 43 letters) and `6` (SHA-512: 86), both with `rounds=n$` or without, `y` (yescrypt),
//! `argon2i`, `argon2d`, `argon2id` (version, parameters, salt, hash). Letters are those of base64 and `.`. Check rule: the
//! id, the length of the hash. `$apr1$4dQ2xPmK$8zVbq7Wj1LhYc0RtN5fEs/` is one, `$1$`, `$6.00` and `$2b_or` are none.
//!
//! In: text and the start of the word behind a `$`. Out: one hit over the whole, the first `$` included.
//! Invariant: reads at most 256 bytes. Not here: bare hashes in hex.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, run_end};
use super::plausible::has_spread;

const MAX_BYTES: usize = 256;

/// Reports the hash whose id begins at `start`, behind a `$`.
pub(super) fn crypt_hash_at(text: &str, start: usize) -> Option<Hit> {
    let whole = start.checked_sub(1)?;
    if at(text, whole) != b'$' || before(text, whole).is_ascii_alphanumeric() {
        return None;
    }
    let end = run_end(text, start, MAX_BYTES, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'/' | b'+' | b'=' | b',')
    });
    let run = text.get(start..end)?;
    let (id, rest) = run.split_once('$')?;
    let hash = rest.rsplit('$').next()?;
    let length = match id {
        "1" | "apr1" => 22..=22,
        "2a" | "2b" | "2x" | "2y" => 53..=53,
        "5" => 43..=43,
        "6" => 86..=86,
        "y" | "gy" => 43..=60,
        "argon2i" | "argon2d" | "argon2id" => 16..=100,
        _ => return None,
    };
    // a full stop behind a hash ends a sentence
    let closed = hash.len() - usize::from(hash.ends_with('.') && !length.contains(&hash.len()));
    let body = hash.as_bytes().get(..closed)?;
    (length.contains(&closed) && rest.contains('$') && has_spread(body)).then(|| {
        Hit::new(whole, end - (hash.len() - closed), Category::Secret, "password-hash", Strength::Checked)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::Secret;

    #[test]
    fn hashes_of_passwords() {
        check_words(
            Secret,
            &[
                "marie:«$apr1$4dQ2xPmK¦$8zVbq7Wj1LhYc0RtN5fEs/»",
                "hash «$2b$12$k8Y1x0Zp3v¦QeW7rT5uI9oPaSdFgHjKlZxCvBnM1qWe3rTy5uIo7pX».",
                "root:«$6$rounds=5000$aB3dE5fG7hI9$¦kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD9eF1gH3iJ5kL7mN9oP1qR3sT5uV7wX9yZ1aB3cD5eF7gH9iJ1kL3mN5oP»:19000:0",
                "«$5$aB3dE5fG$kL1mN3oP5qR7¦sT9uV1wX3yZ5aB7cD9eF1gH3iJ5kL7m»",
                "«$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ¦$kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD9eF1gH3iJ5kL7m»",
                "$1$ $6.00 $2b_or $apr1$salt$short $5$x$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "costs 5$6$ and a$6$b",
            ],
        );
    }
}
