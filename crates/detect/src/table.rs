//! Tables in text: a header names what each column holds.
//!
//! In: a line that may be a header. Out: hits in the rows below, and where the table ends. Forms: CSV with commas or
//! semicolons, TSV, Markdown and `psql` tables, `COPY ... FROM stdin`, `INSERT ... VALUES`. Invariant: a table is
//! read once, and ends at the first line that does not fit. Not here: JSON, whose keys the caller knows.

use cloakgate_vocab::Span;

use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{self, Meaning};
use crate::people;
use crate::recognise::Hit;
use crate::work;

mod aligned;
pub(crate) mod columns;
pub(crate) mod headless;
pub(crate) mod html;
pub(crate) mod sql;

/// Most columns of a table.
const MAX_COLUMNS: usize = 128;
/// Longest column name in bytes.
const MAX_NAME_BYTES: usize = 64;
/// Longest name of a column, in bytes, that is cut with a dot: `Postnr.`, `Data ur.`.
const MAX_SHORT_NAME_BYTES: usize = 20;
/// Longest header in bytes.
const MAX_HEADER_BYTES: usize = 4096;

/// Where what is found goes.
pub(crate) struct Found<'a> {
    /// Hits in cells.
    pub(crate) hits: &'a mut Vec<Hit>,
    /// Beginnings of cells that machines fill: nothing is found there by shape alone.
    pub(crate) machine: &'a mut Vec<Span>,
}

/// First byte of the lines that tables are drawn with: `│`, `─`, `┼`.
const BOX_BYTE: u8 = 0xe2;

/// True for a bar, drawn in either way.
const fn is_bar(delimiter: char) -> bool {
    matches!(delimiter, '|' | '│')
}

/// What the columns hold.
struct Header {
    meanings: Vec<Option<Meaning>>,
    hints: Hints,
}

impl Header {
    /// Reads column names; `None` unless one of them has a meaning and all look like names of columns.
    fn of(names: &[&str]) -> Option<Self> {
        if !(1..=MAX_COLUMNS).contains(&names.len()) || !names.iter().all(|name| is_column_name(name)) {
            return None;
        }
        let meanings: Vec<_> = names.iter().map(|name| keys::meaning_for_value(name)).collect();
        let telling =
            meanings.iter().flatten().any(|meaning| !meaning.is_machine() && *meaning != Meaning::BareId);
        telling.then(|| Self { hints: Hints::of_keys(names.iter().copied()), meanings })
    }

    /// Judges the cells of one row.
    fn row(&self, text: &str, cells: &[Span], found: &mut Found<'_>) {
        for (cell, meaning) in cells.iter().zip(&self.meanings) {
            let (Some(meaning), Some(value)) = (meaning, cell.of(text)) else { continue };
            // `"Dubois, Marie"` is a person's name under any `name`.
            let reversed = *meaning == Meaning::Name && people::reversed_prefix(value) == Some(value.len());
            let meaning = if reversed { Meaning::FullName } else { *meaning };
            if meaning.is_machine() {
                found.machine.push(Span::sized(cell.start(), 0));
            }
            if let Some(verdict) = fields::judge(meaning, value, Extent::Whole, self.hints) {
                found.hits.push(Hit::by_context(
                    verdict.span.shifted(cell.start()),
                    verdict.category,
                    verdict.rule,
                ));
            }
        }
    }
}

/// True for what may name a column.
pub(crate) fn is_column_name(name: &str) -> bool {
    if !(1..=MAX_NAME_BYTES).contains(&name.len()) || is_sentence(name) {
        return false;
    }
    let first = name.chars().next().unwrap_or_default();
    let (mut words, mut brackets, mut before, mut quoted) = (0, 0, b' ', false);
    for byte in name.bytes() {
        if is_code_mark(byte) || (byte, before) == (b'/', b'/') {
            return false;
        }
        quoted |= matches!(byte, b'"' | b'\'');
        words += u32::from(byte != b' ' && before == b' ');
        if words > 4 {
            return false;
        }
        brackets += i32::from(byte == b'(') - i32::from(byte == b')');
        before = byte;
    }
    may_begin_name(first)
        && brackets == 0
        && (before != b'.' || words <= 3)
        && !(quoted && has_code_quote(name))
        && !name.split_once(' ').is_some_and(|(head, _)| CODE_WORDS.contains(&head))
}

/// Whether the name of a column may begin so.
fn may_begin_name(first: char) -> bool {
    first.is_alphabetic() || matches!(first, '#' | '_' | '№')
}

/// `Postnr.` may name a column, the end of a sentence does not.
fn is_sentence(name: &str) -> bool {
    name.ends_with('.') && name.len() > MAX_SHORT_NAME_BYTES
}

/// Quotes of code; a quote between two letters is none (`Driver's license`, `דוא"ל`).
fn has_code_quote(name: &str) -> bool {
    name.match_indices(['\'', '"']).any(|(at, mark)| {
        let before = name.get(..at).and_then(|head| head.trim_end_matches('"').chars().next_back());
        let after = name.get(at + 1..).and_then(|rest| rest.trim_start_matches('"').chars().next());
        let inner = mark == "'" || (mark == "\"" && before.is_some_and(|c| !c.is_ascii()));
        !(inner && before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic))
    })
}

