//! Passwords that sentences name in other places than right behind the word.
//!
//! In: a text and the place of the word for a password. Out: the place of the value: `password for the admin account
//! is X`, `password has been reset to X`, `Passwort für Marie: X`, `use X as the password`, `login marie password X`.
//! Invariant: at most `REACH` bytes on either side are read, within the line. Not here: judging the value.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use crate::word_set::WordSet;

/// How far, in bytes, the value may stand from the word.
const REACH: usize = 96;

/// Words that say whose the password is.
const WHOSE: &[&str] = &[
    "for ", "on ", "of ", "to ", "at ", "für ", "von ", "vom ", "zum ", "pour ", "du ", "de ", "del ",
    "para ", "da ", "do ", "per ", "voor ", "van ", "till ", "för ", "til ", "for ", "do ", "pro ", "от ",
    "для ", "к ",
];

/// What comes before the value.
const STATES: &[&str] = &[
    " is now ",
    " is ",
    " was ",
    " ist jetzt ",
    " ist ",
    " lautet ",
    " est ",
    " es ",
    " è ",
    " é ",
    " är ",
    " er ",
    " jest ",
    " to ",
    " je ",
    ": ",
    " = ",
    " — ",
    " – ",
];

/// What the password became.
const CHANGES: &[&str] = &[
    " reset to ",
    " changed to ",
    " set to ",
    " updated to ",
    " is now ",
    " is still ",
    " ist jetzt ",
    " geändert in ",
];

/// Elements of HTML that set a value apart.
const MARKED: &[&str] = &["<code>", "<b>", "<strong>", "<kbd>", "<tt>", "<em>"];

/// Where the value begins that a sentence states after the word that ends at `end`; it ends within the line.
pub(crate) fn later(text: &str, end: usize) -> Option<Span> {
    if let Some(span) = next_line(text, end) {
        return Some(span);
    }
    let rest = line(text, end)?;
    if !rest.starts_with(' ') {
        return None;
    }
    let whose = rest
        .strip_prefix(' ')
        .is_some_and(|rest| rest.starts_with("FOR ") || WHOSE.iter().any(|word| rest.starts_with(word)));
    let start = after_first(rest, if whose { STATES } else { CHANGES })?;
    let value = rest.get(start..)?;
    let inner = value.trim_start_matches([' ', '"', '\'', '`', '“', '„', '«']);
    // `is <code>X</code>`
    let tagged = MARKED.iter().find_map(|tag| inner.strip_prefix(*tag));
    let lead = value.len() - tagged.unwrap_or(inner).len();
    let inner = value.get(lead..)?;
    let len = inner.find(['"', '`', '”', '»']).unwrap_or(inner.len());
    let len = if tagged.is_some() { inner.find('<').unwrap_or(len).min(len) } else { len };
    (len > 0).then(|| Span::sized(end + start + lead, len))
}

/// `password:` at the end of a line, and one word alone on the next.
fn next_line(text: &str, end: usize) -> Option<Span> {
    let rest = text.get(end..)?.strip_prefix(':')?;
    let inner = rest.trim_start_matches([' ', '\r']).strip_prefix('\n')?;
    let inner = inner.trim_start_matches(['\r', '\n', ' ']);
    let start = text.len() - inner.len();
    let word = line(text, start)?.trim_end();
    (start - end <= 16 && word.len() < REACH && !word.contains([' ', ':', '=']))
        .then(|| Span::sized(start, word.len()))
}

/// The word before `as the password`, when the word for it begins at `start`.
pub(crate) fn before(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?;
    let head = ["as the ", "as your ", "as a ", "as my ", "as ", "als "]
        .iter()
        .find_map(|words| head.strip_suffix(words))?;
    let head = head.strip_suffix(' ')?.trim_end_matches(['"', '\'', '`', '”', '»']);
    let floor = head
        .char_indices()
        .rev()
        .take(REACH)
        .take_while(|(_, c)| !c.is_whitespace())
        .last()
        .map(|(at, _)| at)?;
    let word = head.get(floor..)?;
    let inner = word.trim_start_matches(['"', '\'', '`', '“', '„', '«', '(']);
    (!inner.is_empty()).then(|| Span::sized(head.len() - inner.len(), inner.len()))
}

/// Words before the name of an account, and words that say whose the password is.
const ACCOUNTS: &[&str] = &[
    "login",
    "log",
    "user",
    "username",
    "user:",
    "username:",
    "login:",
    "account",
    "name",
    "benutzer",
    "nutzer",
    "your",
    "my",
    "his",
    "her",
    "our",
    "their",
    "ваш",
    "мой",
    "твой",
    "его",
    "dein",
    "mein",
    "ihr",
    "unser",
    "votre",
    "mon",
    "notre",
    "mi",
    "tu",
    "su",
    "seu",
    "meu",
    "mia",
    "tua",
    "mijn",
    "jouw",
    "uw",
    "twoje",
    "moje",
    "váš",
    "usuario",
    "utilisateur",
    "utente",
    "gebruiker",
    "użytkownik",
    "konto",
    "логин",
    "enable",
    "set",
];

/// By hash, to tell most words from those on the list.
static ACCOUNT_WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(ACCOUNTS.iter().copied()));

fn is_account_word(word: &str) -> bool {
    ACCOUNT_WORDS.contains(word) && ACCOUNTS.iter().any(|account| word.eq_ignore_ascii_case(account))
}

