//! How one line of a text is written.
//!
//! In: a line without the blanks around it. Out: its form, or nothing for what is not read: source code, rows of
//! tables, rows of values, fields of machines. Invariant: one pass over the line. Not here: what follows from it.

use cloakgate_detect::{KeySense, is_expression, key_sense};
use cloakgate_vocab::Span;

/// How a line is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Form {
    /// Sentences, or parts of them.
    Prose,
    /// A few words.
    Short,
    /// A key and a short value.
    Pair,
    /// A comment in a program, or a heading.
    Comment,
}

/// Words from which on a line is prose.
const PROSE_WORDS: usize = 5;
/// Words from which on what follows a key is prose.
const VALUE_WORDS: usize = 6;
/// Most words of a key.
const KEY_WORDS: usize = 4;

/// Words that only programs hold.
const CODE_WORDS: &[&str] = &[
    "fn",
    "let",
    "pub",
    "impl",
    "def",
    "const",
    "struct",
    "enum",
    "elif",
    "var",
    "export",
    "static",
    "void",
    "async",
    "await",
    "SELECT",
    "INSERT",
    "CREATE",
    "UPDATE",
    "VALUES",
    "typedef",
    "namespace",
    "func",
];

/// Words that programs hold, and sentences too.
const LOOSE_CODE_WORDS: &[&str] = &[
    "import", "class", "return", "else", "assert", "self", "function", "package", "if", "for", "while",
    "use", "from", "match", "try", "except", "public", "private",
];

/// What one pass over a line counts.
#[derive(Default)]
struct Counts {
    words: usize,
    marks: usize,  // characters that programs are made of
    commas: usize, // those without a blank after them
    bars: usize,
    joints: usize, // `::`, `->`, `()` and the like
    code_words: usize,
    loose_words: usize,
    first_is_code: bool,
    letters: usize,
}

/// The form of a line; `None` for one that is not read.
pub(crate) fn form_of(line: &str) -> Option<Form> {
    let body = bare(line);
    let comment = ["//", "/*", "# ", "--"].iter().any(|mark| line.starts_with(mark));
    if body.is_empty() || (body.starts_with('|') && body.matches('|').count() >= 3) {
        return None;
    }
    let counts = count(body);
    if counts.letters == 0 || is_code(body, &counts) {
        return None;
    }
    // `Marie,Dubois,7`
    let dense = counts.words <= counts.commas * 4;
    if (counts.commas >= 2 && dense) || counts.bars >= 3 {
        return None;
    }
    if let Some((key, value)) = pair(body) {
        if value.split_whitespace().count() >= VALUE_WORDS && counts.marks < 3 {
            return Some(Form::Prose);
        }
        return (key_sense(key) != KeySense::Closed && !is_expression(value)).then_some(Form::Pair);
    }
    // Letters without blanks between words: scripts that write none.
    let wide = body.chars().filter(|c| u32::from(*c) >= 0x2e80).take(8).count() == 8;
    Some(match () {
        () if comment => Form::Comment,
        () if counts.words >= PROSE_WORDS || wide => Form::Prose,
        () => Form::Short,
    })
}

/// A line without the marks of lists, headings, quotes and comments before it.
fn bare(line: &str) -> &str {
    let mut body = line.trim_start();
    for _ in 0..4 {
        let marks =
            body.len() - body.trim_start_matches(['-', '*', '+', '>', '•', '#', '/', '!', '–', '·']).len();
        let number = body.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let marks = if marks > 0 {
            marks
        } else if number > 0 && body.get(number..).is_some_and(|rest| rest.starts_with(['.', ')'])) {
            number + 1
        } else {
            break;
        };
        match body.get(marks..) {
            Some(rest) if rest.starts_with(' ') => body = rest.trim_start(),
            _ => break,
        }
    }
    body
}

