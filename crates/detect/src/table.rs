//! Tables in text: a header names what each column holds.
//!
//! In: a line that may be a header. Out: hits in the rows below, and where the table ends. Forms: CSV with commas or
//! semicolons, TSV, Markdown and `psql` tables, `COPY ... FROM stdin`, `INSERT ... VALUES`. Invariant: a table is
//! read once, and ends at the first line that does not fit. Not here: JSON, whose keys the caller knows.

use cloakgate_vocab::{Detector, Span, Strength};

use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{self, Meaning};
use crate::recognise::Hit;

mod sql;

/// Most columns of a table.
const MAX_COLUMNS: usize = 128;
/// Longest column name in bytes.
const MAX_NAME_BYTES: usize = 40;
/// Longest header in bytes.
const MAX_HEADER_BYTES: usize = 4096;

/// Where what is found goes.
pub(crate) struct Found<'a> {
    /// Hits in cells.
    pub(crate) hits: &'a mut Vec<Hit>,
    /// Beginnings of cells that machines fill: nothing is found there by shape alone.
    pub(crate) machine: &'a mut Vec<Span>,
}

/// What the columns hold.
struct Header {
    meanings: Vec<Option<Meaning>>,
    hints: Hints,
}

impl Header {
    /// Reads column names; `None` unless one of them has a meaning and all look like names of columns.
    fn of(names: &[&str]) -> Option<Self> {
        if !(2..=MAX_COLUMNS).contains(&names.len()) || !names.iter().all(|name| is_column_name(name)) {
            return None;
        }
        let meanings: Vec<_> = names.iter().map(|name| keys::meaning_of(name)).collect();
        let telling = meanings.iter().flatten().any(|meaning| *meaning != Meaning::Machine);
        telling.then(|| Self { hints: Hints::of_keys(names.iter().copied()), meanings })
    }

    /// Judges the cells of one row.
    fn row(&self, text: &str, cells: &[Span], found: &mut Found<'_>) {
        for (cell, meaning) in cells.iter().zip(&self.meanings) {
            let (Some(meaning), Some(value)) = (meaning, cell.of(text)) else { continue };
            if *meaning == Meaning::Machine {
                found.machine.push(Span::sized(cell.start(), 0));
            } else if let Some(verdict) = fields::judge(*meaning, value, Extent::Whole, self.hints) {
                found.hits.push(Hit {
                    span: verdict.span.shifted(cell.start()),
                    category: verdict.category,
                    detector: Detector(verdict.rule),
                    strength: Strength::Context,
                    pieces: Vec::new(),
                });
            }
        }
    }
}

fn is_column_name(name: &str) -> bool {
    let words = name.split(' ').filter(|word| !word.is_empty()).count();
    name.len() <= MAX_NAME_BYTES
        && words <= 4
        && !name.contains(['{', '}', '=', '?', '!', '<', '>', '@'])
        && !name.ends_with(['.', ':'])
        && !name.chars().next().is_some_and(|c| c.is_ascii_digit())
}

/// Reads the table whose header is the line; returns where it ends, or nothing when there is no table.
pub(crate) fn read(text: &str, line: Span, found: &mut Found<'_>) -> Option<usize> {
    if line.len() > MAX_HEADER_BYTES {
        return None;
    }
    let header_text = line.of(text)?;
    if !may_be_header(header_text) {
        return None;
    }
    if let Some(end) = sql::read(text, line, found) {
        return Some(end);
    }
    ['\t', '|', ';', ',']
        .into_iter()
        .filter(|delimiter| header_text.find(*delimiter).is_some_and(|first| first <= MAX_NAME_BYTES + 4))
        .find_map(|delimiter| read_delimited(text, line, delimiter, found))
}

/// Most lines of prose end here: their first part is longer than the name of a column.
fn may_be_header(line: &str) -> bool {
    let first = line.find(['\t', '|', ';', ',', '(']).unwrap_or(usize::MAX);
    first <= 2 * MAX_NAME_BYTES
}

fn read_delimited(text: &str, line: Span, delimiter: char, found: &mut Found<'_>) -> Option<usize> {
    let cells = cells(text, line, delimiter);
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell.of(text)).collect();
    let header = Header::of(&names)?;
    rows(text, line.end() + 1, delimiter, &header, found)
}

/// Reads rows from `start` on; returns the end of the last one, or nothing when there is none.
fn rows(text: &str, start: usize, delimiter: char, header: &Header, found: &mut Found<'_>) -> Option<usize> {
    let mut at = start;
    let mut end = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = row_len(rest, delimiter);
        let line = Span::sized(at, len);
        at += len + 1;
        let row = line.of(text)?;
        if is_ruler(row) {
            continue;
        }
        let cells = cells(text, line, delimiter);
        if row.trim().is_empty() || cells.len() != header.meanings.len() {
            break;
        }
        header.row(text, &cells, found);
        end = Some(line.end());
    }
    end
}

