//! Cells of tables in text by the names of their columns, whatever those mean.
//!
//! In: a text, and which columns are wanted. Out: the cells of those columns, in order. Forms: CSV with commas or
//! semicolons, TSV, Markdown and `psql` tables. Invariant: a line is read a bounded number of times. Not here: tables
//! whose headers say what they hold (`table`).

use cloakgate_vocab::Span;

use super::{MAX_HEADER_BYTES, cells as cells_of, is_column_name, rows, ruled};

/// The cells of the columns for which `wanted` gives a number.
pub(crate) fn cells(text: &str, wanted: &mut dyn FnMut(&str) -> Option<u32>) -> Vec<(Span, u32)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(length) = text.get(at..).and_then(|rest| memchr::memchr(b'\n', rest.as_bytes())) {
        let line = Span::sized(at, length);
        let end = if length > MAX_HEADER_BYTES { None } else { table(text, line, wanted, &mut found) };
        at = end.unwrap_or(line.end()).saturating_add(1);
    }
    found
}

/// Reads the table whose header is the line; returns where it ends.
fn table(
    text: &str,
    line: Span,
    wanted: &mut dyn FnMut(&str) -> Option<u32>,
    found: &mut Vec<(Span, u32)>,
) -> Option<usize> {
    let header = line.of(text)?;
    ['\t', '|', ';', ','].into_iter().filter(|delimiter| header.contains(*delimiter)).find_map(|delimiter| {
        let cells = cells_of(text, line, delimiter);
        let names: Vec<&str> = cells.iter().filter_map(|cell| cell.of(text)).collect();
        let named = names.len() > 1 && names.iter().all(|name| is_column_name(name));
        if !named || (delimiter == '|' && !ruled(text, line.end() + 1)) {
            return None;
        }
        let columns: Vec<Option<u32>> = names.into_iter().map(&mut *wanted).collect();
        rows(text, line.end() + 1, (delimiter, columns.len()), &mut |cells| {
            let cells = cells.iter().zip(&columns);
            found.extend(cells.filter_map(|(cell, column)| Some((*cell, (*column)?))));
        })
    })
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn cells_go_by_the_names_of_their_columns() {
        for (text, expected) in [
            ("id,note\n1,a b\n2,\"c, d\"\n", "a b|c, d"),
            ("id;note\r\n1;x\r\n", "x"),
            ("Here:\n\n| id | note |\n|----|------|\n| 1 | x |\n| 2 | y |\n\nid\tnote\n1\tz", "x|y|z"),
            ("id,note\n1,2,3\n", ""),
            ("id,other\n1,2\n", ""),
            ("one line, note", ""),
            ("", ""),
        ] {
            let found = cells(text, &mut |name| (name == "note").then_some(0));
            let found: Vec<&str> = found.iter().map(|(cell, _)| cell.of(text).unwrap()).collect();
            assert_eq!(found.join("|"), expected, "{text}");
        }
    }
}
