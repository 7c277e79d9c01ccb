//! Whether what follows a key in a text is an expression of a programming language.
//!
//! In: the rest of a line after `key =` or `key:`. Out: yes for calls, indexes, paths, types and operations:
//! `getpass(prompt)`, `config["x"]`, `super::Kind`, `*mut c_char`, `Option<String>`, `first + second`. Invariant: at
//! most `MAX_LOOK_BYTES` are read. Not here: quoted values, which are values.

/// Most bytes of the line that are read.
const MAX_LOOK_BYTES: usize = 200;

/// Beginnings of types and expressions.
const HEADS: &[&str] = &[
    "*mut ",
    "*const ",
    "&mut ",
    "&'",
    "&str",
    "&[",
    "dyn ",
    "impl ",
    "async ",
    "await ",
    "new ",
    "lambda ",
    "typeof ",
    "func(",
    "fn(",
    "const ",
    "not ",
    "struct ",
    "unsigned ",
];

/// Operators that join a name with another.
const OPERATORS: &[&str] = &[
    "+ ", "- ", "* ", "/ ", "% ", "|| ", "&& ", "?? ", "? ", "== ", "!= ", "if ", "or ", "and ", "is ",
    "in ", "as ", "| ", "& ", "= ", "< ", "> ",
];

/// True when the line begins with an expression of code.
pub(crate) fn is_expression(line: &str) -> bool {
    let line = line.get(..line.floor_char_boundary(MAX_LOOK_BYTES)).unwrap_or_default();
    if HEADS.iter().any(|head| line.starts_with(head)) {
        return true;
    }
    let line = line.trim_start_matches(['!', '*', '(', '&', '$', '@']);
    let path = path(line);
    let Some(after) = line.get(path.len..).filter(|_| path.len > 0) else { return false };
    if path.code {
        return true;
    }
    match after.as_bytes().first() {
        // `(p).name`
        Some(b')') => after.starts_with(").") || after.starts_with(")->"),
        Some(b'(') => closes(after, b')') || open_ended(after),
        Some(b'[') => closes(after, b']') && is_index(after),
        Some(b'<') => path.capital && !after.starts_with("</") && closes(after, b'>'),
        Some(b' ') => {
            let rest = after.trim_start_matches(' ');
            path.plain && OPERATORS.iter().any(|operator| rest.starts_with(operator))
        }
        _ => false,
    }
}

#[derive(Default)]
struct Path {
    len: usize,
    /// Joined as only code joins: `a::b`, `a->b`.
    code: bool,
    /// Without a digit.
    plain: bool,
    /// The last name begins with a capital.
    capital: bool,
}

/// Names joined by `.`, `::`, `->` at the start of the text.
fn path(text: &str) -> Path {
    let bytes = text.as_bytes();
    let mut path = Path { plain: true, ..Path::default() };
    let mut at = if text.starts_with("::") { 2 } else { 0 };
    loop {
        let first = bytes.get(at).copied().unwrap_or_default();
        if !first.is_ascii_alphabetic() && first != b'_' {
            break;
        }
        path.code |= at == 2 && bytes.first() == Some(&b':');
        path.capital = first.is_ascii_uppercase();
        let rest = bytes.get(at..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        path.plain &= !rest.iter().take(len).any(u8::is_ascii_digit);
        at += len;
        path.len = at;
        let joint = ["::", "->", "?.", "."]
            .iter()
            .find(|joint| text.get(at..).is_some_and(|rest| rest.starts_with(**joint)));
        path.code |= matches!(joint, Some(&("::" | "->")));
        match joint {
            Some(joint) => at += joint.len(),
            None => break,
        }
    }
    path
}

/// The bracket that opens here is closed, and what follows ends a statement or goes on with one.
fn closes(after: &str, close: u8) -> bool {
    let bytes = after.as_bytes();
    let Some(open) = bytes.first() else { return false };
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        if byte == open {
            depth += 1;
        } else if *byte == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return bytes.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric());
            }
        }
    }
    false
}

/// A call that goes on in the next line.
fn open_ended(after: &str) -> bool {
    let after = after.trim_end();
    after.len() == 1 || after.ends_with([',', '{', '(']) || after.contains(", ") || after.starts_with("(\"")
}

/// `[0]`, `["x"]`, `[:-1]`, `[name]`.
fn is_index(after: &str) -> bool {
    after
        .as_bytes()
        .get(1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'\'' | b':' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    #[test]
    fn expressions_are_told_from_values() {
        for line in [
            "fallback_getpass(prompt, stream)",
            "netrcobj.authenticators(host)",
            "config['password']",
            "auth[2]",
            "pw[:-1]",
            "getpass.getpass(\"Enter password for %s\" %",
            "new(hash_name, password).digest()",
            "::windows_sys::core::PCSTR,",
            "crate::passwd",
            "*mut c_char,",
            "Option<String>,",
            "Vec<u8>",
            "options.password || ''",
            "password_data->password",
            "HTTPPasswordMgr()",
            "bytes(memoryview(password))",
            "Token(10)",
            "self.hash(b)[0]",
            "first + second",
            "$CPAN::Config->{password} || \"\";",
            "$assert->{pass};",
            "p).grp.gr_name + (p).len",
            "&tokens_in(&cloaked)[0];",
            "lexer.get_token()",
            "&'a str",
            "value if value else None",
        ] {
            assert!(is_expression(line), "{line}");
        }
        for line in [
            "hunter22!",
            "Tr0ub4dor(3",
            "a[b]c1",
            "correct horse battery",
            "S3cr3t.Pw",
            "p@ss<word>1",
            "$tr0ng!pass",
            "ab(c)d1",
            "пароль(1)",
            "",
            "(",
            "abc-def_ghi",
            "Winter_77 # rotate",
        ] {
            assert!(!is_expression(line), "{line}");
        }
    }
}
