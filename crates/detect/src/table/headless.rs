//! Tables in text without a header: rows in which an address of mail is a cell, and columns that speak for themselves.
//!
//! In: the lines of such rows, and what was found in the text. Out: hits in cells of columns whose other cells, or whose
//! addresses of mail, say what they hold. Forms: what `sqlite3` prints (`7|Rita Roca|r.roca@example.org|...`), TSV and
//! CSV without names of columns. Check rule: all rows have as many cells and their address in the same one; a column is
//! one of names when addresses are made of its words, of birth dates when all are dates of grown people, of another kind
//! when a part of it was found to be. Invariant: a row is read once for each kind of column. Not here: tables with
//! headers (`table`), which are read before.

use std::ops::Range;

use cloakgate_vocab::{Category, Span};

use super::cells;
use crate::birth;
use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::Meaning;
use crate::letters;
use crate::people;
use crate::recognise::Hit;
use crate::vocabulary;

/// Most rows that are read together; a longer table is read in parts.
const MAX_ROWS: usize = 256;
/// Longest row in bytes.
const MAX_ROW_BYTES: usize = 2048;
/// Most cells of a row.
const MAX_CELLS: usize = 32;
/// Fewest cells of a row.
const MIN_CELLS: usize = 3;
/// Last year of birth that a date without a name for its column is taken to say.
const LAST_YEAR: u32 = 2010;

/// A line in which an address of mail is a cell.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct LooseRow {
    line: usize, // where it begins
    mail: Span,
    delimiter: char,
}

/// The row that an address of mail is a cell of; `line` is where its line begins.
pub(crate) fn row_of(text: &str, line: usize, mail: Span) -> Option<LooseRow> {
    let before = text.get(line..mail.start())?.trim_end_matches(['"', '\'']).chars().next_back();
    let after = text.get(mail.end()..)?.trim_start_matches(['"', '\'']).chars().next();
    let mark = |c: Option<char>| c.filter(|c| matches!(c, '|' | '\t' | ';' | ','));
    let ends = |c: Option<char>| matches!(c, None | Some('\n' | '\r'));
    let delimiter = match (mark(before), mark(after)) {
        (Some(before), Some(after)) => (before == after).then_some(before),
        (Some(before), None) => ends(after).then_some(before),
        (None, Some(after)) => ends(before).then_some(after),
        (None, None) => None,
    }?;
    Some(LooseRow { line, mail, delimiter })
}

/// Reads the tables that the rows make up; `hits` is what else was found in the text.
pub(crate) fn read(text: &str, rows: &[LooseRow], hits: &[Hit]) -> Vec<Hit> {
    let mut found = Vec::new();
    let mut parsed: Vec<Row> = Vec::new();
    let mut kinds: Vec<(Span, Category)> = hits.iter().map(|hit| (hit.span, hit.category)).collect();
    kinds.sort_unstable();
    for row in rows {
        let Some(next) = Row::read(text, *row) else { continue };
        let fits = parsed.last().is_none_or(|last| last.goes_on_with(&next));
        if !fits || parsed.len() == MAX_ROWS {
            table(text, &parsed, &kinds, &mut found);
            parsed.clear();
        }
        parsed.push(next);
    }
    table(text, &parsed, &kinds, &mut found);
    found
}

/// A row cut into its cells.
struct Row {
    line: Range<usize>,
    delimiter: char,
    cells: Vec<Span>,
    mail: usize, // the cell with the address
}

impl Row {
    fn read(text: &str, row: LooseRow) -> Option<Self> {
        let rest = text.get(row.line..)?;
        let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        if len > MAX_ROW_BYTES {
            return None;
        }
        let line = Span::sized(row.line, len);
        let cells = cells(text, line, row.delimiter);
        let mail =
            cells.iter().position(|cell| cell.start() <= row.mail.start() && row.mail.end() <= cell.end())?;
        (MIN_CELLS..=MAX_CELLS).contains(&cells.len()).then(|| Self {
            line: line.range(),
            delimiter: row.delimiter,
            cells,
            mail,
        })
    }