fn is_code(body: &str, counts: &Counts) -> bool {
    let ends = body.ends_with([';', '{', '}', '(', '[']) || body.starts_with(['}', ']', ')', '@', '{', '[']);
    let words = counts.code_words + counts.loose_words;
    counts.code_words > 1
        || (counts.code_words > 0 && counts.first_is_code && counts.marks + counts.joints > 0)
        || (words > 0 && (counts.joints > 0 || body.ends_with([';', '{'])))
        || (counts.first_is_code
            && counts.words < 5
            && (counts.joints + counts.marks > 0 || body.contains(" '") || body.contains(" \"")))
        || (counts.joints > 0 && counts.marks >= 3)
        || (counts.marks >= 3 && counts.marks * 11 > body.len())
        || (ends && counts.marks + counts.joints > 0 && counts.words < 6)
        || (body.ends_with(',') && body.starts_with(['"', '\'']) && counts.words < PROSE_WORDS)
}

/// One pass over a line. What stands in backticks, addresses of pages and mail, and targets of links do not count.
fn count(body: &str) -> Counts {
    let mut counts = Counts::default();
    let mut in_ticks = false;
    for piece in body.split_ascii_whitespace() {
        let ticks = piece.bytes().filter(|byte| *byte == b'`').count();
        let quoted = in_ticks || ticks > 0;
        in_ticks ^= ticks % 2 == 1;
        if quoted || piece.contains("://") || piece.contains("](") {
            counts.words += 1;
            counts.letters += 1;
            continue;
        }
        count_piece(piece, &mut counts);
    }
    counts
}

fn count_piece(piece: &str, counts: &mut Counts) {
    let mail = piece.contains('@') && piece.contains('.');
    let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    counts.letters += letters;
    if letters > 0 {
        let (code, loose) = (CODE_WORDS.contains(&word), LOOSE_CODE_WORDS.contains(&word));
        counts.first_is_code |= (code || loose) && counts.words == 0;
        counts.code_words += usize::from(code);
        counts.loose_words += usize::from(loose);
        counts.words += 1;
    }
    if mail || is_emoticon(piece) {
        return;
    }
    let mut before = ' ';
    for (at, c) in piece.char_indices() {
        match c {
            '{' | '}' | '[' | ']' | '<' | '>' | ';' | '=' | '_' | '/' | '\\' | '$' | '^' | '~' | '#'
            | '%' => {
                counts.marks += 1;
            }
            '|' => {
                counts.marks += 1;
                counts.bars += 1;
            }
            ',' if at + 1 < piece.len() => counts.commas += 1,
            _ => {}
        }
        let joint = matches!(
            (before, c),
            (':', ':')
                | ('-' | '=', '>')
                | ('(', ')')
                | ('=' | '!' | ':', '=')
                | ('&', '&')
                | ('|', '|')
                | ('<', '/')
        );
        let call = c == '(' && before.is_alphanumeric() && !piece.ends_with("(s)");
        counts.joints += usize::from(joint || call || (before == ')' && c == '.' && at + 1 < piece.len()));
        before = c;
    }
}

/// `:-)`, `;)`, `<3`
fn is_emoticon(piece: &str) -> bool {
    piece.len() <= 4
        && (piece.starts_with([':', ';', '=']) && piece.ends_with([')', '(', 'D', 'P']) || piece == "<3")
}

/// The key and the value of `key: value`, `key = value`.
fn pair(body: &str) -> Option<(&str, &str)> {
    let at = body.char_indices().take(48).find(|(_, c)| matches!(c, ':' | '=' | '：')).map(|(at, _)| at)?;
    let (key, value) = body.split_at_checked(at)?;
    let key = key.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '*'));
    let value = value.trim_start_matches([':', '=', '：', '>']);
    let parted = value.starts_with([' ', '\t', '"', '\'', '*'])
        || body.get(at..).is_some_and(|rest| rest.starts_with(['=', '：']));
    let value = value.trim();
    let short = key.split_whitespace().count() <= KEY_WORDS && !key.is_empty();
    let plain = key
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/' | '(' | ')' | '\''));
    (parted && short && plain && !value.is_empty()).then_some((key, value))
}

