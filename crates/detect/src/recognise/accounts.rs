//! Passwords in lines and names of connections that carry no key word.
//!
//! Formats: `user:password@tcp(host)` and `user:password@unix(path)` (data source names of MySQL for Go),
//! `user/password@//host` and `user/password@host:port/service` behind `oracle:` or `thin:` (JDBC for Oracle),
//! `host:port:database:user:password` (`.pgpass` of PostgreSQL, libpq documentation section 34.16), digits, `|` and 27 to 40
//! letters (access token of an application of Facebook). Check rule: the password is no placeholder.
//! `db1:5432:app:marie:Xk9mmQ2z` has the password `Xk9mmQ2z`; `12:30:45:x:y` has none.
//!
//! In: text and the offset of an `@` or the place of a number. Out: one hit that covers the password alone.
//! Invariant: reads at most 160 bytes on either side. Not here: URLs (`url_credentials`).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, is_identifier, reads_exactly, run_end, run_start};
use super::plausible::{has_spread, is_placeholder, plausible_password};

const REACH: usize = 160;

/// Reports the password before the `@` at `sign`.
pub(crate) fn data_source_at(text: &str, sign: usize) -> Option<Hit> {
    // `@@` and `@ ` are no border between a password and a host.
    if matches!(at(text, sign + 1), 0..=b' ' | b'@') {
        return None;
    }
    let mysql = reads_exactly(text, sign + 1, "tcp(") || reads_exactly(text, sign + 1, "unix(");
    if !mysql && !names_driver(text, sign) {
        return None;
    }
    let start =
        run_start(text, sign, REACH, |byte| byte > b' ' && !matches!(byte, b'"' | b'\'' | b'`' | 0x80..));
    let head = text.get(start..sign)?;
    let (head, mark) = match head.rfind("thin:") {
        Some(at) => (head.get(at + 5..)?, '/'),
        None if mysql => (head.rsplit(['=', ',']).next()?, ':'),
        None => return None,
    };
    let (user, password) = head.split_once(mark)?;
    let named =
        !user.is_empty() && user.bytes().all(|byte| is_identifier(byte) || matches!(byte, b'.' | b'-'));
    (named && !is_placeholder(password) && plausible_password(password))
        .then(|| Hit::new(sign - password.len(), sign, Category::Password, "data-source", Strength::Context))
}

/// Whether `thin:` stands near before a place.
fn names_driver(text: &str, sign: usize) -> bool {
    let window = text.as_bytes().get(sign.saturating_sub(REACH)..sign).unwrap_or_default();
    memchr::memrchr_iter(b':', window).any(|at| window.get(..at).is_some_and(|head| head.ends_with(b"thin")))
}

/// Reports the password of a line `host:port:database:user:password` whose port is the number at `start..end`.
pub(crate) fn password_file_at(text: &str, start: usize, end: usize) -> Option<Hit> {
    if before(text, start) != b':' || at(text, end) != b':' || !(4..=5).contains(&(end - start)) {
        return None;
    }
    let field = |byte: u8| byte > b' ' && byte != b':';
    let host = run_start(text, start - 1, REACH, field);
    let database = run_end(text, end + 1, 64, field);
    let user = run_end(text, database + 1, 64, field);
    let password = run_end(text, user + 1, REACH, |byte| byte >= b' ');
    let line = matches!(before(text, host), 0 | b'\n') && matches!(at(text, password), 0 | b'\n' | b'\r');
    let joined = at(text, database) == b':' && at(text, user) == b':';
    let names = host + 1 < start && database > end + 1 && user > database + 1;
    let named = |from: usize, to: usize| {
        text.as_bytes().get(from..to).is_some_and(|name| {
            name == b"*" || name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        })
    };
    let value = text.get(user + 1..password)?;
    let likely = !value.contains([' ', ':']) && plausible_password(value);
    (line && joined && names && named(end + 1, database) && named(database + 1, user) && likely)
        .then(|| Hit::new(user + 1, password, Category::Password, "password-file", Strength::Context))
}

/// Reports the access token of an application whose number begins at `start`.
pub(super) fn application_token_at(text: &str, start: usize) -> Option<Hit> {
    let bar = run_end(text, start, 17, |byte| byte.is_ascii_digit());
    if !(15..=16).contains(&(bar - start)) || at(text, bar) != b'|' || is_identifier(before(text, start)) {
        return None;
    }
    let end = run_end(text, bar + 1, 41, is_base64url);
    let secret = text.as_bytes().get(bar + 1..end)?;
    let mixed = secret.iter().any(u8::is_ascii_uppercase) && secret.iter().any(u8::is_ascii_lowercase);
    ((27..=40).contains(&secret.len()) && mixed && has_spread(secret))
        .then(|| Hit::new(start, end, Category::ApiKey, "facebook", Strength::Checked))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_at, check_words};
    use super::{data_source_at, password_file_at};
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn names_of_data_sources() {
        check_at(
            "@",
            data_source_at,
            &[
                "DSN: app:«Xk9mmQ2z»@tcp(db1:3306)/app",
                "dsn=app:«Xk9mmQ2z»@unix(/run/mysql)/app",
                "jdbc:oracle:thin:scott/«Xk9mmQ2z»@//db1:1521/xe",
                "app:<password>@tcp(db1:3306)/app",
                "jdbc:oracle:thin:@//db1:1521/xe",
                "a:Xk9mmQ2z@host",
            ],
        );
    }

    #[test]
    fn lines_of_password_files() {
        let port = |text: &str, at: usize| password_file_at(text, at, at + 4);
        check_at(
            "5432",
            port,
            &[
                "db1.example.org:5432:app:marie:«Xk9mmQ2z»",
                "x\n*:5432:*:marie:«Xk9mmQ2z»\ny",
                "db1:5432:app:marie:<password>",
                "db1:5432:app:marie:Xk9mmQ2z:more",
                "12:5432:1:2:Xk9mmQ2z",
                "see db1:5432:app",
            ],
        );
    }

    #[test]
    fn tokens_of_applications() {
        check_words(
            ApiKey,
            &["t «261090790394931|¦MU05wuPK9FCxlijiz3svCpAJzLI9xaJKbnM»", "261090790394931|short", "1|2"],
        );
    }
}