/// Marks but quotes that names of columns have not and code has.
const fn is_code_mark(byte: u8) -> bool {
    #[rustfmt::skip]
    let mark = matches!(byte, b'{' | b'}' | b'=' | b'?' | b'!' | b'<' | b'>' | b'@' | b'*' | b':' | b';' | b'[' | b']'
        | b'\\' | b'`' | b'$' | b'^' | b'|' | b'~' | b'+');
    mark
}

/// Words that begin a declaration or a statement.
const CODE_WORDS: &[&str] = &[
    "import",
    "from",
    "return",
    "def",
    "let",
    "const",
    "var",
    "pub",
    "use",
    "struct",
    "class",
    "yield",
    "global",
    "nonlocal",
    "static",
    "int",
    "char",
    "unsigned",
    "void",
    "size_t",
    "bool",
    "float",
    "double",
    "long",
    "short",
    "extern",
    "inline",
    "virtual",
    "typedef",
    "enum",
    "union",
    "fn",
    "function",
    "export",
    "public",
    "private",
    "protected",
    "case",
    "goto",
    "del",
    "if",
    "for",
    "while",
    "raise",
    "throw",
    "assert",
    "typename",
    "template",
];

/// Reads the table whose header is the line; returns where it ends, or nothing when there is no table.
pub(crate) fn read(text: &str, line: Span, found: &mut Found<'_>) -> Option<usize> {
    if line.len() > MAX_HEADER_BYTES {
        return None;
    }
    let bytes = line.of(text)?.as_bytes();
    // Most lines of prose end here: their first part is longer than the name of a column.
    let near = signs(bytes.get(..MAX_NAME_BYTES + 5).unwrap_or(bytes));
    let far = bytes.get(MAX_NAME_BYTES + 5..(2 * MAX_NAME_BYTES + 1).min(bytes.len())).unwrap_or_default();
    if near == 0 && signs(far) == 0 {
        return aligned::read(text, line, found);
    }
    if let Some(end) = sql::read(text, line, found) {
        return Some(end);
    }
    let delimiters = DELIMITERS.iter().enumerate().filter(|(place, _)| near >> place & 1 == 1);
    delimiters
        .map(|(_, delimiter)| *delimiter)
        .find_map(|delimiter| read_delimited(text, line, delimiter, found))
        .or_else(|| aligned::read(text, line, found))
}

/// What may part the cells of a row, in the order in which they are tried.
const DELIMITERS: [char; 7] = ['\t', '|', '│', ';', ',', '^', '~'];

/// For each byte the delimiters that begin with it, one bit each; the highest one for the bracket of a statement.
static SIGNS: [u8; 256] = {
    let mut table = [0; 256];
    let mut place = 0;
    while place < DELIMITERS.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated by the compiler only, and bounded by the loop"
        )]
        {
            // the first byte stands for a delimiter of several
            let byte = if DELIMITERS[place].is_ascii() { DELIMITERS[place] as u8 } else { BOX_BYTE };
            table[byte as usize] = 1 << place;
            table[b'(' as usize] = 1 << 7;
        }
        place += 1;
    }
    table
};

/// Which delimiters and brackets stand in a text.
fn signs(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |signs, byte| signs | SIGNS.get(usize::from(*byte)).copied().unwrap_or(0))
}

fn read_delimited(text: &str, line: Span, delimiter: char, found: &mut Found<'_>) -> Option<usize> {
    // Most lines end here, without being cut into cells.
    let head = line.of(text)?.trim_start_matches(['|', '│', ' ']);
    if is_sentence(head.trim_end().rsplit(delimiter).next()?.trim_start()) {
        return None;
    }
    let first = head
        .get(..head.find([delimiter, '┆']).unwrap_or(head.len()))?
        .trim()
        .trim_matches(['"', '\'', '`', '*']);
    if !is_column_name(first) {
        return None;
    }
    let cells = cells(text, line, delimiter);
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell.of(text)).collect();
    // A bar alone makes no table: its header is ruled off. One column has no other mark.
    let bar = is_bar(delimiter);
    if bar
        && !ruled(text, line.end() + 1)
        && !is_tight(text, line, names.len())
        && !typed(text, line.end() + 1)
    {
        return None;
    }
    if !bar && names.len() < 2 {
        return None;
    }
    let header = Header::of(&names)?;
    let columns = header.meanings.len();
    rows(text, line.end() + 1, (delimiter, columns), &mut |cells| header.row(text, cells, found))
}