/// `user admin pass X`, `login marie, pw X`, `username admin password 0 X`, `enable secret 0 X`: the word behind the
/// word for a password at `start..end`, when the name of an account stands before it.
pub(crate) fn behind_account(text: &str, start: usize, end: usize) -> Option<Span> {
    let rest = line(text, end)?;
    let inner = rest.strip_prefix([' ', ':'])?.trim_start_matches(' ');
    // the kind of the form that routers write a password in
    let inner = match inner.as_bytes() {
        [b'0'..=b'9', b' ', ..] => inner.get(2..)?,
        [b'E', b'N', b'C', b' ', ..] => inner.get(4..)?,
        _ => inner,
    };
    let len = inner.find([' ', ',', '\'', '"', ')']).unwrap_or(inner.len());
    let word = inner.get(..len)?.trim_end_matches(['.', ';']);
    let head = text.get(text.ceil_char_boundary(start.saturating_sub(REACH))..start)?;
    let head = head.rsplit('\n').next().unwrap_or_default();
    let account = || {
        head.split_ascii_whitespace().rev().take(5).any(|word| word.contains('@') || is_account_word(word))
    };
    (!word.is_empty() && account()).then(|| Span::sized(end + rest.len() - inner.len(), word.len()))
}

/// `machine host login name password X`, on one line or on several: whether the word at `start` ends such an entry.
pub(crate) fn in_login_entry(text: &str, start: usize) -> bool {
    let floor = text.ceil_char_boundary(start.saturating_sub(4 * REACH));
    let mut words = text.get(floor..start).unwrap_or_default().split_ascii_whitespace().rev();
    let (name, login) = (words.next(), words.next());
    login == Some("login") && name.is_some_and(|name| name.len() <= REACH) && words.nth(1) == Some("machine")
}

/// ` password X`, `wpa-psk X`, `set login password X`: whether the word for a password at `start` begins its line, or a
/// command of a device does, and one word that is no word of a language ends it.
pub(crate) fn is_setting(text: &str, start: usize, rest: &str) -> bool {
    // Most values are words of a sentence.
    let value = rest.trim_end();
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    if value.len() < 6 || !digit || value.contains([' ', '(', '=']) {
        return false;
    }
    let head = text.get(text.ceil_char_boundary(start.saturating_sub(REACH))..start).unwrap_or_default();
    let head = head.rsplit('\n').next().unwrap_or_default().trim_start();
    // `remote_password X`
    let head =
        head.trim_end_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-');
    let commands = ["set ", "username ", "user ", "enable ", "neighbor ", "add ", "no "];
    head.is_empty() || commands.iter().any(|command| head.starts_with(command))
}

/// What follows in the line, as far as is read.
fn line(text: &str, from: usize) -> Option<&str> {
    let rest = text.get(from..)?;
    rest.get(..rest.floor_char_boundary(REACH))?.lines().next()
}

/// Where the earliest of the phrases ends, before any mark that ends a clause.
fn after_first(rest: &str, phrases: &[&str]) -> Option<usize> {
    let clause = rest.find([',', ';', '.', '?', '!', '(', '=', '{', '<']).unwrap_or(rest.len());
    // Each phrase begins with a blank or a colon.
    memchr::memchr2_iter(b' ', b':', rest.as_bytes()).take_while(|at| *at <= clause).find_map(|at| {
        let tail = rest.as_bytes().get(at..)?;
        let next = tail.get(1)?;
        let fitting = phrases.iter().map(|phrase| phrase.as_bytes());
        let fitting = fitting.filter(|phrase| phrase.get(1) == Some(next) && tail.starts_with(phrase));
        fitting.map(|phrase| at + phrase.len()).min()
    })
}

#[cfg(test)]
mod tests {
    use super::{before, behind_account, in_login_entry, later};

    #[test]
    fn values_are_stated_later_and_before() {
        for (text, value) in [
            ("password for the admin account is X9", "X9"),
            ("password for marie: X9", "X9"),
            ("password has been reset to 'X9' today", "X9' today"),
            ("password für Marie lautet „X9” jetzt", "X9"),
            ("password is now X9", "X9"),
            ("password for the vault, which is X9", ""),
            ("password:\n\nX9\nnext", "X9"),
            ("password:\nuser: x", ""),
            ("password reset link sent", ""),
            ("password", ""),
        ] {
            let found = later(text, 8).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, value, "{text}");
        }
        for (text, value) in
            [("use X9 as the password", "X9"), ("use \"X9\" as password", "X9"), ("as the password", "")]
        {
            let found = before(text, text.len() - 8).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, value, "{text}");
        }
        for (head, tail, value) in [
            ("user admin ", " X9 now", "X9"),
            ("login with marie@example.org and ", " X9.", "X9"),
            ("username admin ", " 0 X9", "X9"),
            ("the ", " X9", ""),
            ("user x\nthe ", " X9", ""),
        ] {
            let text = format!("{head}password{tail}");
            let found = behind_account(&text, head.len(), head.len() + 8).and_then(|span| span.of(&text));
            assert_eq!(found.unwrap_or_default(), value, "{text}");
        }
        assert!(in_login_entry("machine h\n login marie\n ", 23));
        assert!(!in_login_entry("the login page password", 15));
    }
}
