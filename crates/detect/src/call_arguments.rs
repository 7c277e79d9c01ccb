//! Passwords among the arguments of calls that take a name and a password.
//!
//! In: a text and the place of a call's name. Out: the span of the password, a literal in quotes: `smtp.login("name", "X")`,
//! `basic_auth("name", Some("X"))`, `new NetworkCredential("name", "X")`, `auth=("name", "X")`,
//! `getConnection(url, "name", "X")`, `new mysqli("host", "name", "X", "base")`. Invariant: at most `REACH` bytes of the
//! arguments are read. Not here: calls that are named for what they set (`named_value`), command lines (`commands`).

use cloakgate_vocab::Span;

use crate::credentials;
use crate::placeholder::is_placeholder;
use crate::recognise::plausible_password;

/// How far, in bytes, the arguments are read.
const REACH: usize = 320;
/// Calls whose third argument is the password; it is the second one of the others.
const THIRD: &[&str] = &["getconnection", "mysqli", "pdo", "plainauth", "drivermanagerdatasource"];

/// The password among the arguments of the call named at `start..end`.
pub(crate) fn password(text: &str, start: usize, end: usize) -> Option<Span> {
    let rest = text.get(end..)?;
    let rest = rest.get(..rest.floor_char_boundary(REACH))?;
    let inside = rest.strip_prefix('=').unwrap_or(rest).strip_prefix('(')?;
    let name = text.get(start..end)?;
    let place = if THIRD.iter().any(|other| name.eq_ignore_ascii_case(other)) { 2 } else { 1 };
    let mut at = rest.len() - inside.len();
    for _ in 0..place {
        let argument = Argument::read(rest.get(at..)?)?;
        if argument.len == 0 || !argument.goes_on {
            return None;
        }
        at += argument.len + 1;
    }
    let argument = Argument::read(rest.get(at..)?)?;
    let value = argument.literal?.shifted(at);
    let word = value.of(rest)?;
    let fits = (credentials::is_told(word) || credentials::is_scrambled(word))
        && !is_placeholder(word)
        && !is_mailbox(word)
        && plausible_password(word);
    fits.then(|| value.shifted(end))
}

/// One argument: its length up to the mark that ends it, and the literal in it.
struct Argument {
    len: usize,
    goes_on: bool,
    literal: Option<Span>,
}

impl Argument {
    /// Reads up to the comma or the bracket behind the argument.
    fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut depth, mut at) = (0_usize, 0);
        let mut literal = None;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | b'\'' | b'`' => {
                    let len = closing(bytes.get(at + 1..)?, *byte)?;
                    literal = literal.or_else(|| (len > 0).then(|| Span::sized(at + 1, len)));
                    at += len + 1;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth > 0 => depth -= 1,
                b')' | b',' if depth == 0 => {
                    return Some(Self { len: at, goes_on: *byte == b',', literal });
                }
                b';' | b']' | b'}' => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// Bytes before the quote that closes, in the line.
fn closing(inside: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        match inside.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if *byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

fn is_mailbox(word: &str) -> bool {
    word.split_once('@').is_some_and(|(_, host)| {
        host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::password;

    #[test]
    fn the_argument_behind_the_name_is_the_password() {
        for (text, value) in [
            ("login(\"ray\", \"Xk29!aaZQ\")", "Xk29!aaZQ"),
            ("login('r@example.org', 'Xk29aaZQ')", "Xk29aaZQ"),
            ("basic_auth(\"ci\", Some(\"Xk29aaZQ\"));", "Xk29aaZQ"),
            ("auth=(user, 'Xk29aaZQ'))", "Xk29aaZQ"),
            ("mysqli(\"localhost\", \"root\", \"Xk29aaZQ\", \"shop\");", "Xk29aaZQ"),
            ("getConnection(url(a, b), \"scott\",\n    \"Xk29aaZQ\");", "Xk29aaZQ"),
            ("login(\"ray\", 'nlqIiKyPwPPw')", "nlqIiKyPwPPw"),
            ("login(\"ray\", password)", ""),
            ("login(\"ray\")", ""),
            ("login(\"ray\", \"secret\")", ""),
            ("login(\"ray\", \"r2@example.org\")", ""),
            ("login(\"ray\", \"${PASS_1}\")", ""),
            ("login(\"ray\"; \"Xk29aaZQ\")", ""),
            ("login (\"ray\", \"Xk29aaZQ\")", ""),
            ("login(\"ray", ""),
        ] {
            let end = text.find(['(', '=']).unwrap_or(0).min(text.find(" (").unwrap_or(usize::MAX));
            let start = text.get(..end).and_then(|head| head.rfind('_')).map_or(0, |at| at + 1);
            let found = password(text, start, end).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, value, "{text}");
        }
    }
}