    /// Whether the other row is the next one of the same table.
    fn goes_on_with(&self, next: &Self) -> bool {
        self.line.end + 1 == next.line.start
            && (self.delimiter, self.mail, self.cells.len()) == (next.delimiter, next.mail, next.cells.len())
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Column {
    /// Names, or parts of names.
    Names,
    /// What this meaning says.
    Of(Meaning),
}

/// Judges the columns of one table.
fn table(text: &str, rows: &[Row], kinds: &[(Span, Category)], found: &mut Vec<Hit>) {
    let Some(first) = rows.first() else { return };
    let columns: Vec<Option<Column>> =
        (0..first.cells.len()).map(|column| Cells { text, rows, column }.kind(kinds)).collect();
    let streets: Vec<bool> = (0..columns.len())
        .map(|column| {
            columns.get(column) == Some(&Some(Column::Of(Meaning::Street)))
                || (rows.len() > 1 && Cells { text, rows, column }.are_streets())
        })
        .collect();
    let beside_street = |column: usize| {
        let is = |other: Option<usize>| other.and_then(|other| streets.get(other)) == Some(&true);
        is(column.checked_sub(1)) || is(Some(column + 1))
    };
    for (column, kind) in columns.iter().enumerate() {
        let cells = Cells { text, rows, column };
        let kind = kind.or_else(|| {
            let codes = |other: Option<usize>| {
                other.is_some_and(|column| {
                    let cells = Cells { text, rows, column };
                    columns.get(column) == Some(&None) && cells.all_fit(Meaning::PostCode)
                })
            };
            let beside_codes = codes(Some(column + 1)) || codes(column.checked_sub(1));
            if rows.len() > 1 && beside_codes && cells.are_streets() {
                return Some(Column::Of(Meaning::Street));
            }
            if rows.len() > 1 && cells.are_dialled() {
                return Some(Column::Of(Meaning::Phone));
            }
            if beside_street(column) && cells.all_fit(Meaning::PostCode) {
                return Some(Column::Of(Meaning::PostCode));
            }
            let beside = |other: Option<usize>| {
                other.is_some_and(|column| {
                    columns.get(column) == Some(&Some(Column::Names))
                        && Cells { text, rows, column }.mostly_single()
                })
            };
            let part = beside(column.checked_sub(1)) || beside(Some(column + 1));
            (part && cells.all_single_names()).then_some(Column::Names)
        });
        match kind {
            Some(Column::Names) => cells.names(found),
            Some(Column::Of(meaning)) => cells.values(meaning, found),
            None => {}
        }
    }
}

/// One column of a table.
#[derive(Clone, Copy)]
struct Cells<'a> {
    text: &'a str,
    rows: &'a [Row],
    column: usize,
}

impl<'a> Cells<'a> {
    /// The cells that hold something, each with the address of its row.
    fn filled(self) -> impl Iterator<Item = (Span, &'a str, &'a str)> {
        self.rows.iter().filter_map(move |row| {
            let cell = *row.cells.get(self.column)?;
            let value = cell.of(self.text).filter(|value| !value.trim().is_empty())?;
            let mail = row.cells.get(row.mail)?.of(self.text)?;
            Some((cell, value, mail))
        })
    }

    fn kind(self, kinds: &[(Span, Category)]) -> Option<Column> {
        if self.rows.first().is_some_and(|row| row.mail == self.column) {
            return None;
        }
        let filled = self.filled().count();
        if filled == 0 {
            return None;
        }
        if self.is_of_names(filled) {
            return Some(Column::Names);
        }
        if filled >= 2 && self.is_of_births() {
            return Some(Column::Of(Meaning::Birth));
        }
        let mut told = [0_usize; KINDS.len()];
        for (cell, ..) in self.filled() {
            let Some(category) = category_of(cell, kinds) else { continue };
            for (count, (kind, _)) in told.iter_mut().zip(KINDS) {
                *count += usize::from(*kind == category);
            }
        }
        let (count, (_, meaning)) = told.iter().zip(KINDS).max_by_key(|(count, _)| **count)?;
        (*count > 0 && *count * 3 >= filled && self.all_fit(*meaning)).then_some(Column::Of(*meaning))
    }

