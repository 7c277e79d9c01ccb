//! Electronic mail addresses.
//!
//! Format: local part, `@`, domain of two labels or more (RFC 5321 section 4.1.2, RFC 6531 for letters outside
//! ASCII, RFC 5890 for labels). Of the marks that RFC 5322 allows in a local part only `. _ % + - '` count, and
//! `=` in the bounce form `list+user=example.org@example.net`; the others end names in code and URLs.
//! Check rule: the last label is letters only (or `xn--`) and no extension of a file: `marie@example.eu` is an
//! address; `icon@2x.png`, `left-pad@1.3.0`, `app@sha256:...`, `@scope/pkg` and `user@host` are not.
//!
//! In: text and the offset of an `@`. Out: one hit, without the dot that ends a sentence.
//! Invariant: looks at most 320 bytes (RFC 3696 erratum 1690: 254) to either side.
//! Not here: `user at example dot org`, display names, passwords in URLs (`url_credentials.rs`). A domain without a
//! dot may be the handle of a payment provider (`upi.rs`).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, reads, run_start};
use super::upi::upi_at;

const MAX_LOCAL: usize = 128;
const MAX_DOMAIN: usize = 255;

/// Last labels that are file extensions or units of a service manager, and no top-level domains.
const NO_DOMAIN: [&str; 36] = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "ico", "css", "scss", "less", "js", "jsx", "tsx",
    "mjs", "cjs", "json", "xml", "yaml", "yml", "toml", "html", "htm", "php", "txt", "pdf", "exe", "dll",
    "jar", "tgz", "gz", "service", "socket", "timer", "mount", "slice",
];

/// Reports the address around the `@` at `at_sign`.
pub(crate) fn email_at(text: &str, at_sign: usize) -> Option<Hit> {
    // a domain begins with a letter or digit: rejects decorators, `@@` hunks and prose in one look
    let first = at(text, at_sign + 1);
    if !(first.is_ascii_alphanumeric() || first >= 0x80) || matches!(before(text, at_sign), 0..=b' ') {
        return None;
    }
    let Some(end) = domain_end(text, at_sign + 1) else { return upi_at(text, at_sign) };
    let start = local_start(text, at_sign)?;
    if text.get(start..at_sign).is_none_or(str::is_empty) || is_other(text, start, at_sign, end) {
        return None;
    }
    Some(Hit::new(start, end, Category::Email, "email", Strength::Checked))
}

/// Letters and digits of all scripts, and the marks that stand on letters.
fn is_letter(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' | '\u{200c}' | '\u{200d}')
}

/// Letters of scripts that are written without blanks between words.
fn is_unspaced(character: char) -> bool {
    !character.is_ascii()
        && matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn local_start(text: &str, at_sign: usize) -> Option<usize> {
    let mut start = at_sign;
    let mut right = '@';
    for (index, character) in text.get(..at_sign)?.char_indices().rev() {
        let bounce = character == '=' && is_bounce(text, start, at_sign);
        let part = is_letter(character) || matches!(character, '.' | '_' | '%' | '+' | '-' | '\'') || bounce;
        // "連絡先joe@": the sentence ends where the script changes
        if !part || (is_unspaced(character) && right.is_ascii() && right != '@') {
            break;
        }
        if at_sign - index > MAX_LOCAL {
            return None;
        }
        start = index;
        right = character;
    }
    let local = text.get(start..at_sign)?;
    Some(at_sign - local.trim_start_matches(['.', '-', '+', '%', '\'']).len())
}

/// `user` in `list+user=example.org@example.net`: the part right of `=` is itself a domain.
fn is_bounce(text: &str, start: usize, at_sign: usize) -> bool {
    let domain = text.get(start..at_sign).unwrap_or("");
    let tagged = run_start(text, start.saturating_sub(1), MAX_LOCAL, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
    });
    domain.contains('.') && !domain.contains('=') && before(text, tagged) == b'+'
}

/// The end of the longest run of labels whose last one can be a top-level domain.
fn domain_end(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let mut best = None;
    let mut label = 0;
    let mut dots = 0;
    let mut end = 0;
    for (index, character) in rest.char_indices() {
        let split = is_unspaced(character)
            && index > label
            && rest.as_bytes().get(index - 1).is_some_and(u8::is_ascii);
        if index > MAX_DOMAIN || split || !(is_letter(character) || character == '-' || character == '.') {
            break;
        }
        if character == '.' {
            if index == label {
                break;
            }
            if dots > 0 && is_top_level(rest.get(label..index).unwrap_or("")) {
                best = Some(index);
            }
            dots += 1;
            label = index + 1;
        }
        end = index + character.len_utf8();
    }
    let last = rest.get(label..end).unwrap_or("").trim_end_matches('-');
    if dots > 0 && is_top_level(last) {
        best = Some(label + last.len());
    }
    best.map(|length| start + length)
}