/// Reads rows of so many cells from `start` on; returns the end of the last one, or nothing when there is none.
fn rows(
    text: &str,
    start: usize,
    (delimiter, columns): (char, usize),
    read: &mut dyn FnMut(&[Span]),
) -> Option<usize> {
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
        let code = delimiter != ';' && row.trim_end().ends_with([';', '{', '(']);
        if row.trim().is_empty() || cells.len() != columns || code {
            break;
        }
        end = Some(line.end());
        if delimiter == '│' && are_types(text, &cells) {
            continue;
        }
        read(&cells);
    }
    end
}

/// Types that a program prints under the names of columns.
const TYPES: &[&str] = &[
    "varchar", "str", "int32", "int64", "i32", "i64", "u32", "f64", "double", "boolean", "bool", "date",
    "utf8",
];

/// `│ varchar │ int32 │`: a row of types.
fn are_types(text: &str, cells: &[Span]) -> bool {
    let small = |cell: &str| !cell.contains(|c: char| c.is_whitespace() || c.is_uppercase() || !c.is_ascii());
    let mut words = cells.iter().filter_map(|cell| cell.of(text));
    words.clone().all(small) && words.any(|word| TYPES.contains(&word))
}

/// Whether a row of types begins at `at`, ruled off from the rows below.
fn typed(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.find('\n').unwrap_or(rest.len());
    let line = Span::sized(at, len);
    rest.starts_with('│')
        && len <= MAX_HEADER_BYTES
        && ruled(text, line.end() + 1)
        && are_types(text, &cells(text, line, '│'))
}

/// Length of a row: to the end of the line, or further when a quoted cell holds line feeds.
fn row_len(rest: &str, delimiter: char) -> usize {
    let bytes = rest.as_bytes();
    let first = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let quotes =
        |len: usize| bytes.get(..len).unwrap_or_default().iter().filter(|byte| **byte == b'"').count();
    if is_bar(delimiter) || quotes(first).is_multiple_of(2) {
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

/// `id|name|email` over a row of as many cells: a list of `sqlite3`, which rules nothing off.
fn is_tight(text: &str, line: Span, columns: usize) -> bool {
    let header = line.of(text).unwrap_or_default();
    let next = text.get(line.end() + 1..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
    columns >= 3
        && !header.contains(" |")
        && !header.contains("| ")
        && !header.starts_with('|')
        && next.len() <= MAX_HEADER_BYTES
        && next.matches('|').count() + 1 == columns
}

/// True when the line that begins at `at` rules off a header.
fn ruled(text: &str, at: usize) -> bool {
    text.get(at..)
        .and_then(|rest| rest.get(..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())))
        .is_some_and(is_ruler)
}

/// `|---|:-:|`, `----+----`, `╞════╪════╡`
fn is_ruler(row: &str) -> bool {
    ["--", "──", "══"].iter().any(|rule| row.contains(rule))
        && row
            .chars()
            .all(|c| matches!(c, '-' | '+' | '|' | ':' | ' ' | '=' | '\r' | '\u{2500}'..='\u{257f}'))
}

/// Spans of the cells of a line, without blanks and quotes around them.
fn cells(text: &str, line: Span, delimiter: char) -> Vec<Span> {
    let row = line.of(text).unwrap_or_default().trim_end_matches('\r');
    let lead =
        if is_bar(delimiter) { row.len() - row.trim_start().trim_start_matches(delimiter).len() } else { 0 };
    let body = row.get(lead..).unwrap_or_default();
    let body = if is_bar(delimiter) && lead > 0 && row.contains(delimiter) {
        body.trim_end().strip_suffix(delimiter).unwrap_or(body)
    } else {
        body
    };
    work::count(line.len());
    let mut cells = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, c) in body.char_indices().chain([(body.len(), delimiter)]) {
        if c == '"' && !is_bar(delimiter) {
            quoted = !quoted;
        } else if (c == delimiter || (c == '┆' && delimiter == '│')) && (!quoted || at == body.len()) {
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
    let emphasis = ["**", "__", "*"].iter().find_map(|mark| {
        let inside = inner.strip_prefix(*mark)?.strip_suffix(*mark)?;
        (!inside.is_empty()).then(|| Span::sized(start + lead + mark.len(), inside.len()))
    });
    if let Some(inside) = emphasis {
        return inside;
    }
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
            ("| full_name |\n|---|\n| Marie  Dubois |\n", &["Marie  Dubois"]),
            ("name,note\n\"Dubois, Marie\",x\nleft-pad,y\n", &["Dubois, Marie"]),
            ("int family, int type;\nint mark, int priority;\n", &[]),
            ("__u32 family;\n__u32 remote_ip4;\n", &[]),
            ("'HAVE_FN': 1,\n'HAVE_DUP': 1,\n", &[]),
            ("    const char *pass, int passlen,\n    unsigned char *salt, int saltlen,\n", &[]),
            ("pub p_paddr: Elf64_Addr,\npub p_flags: Elf64_Word,\n", &[]),
            ("V6_addr, // llvm.V6.addr\nV6_add, // llvm.V6.add\n", &[]),
            ("KeyType extends CryptoKey | Uint8Array\nx | y\n", &[]),
            ("user, passwd\nself.x = a, b;\n", &[]),
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
