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

impl Strength {
    /// The strength as a number from 0 to 1, for those who rank findings. It is no probability.
    #[must_use]
    pub const fn score(self) -> f64 {
        match self {
            Self::Shape => 0.5,
            Self::Context => 0.75,
            Self::Known => 0.9,
            Self::Checked => 1.0,
        }
    }

    /// The strength in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Context => "context",
            Self::Known => "known",
            Self::Checked => "checked",
        }
    }
}

impl Finding {
    /// A finding of one piece.
    #[must_use]
    pub fn new(category: Category, span: Span, detector: Detector, strength: Strength) -> Self {
        Self { category, pieces: vec![span], decoded: None, detector, strength }
    }

    /// Where the value stands in `text`, for those who count values and not lines: as a whole where nothing but marks
    /// and blanks lies between its pieces, else piece by piece.
    #[must_use]
    pub fn extents(&self, text: &str) -> Vec<Span> {
        let gaps = self.pieces.windows(2).filter_map(|pair| match pair {
            [one, other] => text.get(one.end()..other.start()),
            _ => None,
        });
        let whole = gaps.into_iter().all(|gap| !gap.contains(char::is_alphanumeric));
        if whole { vec![self.hull()] } else { self.pieces.clone() }
    }

    /// The smallest span that covers all pieces.
    #[must_use]
    pub fn hull(&self) -> Span {
        self.pieces.iter().copied().reduce(Span::union).unwrap_or(Span::sized(0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::{Detector, Finding, Strength};
    use crate::{Category, Span};

    #[test]
    fn lines_of_a_value_are_one_extent_unless_text_lies_between() {
        let text = "ab\n  cd x ef";
        for (pieces, count) in [
            (vec![Span::sized(0, 2)], 1),
            (vec![Span::sized(0, 2), Span::sized(5, 2)], 1),
            (vec![Span::sized(0, 2), Span::sized(5, 2), Span::sized(10, 2)], 3),
        ] {
            let finding =
                Finding::new(Category::Address, Span::sized(0, 1), Detector("test"), Strength::Shape);
            let finding = Finding { pieces, ..finding };
            assert_eq!(finding.extents(text).len(), count);
        }
    }
}
