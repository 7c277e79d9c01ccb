//! The words in which the table is written.
//!
//! In and out: constants. Invariant: paths are written as JSON pointers with `[]` for every element, `*` for every
//! member, and a trailing `*` for every member whose name begins so; `~1` stands for `/` in a name. Not here: rows.

use cloakgate_cloak::Treatment;

use super::shape::Shape;
use super::{Direction, Part};
use crate::revision::Revision;

/// One row: which messages, and what their positions get.
pub(super) struct Row {
    /// First revision that has the message.
    pub(super) since: Revision,
    /// Last revision that has it; `None` for those still in force.
    pub(super) until: Option<Revision>,
    /// Methods that the row is for.
    pub(super) methods: &'static [&'static str],
    /// Which part of the exchange.
    pub(super) part: Part,
    /// Which way.
    pub(super) direction: Direction,
    /// Positions, from the message's root.
    pub(super) fields: &'static [Field],
}

/// One position and its decision.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// Where, from the place that the group is put at; empty for that place itself.
    pub(super) path: &'static str,
    /// What.
    pub(super) rule: Rule,
}

/// What a position gets.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// This treatment, for the value itself.
    Is(Treatment),
    /// Exact while the value looks like this, else the fallback.
    Shaped(Shape),
    /// This treatment for the value and all below it that no other field names.
    Whole(Treatment),
    /// Further positions below.
    Group(&'static [Field]),
    /// Further positions below, by the value of the member `type`: those of the first list in any case.
    Kinds(&'static [Field], &'static [(&'static str, &'static [Field])]),
}

pub(super) const fn exact(path: &'static str) -> Field {
    Field { path, rule: Rule::Is(Treatment::Exact) }
}

pub(super) const fn scan(path: &'static str) -> Field {
    Field { path, rule: Rule::Is(Treatment::Scan) }
}

pub(super) const fn cloak(path: &'static str) -> Field {
    Field { path, rule: Rule::Is(Treatment::Cloak) }
}

pub(super) const fn uri(path: &'static str) -> Field {
    Field { path, rule: Rule::Is(Treatment::CloakUri) }
}

pub(super) const fn restore(path: &'static str) -> Field {
    Field { path, rule: Rule::Is(Treatment::Restore) }
}

pub(super) const fn word(path: &'static str) -> Field {
    Field { path, rule: Rule::Shaped(Shape::Word) }
}

pub(super) const fn shaped(path: &'static str, shape: Shape) -> Field {
    Field { path, rule: Rule::Shaped(shape) }
}

pub(super) const fn whole(path: &'static str, treatment: Treatment) -> Field {
    Field { path, rule: Rule::Whole(treatment) }
}

pub(super) const fn group(path: &'static str, fields: &'static [Field]) -> Field {
    Field { path, rule: Rule::Group(fields) }
}

pub(super) const fn kinds(
    path: &'static str,
    common: &'static [Field],
    kinds: &'static [(&'static str, &'static [Field])],
) -> Field {
    Field { path, rule: Rule::Kinds(common, kinds) }
}
