//! The operator's terms at one place: what its path says about the whole of a text and about cells of tables in it.
//!
//! In: a field, terms. Out: findings added and taken away. Invariant: a text is read for tables once, and only where
//! terms name places. Not here: how terms are looked for (`terms`), paths (`path`).

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

use crate::engine::{Field, FieldKind};
use crate::keys;
use crate::path::PathState;
use crate::table::columns;
use crate::terms::Terms;
use crate::trace::Trace;

const FIELD: Detector = Detector("field");

/// The terms as they hold in one text.
pub(crate) struct OwnTerms<'a> {
    terms: &'a dyn Terms,
    field: &'a Field<'a>,
    /// Cells whose column is named, in order.
    cells: Vec<(Span, u32)>,
    columns: Vec<PathState>,
}

impl<'a> OwnTerms<'a> {
    pub(crate) fn at(terms: &'a dyn Terms, field: &'a Field<'a>) -> Self {
        let mut own = Self { terms, field, cells: Vec::new(), columns: Vec::new() };
        if let Some(within) = field.within.filter(|_| field.kind == FieldKind::Text) {
            let columns = &mut own.columns;
            own.cells = columns::cells(field.text, &mut |name| {
                let state = within.cell(name);
                if state.within().is_empty() {
                    return None;
                }
                columns.push(state);
                u32::try_from(columns.len() - 1).ok()
            });
        }
        own
    }

    /// Adds what is cloaked because of where it stands.
    pub(crate) fn find(&self, findings: &mut Vec<Finding>) {
        let field = self.field;
        let name = field.kind == FieldKind::Key && is_name_of_field(field.text);
        if let Some(category) = self.terms.whole(field.reached()).filter(|_| !name) {
            findings.extend(whole(field.text, Span::sized(0, field.text.len()), category));
        }
        for (cell, column) in &self.cells {
            let reached = self.column(*column);
            if let Some(category) = self.terms.whole(reached) {
                findings.extend(whole(field.text, *cell, category));
            }
            let mut inside = Vec::new();
            self.terms.find(cell.of(field.text).unwrap_or_default(), reached, &mut inside);
            findings.extend(inside.into_iter().map(|finding| shifted(finding, cell.start())));
        }
    }

    /// Takes away what is to be left as it is.
    pub(crate) fn drop_allowed(&self, findings: &mut Vec<Finding>, trace: &mut Trace) {
        findings.retain(|finding| {
            let hull = finding.hull();
            let next = self.cells.partition_point(|(cell, _)| cell.end() < hull.end());
            let cell = self.cells.get(next).filter(|(cell, _)| cell.contains(hull));
            let reached = cell.map_or_else(|| self.field.reached(), |(_, column)| self.column(*column));
            let value = hull.of(self.field.text).unwrap_or_default();
            !self.terms.allows(finding.category, value, reached) || trace.allow(finding)
        });
    }

    fn column(&self, column: u32) -> &[u16] {
        self.columns.get(column as usize).map_or(&[], PathState::within)
    }
}

/// All of a value, unless it is blank.
fn whole(text: &str, span: Span, category: Category) -> Option<Finding> {
    let blank = span.of(text).is_none_or(|value| value.trim().is_empty());
    (!blank).then(|| Finding::new(category, span, FIELD, Strength::Checked))
}

/// True for keys that name a field of records, not a thing of their own: `last_name`, `firstName`, `Full Name`.
fn is_name_of_field(key: &str) -> bool {
    let in_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$' | b'@');
    let plain = key.bytes().all(in_key)
        && key.bytes().next().is_some_and(|first| !first.is_ascii_uppercase() && !first.is_ascii_digit());
    plain || keys::meaning_of(key).is_some()
}

fn shifted(mut finding: Finding, by: usize) -> Finding {
    for piece in &mut finding.pieces {
        *piece = piece.shifted(by);
    }
    finding
}