fn is_top_level(label: &str) -> bool {
    if label.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("xn--")) {
        return label.len() > 5;
    }
    let letters = label.chars().all(|character| is_letter(character) && !character.is_numeric());
    let long_enough = label.chars().nth(1).is_some() && label.len() <= 63;
    letters && long_enough && !NO_DOMAIN.iter().any(|known| known.eq_ignore_ascii_case(label))
}

fn is_other(text: &str, start: usize, at_sign: usize, end: usize) -> bool {
    let local = text.get(start..at_sign).unwrap_or("");
    // a method of a matrix product or a decorator: `a@b.transpose()`
    if at(text, end) == b'(' {
        return true;
    }
    // accounts of version control, the same for everybody: `git@github.com:org/repo`
    if matches!(local, "git" | "hg" | "svn")
        && (matches!(at(text, end), b':' | b'/') || before(text, start) == b'/')
    {
        return true;
    }
    // the rest of `scheme://user:password@host`; the password is found as such
    if before(text, start) == b':' && is_userinfo(text, start - 1) {
        return true;
    }
    // `ssh://deploy@host.example`: a login, unless it is written like a name
    before(text, start) == b'/'
        && before(text, start - 1) == b'/'
        && before(text, start.saturating_sub(2)) == b':'
        && !local.contains('.')
        && has_logins(text, start.saturating_sub(3))
}

/// True when the scheme that ends at `end` is one of those whose addresses name an account before the host.
fn has_logins(text: &str, end: usize) -> bool {
    const SCHEMES: [&str; 36] = [
        "ssh",
        "http",
        "https",
        "git",
        "ftp",
        "ftps",
        "sftp",
        "scp",
        "rsync",
        "svn",
        "hg",
        "postgres",
        "postgresql",
        "mysql",
        "mariadb",
        "mongodb",
        "redis",
        "rediss",
        "amqp",
        "amqps",
        "ldap",
        "ldaps",
        "smb",
        "nfs",
        "rtsp",
        "ws",
        "wss",
        "telnet",
        "vnc",
        "rdp",
        "tcp",
        "udp",
        "mqtt",
        "mqtts",
        "nats",
        "srv",
    ];
    let start = run_start(text, end, 16, |byte| byte.is_ascii_alphanumeric());
    let scheme = text.get(start..end).unwrap_or_default();
    SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// True when the `:` separates user and password behind a `://`.
fn is_userinfo(text: &str, colon: usize) -> bool {
    let user = run_start(text, colon, MAX_LOCAL, |byte| {
        !matches!(byte, 0..=b' ' | b'/' | b'"' | b'\'' | b'<' | b'>' | b'@')
    });
    user >= 3 && reads(text, user - 3, "://")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_at;
    use super::email_at;

    fn check(texts: &[&str]) {
        check_at("@", email_at, texts);
    }

    #[test]
    fn addresses_in_text() {
        check(&[
            "write to «marie.dubois@example.eu».",
            "<«marie@example.eu»>",
            "mailto:«marie@example.eu»?subject=x",
            "x=«a_b+c@example.org»&y",
            "«o'brien@example.org»",
            "'«marie@example.org»'",
            "«marie@mail.example.co.uk», next",
            "-«marie@example.org»-",
            "«m@xn--bcher-kva.example»",
            "«müller@bücher.example»",
            "«иван@пример.рф»",
            "«用户@例子.广告»",
            "連絡先«joe@example.org»まで",
            "é «josé@example.org»…",
            "1.«a@example.org»".replace("1.«", "«1.").as_str(),
            "a «a@example.org»,«b@example.org»",
            "@«user@social.example»",
            "(«marie@example.org»)",
            "«marie@example.org».\n",
            "«bounce+marie=example.org@list.example.net»",
            "https://example.org/?mail=«marie@example.org»&x",
            "//«marie.dubois@example.org»/",
            "sip:«marie@example.org»",
            "«MARIE@EXAMPLE.ORG»",
            "«marie@example.org»!",
            "f://«marie@example.eu»/1",
            "contact://«marie@example.eu»",
        ]);
    }

    #[test]
    fn look_alikes() {
        check(&[
            "icon@2x.png",
            "left-pad@1.3.0",
            "app@sha256:0dfc52df",
            "@scope/pkg",
            "user@host",
            "@app.route('/')",
            "a @ b.c",
            "x@",
            "@x.yz",
            "git@github.com:org/repo.git",
            "a@b.transpose()",
            "user@1000.service",
            "@@ -1,2 +1,2 @@",
            "root@203.0.113.7",
            "a@b.c",
            "a@.org",
            "a@-",
            "postgres://app:S3cr3tPw@db.example.org/x",
            "ssh://deploy@host.example.org",
            "actions/checkout@v4.1",
            "pkg@npm:1.0",
        ]);
    }

    #[test]
    fn floods_of_at_signs_and_long_runs_end() {
        assert!(email_at(&"@".repeat(9), 4).is_none());
        let long = format!("{}@example.org", "a".repeat(5000));
        assert!(email_at(&long, 5000).is_none());
        let long = format!("a@{}", "b.".repeat(5000));
        assert!(email_at(&long, 1).is_none());
    }
}
