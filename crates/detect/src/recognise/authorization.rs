//! Credentials in HTTP heads, and the same words in commands and logs.
//!
//! Formats: `Authorization: scheme credentials` (RFC 9110 section 11.6.2): `Bearer` token (RFC 6750), `Basic` base64 of
//! `user:password` (RFC 7617), `Token`/`ApiKey` value, `Digest` and signatures with parameters; `X-Api-Key: value`;
//! `Cookie: name=value; ...` and `Set-Cookie: name=value; attributes` (RFC 6265). Check rule: `Basic` decodes to text with a
//! `:`; other values have the length and spread of a secret. `Bearer token`, `Basic auth` and `theme=dark` are none.
//! `Basic bWFyaWU6aHVudGVyMjI=` decodes to `marie:hunter22`.
//!
//! In: text and the offset of one of the words. Out: one hit that covers the credential, not its scheme or name.
//! Invariant: reads at most 4 KiB. Not here: heads whose name is a JSON key (the core passes the value's kind).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::base64::decode;
use super::boundary::{at, before, reads, run_end};
use super::plausible::{has_spread, is_placeholder, plausible_secret};

const MAX_CREDENTIAL: usize = 4096;
const MAX_COOKIE: usize = 1024;

/// Reports the credential that the word at `word_start` announces.
pub(crate) fn authorization_at(text: &str, word_start: usize) -> Option<Hit> {
    // a head stands alone or in quotes; this also keeps a chain of the words from being read again and again
    if !matches!(
        before(text, word_start),
        0..=b' ' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b',' | b'-' | b'>' | b'$'
    ) {
        return None;
    }
    let is = |name: &str| {
        reads(text, word_start, name) && !at(text, word_start + name.len()).is_ascii_alphanumeric()
    };
    let named = |name: &str| is(name).then(|| value_start(text, word_start + name.len()));
    if let Some(start) = named("proxy-authorization").or_else(|| named("authorization")) {
        return header_value(text, start?);
    }
    if let Some(start) = named("x-api-key").or_else(|| named("api-key")).or_else(|| named("x-auth-token")) {
        return plain(text, start?, Category::ApiKey);
    }
    if let Some(start) = named("set-cookie") {
        return set_cookie(text, start?);
    }
    if before(text, word_start) == b'-' {
        return None;
    }
    if let Some(start) = named("cookie") {
        return cookie(text, start?);
    }
    scheme(text, word_start, Announced::Alone)
}

/// How a scheme word was reached.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Announced {
    /// Behind `Authorization:`.
    ByHeader,
    /// In running text.
    Alone,
}

/// Behind `: `, `=`, `": "`, `', '` and the like; nothing when no such sign follows.
fn value_start(text: &str, from: usize) -> Option<usize> {
    let sign = run_end(text, from, 8, |byte| {
        matches!(byte, b' ' | b'"' | b'\'' | b':' | b'=' | b'>' | b',' | b'\\' | b'[')
    });
    let signs = text.get(from..sign)?;
    signs.contains([':', '=', ',']).then_some(sign)
}

fn header_value(text: &str, start: usize) -> Option<Hit> {
    scheme(text, start, Announced::ByHeader).or_else(|| plain(text, start, Category::Secret))
}

fn scheme(text: &str, start: usize, announced: Announced) -> Option<Hit> {
    let end = run_end(text, start, 24, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let word = text.get(start..end)?;
    let value = run_end(text, end, 3, |byte| matches!(byte, b' ' | b'\t'));
    let value = if reads(text, end, "%20") { end + 3 } else { value };
    if value == end {
        return None;
    }
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("basic") {
        return basic(text, value);
    }
    if is("bearer") {
        return plain(text, value, Category::Secret);
    }
    let keyed = is("token")
        || is("apikey")
        || is("api-key")
        || is("key")
        || is("bot")
        || is("negotiate")
        || is("ntlm")
        || is("splunk")
        || is("genie-key");
    if keyed && (announced == Announced::ByHeader || is("token")) {
        let value = if reads(text, value, "token=") { value + 6 } else { value };
        return plain(text, value + usize::from(at(text, value) == b'"'), Category::Secret);
    }
    let signed = is("digest") || is("hawk") || is("oauth") || word.len() > 8 && word.contains('-');
    if signed && announced == Announced::ByHeader {
        return parameters(text, value);
    }
    None
}

/// A credential by itself.
fn plain(text: &str, start: usize, category: Category) -> Option<Hit> {
    let letters = run_end(text, start, MAX_CREDENTIAL, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'%' | b'|' | b'!' | b'$')
    });
    let end = run_end(text, letters, 2, |byte| byte == b'=');
    let value = text.get(start..end)?.trim_end_matches(['.', '!']);
    let digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let likely = plausible_secret(value) && (value.len() >= 16 || (digits && category == Category::ApiKey));
    let category =
        if value.starts_with("eyJ") && value.matches('.').count() == 2 { Category::Jwt } else { category };
    likely.then(|| Hit::new(start, start + value.len(), category, "authorization", Strength::Context))
}

fn basic(text: &str, start: usize) -> Option<Hit> {
    let end = run_end(text, start, MAX_CREDENTIAL, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    });
    is_basic(text.get(start..end)?)
        .then(|| Hit::new(start, end, Category::Secret, "basic-credentials", Strength::Checked))
}

/// True for the base64 of `user:password`.
pub(crate) fn is_basic(letters: &str) -> bool {
    let decoded = decode(letters.as_bytes());
    let pair = decoded.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
    pair.and_then(|pair| pair.split_once(':').filter(|_| !pair.chars().any(char::is_control)))
        .is_some_and(|(_, password)| letters.len() >= 8 && !is_placeholder(password))
}

