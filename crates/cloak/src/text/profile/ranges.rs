//! Ranges of ages and weights.
//!
//! In: pairs of bounds. Out: the range that holds a number. Invariant: sorted, each `min <= max`, no overlap but a
//! shared bound, which belongs to the upper range. Numbers are exact to a thousandth.

use std::fmt;

/// Most ranges of one field.
const MAX_RANGES: usize = 100;
/// Largest bound.
const MAX_BOUND: f64 = 1_000_000.0;

/// A number of years, kilograms or pounds, in thousandths.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Quantity(u64);

impl Quantity {
    /// A number of thousandths.
    #[must_use]
    pub const fn thousandths(count: u64) -> Self {
        Self(count)
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(count: u32) -> Self {
        Self(count as u64 * 1000)
    }

    /// The number of thousandths.
    #[must_use]
    pub const fn in_thousandths(self) -> u64 {
        self.0
    }

    /// A number that is finite, not negative and not beyond reason.
    #[must_use]
    pub fn from_number(number: f64) -> Option<Self> {
        // The cast is exact: the bound keeps it far below the limits of both types.
        ((0.0..=MAX_BOUND).contains(&number)).then(|| Self((number * 1000.0).round() as u64))
    }

    /// The number, for JSON.
    #[must_use]
    pub fn number(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

impl fmt::Display for Quantity {
    /// Without zeros at the end: `17`, `72.6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / 1000)?;
        match self.0 % 1000 {
            0 => Ok(()),
            rest if rest % 100 == 0 => write!(f, ".{}", rest / 100),
            rest if rest % 10 == 0 => write!(f, ".{:02}", rest / 10),
            rest => write!(f, ".{rest:03}"),
        }
    }
}

/// Why ranges were refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum RangesError {
    /// There is none, or there are too many.
    #[error("1 to {MAX_RANGES} ranges are needed")]
    Count,
    /// A bound is no number from 0 to a million.
    #[error("bounds are numbers from 0 to {MAX_BOUND}")]
    Bound,
    /// A range ends before it begins.
    #[error("range {0} ends before it begins")]
    Order(usize),
    /// A range overlaps the one before it, or lies before it.
    #[error("range {0} overlaps the one before it or is out of order; ranges may share a bound only")]
    Overlap(usize),
}

/// Sorted ranges.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ranges(Vec<[Quantity; 2]>);

/// Where a number lies among ranges.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bucket {
    /// Below the first range, which begins here.
    Below(Quantity),
    /// In a range.
    In(Quantity, Quantity),
    /// Above the last range, which is this one.
    Above(Quantity, Quantity),
    /// Between two ranges.
    Gap,
}

impl Ranges {
    /// Checks pairs of bounds.
    ///
    /// # Errors
    /// When they are not sorted, overlap, or are no sensible numbers. Ranges are counted from 1.
    pub fn new(pairs: &[[f64; 2]]) -> Result<Self, RangesError> {
        if pairs.is_empty() || pairs.len() > MAX_RANGES {
            return Err(RangesError::Count);
        }
        let mut ranges: Vec<[Quantity; 2]> = Vec::with_capacity(pairs.len());
        for (place, [min, max]) in pairs.iter().enumerate() {
            let bound = |number| Quantity::from_number(number).ok_or(RangesError::Bound);
            let (min, max) = (bound(*min)?, bound(*max)?);
            if min > max {
                return Err(RangesError::Order(place + 1));
            }
            if ranges.last().is_some_and(|[first, last]| min < *last || min <= *first && max <= *last) {
                return Err(RangesError::Overlap(place + 1));
            }
            ranges.push([min, max]);
        }
        Ok(Self(ranges))
    }

    /// The pairs of bounds.
    pub fn pairs(&self) -> impl Iterator<Item = [f64; 2]> {
        self.0.iter().map(|[min, max]| [min.number(), max.number()])
    }

    /// Where a number lies. A bound that two ranges share belongs to the upper one.
    #[must_use]
    pub fn locate(&self, value: Quantity) -> Bucket {
        let after = self.0.partition_point(|[min, _]| *min <= value);
        match (after.checked_sub(1).and_then(|at| self.0.get(at)), self.0.get(after)) {
            (None, Some([min, _])) => Bucket::Below(*min),
            (Some([min, max]), _) if value <= *max => Bucket::In(*min, *max),
            (Some([min, max]), None) => Bucket::Above(*min, *max),
            _ => Bucket::Gap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Quantity, Ranges, RangesError};

    #[test]
    fn ranges_are_sorted_and_share_bounds_at_most() {
        for (pairs, verdict) in [
            (&[[0.0, 50.0], [50.0, 80.0]][..], Ok(())),
            (&[[0.0, 17.0], [18.0, 29.5]], Ok(())),
            (&[[5.0, 5.0], [5.0, 9.0]], Ok(())),
            (&[], Err(RangesError::Count)),
            (&[[9.0, 5.0]], Err(RangesError::Order(1))),
            (&[[0.0, 50.0], [49.0, 80.0]], Err(RangesError::Overlap(2))),
            (&[[50.0, 80.0], [0.0, 50.0]], Err(RangesError::Overlap(2))),
            (&[[5.0, 5.0], [5.0, 5.0]], Err(RangesError::Overlap(2))),
            (&[[f64::NAN, 5.0]], Err(RangesError::Bound)),
            (&[[-1.0, 5.0]], Err(RangesError::Bound)),
            (&[[0.0, f64::INFINITY]], Err(RangesError::Bound)),
        ] {
            assert_eq!(Ranges::new(pairs).map(|_| ()), verdict, "{pairs:?}");
        }
        assert_eq!(Ranges::new(&[[0.0, 1.0]; 101]), Err(RangesError::Count));
    }

    #[test]
    fn every_number_has_a_place() {
        let of = Quantity::whole;
        let ranges = Ranges::new(&[[10.0, 50.0], [50.0, 80.0], [90.0, 100.0]]).expect("valid");
        for (value, bucket) in [
            (9, Bucket::Below(of(10))),
            (10, Bucket::In(of(10), of(50))),
            (50, Bucket::In(of(50), of(80))),
            (80, Bucket::In(of(50), of(80))),
            (85, Bucket::Gap),
            (100, Bucket::In(of(90), of(100))),
            (101, Bucket::Above(of(90), of(100))),
        ] {
            assert_eq!(ranges.locate(of(value)), bucket, "{value}");
        }
    }

    #[test]
    fn numbers_have_no_zeros_at_their_end() {
        for (count, text) in [(17_000, "17"), (72_600, "72.6"), (1_250, "1.25"), (1_005, "1.005"), (0, "0")] {
            assert_eq!(Quantity::thousandths(count).to_string(), text);
        }
    }
}