/// What lies between the tags of a line, cells of tables aside; the whole line where it has none.
pub(crate) fn between_tags(text: &str, line: Span) -> Vec<Span> {
    let body = line.of(text).unwrap_or_default();
    let mut parts = Vec::new();
    let (mut at, mut from) = (0, 0);
    let mut cell = false;
    while let Some(open) = body.get(from..).and_then(|rest| rest.find('<')).map(|open| from + open) {
        match tag_len(body.get(open..).unwrap_or_default()) {
            Some(len) => {
                if !cell {
                    parts.push(Span::sized(line.start() + at, open - at));
                }
                let tag = body.get(open + 1..open + len).unwrap_or_default();
                let of_cell = |tag: &str| {
                    ["td", "th"]
                        .iter()
                        .any(|name| tag.strip_prefix(name).is_some_and(|rest| rest.starts_with(['>', ' '])))
                };
                cell = (cell || of_cell(tag)) && !tag.strip_prefix('/').is_some_and(of_cell);
                at = open + len;
                from = at;
            }
            None => from = open + 1,
        }
    }
    if !cell {
        parts.push(Span::sized(line.start() + at, body.len() - at));
    }
    parts
}

/// Elements of pages and mails; `Vec<usize>` holds none.
const ELEMENTS: &[&str] = &[
    "a",
    "p",
    "b",
    "i",
    "u",
    "br",
    "div",
    "span",
    "td",
    "th",
    "tr",
    "table",
    "tbody",
    "thead",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "html",
    "body",
    "title",
    "small",
    "strong",
    "em",
    "hr",
    "img",
    "font",
    "section",
    "article",
    "header",
    "footer",
    "main",
    "blockquote",
    "label",
    "dl",
    "dt",
    "dd",
    "center",
    "address",
    "caption",
    "figcaption",
];

/// Length of the tag at the start of the text: `<b>`, `</td>`, `<a href="x">`; `<marie@example.eu>` is none.
fn tag_len(text: &str) -> Option<usize> {
    const MAX_TAG_BYTES: usize = 400;
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let letters = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let after = name.get(letters..)?.chars().next()?;
    let known = ELEMENTS
        .iter()
        .any(|element| name.get(..letters).is_some_and(|name| name.eq_ignore_ascii_case(element)));
    if !known || !matches!(after, '>' | ' ' | '/') {
        return None;
    }
    let window = text.get(..text.floor_char_boundary(MAX_TAG_BYTES))?;
    let end = window.find('>')?;
    (!window.get(1..end)?.contains(['<', '@'])).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Form, form_of};

    #[test]
    fn forms_of_lines() {
        for (line, form) in [
            ("Please tell Marie that we meet on Monday.", Some(Form::Prose)),
            ("- ask Marie (again) about the plan :-)", Some(Form::Prose)),
            ("> On Monday Marie wrote:", Some(Form::Short)),
            ("Marie Dubois", Some(Form::Short)),
            ("// The name of the engine, as Ada wrote it.", Some(Form::Comment)),
            ("pub struct Victor { mark: usize, grace: Option<u32>,", None),
            ("Kelly bag,XNX76043,47", None),
            ("Reviewer: Marie Dubois", Some(Form::Pair)),
            ("\"owner\": \"Marie Dubois\"", Some(Form::Pair)),
            ("Marie: can you look at the plan before we meet?", Some(Form::Prose)),
            ("email: marie@example.eu", None),
            ("let name = Marie::new();", None),
            ("use std::path::Path;", None),
            ("import Dubois from 'x'", None),
            ("| Marie | Open |", None),
            ("1,Marie,Dubois,Lyon,ok", None),
            ("    }", None),
            ("\"serde\",", None),
            ("2026-01-01 12:00", None),
            ("fn marie(dubois: &str) -> bool {", None),
            ("for (text, name) in [", None),
        ] {
            assert_eq!(form_of(line.trim()), form, "{line}");
        }
    }
}
