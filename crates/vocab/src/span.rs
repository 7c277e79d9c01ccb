//! Half-open byte ranges.
//!
//! Invariant: `start <= end`. Which string a span belongs to is known by where it is kept.

use std::ops::Range;

/// Half-open byte range of one UTF-8 string: `start <= end`, both on character boundaries of that string.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// A span of `start..end`, or `None` when the ends are in the wrong order.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Option<Self> {
        if start <= end { Some(Self { start, end }) } else { None }
    }

    /// A span that starts at `start` and is `len` bytes long.
    #[must_use]
    pub const fn sized(start: usize, len: usize) -> Self {
        Self { start, end: start.saturating_add(len) }
    }

    /// First byte.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// One past the last byte.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True for a span of no bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The part of `text` that the span covers, or `None` when an end lies outside or inside a character.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }

    /// True when the two spans share at least one byte.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// True when `other` lies wholly inside.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span moved right by `offset` bytes.
    #[must_use]
    pub const fn shifted(self, offset: usize) -> Self {
        Self { start: self.start.saturating_add(offset), end: self.end.saturating_add(offset) }
    }

    /// The span as a standard range.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn ends_in_the_wrong_order_are_no_span() {
        assert!(Span::new(3, 2).is_none());
        assert!(Span::new(2, 2).is_some_and(Span::is_empty));
    }

    #[test]
    fn a_span_inside_a_character_covers_no_text() {
        assert_eq!(Span::sized(0, 1).of("é"), None);
        assert_eq!(Span::sized(0, 2).of("é"), Some("é"));
        assert_eq!(Span::sized(0, 3).of("é"), None);
    }

    #[test]
    fn touching_spans_do_not_overlap() {
        assert!(!Span::sized(0, 2).overlaps(Span::sized(2, 2)));
        assert!(Span::sized(0, 3).overlaps(Span::sized(2, 2)));
        assert_eq!(Span::sized(0, 3).union(Span::sized(2, 2)), Span::sized(0, 4));
    }
}
