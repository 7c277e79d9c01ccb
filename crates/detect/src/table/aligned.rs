//! Tables whose columns are set with blanks alone, as programs print them.
//!
//! In: the line of names and the lines below it. Out: hits in the cells. Forms: a frame of pandas or R, whose columns end
//! where their names end, behind a number of the row; what `column -t`, `docker ps` and `kubectl get` print, whose columns
//! begin where their names begin. Check rule: every cell of a row stands under its name to the character; the table ends
//! with the first row that does not. Invariant: a line is read at most twice. Not here: tables with delimiters (`table`).

use cloakgate_vocab::Span;

use super::{
    Found, Header, MAX_COLUMNS, MAX_HEADER_BYTES, is_code_mark, is_column_name, may_begin_name, trimmed,
};
use crate::{keys, work};

/// Where the cells of a column stand under its name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Side {
    /// They begin where the name begins.
    Left,
    /// They end where the name ends.
    Right,
}

/// Reads the table whose names stand in the line; returns where it ends, or nothing when there is no table.
pub(super) fn read(text: &str, line: Span, found: &mut Found<'_>) -> Option<usize> {
    let head = line.of(text)?.trim_end();
    let first = head.trim_start_matches(' ').chars().next()?;
    if !may_begin_name(first)
        || head.bytes().any(is_code_mark)
        || (!head.starts_with(' ') && !head.contains("  "))
    {
        return None;
    }
    let below = text.get(line.end() + 1..)?;
    let below =
        below.split('\n').next().filter(|row| !row.trim().is_empty() && row.len() <= MAX_HEADER_BYTES)?;
    [2, 1].into_iter().find_map(|blanks| {
        let columns = names(head, blanks);
        let words: Vec<&str> = columns.iter().map(|column| column.name).collect();
        if !(2..=MAX_COLUMNS).contains(&words.len()) || !words.iter().all(|name| is_column_name(name)) {
            return None;
        }
        // a form sets its labels with blanks too: `Surname   Roca` over `Born   1984`
        let (side, labels) = [Side::Right, Side::Left]
            .into_iter()
            .find_map(|side| Some((side, cells(below, &columns, side)?)))?;
        let label = |cell: &Span| cell.of(below).is_some_and(|cell| keys::meaning_of(cell).is_some());
        let form = words.len() == 2 && words.iter().any(|name| keys::meaning_of(name).is_none());
        if form || labels.iter().any(label) {
            return None;
        }
        let header = Header::of(&words)?;
        rows(text, line.end() + 1, &columns, side, &mut |cells| header.row(text, cells, found))
    })
}

/// Reads rows from `start` on; returns the end of the last one.
fn rows(
    text: &str,
    start: usize,
    columns: &[Column<'_>],
    side: Side,
    read: &mut dyn FnMut(&[Span]),
) -> Option<usize> {
    let mut at = start;
    let mut end = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let row = rest.split('\n').next().filter(|row| row.len() <= MAX_HEADER_BYTES)?;
        let Some(cells) = cells(row, columns, side) else { break };
        let cells: Vec<Span> = cells.into_iter().map(|cell| cell.shifted(at)).collect();
        read(&cells);
        end = Some(at + row.len());
        at += row.len() + 1;
    }
    end
}

/// A name and the characters that it covers in its line.
struct Column<'a> {
    name: &'a str,
    start: usize, // in characters
    end: usize,   // in characters
}

/// The names of a line, parted by so many blanks at least.
fn names(head: &str, blanks: usize) -> Vec<Column<'_>> {
    let mut columns = Vec::new();
    let mut open: Option<(usize, usize)> = None; // first byte and character
    let mut gap = 0;
    let mut last = (0, 0); // one past the last character that is no blank
    for (place, (at, c)) in head.char_indices().enumerate() {
        if c == ' ' {
            gap += 1;
            continue;
        }
        if let Some((byte, start)) = open
            && gap >= blanks
        {
            columns.push(Column { name: head.get(byte..last.0).unwrap_or_default(), start, end: last.1 });
            open = None;
        }
        open = open.or(Some((at, place)));
        last = (at + c.len_utf8(), place + 1);
        gap = 0;
    }
    if let Some((byte, start)) = open {
        columns.push(Column { name: head.get(byte..last.0).unwrap_or_default(), start, end: last.1 });
    }
    columns
}

/// The cells of a row under the names; nothing unless each stands in its place.
fn cells(row: &str, columns: &[Column<'_>], side: Side) -> Option<Vec<Span>> {
    let row = row.trim_end();
    work::count(row.len());
    let places: Vec<(usize, char)> = row.char_indices().collect();
    let byte = |place: usize| places.get(place).map_or(row.len(), |(at, _)| *at);
    let blank = |place: usize| places.get(place).is_none_or(|(_, c)| *c == ' ');
    let mut from = number_of_row(row, columns.first()?.end);
    let mut found = Vec::with_capacity(columns.len());
    for (index, column) in columns.iter().enumerate() {
        let (start, end) = match side {
            Side::Right => (from, column.end),
            Side::Left => (column.start, columns.get(index + 1).map_or(places.len(), |next| next.start)),
        };
        let fits = match side {
            Side::Right => !blank(end.checked_sub(1)?) && blank(end),
            Side::Left => !blank(start) && start.checked_sub(1).is_none_or(blank),
        };
        if !fits || start > end {
            return None;
        }
        from = end;
        found.push(trimmed(row, byte(start), byte(end)));
    }
    (side == Side::Left || places.len() == columns.last()?.end).then_some(found)
}

/// Characters of the number at the start of a row, when the first column ends further on.
fn number_of_row(row: &str, first: usize) -> usize {
    let digits = row.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && digits < first && row.as_bytes().get(digits) == Some(&b' ') { digits } else { 0 }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::Span;

    use super::super::{Found, read};

    #[test]
    fn cells_stand_under_their_names() {
        for (text, cells) in [
            (
                "       employee        born   kpi\n0     Rita Roca  1984-03-12  1.50\n1  Bob van Loon  1990-11-02  2.25\n\nx",
                "Rita Roca|1984-03-12|Bob van Loon|1990-11-02",
            ),
            (
                "          full_name   zip\n1       \"Rita Roca\" 69003\n2 \"Bob van der Ray\"  1010\n",
                "Rita Roca|69003|Bob van der Ray|1010",
            ),
            (
                "ID   CONTACT NAME   PHONE\n7    Rita Roca      312 45 67\n8    Bob Ray        312 45 68\n\n",
                "Rita Roca|312 45 67|Bob Ray|312 45 68",
            ),
            ("ID   CONTACT NAME   PHONE\nas Rita said, they were out of\n", ""),
            ("NAME        READY   PHONE\nrita-roca   1/1     3d\n", ""),
            ("full name  and more\n", ""),
            ("  full_name   dob", ""),
        ] {
            let (mut hits, mut machine) = (Vec::new(), Vec::new());
            let line = Span::sized(0, text.find('\n').unwrap_or(text.len()));
            read(text, line, &mut Found { hits: &mut hits, machine: &mut machine });
            let found: Vec<&str> = hits.iter().map(|hit| &text[hit.span.range()]).collect();
            assert_eq!(found.join("|"), cells, "{text}");
        }
    }
}
