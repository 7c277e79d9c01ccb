//! What a detector reports.
//!
//! Invariant: the pieces of a finding are sorted, do not overlap, are not empty and lie on character
//! boundaries of the text that they were found in.

use crate::{Category, Sensitive, Span};

/// Which rule found a value; shown to people who ask why something was masked.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Detector(pub &'static str);

/// How sure a finding is; the order decides who names a value that several rules found.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Strength {
    /// The shape and its surroundings speak for it.
    Shape,
    /// A field name, header, title or cue word says what it is.
    Context,
    /// The session has cloaked this value before.
    Known,
    /// A checksum, issuer rule or vendor prefix proves it.
    Checked,
}

/// One value that was found in one text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of value it is.
    pub category: Category,
    /// Where it is, in bytes of the text. More than one piece for a value over several lines: each line is
    /// replaced by itself, so that line numbers stay.
    pub pieces: Vec<Span>,
    /// The value as decoded by the view it was found in, where that differs from the text (`%40` for `@`,
    /// full-width letters). Only findings of one piece have it.
    pub decoded: Option<Sensitive>,
    /// The rule that found it.
    pub detector: Detector,
    /// How sure the rule is.
    pub strength: Strength,
}

impl Finding {
    /// A finding of one piece.
    #[must_use]
    pub fn new(category: Category, span: Span, detector: Detector, strength: Strength) -> Self {
        Self { category, pieces: vec![span], decoded: None, detector, strength }
    }

    /// The smallest span that covers all pieces.
    #[must_use]
    pub fn hull(&self) -> Span {
        self.pieces.iter().copied().reduce(Span::union).unwrap_or(Span::sized(0, 0))
    }
}
