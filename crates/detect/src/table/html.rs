//! Tables of HTML whose first row names the columns: `<tr><th>Name</th>...</tr><tr><td>...</td>...</tr>`.
//!
//! In: a place inside a cell of the first row. Out: hits in the cells below, and where the table ends. Invariant: a table is
//! read once; a cell's text is what stands before its first inner tag, or inside its only one. Not here: rows that
//! begin with a label (`structure`).

use cloakgate_vocab::Span;

use super::{Found, Header};
use crate::work;

/// How far before a cell its row begins.
const MAX_ROW_BYTES: usize = 1024;
/// Longest cell in bytes.
const MAX_CELL_BYTES: usize = 512;

/// The beginning of the row that the place stands in, when it is one of head cells.
pub(crate) fn row_of(text: &str, at: usize) -> Option<usize> {
    let floor = text.ceil_char_boundary(at.saturating_sub(MAX_ROW_BYTES));
    let head = text.get(floor..at)?;
    work::count(head.len());
    let row = head.rfind("<tr").or_else(|| head.rfind("<TR"))?;
    let cells = head.get(row..)?;
    (!cells.contains("<td") && !cells.contains("</tr")).then_some(floor + row)
}

/// Reads the table whose first row begins at `row`.
pub(crate) fn read(text: &str, row: usize, found: &mut Found<'_>) -> Option<usize> {
    let (cells, mut at) = cells(text, row, "th")?;
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell.of(text)).map(str::trim).collect();
    if names.len() < 2 {
        return None;
    }
    let header = Header::of(&names)?;
    let mut end = None;
    while let Some(next) = next_row(text, at) {
        let Some((cells, after)) = self::cells(text, next, "td") else { break };
        if cells.len() == header.meanings.len() {
            header.row(text, &cells, found);
            end = Some(after);
        }
        at = after;
    }
    end
}

/// The next row, with nothing but tags of the table and blanks before it.
fn next_row(text: &str, at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..6 {
        let rest = text.get(at..)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..)?;
        if rest.starts_with("<tr") || rest.starts_with("<TR") {
            return Some(at);
        }
        let table = ["</tr", "</thead", "<tbody", "</TR", "</THEAD", "<TBODY"]
            .iter()
            .any(|tag| rest.starts_with(tag));
        at += rest.get(..80.min(rest.len())).filter(|_| table)?.find('>')? + 1;
    }
    None
}

/// Texts of the cells of a row, and where the row ends. `None` when the row holds another kind of cell.
fn cells(text: &str, row: usize, tag: &str) -> Option<(Vec<Span>, usize)> {
    let mut at = row + tag_end(text, row)?;
    let mut cells = Vec::new();
    loop {
        let rest = text.get(at..)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..)?;
        let name = rest.strip_prefix('<')?;
        if name.get(..2).is_some_and(|name| name.eq_ignore_ascii_case(tag)) {
            let start = at + tag_end(text, at)?;
            let inner = text.get(start..)?;
            let window = inner.get(..inner.floor_char_boundary(MAX_CELL_BYTES))?;
            let len = closing(window, tag)?;
            work::count(len);
            cells.push(inside(text, start, start + len));
            at = start + len + tag.len() + 3;
        } else if name.starts_with('/') || (name.starts_with("tr") && !cells.is_empty()) {
            return (!cells.is_empty()).then_some((cells, at));
        } else {
            return None;
        }
        if cells.len() > super::MAX_COLUMNS {
            return None;
        }
    }
}

fn closing(window: &str, tag: &str) -> Option<usize> {
    window
        .match_indices("</")
        .find(|(at, _)| {
            window.get(at + 2..at + 2 + tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag))
        })
        .map(|(at, _)| at)
}

/// Length of the tag that begins at `at`.
fn tag_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    rest.get(..rest.floor_char_boundary(MAX_CELL_BYTES))?.find('>').map(|end| end + 1)
}

/// The text of a cell without tags around it.
fn inside(text: &str, mut start: usize, mut end: usize) -> Span {
    for _ in 0..3 {
        let cell = text.get(start..end).unwrap_or_default();
        let lead = cell.len() - cell.trim_start().len();
        let cell = cell.trim();
        start += lead;
        end = start + cell.len();
        if !cell.starts_with('<') {
            let len = cell.find('<').unwrap_or(cell.len());
            return Span::sized(start, cell.get(..len).unwrap_or_default().trim_end().len());
        }
        let Some(open) = cell.find('>') else { break };
        start += open + 1;
    }
    Span::sized(start.min(end), 0)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{Found, read, row_of};

    fn found(text: &str) -> Vec<&str> {
        let (mut hits, mut machine) = (Vec::new(), Vec::new());
        let row = row_of(text, text.find("ame").unwrap()).unwrap_or(0);
        read(text, row, &mut Found { hits: &mut hits, machine: &mut machine });
        hits.iter().map(|hit| &text[hit.span.range()]).collect()
    }

    #[test]
    fn head_cells_name_the_cells_below() {
        for (text, cells) in [
            (
                "<table><thead>\n<tr><th scope=\"col\">#</th><th>Full name</th></tr>\n</thead><tbody>\n<tr><td>1</td><td><a href=\"/u/1\">Marie Dubois</a></td></tr><tr><td>2</td><td>Bob Ray<br>x</td></tr></table>",
                &["Marie Dubois", "Bob Ray"][..],
            ),
            ("<tr><th>Name</th><td>Marie Dubois</td></tr>", &[]),
            ("<tr><th>Name</th><th>Version</th></tr><tr><td>left-pad</td><td>1</td></tr>", &[]),
            ("<tr><th>Full name</th><th>x</th></tr>", &[]),
        ] {
            assert_eq!(found(text), cells, "{text}");
        }
    }
}
