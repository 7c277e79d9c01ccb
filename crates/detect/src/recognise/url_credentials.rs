//! Credentials in the authority of a URL.
//!
//! Format: `scheme://user:password@host` (RFC 3986 section 3.2.1). In connection strings people leave `/`, `#`, `?` and
//! `@` in the password unescaped, so the last `@` that a host follows ends it. A token alone in the place of the
//! user (`https://ghp_...@github.com`), or before a fixed word (`token:x-oauth-basic@`), is a credential too.
//! Check rule: the password is no placeholder. `redis://:w92I9yyZ@cache:6379` has the password `w92I9yyZ`;
//! `postgres://${USER}:${PASS}@db` and `http://host:8080/a@b` have none.
//!
//! In: text and the offset of `://`. Out: one hit that covers the password or token alone.
//! Invariant: looks at most 320 bytes ahead. Not here: query parameters (`key=value` is the core's).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, run_end};
use super::plausible::{is_placeholder, plausible_secret};

const MAX_AUTHORITY: usize = 320;

/// Reports the password or token in the URL whose `://` is at `scheme`.
pub(crate) fn url_credentials_at(text: &str, scheme: usize) -> Option<Hit> {
    let start = scheme + 3;
    // Nothing is before a host without the sign.
    let rest = text.as_bytes().get(start..)?;
    memchr::memchr(b'@', rest.get(..MAX_AUTHORITY).unwrap_or(rest))?;
    let limit = run_end(text, start, MAX_AUTHORITY, |byte| {
        !matches!(byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\')
    });
    let whole = text.as_bytes().get(start..limit)?;
    if whole.first() == Some(&b'[') {
        return None;
    }
    let authority = whole.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(whole.len());
    let within = whole.get(..authority)?;
    let end = match within.iter().rposition(|&byte| byte == b'@') {
        Some(last) => start + last,
        None => unescaped_end(text, start, authority, whole)?,
    };
    let userinfo = text.get(start..end)?;
    match userinfo.split_once(':') {
        Some((user, "" | "x-oauth-basic" | "x-token-auth" | "x")) => token(start, user),
        Some((user, password)) if !is_placeholder(password) => {
            let from = start + user.len() + 1;
            Some(Hit::new(from, end, Category::Password, "url-password", Strength::Context))
        }
        Some(_) => None,
        None => token(start, userinfo),
    }
}

/// A password with a `/`, `?` or `#` in it: what follows the first `:` is no port, and a host follows the `@`.
fn unescaped_end(text: &str, start: usize, authority: usize, whole: &[u8]) -> Option<usize> {
    let colon = whole.get(..authority)?.iter().position(|&byte| byte == b':')?;
    let port = whole.get(colon + 1..authority)?;
    if port.iter().all(u8::is_ascii_digit) || port.first() == Some(&b']') {
        return None;
    }
    let last = start + whole.iter().rposition(|&byte| byte == b'@')?;
    let host = run_end(text, last + 1, 255, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
    });
    let closed =
        matches!(at(text, host), 0..=b' ' | b':' | b'/' | b'?' | b'"' | b'\'' | b'<' | b',' | b';' | b')');
    (host > last + 1 && closed).then_some(last)
}

fn token(start: usize, user: &str) -> Option<Hit> {
    let likely = user.len() >= 16 && plausible_secret(user) && !user.contains('.');
    likely.then(|| Hit::new(start, start + user.len(), Category::ApiKey, "url-token", Strength::Context))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_at;
    use super::url_credentials_at;

    #[test]
    fn passwords_and_tokens() {
        check_at(
            "://",
            url_credentials_at,
            &[
                "postgres://app:«S3cr3tPw»@db.example.org:5432/x",
                "redis://:«w92I9yyZ»@cache:6379",
                "mongodb+srv://root:«abz4eqr9El»@c0.example.net/db",
                "https://u:«p@ss»@example.org/",
                "amqp://u:«a/b#c?d»@mq.example.org/",
                "\"https://deploy:«Qj29Fjs20»@git.example.org\"",
                "https://«a8f5f167f44f4964e6c998dee827110c»@sentry.example.org/1",
                "https://«a8f5f167f44f4964e6c998dee827110c»:x-oauth-basic@example.org",
                "é://u:«pä55wörd»@example.org",
                "https://u:«hunter22»@[2001:db8::1]/",
            ],
        );
    }

    #[test]
    fn look_alikes() {
        check_at(
            "://",
            url_credentials_at,
            &[
                "https://example.org/@user",
                "http://host:8080/a@b.example",
                "postgres://${USER}:${PASS}@db",
                "https://user:<password>@example.org",
                "https://marie.dubois@example.org/",
                "https://git@example.org",
                "https://user:****@example.org",
                "https://example.org?a=b:c@d",
                "://",
                "x://@",
                "https://[2001:db8::1]:80/x@y",
            ],
        );
    }
}