    /// Words of the cells are those that addresses of mail are made of.
    fn is_of_names(self, filled: usize) -> bool {
        let tied = self.filled().filter(|(_, value, mail)| is_tied(value, mail)).count();
        tied > 0 && tied * 3 >= filled && self.filled().all(|(_, value, _)| is_name(value))
    }

    /// All are dates alone, none of them late, and not all the same.
    fn is_of_births(self) -> bool {
        let mut years = self.filled().map(|(_, value, _)| {
            let date = birth::date_parts(value)?;
            (date.len == value.len() && (1900..=LAST_YEAR).contains(&date.year)).then_some(value)
        });
        let Some(first) = years.next().flatten() else { return false };
        let mut others = false;
        years.all(|date| date.inspect(|date| others |= *date != first).is_some()) && others
    }

    /// All have words and the number of a house.
    fn are_streets(self) -> bool {
        self.filled().all(|(_, value, _)| value.bytes().any(|byte| byte.is_ascii_digit()))
            && self.all_fit(Meaning::Street)
    }

    /// All are numbers of nine to eleven digits, different ones, some with the zero that dialling begins with.
    fn are_dialled(self) -> bool {
        let (mut zeros, mut others, mut first) = (0, false, None);
        for (_, value, _) in self.filled() {
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            let written = value.bytes().all(|byte| byte.is_ascii_digit() || b" -./()".contains(&byte));
            if !written || !(9..=11).contains(&digits) {
                return false;
            }
            zeros += usize::from(value.starts_with('0') && !value.starts_with("00"));
            others |= *first.get_or_insert(value) != value;
        }
        zeros > 0 && others
    }

    /// First and last names stand in columns of their own.
    fn mostly_single(self) -> bool {
        let (filled, single) = self.filled().fold((0, 0), |(filled, single), (_, value, _)| {
            (filled + 1, single + usize::from(!value.contains(' ')))
        });
        single * 3 >= filled * 2
    }

    fn all_single_names(self) -> bool {
        self.filled().all(|(_, value, _)| is_name(value) && !value.contains(' '))
            && self.filled().next().is_some()
    }

    fn all_fit(self, meaning: Meaning) -> bool {
        self.filled().all(|(_, value, _)| judge(meaning, value).is_some()) && self.filled().next().is_some()
    }

    fn names(self, found: &mut Vec<Hit>) {
        found
            .extend(self.filled().map(|(cell, ..)| Hit::by_context(cell, Category::Person, "column.person")));
    }

