//! Finds out what surrounds a position in a text: a URL, a table cell, HTML, a header line.
//!
//! In: a decoded text, then spans in it from left to right. Out: a `Context` each. Looks to the left are bounded
//! and the state of a line is carried on, so cost is linear in text and spans.
//! Invariant: only characters outside the span count, so that a value and the token that replaced it are in
//! the same context; where that fails (a value held the mark that made the context), `plan` notices.

use cloakgate_vocab::Span;

use crate::place::Context;

/// How far to the left a URL may begin.
const MAX_URL_BYTES: usize = 2048;
/// How far to the left of an attribute its tag may begin.
const MAX_TAG_BYTES: usize = 4096;
/// Lines that are looked at to tell a table from prose.
const MAX_SNIFFED_LINES: usize = 32;

/// The marks of one text as a whole, found once.
pub(crate) struct Contexts<'a> {
    text: &'a str,
    html: bool,
    delimiter: Option<u8>,
    /// End of the mail or HTTP head, if the text begins with one.
    head_end: usize,
    /// How far the lines of a table have been read, and whether a quote is open there.
    read_to: usize,
    quoted: bool,
}

impl<'a> Contexts<'a> {
    /// Looks at a text as a whole.
    pub(crate) fn of(text: &'a str) -> Self {
        let html = memchr::memmem::find_iter(text.as_bytes(), b"</")
            .any(|at| text.as_bytes().get(at + 2).is_some_and(u8::is_ascii_alphabetic));
        let delimiter = if html { None } else { delimiter(text) };
        let head_end = if html || delimiter.is_some() { 0 } else { head_end(text) };
        Self { text, html, delimiter, head_end, read_to: 0, quoted: false }
    }

    /// What surrounds `span`, which must not begin before the one asked about last.
    pub(crate) fn at(&mut self, span: Span) -> Context {
        if span.len() == self.text.len() {
            return Context::Plain;
        }
        let before = self.text.get(..span.start()).unwrap_or_default();
        let after = self.text.get(span.end()..).unwrap_or_default();
        if let Some(context) = url(before, after) {
            return context;
        }
        if self.html {
            return html(before);
        }
        if let Some(delimiter) = self.delimiter {
            for byte in before.bytes().skip(self.read_to) {
                match byte {
                    b'\n' => self.quoted = false,
                    b'"' => self.quoted = !self.quoted,
                    _ => {}
                }
            }
            self.read_to = self.read_to.max(before.len());
            return if self.quoted { Context::CsvQuoted } else { Context::CsvBare(delimiter) };
        }
        if span.start() < self.head_end { Context::Header } else { Context::Plain }
    }
}

/// True for characters that no URL in running text goes beyond.
fn ends_url(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'|' | b'{' | b'}')
}

fn url(before: &str, after: &str) -> Option<Context> {
    let near =
        before.as_bytes().iter().rev().take(MAX_URL_BYTES).take_while(|byte| !ends_url(**byte)).count();
    // Every byte that ends a URL is ASCII, but the limit may fall inside a character.
    let run = before.get(before.len() - near..)?;
    if let Some(scheme) = run.find("://") {
        let rest = run.get(scheme + 3..)?;
        return Some(if rest.contains(['?', '#']) {
            Context::UrlQuery
        } else if rest.contains('/') {
            Context::UrlPath
        } else if after
            .bytes()
            .take(MAX_URL_BYTES)
            .take_while(|b| !ends_url(*b) && *b != b'/')
            .any(|b| b == b'@')
        {
            Context::UrlUserinfo
        } else {
            Context::UrlHost
        });
    }
    if let Some(address) = run.find("mailto:") {
        let query = run.get(address..)?.contains('?');
        return Some(if query { Context::UrlQuery } else { Context::UrlPath });
    }
    // A request line (`GET /path?name=...`) or a form body (`a=1&b=...`).
    let request = run.starts_with('/') && run.contains('?');
    let form = run.contains('=') && run.contains('&') && !run.contains(';');
    (request || form).then_some(Context::UrlQuery)
}

fn html(before: &str) -> Context {
    let near = before.as_bytes().iter().rev().take(MAX_TAG_BYTES);
    match near.copied().find(|byte| matches!(byte, b'<' | b'>')) {
        Some(b'<') => Context::HtmlAttribute,
        _ => Context::HtmlText,
    }
}

/// The delimiter of a table: the same number of cells on each of at least two lines, and no blank after a
/// delimiter in the first, which is how prose writes its commas.
fn delimiter(text: &str) -> Option<u8> {
    let mut lines = text.lines().take(MAX_SNIFFED_LINES).filter(|line| !line.is_empty());
    let first = lines.next()?;
    let delimiter = [b'\t', b';', b','].into_iter().find(|d| first.bytes().any(|byte| byte == *d))?;
    let wanted = delimiters(first, delimiter);
    if first.as_bytes().windows(2).any(|pair| pair.first() == Some(&delimiter) && pair.last() == Some(&b' '))
    {
        return None;
    }
    let mut rows = 0;
    for line in lines {
        if delimiters(line, delimiter) != wanted {
            return None;
        }
        rows += 1;
    }
    (rows > 0).then_some(delimiter)
}

fn delimiters(line: &str, delimiter: u8) -> usize {
    let mut quoted = false;
    let mut count = 0;
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        count += usize::from(byte == delimiter && !quoted);
    }
    count
}

/// End of the `Name: value` lines that a text begins with; 0 when there are fewer than two.
fn head_end(text: &str) -> usize {
    let mut end = 0;
    let mut fields = 0;
    for line in text.split_inclusive('\n') {
        let continued = fields > 0 && line.starts_with([' ', '\t']) && !line.trim().is_empty();
        let name = line.split_once(": ").map_or("", |(name, _)| name);
        let field = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !field && !continued {
            break;
        }
        fields += usize::from(field);
        end += line.len();
    }
    if fields < 2 { 0 } else { end }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::Contexts;
    use crate::place::Context;

    #[test]
    fn surroundings_tell_the_context() {
        for (marked, expected) in [
            ("«whole»", Context::Plain),
            ("mail «a» now", Context::Plain),
            ("see https://x.example/users/«a»/mail", Context::UrlPath),
            ("see https://x.example/u?mail=«a»&x=1", Context::UrlQuery),
            ("db postgres://app:«pw»@db.example/x", Context::UrlUserinfo),
            ("https://«host».example/x", Context::UrlHost),
            ("[x](mailto:«a»)", Context::UrlPath),
            ("GET /find?mail=«a» HTTP/1.1", Context::UrlQuery),
            ("x=1&mail=«a»", Context::UrlQuery),
            ("key=«a» other=b", Context::Plain),
            ("/home/«a»/x.txt", Context::Plain),
            ("id,name,mail\n1,«Ann»,a\n", Context::CsvBare(b',')),
            ("id;name\n1;\"«Ann»\"\n", Context::CsvQuoted),
            ("Dear Ann, hello\nthanks, «Bob»\n", Context::Plain),
            ("<p>«Ann»</p>", Context::HtmlText),
            ("<a title=\"«Ann»\">x</a>", Context::HtmlAttribute),
            ("From: «a»\nTo: b\n\nText", Context::Header),
            ("From: b\nTo: c\n\nText «a»", Context::Plain),
            ("Contact: «a»", Context::Plain),
        ] {
            let start = marked.find('«').unwrap();
            let end = marked.find('»').unwrap() - '«'.len_utf8();
            let text = marked.replace(['«', '»'], "");
            assert_eq!(Contexts::of(&text).at(Span::new(start, end).unwrap()), expected, "{marked}");
        }
    }
}