/// Length of a row: to the end of the line, or further when a quoted cell holds line feeds.
fn row_len(rest: &str, delimiter: char) -> usize {
    let bytes = rest.as_bytes();
    let first = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let quotes =
        |len: usize| bytes.get(..len).unwrap_or_default().iter().filter(|byte| **byte == b'"').count();
    if matches!(delimiter, '|') || quotes(first).is_multiple_of(2) {
        return first;
    }
    // A cell over several lines: the quote must close within a few lines.
    let mut len = first;
    for _ in 0..8 {
        let Some(next) = bytes.get(len + 1..).and_then(|more| memchr::memchr(b'\n', more)) else { break };
        len += 1 + next;
        if quotes(len).is_multiple_of(2) {
            return len;
        }
    }
    first
}

/// `|---|:-:|`, `----+----`
fn is_ruler(row: &str) -> bool {
    row.contains("--") && row.chars().all(|c| matches!(c, '-' | '+' | '|' | ':' | ' ' | '=' | '\r'))
}

/// Spans of the cells of a line, without blanks and quotes around them.
fn cells(text: &str, line: Span, delimiter: char) -> Vec<Span> {
    let row = line.of(text).unwrap_or_default().trim_end_matches('\r');
    let lead = if delimiter == '|' { row.len() - row.trim_start().trim_start_matches('|').len() } else { 0 };
    let body = row.get(lead..).unwrap_or_default();
    let body = if delimiter == '|' && lead > 0 && row.contains('|') {
        body.trim_end().strip_suffix('|').unwrap_or(body)
    } else {
        body
    };
    let mut cells = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, c) in body.char_indices().chain([(body.len(), delimiter)]) {
        if c == '"' && delimiter != '|' {
            quoted = !quoted;
        } else if c == delimiter && (!quoted || at == body.len()) {
            cells.push(trimmed(body, start, at).shifted(line.start() + lead));
            start = at + c.len_utf8();
            if cells.len() > MAX_COLUMNS {
                break;
            }
        }
    }
    cells
}

/// The part of `body[start..end]` without blanks and one pair of quotes.
fn trimmed(body: &str, start: usize, end: usize) -> Span {
    let cell = body.get(start..end).unwrap_or_default();
    let lead = cell.len() - cell.trim_start().len();
    let inner = cell.trim();
    let unquoted = [('"', '"'), ('\'', '\''), ('`', '`')]
        .iter()
        .find_map(|(open, close)| inner.strip_prefix(*open)?.strip_suffix(*close));
    match unquoted {
        Some(value) => Span::sized(start + lead + 1, value.len()),
        None => Span::sized(start + lead, inner.len()),
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Found, read};

    /// The cells that were found, in the order of the text.
    fn found(text: &str) -> Vec<&str> {
        let (mut hits, mut machine) = (Vec::new(), Vec::new());
        let line = Span::sized(0, text.find('\n').unwrap_or(text.len()));
        read(text, line, &mut Found { hits: &mut hits, machine: &mut machine });
        hits.sort_by_key(|hit| hit.span);
        hits.iter().map(|hit| &text[hit.span.range()]).collect()
    }

    #[test]
    fn columns_say_what_their_cells_are() {
        for (text, cells) in [
            (
                "id,full_name,dob\n1,Marie Dubois,1984-03-12\n2,\"Ray, Bob\",\n\nx,y,z",
                &["Marie Dubois", "1984-03-12", "Ray, Bob"][..],
            ),
            ("id\tname\temail\tzip\n1\tMarie\tm@example.org\t69003", &["Marie", "69003"]),
            ("| name | phone |\n|---|---|\n| Marie Dubois | 312-345 |\n", &["Marie Dubois", "312-345"]),
            (" id | name  | email \n----+-------+------\n 1  | Marie | m@example.org\n(1 row)", &["Marie"]),
            ("name;geburtsdatum\r\nMarie;12.03.1984\r\n", &["Marie", "12.03.1984"]),
            ("first_name,note\nMarie,\"two\nlines\"\nBob,x\n", &["Marie", "Bob"]),
            ("name,version\nleft-pad,1.0\n", &[]),
            ("product,model,qty\nGranny Smith apples,M3x27,63\n", &[]),
            ("Please send name, email, and phone.\nThanks, a, lot\n", &[]),
            (
                "COPY public.contacts (id, name, email, postcode) FROM stdin;\n8\tRupert Pruschke\tr@example.org\t69664\n\\.\n",
                &["Rupert Pruschke", "69664"],
            ),
            (
                "INSERT INTO users (id, email, full_name) VALUES (1, 'a@example.org', 'Seán O''Brien'),\n (2, NULL, 'Bob (Jr) Ray');\n",
                &["Seán O''Brien", "Bob (Jr) Ray"],
            ),
        ] {
            assert_eq!(found(text), cells, "{text}");
        }
    }
}