    fn values(self, meaning: Meaning, found: &mut Vec<Hit>) {
        found.extend(self.filled().filter_map(|(cell, value, _)| {
            let verdict = judge(meaning, value)?;
            Some(Hit::by_context(verdict.span.shifted(cell.start()), verdict.category, verdict.rule))
        }));
    }
}

/// Categories that a column is taken to be of when a third of its cells was found to be, with the key that says so.
const KINDS: &[(Category, Meaning)] = &[
    (Category::Phone, Meaning::Phone),
    (Category::Address, Meaning::Street),
    (Category::NationalId, Meaning::NationalId),
    (Category::TaxId, Meaning::TaxId),
    (Category::Ssn, Meaning::Ssn),
    (Category::Iban, Meaning::Iban),
];

fn judge(meaning: Meaning, value: &str) -> Option<fields::Verdict> {
    // A number that may be one of many things is a telephone's only where it is written as one.
    if meaning == Meaning::Phone && value.bytes().filter(u8::is_ascii_digit).count() < 7 {
        return None;
    }
    fields::judge(meaning, value, Extent::Whole, Hints::default())
}

/// The category that the whole cell was found to be of; the found values are in order.
fn category_of(cell: Span, kinds: &[(Span, Category)]) -> Option<Category> {
    let from = kinds.partition_point(|(span, _)| span.start() < cell.start());
    kinds
        .get(from..)?
        .iter()
        .take_while(|(span, _)| span.start() < cell.end())
        .find(|(span, _)| span.start() == cell.start() && span.end() == cell.end())
        .map(|(_, category)| *category)
}

fn is_name(value: &str) -> bool {
    people::is_safe_name(value)
        && people::is_written_as_name(value)
        && !people::is_organisation(value)
        && !value.split(' ').any(|word| vocabulary::is_common(word) || people::is_no_name(word))
}

/// Whether the part of the address before `@` holds a word of the value.
fn is_tied(value: &str, mail: &str) -> bool {
    let local = mail.split('@').next().unwrap_or_default().to_ascii_lowercase();
    value.split([' ', '-']).any(|word| {
        let plain = letters::plain(word);
        plain.len() >= 3 && local.contains(&plain)
    })
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::{Category, Span};

    use super::{LooseRow, read, row_of};
    use crate::recognise::Hit;

    /// The rows of a text, and the addresses in it.
    fn rows(text: &str) -> Vec<LooseRow> {
        let mut rows = Vec::new();
        for (at, _) in text.match_indices('@') {
            let edge = |c: char| matches!(c, '|' | '\t' | ';' | ',' | '\n' | '"' | ' ');
            let start = text[..at].rfind(edge).map_or(0, |at| at + 1);
            let end = text[at..].find(edge).map_or(text.len(), |len| at + len);
            let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
            rows.extend(row_of(text, line, Span::sized(start, end - start)));
        }
        rows
    }

    fn found<'a>(text: &'a str, known: &[(&str, Category)]) -> Vec<&'a str> {
        let hits: Vec<Hit> = known
            .iter()
            .map(|(value, category)| {
                Hit::by_context(Span::sized(text.find(value).unwrap(), value.len()), *category, "test")
            })
            .collect();
        let mut found = read(text, &rows(text), &hits);
        found.sort_by_key(|hit| hit.span);
        found.iter().map(|hit| &text[hit.span.range()]).collect()
    }

    #[test]
    fn columns_without_names_speak_for_themselves() {
        for (text, known, cells) in [
            (
                "1|Rita Roca|r.roca@example.org|Active\n2|Bob Ray|bray@example.org|Active\n",
                &[][..],
                &["Rita Roca", "Bob Ray"][..],
            ),
            (
                "Roca\tRita\t1984-03-12\tr.roca@example.org\nRay\tBob\t1990-01-02\tbray@example.org",
                &[],
                &["Roca", "Rita", "1984-03-12", "Ray", "Bob", "1990-01-02"],
            ),
            (
                "a@example.org,020 7946 0958,x\nb@example.org,020 7946 0411,y\n",
                &[("020 7946 0958", Category::Phone)],
                &["020 7946 0958", "020 7946 0411"],
            ),
            (
                "a@example.org|12 Elm Rise|69003\nb@example.org|3 Oak Way|69004\n",
                &[("12 Elm Rise", Category::Address)],
                &["12 Elm Rise", "69003", "3 Oak Way", "69004"],
            ),
            (
                "a@example.org|4, chemin Roca|04353\nb@example.org|9, chemin Sosa|70515\n",
                &[],
                &["4, chemin Roca", "04353", "9, chemin Sosa", "70515"],
            ),
            ("035740315|a@example.org|1\n3770975441|b@example.org|2\n", &[], &["035740315", "3770975441"]),
            ("135740315|a@example.org|1\n3770975441|b@example.org|2\n", &[], &[]),
            ("x|2024-03-12|a@example.org\ny|2025-01-02|b@example.org\n", &[], &[]),
            ("x|1984-03-12|a@example.org\ny|1984-03-12|b@example.org\n", &[], &[]),
            ("Pro|Rome|a@example.org\nFree|Paris|b@example.org\n", &[], &[]),
            ("a@example.org, b@example.org, c@example.org\n", &[], &[]),
        ] {
            assert_eq!(found(text, known), cells, "{text}");
        }
    }

    #[test]
    fn rows_of_other_forms_are_other_tables() {
        let text = "1|Rita Roca|r.roca@example.org\nRay|bray@example.org|2\n";
        assert_eq!(found(text, &[]), ["Rita Roca", "Ray"]);
    }
}
