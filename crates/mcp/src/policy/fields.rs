//! The words in which the table is written.
//!
//! In and out: constants. Invariant: paths are written as JSON pointers with `[]` for every element, `*` for every
//! member, and a trailing `*` for every member whose name begins so; `~1` stands for `/` in a name. Towards the model
//! a position is exact only for the kind of value that the schema has there. Not here: rows.

use cloakgate_cloak::Treatment;

use super::shape::Shape;
use super::{Direction, Part};
use crate::revision::Revision;

/// One row: which messages of which revisions, and what their positions get.
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

impl Row {
    /// Whether a revision has the message.
    pub(super) fn is_of(&self, revision: Revision) -> bool {
        self.since <= revision && self.until.is_none_or(|until| revision <= until)
    }
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
    /// This treatment while the value looks like that, else the fallback.
    Is(Treatment, Shape),
    /// This treatment for the value and all below it that no other field names.
    Whole(Treatment),
    /// Further positions below.
    Group(&'static [Field]),
    /// Further positions below, by the value of the member `type`: those of the first list in any case.
    Kinds(&'static [Field], &'static [(&'static str, &'static [Field])]),
}

const fn is(path: &'static str, treatment: Treatment, shape: Shape) -> Field {
    Field { path, rule: Rule::Is(treatment, shape) }
}

/// Exact whatever stands there: towards an upstream, or where the gateway itself writes.
pub(super) const fn exact(path: &'static str) -> Field {
    is(path, Treatment::Exact, Shape::Any)
}

/// Exact while it looks like this.
pub(super) const fn shaped(path: &'static str, shape: Shape) -> Field {
    is(path, Treatment::Exact, shape)
}

/// An object or array.
pub(super) const fn container(path: &'static str) -> Field {
    shaped(path, Shape::Container)
}

/// `true` or `false`.
pub(super) const fn flag(path: &'static str) -> Field {
    shaped(path, Shape::Flag)
}

/// A number of few digits.
pub(super) const fn amount(path: &'static str) -> Field {
    shaped(path, Shape::Amount)
}

/// A number from 0 to 1.
pub(super) const fn fraction(path: &'static str) -> Field {
    shaped(path, Shape::Fraction)
}

/// One of a closed list of words.
pub(super) const fn word(path: &'static str, words: &'static [&'static str]) -> Field {
    shaped(path, Shape::OneOf(words))
}

/// Counted and not inspected while it looks like this.
pub(super) const fn scan(path: &'static str, shape: Shape) -> Field {
    is(path, Treatment::Scan, shape)
}

/// Binary content: what is text in it is cloaked, the rest counted and not inspected.
pub(super) const fn binary(path: &'static str) -> Field {
    is(path, Treatment::CloakBase64, Shape::Base64)
}

pub(super) const fn cloak(path: &'static str) -> Field {
    is(path, Treatment::Cloak, Shape::Any)
}

pub(super) const fn uri(path: &'static str) -> Field {
    is(path, Treatment::CloakUri, Shape::Any)
}

pub(super) const fn restore(path: &'static str) -> Field {
    whole(path, Treatment::Restore)
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
