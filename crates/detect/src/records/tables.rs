//! Tables in JSON: a list of column names and lists of cells.
//!
//! In: the members of an object, or the elements of an array. Out: a key for each cell. Forms: a member with names
//! (`columns`, `fields`, `schema` ...; strings, or objects with a `name`) beside members with rows of as many cells; an
//! array of rows whose first one holds names. Rows are arrays, or objects with one array; cells are values, or
//! objects around one. Invariant: a row is named once, at most `MAX_COLUMNS` cells of it.

use std::borrow::Cow;

use cloakgate_json::{Document, Kind, NodeId};

use super::{Member, Place, Records};
use crate::hints::Hints;
use crate::keys::{self, Meaning};

/// Members that hold names of columns.
const HEADERS: &[&str] = &[
    "columns",
    "fields",
    "headers",
    "header",
    "schema",
    "column_names",
    "columnnames",
    "cols",
    "keys",
    "names",
    "fieldnames",
    "field_names",
    "attributes",
    "titles",
    "heading",
    "headings",
    "metadata",
    "meta",
    "colnames",
    "head",
    "thead",
    "columnmetadata",
];
/// Members of an object that stands for a column which hold its name.
const NAMES: &[&str] = &[
    "name",
    "field",
    "key",
    "title",
    "label",
    "header",
    "id",
    "displayname",
    "column",
    "columnname",
    "headername",
];
/// Most columns of a table.
const MAX_COLUMNS: usize = 256;

/// The names of the columns of a table.
struct Columns<'a> {
    names: Vec<Cow<'a, str>>,
    siblings: Hints,
}

impl<'a> Columns<'a> {
    /// At least one of the names must say what its column holds.
    fn of(names: Vec<Cow<'a, str>>) -> Option<Self> {
        let meanings: Vec<Option<Meaning>> = names.iter().map(|name| keys::meaning_of(name)).collect();
        meanings.iter().flatten().any(|meaning| !meaning.is_machine()).then(|| Self {
            siblings: names
                .iter()
                .zip(meanings)
                .fold(Hints::default(), |hints, (name, meaning)| hints.and_meaning(name, meaning)),
            names,
        })
    }
}

impl<'a> Records<'a> {
    /// Names the cells of a table whose names stand in one member and whose rows in others.
    pub(super) fn table(&mut self, document: &Document, bytes: &'a [u8], members: &[Member<'a>]) {
        let header = members.iter().filter(|member| is_one_of(&member.key, HEADERS)).find_map(|member| {
            let names = header(document, bytes, member.node)?;
            Some((member.node, Columns::of(names)?))
        });
        let Some((header, columns)) = header else { return };
        let keys: Vec<u32> = columns.names.iter().map(|name| self.add_key(name.clone())).collect();
        for member in members.iter().filter(|member| member.node != header) {
            if document.kind(member.node) == Kind::Array {
                for row in document.children(member.node) {
                    self.row(document, row, &keys, columns.siblings);
                }
            }
        }
    }

    /// Names the cells of an array of rows whose first row holds names.
    pub(super) fn rows_under_first(&mut self, document: &Document, bytes: &'a [u8], node: NodeId) {
        let mut rows = document.children(node);
        let (Some(first), Some(second)) = (rows.next(), rows.next()) else { return };
        if document.kind(first) != Kind::Array
            || document.kind(second) != Kind::Array
            || self.is_named(document, second)
        {
            return;
        }
        let Some(names) = strings(document, bytes, first) else { return };
        let columns = names.iter().all(|name| crate::table::is_column_name(name));
        let Some(columns) = Columns::of(names).filter(|_| columns) else { return };
        let keys: Vec<u32> = columns.names.iter().map(|name| self.add_key(name.clone())).collect();
        for row in document.children(node).skip(1) {
            self.row(document, row, &keys, columns.siblings);
        }
    }

    /// Whether the cells of a row have names already.
    fn is_named(&self, document: &Document, row: NodeId) -> bool {
        document.children(row).next().is_some_and(|cell| self.place(cell).fixed)
    }

    /// Names the cells of one row; a row of spreadsheets may end early.
    fn row(&mut self, document: &Document, row: NodeId, keys: &[u32], siblings: Hints) {
        let cells = match document.kind(row) {
            Kind::Array => row,
            Kind::Object => {
                let mut arrays = document.children(row).filter(|child| document.kind(*child) == Kind::Array);
                match (arrays.next(), arrays.next()) {
                    (Some(cells), None) => cells,
                    _ => return,
                }
            }
            _ => return,
        };
        if document.children(cells).take(MAX_COLUMNS + 1).count() > keys.len() {
            return;
        }
        for (cell, key) in document.children(cells).zip(keys) {
            let place = Place { key: *key, siblings, record: 0, fixed: true };
            self.put(cell, place);
            // `{"v": "..."}`, `{"value": "...", "type": "..."}`
            if document.kind(cell) == Kind::Object {
                for inner in document.children(cell).take(4) {
                    self.put(inner, place);
                }
            }
        }
    }
}

fn is_one_of(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// The names of columns that a member holds, itself or one level further in (`schema: {fields: [...]}`).
fn header<'a>(document: &Document, bytes: &'a [u8], node: NodeId) -> Option<Vec<Cow<'a, str>>> {
    if document.kind(node) == Kind::Object {
        let inner = document.children(node).take(8).find(|child| {
            document.kind(*child) == Kind::Array
                && document.key(bytes, *child).is_some_and(|key| is_one_of(&key, HEADERS))
        })?;
        return header_list(document, bytes, inner);
    }
    header_list(document, bytes, node)
}

fn header_list<'a>(document: &Document, bytes: &'a [u8], node: NodeId) -> Option<Vec<Cow<'a, str>>> {
    if document.kind(node) != Kind::Array {
        return None;
    }
    strings(document, bytes, node).or_else(|| {
        let names: Option<Vec<_>> = document
            .children(node)
            .take(MAX_COLUMNS)
            .map(|column| {
                document
                    .children(column)
                    .take(12)
                    .filter(|member| document.key(bytes, *member).is_some_and(|key| is_one_of(&key, NAMES)))
                    .filter_map(|member| document.text(bytes, member))
                    .find(|name| keys::meaning_of(name).is_some())
                    .or_else(|| {
                        document
                            .children(column)
                            .take(12)
                            .find(|member| {
                                document.key(bytes, *member).is_some_and(|key| is_one_of(&key, NAMES))
                            })
                            .and_then(|member| document.text(bytes, member))
                    })
            })
            .collect();
        names.filter(|names| !names.is_empty())
    })
}

/// The elements of an array, if all are strings.
fn strings<'a>(document: &Document, bytes: &'a [u8], node: NodeId) -> Option<Vec<Cow<'a, str>>> {
    let names: Option<Vec<_>> =
        document.children(node).take(MAX_COLUMNS).map(|child| document.text(bytes, child)).collect();
    names.filter(|names| !names.is_empty())
}
