//! Rust source with everything blanked that is no code: comments, strings, and modules of tests.
//!
//! In: the text of a file. Out: a text of the same lines in which only code is left.
//! Invariant: line numbers stay. Not here: parsing; what is left is read as words and marks.

/// The code of a file that is built into the product.
pub(crate) fn product_code(source: &str) -> String {
    without_tests(&without_comments_and_strings(source))
}

fn without_comments_and_strings(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest, code.chars().last());
        let (skipped, after) = rest.split_at(length.unwrap_or(first.len_utf8()));
        if length.is_some() {
            code.extend(skipped.chars().filter(|character| *character == '\n'));
            code.push(' ');
        } else {
            code.push(first);
        }
        rest = after;
    }
    code
}

/// Length of the comment, string or character literal that `rest` starts with.
fn skipped(rest: &str, before: Option<char>) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    if let Some(body) = rest.strip_prefix('"') {
        return Some(1 + quoted(body, '"'));
    }
    if rest.starts_with('r')
        && !before.is_some_and(|character| character.is_alphanumeric() || character == '_')
    {
        return raw_string(rest);
    }
    // A quote is a lifetime unless a character and another quote follow.
    let mut characters = rest.strip_prefix('\'')?.chars();
    match (characters.next()?, characters.next()?) {
        ('\\', _) => Some(1 + quoted(rest.strip_prefix('\'')?, '\'')),
        (character, '\'') => Some(2 + character.len_utf8()),
        _ => None,
    }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut previous = ' ';
    for (offset, character) in rest.char_indices() {
        match (previous, character) {
            ('/', '*') => {
                depth += 1;
                previous = ' ';
            }
            ('*', '/') => {
                depth -= 1;
                previous = ' ';
                if depth == 0 {
                    return offset + 1;
                }
            }
            _ => previous = character,
        }
    }
    rest.len()
}

fn quoted(body: &str, end: char) -> usize {
    let mut escaped = false;
    for (offset, character) in body.char_indices() {
        match (escaped, character) {
            (true, _) => escaped = false,
            (false, '\\') => escaped = true,
            (false, other) if other == end => return offset + 1,
            _ => {}
        }
    }
    body.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix('r')?.chars().take_while(|character| *character == '#').count();
    let body = rest.get(1 + hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |offset| offset + end.len());
    Some(2 + hashes + length)
}

/// Blanks every block that follows `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let end = match (after.find('{'), after.find(';')) {
            (Some(brace), semicolon) if semicolon.is_none_or(|semicolon| brace < semicolon) => {
                block_end(after, brace)
            }
            (_, Some(semicolon)) => semicolon + 1,
            _ => after.len(),
        };
        let (skipped, after) = after.split_at(end);
        kept.extend(skipped.chars().filter(|character| *character == '\n'));
        rest = after;
    }
    kept.push_str(rest);
    kept
}

fn block_end(text: &str, brace: usize) -> usize {
    let mut depth = 0usize;
    for (offset, character) in text.char_indices().skip_while(|(offset, _)| *offset < brace) {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return offset + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::product_code;

    #[test]
    fn only_code_is_left() {
        let cases = [
            ("line comment", "a // b\nc", "a  \nc"),
            ("block comment", "a /* b /* c */ d */ e", "a   e"),
            ("string", r#"a("b \" c") d"#, "a( ) d"),
            ("raw string", "a(r#\"b \" c\"#) d", "a( ) d"),
            ("raw identifier", "var\"b\"", "var "),
            ("character", "a('{') + '\\'' + b", "a( ) +   + b"),
            ("lifetime", "a<'b>(c: &'b d)", "a<'b>(c: &'b d)"),
            ("test module", "a\n#[cfg(test)]\nmod tests {\n fn b() { c }\n}\nd", "a\n\n\n\n\nd"),
            ("test module elsewhere", "a\n#[cfg(test)]\nmod tests;\nd", "a\n\n\nd"),
            ("test import", "#[cfg(test)]\nuse a::{b, c};\nd", "\n;\nd"),
            ("lines of a string", "\"a\nb\" c", "\n  c"),
        ];
        for (name, source, expected) in cases {
            assert_eq!(product_code(source), expected, "{name}");
        }
    }
}
