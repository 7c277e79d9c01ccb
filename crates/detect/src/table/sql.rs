//! Rows in SQL: `COPY table (columns) FROM stdin` and `INSERT INTO table (columns) VALUES (...), (...)`, the columns in
//! the statement or in the `CREATE TABLE` before it.
//!
//! In: a line that may begin such a statement. Out: hits in its rows, and where they end. Invariant: a statement is
//! read once, up to its end or to the first thing that does not fit.

use cloakgate_vocab::Span;

use super::{Found, Header, rows};
use crate::work;

/// Longest tuple in bytes.
const MAX_TUPLE_BYTES: usize = 8192;

/// Reads the statement that the line holds.
pub(super) fn read(text: &str, line: Span, found: &mut Found<'_>) -> Option<usize> {
    let statement = line.of(text)?;
    memchr::memchr(b'(', statement.as_bytes())?;
    let words = statement.trim_start().get(..7)?;
    if words.as_bytes().first_chunk::<5>().is_some_and(|head| head.eq_ignore_ascii_case(b"COPY ")) {
        let (header, _) = columns(statement)?;
        return rows(text, line.end() + 1, ('\t', header.meanings.len()), &mut |cells| {
            header.row(text, cells, found);
        });
    }
    let at = find_ignoring_case(statement, "INSERT INTO ")?;
    let (header, close) = columns(statement.get(at..)?)?;
    let after = line.start() + at + close + 1;
    let rest = text.get(after..)?;
    let values = find_ignoring_case(rest.get(..24.min(rest.len())).unwrap_or(rest), "VALUES")?;
    tuples(text, after + values + 6, &header, found)
}

/// Reads `INSERT INTO table VALUES (...)` without names of columns, by the `CREATE TABLE table (...)` at `created`.
pub(crate) fn insert(text: &str, line: Span, created: usize, found: &mut Found<'_>) -> Option<usize> {
    let statement = line.of(text)?;
    let rest = statement.get("INSERT INTO ".len()..)?;
    let name = table_name(rest)?;
    let values = statement.len() - rest.len() + rest.find(name)? + name.len();
    let gap = statement.get(values..)?.trim_start_matches(['`', '"', ' ']);
    let at = line.end() - gap.strip_prefix("VALUES").or_else(|| gap.strip_prefix("values"))?.len();
    let declared = text.get(created..)?;
    let declared = declared.get(..declared.floor_char_boundary(MAX_DECLARATION_BYTES))?;
    work::count(declared.len());
    let body = declared.get(CREATE.len()..)?.trim_start().trim_start_matches("IF NOT EXISTS ");
    if table_name(body)? != name {
        return None;
    }
    let names: Vec<&str> = body.lines().skip(1).map_while(column_name).flatten().collect();
    tuples(text, at, &Header::of(&names)?, found)
}

/// Begins the declaration of a table.
pub(crate) const CREATE: &str = "CREATE TABLE ";
/// Most bytes of a declaration that are read.
const MAX_DECLARATION_BYTES: usize = 2048;

/// The name at the start of a text, without quotes and the schema before it.
fn table_name(text: &str) -> Option<&str> {
    let name = text.split([' ', '(', '\n']).next()?.rsplit('.').next()?.trim_matches(['`', '"']);
    (!name.is_empty()).then_some(name)
}

/// The column that a line of a declaration names; nothing in it for a line about keys; the end of the declaration ends all.
fn column_name(line: &str) -> Option<Option<&str>> {
    const OTHERS: &[&str] =
        &["PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "INDEX", "FOREIGN", "CHECK", "FULLTEXT"];
    let line = line.trim();
    let word = line.split([' ', ',']).next().filter(|word| !word.is_empty() && !word.starts_with(')'))?;
    Some((!OTHERS.contains(&word)).then(|| word.trim_matches(['`', '"'])))
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    let first = word.as_bytes().first()?;
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text.as_bytes()).find(|at| {
        text.as_bytes()
            .get(*at..at + word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// The column list in the first brackets, and the place of the closing one.
fn columns(statement: &str) -> Option<(Header, usize)> {
    let open = statement.find('(')?;
    let close = open + statement.get(open..)?.find(')')?;
    let names: Vec<&str> = statement
        .get(open + 1..close)?
        .split(',')
        .map(|name| name.trim().trim_matches(['"', '`', '[', ']']))
        .collect();
    Some((Header::of(&names)?, close))
}

/// Reads `(...), (...)` from `at` on; returns the end of the last tuple.
fn tuples(text: &str, mut at: usize, header: &Header, found: &mut Found<'_>) -> Option<usize> {
    let mut end = None;
    loop {
        let rest = text.get(at..)?;
        let open = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', ',']).len();
        if !rest.get(open..)?.starts_with('(') {
            return end;
        }
        let start = at + open + 1;
        let Some((cells, close)) = tuple(text, start) else { return end };
        if cells.len() == header.meanings.len() {
            header.row(text, &cells, found);
        }
        at = close + 1;
        end = Some(at);
    }
}

/// Cells of a tuple that begins after its bracket, and the place of the closing one. Quotes inside a string are
/// doubled or escaped.
fn tuple(text: &str, start: usize) -> Option<(Vec<Span>, usize)> {
    let bytes = text.as_bytes();
    let mut cells = Vec::new();
    let mut cell = start;
    let mut at = start;
    let mut depth = 0u32;
    loop {
        if at - start > MAX_TUPLE_BYTES {
            return None;
        }
        match bytes.get(at)? {
            b'\'' => at = string_end(bytes, at + 1)?,
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            byte @ (b',' | b')') if depth == 0 => {
                cells.push(super::trimmed(text, cell, at));
                if *byte == b')' {
                    return Some((cells, at));
                }
                if cells.len() > super::MAX_COLUMNS {
                    return None;
                }
                cell = at + 1;
            }
            b'\n' if cells.is_empty() && at > start + 2 => return None,
            _ => {}
        }
        at += 1;
    }
}

/// Place of the quote that closes a string.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let limit = at + MAX_TUPLE_BYTES;
    while at < limit {
        match bytes.get(at)? {
            b'\\' => at += 1,
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => at += 1,
            b'\'' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