/// `Digest username="...", response="..."`, `AWS4-HMAC-SHA256 Credential=..., Signature=...`: the rest of the line.
fn parameters(text: &str, start: usize) -> Option<Hit> {
    let end = run_end(text, start, MAX_CREDENTIAL, |byte| {
        byte > b' ' && byte < 0x7F && !matches!(byte, b'\'' | b'\\') || byte == b' '
    });
    let value = text.get(start..end)?.trim_end_matches(['"', ' ', ',', '}', ']']);
    let closed = value.len() + usize::from(value.matches('"').count() % 2 == 1);
    (value.contains('=') && value.len() >= 32 && has_spread(value.as_bytes())).then(|| {
        Hit::new(start, start + closed.min(end - start), Category::Secret, "authorization", Strength::Context)
    })
}

fn is_cookie_byte(byte: u8) -> bool {
    byte > b' ' && byte < 0x7F && !matches!(byte, b'"' | b'\'' | b'\\' | b',' | b'<' | b'>' | b';')
}

/// The span of the value in `name=value`, and where the pair ends.
fn pair(text: &str, start: usize) -> Option<(usize, usize)> {
    let name = run_end(text, start, 128, |byte| is_cookie_byte(byte) && byte != b'=');
    if name == start || at(text, name) != b'=' {
        return None;
    }
    let value = name + 1;
    Some((value, run_end(text, value, MAX_COOKIE, is_cookie_byte)))
}

/// Session names say what the value is; other values must look like a secret themselves.
fn is_session(text: &str, start: usize, value: usize, end: usize) -> bool {
    let name = text.get(start..value).unwrap_or("").to_ascii_lowercase();
    let content = text.get(value..end).unwrap_or("");
    let telling = ["sess", "sid", "token", "auth", "csrf", "xsrf", "jwt", "login", "remember"]
        .iter()
        .any(|part| name.contains(part));
    if telling {
        content.len() >= 6 && !is_placeholder(content)
    } else {
        content.len() >= 20 && plausible_secret(content)
    }
}

fn set_cookie(text: &str, start: usize) -> Option<Hit> {
    let (value, end) = pair(text, start)?;
    is_session(text, start, value, end)
        .then(|| Hit::new(value, end, Category::Secret, "cookie", Strength::Context))
}

/// From the first value that is a secret to the last one.
fn cookie(text: &str, start: usize) -> Option<Hit> {
    let mut position = start;
    let mut found: Option<(usize, usize)> = None;
    while position - start < MAX_CREDENTIAL {
        let Some((value, end)) = pair(text, position) else { break };
        if is_session(text, position, value, end) {
            found = Some((found.map_or(value, |(first, _)| first), end));
        }
        if at(text, end) != b';' {
            break;
        }
        position = run_end(text, end + 1, 2, |byte| byte == b' ');
    }
    found.map(|(first, end)| Hit::new(first, end, Category::Secret, "cookie", Strength::Context))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_at;
    use super::authorization_at;

    const KEY: &str = "9f86d081884c7d659a2feaa0c55ad015";

    fn check(trigger: &str, texts: &[&str]) {
        let texts: Vec<_> = texts.iter().map(|text| text.replace("KEY", KEY)).collect();
        check_at(trigger, authorization_at, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn heads() {
        check(
            "Authorization",
            &[
                "Authorization: Bearer «KEY»",
                "-H 'Authorization: Token «KEY»'",
                "\"Authorization\": \"Bearer «KEY»\"",
                "Authorization: «KEY»",
                "Authorization=Bearer%20«KEY»",
                "Proxy-Authorization: Basic «bWFyaWU6aHVudGVyMjI=»",
                "Authorization: Bearer «eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl».",
                "Authorization: Digest «username=\"marie\", realm=\"x\", nonce=\"9f86d0818\", response=\"KEY\"»",
                "[\"Authorization\", \"Bearer «KEY»\"]",
                "Authorization: bearer «bearer_xyz123abc456def789ghi012»",
                "Authorization: AWS4-HMAC-SHA256 «Credential=AK¦IAIOSFODNN7INVENT/20260101, Signature=KEY»",
                "Authorization: Bearer <token>",
                "Authorization: Bearer $TOKEN",
                "Authorization header",
                "the Authorization: required",
            ],
        );
        check(
            "X-Api-Key",
            &[
                "X-Api-Key: «KEY»",
                "X-Api-Key: «a1b2c3d4e5f6»",
                "X-Api-Key: YOUR_API_KEY",
                "X-Api-Key is required",
            ],
        );
    }

    #[test]
    fn schemes_alone() {
        check(
            "Bearer",
            &["curl Bearer «KEY»", "Bearer authentication", "Bearer of good news today", "Bearer short1"],
        );
        check(
            "Basic",
            &[
                "Basic «bWFyaWU6aHVudGVyMjI=»",
                "Basic authentication",
                "Basic YWJjZGVmZ2hpamts",
                "Basic Latin",
            ],
        );
        check("Token", &["Token «KEY»", "Token 30", "Token budget exceeded"]);
    }

    #[test]
    fn cookies() {
        check(
            "Cookie",
            &[
                "Cookie: theme=dark; session=«a8f5f167f44f4964»; lang=en",
                "Cookie: sid=«a8f5f167; lang=en; csrftoken=9f86d081», x",
                "Cookie: theme=dark; lang=en",
                "Cookie policy",
            ],
        );
        check(
            "Set-Cookie",
            &["Set-Cookie: PHPSESSID=«a8f5f167f44f4964»; Path=/; HttpOnly", "Set-Cookie: lang=en; Path=/"],
        );
    }
}
