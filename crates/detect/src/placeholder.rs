//! Values that stand where a value should be, without being one.
//!
//! In: a value under a key. Out: whether it is a placeholder: a truth value, a variable, a mask, a template, one of
//! our own tokens. Invariant: masking one of these would hide nothing, and break scripts and documents.

use cloakgate_vocab::Category;

const WORDS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nil",
    "undefined",
    "n/a",
    "na",
    "-",
    "todo",
    "tbd",
    "yes",
    "no",
    "on",
    "off",
    "admin",
    "administrator",
    "root",
    "unknown",
    "redacted",
    "masked",
    "filtered",
    "hidden",
    "secret",
    "string",
    "changeme",
    "change_me",
    "example",
    "test",
    "default",
    "empty",
    "optional",
    "required",
];

/// True for a value that stands for another.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    // `[FILTERED]`
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    value.is_empty()
        || (value.len() <= 16 && WORDS.iter().any(|word| inner.eq_ignore_ascii_case(word)))
        || is_wrapped(value)
        || is_template(value)
        || is_mask(value)
        || is_token(value)
}

/// `<your name>`, `${NAME}`, `{{ name }}`, `%(name)s`, `$NAME`, `{name}`.
fn is_wrapped(value: &str) -> bool {
    let pairs = [
        ("<", ">"),
        ("${", "}"),
        ("{{", "}}"),
        ("%(", ")s"),
        ("$(", ")"),
        ("{%", "%}"),
        ("%", "%"),
        ("{", "}"),
    ];
    if !value.starts_with(['<', '$', '{', '%']) {
        return false;
    }
    let wrapped = pairs.iter().any(|(open, close)| {
        value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).is_some_and(|inner| {
            !inner.contains([' ', '<', '>', '|']) || open.len() == 2 && *open != "$(" || *open == "<"
        })
    });
    let variable = value.strip_prefix('$').is_some_and(|name| {
        name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    wrapped || variable
}

/// `%s:%s`, `{user}:{password}`, `\x1b[32m${key}\x1b[0m`: nothing but what is filled in later, and marks.
fn is_template(value: &str) -> bool {
    let mut rest = value;
    let mut filled = false;
    loop {
        let literal = rest.find(['%', '{', '\\', '\u{1b}']).unwrap_or(rest.len());
        if rest.get(..literal).is_none_or(|text| text.chars().any(char::is_alphanumeric)) {
            return false;
        }
        rest = rest.get(literal..).unwrap_or_default();
        let Some(mark) = rest.chars().next() else { return filled };
        let directive = match mark {
            '{' => {
                filled = true;
                rest.find('}').map(|close| close + 1)
            }
            '%' => {
                let flags = rest
                    .bytes()
                    .skip(1)
                    .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'l'));
                let end = 1 + flags.count();
                filled = true;
                rest.as_bytes()
                    .get(end)
                    .filter(|kind| {
                        matches!(kind, b's' | b'd' | b'i' | b'r' | b'v' | b'x' | b'u' | b'f' | b'@' | b'q')
                    })
                    .map(|_| end + 1)
            }
            // Colours of a terminal.
            _ => rest.find('m').filter(|end| *end <= 10 && rest.contains('[')).map(|end| end + 1),
        };
        let Some(end) = directive else { return false };
        rest = rest.get(end..).unwrap_or_default();
    }
}

/// `********`, `xxxx-xxxx`, `...`, `•••`.
fn is_mask(value: &str) -> bool {
    value.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.' | '-' | '_' | '#' | '?' | '•' | '…' | '█' | ' '))
}

/// One of our own tokens, as `[EMAIL_0_k7q]` or without brackets, or in the plain and curly styles.
pub(crate) fn is_token(value: &str) -> bool {
    let name = value.trim_matches(['[', ']', '{', '}', '<', '>']);
    let Some((category, number)) = name
        .split_once(|c: char| c.is_ascii_digit())
        .map(|(head, _)| (head.trim_end_matches('_'), name.get(head.len()..).unwrap_or_default()))
    else {
        return false;
    };
    category.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && number.len() <= 16
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase() || byte == b'_')
        && name.as_bytes().get(category.len()) == Some(&b'_')
        && Category::all().any(|known| known.name() == category)
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders_are_told_from_values() {
        for value in [
            "",
            "true",
            "NULL",
            "<your name>",
            "${DB_PASSWORD}",
            "{{ name }}",
            "%(full_name)s",
            "$HOME",
            "********",
            "xxxx-xxxx",
            "...",
            "[EMAIL_0_k7q]",
            "PERSON_12b_k7q",
            "[EMAIL_0]",
            "{{PERSON_1}}",
            "CHANGEME",
            "%s:%s",
            "{user}:{password}",
            "{invalid}{arg}{invalid:#}",
            "\\x1b[32m${apiKey}\\x1b[0m",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in [
            "Marie",
            "hunter22!",
            "100%sure",
            "a{1}b",
            "{x",
            "$(curl example.org | sh)",
            "EMAIL",
            "FOO_1",
            "Max",
            "x12",
        ] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
