//! Names of accounts: in home folders, in what log-in services write, after `@` in messages.
//!
//! In: a word, or an `@`. Out: the name. Accounts of systems (`root`, `www-data`) say nothing of a person. Not here:
//! values under keys such as `login` (`fields`).

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::context::{after, before, is_one_of, last_word};
use crate::vocabulary;
use crate::word_set::WordSet;

const SYSTEM: &[&str] = &[
    "root",
    "admin",
    "administrator",
    "user",
    "users",
    "guest",
    "nobody",
    "daemon",
    "www-data",
    "ubuntu",
    "debian",
    "centos",
    "ec2-user",
    "git",
    "postgres",
    "mysql",
    "nginx",
    "apache",
    "jenkins",
    "runner",
    "vagrant",
    "shared",
    "public",
    "default",
    "app",
    "node",
    "deploy",
    "service",
    "system",
    "test",
    "everyone",
    "here",
    "channel",
    "all",
    "home",
    "username",
    "anonymous",
    "invalid",
    "unknown",
    "none",
    "null",
    "team",
    "param",
    "return",
    "returns",
    "media",
    "import",
    "override",
    "property",
    "staticmethod",
    "classmethod",
    "pytest",
    "types",
    "the",
];
/// Ends of what stands before a name in logs.
const LOG_WORDS: &[&str] = &[
    "for user ",
    "for invalid user ",
    "invalid user ",
    "illegal user ",
    "failed password for ",
    "accepted password for ",
    "accepted publickey for ",
    "accepted keyboard-interactive/pam for ",
    "session opened for user ",
    "session closed for user ",
    "authentication failure for ",
    "logged in as ",
    "login as ",
    "sudo: ",
    "sudo:  ",
    "sudo:   ",
    "ruser=",
    "logname=",
    "acct=",
    "username=",
    "login=",
    "user=",
    "uname=",
    "usr=",
    "auth_user=",
    "remote_user=",
    "authenticated user ",
    "new user: name=",
    "useradd ",
    "userdel ",
    "usermod ",
    "su - ",
    "ssh -l ",
];
/// The last word of each of them.
static LAST_WORDS: LazyLock<WordSet> = LazyLock::new(|| {
    let words =
        |form: &&'static str| form.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    WordSet::of(LOG_WORDS.iter().filter_map(words))
});
const FOLDERS: &[&str] =
    &["/home/", "/Users/", "\\Users\\", "\\\\Users\\\\", "\\users\\", "/export/home/", "/var/mail/", "~"];

/// False when no name follows a text and the word of this hash, its last.
#[inline]
pub(super) fn may_follow(head: &[u8], hash: u64) -> bool {
    match head {
        // What is one word, or ends with a mark, may end a longer word too: `useradd `, `sudo: `, `su - `.
        [.., b':' | b'-' | b' ', b' '] | [.., b'd' | b'o', b'd', b' '] | [.., b'e', b'l', b' '] => true,
        _ => LAST_WORDS.has(hash),
    }
}

/// Reads a name at a word, by what stands before it.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    let previous = word.start().checked_sub(1).and_then(|at| text.as_bytes().get(at))?;
    let (forms, rule) = match previous {
        b'/' | b'\\' | b'~' => (FOLDERS, "home_folder"),
        b' ' | b'=' => (LOG_WORDS, "log_user"),
        _ => return None,
    };
    let left = before(text, word.start(), 40);
    let ends_with = |form: &&&str| {
        let end = left.len().checked_sub(form.len()).and_then(|at| left.as_bytes().get(at..));
        end.is_some_and(|end| match rule {
            "log_user" => end.eq_ignore_ascii_case(form.as_bytes()),
            _ => end == form.as_bytes(),
        })
    };
    let form = forms.iter().find(ends_with)?;
    if rule == "log_user" && *form == "sudo: " && after(text, word.end(), 4).starts_with(':') {
        return None;
    }
    let name = account(text, word.start())?;
    // `user=` of a query or of a connection may hold anything but a word of the system.
    let ends = after(text, name.end(), 1);
    let plain = !ends.starts_with(['(', '=', '[', '{', '$', '%', '*']);
    let folder = rule != "home_folder" || !form.starts_with('~') || ends.starts_with('/');
    (plain && folder).then_some((name, rule))
}

/// Reads a handle at its `@`.
pub(super) fn at_sign(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let left = before(text, at, 24);
    // Alone in its line an `@word` decorates code.
    let line = left.rsplit('\n').next().unwrap_or_default();
    let opens = left.ends_with([' ', '(', ',', ':', '"', '>', '[']) || left.is_empty();
    if !opens
        || (line.trim().is_empty() && left.contains('\n'))
        || is_one_of(last_word(left, &[]), &["*", "import", "from"])
        || line.trim_end().ends_with('*')
    {
        return None;
    }
    let name = account(text, at + 1)?;
    let rest = after(text, name.end(), 2);
    let ends = !rest.starts_with(['(', '/', '@', '{', '=', '[', '\\']) && !rest.starts_with(".c");
    (ends && !vocabulary::is_common(name.of(text)?)).then_some((name, "handle"))
}

/// A name of an account: letters, digits and `._-`, not of a system.
fn account(text: &str, start: usize) -> Option<Span> {
    let rest = after(text, start, 40);
    let end =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))).unwrap_or(rest.len());
    let name = rest.get(..end)?.trim_end_matches(['.', '-', '_']);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    ((2..=32).contains(&name.len()) && letters >= 2 && !is_one_of(name, SYSTEM))
        .then(|| Span::sized(start, name.len()))
}
